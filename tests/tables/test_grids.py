"""Where the cells of a table are, and which heads hold for them."""

from collections.abc import Mapping

import pytest
from lxml import etree, html

from parsers._ledger.elements import text_of
from parsers._ledger.fields import FieldError
from parsers._tables.grids import Heads, PlacedCell, TableGrid, head_cells
from parsers._tables.rows import Tables
from tests.support.cost import LIMIT, growth


def table(*rows: str) -> etree._Element:
    """Return a table of rows whose cells are separated by bars, each with its text behind its attributes."""
    return html.fromstring(f"<table>{''.join(map(row, rows))}</table>")


def row(written: str) -> str:
    """Return a row: ``time|2x1 text`` has a cell ``time`` and one that covers two rows and one column."""
    cells = []
    for each in written.split("|"):
        spans, _, text = each.rpartition(" ")
        high, _, wide = spans.partition("x")
        attributes = f' rowspan="{high}" colspan="{wide}"' if wide else ""
        cells.append(f"<td{attributes}>{text}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def grid(found: etree._Element) -> Mapping[str, PlacedCell]:
    """Return the cells of a table by their texts, with its first row and column as heads."""
    above, before = (dict.fromkeys(head_cells(found, side), side) for side in ("columns", "rows"))
    cells = TableGrid(found, above, before).cells.values()
    return {text_of(cell.element): cell for cell in cells if cell.element.tag == "td"}


def texts(several: tuple[Heads, ...]) -> list[list[str]]:
    """Return the texts of heads."""
    return [[text_of(head) for head in heads] for heads in several]


def test_heads_of_a_cell() -> None:
    """A cell has the heads above and at the left of each column and row that it covers, and those behind it."""
    cells = grid(table("|Mon|Tue|Wed", "9|2x1 Hulls|Sails|Masts", "10|1x2 Ropes", "11|1x3 Lunch"))
    assert {text: (texts(cell.columns), texts(cell.rows)) for text, cell in cells.items() if text} == {
        "Hulls": ([["Mon"]], [["9"], ["10"]]),
        "Sails": ([["Tue"]], [["9"]]),
        "Masts": ([["Wed"]], [["9"]]),
        "Ropes": ([["Tue"], ["Wed"]], [["10"]]),
        "Lunch": ([["Mon"], ["Tue"], ["Wed"]], [["11"]]),
    }
    assert texts((cells["Hulls"].below, cells["Sails"].beside, cells["Lunch"].below)) == [["11"], ["Wed"], []]
    assert not any(cell.is_odd for cell in cells.values())


def test_the_nearest_head_of_each_kind() -> None:
    """Heads further down hold from there on; those of another kind go on."""
    found = table("|1x2 Monday", "|North|South", "9|Hulls|Sails", "|1x2 Tuesday", "9|Tar|Foam")
    kinds = {"Monday": "day", "Tuesday": "day", "North": "room", "South": "room"}
    above = {cell: kinds[text_of(cell)] for cell in found.iter("td") if text_of(cell) in kinds}
    cells = {text_of(cell.element): texts(cell.columns) for cell in TableGrid(found, above, {}).cells.values()}
    assert cells["Hulls"] == [["Monday", "North"]]
    assert cells["Foam"] == [["South", "Tuesday"]]


@pytest.mark.parametrize(
    ("rows", "odd"),
    [
        (("|Mon|Tue", "9|Hulls"), ["Hulls"]),
        (("|Mon|Tue", "9|Hulls|Sails|Tar"), ["Hulls", "Sails", "Tar"]),
        (("|Mon|Tue", "9|2x1 Hulls|Sails", "1x2 10|Tar"), ["Tar"]),
        (("|Mon|Tue", "9|Hulls|3x1 Sails", "10|Tar"), []),
        (("|Mon|Tue", "9", "10|Tar|"), []),
    ],
)
def test_cells_that_may_be_elsewhere(rows: tuple[str, ...], odd: list[str]) -> None:
    """A row that ends elsewhere than the heads and cells that overlap are odd; a span ends with its section."""
    assert [text for text, cell in grid(table(*rows)).items() if cell.is_odd] == odd


def test_spans_are_those_of_browsers() -> None:
    """A span of 0 rows is all the rest of a section, and what is no number is 1."""
    found = html.fromstring(
        "<table><thead><tr><th><th>Mon<th>Tue<tbody>"
        '<tr><td>9<td rowspan="0">Hulls<td colspan="x">Sails<tr><td>10<td>Tar<tbody><tr><td>11<td>Foam<td>Froth</table>'
    )
    cells = grid(found)
    assert (cells["Hulls"].row, cells["Hulls"].bottom, cells["Tar"].column, cells["Foam"].column) == (1, 3, 2, 1)


def test_cells_in_no_row() -> None:
    """Cells between rows are a row of their own, as in browsers."""
    found = html.fromstring("<table><tr><th>Time<th>Mon</tr><td>9</td><td>Hulls</td><tr><td>10<td>Tar</tr></table>")
    cells = grid(found)
    assert {text: texts(cell.rows) for text, cell in cells.items() if text != "Time"} == {
        "Hulls": [["9"]],
        "Tar": [["10"]],
    }
    assert Tables().table_of(cells["Hulls"].element) is found


def test_cells_that_own_those_below_them() -> None:
    """They do up to the next one of their level in a column, or a head; a cell below two owners has none."""
    found = table("|A|B", "9|Hulls|Sails", "10|Foam|Tar", "11|1x2 Lunch", "12|Ropes|Knots")
    owning = {cell: 3 for cell in found.iter("td") if text_of(cell) in {"Hulls", "Sails", "Ropes"}}
    cells = {text_of(cell.element): cell.owners for cell in TableGrid(found, {}, {}, owning).cells.values()}
    assert texts((cells["Foam"], cells["Tar"], cells["Lunch"], cells["Knots"], cells["Ropes"])) == [
        ["Hulls"],
        ["Sails"],
        [],
        ["Sails"],
        ["Hulls"],
    ]


def test_cells_and_tables_around_elements() -> None:
    """An element is in its nearest cell, and a cell in the table of its row."""
    found = html.fromstring("<div><table><tr><td><b>Foam</b></table><p>Tar</p></div>")
    tables = Tables()
    cell = tables.cell_around(found.find(".//b"))
    assert cell is not None
    assert (tables.table_of(cell), tables.cell_around(found.find(".//p"))) == (found.find("table"), None)


@pytest.mark.parametrize(
    "cell", ['<td rowspan="65534" colspan="1000">a</td>', '<td colspan="99999">a</td><td>b</td>', "<td>a</td>" * 1001]
)
def test_tables_that_are_no_print(cell: str) -> None:
    """A table of more columns or places than print has is refused."""
    with pytest.raises(FieldError, match="expected tables of at most 1000 columns and 1000000 places, found more"):
        TableGrid(html.fromstring(f"<table><tr>{cell}</tr>{'<tr></tr>' * 1001}</table>"), {}, {})


@pytest.mark.parametrize(("cell", "size"), [("<td>a</td>", 1_000), ('<td rowspan="5">a</td>', 300)])
def test_large_tables(cell: str, size: int) -> None:
    """Time grows with the number of rows."""

    def place(times: int) -> None:
        found = html.fromstring(f"<table>{f'<tr>{cell * 6}</tr>' * times}</table>")
        TableGrid(found, {}, dict.fromkeys(head_cells(found, "rows"), "row"))

    assert growth(place, size) < LIMIT
