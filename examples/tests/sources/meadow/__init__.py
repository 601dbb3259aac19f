"""Tests of the source ``meadow``."""
