"""Tests of the source arxiv: fixtures, layouts, special cases."""
