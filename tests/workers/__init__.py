"""Tests of the processes that read dumps."""
