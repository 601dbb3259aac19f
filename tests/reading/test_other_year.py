"""A programme of another year than was asked for: its dates decide, else its title."""

from datetime import datetime

import pytest

from parsers._ledger.document import Document, Facts
from parsers._words.years import Day, resolve_year
from pipeline.reading.declared import find_other_event, find_other_year
from schemas.items import Record, Slot

WEDNESDAY = Day(1, 6, 17, 2)  # in 2026
THURSDAY = Day(2, 6, 18, 3)
TUESDAY = Day(1, 6, 17, 1)  # in 2025
MISPRINTED = Day(2, 6, 18, 4)


def told(days: list[Day], *titles: str, year: int | None = 2026) -> str | None:
    """Return what a page with these days and titles says against the year that was asked for."""
    document = Document.from_bytes("fair/a.html", b"x", Facts(year=year, url="https://fair.example/2025/"))
    resolve_year(document, days, [2025], titles)
    return find_other_year(document, [])


@pytest.mark.parametrize(
    ("days", "titles", "expected"),
    [
        ([WEDNESDAY, THURSDAY], ["Fair 2026"], None),
        ([WEDNESDAY, THURSDAY], ["Fair 2025"], None),
        ([WEDNESDAY, MISPRINTED], [], None),
        ([TUESDAY, MISPRINTED], ["Fair 2026"], "2 of 2 days have other weekdays or years than those of 2026"),
        ([Day(1, 6, 17, None, 2025)], [], "1 of 1 days have other weekdays or years than those of 2026"),
        ([Day(1, 6, 17)], ["Fair 2025"], "the title says 2025"),
        ([], ["Fair 2024 and 2025"], "the title says 2024, 2025"),
        ([], ["Fair 2025, 2026"], None),
        ([Day(1, 6, 17)], ["Fair"], None),
    ],
)
def test_what_a_page_prints(days: list[Day], titles: list[str], expected: str | None) -> None:
    """Weekdays and years of days go before the title; addresses say nothing."""
    assert told(days, *titles) == (None if expected is None else f"the programme of 2026 was asked for, {expected}")


@pytest.mark.parametrize(
    ("begins", "year", "expected"),
    [
        (["2026-06-17", "2026-06-18"], 2026, None),
        (["2025-06-17", "2025-06-18"], 2026, "2 of 2 records have dates of other years, such as 2025-06-17"),
        (["2025-06-17", "2026-06-18"], 2026, None),
        (["2026-12-30", "2027-01-02", "2027-01-03"], 2026, None),
        (["2027-01-02", "2027-01-03"], 2026, "2 of 2 records have dates of other years, such as 2027-01-02"),
        (["2025-06-17"], None, None),
    ],
)
def test_what_records_are_dated(begins: list[str], year: int | None, expected: str | None) -> None:
    """Most dates of a programme that prints years are of the one asked for, or go on into the next January."""
    document = Document.from_bytes("fair/a.json", b"x", Facts(year=year))
    records = [Record(1, 1, slots=(Slot(datetime.fromisoformat(each)),)) for each in begins]
    found = find_other_year(document, records)
    assert found == (None if expected is None else f"the programme of {year} was asked for, {expected}")


@pytest.mark.parametrize(
    ("asked", "named", "told"),
    [
        ("Fair 2026", ["Bread Days 2026"], True),
        ("Fair 2026", ["Bread Days"], False),
        ("Fair 2026", ["The 7th Fair"], False),
        ("Fair 2026", ["BD 2026", "BD 2026: Fair of Bread"], False),
        ("BD26", ["Bread Days 2026"], False),
        ("BreDa 2026", ["International Conference on Bread Days 2026"], False),
        ("12C3", ["12th Crumb Congress"], False),
        ("Breadcrumbs 2026", ["Crumbs 26"], False),
        ("2026", ["Bread Days 2026"], False),
        ("Conference 2026", ["Bread Days 2026"], False),
        (None, ["Bread Days 2026"], False),
    ],
)
def test_another_event(asked: str | None, named: list[str], *, told: bool) -> None:
    """An edition that shares no word, number or short name with the one that was asked for is another event."""
    document = Document.from_bytes("fair/a.html", b"x", Facts(event=asked))
    document.calls_itself.update(named)
    message = f"the programme of {asked!r} was asked for, the page calls it {named[0]!r}"
    assert find_other_event(document) == (message if told else None)
