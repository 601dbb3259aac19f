"""A source started by ``conspectus new``: the guesses about a page, the files written, and that they yield records."""

import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from parsers._contract import Source
from parsers._ledger.document import Document
from pipeline.drafting.outline import Guess, outline_data, outline_lines, outline_page, shape_of
from pipeline.drafting.stub import Inventor, stub_data
from pipeline.reading.parse import Parsed
from tests.support.helpers import parse_document
from tests.support.said import Said

TALK = """<div class="talk{}" data-id="{}"><h3 class="title"><a href="/t/1">{}</a></h3>
<p class="who"><a href="/p">Ada Quill</a>, <a href="/p">Bo Fern</a></p><span class="time">10:30</span><i></i></div>"""
TITLES = ("Foaming of Bottomless Vessels", "Queueing at Gantries & Derricks", "Cartography of Deltas")
TALKS = "".join(
    TALK.format(" late" * (place == 2), place, title.replace("&", "&amp;")) for place, title in enumerate(TITLES)
)
HTML = f"""<!DOCTYPE html><html><head><title>Workshop</title></head><body>
<ul class="nav"><li><a>Where we all meet again</a></li><li><a>How to travel to us</a></li><li><a>Who pays</a></li></ul>
<div id="x" class="day"><h2>Thursday</h2>{TALKS}</div><script>var talk = "<div>"</script></body></html>"""

EVENTS = [
    {
        "id": place,
        "title": title,
        "starts": f"2025-03-0{place + 1}T09:30:00+01:00",
        "persons": [{"name": "Ada Quill the First of Her Name", "url": "https://who.invalid/1"}] * 3,
        "live": True,
        "note": None,
    }
    for place, title in enumerate(TITLES)
]
DATA = {
    "schedule": {
        "version": "7 of May",
        "conference": {
            "days": [{"index": 0, "rooms": {}}, {"index": 1, "rooms": {"Big Room": EVENTS[:2], "Attic": EVENTS[2:]}}]
        },
    }
}
PATH = "schedule.conference.days[].rooms.*[]"

EVENT = '<event id="{}"><title>{}</title><start>10:30</start><who>Ada Quill</who></event>'
EVENTS_OF_XML = "".join(EVENT.format(*each) for each in enumerate(("Foaming", "Queueing", "Mapping")))
XML = f"<schedule><day>{EVENTS_OF_XML}</day></schedule>"
ATOM = XML.replace("<schedule>", '<schedule xmlns="u:x" xmlns:y="u:y">')

TEXT = """Workshop of Vessels

Thursday
10:30 Foaming of Bottomless Vessels
Chair: Ada Quill

11:00 - 11:30 Queueing at Gantries
Chair: Bo Fern
A workshop."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a folder that looks like a checkout."""
    (tmp_path / "parsers").mkdir()
    return tmp_path


def begin(capsys: pytest.CaptureFixture[str], root: Path, name: str, text: str, *more: str) -> Said:
    """Begin the source ``barn`` from a page."""
    (root / name).write_text(text, encoding="utf-8")
    return Said(capsys, "new", "barn", "--from", root / name, "--into", root, *more)


