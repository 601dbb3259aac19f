"""Which captures count, and which of them are believed: measures are compared with those of earlier good captures.

Imports: base, publishing, raw, reading.
Touches: nothing.
"""
