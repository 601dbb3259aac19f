"""Tests of where a value comes from."""
