"""Records below an unread line that may be a heading lose their times or get a note."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import heading_rule, record_rule
from parsers._words.dates import begins_with_time, looks_like_day
from pipeline.reading.parse import parse_items
from schemas.items import Item, Record, Slot
from tests.support.signs import told_of

NINE, TEN = datetime(2026, 5, 4, 9), datetime(2026, 5, 4, 10)


def parse(document: Document) -> Iterator[Item]:
    """Read ``# ..`` as a day, ``= ..`` as a slot, ``~ ..`` as a session, ``- ..`` as a talk at nine; nothing else.

    ``+ 10:00 ..`` is a talk that prints its own time.
    """
    for number, text in document.lines.texts():
        if text.startswith("#"):
            document.lines.claim(number, heading_rule("day", 2))
        elif text.startswith("="):
            document.lines.claim(number, heading_rule("slot", 3))
        elif text.startswith("~"):
            document.lines.claim(number, heading_rule("session", 4))
        elif text.startswith("+"):
            document.lines.claim(number, record_rule("talk"))
            yield Record(line_start=number, line_end=number, title=text[2:], slots=(Slot(TEN, None, "Oven"),))
        elif text.startswith("-"):
            document.lines.claim(number, record_rule("talk"))
            slots, notes = (Slot(NINE, TEN, "Oven"),), ("end_inferred", "event_inferred")
            yield Record(line_start=number, line_end=number, title=text[2:], slots=slots, notes=notes)


SOURCE = Source("toy", "Toy", 1, Family.PROGRAMME, PageKind.STATE, (Format("toy", "x", lambda _: True, parse),))


def test_records_below_an_unread_day_have_no_time() -> None:
    """Records down to the next day lose their times but keep rooms and other notes; the line is reported."""
    lines = ["# Monday", "- Foam", "- Rye", "Day 2 (5/5)", "- Oat", "- Hay", "# Wednesday", "- Mill"]
    parsed = parse_items(SOURCE, Document.from_bytes("toy/a.txt", "\n".join(lines).encode()))
    timed = [record.title for record in parsed.records if record.slots == (Slot(NINE, TEN, "Oven"),)]
    others = [(record.title, record.slots, record.notes) for record in parsed.records if record.title not in timed]
    assert timed == ["Foam", "Rye", "Mill"]
    assert others == [
        (title, (Slot(None, None, "Oven"),), ("event_inferred", "day_unread")) for title in ("Oat", "Hay")
    ]
    assert told_of(parsed) == (
        "line 4, 'Day 2 (5/5)', looks like a day and was not read: records below without times: 2",
    )


def test_records_below_an_unread_time() -> None:
    """Records with the time of the slot above lose it; a talk with its own time and a later slot keep theirs."""
    lines = ["# Monday", "= 9:00", "- Foam", "11h00 MESZ", "- Rye", "+ 10:00 Oat", "= 14:00", "- Hay"]
    parsed = parse_items(SOURCE, Document.from_bytes("toy/a.txt", "\n".join(lines).encode()))
    untimed = [record.title for record in parsed.records if "time_unread" in record.notes]
    starts = [record.slots[0].starts_at for record in parsed.records if record.slots]
    assert (untimed, starts) == (["Rye"], [NINE, None, TEN, NINE])
    assert told_of(parsed) == (
        "line 4, '11h00 MESZ', looks like a time and was not read: records below without times: 1",
    )


def test_records_below_another_unread_line() -> None:
    """Records down to the next slot get a note, across sessions, if the unread line stands where a heading could."""
    lines = ["# Monday", "advert", "= 9:00", "- Foam", "Buns", "~ Ovens", "- Rye", "= 14:00", "- Hay", "the end"]
    parsed = parse_items(SOURCE, Document.from_bytes("toy/a.txt", "\n".join(lines).encode()))
    assert [(record.title, "heading_unread" in record.notes) for record in parsed.records] == [
        ("Foam", False),
        ("Rye", True),
        ("Hay", False),
    ]
    assert told_of(parsed) == ()


def test_many_records_below_an_unread_line_are_told() -> None:
    """With five records and a tenth of all below it, the line is reported."""
    lines = ["# Monday", "= 9:00", "- Foam", "Buns", *(f"- {number}" for number in range(5))]
    parsed = parse_items(SOURCE, Document.from_bytes("toy/a.txt", "\n".join(lines).encode()))
    assert told_of(parsed) == (
        "line 4, 'Buns', stands where a heading could and was not read: records below that it may govern: 5",
    )


def test_without_slots_no_line_is_a_heading() -> None:
    """In a listing, text between the entries of a day is no heading."""
    parsed = parse_items(SOURCE, Document.from_bytes("toy/a.txt", b"# Monday\n- Foam\nadvert\n- Rye"))
    assert not any("heading_unread" in record.notes for record in parsed.records)
    assert told_of(parsed) == ()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("11h00 CEST", True),
        ("9 am", True),
        ("12.30 Uhr", True),
        ("14:00 – 15:30", True),
        ("4.1 Design", False),
        ("2025-09-04", False),
        ("10 Years of HPC", False),
        ("v1:2", False),
    ],
)
def test_what_begins_with_a_time(line: str, expected: bool) -> None:
    """Times in any usual form; not numbers of sections or dates."""
    assert begins_with_time(line) is expected


@pytest.mark.parametrize(
    "line",
    [
        "Day 3 (4/9)",
        "DAY TWO",
        "Thursday",
        "Thu. 4/9",
        "Thursday, 4. September",
        "September 4th",
        "4th of September 2025",
        "2025-09-04",
        "04.09.2025",
        "Thursday, 4 September: Main Conference",
        "Day 2 - Tutorials",
        "Sept. 4 (Thursday)",
    ],
)
def test_what_looks_like_a_day(line: str) -> None:
    """Weekdays, months with a number, and dates that stand alone, in forms that no parser knows."""
    assert looks_like_day(line)


@pytest.mark.parametrize(
    "line",
    [
        "Today we bake",
        "Monday Blues: A Study",
        "Day of the Dead",
        "March of the Penguins",
        "1/2 cup of rye",
        "1/3",
        "24/7",
        "Sun",
        "Day 3 is for the excursion",
        "6 Dec 2025 · 3 min read",
        "Tuesday 7pm: gala dinner",
        "The deadline is September 4th",
        "9:00-10:30",
        "May contain nuts",
        "4 ovens",
        "2025-09-04 of records" * 9,
    ],
)
def test_what_does_not_look_like_a_day(line: str) -> None:
    """Titles that start with such a word, sentences, times and numbers are no days."""
    assert not looks_like_day(line)
