"""Reads one dump from file to frames: load, parse, merge its items, check the totals it declares, measure.

An unusable dump also gives a reading, with its error as one quarantine row: the run continues with the next. Guarding
belongs to ``pipeline.guarding.trust``, merging several dumps to ``pipeline.merging.normalize``.
"""

import gc
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import polars as pl

from parsers._contract import Source
from parsers._ledger.document import Document, DumpError
from parsers._ledger.lines import LineClass
from pipeline.base.signals import Policy, Sign
from pipeline.raw.dump import Dump
from pipeline.raw.load import load
from pipeline.reading.canonical import BadValue, with_valid_values
from pipeline.reading.challenge import find_challenge
from pipeline.reading.declared import (
    check_declared,
    find_empty_day,
    find_other,
    find_other_event,
    find_other_year,
    is_young,
)
from pipeline.reading.frames import (
    DumpInfo,
    empty_frame,
    quarantine_frame,
    record_frame,
    sighting_frame,
)
from pipeline.reading.measure import Measure, measure_capture
from pipeline.reading.occurrences import Merged, merge_occurrences
from pipeline.reading.parse import NO_ITEMS, Parsed, parse_items
from schemas.items import Reject

PARSER_DEFECTS: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    pl.exceptions.PanicException,  # raised by Rust code; not an Exception
)
"""Exceptions raised by a bug in a parser: only the affected dump fails."""

_NO_CONTENT: Final = frozenset({"declined", "empty_result", "malformed", "not_this_source"})
"""Reasons of documents that may be a challenge page in place of the wanted one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one dump: its rows of the three tables, and the account of its lines.

    ``error`` is the message of an unusable dump, whose frames then hold just the one quarantine row; ``partly`` is True
    where the records that guards found unharmed are among them, to be published all the same. ``signs`` are what is
    told of it: why guards reject it, what a person should look at, notes.
    ``late`` are the columns that the site may still fill. ``first_line`` is the first line with text. ``superseded``
    marks a failure that the last run reported, of a page with a newer good capture; ``waits`` one of a page that shows
    another programme while nothing of its own is published.
    """

    dump: Dump
    records: pl.DataFrame
    sightings: pl.DataFrame
    quarantine: pl.DataFrame
    sha256: str | None = None
    format: str | None = None
    lines: int = 0
    by_class: Mapping[str, int] = field(default_factory=dict)
    by_boilerplate: Mapping[str, int] = field(default_factory=dict)
    by_reason: Mapping[str, int] = field(default_factory=dict)
    shared: Mapping[str, bool] = field(default_factory=dict)
    error: str | None = None
    partly: bool = False
    measure: Measure = field(default_factory=Measure)
    signs: tuple[Sign, ...] = ()
    late: tuple[str, ...] = ()
    first_line: int = 1
    superseded: bool = False
    waits: bool = False

    @property
    def looks(self) -> tuple[Sign, ...]:
        """The signs that a person should look at though nothing is wrong."""
        return tuple(sign for sign in self.signs if sign.does is Policy.LOOK)

    @property
    def feeds(self) -> bool:
        """True if its rows are to be published."""
        return self.error is None or self.partly

    @property
    def fails(self) -> bool:
        """True if the capture turns a run red."""
        return self.error is not None and not self.superseded and not self.waits


def read_dump(source: Source, dump: Dump, max_bytes: int) -> Reading:
    """Read one dump, even an empty one; never raises because of its content."""
    return read_with_document(source, dump, max_bytes)[0]


def read_with_document(source: Source, dump: Dump, max_bytes: int) -> tuple[Reading, Document | None]:
    """Read one dump as ``read_dump`` does; also return its document, whose ledger accounts for every line.

    The document is None where the file could not be read or decoded.
    """
    with _without_search_for_cycles():
        return _read_dump(source, dump, max_bytes)


