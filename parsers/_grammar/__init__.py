"""Programmes by a table of states: the cheapest reading, the builder of sessions and talks, renditions of text.

Imports: _ledger.
"""
