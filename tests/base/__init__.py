"""Tests of settings, suggestions, cores and the leash."""
