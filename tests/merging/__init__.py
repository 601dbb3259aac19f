"""Tests of several captures on their way to valid tables."""
