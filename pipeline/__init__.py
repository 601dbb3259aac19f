"""The stages of the pipeline, independent of sources: snapshot, parse, normalize, validate, publish, summary."""
