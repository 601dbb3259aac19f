"""The tests, in folders like those of the code.

A test stands where the code that it is about stands: of ``pipeline/run`` in ``tests/run``, of ``parsers/_grammar`` in
``tests/grammar``, of one source in ``tests/sources/<source>``. Beside those:

- ``sources`` itself has what must hold of every source, on its fixtures, layouts and specimens.
- ``cli`` has what commands print and how they end, with the files that only they read: ``sources.toml``, notifications.
- ``contract`` is about ``parsers/_contract`` and the registry; the contract of the dataset is in ``schemas``.
- ``flows`` has the Prefect flows, ``project`` the rules about this repository itself. ``browse`` is no part of the
  suite: it needs a browser (``make browse``).
- ``support`` has what tests share; nothing in it is a test.
"""
