"""Tests of the checkout: imports, docs, licences, locks, patterns."""
