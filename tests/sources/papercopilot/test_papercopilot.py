"""Lists of Paper Copilot: which lists they are, whose affiliations are whose, addresses that were not filled in."""

import json

import pytest

from parsers._ledger.document import Document
from parsers._registry import sources
from parsers.papercopilot import parse, recognise
from pipeline.reading.parse import parse_items
from schemas.items import Person, Record

PAPER = {"title": "Less Sugar", "author": "Ada Quill;Bo Ferns", "status": "Oral"}


def document(**paper: str | bool) -> Document:
    """Return a list with one paper."""
    return Document.from_bytes("papercopilot/jam2025.json", json.dumps([PAPER | paper]).encode())


OTHERS = ("Cy Dill;Di Elm;Ed Fig", "Mole Lab; Jar Lab; Mole Lab"), ("Cy Dill;Di Elm", "Mole Lab; Mole Lab")
SETS = ("Cy Dill;Di Elm;Ed Fig", "Mole Lab"), ("Cy Dill;Di Elm", "Jar Lab; Mole Lab; Mole Lab"), ("Cy Dill", "Mole Lab")


@pytest.mark.parametrize(
    ("people", "places", "others", "expected"),
    [
        ("Ada Quill;Bo Ferns", "Mole Lab;Jar Lab", SETS, ["Mole Lab", "Jar Lab"]),
        ("Ada Quill; Bo Ferns", "Mole Lab; Jar Lab", SETS, ["Mole Lab", "Jar Lab"]),
        ("Ada Quill;Bo Ferns", "Mole Lab; Jar Lab", SETS, [None, None]),
        ("Ada Quill;Bo Ferns", "Mole Lab; Mole Lab", SETS, [None, None]),
        ("Ada Quill;Bo Ferns", "Mole Lab; Jar Lab", OTHERS, ["Mole Lab", "Jar Lab"]),
        ("Ada Quill;Bo Ferns", "Mole Lab; Mole Lab", OTHERS, ["Mole Lab", "Mole Lab"]),
        ("Ada Quill;Bo Ferns", "Mole Lab", OTHERS, [None, None]),
        ("Ada Quill", "Mole Lab", SETS, ["Mole Lab"]),
        ("Ada Quill;Bo Ferns;Ada Quill;Bo Ferns", "Mole Lab;Jar Lab", (), ["Mole Lab", "Jar Lab"]),
        ("Ada Quill;Bo Ferns;Ada Quill;Bo Ferns", "Mole Lab; Mole Lab", OTHERS, ["Mole Lab", "Mole Lab"]),
        ("Ada Quill, Bo Ferns", "Mole Lab; Mole Lab", OTHERS, ["Mole Lab", "Mole Lab"]),
    ],
)
def test_affiliations(
    people: str, places: str, others: tuple[tuple[str, str], ...], expected: list[str | None]
) -> None:
    """Affiliations are by person where the separators are the same, or most papers have as many as people."""
    papers = [
        PAPER | {"title": f"Jam {pair}", "author": pair[0], "aff": pair[1]} for pair in ((people, places), *others)
    ]
    found = next(parse(Document.from_bytes("papercopilot/jam2025.json", json.dumps(papers).encode())))
    assert isinstance(found, Record)
    assert [person.affiliation for person in found.authors or ()] == expected


@pytest.mark.parametrize(
    ("places", "more", "moved"),
    [
        ("Mole Lab;;Jar Lab", {"aff_domain": "mole.example;jar.example;"}, True),
        (";Mole Lab;Jar Lab", {"position": "PhD student;Professor;"}, True),
        ("Mole Lab;Jar Lab; ", {"email": ";mole.example;jar.example"}, True),
        (
            "Mole Lab;;Jar Lab",
            {"aff_domain": "mole.example;mail.example;jar.example", "position": "Professor;;"},
            False,
        ),
        ("Mole Lab;Jar Lab;", {"aff_domain": "mole.example", "email": False}, False),
    ],
)
def test_affiliations_that_have_moved(places: str, more: dict[str, str | bool], *, moved: bool) -> None:
    """A list beside them that lacks another value says so: nobody gets the affiliation of somebody else."""
    parsed = parse_items(sources()["papercopilot"], document(author="Ada Quill;Bo Ferns;Cy Moss", aff=places, **more))
    (record,) = parsed.records
    expected = [place.strip() or None for place in places.split(";")]
    assert [person.affiliation for person in record.authors or ()] == ([None] * 3 if moved else expected)
    assert ("field_unread" in record.notes, len(parsed.rejects)) == (moved, 0)


@pytest.mark.parametrize(
    ("site", "expected"),
    [
        ("https://jam.example/poster/7", "https://jam.example/poster/7"),
        ("https://jam.example/poster/None", None),
        ("https://jam.example/?id=[ssid]&sess=[psid]", None),
    ],
)
def test_addresses(site: str, expected: str | None) -> None:
    """A template that was not filled in is no address."""
    (found,) = parse(document(site=site, track="main"))
    assert isinstance(found, Record)
    assert found.url == expected


@pytest.mark.parametrize(("more", "expected"), [({"track": "main"}, True), ({"aff": "Lab"}, True), ({}, False)])
def test_lists(more: dict[str, str], *, expected: bool) -> None:
    """Lists have a track or affiliations beside author and status."""
    assert recognise(document(**more)) is expected


@pytest.mark.parametrize(
    ("printed", "session", "keywords"),
    [
        ({"session": "Jams", "award": False}, "Jams", None),
        ({"sess": "Pots", "session": "", "award": True}, "Pots", ("Award",)),
        ({"sess": False, "session": "Jams", "award": "Best Jam", "keywords": "jam"}, "Jams", ("jam", "Best Jam")),
    ],
)
def test_sessions_and_awards(printed: dict[str, str | bool], session: str, keywords: tuple[str, ...] | None) -> None:
    """A session has one of two keys; an award is named, or there is one, or false says that there is none."""
    parsed = parse_items(sources()["papercopilot"], document(track="main", **printed))
    (found,) = parsed.records
    assert (found.session_title, found.keywords, found.notes, parsed.rejects) == (
        session,
        keywords,
        ("event_inferred",),
        (),
    )


def test_markup_in_texts() -> None:
    """Titles, names and affiliations are without escapes."""
    (found,) = parse(document(title="Q&amp;A on <i>Jam</i>", author="Peter O&#x27;Hara", aff="Pots &amp; Pans"))
    assert isinstance(found, Record)
    assert (found.title, found.authors) == ("Q&A on Jam", (Person("Peter O'Hara", "Pots & Pans"),))


@pytest.mark.parametrize(
    ("printed", "names", "notes"),
    [
        ("Ada Quill\u00b9;Bo Ferns*", ["Ada Quill", "Bo Ferns"], ()),
        ("Ada Quill\u00b9, Bo Ferns\u00b2", ["Ada Quill", "Bo Ferns"], ()),
        ("Ada Quill, Plato, Bo Ferns", ["Ada Quill", "Bo Ferns"], ("field_unread",)),
        ("Ada Quill, Microsoft Research", [], ("field_unread",)),
    ],
)
def test_names(printed: str, names: list[str], notes: tuple[str, ...]) -> None:
    """Marks are no part of a name, and one part that is no name costs only itself; what could be a place is told."""
    (found,) = parse(document(author=printed))
    assert isinstance(found, Record)
    assert ([person.name for person in found.authors or ()], found.notes) == (names, (*notes, "event_inferred"))
