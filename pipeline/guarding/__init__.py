"""Decides whether a capture that could be parsed is believed: measured, compared with its past, guarded."""
