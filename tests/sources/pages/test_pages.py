"""What the common tests do not cover: rows that find nothing, hostile tables, and words that need not be published."""

import json
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from parsers._ledger.document import Document, DumpError, Facts
from parsers.pages import SOURCE
from pipeline.__main__ import main
from pipeline.reading.parse import Parsed
from schemas.items import Person, Record, Slot
from tests.support.cost import LIMIT, growth
from tests.support.helpers import parse_document

FERRY = Path(__file__).parents[3] / "raw/pages/ferry"
TALK = '[talk]\nat = "li"\ntitle = "b"\n'


def read(table: str, markup: str) -> tuple[Parsed, Document]:
    """Parse a page by a table."""
    facts = Facts(event="Ferry 2026", tables=table)
    document = Document.from_bytes("pages/a.html", f"<html><body>{markup}</body></html>".encode(), facts)
    return parse_document(SOURCE, document), document


def test_rows_that_find_nothing() -> None:
    """They may be mistakes, so a remark names each; nothing is held back."""
    table = f'{TALK}room = ".room"\nhead = {{ at = "i", lines = ["by {{people}}"] }}\n[day]\nat = "h2"\nday = ""\n'
    parsed, document = read(table, "<li><b>Foam</b></li>")
    assert (len(parsed.records), parsed.rejects) == (1, ())
    assert document.remarks == [
        "table.toml: [talk] people finds nothing that can be read",
        "table.toml: [talk] room finds nothing that can be read",
        "table.toml: [day] at = 'h2' finds nothing that can be read",
    ]


@pytest.mark.parametrize(
    ("rows", "markup"),
    [
        ('people = "i"', "<i>Ada Quill, TBA, Bo Ferns</i>"),
        ('people = "i"', "<i>Ada Quill</i> <i>Bo Ferns, Cy Moss, Plato</i>"),
        ('people = { at = "i", as = "name_place" }', "<i>Ada Quill, Mole Lab; Bo Ferns; Room 7</i>"),
        ('head = { at = "i", lines = ["by {people}"] }', "<i>by Ada Quill, TBA, Bo Ferns</i>"),
    ],
)
def test_one_odd_name_in_a_list(rows: str, markup: str) -> None:
    """The others are kept, and the whole list is told."""
    parsed, _ = read(f"{TALK}{rows}\n", f"<li><b>Foam</b> {markup}</li>")
    (record,) = parsed.records
    assert [each.name for each in record.authors or ()][:2] == ["Ada Quill", "Bo Ferns"]
    assert record.notes == ("field_unread",)
    assert [each.reason for each in parsed.rejects] == ["unexplained_line"]


def test_they_are_told_by_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The command prints the remarks and the counts of ignored texts on standard error."""
    table = tmp_path / "other.toml"
    table.write_text((FERRY / "table.toml").read_text(encoding="utf-8") + 'type = ".kind"\n', encoding="utf-8")
    assert main(["parse", str(FERRY / "ferry-2026.html"), "--table", str(table), "--lines"]) == 0
    said = capsys.readouterr().err
    assert "table.toml: [talk] type finds nothing that can be read\n" in said
    assert "ignored nav 2, " in said


def test_a_wrong_table_is_all_that_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Nothing is said of the lines of a page that nobody has looked at, nor of other formats."""
    table = tmp_path / "other.toml"
    table.write_text(f"{TALK}jam = 'i'\n", encoding="utf-8")
    page = FERRY / "ferry-2026.html"
    assert main(["parse", str(page), "--table", str(table), "--lines"]) == 1
    told = capsys.readouterr()
    (said,) = told.err.splitlines()
    assert (told.out, said.partition(": expected")[0]) == ("", f"failed: {page}:1: bad_table: table.toml: [talk]")


def test_labels_and_what_is_not_needed() -> None:
    """Fixed words and ``{}`` of a pattern are dropped without a report."""
    table = '[talk]\nat = "li"\nhead = { lines = ["Presentation: {title} sponsored by {}"] }\n'
    parsed, _ = read(table, "<li>Presentation: Foam sponsored by Marmalade</li>")
    assert ([record.title for record in parsed.records], parsed.rejects) == (["Foam"], ())


@pytest.mark.parametrize(
    ("table", "markup", "size"),
    [
        (TALK.replace('"li"', '"*"').replace('"b"', '""'), "<p>a</p>", 300),
        (
            TALK + "".join(f'[[item]]\nat = "p{place}"\ntitle = ""\n' for place in range(1_000)),
            "<li><b>a</b></li>",
            100,
        ),
        ('[talk]\nat = "li"\nhead = { lines = ["{title} - {room} - {track}"] }\n', "a - ", 25_000),
        (
            '[column]\nat = "table"\nroom = ""\n[row]\nat = "table"\ntimes = ""\n[talk]\nat = "td"\ntitle = ""\n',
            "<table><tr><td>Time<td>Hall</tr><tr><td rowspan=2>9:00<td>Foam<tr><td>Tar</table>",
            100,
        ),
        ('[talk]\nat = "li"\nhead = { lines = ["{title}", "{people}"] }\n', "a, b and ", 11_000),
    ],
)
def test_hostile_tables_and_lines(table: str, markup: str, size: int) -> None:
    """A hostile table or page gives an error or takes linear time."""

    def read_many(times: int) -> None:
        with suppress(DumpError):
            read(table, f"<li>{markup * times}</li>")

    assert growth(read_many, size) < LIMIT


