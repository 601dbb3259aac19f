"""Starts a parser for a new source: what one of its pages is made of, and an invented specimen of the same form.

Imports: nothing.
Touches: nothing.
"""
