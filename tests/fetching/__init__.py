"""Tests of fetching pages from invented sites."""
