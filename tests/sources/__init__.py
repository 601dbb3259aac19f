"""One folder a source: fixtures with goldens, layout generators, special tests, the truth of the real dump."""
