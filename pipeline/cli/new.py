"""The command ``new``: starts a source from one of its pages.

The parser begins as a copy of the nearest of ``examples/``, with the shapes of the page above its tables
(``pipeline.drafting``); which of them are items and fields is for its author to say. Nothing is copied from the page
except samples in these comments.
"""

import argparse
import keyword
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Final

from parsers._ledger.document import TABLES, Document, DumpError
from parsers._web.web import as_name, stem_of, suffix_of
from pipeline.base.disk import temporary_folder
from pipeline.base.escape import in_one_line
from pipeline.base.secret import masked
from pipeline.base.settings import MAX_BYTES, FailedError, Settings, UsageError, expect_file
from pipeline.cli.add import fetch_page
from pipeline.cli.console import out
from pipeline.cli.options import is_address
from pipeline.config import load_config, resolve_config
from pipeline.drafting.shapes import data_shapes, grid_of, line_shapes, page_shapes
from pipeline.drafting.specimen import invent_data, invent_lines, invent_page
from pipeline.raw.archive import put
from pipeline.raw.dump import describe
from pipeline.raw.load import load
from pipeline.raw.sidecar import SIDECAR_SUFFIX
from pipeline.raw.unpack import UNPACKERS

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_WIDTH: Final = 118

_HEAD: Final = '''"""{title}: started by ``conspectus new`` as a copy of ``examples/parsers/{model}.py``.

Show here in a few lines what a page looks like.
"""
'''
_SHAPES: Final = """\
# What the page is made of: how often, what, the first one. Make tables of it in place of those of the example, change
# `recognise` and `parse` likewise, then delete this; `conspectus parse PAGE --source {name} --lines` tells.
"""
_TABLE: Final = """\
# What the page is made of: how often, what, the first one. Make rows of it, then delete this.
{shapes}
[page]
ignored = "nav, header, footer"

{days}

[talk]
at = ""
title = ""
people = ""
"""
_DAYS: Final = """\
[day]
at = ""                                         # such as "section.day", or "h2" with flat = true
day = ""

[session]
at = ""
title = ""
times = ""
"""
_GRID: Final = """\
[column]                                        # the first row of a table: days, or rooms, or tracks
at = "{at}"
{above} = ""

[row]                                           # its first column
at = "{at}"
times = ""

[session]                                       # a cell, unless it is a head
at = "{at} td"
title = ""
"""
_TABLE_OF_DATA: Final = """\
# What the data are made of: how often, which path, the first value. Make rows of it, then delete this.
{shapes}
[session]
at = ""                                         # such as "days[].sessions[]"
title = ""
times = ""

[talk]
at = ""                                         # such as "days[].sessions[].talks[]"; "[]" for the rows of a CSV
title = ""
people = ""
"""
_MARKDOWN: Final = (".md", ".markdown")
"""Suffixes of Markdown, which are those of documentation below ``raw/``."""
_DATA: Final = (".csv", ".tsv", ".yml", ".yaml", ".js", *_MARKDOWN)
"""Suffixes of what only tables in a file read."""
_SIDECAR: Final = """# Invented, in the form of a real page: no person, title or place in it is one of that page.
specimen = true
"""
_LAYOUTS: Final = '''"""Invented pages of {name}: not written yet.

Missing: for each layout a strategy that invents items, renders them as the pages do, and returns the expected
records. Until there is one, the tests of this source fail. ``tests/support/invented.py`` has people, titles and rooms.
"""

from hypothesis import strategies as st

from tests.support.layouts import Case

LAYOUTS: dict[str, st.SearchStrategy[Case]] = {{}}
'''


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a page with one suffix is drafted: its shapes, its specimen, and the example that is copied.

    That is the one whose dump ends in ``like``, of the family that was asked for if there is one. It recognises its
    pages by ``signed``; ``sign`` makes of a page what takes its place. ``changes`` are further words of it that become
    others; ``{name}`` and ``{title}`` are its own.
    """

    shapes: Callable[[Document], Sequence[str]]
    specimen: Callable[[Document], str]
    like: str
    signed: str
    sign: Callable[[str], str]
    changes: Mapping[str, str] = field(default_factory=dict)


def new(options: argparse.Namespace) -> int:
    """Write the first files of a source: parser, tests, specimen. Raises ``UsageError`` and ``FailedError``."""
    if is_address(options.page) and not options.table:
        raise UsageError("--from: expected a saved page, found an address, which works with --table")
    _check(options.name, Path(options.into), table=options.table)
    if not is_address(options.page):
        return _start(options, Path(options.page))
    config = load_config(resolve_config(os.environ, options.config), options.known)
    with temporary_folder("conspectus-new-") as folder:
        page = Path(folder) / f"{stem_of(options.page)}{suffix_of(options.page) or '.html'}"
        page.write_bytes(fetch_page(Settings(Path(), Path()), config, options.page).data)
        return _start(options, page)


def _start(options: argparse.Namespace, page: Path) -> int:
    """Write the first files of a source from a page, fetched or not."""
    name, root = options.name, Path(options.into)
    suffix = _suffix_of(page, _DATA if options.table else ())
    kind = _KINDS.get(suffix, _KINDS[".json"])
    expect_file(str(page))
    example = None if options.table else _example(root, kind.like, options.family)
    try:
        document = load(describe(f"new/{in_one_line(page.name)}", page), MAX_BYTES)
        if example is None:
            files = _table_files(options, suffix, document)
        else:
            draft = _draft(example.read_text(encoding="utf-8"), kind, options, document)
            files = {f"parsers/{name}.py": draft, **_files(options, suffix, kind.specimen(document))}
    except DumpError as error:
        raise FailedError(f"{page}:{error.line}: {error.reason}: {error.expected}") from error
    target = _target_of(options, page, ".html" if "</" in document.text else ".txt") if options.table else page
    taken = [root / path for path in files if (root / path).exists()]
    if taken := [*taken, *([target] if target != page and target.exists() else [])]:
        raise UsageError(f"{taken[0]}: already exists; choose another name or delete the file")
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        out(f"written: {root / path}")
    if options.table:
        table = root / f"raw/pages/{name}" / TABLES
        _keep(options, page, target)
        page = target
        out(f"edit: {table}: make rows of the shapes; docs/pages.md explains them")
        given = f"--source pages --table {quote(str(table.absolute()))}"
        out(f"next: conspectus parse {quote(str(page.absolute()))} {given} --lines")
        if is_address(options.page):
            shown = quote(options.page) if masked(options.page) == options.page else "URL"
            out(f"hint: once it is read, conspectus add {shown} --source pages --event {name}")
        return 0
    (root / "tests/sources" / name / "fixtures").mkdir(exist_ok=True)
    if suffix == ".txt":
        out(f"missing: the layouts in {root / 'tests/sources' / name / 'layouts.py'}")
    out(f"edit: {root / 'parsers' / name}.py: make tables of the shapes")
    out(f"next: conspectus parse {quote(str(page.absolute()))} --source {name} --lines")
    return 0


def _target_of(options: argparse.Namespace, page: Path, of_markdown: str) -> Path:
    """Return where a page is kept: beside its table, Markdown by another suffix, or where it is if that is below it."""
    folder = Path(options.into, "raw/pages", options.name)
    if page.absolute().is_relative_to(folder.absolute()):
        return page
    return folder.joinpath(f"{page.stem}{of_markdown}" if page.suffix in _MARKDOWN else page.name)


def _keep(options: argparse.Namespace, page: Path, target: Path) -> None:
    """Keep a page beside its table, with a sidecar; one that is there already gets only that, if it has none."""
    sidecar = target.with_name(target.name + SIDECAR_SUFFIX)
    if target == page and sidecar.exists():
        return
    facts: dict[str, object] = {"event": options.name}
    if is_address(options.page):
        facts |= {"url": options.page, "captured_at": datetime.now(UTC).replace(microsecond=0)}
    put(target, page.read_bytes(), facts)
    for written in (sidecar,) if target == page else (target, sidecar):
        out(f"written: {written}")


def _check(name: str, root: Path, *, table: bool) -> None:
    """Raise ``UsageError`` for a name that is taken or invalid for a module, or for a folder that is not a checkout.

    A table needs no module and no checkout: its name is that of a folder.
    """
    if table and as_name(name) != name:
        raise UsageError(f"NAME: expected letters, digits, dots and hyphens, as in names of folders, found {name!r}")
    if table:
        return
    if _NAME.fullmatch(name) is None or keyword.iskeyword(name):
        raise UsageError(f"NAME: expected a module name of lower-case letters, digits and _, found {name!r}")
    if not (root / "parsers").is_dir():
        raise UsageError(f"{root}: expected a checkout of conspectus, found no folder parsers/")
    if (taken := root / "parsers" / name).exists():
        raise UsageError(f"{taken}: already exists; choose another name")


def _suffix_of(page: Path, more: Sequence[str]) -> str:
    """Return the suffix of a page, ignoring that of its compression. Raises ``UsageError`` if no dump has it.

    ``more`` are further ones that may be drafted.
    """
    suffix = (page.with_suffix("") if page.suffix in UNPACKERS else page).suffix
    if suffix not in (*_KINDS, *more):
        raise UsageError(
            f"{page}: expected a file name ending in {', '.join(_KINDS)}, optionally followed by .gz or .zst"
            + ("; save the page itself as HTML, or name a text in Markdown .txt" if suffix == ".md" else "")
        )
    return suffix


def _example(root: Path, suffix: str, family: str) -> Path:
    """Return the parser of the example whose dump has a suffix, of the family where there is one.

    Raises ``UsageError`` if no example has the suffix.
    """
    dumps = sorted((root / "examples/raw").glob(f"*/*{suffix}"))
    parsers = [root / "examples/parsers" / f"{dump.parent.name}.py" for dump in dumps]
    if not parsers:
        raise UsageError(f"{root / 'examples'}: expected an example whose dump ends in {suffix}, found none")
    of_family = (parser for parser in parsers if f"Family.{family.upper()}" in parser.read_text(encoding="utf-8"))
    return next(of_family, parsers[0])


def _draft(example: str, kind: _Kind, options: argparse.Namespace, document: Document) -> str:
    """Return the example under another name, with the shapes of the page above its first table."""
    title, text = _title_of(options.name), example.partition('"""\n')[2]
    called = re.search(r'Source\(\s*(?:name=)?"(?P<name>\w+)",\s*(?:title=)?"(?P<title>[^"]+)"', text)
    own = called.groupdict() if called else {"name": "", "title": ""}
    changes = {
        kind.signed.format(**own): kind.sign(document.text),
        **{old.format(**own): new_ for old, new_ in kind.changes.items()},
        own["title"]: title,
        own["title"].replace("The ", "the "): title,
        own["name"]: options.name,
    }
    for old, new_ in changes.items():
        text = text.replace(old, new_)
    listing = options.family == "listing"
    text = re.sub(r"Family\.\w+", f"Family.{options.family.upper()}", text)
    text = re.sub(r"PageKind\.\w+", f"PageKind.{'LOG' if listing else 'STATE'}", text)
    rows = _comments(kind.shapes(document))
    tables = re.search(r"(?m)^[A-Z]\w* = ", text)
    start = tables.start() if tables else len(text)
    shapes = _SHAPES.format(name=options.name) + rows
    return _HEAD.format(title=title, model=own["name"]) + text[:start] + shapes + text[start:]


