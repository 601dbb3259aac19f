"""Tests of the ACL Anthology."""
