"""Tests of the source pretalx: fixtures, layouts, special cases."""
