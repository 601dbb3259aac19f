"""Says of a document that no format of its source recognises what it is, whose it may be, and what to do with it.

Imports: raw, reading.
Touches: nothing.
"""
