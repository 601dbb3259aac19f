"""Tests of the source ``orchard``."""
