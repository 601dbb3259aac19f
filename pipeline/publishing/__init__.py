"""The published dataset: written and switched whole, found again, compared with the one before, verified."""
