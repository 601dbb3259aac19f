"""Tests of pages that are read by tables in a file."""
