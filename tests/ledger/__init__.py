"""Tests of the ledgers: who claimed which line, text or key."""