def _files(options: argparse.Namespace, suffix: str, specimen: str) -> Mapping[str, str]:
    """Return the texts of the other files by their paths below the checkout."""
    name = options.name
    stem = re.sub(r"[^\w.-]+", "-", Path(options.page).name.partition(suffix)[0]) or "page"
    path = f"raw/{name}/{stem}{suffix}"
    facts = (
        _SIDECAR
        if options.family == "listing"
        else f'{_SIDECAR}event = "{_title_of(name)} 2026"\nyear = 2026\n# timezone = "Europe/Oslo"\n'
    )
    layouts = {f"tests/sources/{name}/layouts.py": _LAYOUTS.format(name=name)} if suffix == ".txt" else {}
    return {
        f"tests/sources/{name}/__init__.py": f'"""Tests of {name}."""\n',
        **layouts,
        path: specimen,
        f"{path}{SIDECAR_SUFFIX}": facts,
    }


def _first_tag(text: str) -> str:
    """Return the beginning of the first element of a page."""
    found = re.search(r"<[A-Za-z_][\w:.-]*", text)
    return found[0] if found else "<"


def _page_title(text: str) -> str:
    """Return the title of a page up to a number, as a part of a Python string; its first tag if it has no title."""
    found = re.search(r"<title[^>]*>[^<\n\d]{0,80}", text, re.IGNORECASE)
    return found[0].rstrip().replace("\\", "\\\\").replace('"', '\\"') if found else _first_tag(text)


