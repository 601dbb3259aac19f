"""Tests of merging several captures into valid tables."""
