"""Parses one dump: finds its source, reads it, says what became of each line, and whether it would be published."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from parsers._contract import Source
from parsers._ledger.document import Document, DumpError
from parsers._registry import sources
from pipeline.base.escape import in_one_line
from pipeline.base.settings import MAX_BYTES, RAW_VARIABLE, UsageError, expect_file
from pipeline.base.signals import GuardBook, Guards
from pipeline.base.suggest import check_names
from pipeline.guarding.baseline import Baseline
from pipeline.guarding.trust import judge_reading
from pipeline.merging.normalize import normalize
from pipeline.raw.dump import Dump, describe, read_by
from pipeline.raw.load import load
from pipeline.reading.read import PARSER_DEFECTS, Reading, read_document
from pipeline.refusing.nature import find_nature
from pipeline.refusing.nearest import again, find_nearest

ACCOUNT = {"line": pl.UInt32, "class": pl.String, "rule": pl.String, "text": pl.String}


@dataclass(frozen=True, slots=True)
class ParsedDump:
    """What became of one dump.

    ``records`` and ``quarantine`` have the columns of the tables of the dataset, ``account`` a row for each line, text
    or key of the dump: ``line`` (from 1), ``class`` (a ``LineClass``), ``rule``, ``text``. ``refused`` says why a
    refresh would hold the dump back whatever its page showed before; None for a good one.
    """

    source: str
    format: str
    records: pl.DataFrame
    quarantine: pl.DataFrame
    account: pl.DataFrame
    remarks: tuple[str, ...]
    refused: str | None


def parse(
    path: str | Path,
    source: str | None = None,
    *,
    table: str | Path | None = None,
    known: Mapping[str, Source] | None = None,
    **facts: Any,  # noqa: ANN401  # each fact has a type of its own
) -> ParsedDump:
    """Parse one dump, without writing anything.

    ``source`` names its source; else it is that of its folder, or the one that recognises it. ``table`` is a
    ``table.toml`` that says how to read the page. ``facts`` are those of a sidecar, which they replace: ``event``,
    ``year``, ``timezone``, ``url``, ``captured_at`` ... Sources are those that are installed, unless ``known`` gives
    others.

    Raises ``UsageError`` for a file that is not there, an unknown source or fact, and a dump that several sources read,
    and ``DumpError``, with line and what was expected, for a dump that cannot be read.
    """
    known = sources() if known is None else known
    dump = describe_file(expect_file(str(path)), None)
    if table is not None:
        dump = read_by(dump, expect_file(str(table)))
    check_names("no such fact", facts, dump.facts.__slots__)
    dump = replace(dump, facts=replace(dump.facts, **facts))
    document = load(dump, MAX_BYTES)
    guards = GuardBook()
    found, _ = choose(source, dump, document, known, guards)
    reading = read_document(found, dump, document)
    return ParsedDump(
        found.name,
        reading.format or "",
        normalize([reading]).records.sort("line_start", "record_id", nulls_last=True),
        reading.quarantine,
        _account(document),
        tuple(document.remarks),
        refusal_of(reading, guards.of(found.name)),
    )


def _account(document: Document) -> pl.DataFrame:
    """Return what became of each line, text or key of a dump that was read."""
    rows = [(each.number, each.line_class.value, each.rule, each.text) for each in document.places()]
    return pl.DataFrame(rows, schema=ACCOUNT, orient="row")


def describe_file(file: Path, root: str | None) -> Dump:
    """Describe a file by its path below the raw root, else by its folder and name; either may contain a year."""
    raw, whole = Path(root or os.environ.get(RAW_VARIABLE) or "raw").absolute(), file.absolute()
    parts = whole.relative_to(raw).parts if whole.is_relative_to(raw) else whole.parts[-2:]
    return describe("/".join(map(in_one_line, parts)), file)


def choose(
    named: str | None, dump: Dump, document: Document, known: Mapping[str, Source], guards: GuardBook
) -> tuple[Source, tuple[str, ...]]:
    """Return the source that is named, else the one that recognises a document; raises as ``recognise`` does."""
    if not named:
        return recognise(dump, document, known, guards)
    check_names("no such source", [named], known)
    return known[named], ()


def recognise(
    dump: Dump, document: Document, known: Mapping[str, Source], guards: GuardBook
) -> tuple[Source, tuple[str, ...]]:
    """Find the source of a document: the one its folder is named after, else the only one that recognises its content.

    If several do, those that refuse the document are out: they are returned as messages. Which of two reads more does
    not count: a greedy one would win. Raises ``UsageError`` if several read it, and ``DumpError`` if none does.
    """
    folder = document.path.split("/", 1)[0]
    if folder in known:
        return known[folder], ()
    found = [source for source in known.values() if _knows(source, document)]
    if not found:
        near = find_nearest(document, known.values())
        more = f"; nearest is {near[0].name} ({near[1].name}), which expects {near[1].expects}" if near else ""
        expected = f"expected a dump of a known source ({', '.join(known)}), found {find_nature(document).what}{more}"
        raise document.error(1, "not_this_source", expected)
    if len(found) == 1:
        return found[0], ()
    refusals = {source.name: _refusal(source, dump, document, guards) for source in found}
    reading = [name for name, refusal in refusals.items() if refusal is None]
    others = tuple(f"{name}, which recognises it, too: {each}" for name, each in refusals.items() if each is not None)
    if not reading:
        expected = f"expected a dump that one of {', '.join(refusals)} reads"
        raise document.error(1, "declined", "; ".join([expected, *(f"not {each}" for each in others)]))
    if len(reading) > 1:
        raise UsageError(f"{document.path}: matches several sources, {', '.join(reading)}; choose one with --source")
    return known[reading[0]], others


def _knows(source: Source, document: Document) -> bool:
    """True if a source recognises a document; one with a defect does not."""
    try:
        return any(each.recognise(document) for each in source.formats)
    except PARSER_DEFECTS:
        return False


def _refusal(source: Source, dump: Dump, document: Document, guards: GuardBook) -> str | None:
    """Return why a source refuses a document that it recognises; None if it reads it."""
    try:
        return refusal_of(read_document(source, dump, again(document)), guards.of(source.name))
    except DumpError as error:
        return f"{error.reason} in line {error.line}: {error.expected}"
    except PARSER_DEFECTS as error:
        return f"its parser fails with {type(error).__name__}"


def refusal_of(reading: Reading, settings: Guards) -> str | None:
    """Return what is wrong with a reading alone, whatever its page showed before; None if nothing is."""
    return judge_reading(reading, Baseline(), (), settings, MAX_BYTES).error