def read(root: Path, file: Path) -> Parsed:
    """Parse a file with the parser that was written."""
    spec = spec_from_file_location("barn", root / "parsers/barn.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    source: Source = module.SOURCE
    return parse_document(source, Document.from_bytes(f"barn/{file.name}", file.read_bytes()))


def titles_of(parsed: Parsed) -> list[str | None]:
    """Return the titles of the records."""
    return [record.title for record in parsed.records]


def words_in(text: str) -> set[str]:
    """Return the words of some length in a text."""
    return {word.casefold() for word in re.findall(r"[^\W\d_]{4,}", text)}


PAGES: dict[str, tuple[str, list[str]]] = {
    "page.html": (HTML, list(TITLES)),
    "page.json": (json.dumps(DATA), list(TITLES)),
    "page.xml": (XML, ["Foaming", "Queueing", "Mapping"]),
    "atom.xml": (ATOM, ["Foaming", "Queueing", "Mapping"]),
    "page.txt": (TEXT, ["Foaming of Bottomless Vessels", "Queueing at Gantries"]),
    "paragraphs.txt": ("Foaming\nby Ada Quill\n\nQueueing\nby Bo Fern", ["Foaming", "Queueing"]),
    "quoted.txt": ('Title "a": no\nTitle: Foaming\nby A\nTitle: Queueing', ["Foaming", "Queueing"]),
    "list.html": ("<ul><li class='a:b'>x</li>" + "".join(f"<li><b>{each}</b></li>" for each in TITLES), list(TITLES)),
    "titles.html": ("".join(f"<p class='title'>{each}</p>" for each in TITLES[::2]), list(TITLES[::2])),
    "titles.xml": ("<x xmlns='u:x'><title>Foaming</title><title>Queueing</title></x>", ["Foaming", "Queueing"]),
}


@pytest.mark.parametrize("name", PAGES)
def test_the_first_run_shows_records(checkout: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Records with titles of the page, and of the specimen, which has none of the words of the page in its texts."""
    text, titles = PAGES[name]
    said = begin(capsys, checkout, name, text)
    assert (said.code, said.err) == (0, [])
    assert titles_of(read(checkout, checkout / name)) == titles
    specimen = checkout / "raw/barn" / name
    assert 1 < len(titles_of(read(checkout, specimen))) < 4
    assert not words_in(" ".join(titles)) & words_in(specimen.read_text(encoding="utf-8"))


def test_what_is_written(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Parser, tests that say what is missing, specimen with its sidecar; every file is told, and the next command."""
    said = begin(capsys, checkout, "page.html", HTML)
    written = [
        "parsers/barn.py",
        "tests/sources/barn/__init__.py",
        "raw/barn/page.html",
        "raw/barn/page.html.meta.toml",
    ]
    assert said.out[:5] == [*(f"written: {checkout / path}" for path in written), "guessed: 3 items"]
    assert said.out[5:] == [f"next: conspectus parse {checkout / 'page.html'} --source barn --lines"]
    assert (checkout / "tests/sources/barn/fixtures").is_dir()
    facts = (checkout / written[3]).read_text().splitlines()[1:]
    assert facts == ["specimen = true", 'event = "INVENTED 2026"', "year = 2026"]


def test_a_text_needs_layouts(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a text prints is nowhere a whole element or value: its layouts are to be written, and the file says so."""
    said = begin(capsys, checkout, "page.txt", "".join(f"{hour}:30 Foam in Tanks {hour}\n" for hour in range(10, 15)))
    layouts = checkout / "tests/sources/barn/layouts.py"
    assert said.out[-2].endswith("; tests/sources/barn/layouts.py says what is still missing")
    assert "Missing:" in layouts.read_text()


def test_a_listing(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its pages only add, and have no event."""
    begin(capsys, checkout, "page.json", json.dumps(EVENTS), "--family", "listing")
    parser = (checkout / "parsers/barn.py").read_text()
    assert "family=Family.LISTING,\n    page=PageKind.LOG," in parser
    assert "event" not in (checkout / "raw/barn/page.json.meta.toml").read_text()


def test_the_parser_tells_what_the_page_holds(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Candidates first, then what repeats, with counts; unread texts are unexplained."""
    begin(capsys, checkout, "page.html", HTML)
    parser = (checkout / "parsers/barn.py").read_text()
    assert 'Elements("div.talk", one("title", "h3.title"))' in parser
    for line in ("#      6  a  Ada Quill", "#      3  span.time  10:30", "#      3  div.talk  h3.title"):
        assert line in parser.splitlines()
    assert max(map(len, parser.splitlines())) <= 120
    unread = {reject.text for reject in read(checkout, checkout / "page.html").rejects}
    assert {"Ada Quill", "10:30", "Thursday"} < unread


def test_data_of_another_shape_are_refused_or_rejected(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the parser that was written: around the items as a whole, an item alone."""
    begin(capsys, checkout, "page.json", json.dumps(DATA))
    other = checkout / "other.json"
    other.write_text(json.dumps(DATA).replace('"title": "Foaming of Bottomless Vessels"', '"title": ""'))
    assert read(checkout, other).rejects[0].detail.startswith("item 1: title: expected")
    other.write_text(
        '{"days": {"rooms": 7}, "schedule": 8, "conference": 0, "title": 0, "id": 0, "starts": 0, "persons": 0}'
    )
    with pytest.raises(Exception, match="not_this_source: conference: expected an object around it, found 8"):
        read(checkout, other)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Barn", "NAME: expected a module name of lower-case letters, digits and _, found 'Barn'"),
        ("class", "NAME: expected a module name of lower-case letters, digits and _, found 'class'"),
        ("_barn", "NAME: expected a module name of lower-case letters, digits and _, found '_barn'"),
    ],
)
def test_names_that_no_source_can_have(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str, message: str
) -> None:
    """Exit code 2, nothing is written."""
    (checkout / "page.html").write_text(HTML)
    said = Said(capsys, "new", name, "--from", checkout / "page.html", "--into", checkout)
    assert (said.code, said.err, list((checkout / "parsers").iterdir())) == (2, [f"conspectus: {message}"], [])


def test_files_that_are_there_are_kept(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 where a module, a package or another of the files has the name."""
    begin(capsys, checkout, "page.html", HTML)
    again = begin(capsys, checkout, "page.html", HTML)
    (checkout / "parsers/barn.py").unlink()
    (checkout / "parsers/barn").mkdir()
    package = begin(capsys, checkout, "page.html", HTML)
    (checkout / "parsers/barn").rmdir()
    tests = begin(capsys, checkout, "page.html", HTML)
    there = ("parsers/barn.py", "parsers/barn", "tests/sources/barn/__init__.py")
    assert [said.code for said in (again, package, tests)] == [2, 2, 2]
    told = [said.err[0].removeprefix("conspectus: ").split(": already exists; ")[0] for said in (again, package, tests)]
    assert told == [str(checkout / path) for path in there]


def test_no_checkout(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 2 in a folder without parsers/, which is this one where none is given."""
    monkeypatch.chdir(tmp_path)
    said = Said(capsys, "new", "barn", "--from", "page.html")
    told = ".: expected a checkout of conspectus, found no folder parsers/"
    assert (said.code, said.err) == (2, [f"conspectus: {told}"])


def test_a_page_of_no_known_suffix(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, naming those that there are."""
    said = begin(capsys, checkout, "page.pdf", "x")
    told = "expected a file name ending in .txt, .html, .json, .xml, optionally followed by .gz or .zst"
    assert (said.code, said.err) == (2, [f"conspectus: {checkout / 'page.pdf'}: {told}"])


def test_a_page_that_is_not_there(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, as for every file that is named and not there; a folder is no page."""
    (checkout / "folder.html").mkdir()
    found = {"page.html": "none", "folder.html": "a folder"}
    said = [Said(capsys, "new", "barn", "--from", checkout / name, "--into", checkout) for name in found]
    told = [f"conspectus: {checkout / name}: expected a file, found {what}" for name, what in found.items()]
    assert ([each.code for each in said], [each.err for each in said]) == ([2, 2], [[line] for line in told])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("page.json", "{", ":1: malformed: expected JSON"),
        ("page.txt", "", ":1: empty_dump: "),
        (
            "page.html",
            "<p>One lonely paragraph</p>",
            ": expected repeated elements, each with a title, found none",
        ),
        (
            "page.json",
            '{"a": [1, {"b": 2}]}',
            ": expected repeated objects, each with a title or name, found none",
        ),
        ("page.txt", "one", ": expected repeated lines that can be titles, found none; nothing was written"),
    ],
)
def test_pages_of_which_nothing_can_be_made(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, message: str
) -> None:
    """Exit code 1 with file and what was expected; nothing is written."""
    said = begin(capsys, checkout, name, text)
    assert (said.code, list((checkout / "parsers").iterdir())) == (1, [])
    assert said.err[0].startswith(f"failed: {checkout / name}{message}")


# What is guessed


def guess_page(text: str) -> tuple[str, str] | None:
    """Return items and title of a guess of a page."""
    guess = outline_page(etree.HTML(text)).guess
    return (guess.items, guess.title) if guess else None


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        (
            "".join(f"<tr><td>1</td><td><a data-x>{each}</a><a>Ada</a></td></tr>" for each in TITLES),
            ("tr", "a[data-x]"),
        ),
        ("".join(f"<li><b><a>{each}</a></b> <a>Ada Quill</a> and <a>Bo Fern</a>" for each in TITLES), ("li", "b")),
        ("<p>a</p><p>b</p>", None),
        ("<h1></h1><h2>x</h2><h2>y</h2>", None),
    ],
)
def test_guesses_of_pages(text: str, guess: tuple[str, str] | None) -> None:
    """By a telling attribute, by the tag around a link; too short texts are no titles."""
    root = f"<html><body><table>{text}</table></body></html>" if text.startswith("<tr") else f"<html><body>{text}"
    assert guess_page(root) == guess


