"""The tests: common ones here, those of one source in ``tests/sources/<source>/``."""
