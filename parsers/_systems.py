"""Systems as data: a source made of one file of tables, ``systems/<name>.toml``.

    title = "Jam Planner: its JSON"
    version = 1
    family = "programme"                   # or "listing"
    prints_ids = true
    example = "https://jam.example/all.json"

    [[layout]]
    name = "all"
    form = "json"                          # csv, yaml, html
    keys = ["sessions", "startsAt"]        # all stand in its first 20,000 characters; "UID|uid": one; html: texts
    [layout.files]                         # companions, if the layout has several files: then paths begin
    speakers = "*speakers.csv"             # with one of these names, or with "dump"
    [layout.talk]                          # tables as docs/pages.md has them
    at = "dump.sessions[]"

The registry reads the file. What the tables mean does not belong here (``_tables.things``, ``_tables.table``).
"""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urljoin

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.bundle import Patterns
from parsers._ledger.document import Document
from parsers._ledger.formats import names_key
from parsers._tables.made import files_of, lacking, read_data
from parsers._tables.path_tables import PathTables, tables_of
from parsers._tables.printed import read_page
from parsers._tables.selectors import TableError
from parsers._tables.written import Written, compile_entries
from parsers._web.layout import PARTS, keys_layout, markup_layout
from parsers._web.web import one_page
from parsers._words.titles import KINDS
from schemas.items import Item

_SUFFIXES: Final = {"json": ".json", "csv": ".csv", "yaml": ".yml", "html": ".html"}
_PAGE: Final = "html"
_OF_LAYOUT: Final = ("name", "form", "keys", "without")
_OF_SYSTEM: Final = ("title", "version", "family", "prints_ids", "example", "layout")


def make_source(name: str, written: str) -> Source:
    """Make the source of a file of tables. Raises ``TableError`` naming the file and what was expected."""
    try:
        entries = tomllib.loads(written)
        layouts = [_Layout(rows) for rows in entries["layout"]]
        family = Family(entries["family"])
        title, version, example = str(entries["title"]), int(entries["version"]), str(entries["example"])
    except (ValueError, KeyError, TypeError) as error:
        raise TableError(f"systems/{name}.toml: expected {', '.join(_OF_SYSTEM)}: {error!r}") from error
    except TableError as error:
        raise TableError(f"systems/{name}.toml: {error}") from error
    formats = [Format(each.name, each.expects, each.recognise, each.parse, keyed=True) for each in layouts]
    if bundles := [each for each in layouts if each.files]:
        formats.append(_incomplete(bundles))
    shown = _example(name, title, example, layouts[0].files)
    web = one_page(_SUFFIXES[layouts[0].form], partial(_fingerprint, tuple(layouts)), shown)
    return Source(
        name,
        title,
        version,
        family,
        PageKind.STATE,
        tuple(formats),
        web=web,
        prints_ids=bool(entries.get("prints_ids", False)),
    )


class _Layout:
    """A layout of a system: how it is recognised, and its tables."""

    def __init__(self, rows: Mapping[str, Any]) -> None:
        """Compile the tables. Raises ``TableError``, ``KeyError``."""
        self.name: str = rows["name"]
        self.form: str = rows["form"]
        self.keys: list[str] = rows["keys"]
        self.without: list[str] = rows.get("without", [])
        if self.form not in _SUFFIXES or not self.keys:
            raise TableError(f"[[layout]] {self.name}: expected one of {', '.join(_SUFFIXES)} as form, and keys")
        entries = {name: entry for name, entry in rows.items() if name not in _OF_LAYOUT}
        self.tables: PathTables | Written = (
            compile_entries(entries, KINDS) if self.form == _PAGE else tables_of(entries, KINDS)
        )

    @property
    def files(self) -> Patterns:
        """The patterns of its companions by name; a page has none."""
        return self.tables.files if isinstance(self.tables, PathTables) else {}

    @property
    def expects(self) -> str:
        """What it looks for."""
        beside = " and ".join(map(" or ".join, self.files.values()))
        what = "the texts" if self.form == _PAGE else "the keys"
        keys = ", ".join(self.keys).replace("|", " or ")
        return f"{self.form.upper()} with {what} {keys}" + (f", beside it {beside}" if beside else "")

    def recognise(self, document: Document) -> bool:
        """True if a document is of its form, begins with all of its keys, and has its companions."""
        return self.begins(document) and not lacking(document, self.files)

    def begins(self, document: Document) -> bool:
        """True if a document is of its form and begins with all of its keys."""
        if document.is_markup != (self.form == _PAGE) or document.form not in {None, self.form}:
            return False
        has = partial(names_key, self.form, document.text)
        return all(any(map(has, each.split("|"))) for each in self.keys) and not any(map(has, self.without))

    def parse(self, document: Document) -> Iterator[Item]:
        """Yield the records of a document. Raises ``DumpError``, ``FieldError``."""
        if isinstance(self.tables, PathTables):
            yield from read_data(document, self.tables, self.form)
        else:
            yield from read_page(document, self.tables)

    def fingerprint(self, document: Document) -> str:
        """Return the fingerprint of the elements of a page, or of the keys of all files."""
        if not isinstance(self.tables, PathTables):
            return markup_layout(document.page.root, PARTS)
        found = [keys_layout(each.data.value) for each in files_of(document, self.tables, self.form).values()]
        return found[0] if len(found) == 1 else sha256(" ".join(found).encode()).hexdigest()[:16]


def _incomplete(bundles: Sequence[_Layout]) -> Format:
    """Return the format of a dump without its companions, or with two for one: it is refused, never read in part."""

    def recognise(document: Document) -> bool:
        return any(each.begins(document) for each in bundles)

    def refuse(document: Document) -> Iterator[Item]:
        wrong = dict.fromkeys(lacking(document, each.files) for each in bundles if each.begins(document))
        raise document.error(1, "bad_bundle", f"expected {'; or '.join(wrong)}")
        yield

    return Format("incomplete", "a dump without its companions", recognise, refuse, refuses=True, keyed=True)


def _fingerprint(layouts: tuple[_Layout, ...], document: Document) -> str:
    """Return the fingerprint of a document; empty if no layout recognises it."""
    return next((each.fingerprint(document) for each in layouts if each.recognise(document)), "")


def _example(name: str, title: str, url: str, files: Patterns) -> str:
    """Return the part of ``sources.toml`` that shows the keys of a target, with an address for each companion."""
    beside = [urljoin(url, several[0].replace("*", "")) for several in files.values()]
    urls = f"urls = {json.dumps(beside)}\n" if beside else ""
    return f"""\
# {title}.
[[{name}]]
url = "{url}"
{urls}event = "FJORD 2026"
timezone = "Europe/Oslo"
year = 2026
"""
