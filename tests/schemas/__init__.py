"""Tests of the declared tables and of every description derived from them."""
