"""The tables of the dataset, each column declared once: type, nullability, description, checks.

Everything else about columns is derived from these declarations (``schemas.describe``): JSON Schema, data package,
README table, Parquet metadata. Empty strings and empty lists are refused in every column, since unknown values are
null. How a column gets its value does not belong here, nor does pandera, which takes a second to import: its schemas
are made from these declarations (``schemas.validation``) only where a frame is validated.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import polars as pl

from schemas.vocabulary import CHANGE_KINDS, FORMATS, KINDS, LINKS, LISTING_SECTIONS, NOTES, REASONS, STAGES

CONTRACT_VERSION: Final = "2.2"
"""Major and minor version of the dataset contract: an additional nullable column is minor, anything else major."""

PERSON: Final = pl.Struct(
    {"name": pl.String, "affiliation": pl.String, "country": pl.String, "country_code": pl.String, "url": pl.String}
)
"""``country`` is as printed, ``country_code`` its ISO 3166-1 alpha-2 code where that is certain, ``url`` a profile."""

LINK: Final = pl.Struct({"rel": pl.String, "url": pl.String, "title": pl.String})
"""``rel`` is a code of ``vocabulary.LINKS``."""

SLOT: Final = pl.Struct({"starts_at": pl.Datetime("us"), "ends_at": pl.Datetime("us"), "room": pl.String})

CHANGED_VALUE: Final = pl.Struct({"column": pl.String, "before": pl.String, "after": pl.String})

COUNT: Final = pl.Struct({"name": pl.String, "count": pl.Int64})

ARXIV_ID: Final = r"^(?:\d{4}\.\d{4,5}|[a-z][a-z-]*/\d{7})$"
ADDRESS: Final = r"^https?://\S+$"
DOI: Final = r"^10\.\d{4,9}/\S+$"
OTHER_ID: Final = r"^(?:acl|dblp|openreview):\S+$"
TEXT_LIMIT: Final = 65_536
"""The number of characters kept of a quarantined text; its length and hash are those of the whole."""


@dataclass(frozen=True, slots=True)
class Check:
    """A condition on values. ``name`` goes into the quarantine; ``expression`` is true if it holds; null passes.

    It takes the column as its argument; the check of a row names its columns itself and ignores the argument.
    """

    name: str
    expression: Callable[[pl.Expr], pl.Expr]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its polars type, description, unit, nullability and checks."""

    dtype: Any  # polars has data types that are classes and others that are instances
    description: str
    unit: str | None
    nullable: bool
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True, eq=False)  # one per name, and a key of caches
class Table:
    """A table: its columns by name and in order, the checks of its rows, and the columns that are unique together."""

    name: str
    description: str
    columns: Mapping[str, Column]
    checks: tuple[Check, ...] = ()
    unique: tuple[str, ...] = ()


@cache
def conditions(table: Table) -> tuple[pl.Expr, ...]:
    """Return all conditions on a frame of the table as aggregates, none of which may be false.

    They are those of the declared checks, evaluated all at once: pandera evaluates one after the other and, if all
    hold, gives the same answer.
    """
    checks = [(pl.col(name), check) for name, declared in table.columns.items() for check in declared.checks]
    checks += [(pl.lit(value=True), check) for check in table.checks]
    required = [pl.col(name).is_not_null() for name, declared in table.columns.items() if not declared.nullable]
    unique = [pl.struct(table.unique).is_unique()] if table.unique else []
    every = [*required, *unique, *(check.expression(on) for on, check in checks)]
    return tuple(each.all().alias(str(place)) for place, each in enumerate(every))


def one_of(allowed: Iterable[str]) -> Check:
    """Allow only the values of a closed list."""
    values = sorted(allowed)
    return Check(f"one of {', '.join(values)}", lambda column: column.is_in(values))


def each_one_of(allowed: Iterable[str]) -> Check:
    """Allow only the values of a closed list, in every element of a list."""
    values = sorted(allowed)
    name = f"each one of {', '.join(values)}"
    return Check(name, lambda column: column.list.eval(pl.element().is_in(values)).list.all())


def matches(name: str, pattern: str) -> Check:
    """Require that the value matches a regular expression."""
    return Check(name, lambda column: column.str.contains(pattern))


def each_matches(name: str, pattern: str) -> Check:
    """Require that every element of a list matches a regular expression."""
    return Check(f"each {name}", lambda column: column.list.eval(pl.element().str.contains(pattern)).list.all())


