"""Finds the records that are one work: features, candidates, rules, clusters, ids, as functions of frames of records.

Imports: nothing.
Touches: nothing.
"""
