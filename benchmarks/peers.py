"""The main fields read by other libraries: BeautifulSoup, parsel, lxml by hand, feedparser, each into a Polars frame.

No ledger, no validation, no edge cases: a first draft that anybody would write. Run by ``benchmarks.compare`` as a
script, in an environment without this project::

    python benchmarks/peers.py LIBRARY FORMAT FILE ...   prints the CPU seconds of one pass over the files, best of some
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PASSES = 5
Row = dict[str, Any]


@dataclass(frozen=True)
class Selectors:
    """The CSS selectors of a page: for groups, items and their fields; a field whose name ends in * is a list.

    ``beside`` are selectors over the whole page, with one match per item.
    """

    group: str
    item: str
    of_group: dict[str, str] = field(default_factory=dict)
    of_item: dict[str, str] = field(default_factory=dict)
    beside: dict[str, str] = field(default_factory=dict)


SHAPES = {
    "programme days": Selectors(
        "div.session",
        "tr.talk",
        {"session": "span.title", "slot": "span.interval", "room": "span.room_name", "chairs*": "div.session_chair a"},
        {"title": "div.title", "authors*": "div.authors a", "abstract": "div.abstract", "time": "td.time"},
    ),
    "programme grid": Selectors(
        "div.timeslot",
        "div.slot-title",
        {
            "slot": "h3.session-time",
            "session": "div.session-title",
            "room": "div.room-name",
            "chairs*": "div.session-chair",
        },
        {"title": "div.slot-wrapper", "link*": "a"},
    ),
    "listing": Selectors(
        "dl",
        "dd",
        {},
        {
            "title": "div.list-title",
            "authors*": "div.list-authors a",
            "comments": "div.list-comments",
            "subjects": "div.list-subjects",
        },
        {"id": "dt"},
    ),
    "cards": Selectors("body", "article", {}, {"title": "h3", "link*": "a", "count": "div.leading-none"}),
}


def by_soup(text: str, shape: Selectors) -> Iterator[Row]:
    """Read a page with BeautifulSoup on lxml."""
    from bs4 import BeautifulSoup

    def read(node: Any, fields: dict[str, str]) -> Row:
        return {
            name: [each.get_text(" ", strip=True) for each in node.select(where)]
            if name.endswith("*")
            else (found.get_text(" ", strip=True) if (found := node.select_one(where)) else None)
            for name, where in fields.items()
        }

    soup = BeautifulSoup(text, "lxml")
    beside = {name: (each.get_text() for each in soup.select(where)) for name, where in shape.beside.items()}
    for group in soup.select(shape.group):
        shared = read(group, shape.of_group)
        for item in group.select(shape.item):
            yield shared | read(item, shape.of_item) | {name: next(values) for name, values in beside.items()}


def by_parsel(text: str, shape: Selectors) -> Iterator[Row]:
    """Read a page with parsel."""
    from parsel import Selector

    def words(node: Any) -> str:
        return " ".join("".join(node.css("*::text").getall()).split())

    def read(node: Any, fields: dict[str, str]) -> Row:
        return {
            name: [words(each) for each in node.css(where)]
            if name.endswith("*")
            else (words(found[0]) if (found := node.css(where)) else None)
            for name, where in fields.items()
        }

    page = Selector(text)
    beside = {name: map(words, page.css(where)) for name, where in shape.beside.items()}
    for group in page.css(shape.group):
        shared = read(group, shape.of_group)
        for item in group.css(shape.item):
            yield shared | read(item, shape.of_item) | {name: next(values) for name, values in beside.items()}


def by_lxml(text: str, shape: Selectors) -> Iterator[Row]:
    """Read a page with lxml and precompiled XPath expressions."""
    from lxml import etree, html

    def path(where: str) -> Any:
        steps = (step.partition(".") for step in where.split())
        tests = (f"{tag}[contains(@class, '{name}')]" if name else tag for tag, _, name in steps)
        return etree.XPath("." + "".join(f"//{test}" for test in tests))

    def words(node: Any) -> str:
        return " ".join("".join(node.itertext()).split())

    def read(node: Any, fields: dict[str, Any]) -> Row:
        return {
            name: [words(each) for each in find(node)]
            if name.endswith("*")
            else (words(found[0]) if (found := find(node)) else None)
            for name, find in fields.items()
        }

    of_group, of_item, beside = (
        {name: path(where) for name, where in fields.items()}
        for fields in (shape.of_group, shape.of_item, shape.beside)
    )
    page = html.fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8"))
    lists = {name: map(words, find(page)) for name, find in beside.items()}
    items = path(shape.item)
    for group in [page] if shape.group == "body" else path(shape.group)(page):
        shared = read(group, of_group)
        for item in items(group):
            yield shared | read(item, of_item) | {name: next(values) for name, values in lists.items()}


def by_feedparser(text: str, _: Selectors | None) -> Iterator[Row]:
    """Read a feed with feedparser."""
    import feedparser

    for entry in feedparser.parse(text).entries:
        yield {
            "id": entry.id,
            "title": " ".join(entry.title.split()),
            "authors*": [author.name for author in entry.authors],
            "abstract": entry.summary,
            "published": entry.published,
        }


LIBRARIES: dict[str, Callable[[str, Any], Iterator[Row]]] = {
    "BeautifulSoup": by_soup,
    "parsel": by_parsel,
    "lxml by hand": by_lxml,
    "feedparser": by_feedparser,
}


def main(library: str, layout: str, *files: str) -> None:
    """Print the CPU seconds of one pass, best of some, and the number of rows."""
    import polars as pl

    texts = [Path(file).read_text(encoding="utf-8", errors="replace") for file in files]
    read, shape = LIBRARIES[library], SHAPES.get(layout)
    seconds, rows = [], 0
    for _ in range(PASSES):
        start = time.process_time()
        frame = pl.concat([pl.DataFrame(list(read(text, shape))) for text in texts], how="diagonal_relaxed")
        seconds.append(time.process_time() - start)
        rows = frame.height
    sys.stdout.write(f"{min(seconds)} {rows}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