def _first_key(text: str) -> str:
    """Return a pattern for data that begin with the same key."""
    found = re.search(r'"[^"\'\\]{1,80}"', text)
    return rf"[\[{{\s]*{re.escape(found[0])}" if found else r"\["


def _table_files(options: argparse.Namespace, suffix: str, document: Document) -> Mapping[str, str]:
    """Return a file of tables with the shapes of the page as comments. Raises ``UsageError`` if no table reads it."""
    days = ""
    if document.form is not None:
        shapes, table = data_shapes(document.data_in(document.form).value, for_file=True), _TABLE_OF_DATA
    elif suffix in {".html", ".txt", *_MARKDOWN}:
        content = document.page_or_markdown().content
        shapes, table = page_shapes(content), _TABLE
        days = _GRID.format(at=grid[0], above=grid[1]) if (grid := grid_of(content)) is not None else _DAYS
    else:
        expected = "expected HTML, Markdown or data, which tables in a file can read"
        raise UsageError(f"{options.page}: {expected}, found {suffix}")
    return {f"raw/pages/{options.name}/{TABLES}": table.format(shapes=_comments(shapes), days=days.rstrip())}


def _comments(rows: Sequence[str]) -> str:
    """Return rows as comments, cut to the width of a line."""
    return "".join(f"{f'# {in_one_line(row)}'[:_WIDTH].rstrip()}\n" for row in rows)


