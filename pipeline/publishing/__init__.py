"""The published dataset: written, switched atomically, read, compared with the one before, verified; the log of runs.

No other folder writes below the out root, where the cache of readings has a folder of its own.

Imports: base, merging, raw, reading, works.
Touches: reads files, writes files.
"""
