"""Tests of the Prefect layer."""
