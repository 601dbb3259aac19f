"""Settings, durable writes, what is known of files, safe text: for every other folder; it knows nothing else of ours.

Imports: nothing.
Touches: reads files, writes files.
"""
