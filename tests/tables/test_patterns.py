"""Several fields in one element: its lines, and patterns with holes."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from parsers._ledger.lines import record_rule
from parsers._ledger.page import Page
from parsers._tables.patterns import PatternError, lines_of, match_lines, parse_patterns
from parsers._words.people import people_of
from tests.support.cost import LIMIT, growth

READERS: dict[str, Callable[[str], Any]] = {
    "people": people_of,
    "times": lambda text: text if re.fullmatch(r"[\d:]+(?: - [\d:]+)?", text) else None,
    "starts": lambda text: text if re.fullmatch(r"[\d:]+(?: pm)?", text) else None,
}


def lines(markup: str, without: str = "article") -> list[str]:
    """Return the texts of the lines of an element."""
    page = Page(f"<html><body><div>{markup}</div></body></html>")
    (element,) = page.root.iterfind(".//div")
    return [line.text for line in lines_of(element, set(page.root.iterfind(f".//{without}")))]


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ("Time: <b>9:30</b> - 10:00<br>Room <i>Pot</i>", ["Time: 9:30 - 10:00", "Room Pot"]),
        ("a<p>b <b>c<br>d</b> e</p>f", ["a", "b c", "d e", "f"]),
        ("a<article>other</article>b<b><article>x</article>c</b>", ["a", "b", "c"]),
        ("a <!-- no -->b<script>x</script> c", ["a b c"]),
        ("a<b> b </b>c", ["a b c"]),
        ("a <b>b <i>c</i></b>) d<b><i> e </i></b>f <b>g<i>h</i> </b>i", ["a b c) d e f gh i"]),
        (" <br> <p> </p>", []),
    ],
)
def test_lines(markup: str, texts: list[str]) -> None:
    """Line breaks and block elements end a line; text of another table's elements is not part of it."""
    assert lines(markup) == texts


def test_what_a_line_claims() -> None:
    """Claiming a line claims only its text: the rest of the element stays unexplained."""
    page = Page("<html><body><div>Room <b>Pot</b> now<br>later<p>x</p>y</div></body></html>")
    (element,) = page.root.iterfind(".//div")
    first, _, _, last = lines_of(element)
    for line in (first, last):
        line.claim(page, record_rule("item"))
    assert [span.text for span in page.account().unexplained] == ["later", "x"]


@pytest.mark.parametrize(
    ("pattern", "line", "values"),
    [
        ("{title}", "Foam", {"title": "Foam"}),
        ("Session {code}: {title}", "Session 1A: Foam: a Study", {"code": "1A", "title": "Foam: a Study"}),
        ("{title} ({people})", "Foam (Ada Quill)", {"title": "Foam", "people": 1}),
        ("{title} ({people})", "Foam (wet) (Ada Quill)", None),
        ("{title} by {people} [{}]", "Foam by the Sea by Ada Quill [20]", None),
        ("{title} [{}]", "Foam [20]", {"title": "Foam", "": ["20"]}),
        ("Room {room}", "Rooms", None),
        ("Room {room}", "Room ", None),
        ("({title})", "(Foam", None),
        ("Break", "Break", {}),
        ("{times} {title}", "9:30 - 10:00 Foam", {"times": "9:30 - 10:00", "title": "Foam"}),
        ("{times} - {title}", "9:30 - 10:00 - Foam - 3", {"times": "9:30 - 10:00", "title": "Foam - 3"}),
        ("{starts} {title}", "9:30 pm Foam 10:00", {"starts": "9:30 pm", "title": "Foam 10:00"}),
        ("{starts} {title}", "Foam", None),
        ("Break", "Break now", None),
    ],
)
def test_patterns(pattern: str, line: str, values: dict[str, object] | None) -> None:
    """A hole ends at the first occurrence of the words after it where its reader accepts; there is no backtracking."""
    (made,) = parse_patterns([pattern])
    found = made.match(line, READERS)
    if found and "people" in found:
        found["people"] = len(found["people"])
    assert found == values


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (
            "{title}{people}",
            "expected words between the holes of '{title}{people}', which tell where the first one ends",
        ),
        ("{title", "expected a closing brace for each opening one in '{title'"),
        (" ", "expected words or a hole, found an empty pattern"),
    ],
)
def test_invalid_patterns(pattern: str, message: str) -> None:
    """An invalid pattern is an error that says what was expected."""
    with pytest.raises(PatternError) as caught:
        parse_patterns([pattern])
    assert str(caught.value) == message


def found(markup: str, *patterns: str, filled: tuple[str, ...] = ()) -> list[dict[str, object]]:
    """Return what patterns find in the lines of an element."""
    page = Page(f"<html><body><div>{markup}</div></body></html>")
    (element,) = page.root.iterfind(".//div")
    return [values for _, values in match_lines(list(lines_of(element)), parse_patterns(patterns), {}, filled)]


def test_patterns_are_tried_in_order() -> None:
    """Each pattern matches at most once and no field is filled twice: authors never replace a title."""
    assert found("Foam<br>Ada Quill", "{title} (BEST)", "{title}", "{people}") == [
        {"title": "Foam"},
        {"people": "Ada Quill"},
    ]
    assert found("Foam (BEST)<br>Ada Quill", "{title} (BEST)", "{title}", "{people}")[1] == {"people": "Ada Quill"}
    assert found("Ada Quill<br>more", "{title}", "{people}", filled=("title",)) == [{"people": "Ada Quill"}]
    assert found("x<br>Room Pot", "Room {room}") == [{"room": "Pot"}]


def test_time_is_linear() -> None:
    """A megabyte of the words that end a hole, and a thousand holes, take linear time."""

    def fill(size: int) -> list[dict[str, object]]:
        return found("a - " * size + "(Ada", "{title} - {people} - {room}", "{title} ({people})")

    def fill_many(size: int) -> list[dict[str, object]]:
        return found("a - " * (size // 3) + "b", " - ".join(f"{{f{place}}}" for place in range(size)))

    assert (fill(250_000), fill_many(1_000)) == ([], [])
    assert growth(fill, 25_000) < LIMIT
    assert growth(fill_many, 100) < LIMIT
