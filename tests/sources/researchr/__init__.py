"""Tests of the source researchr: fixtures, layouts, special cases."""
