"""The command that begins a source, ``new``: from one of its pages to a parser that already shows records.

What a page holds and where its items probably stand is found by ``parsers._outline``; here it becomes files. Nothing of
the page itself is copied but samples in the comments of the parser.
"""

import argparse
import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from parsers._contract import Document, DumpError
from parsers._outline import PARAGRAPH, Guess, Outline, outline_data, outline_lines, outline_page
from parsers._stub import stub_data, stub_lines, stub_page
from pipeline.cli.console import out
from pipeline.escape import in_one_line
from pipeline.settings import MAX_BYTES, FailedError, UsageError, expect_file
from pipeline.sidecar import SIDECAR_SUFFIX
from pipeline.snapshot import describe, load
from pipeline.unpack import UNPACKERS

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_WIDTH: Final = 118
_READ: Final = 2_000_000
"""Characters of a document in which the parsers that are written look for signs."""

_HEAD: Final = '''"""{title}: written by ``conspectus new``, to be finished.

Say here in a few lines what a page looks like:

{shape}
"""

'''

_PAGE: Final = '''from collections.abc import Iterator

from parsers._contract import Document, Family, Format, Page, Source
from parsers._table import Elements, one, read_elements
from schemas.items import Item, Record, Reject

# Further fields: maybe("room", ".room"), many("tags", ".tag"), with a reader of parsers/_readers.py if it is no text.
# What items hold, how often in all of them, the first of it:
{parts}
ITEM = Elements({items}, one("title"{where}))
{signs}

def recognise(document: Document) -> bool:
    """True if the text holds what the pages hold: looks at the content alone and claims nothing."""
    text = document.text[:2_000_000]
    return text.lstrip()[:1] == "<" and all(sign in text for sign in SIGNS)


def parse(document: Document) -> Iterator[Item]:
    """Yield a record an item; what the table does not read is left unexplained."""
    for found in read_elements(document.{ledger}, ITEM):
        if isinstance(found, Reject):
            yield found
        else:
            start, end = found.lines
            yield Record(line_start=start, line_end=end, title=found["title"])
'''

_SPACED: Final = '''from collections.abc import Iterator

from parsers._contract import Document, Family, Format, Page, Source
from parsers._elements import last_line_of, line_of, text_of
from parsers._lines import record_rule
from schemas.items import Item, Record, Reject

# What items hold, how often in all of them, the first of it:
{parts}
ITEM = record_rule("item")
{signs}

def recognise(document: Document) -> bool:
    """True if the text holds what the feeds hold: looks at the content alone and claims nothing."""
    text = document.text[:2_000_000]
    return text.lstrip()[:1] == "<" and all(sign in text for sign in SIGNS)


def parse(document: Document) -> Iterator[Item]:
    """Yield a record an item; what is not claimed is left unexplained. Names of elements are in a name space here."""
    feed = document.feed_of({items})
    for item in feed.content.iter({items_in}):
        title = {where}
        if title is None or not text_of(title):
            feed.claim(item, ITEM)
            yield Reject(line_of(item), last_line_of(item), text_of(item), "incomplete_item", "expected a title")
            continue
        feed.claim(title, ITEM)
        yield Record(line_start=line_of(item), line_end=last_line_of(item), title=text_of(title))
'''

_DATA: Final = '''from collections.abc import Iterator

from parsers._contract import Document, Family, Format, Page, Source
from parsers._fields import FieldError
from parsers._table import Keys, items_at, one
from schemas.items import Item, Record

# Further fields: maybe("day", "slot.date", iso_day), each("people", "persons", one("name")), ignored="id guid".
# What items hold, in how many of them, the first of it:
{parts}
ITEMS = {items}
ITEM = Keys(one("title"{where}))
{signs}

def recognise(document: Document) -> bool:
    """True if the text holds the keys of such data: looks at the content alone and claims nothing."""
    text = document.text[:2_000_000]
    return text.lstrip()[:1] in {{"{{", "["}} and all(sign in text for sign in SIGNS)


def parse(document: Document) -> Iterator[Item]:
    """Yield a record an item; keys that nobody asks for are left unexplained."""
    data = document.data_of({keys})
    try:
        items = list(items_at(data, ITEMS))
    except FieldError as error:
        raise document.error(1, "not_this_source", str(error)) from error
    for place, value in items:
        try:
            fields = ITEM.read(data.open_item(value, place))
        except FieldError as error:
            yield data.reject(place, value, error)
        else:
            yield Record(line_start=place, line_end=place, title=fields["title"])
'''

