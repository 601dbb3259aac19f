"""Helpers that several tests use; no tests."""
