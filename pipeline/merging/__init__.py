"""Merges the readings of a source into valid tables: normalize, validate, outcome.

Imports: base, reading.
Touches: nothing.
"""
