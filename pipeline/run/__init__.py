"""The stages of a run in their order, from the plan to the summary.

Imports: base, guarding, merging, publishing, raw, reading, refusing, workers, works.
Touches: processes, clock.
"""