@pytest.mark.parametrize(
    ("rows", "markup"),
    [
        ('times = "i"', "<i>1:30 - 3:00 PM</i>"),
        ('starts = "i"\nends = "u"', "<i>1:30</i> to <u>3:00 PM</u>"),
        ('head = { at = "i", lines = ["{starts} - {ends}"] }', "<i>1:30 - 3:00 PM</i>"),
        ('starts = "i"\nends = "u"', "<i>13:30:00</i> <u>15:00:00</u>"),
    ],
)
def test_an_end_says_for_both_times_that_it_is_afternoon(rows: str, markup: str) -> None:
    """A range is read as a whole, wherever its two times stand."""
    table = f'[day]\nat = "h2"\nday = ""\nflat = true\n{TALK}{rows}\n'
    parsed, _ = read(table, f"<h2>June 17, 2026</h2><ul><li><b>Foam</b> {markup}</li></ul>")
    assert [record.slots for record in parsed.records] == [
        (Slot(datetime(2026, 6, 17, 13, 30), datetime(2026, 6, 17, 15)),)
    ]


@pytest.mark.parametrize(
    ("markup", "notes"),
    [
        ("<p>June 17th 2026</p><li><b>Foam</b> <i>9:30</i></li>", ["field_unread"]),
        ("<section><h2>June 17th 2026</h2><li><b>Foam</b> <i>9:30</i></li></section>", []),
        ("<section><h2>June 17th 2026</h2></section><li><b>Foam</b> <i>9:30</i></li>", ["field_unread"]),
        ("<section><h2>June 17th 2026</h2></section><li><b>Foam</b></li>", []),
    ],
)
def test_talks_below_no_day(markup: str, notes: list[str]) -> None:
    """A talk that prints a time has none without a day, which is told on a page that has days."""
    table = f'[day]\nat = "section"\nday = "h2"\n{TALK}starts = "i"\n'
    section = "<section><h2>June 18th 2026</h2><li><b>Jam</b> <i>9:30</i></li></section>"
    parsed, _ = read(table, section + markup)
    assert [list(each.notes) for each in parsed.records if each.title == "Foam"] == [notes]


@pytest.mark.parametrize(("printed", "notes"), [("", ("field_unread",)), ("<i>9:30</i>", ())])
def test_items_without_their_time(printed: str, notes: tuple[str, ...]) -> None:
    """An item without a time beside others that print one is told."""
    table = '[day]\nat = "section"\nday = "h2"\n[item]\nat = "li"\ntitle = "b"\nstarts = "i"\n'
    items = f"<li><b>Lunch</b> <i>12:30</i></li><li><b>Coffee</b> {printed}</li>"
    parsed, _ = read(table, f"<section><h2>June 17th 2026</h2>{items}</section>")
    assert [each.notes for each in parsed.records] == [(), notes]


HULLS = '<tr class="session"><td>10:30 - 11:30</td>'
CRANES = '<tr class="talk"><td>11:00</td>'


def damaged(*changes: tuple[str, str]) -> list[Record]:
    """Return the records of the ferry workshop with other markup."""
    page = (FERRY / "ferry-2026.html").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in page
        page = page.replace(old, new)
    facts = Facts(event="Ferry 2026", year=2026, tables=(FERRY / "table.toml").read_text(encoding="utf-8"))
    return list(parse_document(SOURCE, Document.from_bytes("pages/a.html", page.encode(), facts)).records)


def by_title(records: list[Record], title: str) -> list[tuple[datetime | None, tuple[str, ...]]]:
    """Return the end and the notes of the records of a title."""
    return [(each.slots[0].ends_at if each.slots else None, each.notes) for each in records if each.title == title]


def test_a_talk_without_the_time_that_others_have() -> None:
    """It is told, and the talk before it has no end, which would be that of another one."""
    records = damaged((CRANES, '<tr class="talk"><td></td>'))
    assert by_title(records, "Foam in Bottomless Tanks") == [(None, ())]
    assert by_title(records, "Queues of Cranes") == [
        (datetime(2026, 6, 17, 11, 30), ("field_unread", "time_is_session"))
    ]
    most = damaged((CRANES, '<tr class="talk"><td></td>'), ("<td>10:00</td>", "<td></td>"))
    assert by_title(most, "Queues of Cranes") == [(datetime(2026, 6, 17, 11, 30), ("time_is_session",))]


def test_a_session_that_stands_twice() -> None:
    """The one without the talks is told."""
    page = (FERRY / "ferry-2026.html").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(HULLS))
    assert by_title(damaged((row, row + row)), "Hulls") == [(datetime(2026, 6, 17, 11, 30), ("field_unread",))]


def test_talks_beside_their_session() -> None:
    """While a talk in no session begins, no end of a session's talk is sure, nor that a session has no talks."""
    page = (FERRY / "ferry-2026.html").read_text(encoding="utf-8")
    foam, cranes, lunch = (line for line in page.splitlines() if "Foam" in line or "Cranes" in line or "Lunch" in line)
    behind = damaged((f"{cranes}\n{lunch}", f"{lunch}\n{cranes}"))
    assert by_title(behind, "Foam in Bottomless Tanks") == [(None, ())]
    all_behind = damaged((f"{foam}\n{cranes}\n{lunch}", f"{lunch}\n{foam}\n{cranes}"))
    assert by_title(all_behind, "Hulls") == [(datetime(2026, 6, 17, 11, 30), ("field_unread",))]
    none = damaged((HULLS, '<tr class="break"><td>10:30 - 11:30</td>'))
    assert by_title(none, "Foam in Bottomless Tanks") == [(datetime(2026, 6, 17, 11), ("end_inferred",))]


