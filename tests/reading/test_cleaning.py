"""Published texts hold no characters that fool a terminal or a reader."""

import pytest

from pipeline.reading.cleaning import lines, one_line, paragraphs
from tests.support.toy import Desk


@pytest.mark.parametrize(
    ("printed", "clean"),
    [
        ("Foam in Tanks", "Foam in Tanks"),
        ("Foam\x1b[31m in\x07 Tanks", "Foam [31m in Tanks"),
        ("Foam\x1cin\x9bTanks", "Foam in Tanks"),
        ("\u202eFoam\u202c in \u2066Tanks\u2069", "Foam in Tanks"),
        ("Schaum in Bäder\u200dn", "Schaum in Bäder\u200dn"),
        ("\x1b\u202e", None),
    ],
)
def test_control_characters_and_turns(printed: str, clean: str | None) -> None:
    """Control characters become blanks, bidi controls are removed, and joiners stay."""
    assert (one_line(printed), paragraphs(printed), lines(printed)) == (clean, clean, clean)


def test_a_cleaned_record_has_a_note(desk: Desk) -> None:
    """A cleaned record has a note, whichever text it was, also if JSON wrote the character as an escape."""
    desk.put("fair/a.txt", {"title": "Foam\u202e", "event": "E"}, {"title": "Rye", "event": "E", "room": "A\x1bB"})
    desk.put("fair/b.txt", {"title": "Oat", "event": "E"})
    desk.run("fair")
    table = desk.table("records", "fair").sort("title")
    noted = table["notes"].list.contains("controls_removed").to_list()
    assert (table["title"].to_list(), table["room"].to_list(), noted) == (
        ["Foam", "Oat", "Rye"],
        [None, None, "A B"],
        [True, False, True],
    )


def test_a_damaged_byte_is_told(desk: Desk) -> None:
    """A byte that is no text costs its record one character; the record has a note, the byte is in quarantine."""
    desk.put("fair/a.txt", {"title": "Café~ ale", "event": "E"}, {"title": "Naïve rye", "event": "E"})
    file = desk.raw / "fair" / "a.txt"
    file.write_bytes(file.read_bytes().replace(b"~", b"\xe9"))
    desk.run("fair")
    table = desk.table("records", "fair").sort("title").select("title", "notes").rows()
    held = desk.table("quarantine", "fair").select("line_start", "stage", "reason").rows()
    assert (table, held) == (
        [
            ("Café� ale", ["abstract_missing", "authors_missing", "character_lost"]),
            ("Naïve rye", ["abstract_missing", "authors_missing"]),
        ],
        [(1, "snapshot", "decode_error")],
    )
