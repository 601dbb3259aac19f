"""Tests of whole runs, and of what they say."""
