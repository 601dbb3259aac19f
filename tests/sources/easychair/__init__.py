"""Tests of the source easychair."""
