"""Grids: tables whose head cells hold for what is below them or beside them, such as days above and times at the left.

A cell is where a browser shows it: behind those before it in its row, and behind those from rows above that reach down
to it (``rowspan``). A head of columns holds for the cells below it up to the next head of its kind, a head of rows for
those at its right up to the next one. Which elements are cells (``rows``), and what the heads say (``parsers.pages``),
does not belong here.

    GRID = TableGrid(table, {cell: "days", ..}, {cell: "times", ..})
    GRID.cells[td].rows                     # for each row that it covers, the heads that hold there, far ones first

Some cells own those below them, too, such as sessions whose talks stand in the rows after them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Final

from lxml import etree

from parsers._ledger.elements import text_of
from parsers._ledger.fields import FieldError
from parsers._tables.rows import Tables

Heads = tuple[etree._Element, ...]
"""The heads that hold in one row or column, the nearest one last."""

_WIDEST: Final = 1_000
"""Columns that a cell may cover, as HTML has it."""
_MOST_PLACES: Final = 1_000_000
_HTML: Final = Tables()
"""The tables of HTML, which need no description."""


@dataclass(slots=True)
class PlacedCell:
    """A cell of a table: its place from 0, the row and column behind it, and the heads that hold for it."""

    element: etree._Element
    row: int
    column: int
    bottom: int
    right: int
    rows: tuple[Heads, ...] = ()
    """The heads of each row that it covers."""
    columns: tuple[Heads, ...] = ()
    below: Heads = ()
    """The heads of the row behind it."""
    beside: Heads = ()
    """The heads of the column behind it."""
    shared: Heads = ()
    """The heads that hold for other rows or columns, too."""
    crossed: Heads = ()
    """The heads of several columns that it reaches across, while other cells part these columns."""
    owners: Heads = ()
    """The cells above all columns of it that own what is below them."""
    is_odd: bool = False
    """True if it may be at another place than meant: its row has more or fewer cells than the table, or two overlap."""


def head_cells(found: etree._Element, side: str, tables: Tables = _HTML) -> Iterator[etree._Element]:
    """Yield the heads of the ``columns`` or ``rows`` of a table, which are its first row or column without its corner.

    What is no table is a head itself. Raises ``FieldError`` as ``TableGrid`` does.
    """
    if not tables.is_table(found):
        yield found
        return
    for cell in _place_cells(found, tables):
        if (cell.row == 0, cell.column == 0) == (side == "columns", side == "rows"):
            yield cell.element


class TableGrid:
    """The cells of a table by their elements, without its heads, and its rows, which have the heads in them."""

    def __init__(
        self,
        table: etree._Element,
        above: Mapping[etree._Element, Hashable],
        before: Mapping[etree._Element, Hashable],
        owning: Mapping[etree._Element, int] = MappingProxyType({}),
        tables: Tables = _HTML,
    ) -> None:
        """Place the cells. ``above`` are heads of columns, ``before`` those of rows, each with its kind.

        ``owning`` are cells that own those below them, each with its level: up to the next one on it or further out.

        Raises ``FieldError`` if the table has more places than are possible in print.
        """
        self._above, self._before, self._owning, self._tables = above, before, owning, tables
        self._is_loose = tables.is_loose(table)
        placed = list(_place_cells(table, tables))
        self._by_row: list[list[PlacedCell]] = [[] for _ in range(max((cell.bottom for cell in placed), default=0))]
        for cell in placed:
            for row in range(cell.row, cell.bottom):
                self._by_row[row].append(cell)
        self._placed = {cell.element: cell for cell in placed}
        self.cells = {cell.element: cell for cell in placed if not self._is_head(cell)}
        heads = [cell.right for cell in placed if cell.element in above]
        self._width = max(heads or (cell.right for cell in placed), default=0)
        for number in range(len(self._by_row)):
            self._mark_odd(number)
        self._find_columns(placed)
        self._find_rows()

    def spans_rows(self) -> bool:
        """True if a cell covers several rows that have heads of their own: then rows show how long something is."""
        return any(len(set(cell.rows)) > 1 for cell in self.cells.values())

    def spans_columns(self) -> bool:
        """True if a cell covers several columns with heads of their own."""
        return any(len(set(cell.columns)) > 1 for cell in self.cells.values())

    def _is_head(self, cell: PlacedCell) -> bool:
        """True if a cell is a head."""
        return cell.element in self._above or cell.element in self._before

    def _mark_odd(self, row: int) -> None:
        """Mark the cells of a row that ends elsewhere than the heads of the columns do, or where two overlap."""
        cells = self._by_row[row]
        own = [cell for cell in cells if cell.row == row and cell.element in self.cells]
        if any(text_of(cell.element) for cell in own):
            taken = [column for cell in cells for column in range(cell.column, cell.right)]
            is_odd = not len(taken) == len(set(taken)) == self._width == max(taken) + 1
            for cell in own:
                cell.is_odd = is_odd

    def _find_columns(self, placed: Sequence[PlacedCell]) -> None:
        """Find the heads above each cell, and what owns it."""
        holding: dict[int, dict[Hashable, etree._Element]] = {}
        owners: dict[int, Heads] = {}
        for cell in placed:
            columns = range(cell.column, cell.right)
            if cell.element in self._above:
                kind = self._above[cell.element]
                for column in columns:
                    held = holding.setdefault(column, {})
                    held.pop(kind, None)  # the nearest one last
                    held[kind] = cell.element
                    owners.pop(column, None)
                continue
            is_lost = cell.is_odd and self._is_loose  # it may be in any column
            cell.columns = tuple(() if is_lost else tuple(holding.get(column, {}).values()) for column in columns)
            cell.shared = tuple(
                each for each in set(chain(*cell.columns)) if not self._is_within(each, cell, along=True)
            )
            cell.beside = tuple(holding.get(cell.right, {}).values())
            above = [owners.get(column, ()) for column in columns]
            cell.owners = tuple(each for each in above[0] if all(each in others for others in above))
            if (level := self._owning.get(cell.element)) is not None:
                for column in columns:
                    outer = (each for each in owners.get(column, ()) if self._owning[each] < level)
                    owners[column] = (*outer, cell.element)

    def find_crossed(self, filled: Collection[etree._Element | None]) -> None:
        """Find the cells that reach across the columns of a head which others below it part, as a lunch does.

        Of the cells only those that are ``filled`` count: that are items, or have some.
        """
        beside = {column for each in self._before for column in self._columns_of(each)}
        below: dict[etree._Element, list[PlacedCell]] = {}
        for cell in (each for each in self.cells.values() if each.element in filled):
            for head in set(chain(*cell.columns)):
                below.setdefault(head, []).append(cell)
        for head, cells in below.items():
            across = self._columns_of(head) - beside
            columns = [(cell, self._columns_of(cell.element)) for cell in cells]
            crossing = [cell for cell, own in columns if across <= own]
            parts = [own for _, own in columns if not across <= own]
            if parts and max(map(min, parts)) > min(map(max, parts)):  # two of them stand side by side
                for cell in crossing:
                    cell.crossed = (*cell.crossed, head)

    def _columns_of(self, element: etree._Element) -> set[int]:
        """Return the columns of a cell."""
        place = self._placed[element]
        return set(range(place.column, place.right))

    def _find_rows(self) -> None:
        """Find the heads at the left of each cell."""
        heads = [
            sorted((cell for cell in row if cell.element in self._before), key=lambda cell: cell.column)
            for row in self._by_row
        ]
        heads.append([])
        for cell in self.cells.values():
            *rows, cell.below = (self._left_of(cell, heads[row]) for row in range(cell.row, cell.bottom + 1))
            cell.rows = tuple(rows)
            shared = (each for each in set(chain(*rows)) if not self._is_within(each, cell, along=False))
            cell.shared = (*cell.shared, *shared)
        self.cells |= {row: self._row(row, number, heads) for number, row in self._rows() if heads[number]}

    def _rows(self) -> Iterator[tuple[int, etree._Element]]:
        """Yield the rows that have cells, with their numbers."""
        numbers = {cell.row: self._tables.row_of(cell.element) for row in self._by_row for cell in row}
        return ((number, row) for number, row in numbers.items() if row is not None and row not in self._placed)

    def _row(self, row: etree._Element, number: int, heads: Sequence[Sequence[PlacedCell]]) -> PlacedCell:
        """Return a row as what its heads hold for."""
        cell = PlacedCell(row, number, self._width, number + 1, self._width, columns=((),))
        cell.rows, cell.below = (self._left_of(cell, heads[number]),), self._left_of(cell, heads[number + 1])
        cell.shared = tuple(each for each in cell.rows[0] if not self._is_within(each, cell, along=False))
        return cell

    def _is_within(self, head: etree._Element, cell: PlacedCell, *, along: bool) -> bool:
        """True if a head covers no row, or ``along`` them no column, that a cell does not cover."""
        place = self._placed[head]
        if along:
            return cell.column <= place.column and place.right <= cell.right
        return cell.row <= place.row and place.bottom <= cell.bottom

    def _left_of(self, cell: PlacedCell, heads: Sequence[PlacedCell]) -> Heads:
        """Return the heads at the left of a cell, the nearest one of each kind."""
        held: dict[Hashable, etree._Element] = {}
        for head in heads:
            if head.column < cell.column:
                kind = self._before[head.element]
                held.pop(kind, None)
                held[kind] = head.element
        return tuple(held.values())


def _place_cells(table: etree._Element, tables: Tables) -> Iterator[PlacedCell]:
    """Yield the cells of a table in page order, each at its place. Raises ``FieldError``."""
    number = places = 0
    width = tables.width_of(table)
    for rows in tables.sections_of(table):
        ends: list[int] = []  # of each column, the first row that no cell from above reaches
        last = number + len(rows)
        for row in rows:
            column = 0
            places += len(ends)
            for element in row:
                while column < len(ends) and ends[column] > number:
                    column += 1
                wide, high = tables.spans_of(element, column, width, last - number)
                right, bottom = column + min(wide, _WIDEST), min(number + high, last)
                places += (right - column) * (bottom - number)
                if right > _WIDEST or places > _MOST_PLACES:
                    raise FieldError(
                        f"expected tables of at most {_WIDEST} columns and {_MOST_PLACES} places, found more"
                    )
                yield PlacedCell(element, number, column, bottom, right)
                ends += [0] * (right - len(ends))
                ends[column:right] = [max(end, bottom) for end in ends[column:right]]
                column = right
            number += 1
