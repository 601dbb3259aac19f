"""Drafts a parser for a new source: finds the items of one of its pages, and writes an invented specimen.

Imports: nothing.
Touches: nothing.
"""
