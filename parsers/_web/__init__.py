"""What fetching needs to know of a source: targets, requests, layout fingerprints."""
