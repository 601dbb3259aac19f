"""What the texts of the meadow may hide: a line that nobody read may have been a day, which costs times."""

from tests.support.bounds import Bounds

BOUNDS = Bounds(held=0.75)