def column(
    dtype: Any,  # noqa: ANN401  # as above
    description: str,
    *checks: Check,
    nullable: bool = True,
    empty: bool = False,
    unit: str | None = None,
) -> Column:
    """Declare a column; strings and lists must also be non-empty, unless ``empty`` allows empty lists."""
    implied = []
    if dtype == pl.String:
        implied.append(Check("not blank", lambda value: value.str.contains(r"\S")))
    if isinstance(dtype, pl.List):
        if not empty:
            implied.append(Check("not an empty list", lambda value: value.list.len() > 0))
        implied.append(Check("no null element", lambda value: ~value.list.contains(None)))
    if dtype == pl.List(pl.String):
        filled = pl.element().str.contains(r"\S")
        implied.append(Check("no blank element", lambda value: value.list.eval(filled).list.all()))
    if dtype == pl.List(PERSON):
        named = pl.element().struct.field("name").str.contains(r"\S").fill_null(value=False)
        implied.append(Check("every person has a name", lambda value: value.list.eval(named).list.all()))
        implied.append(each_address("the profile of each person is an absolute URL"))
    if dtype == pl.List(LINK):
        rel = pl.element().struct.field("rel").is_in(sorted(LINKS)).fill_null(value=False)
        name = f"each rel one of {', '.join(sorted(LINKS))}"
        implied.append(Check(name, lambda value: value.list.eval(rel).list.all()))
        implied.append(each_address("each address is an absolute URL", nullable=False))
    return Column(dtype, description, unit, nullable, (*implied, *checks))


def each_address(name: str, *, nullable: bool = True) -> Check:
    """Require an absolute ``url`` in every element of a list of structs, or null if ``nullable``."""
    address = pl.element().struct.field("url").str.contains(ADDRESS).fill_null(value=nullable)
    return Check(name, lambda column: column.list.eval(address).list.all())


def row_check(name: str, expression: pl.Expr) -> Check:
    """Make a check of several columns of a row."""
    return Check(name, lambda _: expression)


_NAIVE: Final = "venue-local wall clock without zone"
_UTC: Final = "UTC"

RECORDS: Final = Table(
    "records",
    "One row per paper, talk or programme event.",
    {
        "record_id": column(
            pl.String,
            "`<source>:<key>`; stable while room, time, abstract and layout change",
            matches("<source>:<key>", r"^[a-z][a-z0-9_]*:\S+$"),
            nullable=False,
        ),
        "native_id": column(pl.String, "the source's own id, where the layout shows one"),
        "source": column(
            pl.String, "name of the parser's source", matches("a source name", r"^[a-z][a-z0-9_]*$"), nullable=False
        ),
        "kind": column(pl.String, "what the record is", one_of(KINDS), nullable=False),
        "type": column(pl.String, "the source's own word for what the item is, as printed"),
        "title": column(pl.String, "as printed, without decorations such as `[Tutorial]` or `(agenda)`; LaTeX kept"),
        "subtitle": column(pl.String, "what stands below the title, as printed"),
        "language": column(pl.String, "in which the talk is given, as printed: a code such as `de`, or a name"),
        "abstract": column(pl.String, "the authors' abstract; paragraphs separated by one blank line"),
        "description": column(pl.String, "a longer text printed beside the abstract; paragraphs as there"),
        "summary": column(pl.String, "a text about the paper not written by its authors, where marked as such"),
        "authors": column(pl.List(PERSON), "in printed order, never de-duplicated; names as printed"),
        "presenter": column(pl.String, "who gives the talk, as printed"),
        "event": column(pl.String, "edition of the conference"),
        "session_code": column(pl.String, "code of the session, such as `11A`"),
        "session_title": column(pl.String, "title of the session that lists the talk"),
        "track": column(pl.String, "track of the session, such as `Track 2.1`"),
        "session_description": column(pl.String, "text printed with the session; one paragraph a line"),
        "chairs": column(pl.List(PERSON), "of the session, whatever role word the page uses"),
        "room": column(pl.String, "of the first slot"),
        "starts_at": column(pl.Datetime("us"), "start of the first slot", unit=_NAIVE),
        "ends_at": column(pl.Datetime("us"), "end of the first slot", unit=_NAIVE),
        "slots": column(pl.List(SLOT), "every printed occurrence in time order", unit=_NAIVE),
        "timezone": column(pl.String, "of the venue, as the sidecar gives it, else as printed", unit="IANA name"),
        "listed_on": column(pl.Date, "newest listing date that shows the record"),
        "published_on": column(pl.Date, "the paper's own date, where printed"),
        "listing_section": column(pl.String, "section of the newest sighting", one_of(LISTING_SECTIONS)),
        "arxiv_id": column(pl.String, "arXiv identifier without version", matches("an arXiv id", ARXIV_ID)),
        "doi": column(pl.String, "Digital Object Identifier, in lower case", matches("a DOI", DOI)),
        "other_ids": column(
            pl.List(pl.String),
            "other identifiers of the paper in its addresses, sorted: `acl:`, `dblp:` or `openreview:` and the id",
            each_matches("an identifier with its scheme", OTHER_ID),
        ),
        "url": column(pl.String, "absolute address of the item", matches("an absolute URL", ADDRESS)),
        "links": column(pl.List(LINK), "addresses printed with the item beside its own, such as slides"),
        "categories": column(pl.List(pl.String), "arXiv category codes, primary first"),
        "comments": column(pl.String, "the authors' comments, as printed"),
        "journal_ref": column(pl.String, "journal reference, as printed"),
        "report_no": column(pl.String, "report number, as printed"),
        "formats": column(pl.List(pl.String), "formats that the listing links", each_one_of(FORMATS)),
        "keywords": column(pl.List(pl.String), "keywords, also badges and awards of an item, as printed"),
        "engagement": column(pl.Int64, "the count that the page prints with the item, such as upvotes", unit="count"),
        "dump": column(
            pl.String, "path below the raw root of the file that its newest sighting stands in", nullable=False
        ),
        "dump_sha256": column(
            pl.String, "SHA-256 of that file's bytes", matches("a SHA-256", r"^[0-9a-f]{64}$"), nullable=False
        ),
        "line_start": column(pl.UInt32, "first line of the first occurrence in the dump", unit="1-based line"),
        "line_end": column(pl.UInt32, "last line of the first occurrence in the dump", unit="1-based line"),
        "parser": column(
            pl.String, "parser and its version", matches("<source>@<version>", r"^[a-z0-9_]+@\d+$"), nullable=False
        ),
        "notes": column(
            pl.List(pl.String),
            "codes of what was inferred or is missing",
            each_one_of(NOTES),
            nullable=False,
            empty=True,
        ),
    },
    checks=(
        row_check("ends_at is after starts_at", pl.col("ends_at") > pl.col("starts_at")),
        row_check("line_end is not before line_start", pl.col("line_end") >= pl.col("line_start")),
        row_check("record_id begins with source", pl.col("record_id").str.starts_with(pl.col("source") + ":")),
        row_check("parser is of source", pl.col("parser").str.starts_with(pl.col("source") + "@")),
    ),
    unique=("record_id",),
)

