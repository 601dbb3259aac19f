"""What each source looks like: one module or package a source, pure functions from a document to items."""
