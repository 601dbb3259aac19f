"""Tests of what ``conspectus new`` writes."""
