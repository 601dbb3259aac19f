"""What happens to the data, blind to sources: snapshot, parse, normalize, validate, publish, summary."""
