"""Dumps of miniconf of any size; its other tests are made of its file (``tests/sources/test_systems.py``)."""
