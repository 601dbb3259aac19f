"""Tests of the contract of the parsers and of the registry that finds them."""
