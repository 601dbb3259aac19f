"""Tests of reading one dump into frames, and of the cache of readings."""
