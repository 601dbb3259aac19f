"""Tests of the selection of rows and of timetables."""
