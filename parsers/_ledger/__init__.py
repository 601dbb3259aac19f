"""Ledgers: text, pages and data that remember who claimed what, and the document that holds them.

Imports: nothing.
"""
