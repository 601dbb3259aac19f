"""Programmes of a design of their own, by the tables of a file: one source for all venues that write pages by hand.

``table.toml`` beside the dump, or in a folder above it, says what the parts of a programme are on these pages (see
``parsers._tables.written``); the sidecar names the event. How records are made does not belong here
(``parsers._tables.printed`` for pages, ``made`` for data).
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from parsers._contract import Family, Format, LeftOut, PageKind, Source
from parsers._ledger.document import TABLES, Document
from parsers._ledger.markdown import is_markdown
from parsers._tables.made import read_data
from parsers._tables.path_tables import compile_things
from parsers._tables.printed import read_page
from parsers._tables.selectors import TableError
from parsers._tables.written import compile_tables
from parsers._web.layout import PARTS, keys_layout, markup_layout
from parsers._web.web import one_page
from parsers._words.titles import DECORATIONS, KINDS
from schemas.items import Item

_Compiled = TypeVar("_Compiled")


def recognise(document: Document) -> bool:
    """True if there is a table for the document, and it has elements; other text may come first."""
    return document.facts.tables is not None and "</" in document.text and document.form is None


def recognise_markdown(document: Document) -> bool:
    """True if there is a table for the document, and it has no elements and is no data, but Markdown."""
    if document.facts.tables is None or "</" in document.text or document.form is not None:
        return False
    return is_markdown(document.text)


def recognise_data(document: Document) -> bool:
    """True if there is a table for the document, and it is JSON, CSV or YAML."""
    return document.facts.tables is not None and document.form is not None


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a page. Raises ``DumpError`` (bad_table, bad_sidecar)."""
    written = _tables_of(document, compile_tables)
    _expect_event(document)
    yield from read_page(document, written, of_user=True)


def parse_data(document: Document) -> Iterator[Item]:
    """Yield the records of data. Raises ``DumpError`` (bad_table, bad_sidecar), ``FieldError``."""
    tables = _tables_of(document, compile_things)
    _expect_event(document)
    yield from read_data(document, tables, document.form or "json", of_user=True)


def _expect_event(document: Document) -> None:
    """Raise ``DumpError`` (bad_sidecar) if the sidecar names no event."""
    if document.facts.event is None:
        expected = "expected an event in the sidecar, or in sources.toml: this source reads the pages of all venues"
        raise document.error(1, "bad_sidecar", expected)


def lacks_tables(document: Document) -> bool:
    """True if a document is one of this source by its folder, and there is no table for it."""
    return document.facts.tables is None and document.path.startswith("pages/")


def refuse(document: Document) -> Iterator[Item]:
    """Raise ``DumpError`` (bad_table): nobody has said what the parts of the page are."""
    expected = (
        f"expected {TABLES} in the folder of the dump or above it, found none: docs/pages.md says how to write one"
    )
    raise document.error(1, "bad_table", expected)
    yield


def _tables_of(document: Document, compile_: Callable[[str, tuple[str, ...]], _Compiled]) -> _Compiled:
    """Return the tables. Raises ``DumpError`` (bad_table)."""
    try:
        return compile_(document.facts.tables or "", KINDS)
    except TableError as error:
        raise document.error(1, "bad_table", f"{TABLES}: {error}") from error


def _fingerprint(document: Document) -> str:
    """Return the fingerprint of the elements of a page, or of the keys of data."""
    if document.form is not None:
        return keys_layout(document.data_in(document.form).value)
    return markup_layout(document.page_or_markdown().root, PARTS)


HTML: Final = Format("html", f"HTML below a folder with {TABLES}", recognise, parse)
MARKDOWN: Final = Format("markdown", f"Markdown below a folder with {TABLES}", recognise_markdown, parse)
WITHOUT_TABLE: Final = Format("untold", "a page of raw/pages without a table", lacks_tables, refuse, refuses=True)
DATA: Final = Format("data", f"JSON, CSV or YAML below a folder with {TABLES}", recognise_data, parse_data, keyed=True)
SOURCE: Final = Source(
    "pages",
    "Programmes read by a table",
    9,
    Family.PROGRAMME,
    PageKind.STATE,
    (HTML, MARKDOWN, DATA, WITHOUT_TABLE),
    web=one_page(
        ".html",
        _fingerprint,
        example="""\
# pages: any programme in HTML, by its URL; raw/pages/<event>/table.toml says how it is read (docs/pages.md).
[[pages]]
url = "https://fjord26.example/program.html"
event = "FJORD 2026"
timezone = "Europe/Oslo"
year = 2026
""",
    ),
    leaves_out=LeftOut(DECORATIONS),
)
