"""What holds for every source.

Below, one folder a source: fixtures with goldens, layout generators, special tests, the truth of the real dump.
"""
