"""Tests of one source."""
