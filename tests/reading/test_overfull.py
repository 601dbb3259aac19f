"""A record whose field has swallowed neighbouring items is quarantined, even if its lines are claimed."""

from collections.abc import Iterator
from typing import Any

import pytest

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import record_rule
from pipeline.reading.parse import find_overfull, parse_items
from schemas.items import Person, Record

PARAGRAPH = "We slice bread and tell how thin."
LABELS = ("SPEAKER:", "PRESENTER:", "ABSTRACT.")
TALK = f"Slicing SPEAKER: Ada Quill ABSTRACT. {PARAGRAPH} "


def record(**fields: Any) -> Record:
    """Make a record with some fields."""
    return Record(line_start=1, line_end=1, kind="paper")._replace(**fields)


@pytest.mark.parametrize(
    ("full", "fault"),
    [
        (record(title="Slicing at scale", abstract=PARAGRAPH), None),
        (record(title="t" * 1000), None),
        (record(title="t" * 1001), "title: expected at most 1000 characters, found 1001"),
        (record(title="A SPEAKER: a tool", abstract="Comments: " * 9), None),
        (
            record(title="A PRESENTER: B C PRESENTER: D"),
            "title: expected at most 1 of 'PRESENTER:', found 2",
        ),
        (record(abstract=f"{PARAGRAPH} ABSTRACT. {PARAGRAPH} ABSTRACT. {PARAGRAPH}"), None),
        (
            record(abstract=" ABSTRACT. ".join([PARAGRAPH] * 4)),
            "abstract: expected at most 2 of 'ABSTRACT.', found 3",
        ),
        (
            record(abstract="a | 09:00 | b | 9:20 | c |09:40| d"),
            "abstract: expected at most 2 of '| HH:MM |', found 3",
        ),
        (record(authors=(Person("n" * 401),)), "name: expected at most 400 characters, found 401"),
    ],
)
def test_fields_are_limited(full: Record, fault: str | None) -> None:
    """Length and number of labels in a field are limited; one or two labels may be part of a text."""
    assert find_overfull(full, LABELS) == fault


def claimed(document: Document, records: list[Record]) -> Iterator[Record]:
    """Claim the lines of records and yield these, as a parser does."""
    for each in records:
        document.lines.claim(each.line_start or 0, record_rule("talk"))
        yield each


def test_a_page_in_one_record_is_quarantined() -> None:
    """The lines of the overfull record are quarantined with the expectation; the other record stays."""
    full, good = record(title=TALK * 3), record(title="Slicing", line_start=2, line_end=2)
    form = Format("toy", "anything", lambda _: True, lambda made: claimed(made, [full, good]))
    source = Source("toy", "Toy", 1, Family.PROGRAMME, PageKind.STATE, (form,), labels=LABELS)
    document = Document.from_bytes("toy/bread.txt", f"{TALK * 3}\nSlicing\n".encode())
    parsed = parse_items(source, document)
    assert parsed.records == (good,)
    assert [(reject.line_start, reject.reason, reject.text) for reject in parsed.rejects[:1]] == [
        (1, "invalid_value", TALK * 3)
    ]
    assert parsed.accounting.by_class == {"rejected": 1, "record": 1}
