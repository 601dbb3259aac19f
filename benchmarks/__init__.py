"""Timings, false alarms and silence: run by ``make bench``, ``make nights`` and ``make damage``, never by the tests."""
