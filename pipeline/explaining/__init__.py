"""Why the dataset says what it says: from a record to the lines that gave it, and from a line to what became of it."""
