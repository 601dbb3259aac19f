"""Merges the readings of a source into valid tables: normalize, validate, outcome.

Imports: reading.
Touches: nothing.
"""
