"""Pages that are read by a table in a file: the table is edited, broken, removed and put back over the nights."""

import shutil
from pathlib import Path

import pytest

from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.publishing.store import open_snapshot
from pipeline.run.refresh import Result, refresh

FERRY = Path(__file__).parents[2] / "raw/pages/ferry"


class Nights:
    """Nights over the page of one venue."""

    def __init__(self, folder: Path) -> None:
        """Put the specimen and its table into a raw root."""
        self.raw, self.out = folder / "raw", folder / "out"
        shutil.copytree(FERRY, self.raw / "pages/ferry")
        self.table = self.raw / "pages/ferry/table.toml"
        self.text = self.table.read_text(encoding="utf-8")

    def run(self, text: str | None) -> Result:
        """Run a night with a table of this text, or without any."""
        self.table.unlink(missing_ok=True)
        if text is not None:
            self.table.write_text(text, encoding="utf-8")
        return refresh(Settings(self.raw, self.out), sources(), ["pages"])

    def rooms(self) -> dict[str, str | None]:
        """Return the rooms that are published, by title."""
        records = open_snapshot((self.out / "latest").resolve()).table("records", "pages")
        assert records is not None
        return dict(zip(records["title"], records["room"], strict=True))


def test_nights_of_a_table(tmp_path: Path) -> None:
    """What is published stays while the table is wrong; nothing is new when the old one is back."""
    nights = Nights(tmp_path)
    first = nights.run(nights.text)
    rooms = nights.rooms()
    assert (first.good, len(rooms), rooms["Maps of Deltas"]) == (True, 8, "Anchor")
    for text, told in (
        (nights.text.replace("title =", "titel ="), "[item]: expected its rows title, "),
        ("[page", "expected valid TOML"),
        (None, "expected table.toml in the folder of the dump or above it, found none"),
    ):
        result = nights.run(text)
        (outcome,) = result.outcomes
        assert (result.good, "bad_table" in str(outcome.error), told in str(outcome.error)) == (False, True, True)
        assert nights.rooms() == rooms
    (outcome,) = nights.run(nights.text).outcomes
    assert (outcome.error, nights.rooms()) == (None, rooms)


@pytest.mark.parametrize(
    ("before", "after", "good"),
    [
        ("# How", "# Here is how", True),
        ('"Room {room}"', '"Room {track}"', False),
    ],
)
def test_an_edited_table_meets_the_guards(tmp_path: Path, before: str, after: str, *, good: bool) -> None:
    """Known records that lose a value are not published, whoever caused it; a comment changes nothing."""
    nights = Nights(tmp_path)
    nights.run(nights.text)
    rooms = nights.rooms()
    result = nights.run(nights.text.replace(before, after))
    assert (result.good, nights.rooms()) == (good, rooms)
