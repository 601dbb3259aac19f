"""The faces of the dataset: each format that ``conspectus export`` writes is one module here, found by scanning.

Modules with a leading underscore are shared. A format reads a selection of published rows and writes one file; how the
rows came to be does not belong here.
"""
