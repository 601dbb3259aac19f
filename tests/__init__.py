"""The tests, in folders like those of the code; those of one source are in ``tests/sources/<source>/``."""
