"""Tests of the source hf_daily: fixtures, layouts, special cases."""
