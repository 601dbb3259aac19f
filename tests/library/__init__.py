"""Tests of what programs call."""
