"""Fixtures of the tests of pages."""

from pathlib import Path

import pytest

from tests.export.shelf import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Give a test its own out root."""
    return Shelf(tmp_path)