DATA = """
[lists.cooks]
at = "people[]"
[session]
at = "sessions[]"
title = "name"
day = "day"
times = "time"
[talk]
at = "sessions[].talks[]"
title = "title"
people = { at = "by[]>cooks", name = "name" }
"""
OF_DATA = {
    "json": json.dumps(
        {
            "sessions": [
                {
                    "name": "Slow Jams",
                    "day": "2026-06-17",
                    "time": "9:30 - 10:00",
                    "talks": [{"title": "Foam", "by": [1]}],
                }
            ],
            "people": [{"id": 1, "name": "Ada Quill"}],
        }
    ),
    "yaml": """\
sessions:
- name: Slow Jams
  day: 2026-06-17
  time: 9:30 - 10:00
  talks:
  - title: Foam
    by: [1]
people:
- {id: 01, name: no}
- {id: 1, name: Ada Quill}
""",
}


def read_form(suffix: str, table: str, text: str) -> tuple[Parsed, Document]:
    """Parse data by a table."""
    facts = Facts(event="Ferry 2026", tables=table)
    document = Document.from_bytes(f"pages/ferry/a.{suffix}", text.encode(), facts)
    return parse_document(SOURCE, document), document


@pytest.mark.parametrize("suffix", OF_DATA)
def test_data(suffix: str) -> None:
    """JSON and YAML are read by the same table; whom nobody names is told."""
    parsed, _ = read_form(suffix, DATA, OF_DATA[suffix])
    (record,) = parsed.records
    assert (record.title, record.session_title, record.authors) == ("Foam", "Slow Jams", (Person("Ada Quill"),))
    assert record.slots == (Slot(datetime(2026, 6, 17, 9, 30), datetime(2026, 6, 17, 10)),)
    assert [each.text for each in parsed.rejects] == ([] if suffix == "json" else ['{"id": "01", "name": "no"}'])


def test_a_csv() -> None:
    """The rows of a CSV are a list, with the lines that they stand in; another row is told."""
    table = '[talk]\nat = "[]"\ntitle = "Title"\npeople = "Who[|]"\nday = "Start Date"\nstarts = "Start Time"\n'
    text = 'Title,Who,Start Date,Start Time\n"Foam\nand Froth",Ada Quill|Bo Ferns,2026-06-17,9:30 am\nBroth\n'
    parsed, _ = read_form("csv", table, text)
    (record,) = parsed.records
    assert (record.title, record.line_start, record.line_end) == ("Foam\nand Froth", 2, 3)
    assert record.slots == (Slot(datetime(2026, 6, 17, 9, 30)),)
    assert [(each.line_start, each.detail) for each in parsed.rejects] == [
        (4, "expected 4 cells, as line 1 has, found 1")
    ]


@pytest.mark.parametrize(
    ("table", "event", "said"),
    [
        ('[talk]\nat = "x[["\ntitle = "t"', "Ferry", "bad_table: table.toml: [talk] at: expected a path such as"),
        ('[talk]\nat = "x[]"\ntitle = "t"', None, "bad_sidecar: expected an event in the sidecar"),
    ],
)
def test_data_without_tables_or_event(table: str, event: str | None, said: str) -> None:
    """A wrong table and a missing event refuse the dump."""
    document = Document.from_bytes("pages/a.json", b'{"x": []}', Facts(event=event, tables=table))
    with pytest.raises(DumpError) as error:
        parse_document(SOURCE, document)
    assert said in str(error.value)


def test_rows_that_find_nothing_in_data() -> None:
    """They are remarked as for pages, and addresses that lead nowhere since the sidecar has none."""
    _, document = read_form(
        "json",
        TALK.replace("li", "x[]").replace('"b"', '"b"\nroom = "r"\nurl = "u"\nlinks = "l"') + '[day]\nat = "d[]"\n',
        '{"x": [{"b": "Foam", "u": "foam.html", "l": "foam.pdf"}]}',
    )
    assert document.remarks == [
        "table.toml: [day] at = 'd[]' finds nothing that can be read",
        "table.toml: [talk] room finds nothing that can be read",
        "table.toml: [talk] links finds nothing that can be read",
        "2 addresses are relative: the sidecar names no url",
    ]


GRID = """
[page]
ignored = "tr:first-of-type > th:first-child"
[column]
at = "table"
day = ""
[row]
at = "table"
times = ""
[session]
at = "td"
title = "b"
head = { at = "i", lines = ["Chair: {chairs}", "{times}"] }
[talk]
at = "li"
title = ""
"""
DAYS = "<tr><th>Time<th>June 15, 2026<th>June 16, 2026<th>June 17, 2026</tr>"
ROOMS = GRID.replace('day = ""', 'room = ""') + '[day]\nat = "h2"\nflat = true\nday = ""\n'


def read_grid(*rows: str, head: str = DAYS, table: str = GRID, before: str = "") -> tuple[Parsed, Document]:
    """Parse a grid."""
    return read(table, f"{before}<table>{head}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")


def slots_of(parsed: Parsed) -> dict[str | None, list[str]]:
    """Return for each title its slots, such as ``15 09:00-10:30 Hall A``."""
    return {record.title: [shown(slot) for slot in record.slots or ()] for record in parsed.records}


