"""``conspectus.parse``: one dump as frames, with the account of its lines."""

from pathlib import Path

import pytest

import conspectus
from schemas.tables import QUARANTINE, RECORDS, polars_schema
from tests.support.toy import TOYS

HAY = '{"title": "Hay", "start": "2026-05-01T09:00", "end": "2026-05-01T10:00"}'


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """Write a dump of the invented fair."""
    file = tmp_path / "fair" / "a.txt"
    file.parent.mkdir()
    file.write_text(f"{HAY}\nstrange\n")
    return file


def test_a_dump(dump: Path) -> None:
    """Its source is that of its folder; every line is accounted for."""
    found = conspectus.parse(dump, known=TOYS)
    assert (found.source, found.format, found.refused, found.remarks) == ("fair", "json lines", None, ())
    assert found.records["title"].to_list() == ["Hay"]
    assert found.records.schema == polars_schema(RECORDS)
    assert found.quarantine.schema == polars_schema(QUARANTINE)
    assert found.account.select("line", "class", "text").rows() == [(1, "record", HAY), (2, "unexplained", "strange")]


def test_a_source_that_is_named(dump: Path) -> None:
    """It reads the dump, whatever its folder is called."""
    assert conspectus.parse(dump, "news", known=TOYS).source == "news"


def test_a_page_with_a_table(tmp_path: Path) -> None:
    """A table in a file says how to read a page of its own design, and facts what a sidecar would say."""
    page = tmp_path / "page.html"
    items = "".join(f"<li><b>{title}</b></li>" for title in ("Less sugar", "More fruit"))
    page.write_text(f"<html><title>Jam 2026</title><h1>Jam 2026</h1><ul>{items}</ul></html>")
    table = tmp_path / "table.toml"
    table.write_text('[talk]\nat = "li"\ntitle = "b"\n')
    found = conspectus.parse(page, "pages", table=table, event="Jam 2026", year=2026)
    assert found.records.select("title", "event").rows() == [("Less sugar", "Jam 2026"), ("More fruit", "Jam 2026")]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"source": "barn"}, conspectus.UsageError, "no such source: barn"),
        ({"weather": "fine"}, conspectus.UsageError, "no such fact: weather"),
    ],
)
def test_what_cannot_be_asked(dump: Path, given: dict[str, str], error: type[Exception], message: str) -> None:
    """An error says what there is."""
    with pytest.raises(error, match=message):
        conspectus.parse(dump, known=TOYS, **given)


def test_a_dump_that_cannot_be_read(tmp_path: Path) -> None:
    """Its error has line and reason; one that is not there is another error."""
    file = tmp_path / "a.txt"
    file.write_text("nothing of the kind\n")
    with pytest.raises(conspectus.DumpError) as raised:
        conspectus.parse(file, known=TOYS)
    assert (raised.value.reason, raised.value.line) == ("not_this_source", 1)
    with pytest.raises(conspectus.UsageError, match="expected a file, found none"):
        conspectus.parse(tmp_path / "nowhere.txt", known=TOYS)


def test_a_dump_that_would_be_held_back(tmp_path: Path) -> None:
    """A guard says why; the records are there all the same."""
    file = tmp_path / "fair" / "a.txt"
    file.parent.mkdir()
    file.write_text("\n".join([HAY, *["strange things that nobody explains"] * 30]))
    found = conspectus.parse(file, known=TOYS)
    assert found.refused is not None
    assert found.records.height == 1
