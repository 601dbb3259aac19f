"""What is said of a document that its source does not recognise."""
