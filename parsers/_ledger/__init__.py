"""Ledgers: text, pages and data that remember what was claimed, and the document that holds them."""
