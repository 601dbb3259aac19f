"""Record identity: keys of listings and programmes."""

import re
import unicodedata
from datetime import date, datetime
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._contract import Family
from pipeline.reading.identity import author_key, is_dated, record_key, slug
from schemas.items import Person, Record, Slot

TITLED = "paper keynote tutorial workshop panel".split()
DATED = "break social ceremony session poster_session".split()
NINE = Slot(datetime(2026, 6, 17, 9), datetime(2026, 6, 17, 10), "Hall")


def record(**fields: Any) -> Record:
    """Make a record with the given fields."""
    return Record(line_start=1, line_end=2, **fields)


def key(**fields: Any) -> str | None:
    """Return the programme key of a record with the given fields."""
    return record_key(Family.PROGRAMME, record(**fields))


def digest(text: str) -> str:
    """Return 16 hex digits of the SHA-256."""
    return sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  On Hay:  a -- View_2 ", "on-hay-a-view-2"),
        ("Stra\u00dfe \uff21\uff22\u2460", "strasse-ab1"),
        ("\u8a08\u7b97\u30fb\u6a5f", "\u8a08\u7b97-\u6a5f"),
        ("C++ & C#", "c-c"),
        ("???", digest("???")),
        ("", digest("")),
    ],
)
def test_slugs(text: str, expected: str) -> None:
    """Case and width are folded, everything but letters and digits is a hyphen; nothing left gives a hash."""
    assert slug(text) == expected


@given(st.text())
def test_a_slug_is_one_word(text: str) -> None:
    """Any text gives letters, digits and single inner hyphens, never nothing; blanks at the ends do not matter."""
    assert re.fullmatch(r"[^\W_]+(?:-[^\W_]+)*", slug(text))


@given(st.text().map(lambda text: f"a{text}"))
def test_a_slug_does_not_depend_on_the_unicode_form(text: str) -> None:
    """Composed and decomposed letters give one slug."""
    assert slug(unicodedata.normalize("NFD", text)) == slug(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"arxiv_id": "2605.00001", "title": "Hay"}, "2605.00001"),
        ({"title": "On Hay", "abstract": "a"}, "on-hay"),
        ({"abstract": " Cafe\u0301\n AU\u00a0 lait "}, digest("caf\u00e9 au lait")),
        ({"abstract": "x y" * 100}, digest(("x y" * 100)[:200])),
        ({"abstract": "a", "summary": "s"}, digest("a")),
        ({"summary": "s"}, digest("s")),
        ({"comments": "c", "url": "https://e.example/1"}, None),
    ],
)
def test_key_of_a_listing(fields: dict[str, Any], expected: str | None) -> None:
    """The arXiv id, else the title, else the first 200 characters of the text, blanks and case folded."""
    assert record_key(Family.LISTING, record(**fields)) == expected


@pytest.mark.parametrize("kind", TITLED)
def test_key_of_a_titled_kind(kind: str) -> None:
    """The key of a paper or talk is event and title; time and place do not count."""
    assert key(kind=kind, event="FAIR 2026", title="On Hay", slots=(NINE,), session_code="1A") == "fair-2026/on-hay"


@pytest.mark.parametrize("kind", DATED)
def test_key_of_a_kind_that_recurs(kind: str) -> None:
    """The key of a recurring kind has event, start and title: each occurrence is a record."""
    assert key(kind=kind, event="FAIR 2026", title="Coffee", slots=(NINE,)) == "fair-2026/2026-06-17T09:00/coffee"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"slots": (NINE,), "session_code": "1A"}, "e/2026-06-17T09:00/1a"),
        ({"slots": (NINE,)}, "e/2026-06-17T09:00/hall"),
        ({"slots": (Slot(room="Hall"),)}, "e/undated/hall"),
        ({"session_code": "1A"}, "e/undated/1a"),
        ({"slots": (NINE._replace(room=None),)}, None),
        ({"abstract": "a"}, None),
    ],
)
def test_key_without_a_title(fields: dict[str, Any], expected: str | None) -> None:
    """Event, start, and the session code or the room; without both there is no key."""
    assert key(event="E", **fields) == expected


def test_key_without_an_event_and_a_start() -> None:
    """An unknown event or start is named as unknown in the key."""
    assert (key(title="Hay"), key(title="Coffee", kind="break")) == (
        "unknown-event/hay",
        "unknown-event/undated/coffee",
    )


@pytest.mark.parametrize(("kinds", "expected"), [(TITLED, False), (DATED, True)])
def test_which_keys_rest_on_the_start(kinds: list[str], expected: bool) -> None:
    """Keys of recurring kinds and of items without a title depend on the start."""
    assert {is_dated(record(kind=kind, title="Hay")) for kind in kinds} == {expected}
    assert is_dated(record(kind="paper"))


CHANGES = {
    "line_start": 9,
    "line_end": 9,
    "native_id": "7",
    "abstract": "b",
    "summary": "s",
    "authors": (Person("Bo"),),
    "presenter": "Bo",
    "session_code": "2B",
    "session_title": "Straw",
    "track": "T",
    "chairs": (Person("Cy"),),
    "slots": (Slot(datetime(2026, 6, 18, 9), None, "Barn"),),
    "listed_on": date(2026, 6, 18),
    "doi": "10.1234/x",
    "url": "https://e.example/1",
    "notes": ("cancelled",),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("family", Family)
def test_key_of_a_paper_is_stable(family: Family, name: str) -> None:
    """A new room, time, session, abstract or author does not change the key."""
    paper = record(title="Hay", event="E", abstract="a", slots=(NINE,), authors=(Person("Ann"),), session_code="1A")
    changes: dict[str, Any] = {name: CHANGES[name]}
    assert record_key(family, paper._replace(**changes)) == record_key(family, paper)


def test_author_keys() -> None:
    """The first author, or all authors if the first is not enough."""
    assert (author_key(["Ann B.", "Bo"]), author_key(["Ann B.", "Bo"], first_only=False)) == ("ann-b", "ann-b-bo")
