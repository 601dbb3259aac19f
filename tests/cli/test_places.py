"""The account of every line, text of a page and key of data: in the ledgers, and in the output of ``parse``."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from lxml import etree

from parsers._contract import Format, Source
from parsers._ledger.data import Data
from parsers._ledger.document import Document
from parsers._ledger.fields import FieldError
from parsers._ledger.lines import Boilerplate, Classification, LineClass, Lines, Place, heading_rule, record_rule
from parsers._ledger.page import Page
from pipeline.cli.places import count_lines
from schemas.items import Item, Record
from tests.support.said import Said
from tests.support.toy import FAIR, Desk
from tests.support.toy import parse as parse_toy

RECORD, HEADING, BOILERPLATE = LineClass.RECORD, LineClass.HEADING, LineClass.BOILERPLATE
REJECTED, UNEXPLAINED = LineClass.REJECTED, LineClass.UNEXPLAINED
TITLE = record_rule("title")
DAY = heading_rule("day", 2)
MENU = Boilerplate({"menu": "Home|Contact"})
CLOSE = Classification("short", "title", 4, "room", 1)
SURE = Classification("time", "slot", 0, None, None)
HAY = '{"title": "Hay", "event": "E"}'


def read_titles(data: Data) -> None:
    """Read the items as a parser does: the title of each, or a reject."""
    for place, value in enumerate(data.value, 1):
        try:
            data.open_item(value, place).text("title")
        except FieldError as error:
            data.reject(place, value, error)


def find(page: Page, tag: str) -> etree._Element:
    """Return the first element of a tag."""
    return next(page.root.iter(tag))


# The ledgers


def test_lines_tell_all_they_know() -> None:
    """Every line with text: number, class, rule, how it was read, and its text set in as it is printed."""
    lines = Lines("Monday\n\n  Foam  \nHome\nzzqx")
    lines.claim(1, DAY)
    lines.claim(3, TITLE)
    lines.claim_boilerplate(4, MENU)
    lines.tell(3, CLOSE)
    assert list(lines.places()) == [
        Place(1, HEADING, "day", None, "Monday", 2),
        Place(3, RECORD, "title", CLOSE, "  Foam"),
        Place(4, BOILERPLATE, "menu", None, "Home"),
        Place(5, UNEXPLAINED, None, None, "zzqx"),
    ]


def test_how_a_line_was_read_claims_nothing() -> None:
    """The last word of the parser stands; the line is as unexplained as before."""
    lines = Lines("Foam")
    lines.tell(1, SURE)
    lines.tell(1, CLOSE)
    assert (lines.reading_of(1), lines.reading_of(0), lines.account().by_class) == (CLOSE, None, {UNEXPLAINED: 1})


def test_a_page_tells_its_texts_in_page_order() -> None:
    """Each piece with its tag: what stands behind an element comes after what is inside, and is of what is around."""
    page = Page(
        '<body><h2>Monday</h2>\n<p class="talk big">Foam <i>in</i>  Tanks</p>\n<a>Home</a>zzqx<style>x</style></body>'
    )
    page.claim(find(page, "h2"), DAY)
    page.claim(find(page, "p"), TITLE)
    page.claim_boilerplate(find(page, "a"), MENU)
    page.tell(find(page, "p"), CLOSE)
    page.tell(find(page, "i"), SURE)
    assert list(page.places()) == [
        Place(1, HEADING, "day", None, "<h2> Monday", 2),
        Place(2, RECORD, "title", CLOSE, "<p.talk> Foam"),
        Place(2, RECORD, "title", SURE, "<i> in"),
        Place(2, RECORD, "title", CLOSE, "<p.talk> Tanks"),
        Place(3, BOILERPLATE, "menu", None, "<a> Home"),
        Place(3, UNEXPLAINED, None, None, "<body> zzqx"),
    ]
    assert (page.reading_of(find(page, "p")), page.reading_of(find(page, "h2"))) == (CLOSE, None)


def test_a_feed_that_is_cut_tells_its_rest() -> None:
    """Tags are shown without their name space; what could not be read is one rejected place."""
    page = Page('<f xmlns="u:x">\n<e>Foam</e>\n<e>Tan', xml=True, items=("e",))
    assert list(page.places()) == [
        Place(2, UNEXPLAINED, None, None, "<e> Foam"),
        Place(3, REJECTED, "cut", None, "<e>Tan"),
    ]


def test_a_page_tells_its_data_too() -> None:
    """The keys of data that stand in a page come after its text."""
    page, data = Page("<p>Foam</p>"), Data('[{"title": "Tanks"}]')
    page.embed(data)
    data.open(data.value[0], 1)
    assert [each.text for each in page.places()] == ["<p> Foam", 'title: "Tanks"']


def test_data_tell_their_keys_as_they_stand() -> None:
    """Keys with a value and their paths; what is inside an object stands behind its key, though opened later."""
    value = {"a": 1, "who": [{"name": "Ann", "box": {"x": 0}}], "empty": None, "zzqx": True}
    data = Data(json.dumps({"papers": [value]}))
    around, item = data.value, data.value["papers"][0]
    fields = data.open(item, 1)
    fields.ignore(["a"])
    fields.either("who")
    data.open(item["who"][0], 1).text("name")
    data.open(item["who"][0]["box"], 1)
    data.open(around, 0).items("papers")
    assert [(each.number, each.line_class, each.rule, each.text) for each in data.places()] == [
        (0, RECORD, "papers", f"papers: {json.dumps([value])}"),
        (1, BOILERPLATE, "a", "a: 1"),
        (1, RECORD, "who", f"who: {json.dumps(value['who'])}"),
        (1, RECORD, "name", 'who.name: "Ann"'),
        (1, UNEXPLAINED, None, 'who.box: {"x": 0}'),
        (1, UNEXPLAINED, None, "who.box.x: 0"),
        (1, UNEXPLAINED, None, "zzqx: true"),
    ]


def test_a_rejected_item_is_one_place() -> None:
    """Where it stands among the others, with its reason, be it an object or not."""
    data = Data('[7, {"title": 8}, {"title": "Foam"}]')
    read_titles(data)
    assert list(data.places()) == [
        Place(1, REJECTED, "invalid_value", None, "7"),
        Place(2, REJECTED, "invalid_value", None, '{"title": 8}'),
        Place(3, RECORD, "title", None, 'title: "Foam"'),
    ]


def test_data_nested_deeply_are_told() -> None:
    """As deeply as Python reads them, inside what nobody opened too."""
    data = Data('[{"zzqx": ' + '{"a": ' * 900 + "1" + "}" * 900 + "}]")
    data.open(data.value[0], 1)
    assert [each.number for each in data.places()] == [1]


# parse --lines


def parse_priced(document: Document) -> Iterator[Item]:
    """Read the lines of a toy, and tell of each how it was read."""
    for number, text in document.lines.texts():
        document.lines.tell(number, SURE if text.startswith("{") else CLOSE)
    yield from parse_toy(document)


def fair_read_by(parse: Callable[[Document], Iterator[Item]]) -> dict[str, Source]:
    """Return the fair as a source that is read by another parser."""
    return {"fair": replace(FAIR, formats=(replace(FAIR.formats[0], parse=parse),))}


def test_parse_prints_what_became_of_each_line(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One row a line with text: number, class, rule, text; no records; what was held back is told beside it."""
    file = desk.put("fair/a.txt", HAY, "", "  junk", '{"cut', *[""] * 7, HAY)
    said = Said(capsys, "parse", "--lines", file)
    assert (said.code, said.out) == (
        0,
        [
            "number  class        rule             text",
            f"     1  record       line             {HAY}",
            "     3  unexplained  -                  junk",
            '     4  rejected     incomplete_item  {"cut',
            f"    12  record       line             {HAY}",
        ],
    )
    counts = ["unexplained: 1", "rejected: 1 (incomplete_item 1)", "record: 2 (line 2)"]
    assert said.err[:4] == ["format: fair, json lines; 1 records, 4 lines", *counts]
    assert [line.split(":")[1] for line in said.err[4:]] == [" 2 (incomplete_item 1, unexplained_line 1)", "4", "3"]


