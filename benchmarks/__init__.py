"""Timings of this machine; run by ``make bench``, never by the tests."""
