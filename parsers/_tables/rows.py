"""The tables of a page, their rows and their cells: those of HTML, and other elements that a file says are such.

A page may set its grid in ``div`` elements, which a style sheet shows side by side::

    SHAPE = GridShape(Selector("div.grid"), Selector("div.line"), Selector("div.line > div"), Selector(".all"))
    tables = Tables(page.content, [SHAPE])
    tables.sections_of(div)                 # the cells of each row, as those of a table

Where the cells are, and what holds for them, does not belong here (``grids``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from parsers._tables.selectors import Selector

_CELLS: Final = frozenset(("td", "th"))
_SECTIONS: Final = frozenset(("thead", "tbody", "tfoot"))
_SPAN: Final = {
    name: re.compile(rf"(?:^|;)\s*+grid-{name}(?:-end)?\s*+:[^;:]{{0,40}}?\bspan\s++(\d{{1,4}})\b")
    for name in ("column", "row")
}
"""How many columns or rows the style of an element says that it covers."""
_WHOLE: Final = re.compile(r"(?:^|;)\s*+grid-column\s*+:\s*+1\s*+/\s*+-1\b")


@dataclass(frozen=True, slots=True)
class GridShape:
    """Grids in other elements than those of tables: which are grids, rows in them, and cells in these.

    A row may be a cell itself. ``wide`` cells cover the rest of their row.
    """

    at: Selector
    rows: Selector
    cells: Selector
    wide: Selector | None = None


class Tables:
    """The tables of a page by their cells."""

    def __init__(self, content: etree._Element | None = None, shapes: Iterable[GridShape] = ()) -> None:
        """Find the grids in other elements than those of tables; an element is of the first shape that has it."""
        self._rows: dict[etree._Element, list[list[etree._Element]]] = {}
        self._around: dict[etree._Element, tuple[etree._Element, etree._Element]] = {}
        self._wide: set[etree._Element] = set()
        if content is not None:
            for shape in shapes:
                self._find(content, shape)

    def _find(self, content: etree._Element, shape: GridShape) -> None:
        """Find the grids of a shape in page order: each row is of the nearest grid around it, a cell of its row."""
        grids, rows, cells = (set(each.find(content)) for each in (shape.at, shape.rows, shape.cells))
        self._wide.update(shape.wide.find(content) if shape.wide is not None else ())
        inside: dict[etree._Element | None, tuple[etree._Element | None, etree._Element | None]] = {}
        for element in content.iter(etree.Element):
            grid, row = inside.get(element.getparent(), (None, None))
            if element in grids and element not in self._rows:
                grid, row = element, None
                self._rows[element] = []
            elif grid is not None and row is None and element in rows:
                row = element
                self._rows[grid].append([])
            if grid is not None and row is not None and element in cells and element not in self._around:
                self._around[element] = grid, row
                self._rows[grid][-1].append(element)
                grid = row = None  # what is in a cell is in no other one of its grid
            inside[element] = grid, row

    def is_cell(self, element: etree._Element) -> bool:
        """True if an element is a cell."""
        return element.tag in _CELLS or element in self._around

    def is_table(self, element: etree._Element) -> bool:
        """True if an element is a table, of whatever elements."""
        return element.tag == "table" or element in self._rows

    def is_loose(self, table: etree._Element) -> bool:
        """True if only a style sheet knows where the cells of an incomplete row are shown."""
        return table in self._rows

    def cell_around(self, element: etree._Element | None) -> etree._Element | None:
        """Return the nearest cell around an element, or that element itself."""
        while element is not None and not self.is_cell(element):
            element = element.getparent()
        return element

    def table_of(self, cell: etree._Element) -> etree._Element | None:
        """Return the table of a cell; None if it is in none."""
        if cell in self._around:
            return self._around[cell][0]
        around = cell.getparent()
        for inner in (frozenset(("tr",)), _SECTIONS):
            if around is not None and around.tag in inner:
                around = around.getparent()
        return around if around is not None and around.tag == "table" else None

    def row_of(self, cell: etree._Element) -> etree._Element | None:
        """Return the row of a cell, which may be the cell itself; None if it is in none."""
        if cell in self._around:
            return self._around[cell][1]
        around = cell.getparent()
        return around if around is not None and around.tag == "tr" else None

    def sections_of(self, table: etree._Element) -> Iterator[list[list[etree._Element]]]:
        """Yield the rows of each section of a table, each with its cells; no cell reaches from one into the next."""
        if table in self._rows:
            yield self._rows[table]
            return
        loose: list[etree._Element] = []
        for child in table:
            if child.tag not in _SECTIONS:
                loose.append(child)
                continue
            if rows := list(_rows_among(loose)):
                yield rows
            loose = []
            yield list(_rows_among(child))
        if rows := list(_rows_among(loose)):
            yield rows

    def spans_of(self, cell: etree._Element, column: int, width: int, rest: int) -> tuple[int, int]:
        """Return how many columns and rows a cell covers that begins in a column.

        ``width`` are the columns of its table, ``rest`` the rows that its section has left.
        """
        if cell not in self._around:
            return _number(cell.get("colspan"), 1), _number(cell.get("rowspan"), rest)
        wide, high = (
            _number(cell.get(f"{part}span") or cell.get(f"aria-{part}span") or _in_style(cell, name), 1)
            for part, name in (("col", "column"), ("row", "row"))
        )
        if cell in self._wide or _WHOLE.search(cell.get("style") or "") is not None:
            wide = max(width - column, 1)
        return wide, high

    def width_of(self, table: etree._Element) -> int:
        """Return the columns that the longest row of a grid has for itself; those of a table come out when placed."""
        rows: Sequence[Sequence[etree._Element]] = self._rows.get(table, ())
        return max((sum(self.spans_of(cell, 0, 0, 1)[0] for cell in row) for row in rows), default=0)


def _rows_among(elements: Iterable[etree._Element]) -> Iterator[list[etree._Element]]:
    """Yield the cells of each row; cells between rows are one, too, as in browsers."""
    loose: list[etree._Element] = []
    for element in elements:
        if element.tag in _CELLS:
            loose.append(element)
        elif element.tag == "tr":
            if loose:
                yield loose
            loose = []
            yield [cell for cell in element if cell.tag in _CELLS]
    if loose:
        yield loose


def _in_style(cell: etree._Element, name: str) -> str | None:
    """Return how many rows or columns the style of a cell says that it covers."""
    found = _SPAN[name].search((cell.get("style") or "")[:1_000])
    return found[1] if found else None


def _number(written: str | None, rest: int) -> int:
    """Return how many rows or columns a cell covers; 0 is all the rest, a text is 1."""
    text = (written or "").strip()[:5]
    if not (text.isascii() and text.isdecimal()):
        return 1
    return int(text) or rest