def test_parse_prints_prices_and_the_next_reading(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the parser told them; the role stands for the rule of a line that nobody claimed."""
    known = fair_read_by(parse_priced)
    said = Said(capsys, "parse", "--lines", desk.put("fair/a.txt", HAY, "junk"), known=known)
    assert said.out == [
        "number  class        rule   price  next     text",
        f"     1  record       line   0      -        {HAY}",
        "     2  unexplained  title  4      +1 room  junk",
    ]
    assert said.err[3].startswith("price: how badly the line fits its rule, 0 is best; next: ")


def test_parse_prints_lines_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One object a line, with the form too, its text whole."""
    known = fair_read_by(parse_priced)
    long = f"\t{'junk' * 99}"
    said = Said(capsys, "parse", "--lines", "--json", desk.put("fair/a.txt", HAY, long), known=known)
    assert not said.err[1].startswith("price")
    read = {"form": "short", "role": "title", "price": 4, "other": "room", "margin": 1}
    assert [json.loads(line) for line in said.out][1] == {
        "number": 2,
        "class": "unexplained",
        "rule": None,
        **read,
        "text": long,
    }


def test_parse_cuts_the_text_of_a_line(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To what a terminal shows, else to a hundred characters; what would move a cursor is written as an escape."""
    file = desk.put("fair/a.txt", HAY, "\tjunk" * 99)
    piped = Said(capsys, "parse", "--lines", file).out[-1]
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    shown = Said(capsys, "parse", "--lines", file).out[-1]
    assert (len(piped), len(shown)) == (len("     2  unexplained  -     ") + 100, 60)
    assert shown.split()[-1] == r"\tjunk\tjunk\tjunk\tjunk\tjunk\tj"


def test_parse_prints_the_lines_of_what_is_refused(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What became of them, as in the account of a run; what else they could be; then the error, exit code 1."""
    said = Said(capsys, "parse", "--lines", file := desk.put("fair/a.txt", "total 3", "junk"))
    assert (said.code, said.out, said.err) == (
        1,
        [
            "number  class        rule  text",
            "     1  record       line  total 3",
            "     2  unexplained  -     junk",
        ],
        [
            "format: fair, json lines; 0 records, 2 lines",
            "unexplained: 1",
            "record: 1 (line 1)",
            "held back: 2 (unexplained_line 1, count_mismatch 1)",
            f"{file}:2: unexplained_line: no rule claimed it: 'junk'",
            f"{file}:1: count_mismatch: the page declares 3 entries, 0 were parsed: 'total 3'",
            "json lines: recognised, expects JSON objects; if read anyway: 0 records, 0 rejected, 1 of 2 unexplained",
            f"failed: {desk.raw}/fair/a.txt:1: empty_result: recognised as json lines, but no records were found "
            "and the page does not say that it is empty; declared: the page declares 3 entries but shows 0",
        ],
    )


def test_a_page_whose_only_item_is_rejected(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It fails for the reason of that item, with its line; exit code 1, a red run."""
    file = desk.put("fair/a.txt", "", '{"title": "Hay"')
    error = "2: incomplete_item: Expecting ',' delimiter: line 1 column 16 (char 15)"
    said = Said(capsys, "parse", file)
    assert (said.code, said.out, said.err[-1]) == (1, [], f"failed: {file}:{error}")
    run = desk.run()
    assert (run.good, run.outcomes[0].error) == (False, f"fair/a.txt:{error}")
    assert desk.table("quarantine", "fair")["reason"].unique().to_list() == ["incomplete_item"]


def parse_data(document: Document) -> Iterator[Item]:
    """Refuse data before anything of it is looked at."""
    raise document.error(1, "declined", f"expected a list, found {type(document.data.value).__name__}")
    yield


def test_parse_prints_the_lines_of_data_that_are_refused_unread(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the ledger has nothing to tell yet, the lines of the file stand for it."""
    known = fair_read_by(parse_data)
    said = Said(capsys, "parse", "--lines", desk.put("fair/a.txt", '{"a":', "1}"), known=known)
    assert (said.code, said.out[1:]) == (1, ['     1  unexplained  -     {"a":', "     2  unexplained  -     1}"])


@pytest.mark.parametrize(("name", "code"), [("gone.txt", 2), ("empty.txt", 1)])
def test_parse_of_a_file_without_lines(desk: Desk, capsys: pytest.CaptureFixture[str], name: str, code: int) -> None:
    """What cannot be read at all has no lines: the error alone."""
    desk.put("fair/empty.txt", "")
    said = Said(capsys, "parse", "--lines", desk.raw / "fair" / name)
    assert (said.code, said.out, len(said.err)) == (code, [], 1)


def parse_page(document: Document) -> Iterator[Item]:
    """Read the headings of a page."""
    for heading in document.page.root.iter("h2"):
        document.page.claim(heading, DAY)
        yield Record(line_start=1, line_end=1, title=heading.text)


def test_parse_prints_what_is_unexplained_first(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a page, which has no lines that one would follow; then how much each rule claimed."""
    known = fair_read_by(parse_page)
    file = desk.put("fair/a.html", "{<h2>Monday</h2>", "<p>zzqx</p>", "<h2>Friday</h2>")
    said = Said(capsys, "parse", "--lines", file, known=known)
    assert [line.split()[-1] for line in said.out] == ["text", "{", "zzqx", "Monday", "Friday"]
    assert said.err[1:3] == ["unexplained: 2", "heading: 2 (day 2)"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<p>Foam</p><p>Tanks</p>", ["<p> Foam", "<p> Tanks"]),
        ("<?xml version='1.0'?><a>Foam</a>", ["<a> Foam"]),
        ("<?xml version='1.0'?><a>Foam", ["<?xml version='1.0'?><a>Foam"]),
    ],
)
def test_parse_prints_the_texts_of_a_page_that_is_refused_unread(
    desk: Desk, capsys: pytest.CaptureFixture[str], text: str, shown: list[str]
) -> None:
    """Where nobody opened it as one; where that cannot be done the lines of the file stand for it."""
    said = Said(capsys, "parse", "--lines", desk.put("fair/a.html", text))
    assert (said.code, [line.partition("-     ")[2] for line in said.out[1:]]) == (1, shown)


def test_parse_tells_what_each_format_finds_in_what_is_refused(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether it recognises it, then what it reads of it all the same: items, an error, a failure."""
    formats = [
        Format(name, "x", lambda _: False, parse)
        for name, parse in (("a", parse_toy), ("b", parse_data), ("c", parse_page))
    ]
    known = {"fair": replace(FAIR, formats=tuple(formats))}
    said = Said(capsys, "parse", "--lines", desk.put("fair/a.txt", "break"), known=known)
    long = Said(capsys, "parse", "--lines", desk.put("fair/a.txt", *["total of it"] * 500), known=known)
    unread = "not recognised, expects x"
    assert said.err[1:4] == [
        f"a: {unread}; if read anyway: the parser fails with ZeroDivisionError",
        f"b: {unread}; if read anyway: malformed in line 1: expected JSON: Expecting value at column 1",
        f"c: {unread}; if read anyway: 0 records, 0 rejected, 1 of 1 unexplained",
    ]
    assert f"c: {unread}; if its beginning is read anyway: 0 records, 0 rejected, 1 of 1 unexplained" in long.err
    assert (len(long.out), "and 490 more lines; --all prints every line" in long.err) == (11, True)


def test_parse_prints_the_ten_lines_that_matter(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What nothing explains before what was held back, in the order of the page; with ``--all`` every line."""
    file = desk.put("fair/a.txt", '{"cut', *["junk"] * 9, *['{"cut'] * 5, *[HAY] * 5)
    few, whole = (Said(capsys, "parse", "--lines", *more, file) for more in ((), ("--all",)))
    assert [line.split()[:2] for line in few.out[1:]] == [
        ["1", "rejected"],
        *([str(number), "unexplained"] for number in range(2, 11)),
    ]
    assert (few.err[1:4], few.err[4]) == (
        ["unexplained: 9", "rejected: 6 (incomplete_item 6)", "record: 5 (line 5)"],
        "and 10 more lines; --all prints every line",
    )
    assert (len(whole.err), len(whole.out)) == (14, 21)


def test_what_is_no_defect_of_a_parser_is_not_hidden(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A parser is a pure function: an error of the system is not one that it makes of a strange document."""

    def fail(_: Document) -> Iterator[Item]:
        raise OSError(13, "Permission denied")

    known = {"fair": replace(FAIR, formats=(Format("a", "x", lambda _: False, fail),))}
    with pytest.raises(OSError, match="Permission denied"):
        Said(capsys, "parse", "--lines", desk.put("fair/a.txt", "x"), known=known)


def test_counts_by_rule_name_the_most_common() -> None:
    """The others are counted."""
    places = [Place(1, RECORD, f"key{number}", None, "x") for number in range(14) for _ in range(15 - number)]
    (line,) = count_lines(places)
    assert (line.startswith("record: 119 (key0 15, key1 14, "), line.endswith("key11 4, and 2 more)")) == (True, True)