@pytest.mark.parametrize(
    ("value", "guess"),
    [
        (DATA, (PATH, "title", 3)),
        (EVENTS, ("[]", "title", 3)),
        ({"2025-03-01": {"540": {"1": EVENTS[0]}}, "2025-03-02": {"9": {"7": EVENTS[1]}}}, ("*.*.*", "title", 2)),
        ([{"paper": each, "at": 1} for each in EVENTS], ("[]", "paper.title", 3)),
        ({"first": EVENTS[0], "second": EVENTS[1]}, ("*", "title", 2)),
        ({"rooms": [{"name": "Attic"}, {"name": "Big Room of the House"}], "papers": EVENTS}, ("papers[]", "title", 3)),
        ({"papers": EVENTS, "posters": EVENTS[:1]}, ("*[]", "title", 4)),
        ({}, None),
        ([{"title": " "}], None),
    ],
)
def test_guesses_of_data(value: object, guess: tuple[str, str, int] | None) -> None:
    """Lists, objects whose keys are values, titles in an object inside; people and rooms are no items."""
    found = outline_data(value).guess
    assert (found and (found.items, found.title, found.count)) == guess


def test_the_outline_of_data() -> None:
    """A line a path: how many, their types, the first value."""
    rows = outline_data({"a": [{"title": "Foam in Tanks", "n": 1}, {"title": "Cranes", "n": None}]}).rows
    assert rows[-4:] == (
        "     1  a  list",
        "     2  a[]  dict",
        '     2  a[].title  str  "Foam in Tanks"',
        "     2  a[].n  int|NoneType  1",
    )


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("10:30-12:00 Session 3A", "TIME-TIME words numberwords"),
        ("Chair: Ada Quill", "Chair: words"),
        (f"ABSTRACT: {'foam ' * 50}", "ABSTRACT: (long text)"),
        ("* x", "* words"),
    ],
)
def test_shapes_of_lines(line: str, shape: str) -> None:
    """A label stays, the rest are kinds."""
    assert shape_of(line) == shape


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("1. Foam\n2. Cranes", r"(?:\[?\d{1,4}[\].)]|[-*•#]{1,4})\s++(?P<title>\S.*)"),
        ("Foam in bottomless tanks\nCranes and their long queues\nx", r"(?P<title>[^\W\d].{15,150})"),
        ("x\ny", None),
    ],
)
def test_guesses_of_lines(text: str, title: str | None) -> None:
    """Numbers in front, else lines of some length."""
    guess = outline_lines(text.split("\n")).guess
    assert (guess and guess.title) == title


