"""What fetching needs to know of a source: targets, requests, fingerprints of layouts.

Imports: _ledger.
"""