def shown(slot: Slot) -> str:
    """Return a slot as text."""
    ends = f"-{slot.ends_at:%H:%M}" if slot.ends_at else ""
    return f"{slot.starts_at:%d %H:%M}{ends} {slot.room or ''}".strip() if slot.starts_at else str(slot.room)


def test_a_grid_of_days() -> None:
    """A cell is on the days of its columns, from the first of its rows to the last."""
    parsed, document = read_grid(
        "<td>9:00 - 9:30<td><b>Opening</b><td rowspan=2><b>Hulls</b><i>Chair: Ada Quill</i><td>",
        "<td>9:30 - 10:30<td><b>Sails</b><td><b>Masts</b>",
        "<td>10:30 - 11:00<td colspan=3><b>Coffee Break</b>",
        "<td>11:00 - 12:00<td colspan=2><b>Ropes</b><td><b>Knots</b><i>11:15 - 11:45</i>",
    )
    assert slots_of(parsed) == {
        "Opening": ["15 09:00-09:30"],
        "Hulls": ["16 09:00-10:30"],
        "Sails": ["15 09:30-10:30"],
        "Masts": ["17 09:30-10:30"],
        "Coffee Break": ["15 10:30-11:00", "16 10:30-11:00", "17 10:30-11:00"],
        "Ropes": ["15 11:00-12:00", "16 11:00-12:00"],
        "Knots": ["17 11:15-11:45"],
    }
    assert (parsed.rejects, document.remarks, {each.notes for each in parsed.records}) == (
        (),
        ["table.toml: [talk] at = 'li' finds nothing that can be read"],
        {()},
    )
    assert [each.chairs for each in parsed.records if each.title == "Hulls"] == [(Person("Ada Quill"),)]


def test_a_grid_of_rooms() -> None:
    """A cell is in the room of its column; one over two rooms is in neither."""
    parsed, _ = read_grid(
        "<td>9:00 - 9:30<td><b>Hulls</b><td><b>Sails</b>",
        "<td>9:30 - 10:00<td colspan=2><b>Opening</b>",
        head="<tr><th>Time<th>Hall A<th>Hall B</tr>",
        table=ROOMS,
        before="<h2>June 15, 2026</h2>",
    )
    assert slots_of(parsed) == {
        "Hulls": ["15 09:00-09:30 Hall A"],
        "Sails": ["15 09:00-09:30 Hall B"],
        "Opening": ["15 09:30-10:00"],
    }


def test_what_reaches_across_a_head() -> None:
    """A cell across a head that others part is in its room and on its day, but in no track, with no chair of it."""
    head = 'room = "u"\ntrack = "b"\nchairs = "i"\n'
    parsed, _ = read_grid(
        "<th colspan=3><b>Hulls</b><i>Ada Quill</i><u>Hall A</u>",
        "<td>9:00 - 9:30<td><b>Foam</b><td><b>Tar</b>",
        "<td>9:30 - 10:00<td colspan=2><b>Coffee Break</b>",
        "<th colspan=3><b>Sails</b>",
        "<td>10:00 - 10:30<td colspan=2><b>Ropes</b>",
        head="",
        table=GRID.replace('[column]\nat = "table"\nday = ""', f'[column]\nat = "th"\n{head}')
        .replace('[row]\nat = "table"', '[row]\nat = "td:first-child"')
        .replace('"td"', '"td:has(b)"')
        + '[day]\nat = "h2"\nflat = true\nday = ""\n',
        before="<h2>June 15, 2026</h2>",
    )
    assert [(each.title, each.track, bool(each.chairs)) for each in parsed.records] == [
        ("Foam", "Hulls", True),
        ("Tar", "Hulls", True),
        ("Coffee Break", None, False),
        ("Ropes", "Sails", False),
    ]
    assert slots_of(parsed)["Coffee Break"] == ["15 09:30-10:00 Hall A"]


def test_a_title_beside_its_speaker() -> None:
    """Cells that are no items part no columns: a talk that has both columns for itself is in the track above it."""
    parsed, _ = read_grid(
        "<th colspan=3><b>Hulls</b>",
        "<td>9:00 - 9:30<td><b>Foam</b><td>Bo Ferns",
        "<td>9:30 - 10:00<td colspan=2><b>Tar</b>",
        "<td>10:00 - 10:30<td><b>Ropes</b><td>Cy Ode",
        head="",
        table=GRID.replace('[column]\nat = "table"\nday = ""', '[column]\nat = "th"\ntrack = "b"\n')
        .replace('[row]\nat = "table"', '[row]\nat = "td:first-child"')
        .replace('"td"', '"td:has(b)"')
        + '[day]\nat = "h2"\nflat = true\nday = ""\n',
        before="<h2>June 15, 2026</h2>",
    )
    assert [(each.title, each.track) for each in parsed.records] == [
        ("Foam", "Hulls"),
        ("Tar", "Hulls"),
        ("Ropes", "Hulls"),
    ]


def test_a_grid_whose_rows_are_days() -> None:
    """Times may stand in the first row, and days in the first column."""
    table = GRID.replace('day = ""', "").replace('times = ""', 'day = ""').replace("[row]", 'times = ""\n[row]')
    parsed, _ = read_grid(
        "<td>June 15, 2026<td colspan=2><b>Hulls</b><td rowspan=2><b>Dinner</b>",
        "<td>June 16, 2026<td><b>Sails</b><td>",
        head="<tr><th><th>9:00 - 9:30<th>9:30 - 10:00<th>19:00 - 21:00</tr>",
        table=table,
    )
    assert slots_of(parsed) == {
        "Hulls": ["15 09:00-10:00"],
        "Dinner": ["15 19:00-21:00", "16 19:00-21:00"],
        "Sails": ["16 09:00-09:30"],
    }