SIGHTINGS: Final = Table(
    "sightings",
    "One row per occurrence of a record in a dump.",
    {
        "record_id": column(pl.String, "the record that was seen", nullable=False),
        "source": column(pl.String, "name of the parser's source", nullable=False),
        "dump": column(pl.String, "path below the raw root of the file that it stands in", nullable=False),
        "dump_sha256": column(pl.String, "SHA-256 of that file's bytes", nullable=False),
        "captured_at": column(
            pl.Datetime("us"), "when the dump was taken, as its sidecar or file name says", unit=_UTC
        ),
        "parser": column(pl.String, "parser and its version", nullable=False),
        "line_start": column(pl.UInt32, "first line of this occurrence", unit="1-based line"),
        "line_end": column(pl.UInt32, "last line of this occurrence", unit="1-based line"),
        "listed_on": column(pl.Date, "listing date that the dump prints for it"),
        "listing_section": column(pl.String, "section that lists it", one_of(LISTING_SECTIONS)),
        "rank": column(pl.UInt32, "place in the page", nullable=False, unit="1-based place"),
        "engagement": column(pl.Int64, "the count printed with it", unit="count"),
        "fields": column(pl.List(pl.String), "columns of the record that this sighting supplied"),
    },
)

QUARANTINE: Final = Table(
    "quarantine",
    "One row per thing that was in a dump and did not become a valid record, or value of one.",
    {
        "source": column(pl.String, "name of the parser's source", nullable=False),
        "dump": column(pl.String, "path below the raw root; null where the source as a whole failed"),
        "dump_sha256": column(pl.String, "SHA-256 of the dump's bytes; null where it could not be read"),
        "line_start": column(pl.UInt32, "first line", unit="1-based line"),
        "line_end": column(pl.UInt32, "last line", unit="1-based line"),
        "stage": column(pl.String, "where it was held back", one_of(STAGES), nullable=False),
        "reason": column(pl.String, "why, as a code that can be counted", one_of(REASONS), nullable=False),
        "detail": column(pl.String, "what was expected, in words", nullable=False),
        "text": column(pl.String, f"the text as it stands in the dump, its first {TEXT_LIMIT:,} characters"),
        "text_length": column(pl.UInt64, "length of the whole text", unit="characters"),
        "text_sha256": column(pl.String, "SHA-256 of the whole text in UTF-8"),
        "record_id": column(pl.String, "the record that was held back, or whose value was, where it had an id"),
    },
)

