"""Tests of the pages to look at."""
