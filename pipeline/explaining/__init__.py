"""Explains the dataset: from a record to the lines that gave it, and from a line to its record or quarantine row.

Imports: base, merging, publishing, raw, reading.
Touches: nothing.
"""
