"""Settings, durable writes, safe text: what every other folder may use, and that knows nothing else of ours.

Imports: nothing.
Touches: reads files, writes files.
"""
