"""Tests of which captures are believed."""
