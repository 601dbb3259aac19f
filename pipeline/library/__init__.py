"""What programs call, and the commands with them: one dump parsed, one snapshot as frames, a refresh.

Imports: base, config, guarding, merging, publishing, raw, reading, refusing, run.
Touches: nothing.
"""
