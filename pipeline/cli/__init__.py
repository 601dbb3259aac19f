"""The commands of ``conspectus``, from parsed options to an exit code, and their output.

Imports: base, config, drafting, example, explaining, export, fetching, library, merging, notify, publishing, raw,
reading, refusing, run, site, viewing.
Touches: reads files, clock.
"""
