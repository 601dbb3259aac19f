"""A heading that nobody reads gives its place to no other one in silence: the law of all programmes and listings.

Each heading of a dump that has a form, a day, time, session with a time, label or section, is replaced: by a text that
says nothing, and by its own content in a form that no source prints. No record may then stand under another day, time,
session, track or chair than on the true page without a note that it did not have there. Free titles and rooms have no
form by which they could be missed.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from parsers._ledger.document import Document
from parsers._ledger.lines import LineClass
from pipeline.reading.parse import Parsed
from schemas.items import Record
from tests.support.of_sources import Specimen, each_specimen, specimens

NOTHING: Final = "Lorem 3 (ipsum)"
_FORMED: Final = re.compile(
    r"\d[:.h]\d\d|^(?:session )?(?:chair|location|room|track)s?\b.*:|(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    re.IGNORECASE,
)
_OTHER_FORMS: Final = (
    (re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,?", re.IGNORECASE), "Day 3"),
    (re.compile(r"\b(\d{1,2})[:.](\d\d)"), r"\1h\2 CEST"),
    (re.compile(r"\b(?:session )?chairs?\s*:", re.IGNORECASE), "Moderated by"),
    (re.compile(r"\b(?:location|room|track)\s*:", re.IGNORECASE), "In"),
)
_FEWEST: Final = {"arxiv": 1, "cluster": 25, "easychair": 8, "researchr": 3}
"""How many headings of a dump have a form, at the least."""
_MISSED: Final = {"cluster": 3}
"""How many slots of a dump may be lost unsaid: what stands in their place can be the title of a keynote's one talk."""


def headings(text: str, document: Document) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each heading that has a form."""
    lines = text.split("\n")
    for place in document.places():
        printed = re.sub(r"^<[\w.-]*> ", "", place.text).strip()
        is_there = place.number is not None and printed in lines[place.number - 1]
        if place.number is not None and is_there and place.line_class is LineClass.HEADING and _FORMED.search(printed):
            yield place.number, printed


def in_another_form(text: str) -> str:
    """Return the content of a heading in a form that nobody reads."""
    for pattern, other in _OTHER_FORMS:
        text = pattern.sub(other, text)
    return text


def governed(record: Record) -> dict[str, object]:
    """Return what headings give to a record, without what it lacks."""
    values = {
        "starts": tuple(slot.starts_at for slot in record.slots or () if slot.starts_at),
        "ends": tuple(slot.ends_at for slot in record.slots or () if slot.ends_at),
        "session": record.session_title,
        "track": record.track,
        "chairs": tuple(person.name for person in record.chairs or ()),
        "listed": record.listed_on,
        "section": record.listing_section,
    }
    return {name: value for name, value in values.items() if value}


def misplaced(true: Parsed, found: Parsed, put_in: str) -> list[str]:
    """Say of each record that has gained or kept what the true page does not give it, unsaid, what that is."""
    known: dict[str | None, list[Record]] = {}
    for record in true.records:
        known.setdefault(record.title, []).append(record)
    return [
        f"{record.title!r} has {name} {value!r} with no note"
        for record in found.records
        if (same := known.get(record.title)) and not any(set(record.notes) - set(other.notes) for other in same)
        for name, value in governed(record).items()
        if all(governed(other).get(name) != value for other in same)
        and not (name == "session" and str(value).strip(".") in put_in)
    ]


def silent(specimen: Specimen) -> dict[str, list[str]]:
    """Say which headings can be lost unsaid, by what was put in their place."""
    outcome = specimen.read(specimen.text)
    assert outcome is not None
    found: dict[str, list[str]] = {"nothing": [], "another form": []}
    tried = list(headings(specimen.text, outcome[1]))
    assert len(tried) >= _FEWEST.get(specimen.source, 0)  # else this would prove nothing
    for number, printed in tried:
        for kind, put_in in (("nothing", NOTHING), ("another form", in_another_form(printed))):
            lines = specimen.text.split("\n")
            lines[number - 1] = lines[number - 1].replace(printed, put_in)
            changed = specimen.read("\n".join(lines)) if put_in != printed else None
            if changed is not None and (said := misplaced(outcome[0], changed[0], put_in)):
                found[kind].append(f"line {number}: {put_in!r} is put in place of {printed!r}: {'; '.join(said)}")
    return found


@each_specimen()
def test_no_lost_heading_of_a_specimen_goes_unsaid(specimen: Specimen) -> None:
    """In another form none does; of those that say nothing only slots that could be a title or a room."""
    lost = silent(specimen)
    assert "\n".join(lost["another form"]) == ""
    assert len(lost["nothing"]) <= _MISSED.get(specimen.source, 0), "\n".join(lost["nothing"])


@pytest.mark.parametrize("source", sorted({specimen.source for specimen in specimens()}))
def test_no_lost_heading_of_a_real_dump_goes_unsaid(source: str, real_raw: Path) -> None:
    """The same of the real dumps."""
    for file in sorted((real_raw / source).glob("*.*")):
        if file.suffix != ".toml":
            lost = silent(Specimen(source, file))
            assert "\n".join(lost["another form"]) == ""
            assert len(lost["nothing"]) <= _MISSED.get(source, 0), "\n".join(lost["nothing"])
