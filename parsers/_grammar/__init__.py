"""Programmes by a table of states: typed blocks, the cheapest reading, the builder of sessions and talks."""
