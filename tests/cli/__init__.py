"""Tests of the command line, and of the files that configure it."""
