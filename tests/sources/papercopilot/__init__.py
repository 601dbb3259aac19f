"""Tests of the lists of Paper Copilot."""
