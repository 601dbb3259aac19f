"""Regular pages and data by tables of fields: selectors or keys, counts, readers.

Imports: _ledger, _words.
"""
