"""What the benchmarks print: a line at once, since they take minutes."""

import sys


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
