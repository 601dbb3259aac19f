"""Settings, signals, durable writes, what is known of files, safe text: for every other folder of the pipeline.

Imports: nothing.
Touches: reads files, writes files.
"""