def _title_of(name: str) -> str:
    """Return a provisional title for a source."""
    return name.replace("_", " ").capitalize()


_KINDS: Final = {
    ".html": _Kind(
        lambda document: page_shapes(document.page.content),
        lambda document: invent_page(document.page.root, xml=False),
        like=".html",
        signed="<title>{title}",
        sign=_page_title,
        changes={"HTML titled '{title}'": "HTML with the title of these pages"},
    ),
    ".xml": _Kind(
        lambda document: page_shapes(document.feed.content),
        lambda document: invent_page(document.feed.root, xml=True),
        like=".html",
        signed="<title>{title}",
        sign=_first_tag,
        changes={
            "HTML titled '{title}'": "XML with the root of these pages",
            "HTML": "XML",
            '"html"': '"xml"',
            '".html"': '".xml"',
            "document.page": "document.feed",
        },
    ),
    ".json": _Kind(
        lambda document: data_shapes(document.data.value),
        lambda document: invent_data(document.data.value),
        like=".json",
        signed=r'\s*\{{\s*"{name}"\s*:',
        sign=_first_key,
        changes={"an object that begins with the key '{name}'": "JSON that begins with the key of these data"},
    ),
    ".txt": _Kind(
        lambda document: line_shapes(document.text.split("\n")),
        lambda document: invent_lines(document.text.split("\n")),
        like=".txt",
        signed="Talk: ",
        sign=lambda _text: "Talk: ",
    ),
}
