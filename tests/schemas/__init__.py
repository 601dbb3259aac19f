"""Tests of what the data is, and of every description derived from it."""
