"""Grids in other elements than those of tables: which are their rows and cells, and how far a cell reaches."""

import pytest
from lxml import html

from parsers._ledger.elements import text_of
from parsers._tables.grids import TableGrid, head_cells
from parsers._tables.rows import GridShape, Tables
from parsers._tables.selectors import Selector
from tests.support.cost import LIMIT, growth

SHAPE = GridShape(Selector("div.grid"), Selector(".row"), Selector(".row > p, .row.all"), Selector(".all"))

_NESTED = "<div class=grid><div class=row><p>a<div class='row all'>"


def placed(markup: str) -> dict[str, tuple[int, int, int, int]]:
    """Return the cells of the first grid by their texts: row, column, and those behind the cell."""
    content = html.fromstring(f"<body>{markup}</body>")
    tables = Tables(content, [SHAPE])
    grid = next(each for each in content.iter("div") if tables.is_table(each))
    heads = dict.fromkeys(head_cells(grid, "columns", tables), "day")
    cells = TableGrid(grid, heads, {}, tables=tables).cells.values()
    return {text_of(each.element): (each.row, each.column, each.bottom, each.right) for each in cells}


@pytest.mark.parametrize(
    ("cell", "place"),
    [
        ("<p>a", (1, 1, 2, 2)),
        ("<p colspan=2>a", (1, 1, 2, 3)),
        ("<p aria-colspan=2 aria-rowspan=2>a", (1, 1, 3, 3)),
        ("<p style='color: red; grid-column: span 2'>a", (1, 1, 2, 3)),
        ("<p style='grid-row: 2 / span 2'>a", (1, 1, 3, 2)),
        ("<p style='grid-row-end:span 2;grid-column-end:span 2'>a", (1, 1, 3, 3)),
        ("<p style='grid-column: 1 / -1'>a", (1, 1, 2, 4)),
        ("<p class=all>a", (1, 1, 2, 4)),
        ("<p style='grid-column: main'>a", (1, 1, 2, 2)),
        ("<p style='background: url(span 3)'>a", (1, 1, 2, 2)),
    ],
)
def test_how_far_a_cell_reaches(cell: str, place: tuple[int, int, int, int]) -> None:
    """Its attributes and its style say it, and wide ones cover the rest of their row."""
    rows = f"<div class=row><p><p>x<p>y<p>z</div><div class=row><p>9{cell}</div><div class=row></div>"
    assert placed(f"<div class=grid>{rows}</div>")["a"] == place


def test_a_row_that_is_a_cell() -> None:
    """What stands across all columns need not be in a row of its own."""
    cells = placed("<div class=grid><div class=row><p>x<p>y</div><div class='row all'>Lunch</div></div>")
    assert cells == {"x": (0, 0, 1, 1), "Lunch": (1, 0, 2, 2)}


def test_grids_in_cells() -> None:
    """Rows and cells are those of the nearest grid; what is in a cell is no other cell of its grid."""
    inner = "<div class=grid><div class=row><p>b</div></div><div class=row><p>c</div>"
    outer = html.fromstring(f"<div class=grid><div class=row><p>a</p></div><div class='row all'>{inner}</div></div>")
    tables = Tables(outer, [SHAPE])
    inside = outer.find(".//div[@class='grid']")
    assert inside is not None
    found = {text_of(each): tables.table_of(each) for each in outer.iter() if tables.is_cell(each)}
    assert found == {"a": outer, "b": inside, "b c": outer}
    assert [tables.row_of(each) is each for each in outer.iter() if tables.is_cell(each)] == [False, True, False]


def test_rows_outside_of_a_grid() -> None:
    """They are none, so their elements are no cells."""
    content = html.fromstring("<div><div class=row><p>a</p></div><div class=grid><p>b</p></div></div>")
    tables = Tables(content, [SHAPE])
    assert not any(tables.is_cell(each) for each in content.iter())
    assert tables.table_of(content) is None


@pytest.mark.parametrize(
    ("markup", "size"),
    [
        ("<div class=row><p>a<p class=all>b<p style='grid-row: span 9'>c</div>", 300),
        (f"{_NESTED * 20}{'</div>' * 60}", 20),
        ("<div class=grid><div class=row><p>a</div></div>", 300),
    ],
)
def test_large_grids(markup: str, size: int) -> None:
    """Time grows with the page, also where grids stand in cells of others."""

    def place(times: int) -> None:
        content = html.fromstring(f"<body><div class=grid>{markup * times}</body>")
        tables = Tables(content, [SHAPE])
        for grid in filter(tables.is_table, content.iter("div")):
            TableGrid(grid, dict.fromkeys(head_cells(grid, "columns", tables), "day"), {}, tables=tables)

    assert growth(place, size) < LIMIT
