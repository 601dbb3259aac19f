"""The parsers: one module or package per source, pure functions from a document to items."""
