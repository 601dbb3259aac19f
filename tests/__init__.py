"""The tests, in folders like those of the code.

Tests of ``pipeline/run`` are in ``tests/run``, those of ``parsers/_grammar`` in ``tests/grammar``, those of one source
in ``tests/sources/<source>``. Other folders:

- ``sources`` itself tests what must hold of every source, on its fixtures, layouts and specimens.
- ``cli`` tests what commands print and how they exit, and the modules at the top of ``pipeline``: configuration,
  notifications.
- ``contract`` tests ``parsers/_contract`` and the registry; the contract of the dataset is tested in ``schemas``.
- ``flows`` tests the Prefect flows, ``project`` the rules of this repository. ``browse`` is not part of the suite: it
  needs a browser (``make browse``). ``interop`` tests the checking of ``make interop``, which needs other tools.
- ``support`` holds what tests share, and no tests.
"""