CAPTURES: Final = Table(
    "captures",
    "One row per dump that the published rows come from, or that could not be used.",
    {
        "source": column(pl.String, "name of the parser's source", nullable=False),
        "dump": column(pl.String, "path below the raw root", nullable=False),
        "page": column(
            pl.String,
            "what all captures of its page share: the address, its secrets masked, else the path",
            nullable=False,
        ),
        "dump_sha256": column(pl.String, "SHA-256 of the dump's bytes; null where it could not be read"),
        "captured_at": column(
            pl.Datetime("us"), "when the dump was taken, as its sidecar or file name says", unit=_UTC
        ),
        "facts": column(pl.String, "what its sidecar says of its page, as JSON", nullable=False),
        "specimen": column(pl.Boolean, "true for an invented example", nullable=False),
        "entry": column(pl.String, "name of its entry below `.cache`; null where nothing was kept of it"),
        "feeds": column(pl.Boolean, "true if published rows come from it", nullable=False),
        "error": column(pl.String, "why it could not be used; null for a good capture"),
        "warnings": column(pl.List(pl.String), "alarms of guards that did not reject it"),
        "sightings": column(pl.Int64, "occurrences of records in it", nullable=False, unit="count"),
        "classes": column(pl.List(COUNT), "its lines by class"),
        "boilerplate": column(pl.List(COUNT), "its lines of boilerplate by the pattern that claimed them"),
        "reasons": column(pl.List(COUNT), "what was held back of it by reason"),
        "log": column(pl.Boolean, "true if its page only adds, as a listing does", nullable=False),
        "format": column(pl.String, "the layout that it is in"),
        "records": column(pl.Int64, "records in it, those that were not used too", nullable=False, unit="count"),
        "titles": column(pl.Int64, "records with a title", nullable=False, unit="count"),
        "papers": column(pl.Int64, "records of the kind paper", nullable=False, unit="count"),
        "authors": column(pl.Int64, "papers with authors", nullable=False, unit="count"),
        "abstracts": column(pl.Int64, "papers with an abstract", nullable=False, unit="count"),
        "lines": column(pl.Int64, "lines with text", nullable=False, unit="count"),
        "unexplained": column(pl.Int64, "lines that no rule claimed", nullable=False, unit="count"),
        "rejected": column(pl.Int64, "lines of rejected items", nullable=False, unit="count"),
        "held": column(pl.Int64, "items that were rejected", nullable=False, unit="count"),
        "declared": column(pl.Int64, "entries of the total that is missed by most", nullable=False, unit="count"),
        "found": column(pl.Int64, "entries found of that total", nullable=False, unit="count"),
        "complete": column(pl.Boolean, "true if it declares totals, and all match", nullable=False),
        "says_empty": column(pl.Boolean, "true if it says that it has no entries", nullable=False),
        "listed_on": column(pl.String, "its newest listing date"),
        "ids": column(pl.String, "hash of the ids of its records"),
        "day_ids": column(pl.String, "a sample of hashes of the ids listed on that date"),
        "fingerprint": column(pl.String, "hash of its layout"),
        "challenge": column(pl.String, "what it shows instead of content"),
        "other": column(pl.String, "what it shows instead of what was asked for"),
        "other_year": column(pl.String, "what it prints that contradicts the year that was asked for"),
        "other_event": column(pl.String, "what it calls its event, if another one was asked for"),
        "language": column(pl.String, "the language that it says it is in"),
        "foreign": column(pl.Int64, "records with letters beyond ASCII", nullable=False, unit="count"),
        "garbled": column(pl.Int64, "records with text that was decoded wrongly", nullable=False, unit="count"),
        "cut": column(pl.String, "the end that it lacks"),
        "asked": column(pl.String, "the day whose list was asked for"),
        "doubted": column(pl.Boolean, "true if a person was told to look at it", nullable=False),
        "repeated_by": column(pl.String, "an earlier capture with the records of this day under a later one"),
    },
)

CHANGES: Final = Table(
    "changes",
    "One row per record that was added, changed, moved or removed since the snapshot before.",
    {
        "record_id": column(pl.String, "the record that differs from the snapshot before", nullable=False),
        "source": column(pl.String, "name of the parser's source", nullable=False),
        "change": column(pl.String, "what happened", one_of(CHANGE_KINDS), nullable=False),
        "columns": column(pl.List(pl.String), "the columns of a changed or moved record that differ"),
        "title": column(pl.String, "title of the record, the new one where it changed"),
        "values": column(pl.List(CHANGED_VALUE), "old and new value of each of these columns, as text; lists as JSON"),
    },
)

TABLES: Final = {table.name: table for table in (RECORDS, SIGHTINGS, QUARANTINE, CAPTURES)}


@cache
def polars_schema(table: Table) -> pl.Schema:
    """Return the column names and polars types of a table, in order; nobody changes what is returned."""
    return pl.Schema({name: declared.dtype for name, declared in table.columns.items()})
