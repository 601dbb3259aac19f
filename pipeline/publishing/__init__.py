"""The published dataset: written, switched atomically, read, compared with the one before, verified."""