_LINES: Final = '''import re
from collections.abc import Iterator

from parsers._contract import Document, Family, Format, Page, Source
from parsers._lines import Boilerplate, record_rule
from schemas.items import Item, Record

TITLE = re.compile(r"{pattern}")
BOILERPLATE = Boilerplate({{"rule": r"[-=_*]{{3,}}"}})  # name here each line that carries no data
ITEM = record_rule("item")


def recognise(document: Document) -> bool:
    """True if any line is a title. Too weak: name a line that only these texts hold."""
    return any(TITLE.fullmatch(text) for _, text in document.lines.texts())


def parse(document: Document) -> Iterator[Item]:
    """Yield a record a title; other lines are left unexplained."""
    lines = document.lines
    for number, text in lines.texts():
        found = TITLE.fullmatch(text)
        if {condition}:
            lines.claim_boilerplate(number, BOILERPLATE)
            continue
        lines.claim(number, ITEM)
        yield Record(line_start=number, line_end=number, title=found["title"])
'''

_SOURCE: Final = """

SOURCE = Source(
    name="{name}",
    title="{title}",
    version=1,
    family=Family.{family},
    page=Page.{page},
    formats=(Format("{kind}", "{expects}", recognise, parse),),
)

{outline}
"""

_LAYOUTS: Final = '''"""Invented pages of {name}: not written yet.

Missing: a strategy for each layout that invents items, renders them as the pages do, and gives the records that must
come out. Until there is one, the tests of this source are red. ``tests/invented.py`` has people, titles and rooms.
"""

from hypothesis import strategies as st

from tests.layouts import Case

LAYOUTS: dict[str, st.SearchStrategy[Case]] = {{}}
'''

_SIDECAR: Final = """# Invented, with the structure of a real page: no person, title or place in it is one of that page.
specimen = true
"""


@dataclass(frozen=True, slots=True)
class _Kind:
    """How pages of one suffix are looked at: outline, stub, the parser for a guess, and what is expected of a page."""

    outline: Callable[[Document], Outline]
    stub: Callable[[Document, Guess], str]
    parser: Callable[[Document, Guess], str]
    expected: str


def new(options: argparse.Namespace) -> int:
    """Write the beginning of a source: parser, tests, specimen. Raises ``UsageError`` and ``FailedError``."""
    name, root, page = options.name, Path(options.into), Path(options.page)
    suffix = _suffix_of(page)
    _check(name, root)
    expect_file(options.page)
    try:
        document = load(describe(PurePosixPath("new", in_one_line(page.name)), page), MAX_BYTES)
        kind = _KINDS[suffix]
        outline = kind.outline(document)
    except DumpError as error:
        raise FailedError(f"{page}:{error.line}: {error.reason}: {error.expected}") from error
    guess = outline.guess
    if guess is None:
        raise FailedError(f"{page}: expected {kind.expected}, found none: nothing is written")
    signs = tuple(sign for sign in guess.signs if sign in document.text[:_READ])  # a class can be written otherwise
    outline = replace(outline, guess=replace(guess, signs=signs or guess.signs[:1]))
    files = _files(options, outline, kind, document)
    if there := [path for path in files if (root / path).exists()]:
        raise UsageError(f"{root / there[0]} is there already: expected a name that no source has, or that file gone")
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        out(f"written: {root / path}")
    (root / "tests/sources" / name / "fixtures").mkdir(exist_ok=True)
    out(f"guessed: {guess.count} items; what is missing is said in tests/sources/{name}/layouts.py")
    out(f"next: conspectus parse {page} --source {name} --lines")
    return 0


def _check(name: str, root: Path) -> None:
    """Refuse a name that no module can have, and a folder that is no checkout. Raises ``UsageError``."""
    if _NAME.fullmatch(name) is None or keyword.iskeyword(name):
        raise UsageError(f"NAME: expected a name for a module, of small letters, digits and _, found {name!r}")
    if not (root / "parsers").is_dir():
        raise UsageError(f"{root}: expected a checkout of conspectus with the folder parsers/, found none there")
    if (taken := root / "parsers" / name).exists():
        raise UsageError(f"{taken} is there already: expected a name that no source has")


def _suffix_of(page: Path) -> str:
    """Return the suffix of a page, that of what is packed. Raises ``UsageError`` for one that no dump has."""
    suffix = (page.with_suffix("") if page.suffix in UNPACKERS else page).suffix
    if suffix not in _KINDS:
        raise UsageError(f"{page}: expected a name that ends in {', '.join(_KINDS)}, optionally packed")
    return suffix