@contextmanager
def _without_search_for_cycles() -> Iterator[None]:
    """Turn off the cyclic garbage collector, which otherwise runs every few hundred allocations.

    A dump becomes hundreds of thousands of small objects without cycles, which are freed without the collector; it
    would take a fifth of the time. It stays off for one whole dump, whose objects are gone when it is turned on again.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


def _read_dump(source: Source, dump: Dump, max_bytes: int) -> tuple[Reading, Document | None]:
    """Read one dump as ``read_with_document`` does."""
    document = None
    try:
        document = load(dump, max_bytes)
        return read_document(source, dump, document), document
    except DumpError as error:
        return failed_reading(dump, error, document=document), document
    except PARSER_DEFECTS as error:
        trace = traceback.extract_tb(error.__traceback__)[-1]
        file = "/".join(Path(trace.filename).parts[-2:])
        where = f"{trace.name}, {file}, line {trace.lineno}: {type(error).__name__}: {error}"
        failed = DumpError(dump.path, 1, "parser_failed", f"expected the parser to succeed, it failed in {where}")
        return failed_reading(dump, failed, document=document), document


def read_document(source: Source, dump: Dump, document: Document) -> Reading:
    """Parse a loaded document and make its frames. Raises ``DumpError`` as ``parse_items`` does."""
    return _frame(source, dump, document, parse_items(source, document))


def failed_frame(dump: Dump, sha256: str | None, stage: str, reject: Reject) -> pl.DataFrame:
    """Return the one quarantine row of an unusable dump."""
    files = {dump.path: sha256, **(dict(dump.facts.companions) if reject.dump else {})}
    return quarantine_frame(DumpInfo(dump.source, files), stage, [reject])


def _frame(source: Source, dump: Dump, document: Document, parsed: Parsed) -> Reading:
    """Return the reading of a parsed document: its frames and its measure."""
    items, bad = with_valid_values(parsed.records)
    merged = merge_occurrences(source, items)
    mismatches = check_declared(document, parsed.records, parsed.declared)
    info = DumpInfo(source.name, {each.path: each.sha256 for each in document.files})
    rejects = [*parsed.rejects, *merged.rejects]
    damage = _damage(document)
    records = record_frame(source, document, merged)
    empty = not parsed.records and not parsed.says_empty
    asked = source.asked(document.facts)
    return Reading(
        dump,
        records,
        sighting_frame(source, document, merged),
        _joined(
            quarantine_frame(info, "parse", rejects),
            _bad_values(info, merged, bad),
            quarantine_frame(info, "validate", mismatches),
            quarantine_frame(info, "snapshot", damage),
        ),
        document.sha256,
        parsed.format,
        parsed.accounting.lines,
        parsed.accounting.by_class,
        parsed.accounting.by_boilerplate,
        Counter(reject.reason for reject in (*rejects, *(value.reject for value in bad), *mismatches, *damage)),
        merged.shared,
        measure=replace(
            measure_capture(source, parsed, records),
            held=sum(reject.reason not in NO_ITEMS for reject in rejects),
            fingerprint=_layout_of(source, document),
            challenge=find_challenge(document.text) if empty else None,
            asked=str(asked.day) if asked.day is not None else None,
            other=find_other(asked, records),
            other_year=find_other_year(document, parsed.records),
            other_event=find_other_event(document),
            language=document.language,
        ),
        first_line=document.lines.first_text_line,
        late=source.filled_later if is_young(document.facts.captured_at, records) else (),
        signs=(*parsed.signs, *find_empty_day(asked, document.facts.captured_at, records)),
    )


def _bad_values(info: DumpInfo, merged: Merged, bad: Sequence[BadValue]) -> pl.DataFrame:
    """Return the quarantine rows of values that were left out, each with the id of its record, if that has one."""
    ids = {each.rank: each.record_id for each in merged.occurrences}
    return quarantine_frame(info, "parse", [each.reject for each in bad], [ids.get(each.rank) for each in bad])


def _damage(document: Document) -> list[Reject]:
    """Return a reject for each place where the bytes of a dump are no text; the records of its line stand."""
    return [
        Reject(each.line, each.line, each.around, each.reason, each.expected, file.path)
        for file in document.files
        for each in file.damage
    ]


def _joined(first: pl.DataFrame, *others: pl.DataFrame) -> pl.DataFrame:
    """Append the rows of other frames, of which most dumps have none."""
    for other in others:
        first = first.vstack(other) if other.height else first
    return first


def _layout_of(source: Source, document: Document) -> str | None:
    """Return the layout fingerprint of a parsed page; None for text, which has no markup, and where there is none."""
    if source.web is None or document.reads_lines:
        return None
    try:
        return source.web.fingerprint(document) or None
    except DumpError:  # a truncated feed can be read in part, but has no layout as a whole
        return None


def failed_reading(
    dump: Dump, error: DumpError, sha256: str | None = None, document: Document | None = None
) -> Reading:
    """Return the reading of an unusable dump: one quarantine row with the reason and the whole text.

    ``sha256`` is the hash of its bytes if there is no ``document``, which has its own. All of its lines count as
    unexplained, whatever the parser had claimed: they gave no record.
    """
    broken = next((each for each in document.files if each.path == error.path), document) if document else None
    text = broken.text if broken is not None else ""
    of_companion = error.path if error.path in dict(dump.facts.companions) else None
    reject = Reject(error.line, error.line, text, error.reason, error.expected, of_companion)
    sha256 = document.sha256 if document is not None else sha256
    stage = "snapshot" if document is None else "parse"
    lines = _count_lines(document) if document is not None else 0
    return Reading(
        dump,
        empty_frame("records"),
        empty_frame("sightings"),
        failed_frame(dump, sha256, stage, reject),
        sha256,
        lines=lines,
        by_class={LineClass.UNEXPLAINED.value: lines} if lines else {},
        by_reason={error.reason: 1},
        error=str(error),
        measure=Measure(challenge=find_challenge(text) if error.reason in _NO_CONTENT else None),
        first_line=document.lines.first_text_line if document is not None else 1,
    )


def _count_lines(document: Document) -> int:
    """Return the number of lines in a document's ledger; if that was never opened, of lines with text in the file."""
    try:
        opened = document.account().lines
    except PARSER_DEFECTS:  # a parser with a bug may leave a broken ledger
        opened = 0
    return opened or sum(1 for line in document.text.split("\n") if line.strip())