@pytest.mark.parametrize(("span", "ends"), [("", ""), (" rowspan=2", "-10:30")])
def test_rows_that_only_begin(span: str, ends: str) -> None:
    """Where cells span rows, these show when something ends, which is noted; elsewhere nobody knows."""
    filled = "" if span else "<td>"
    parsed, _ = read_grid(
        f"<td>9:00<td{span}><b>Hulls</b><td><td>", f"<td>9:30{filled}<td><td>", "<td>10:30<td><td><td>"
    )
    (record,) = parsed.records
    assert (slots_of(parsed), record.notes) == ({"Hulls": [f"15 09:00{ends}"]}, ("end_inferred",) if ends else ())


def test_talks_in_a_cell() -> None:
    """Several talks have the time of their session; one alone has that of its cell, if no other cell shares it."""
    table = GRID.replace('[session]\nat = "td"\ntitle = "b"\n', '[session]\nat = "td:has(b)"\ntitle = "b"\n')
    parsed, _ = read_grid(
        "<td>9:00 - 10:00<td><b>Hulls</b><ul><li>Foam<li>Tar</ul><td><li>Ropes</li><td>",
        "<td rowspan=2>10:00 - 11:00<td><li>Knots</li><td><td>",
        "<td><li>Masts</li><td><td>",
        table=table,
    )
    assert {each.title: (each.session_title, each.notes) for each in parsed.records} == {
        "Foam": ("Hulls", ("time_is_session",)),
        "Tar": ("Hulls", ("time_is_session",)),
        "Ropes": (None, ()),
        "Knots": (None, ("time_is_session",)),
        "Masts": (None, ("time_is_session",)),
    }
    assert slots_of(parsed)["Masts"] == ["15 10:00-11:00"]


