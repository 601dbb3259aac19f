"""Tests of what lies below the raw root: files, links, sidecars, packed dumps, the archive."""