# What is invented


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Ann met BOB, and x", "Foam tank CRANE, harbour mole"),
        ("2019-01-02T03:04:05+09:00", "2026-06-17T10:00:00+09:00"),
        ("2019-01-02", "2026-06-17"),
        ("Monday, 3 Jan 2019, 9:30 am, 45 min", "Wednesday, 1 Jun 2026, 11:00 am, 3 min"),
        ("Tue 1 March", "Wed 1 June"),
        ("see https://a.b/c, a@b.c", "foam https://tank.example/, crane@harbour.example"),
        ("a b c d e f g h i j", "foam tank crane harbour mole lantern quay tide"),
    ],
)
def test_invented_texts(text: str, made: str) -> None:
    """Words, times and numbers are others of the same kind; long texts are cut."""
    assert Inventor().text(text) == made


def test_the_stub_of_data() -> None:
    """The keys of two items and of what is around them; lists beside them are left out."""
    value: Any = json.loads(stub_data({**DATA, "beside": [1]}, Guess(PATH, "title", 3)))
    days = value["schedule"]["conference"]["days"]
    items = next(iter(days[0]["rooms"].values()))
    assert (list(value), len(days), len(items), set(items[0])) == (["schedule"], 1, 2, set(EVENTS[0]))
    assert (items[0]["live"], items[0]["note"], len(items[0]["persons"])) == (True, None, 2)