def test_rows_that_are_talks() -> None:
    """A row has the heads in it, and those that reach into it from above."""
    table = """
    [[row]]
    at = "td.day"
    day = ""
    [[row]]
    at = "td.time"
    times = ""
    [talk]
    at = "tr"
    title = "td:nth-last-child(2)"
    people = "td:last-child"
    """
    rows = (
        "<td rowspan=2 class=day>June 15, 2026<td class=time>9:00 - 9:30<td>Foam<td>Ada Quill",
        "<td class=time>9:30 - 10:00<td>Tar<td>Bo Ferns",
        "<td class=day>June 16, 2026<td class=time rowspan=2>9:00 - 9:30<td>Hemp<td>Cy Moss",
        "<td class=day>June 16, 2026<td>Hulls<td>Di Vane",
    )
    parsed, _ = read(table, f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
    assert slots_of(parsed) == {
        "Foam": ["15 09:00-09:30"],
        "Tar": ["15 09:30-10:00"],
        "Hemp": ["16 09:00-09:30"],
        "Hulls": ["16 09:00-09:30"],
    }
    assert {each.title for each in parsed.records if "time_is_session" in each.notes} == {"Hemp", "Hulls"}


def test_sessions_whose_talks_stand_below_them() -> None:
    """A flat cell owns those below it in its columns, up to the next one, not those beside it."""
    table = GRID.replace('title = "b"', 'title = "b"\nflat = true').replace('"td"', '"td:has(b)"')
    parsed, _ = read_grid(
        "<td>9:00 - 9:10<td><b>Hulls</b><td><b>Sails</b><td><li>Alone</li>",
        "<td>9:10 - 9:30<td><li>Foam</li><td><li>Canvas</li><td>",
        "<td>9:30 - 9:40<td><b>Ropes</b><td><li>Linen</li><td>",
        "<td>9:40 - 9:50<td><li>Hemp</li><td><td>",
        table=table,
    )
    assert {each.title: each.session_title for each in parsed.records} == {
        "Foam": "Hulls",
        "Canvas": "Sails",
        "Linen": "Sails",
        "Hemp": "Ropes",
        "Alone": None,
    }
    assert slots_of(parsed)["Linen"] == ["16 09:30-09:40"]


DIVS = """
[grid]
at = "div.table"
rows = "div.tr"
cells = "div.tr > div"
wide = ".wide"
"""


def in_divs(text: str) -> str:
    """Return a table of a file for a grid in ``div`` elements."""
    for element, css in (("table", "div.table"), ("td", "div.tr > div")):
        text = text.replace(f'"{element}"', f'"{css}"')
    return DIVS + text


@pytest.mark.parametrize("table", [GRID, ROOMS])
@pytest.mark.parametrize(
    "rows",
    [
        ["9:00|<b>Hulls</b><ul><li>On Foam<li>On Tar</ul>|<b>Sails</b>|"],
        ["9:00 - 9:30|<b>Opening</b>|rowspan=2><b>Hulls</b>|", "9:30 - 10:30|<b>Sails</b>|<b>Masts</b>"],
        ["9:00|<b>Hulls</b>|<b>Sails</b>|", "10:00|colspan=2><b>Lunch</b>|<b>Knots</b>", "1:30|<b>Tar</b>||"],
    ],
)
def test_a_grid_of_other_elements(table: str, rows: list[str]) -> None:
    """It is read as a table is, whatever elements its rows and cells are."""
    cells = [["Time", "June 15, 2026", "June 16, 2026", "June 17, 2026"], *(row.split("|") for row in rows)]
    shown = [[each if "=" in each[:8] else f">{each}" for each in row] for row in cells]
    day = "<h2>June 15, 2026</h2>"
    printed = "".join(f"<tr>{''.join(f'<td {each}</td>' for each in row)}</tr>" for row in shown)
    drawn = "".join(f"<div class=tr>{''.join(f'<div {each}</div>' for each in row)}</div>" for row in shown)
    expected, _ = read(table, f"{day}<table>{printed}</table>")
    found, _ = read(in_divs(table), f"{day}<div class=table>{drawn}</div>")
    assert found.records
    assert [each._replace(notes=()) for each in found.records] == [each._replace(notes=()) for each in expected.records]


def test_rows_of_other_elements_that_lack_cells() -> None:
    """Where a style sheet shows the cells of such a row nobody knows, so they are in no room, and noted."""
    grid = (
        "<h2>June 15, 2026</h2><div class=table><div class=tr><div>Time</div><div>Hall A</div><div>Hall B</div></div>"
        "<div class=tr><div>9:00</div><div><b>Hulls</b></div><div><b>Sails</b></div></div>"
        "<div class=tr><div>10:00</div><div><b>Lunch</b></div></div>"
        "<div class=tr><div>11:00</div><div class=wide><b>Closing</b></div></div></div>"
    )
    parsed, document = read(in_divs(ROOMS), grid)
    assert slots_of(parsed) == {
        "Hulls": ["15 09:00 Hall A"],
        "Sails": ["15 09:00 Hall B"],
        "Lunch": ["15 10:00"],
        "Closing": ["15 11:00"],
    }
    assert {each.title: each.notes for each in parsed.records if each.notes} == {"Lunch": ("value_doubtful",)}
    assert any("1 of 4 cells are in rows with more or fewer columns" in each for each in document.remarks)


def test_cells_that_may_be_elsewhere() -> None:
    """Cells in a row that is too short are noted, and a remark says how many; so are heads that are in no table."""
    table = GRID + '[[talk]]\nat = "q"\ntitle = ""\n'
    table = table.replace("[talk]\n", "[[talk]]\n", 1).replace("[row]", '[[row]]\nat = "h2"\ntimes = ""\n[[row]]')
    parsed, document = read_grid(
        "<td>9:00<td><b>Hulls</b>", "<td>9:30<td><b>Sails</b><td><td>", table=table, before="<h2>9:00</h2>"
    )
    assert {each.title: each.notes for each in parsed.records} == {"Hulls": ("value_doubtful",), "Sails": ()}
    assert document.remarks[-2:] == [
        "1 of 2 cells are in rows with more or fewer columns than have heads, or overlap; the first one in line 1",
        "1 heads of rows are in no table: 'h2'",
    ]


@pytest.mark.parametrize(
    ("times", "read_as"),
    [
        (("11:00", "12:00", "1:30", "5:00", "6:30"), ["11:00", "12:00", "13:30", "17:00", "18:30"]),
        (("9:00-12:00", "12:00-1:30", "1:30-3:00"), ["09:00-12:00", "12:00-13:30", "13:30-15:00"]),
        (("5:00", "7:00", "9:30"), ["05:00", "07:00", "09:30"]),
        (("08:30", "12:15-01:00", "01:00-02:10"), ["08:30", "12:15-13:00", "13:00-14:10"]),
        (("08:30-12:30", "00:30-01:00"), ["08:30-12:30", "00:30-01:00"]),
        (("18:00", "22:00", "1:00"), ["18:00", "22:00", "01:00"]),
        (("11:00 am", "1:30"), ["11:00", "01:30"]),
        (("4:00", "9:00"), ["04:00", "09:00"]),
        (("5:00", "1:00", "9:00"), ["05:00", "13:00", "21:00"]),
    ],
)
def test_a_clock_of_twelve_hours(times: tuple[str, ...], read_as: list[str]) -> None:
    """Rows of one day go on: a time before the one above is in the afternoon, if none says am, pm or 13:00."""
    rows = [f"<td>{each}<td><b>Hulls {number}</b><td><td>" for number, each in enumerate(times)]
    parsed, _ = read_grid(*rows)
    assert [each.removeprefix("15 ") for (each,) in slots_of(parsed).values()] == read_as


@pytest.mark.parametrize(
    ("printed", "slot"), [("01:00 - 2:15", "13:00-14:15"), ("7:00", "07:00"), ("11:30-12:30", "11:30-12:30")]
)
def test_a_clock_of_twelve_hours_that_no_order_tells(printed: str, slot: str) -> None:
    """A table says from when on times are in the morning, as for data."""
    rows = 'times = { at = "i", after = "07:00" }\n[day]\nat = "h2"\nflat = true\nday = ""\n'
    parsed, _ = read(TALK + rows, f"<h2>June 15, 2026</h2><ul><li><b>Foam</b> <i>{printed}</i></ul>")
    assert slots_of(parsed) == {"Foam": [f"15 {slot}"]}


@pytest.mark.parametrize(("before", "read_as"), [("", "07:30"), ("<td colspan=3>June 16, 2026", "07:30")])
def test_the_morning_of_the_next_day(before: str, read_as: str) -> None:
    """Rows without days above them may be of the next day from seven on, and the next head begins a new day."""
    head = "<tr><th>Time<th>Hall A<th>Hall B</tr>"
    rows = ["<td>5:00<td><b>Hulls</b><td>", before, "<td>7:30<td><b>Sails</b><td>"]
    table = ROOMS + '[[column]]\nat = "td[colspan]"\nday = ""\n'
    parsed, _ = read_grid(
        *filter(None, rows),
        head=head,
        table=table.replace("[column]", "[[column]]", 1),
        before="<h2>June 15, 2026</h2>",
    )
    assert slots_of(parsed)["Sails"] == [f"{'16' if before else '15'} {read_as} Hall A"]


@pytest.mark.parametrize(
    ("rows", "markup"),
    [
        ('people = { at = "p", name = "b", place = "i" }', "<p><b>Ada Quill</b> <i>Mole Lab</i>; <b>Bo Ferns</b></p>"),
        (
            'people = { at = "p", name = "b", place = "i" }',
            "<p><b>Ada Quill</b> (<i>Mole Lab</i>) and <b>Bo Ferns</b></p>",
        ),
        (
            'people = { at = "s", name = "b", place = "i" }',
            "<s><b>Ada Quill</b><i>Mole Lab</i></s>, <s><b>Bo Ferns</b></s>",
        ),
        (
            'people = { at = "", name = "s b", place = "s b::tail" }',
            "<s><b>Ada Quill</b>, Mole Lab<br><b>Bo Ferns</b></s>",
        ),
        ('people = { at = "p", as = "name_place" }', "<p>Ada Quill: Mole Lab; Bo Ferns</p>"),
        ('people = "p"', "<p>Ada Quill (Mole Lab) · Bo Ferns</p>"),
        ('people = "p"', "<p>Ada Quill (Mole Lab) | Bo Ferns</p>"),
        ('people = "s"', "<s>Ada Quill (Mole Lab)</s> , <s>Bo Ferns</s>"),
        ('people = "a"', "<p><s><a>Ada Quill (Mole Lab)</a></s>, and <s><a>Bo Ferns</a></s>, </p>"),
        ('people = { at = "s, u", joint = " " }', "<p><s>Ada Quill</s><u>(Mole Lab), Bo Ferns</u></p>"),
        ('people = { at = "s", cut = [" et al.", "by"] }', "<s>by Ada Quill (Mole Lab), Bo Ferns et al.</s>"),
    ],
)
def test_people_and_their_places(rows: str, markup: str) -> None:
    """They may stand in elements of their own, with what separates them, which is no text of its own."""
    table = f'[talk]\nat = "li"\ntitle = "q"\n{rows}\n'
    parsed, _ = read(table, f"<li><q>Foam</q> {markup}</li>")
    assert [each.authors for each in parsed.records] == [(Person("Ada Quill", "Mole Lab"), Person("Bo Ferns"))]
    assert (parsed.rejects, {each.notes for each in parsed.records}) == ((), {()})


def test_a_place_before_any_name() -> None:
    """It is nobody's, and told."""
    rows = 'people = { at = "p", name = "u", place = "i" }\n'
    parsed, _ = read(TALK + rows, "<li><b>Foam</b><p><i>Mole Lab</i> <u>Ada Quill</u> x</p></li>")
    assert [(each.authors, each.notes) for each in parsed.records] == [((Person("Ada Quill"),), ("field_unread",))]
    assert [each.text for each in parsed.rejects] == ["Mole Lab", "x"]


@pytest.mark.parametrize(
    ("rows", "markup", "title"),
    [
        ('title = "b::tail"', "<b>9:30</b>: Foam – a Study — <i></i>", "Foam – a Study"),
        ('title = "::text"', "Foam - a Study - <i></i>", "Foam - a Study"),
        ('title = { at = "b", cut = [" (##)", "Paper ##:"] }', "<b>Paper 17: Foam (20)</b>", "Foam"),
        ('title = { at = "b, i", joint = ": " }', "<b>Foam</b><i>a Study</i>", "Foam: a Study"),
        ('head = { lines = ["{title..} - {}"] }', "Foam - Tar - Mole Lab", "Foam - Tar"),
        ('head = { lines = ["{title} - {}"] }', "Foam - Tar - Mole Lab", "Foam"),
        (
            'head = { at = "i::attr(title)", lines = ["T: {title}", "{room}"] }',
            '<i title="T: Foam&#10;Hall A"></i>',
            "Foam",
        ),
        ('head = { at = "i::tail", lines = ["T: {title}"] }', "<i></i>T: Foam", "Foam"),
    ],
)
def test_titles(rows: str, markup: str, title: str) -> None:
    """What stands around a title is left out where the table says so, and separators around a part of an element."""
    parsed, _ = read(f'[talk]\nat = "li"\nignored = "b, i"\n{rows}\n', f"<li>{markup}</li>")
    assert [each.title for each in parsed.records] == [title]


def test_a_day_in_two_elements() -> None:
    """Elements that are read as one text are joined."""
    table = f'[day]\nat = "section"\nday = {{ at = "strong, em", joint = " " }}\n{TALK}times = "i"\n'
    page = "<section><strong>27</strong><em>Aug 2026</em><li><b>Foam</b><i>9:30 - 10:00</i></li></section>"
    parsed, _ = read(table, page)
    assert (slots_of(parsed), parsed.rejects) == ({"Foam": ["27 09:30-10:00"]}, ())


def test_days_that_are_weekdays() -> None:
    """The table says which day a text stands for."""
    table = GRID.replace('day = ""', 'day = { words = { Monday = "2026-06-15", tuesday = "2026-06-16" } }')
    parsed, _ = read_grid(
        "<td>9:00 - 9:30<td><b>Hulls</b><td><b>Tar</b>", head="<tr><th>Time<th>Monday<th>Tuesday</tr>", table=table
    )
    assert slots_of(parsed) == {"Hulls": ["15 09:00-09:30"], "Tar": ["16 09:00-09:30"]}


def test_what_the_page_does_not_print() -> None:
    """A value may stand in the table."""
    page = '[page]\nday = { is = "2026-06-17" }\nroom = { is = "Hall A" }\n'
    table = f'{page}{TALK}type = {{ is = "Poster" }}\ntimes = "i"\n'
    parsed, document = read(table, "<li><b>Foam</b> <i>9:30 - 10:00</i></li>")
    assert slots_of(parsed) == {"Foam": ["17 09:30-10:00 Hall A"]}
    assert ([each.type for each in parsed.records], document.remarks) == (["Poster"], [])


def test_headings_in_rows_of_their_own() -> None:
    """A flat element that is alone in others owns what follows those."""
    table = f'[session]\nat = "h3"\nflat = true\ntitle = ""\n{TALK}'
    row = '<div class="row"><div>{}</div></div>'
    page = "".join(map(row.format, ("<h3>Hulls</h3>", "<li><b>Foam</b></li>", "<h3>Sails</h3>", "<li><b>Tar</b></li>")))
    parsed, _ = read(table, page)
    assert [(each.title, each.session_title) for each in parsed.records] == [("Foam", "Hulls"), ("Tar", "Sails")]


def test_rows_that_find_labels_or_hardly_anything() -> None:
    """A word at the end or beginning of nearly all texts is told, as is a row that hardly finds anything."""
    table = f'{TALK}room = "i"\ntrack = "u"\n'
    talks = [f"<li><b>{number} Foam —</b><i>Room: {number}</i></li>" for number in range(11)]
    _, document = read(table, "".join([*talks, "<li><b>Tar</b><u>Ropes</u></li>"]))
    assert document.remarks == [
        "table.toml: [talk] room begins with 'Room:' in 11 of 11 texts: cut leaves it out",
        "table.toml: [talk] title ends with '—' in 11 of 12 texts: cut leaves it out",
        "table.toml: [talk] track finds something in 1 of 12 only",
    ]


def test_texts_without_labels() -> None:
    """Some texts that begin alike, and a few that all do, are no labels."""
    many = "".join(f"<li><b>{'The Foam' if number % 2 else 'On Foam'} {number}</b></li>" for number in range(20))
    few = "".join(f"<li><b>The Foam {number}</b></li>" for number in range(4))
    assert [read(TALK, page)[1].remarks for page in (many, few)] == [[], []]


def test_a_programme_in_markdown() -> None:
    """Its headings own what follows them, and its lines are those of the text."""
    text = (
        "---\ntitle: Ferry\n---\n# Programme\n\n## Wednesday, June 17, 2026\n\n| Time | Talk |\n|---|---|\n"
        "| 9:00 - 9:30 | **On Foam**, Ada Quill |\n| 9:30 - 10:00 | Coffee Break |\n\n"
        "## Thursday, June 18, 2026\n\n- *On Tar*, Bo Ferns\n"
    )
    table = """
        [page]
        ignored = "h1, th"
        [day]
        at = "h2"
        flat = true
        day = ""
        [row]
        at = "table"
        times = ""
        [[item]]
        at = "td:not(:has(strong))"
        title = ""
        [[talk]]
        at = "td:has(strong), li"
        title = "strong, em"
        people = "strong::tail, em::tail"
        """
    parsed, document = read_form("txt", table, text)
    assert (parsed.format, slots_of(parsed)) == (
        "markdown",
        {"On Foam": ["17 09:00-09:30"], "Coffee Break": ["17 09:30-10:00"], "On Tar": []},
    )
    assert {each.title: (each.line_start, each.authors) for each in parsed.records if each.authors} == {
        "On Foam": (10, (Person("Ada Quill"),)),
        "On Tar": (15, (Person("Bo Ferns"),)),
    }
    assert (parsed.rejects, document.remarks) == ((), [])


def test_lists_of_terms() -> None:
    """A term owns what follows it, as a heading does."""
    table = '[slot]\nat = "dt"\nflat = true\ntimes = ""\n[day]\nat = "h2"\nflat = true\nday = ""\n'
    rows = '[session]\nat = "dd"\ntitle = "b"\nchairs = "i"\n'
    markup = (
        "<h2>June 17, 2026</h2><dl><dt>9:00 - 9:30<dd><b>Foam</b><dt>10:00 - 11:00<dd><b>Tar</b> <i>Ada Quill</i>"
        "<dd><b>Sails</b></dl>"
    )
    parsed, _ = read(table + rows, markup)
    assert slots_of(parsed) == {"Foam": ["17 09:00-09:30"], "Tar": ["17 10:00-11:00"], "Sails": ["17 10:00-11:00"]}


def test_labels_that_are_cut_off() -> None:
    """They are known and need not be published."""
    table = TALK + 'room = { at = "i", cut = ["Location: "] }\n'
    parsed, _ = read(table, "<li><b>Foam</b> <i><u>Location:</u> Hall</i></li>")
    assert ([each.title for each in parsed.records], parsed.rejects) == (["Foam"], ())
