"""Tests of tables of states."""
