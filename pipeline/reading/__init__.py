"""Reads one dump, from its bytes to frames and its cache entry.

A reader process imports this folder and those above it, no others: their code names the entries of the cache.

Imports: base, raw.
Touches: nothing.
"""
