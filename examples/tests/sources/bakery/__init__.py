"""Tests of the source ``bakery``."""
