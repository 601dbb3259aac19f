"""Invented programmes and listings, rendered to every layout of their source, parse back to equal records.

So do the specimens in HTML, XML and JSON: with other titles, names and rooms in the places of theirs, their records are
the same but for these. A source that has such a specimen needs no ``layouts.py``.
"""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from parsers._words.titles import kind_of_item, kind_of_own_title, kind_of_talk
from schemas.items import Person, Record, Slot
from tests.support.goldens import differences, plain
from tests.support.helpers import parse_text
from tests.support.invented import NAMES, ROOMS, TITLES
from tests.support.layouts import dice
from tests.support.of_sources import Specimen, each_of, each_specimen, part


def without_lines(records: tuple[Record, ...]) -> list[Record]:
    """Take the line numbers off: a generated case does not know them."""
    return [record._replace(line_start=None, line_end=None) for record in records]


@each_of("layouts", "LAYOUTS")
@given(data=st.data())
def test_layout_parses_back(source: str, key: str, data: st.DataObject) -> None:
    """Records come out as they went in, nothing is rejected, no line is left unexplained."""
    case = data.draw(part(source, "layouts").LAYOUTS[key])
    parsed = parse_text(source, case.text, facts=case.facts)
    found = without_lines(parsed.records)
    assert parsed.rejects == ()
    assert "\n".join(differences(plain(case.records), plain(found))) == ""
    assert found == list(case.records)


@pytest.mark.parametrize("seed", range(3))
@each_specimen(".html", ".xml", ".json")
def test_a_specimen_with_other_texts(specimen: Specimen, seed: int) -> None:
    """Other titles, names and rooms in the specimen are those of its records, and nothing else of them changes."""
    before = specimen.read(specimen.text)
    assert before is not None, f"{specimen.file} is refused"
    texts = other_texts(before[0].records, dice(seed))
    put: set[str] = set()
    after = specimen.read(with_texts(specimen, texts, put))
    assert put, f"{specimen.file}: no title, name or room of a record is all the text of an element or key"
    assert after is not None, f"{specimen.file} is refused with other titles, names and rooms: {texts}"
    expected = [replaced(record, {old: texts[old] for old in put}) for record in without_lines(before[0].records)]
    assert "\n".join(differences(plain(expected), plain(without_lines(after[0].records)))) == ""
    apart = "unpublished_text"  # a word that no record has may have been in a title
    assert [one for one in after[0].rejects if one.reason != apart] == list(before[0].rejects)


def other_texts(records: tuple[Record, ...], chance: Random) -> dict[str, str]:
    """Return other texts for those of records, each another one; a title that names a kind stays."""
    new_titles, new_names = (iter(chance.sample(sorted(set(pool)), len(set(pool)))) for pool in (TITLES, NAMES))
    new_rooms = (f"{room} {number}" for number in range(1, 100) for room in ROOMS)
    texts: dict[str, str] = {}
    for record in records:
        title, session = record.title or "", record.session_title or ""
        if {kind_of_item(title), kind_of_own_title(title) or "paper"} <= {"paper", "session"}:
            texts.setdefault(title, next(new_titles))
        if kind_of_talk(session) == "paper":
            texts.setdefault(session, next(new_titles))
        for person in (*(record.authors or ()), *(record.chairs or ())):
            texts.setdefault(person.name, next(new_names))
        for slot in record.slots or ():
            texts.setdefault(slot.room or "", next(new_rooms))
    return {old: new for old, new in texts.items() if old}


def with_texts(specimen: Specimen, texts: dict[str, str], put: set[str]) -> str:
    """Return a specimen with other texts where they are a whole value, or all of an element or attribute."""

    def other(text: str | None) -> str | None:
        bare = " ".join((text or "").split())
        if text is None or bare not in texts:
            return text
        put.add(bare)
        before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        return f"{before}{texts[bare]}{after}"

    if specimen.file.suffix == ".json":
        return json.dumps(in_data(json.loads(specimen.text), other))
    is_html = specimen.file.suffix == ".html"
    root = etree.fromstring(specimen.text.encode(), etree.HTMLParser(encoding="utf-8") if is_html else None)
    for element in root.iter("*"):
        element.text, element.tail = other(element.text), other(element.tail)
        for name, value in element.items():
            element.set(name, other(str(value)) or "")
    return etree.tostring(root, encoding="unicode", method="html" if is_html else "xml")


def in_data(value: Any, other: Callable[[str], str | None]) -> Any:
    """Return data with other texts as values."""
    if isinstance(value, dict):
        return {key: in_data(inner, other) for key, inner in value.items()}
    if isinstance(value, list):
        return [in_data(inner, other) for inner in value]
    return other(value) if isinstance(value, str) else value


def replaced(value: Any, texts: dict[str, str]) -> Any:
    """Return a record with other texts."""
    if isinstance(value, Record | Person | Slot):
        return type(value)(*(replaced(inner, texts) for inner in value))
    if isinstance(value, tuple):
        return tuple(replaced(inner, texts) for inner in value)
    return texts.get(value, value) if isinstance(value, str) else value
