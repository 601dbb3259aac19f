"""The real pages come out whole and nothing of them is wrong, in every rendition that is read; the others are refused.

The pages and the truths of them, made by reading, are not part of the repository; their own script compares.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import ROOT

pytestmark = [pytest.mark.real, pytest.mark.untraced]

Groups = dict[str, dict[str, list[int]]]

WHOLE: Final = {"cluster html": 0.97, "cluster text full": 0.97, "cluster text rp": 0.97}
"""The share of items that are right in every field, of each rendition that holds all that the pages show."""
READ: Final = (*WHOLE, "cluster text traf")
REFUSED: Final = (
    "cluster text bs4",
    "cluster text html2text",
    "cluster text inscriptis",
    "cluster text markdownify",
    "cluster text traf2",
    "cluster text traf2recall",
)
"""Renditions of which lines have lost their borders: what is read of them, if anything, must be right."""


@cache
def scores(script: Path) -> Groups:
    """Compare the real pages with their truths: of each group the numbers of cases and of those that apply."""
    done = subprocess.run(
        [sys.executable, script, "--json", "cluster/*"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    groups: Groups = json.loads(done.stdout)["groups"]
    return groups


@pytest.fixture
def groups(real_raw: Path) -> Groups:
    """Return how the pages came out; where the real dumps are, the pages are too."""
    return scores(real_raw.parent / "pages" / "score.py")


def test_all_groups_are_known(groups: Groups) -> None:
    """No rendition of the pages is left out of these tests."""
    assert set(groups) == {*READ, *REFUSED, "cluster negative"}


@pytest.mark.parametrize("group", WHOLE)
def test_pages_come_out_whole(groups: Groups, group: str) -> None:
    """Nearly every item of a page is right in every field, and no page is refused."""
    wanted, whole = groups[group]["_whole"]
    assert (whole >= WHOLE[group] * wanted, groups[group]["_refused"][1]) == (True, 0)


@pytest.mark.parametrize("group", [*READ, *REFUSED])
def test_nothing_is_wrong(groups: Groups, group: str) -> None:
    """No row has a title, person, room or time that is another's."""
    assert groups[group]["_wrong"][1] == 0


def test_other_pages_are_refused(groups: Groups) -> None:
    """Every page that is no programme yet is refused."""
    pages, refused = groups["cluster negative"]["_pages"][1], groups["cluster negative"]["_refused"][1]
    assert refused == pages
