"""Tests of tables of fields and their readers."""
