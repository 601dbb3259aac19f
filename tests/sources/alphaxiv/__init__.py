"""Tests of the source alphaxiv: fixtures, layouts, special cases."""
