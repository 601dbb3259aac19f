"""The ledger cannot be cheated: damage stays where it is, and a line that means nothing is never swallowed unseen.

Both tests run over the specimen of every source, line by line.
"""

import json
from collections.abc import Iterator
from functools import cache
from itertools import compress
from pathlib import Path

import pytest

from parsers._contract import Document, DumpError
from parsers._lines import LineClass
from parsers._registry import sources
from pipeline.parse import Parsed, parse_document
from pipeline.sidecar import read_facts
from schemas.items import Record
from tests.conftest import ROOT
from tests.goldens import check_golden, plain

pytestmark = pytest.mark.untraced

SPECIMENS = {
    source: next(file for file in sorted((ROOT / "raw" / source).iterdir()) if file.suffix == ".txt")
    for source in sources()
}
SENTINEL = "zzqx sentinel 4711"
GARBAGE = "%%% zzqx 0x4711 %%%"


def parse(source: str, lines: list[str]) -> tuple[Parsed, Document] | None:
    """Parse the specimen's text with other lines; None where the document as a whole is refused."""
    file = SPECIMENS[source]
    try:
        document = Document.from_bytes(f"{source}/{file.name}", "\n".join(lines).encode(), read_facts(file))
        return parse_document(sources()[source], document), document
    except DumpError:
        return None


@cache
def specimen(source: str) -> tuple[list[str], tuple[Record, ...], Document]:
    """Return the lines of a specimen, its records, and its document with the claims of the parse."""
    lines = SPECIMENS[source].read_text(encoding="utf-8").split("\n")
    parsed = parse(source, lines)
    assert parsed is not None
    return lines, parsed[0].records, parsed[1]


@cache
def bare_records(source: str) -> list[Record]:
    """Return the records of a specimen without what other lines decide."""
    return [bare(record) for record in specimen(source)[1]]


def bare(record: Record) -> Record:
    """Take off a record what lines that are not its own decide: line numbers, and an end that the next talk gives."""
    slots = record.slots
    if slots and "end_inferred" in record.notes:
        slots = tuple(slot._replace(ends_at=None) for slot in slots)
    return record._replace(line_start=None, line_end=None, slots=slots)


def last_governed(document: Document, number: int) -> int:
    """Return the last line that the heading on line ``number`` governs; the line itself where it is no heading."""
    rule = document.lines.rule_of(number)
    if rule is None or rule.line_class is not LineClass.HEADING or not rule.level:
        return number
    for below in range(number + 1, document.lines.last + 1):
        other = document.lines.rule_of(below)
        if other is not None and other.line_class is LineClass.HEADING and 0 < other.level <= rule.level:
            return below - 1
    return document.lines.last


def untouched(source: str, number: int) -> list[Record]:
    """Return the records whose own lines and governing headings do not include line ``number``."""
    _, records, document = specimen(source)
    end = last_governed(document, number)
    return [
        alone
        for record, alone in zip(records, bare_records(source), strict=True)
        if not (record.line_start or 0) <= number <= (record.line_end or 0)
        and not number < (record.line_start or 0) <= end
    ]


def damages(source: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield every way to lose or replace one non-blank line of the specimen, with its number."""
    lines, _, _ = specimen(source)
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, "deleted", [*lines[: number - 1], *lines[number:]]
            yield number, "replaced", [*lines[: number - 1], GARBAGE, *lines[number:]]


def lost_by_damage(source: str) -> dict[tuple[int, str], list[str | None]]:
    """Return, for each damage that loses or changes records that it did not touch, what they were."""
    lost = {}
    for number, how, lines in damages(source):
        outcome = parse(source, lines)
        found = [bare(record) for record in outcome[0].records] if outcome else []
        kept = untouched(source, number)
        if how == "deleted":  # leaves no trace: a count that stood below the line is now below the item above it
            found, kept = ([record._replace(engagement=None) for record in records] for records in (found, kept))
        missing = [record.title or record.abstract for record in kept if record not in found]
        if missing:
            lost[number, how] = missing
    return lost


@cache
def places_of_sentinel(source: str) -> dict[int, list[str]]:
    """Return, for each line before which the sentinel is put, every place where it ended."""
    lines, _, _ = specimen(source)
    places = {}
    for place in range(len(lines) + 1):
        outcome = parse(source, [*lines[:place], SENTINEL, *lines[place:]])
        fields = absorbing_fields(outcome[0]) if outcome else []
        held = outcome is None or any(SENTINEL in reject.text for reject in outcome[0].rejects)
        places[place + 1] = [*fields, *(["quarantine"] if held else [])]
    return places


def absorbing_fields(parsed: Parsed) -> list[str]:
    """Name the field of each record that holds the sentinel."""
    return [
        name
        for record in parsed.records
        if SENTINEL in repr(record)  # spares most of them the dictionary
        for name, value in plain(record).items()
        if SENTINEL in json.dumps(value, ensure_ascii=False)
    ]


def lost_by_cut(source: str) -> dict[int, list[str | None]]:
    """Return, for each size of a dump that was cut, the complete records before the cut that did not come out."""
    lines, records, _ = specimen(source)
    alone = bare_records(source)
    text = "\n".join(lines)
    lost = {}
    for size in range(0, len(text), max(1, len(text) // 150)):
        cut = text[:size].split("\n")
        outcome = parse(source, cut)
        found = [bare(record) for record in outcome[0].records] if outcome else []
        whole = [(record.line_end or 0) < len(cut) - 3 for record in records]
        complete = list(compress(alone, whole))
        missing = [record.title or record.abstract for record in complete if outcome and record not in found]
        if missing:
            lost[size] = missing
    return lost


@pytest.mark.parametrize("source", sorted(SPECIMENS))
def test_damage_stays_where_it_is(source: str) -> None:
    """Every record whose own lines and governing headings a damage left untouched comes out equal."""
    assert lost_by_damage(source) == {}


@pytest.mark.parametrize("source", sorted(SPECIMENS))
def test_sentinel_ends_in_one_place(source: str) -> None:
    """A line that means nothing ends in quarantine or inside exactly one text field, wherever it is put."""
    assert {len(places) for places in places_of_sentinel(source).values()} == {1}


@pytest.mark.parametrize("source", sorted(SPECIMENS))
def test_absorbing_positions_are_reviewed(source: str) -> None:
    """The lines before which a meaningless line becomes part of a text field are those of the reviewed golden file."""
    absorbed = {str(line): places[0] for line, places in places_of_sentinel(source).items() if places != ["quarantine"]}
    check_golden(Path(__file__).parent / "sources" / source / "sentinel.golden.json", absorbed)


@pytest.mark.parametrize("source", sorted(SPECIMENS))
def test_cut_anywhere(source: str) -> None:
    """A dump that ends anywhere gives a clear refusal or the complete records before the cut, never another error."""
    assert lost_by_cut(source) == {}
