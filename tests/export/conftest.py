"""Fixtures of the tests of the faces."""

from pathlib import Path

import pytest

from pipeline.export._format import format_titles, load_format
from tests.export.shelf import Shelf

for name in format_titles():  # now, while coverage traces: the first test may run untraced
    load_format(name)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Give a test its own out root."""
    return Shelf(tmp_path)
