"""Tests of what is read within a line: dates, names, titles, programmes."""
