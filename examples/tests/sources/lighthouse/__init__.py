"""Tests of the source ``lighthouse``."""
