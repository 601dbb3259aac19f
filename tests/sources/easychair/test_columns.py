"""What is particular to dumps in columns: the time of a talk stands in the middle of its lines."""

import pytest

from schemas.items import Person
from tests.helpers import parse_text

HEAD = "  CRUMB2024: A CONFERENCE\n    PROGRAM FOR MONDAY, APRIL 15TH\n\n      09:00-10:00 Session 1: Heat\n"
FOOT = "      \n      10:00-10:30 Coffee Break\n  Disclaimer | Powered by EasyChair Smart Program"
PROSE = "Bread has been sliced since long before   09:30   in the morning, and by hand."


def table(*rows: tuple[str, list[str]]) -> str:
    """Draw rows of a time and the lines beside it as extractors do, the times in the middle."""
    lines = [
        f"      {time if place == (len(cell) - 1) // 2 else '':5}    {text}"
        for time, cell in rows
        for place, text in enumerate(cell)
    ]
    width = max(map(len, lines)) + 2
    return "\n".join(line.ljust(width) for line in lines) + "\n"


def abstract(*head: str) -> list[str]:
    """Return the lines of a talk with an abstract of two paragraphs."""
    return [*head, "", f"ABSTRACT. {PROSE}", "", PROSE, ""]


ROWS = {
    "with abstracts": [
        ("09:00", abstract("Anna Vell (Quill Institute, Norland)", "Hot", "PRESENTER: Anna Vell")),
        ("09:20", abstract("Bo Two (Moor University, Esteria)", "Anna Vell (Quill Institute, Norland)", "Hotter")),
        ("09:40", abstract("Anna Vell (Quill Institute, Norland)", "Hottest")),
    ],
    "without abstracts": [
        ("09:00", ["Anna Vell (Quill Institute, Norland)", "Hot", "PRESENTER: Anna Vell"]),
        ("09:20", ["Bo Two (Moor University, Esteria)", "Anna Vell (Quill Institute, Norland)", "Hotter"]),
        ("09:40", ["Anna Vell (Quill Institute, Norland)", "Hottest"]),
    ],
    "blank lines between": [
        ("09:00", abstract("Anna Vell (Quill Institute, Norland)", "", "Hot", "", "PRESENTER: Anna Vell")),
        ("09:20", abstract("Bo Two (Moor University, Esteria)", "Anna Vell (Quill Institute, Norland)", "", "Hotter")),
        ("09:40", abstract("Anna Vell (Quill Institute, Norland)", "", "Hottest")),
    ],
    "titles alone": [
        ("09:00", ["Anna Vell (Quill Institute, Norland)", "Hot", "PRESENTER: Anna Vell"]),
        ("09:20", ["Hotter"]),
        ("09:40", ["Anna Vell (Quill Institute, Norland)", "Hottest"]),
    ],
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_talks_of_columns(rows: list[tuple[str, list[str]]]) -> None:
    """Rows are cut so that each time is in the middle of its row."""
    parsed = parse_text("easychair", f"{HEAD}{table(*rows)}{FOOT}")
    assert (parsed.format, parsed.rejects) == ("columns", ())
    assert [record.title for record in parsed.records] == ["Hot", "Hotter", "Hottest", "Coffee Break"]
    assert [str(slot.starts_at)[11:16] for record in parsed.records for slot in record.slots or ()] == [
        *(time for time, _ in rows),
        "10:00",
    ]
    assert parsed.records[2].authors == (Person("Anna Vell", "Quill Institute", "Norland"),)


def test_lines_of_talks_in_columns() -> None:
    """A talk has the lines of its row, also where its time stands on a line of the abstract."""
    parsed = parse_text("easychair", f"{HEAD}{table(*ROWS['with abstracts'])}{FOOT}")
    spans = [(record.line_start, record.line_end) for record in parsed.records]
    assert spans == [(5, 11), (13, 19), (21, 26), (29, 29)]
    assert [record.abstract for record in parsed.records[:3]] == [f"{PROSE}\n\n{PROSE}"] * 3


def test_list_above_columns() -> None:
    """A list in the free text of a session is read as in other dumps."""
    free = "\n      What we do:\n\n        * knead\n        * bake\n"
    parsed = parse_text("easychair", f"{HEAD}{free}{table(*ROWS['without abstracts'])}{FOOT}")
    assert (parsed.records[0].session_description, parsed.rejects) == ("What we do:\nknead\nbake", ())


def test_columns_that_fit_no_rows() -> None:
    """Where a line is lost and no time is in the middle of a row, nothing is lost in silence."""
    lines = table(*ROWS["with abstracts"]).split("\n")
    text = f"{HEAD}" + "\n".join((*lines[:1], lines[1].replace("Hot", "zzqx"), *lines[3:])) + FOOT
    parsed = parse_text("easychair", text)
    assert "zzqx" in "".join([*(reject.text for reject in parsed.rejects), *(str(r.title) for r in parsed.records)])
