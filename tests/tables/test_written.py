"""Tables in a file: what they may contain, and the errors for the rest."""

from datetime import datetime, time, timedelta
from typing import Any

import pytest

from parsers._ledger.page import Page
from parsers._tables.selectors import TableError
from parsers._tables.table import Match, read_elements
from parsers._tables.written import compile_tables, people_in
from parsers._words.years import Day
from schemas.items import Person

KINDS = ("paper", "break")
DEEP = "a ." * 20_000
TALK = '[talk]\nat = "li"\n'


def values(table: str, markup: str) -> list[dict[str, Any]]:
    """Return the non-empty values that tables find."""
    found = read_elements(Page(f"<html><body>{markup}</body></html>"), *compile_tables(table, KINDS).levels)
    return [{name: value for name, value in each.values.items() if value} for each in found if isinstance(each, Match)]


@pytest.mark.parametrize(
    ("row", "printed", "value"),
    [
        ('day = "i"', "Day 1: June 17th", Day(0, 6, 17)),
        ('day = { at = "i", as = "day_month" }', "(17.6.)", Day(0, 6, 17)),
        ('day = { at = "i", as = "month_day" }', "6/17", Day(0, 6, 17)),
        ('day = { at = "i", as = "day_month_year" }', "17/06/26", Day(0, 6, 17, None, 2026)),
        ('day = { at = "i", as = "month_day_year" }', "06-17-2026", Day(0, 6, 17, None, 2026)),
        ('day = { at = "i", as = "year_month_day" }', "2026 06 17", Day(0, 6, 17, None, 2026)),
        ('day = { at = "i", as = "day_month" }', "17.13.", None),
        ('day = { at = "i", as = "day_month" }', "17.6.2026", None),
        ('day = { at = "i", as = "day_month" }', "soon", None),
        ('times = "i"', "9:30 - 10:00", (time(9, 30), time(10))),
        ('times = "i"', "9:30 –", (time(9, 30), None)),
        ('times = "i"', "all day", None),
        ('starts = "i"', "9:30 am", "9:30 am"),
        ('starts = "i"', "2026-06-17T09:30", datetime(2026, 6, 17, 9, 30)),
        ('starts = "i"', "2026-06-17T09:30Z", None),
        ('duration = "i"', "20", timedelta(minutes=20)),
        ('duration = "i"', "1h30m", timedelta(minutes=90)),
        ('people = "i"', "Ada Quill and Bo Ferns", ((Person("Ada Quill"), Person("Bo Ferns")),)),
        ('people = { at = "i", as = "name_place" }', "Ada Quill, Tarn", ((Person("Ada Quill", "Tarn"),),)),
        ('people = { at = "i", often = "one" }', "Ada Quill", (Person("Ada Quill"),)),
        ('id = "i"', "a-7", "a-7"),
    ],
)
def test_fields(row: str, printed: str, value: object) -> None:
    """Each field has its reader; ``as`` chooses another where the print is ambiguous."""
    (found,) = values(f'{TALK}title = "b"\n{row}', f"<li><b>Foam</b> <i>{printed}</i></li>")
    assert found.get(row.partition(" ")[0]) == value


def test_people_of_one_text_or_several() -> None:
    """``people_in`` takes people or tuples of people."""
    ada, bo = Person("Ada Quill"), Person("Bo Ferns")
    assert [list(people_in(value)) for value in (((ada,), (bo,)), (ada, bo), None)] == [[ada, bo], [ada, bo], []]


def test_tables_of_one_level() -> None:
    """Two layouts of a session are on one level, and a break ends the session above it."""
    table = """
    [[session]]
    at = "h3"
    flat = true
    title = ""
    [[session]]
    at = "h4"
    flat = true
    title = ""
    [item]
    at = "p"
    flat = true
    title = ""
    kind = "break"
    [talk]
    at = "li"
    title = ""
    """
    compiled = compile_tables(table, KINDS)
    markup = "<h3>Hulls</h3><li>Foam</li><h4>Ropes</h4><li>Knots</li><p>Lunch</p><li>Maps</li>"
    found = list(read_elements(Page(f"<html><body>{markup}</body></html>"), *compiled.levels))
    assert [(each["title"], each.inside and each.inside["title"]) for each in found if isinstance(each, Match)] == [
        ("Hulls", None),
        ("Foam", "Hulls"),
        ("Ropes", None),
        ("Knots", "Ropes"),
        ("Lunch", None),
        ("Maps", "Lunch"),
    ]
    assert set(compiled.kinds.values()) == {"break"}