def _files(options: argparse.Namespace, outline: Outline, kind: _Kind, document: Document) -> Mapping[str, str]:
    """Return the texts of the files, by their paths below the checkout."""
    guess, name, suffix = outline.guess, options.name, _suffix_of(Path(options.page))
    assert guess is not None  # noqa: S101  # for the types: the caller has looked
    listing = options.family == "listing"
    source = _SOURCE.format(
        name=name,
        title=_title_of(name),
        family=options.family.upper(),
        page="LOG" if listing else "STATE",
        kind=suffix[1:],
        expects=f"{kind.expected}",
        outline="\n".join(_comment(["What a page holds, as found in one. Take this out in the end.", *outline.rows])),
    )
    shape = f"items: {guess.items or 'lines'}\ntitle: {guess.title or 'the text of the item'}"
    head = _HEAD.format(title=_title_of(name), shape="items: lines as TITLE" if suffix == ".txt" else shape)
    stem = re.sub(r"[^\w.-]+", "-", Path(options.page).name.partition(suffix)[0]) or "page"
    specimen = f"raw/{name}/{stem}{suffix}"
    facts = _SIDECAR if listing else f'{_SIDECAR}event = "INVENTED 2026"\nyear = 2026\n'
    return {
        f"parsers/{name}.py": head + kind.parser(document, guess) + source,
        f"tests/sources/{name}/__init__.py": f'"""Tests of {name}."""\n',
        f"tests/sources/{name}/layouts.py": _LAYOUTS.format(name=name),
        specimen: kind.stub(document, guess),
        f"{specimen}{SIDECAR_SUFFIX}": facts,
    }


def _title_of(name: str) -> str:
    """Return a title for a source until somebody writes one."""
    return name.replace("_", " ").capitalize()


def _comment(rows: list[str]) -> Iterator[str]:
    """Yield rows as comments that fit."""
    for row in rows:
        yield f"# {in_one_line(row)}"[:_WIDTH].rstrip()


def _parts(guess: Guess) -> str:
    """Return what items hold, as comments."""
    return "\n".join(_comment([f"{part.count:>6}  {part.where}  {part.sample}" for part in guess.parts] or ["     -"]))


def _quoted(text: str) -> str:
    """Return a text as Python writes it, in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _signs(guess: Guess) -> str:
    """Return the constant of what pages are known by."""
    signs = ", ".join(_quoted(sign) if '"' not in sign else f"'{sign}'" for sign in guess.signs)
    comma = "," if len(guess.signs) == 1 else ""
    return f'SIGNS = ({signs}{comma})\n"""Too weak? Name what these pages alone hold."""\n'


def _filled(template: str, guess: Guess, **more: Any) -> str:  # noqa: ANN401  # what templates take
    """Fill a template with a guess."""
    where = f", {_quoted(guess.title)}" if guess.title else ""
    values = {"items": _quoted(guess.items), "where": where, "parts": _parts(guess), "signs": _signs(guess)}
    return template.format(**{**values, **more})


def _page_parser(_document: Document, guess: Guess) -> str:
    """Return the parser of a page of HTML."""
    return _filled(_PAGE, guess, ledger="page")


def _feed_parser(document: Document, guess: Guess) -> str:
    """Return the parser of XML; elements in a name space are not found by selectors."""
    if any("}" in str(element.tag) for element in document.feed.content.iter()):
        title = guess.title.rpartition(" > ")[2]
        items = _quoted(f"{{*}}{guess.items}")
        return _filled(_SPACED, guess, items_in=items, where=f'item.find(".//{{*}}{title}")' if title else "item")
    return _filled(_PAGE, guess, ledger=f"feed_of({_quoted(guess.items)})")


def _data_parser(_document: Document, guess: Guess) -> str:
    """Return the parser of data."""
    keys = ", ".join(_quoted(key) for key in re.findall(r"([^.\[\]*]+)\[\]", guess.items))
    where = "" if guess.title == "title" else f", {_quoted(guess.title)}"
    return _filled(_DATA, guess, keys=keys, where=where)


def _line_parser(_document: Document, guess: Guess) -> str:
    """Return the parser of a text."""
    blank = guess.items == PARAGRAPH
    return _LINES.format(
        pattern=guess.title.replace('"', '\\"'),
        condition="found is None or (number > 1 and lines[number - 1].strip())" if blank else "found is None",
    )


_KINDS: Final = {
    ".txt": _Kind(
        lambda document: outline_lines(document.text.split("\n")),
        lambda document, guess: stub_lines(document.text.split("\n"), guess),
        _line_parser,
        "lines that repeat and can be titles",
    ),
    ".html": _Kind(
        lambda document: outline_page(document.page.content),
        lambda document, guess: stub_page(document.page.content, guess, xml=False),
        _page_parser,
        "elements that repeat with a title in each",
    ),
    ".json": _Kind(
        lambda document: outline_data(document.data.value),
        lambda document, guess: stub_data(document.data.value, guess),
        _data_parser,
        "objects that repeat with a title or name in each",
    ),
    ".xml": _Kind(
        lambda document: outline_page(document.feed.content),
        lambda document, guess: stub_page(document.feed.content, guess, xml=True),
        _feed_parser,
        "elements that repeat with a title in each",
    ),
}
