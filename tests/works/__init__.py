"""Tests of the records that are one work."""
