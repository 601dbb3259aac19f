"""Export formats: each format that ``conspectus export`` writes is one module here, found by scanning.

Modules with a leading underscore are shared. A format reads a selection of published rows and writes one file.

Imports: base, publishing, viewing.
Touches: reads files, writes files.
"""