def test_what_is_ignored_on_the_whole_page() -> None:
    """Selectors ignored by the page also apply inside elements of other tables."""
    table = f'[page]\nignored = ["nav", ".ad"]\n{TALK}title = "b"\nignored = "u"\n'
    page = Page("<html><body><nav>Home</nav><li><b>Foam</b><i class=ad>Buy</i><u>x</u></li><s>y</s></body></html>")
    list(read_elements(page, *compile_tables(table, KINDS).levels))
    assert [span.text for span in page.account().unexplained] == ["y"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[talk", "expected valid TOML: "),
        ('talk = {}\n[grid]\nat = "div"', "[grid] rows: expected a selector, found ''"),
        ('talk = {}\n[grid]\nat = "div"\nrows = "p["', "[grid] rows: expected a CSS selector, found 'p['"),
        ('talk = {}\n[grid]\ncels = "p"', "[grid]: expected its rows at, rows, cells, wide, found 'cels'; did you"),
        ("talk = {}\ngrid = 7", '[grid]: expected rows such as at = "div.grid", found 7'),
        (
            'talk = {}\n[[grid]]\nat = "p"\n' + "[[grid]]\n" * 200,
            "[grid]: expected at most 200 of these tables, found 201",
        ),
        (
            "[tlak]",
            "expected the tables page, day, slot, session, talk, item, column, row, grid, found 'tlak'; did you mean"
            " 'talk'?",
        ),
        ('[day]\nat = "h2"', "expected a table session, talk or item, found none: nothing else becomes a record"),
        ("talk = 7", '[talk]: expected rows such as at = "tr", found 7'),
        ('[talk]\ntitle = "b"', "[talk] at: expected a selector, found None"),
        ('[talk]\nat = ""\ntitle = "b"', "[talk] at: expected a selector, found ''"),
        (f'{TALK}flat = "yes"', "[talk] flat: expected true or false, found 'yes'"),
        (f"{TALK}ignored = 7", "[talk] ignored: expected a selector or a list of them, found 7"),
        (TALK, "[talk]: expected a row title, or a pattern with {title}"),
        (f'{TALK}titel = "b"', "[talk]: expected its rows title, code, "),
        (f"{TALK}title = 7", "[talk] title: expected a selector or { at = .., as = .. }, found 7"),
        (
            f'{TALK}title = {{ att = "b" }}',
            "[talk] title: expected its parts at, often, as, lines, joint, cut, words, after, is, name, place, found ",
        ),
        (f"{TALK}title = {{ at = 7 }}", "[talk] title: at: expected a selector, found 7"),
        (f'{TALK}title = "b:::c"', "[talk] title: expected a CSS selector, found 'b:::c': "),
        (
            f'{TALK}title = {{ at = "b", often = "two" }}',
            "[talk] title: often: expected one of one, maybe, many, found ",
        ),
        (
            f'{TALK}title = {{ at = "b", as = "x" }}',
            "[talk] title: as: expected nothing: it is read in one way, found 'x'",
        ),
        (f'{TALK}day = {{ at = "b", as = "x" }}', "[talk] day: as: expected one of day_month, "),
        (f'{TALK}head = {{ lines = "x" }}', "[talk] head: lines: expected a list of patterns, found 'x'"),
        (f'{TALK}head = {{ lines = ["{{titel}}"] }}', "[talk] head: lines: expected fields title, "),
        (f'{TALK}head = {{ lines = ["{{title"] }}', "[talk] head: lines: expected a closing brace"),
        (f'{TALK}head = {{ lines = ["{{title}}"], as = "x" }}', "[talk] head: as: expected readers by field, such as "),
        (
            f'{TALK}head = {{ lines = ["{{title}}"], as = {{ day = "x" }} }}',
            "[talk] head: expected its holes title, found ",
        ),
        (
            f'{TALK}title = "b"\nkind = "poster"',
            "[talk] kind: expected one of paper, break, found 'poster'; a poster is a paper with type = ",
        ),
        (f'{TALK}times = {{ at = "i", after = "x" }}', "[talk] times: after: expected a time of day such as"),
        (f'{TALK}title = {{ at = "b", after = "7:00" }}', "[talk] title: after: expected a time of day such as"),
        (f'{TALK}title = {{ at = "b", cut = "x" }}', "[talk] title: cut: expected a list of texts, found 'x'"),
        (
            TALK + 'title = { at = "b", cut = [' + "'a'," * 201 + "] }",
            "[talk] title: cut: expected at most 200 texts, found 201",
        ),
        (
            f'{TALK}title = "b"\nday = {{ at = "i", words = ["Friday"] }}',
            "[talk] day: words: expected texts such as { friday = ",
        ),
        (f'{TALK}title = {{ at = "b", joint = 1 }}', "[talk] title: joint: expected a text, found 1"),
        (f'{TALK}title = {{ at = "b", name = "i" }}', "[talk] title: name: expected in people and chairs only"),
        (
            f'{TALK}title = "b"\npeople = {{ at = "b", place = "i" }}',
            "[talk] people: place: expected a selector name beside it",
        ),
        (
            f'{TALK}title = "b"\npeople = {{ at = "b", name = "i:::x" }}',
            "[talk] people: expected a CSS selector, found 'i:::x': ",
        ),
        (f'{TALK}title = "b"\nday = {{ is = "tea" }}', "[talk] day: is: expected a valid value, found 'tea'"),
        (f'{TALK}title = {{ is = "Foam", at = "b" }}', "[talk] title: expected its parts is, as, found 'at'"),
        (f'{TALK}title = "b"\nkind = "tea"', "[talk] kind: expected one of paper, break, found 'tea'"),
        ('[talk]\nat = "li:::x"\ntitle = "b"', "[talk]: expected a CSS selector, found 'li:::x': "),
        (TALK + "".join(f'x{place} = "b"\n' for place in range(201)), "[talk]: expected at most 200 rows, found 202"),
        (
            f'{TALK}title = "b"\n{DEEP}a = 1',
            "line 4: expected a key such as title, found one of more than 20 ",
        ),
        (
            f'[{DEEP}a]\n{TALK}title = "b"',
            "line 1: expected a key such as title, found one of more than 20 ",
        ),
        (
            f"{TALK}title = {{ {DEEP}a = 1 }}",
            "line 3: expected a key such as title, found one of more than 20 ",
        ),
        (f"# {'x' * 100_000}\n{TALK}", f"expected at most 100000 characters, found {100_003 + len(TALK)}"),
        (
            f'{TALK}title = "b"\nignored = "{", ".join(["i"] * 501)}"',
            "[talk]: expected at most 500 selectors of 1000 characters, found 501 with 1501 characters: 'i, i, ",
        ),
        (f'{TALK}title = "{"b " * 501}"', "[talk] title: expected at most 500 selectors of 1000 characters, found 1 "),
        (f'{TALK}title = "b{":not(c" * 120}{")" * 120}"', "[talk] title: expected a CSS selector, found 'b:not(c:"),
        (
            TALK + "head = { lines = [" + "'{title}', " * 201 + "] }",
            "[talk] head: lines: expected at most 200 patterns, found 201",
        ),
        ('[[talk]]\nat = "li"\ntitle = "b"\n' * 201, "[talk]: expected at most 200 of these tables, found 201"),
    ],
)
def test_tables_with_slips(table: str, message: str) -> None:
    """The message names table, row and expectation, with a similar name."""
    with pytest.raises(TableError) as caught:
        compile_tables(table, KINDS)
    assert str(caught.value).startswith(message)


def test_dots_that_are_no_key() -> None:
    """Comments and texts may have as many dots as they like."""
    table = f'# {"." * 100}\n{TALK}title = "b"\nhead = {{ at = "i", lines = ["{"." * 100} {{room}}"] }}'
    assert values(table, f"<li><b>Foam</b><i>{'.' * 100} Hall</i></li>") == [{"title": "Foam", "room": "Hall"}]
