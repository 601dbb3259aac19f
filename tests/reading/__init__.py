"""Tests of one dump on its way to frames, and of their cache."""
