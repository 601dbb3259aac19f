"""A source that ``conspectus new`` starts: the files written, the shapes of a page, and the invented specimen."""

import json
import re
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from parsers._contract import Source
from parsers._ledger.document import Document
from pipeline.drafting.shapes import data_shapes, line_shapes, page_shapes, shape_of
from pipeline.drafting.specimen import Inventor, invent_data, invent_lines, invent_page
from tests.support.said import Said

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

TALK = """<div class="talk{}" data-id="{}"><h3 class="title"><a href="/t/1">{}</a></h3>
<p class="who"><a href="#aq">Ada Quill</a>, <a href="#bf">Bo Fern</a></p><td colspan="2">10:30</td><br>Room 7</div>"""
TITLES = ("Foaming of Bottomless Vessels", "Queueing at Gantries & Derricks", "Cartography of Deltas")
TALKS = "".join(
    TALK.format(" late" * (place == 2), place, title.replace("&", "&amp;")) for place, title in enumerate(TITLES)
)
HTML = f"""<!DOCTYPE html><html><head><title>Yearly "26"</title><meta name="x"></head><body>
<nav><a>Where we all meet again</a><a>How to travel to us</a></nav>
<div id="x" class="day"><h2>Thursday, June 18th</h2>{TALKS}</div><h4 id="aq">Ada Quill</h4>
<script>var talk = "<div>"</script></body></html>"""

EVENTS: list[dict[str, Any]] = [
    {"id": place, "title": title, "starts": f"2025-03-0{place + 1}T09:30:00+01:00", "room": 7, "who": ["aq"], "x": None}
    for place, title in enumerate((*TITLES, "Toast"))
]
DATA = {
    "events": EVENTS,
    "rooms": [{"id": 5, "name": "Attic"}, {"id": 6, "name": "Shed"}, {"id": 7, "name": "Cellar"}],
    "people": [{"id": name, "name": f"{name} Quill", "events": [0, 3]} for name in ("bf", "cm", "aq")],
}
XML = "<schedule><day>" + "<event><title>Foaming</title><start>10:30</start></event>" * 3 + "</day></schedule>"
ATOM = XML.replace("<schedule>", '<schedule xmlns="u:x" xmlns:y="u:y">')
TEXT = """Workshop of Vessels

10:30 Foaming of Bottomless Vessels
Chair: Ada Quill
10:45 Toast
Chair: Bo Fern
A workshop."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a folder that looks like a checkout."""
    (tmp_path / "parsers").mkdir()
    (tmp_path / "examples").symlink_to(EXAMPLES)
    return tmp_path


def begin(capsys: pytest.CaptureFixture[str], root: Path, name: str, text: str, *more: str) -> Said:
    """Begin the source ``barn`` from a page."""
    (root / name).write_text(text, encoding="utf-8")
    return Said(capsys, "new", "barn", "--from", root / name, "--into", root, *more)


def source_of(root: Path) -> Source:
    """Return the source that was written."""
    spec = spec_from_file_location("barn", root / "parsers/barn.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    source: Source = module.SOURCE
    return source


PAGES = {"page.html": HTML, "page.xml": XML, "atom.xml": ATOM, "page.json": json.dumps(DATA), "page.txt": TEXT}


@pytest.mark.parametrize("name", PAGES)
def test_the_parser_is_an_example_with_the_shapes(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """It recognises the page and the specimen, unless they are text, and has no name of the example."""
    said = begin(capsys, checkout, name, PAGES[name])
    assert (said.code, said.err) == (0, [])
    parser = (checkout / "parsers/barn.py").read_text(encoding="utf-8")
    assert re.search(r"bakery|lighthouse|meadow|orchard", parser.partition('"""\n')[2], re.IGNORECASE) is None
    assert max(len(line) for line in parser.splitlines() if line.startswith("#")) <= 120
    shapes = {
        "html": "#      3  div.talk  in div.day",
        "xml": "#      3  event",
        "json": "#      4  events[].id  int  0",
    }
    assert shapes.get(name.partition(".")[2], "#      2  Chair: words  Chair: Ada Quill") in parser
    source = source_of(checkout)
    for file in (checkout / name, checkout / "raw/barn" / name):
        document = Document.from_bytes(f"barn/{name}", file.read_bytes())
        assert any(each.recognise(document) for each in source.formats) == (name != "page.txt")


def test_what_is_written(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Parser, tests, and specimen with sidecar are written and listed, with the next steps."""
    said = begin(capsys, checkout, "page.html", HTML)
    written = [
        "parsers/barn.py",
        "tests/sources/barn/__init__.py",
        "raw/barn/page.html",
        "raw/barn/page.html.meta.toml",
    ]
    assert said.out == [
        *(f"written: {checkout / path}" for path in written),
        f"edit: {checkout / 'parsers/barn.py'}: make tables of the shapes",
        f"next: conspectus parse {checkout / 'page.html'} --source barn --lines",
    ]
    assert (checkout / "tests/sources/barn/fixtures").is_dir()
    facts = (checkout / written[3]).read_text().splitlines()[1:]
    assert facts == ["specimen = true", 'event = "Barn 2026"', "year = 2026", '# timezone = "Europe/Oslo"']


def test_a_text_needs_layouts(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Layouts of a text cannot be generated: their file says that they are missing."""
    said = begin(capsys, checkout, "page.txt", TEXT)
    layouts = checkout / "tests/sources/barn/layouts.py"
    assert f"missing: the layouts in {layouts}" in said.out
    assert "Missing:" in layouts.read_text()


def test_a_table_in_place_of_a_parser(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--table`` writes a table with the shapes as comments; no table reads a text."""
    said = begin(capsys, checkout, "page.html", HTML, "--table")
    table = checkout / "raw/pages/barn/table.toml"
    assert (said.code, said.out[0], list((checkout / "parsers").iterdir())) == (0, f"written: {table}", [])
    kept = table.parent / "page.html"
    assert said.out[1:3] == [f"written: {kept}", f"written: {kept}.meta.toml"]
    assert said.out[-1] == f"next: conspectus parse {kept} --source pages --table {table} --lines"
    assert tomllib.loads((table.parent / "page.html.meta.toml").read_text())["event"] == "barn"
    assert "#      3  div.talk  in div.day" in table.read_text()
    assert tomllib.loads(table.read_text())["talk"] == {"at": "", "title": "", "people": ""}
    other = begin(capsys, checkout, "page.xml", "<talk>Foam</talk>", "--table")
    told = "expected HTML, Markdown or data, which tables in a file can read, found .xml"
    assert (other.code, other.err) == (2, [f"conspectus: {checkout / 'page.xml'}: {told}"])


@pytest.mark.parametrize(
    ("page", "text", "shape"),
    [
        ("page.json", '{"days": [{"talks": [{"t": "Foam"}]}]}', '#      1  days[].talks[].t  str  "Foam"'),
        ("page.csv", "t,who\nFoam,Ada Quill\n", '#      1  [].t  str  "Foam"'),
        ("page.yml", "days:\n- t: 8:30\n", '#      1  days[].t  str  "8:30"'),
        ("page.js", 'var days = [{"t": "Foam"}];', '#      1  [].t  str  "Foam"'),
    ],
)
def test_a_table_for_data(checkout: Path, capsys: pytest.CaptureFixture[str], page: str, text: str, shape: str) -> None:
    """The shapes of data are paths as their tables have them."""
    said = begin(capsys, checkout, page, text, "--table")
    table = (checkout / "raw/pages/barn/table.toml").read_text()
    assert (said.code, shape in table, tomllib.loads(table)["talk"]["at"]) == (0, True, "")


@pytest.mark.parametrize(("family", "kind"), [("listing", "LOG"), ("programme", "STATE")])
def test_the_family_is_that_asked_for(
    checkout: Path, capsys: pytest.CaptureFixture[str], family: str, kind: str
) -> None:
    """``--family`` overrides the example: a listing is a log and has no event."""
    begin(capsys, checkout, "page.json", json.dumps(DATA), "--family", family)
    parser = (checkout / "parsers/barn.py").read_text()
    assert f"Family.{family.upper()}, PageKind.{kind}," in parser
    assert ("event" in (checkout / "raw/barn/page.json.meta.toml").read_text()) == (family == "programme")


@pytest.mark.parametrize(("family", "example"), [("listing", "orchard"), ("programme", "meadow")])
def test_a_text_is_started_from_the_example_of_its_family(
    checkout: Path, capsys: pytest.CaptureFixture[str], family: str, example: str
) -> None:
    """A programme in text begins with days and sessions, a listing with its papers."""
    begin(capsys, checkout, "page.txt", TEXT, "--family", family)
    assert f"examples/parsers/{example}.py" in (checkout / "parsers/barn.py").read_text().partition("\n")[0]


def test_files_that_are_there_are_kept(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 2 if a module, a package or another file has the name."""
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


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("page.json", "{", ":1: malformed: expected JSON"),
        ("page.txt", "", ":1: empty_dump: "),
    ],
)
def test_pages_of_which_nothing_can_be_made(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, message: str
) -> None:
    """Exit code 1 with file and what was expected; nothing is written."""
    said = begin(capsys, checkout, name, text)
    assert (said.code, list((checkout / "parsers").iterdir())) == (1, [])
    assert said.err[0].startswith(f"failed: {checkout / name}{message}")


@pytest.mark.parametrize(
    ("name", "text", "sign"),
    [
        ("page.html", "<p>no title", '"<p" in document.text'),
        ("page.html", "no element", '"<" in document.text'),
        ("page.html", '<title>A \\"b" 26</title>', '"<title>A \\\\\\"b\\"" in document.text'),
        ("page.xml", "<?xml version='1.0'?><a:b xmlns:a='u:x'/>", '"<a:b" in document.text'),
        ("page.json", "[[]]", r"re.compile(r'\[')"),
        ("page.json", '[{"a.b": 1}]', r"""re.compile(r'[\[{\s]*"a\.b"')"""),
    ],
)
def test_what_a_page_is_recognised_by(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, sign: str
) -> None:
    """The title of HTML, the root of XML, the first key of data: the author finds something better."""
    begin(capsys, checkout, name, text)
    assert sign in (checkout / "parsers/barn.py").read_text()
    assert source_of(checkout).name == "barn"


# Shapes


def test_shapes_of_a_page() -> None:
    """Selectors that find several elements, with what is around them; menus and scripts are left out."""
    rows = page_shapes(etree.HTML(HTML))
    assert "     3  div.talk  in div.day  Foaming of Bottomless Vessels Ada Quill…" in rows
    assert "     6  a[href]" not in "\n".join(rows)
    assert not [row for row in rows if "travel" in row]
    assert page_shapes(etree.HTML("<b-2>x</b-2><b:3>y</b:3><b:3>z</b:3><i></i><i>z</i>")) == ["     2  i  in body  z"]


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        (
            {"a": [{"title": "Foam in Tanks", "n": 1}, {"title": "Cranes", "n": None}]},
            [
                "     1  (top)  dict",
                "     1  a  list",
                "     2  a[]  dict",
                '     2  a[].title  str  "Foam in Tanks"',
                "     1  a[].n  int|NoneType  1",
            ],
        ),
        (
            [{"Nr.": "1", "room": ""}, {"Nr.": "2", "room": "Pot"}],
            ["     1  (top)  list", "     2  []  dict", '     2  [].Nr.  str  "1"', '     1  [].room  str  "Pot"'],
        ),
        (
            {"2025-03-01": {"Big Room": [{"a": 1}], "Attic": [{"a": 2}]}},
            [
                "     1  (top)  dict",
                "     1  *  dict",
                "     2  *.*  list",
                "     2  *.*[]  dict",
                "     2  *.*[].a  int  1",
            ],
        ),
        (
            {"first": {"a": 1, "b": 1, "c": 1}, "second": {"a": 1, "b": 1, "c": 1}},
            [
                "     1  (top)  dict",
                "     2  *  dict",
                "     2  *.a  int  1",
                "     2  *.b  int  1",
                "     2  *.c  int  1",
            ],
        ),
        ({}, ["     1  (top)  dict"]),
    ],
)
def test_shapes_of_data(value: object, rows: list[str]) -> None:
    """A line a path: how many, their types, the first value; keys that are data are one path."""
    assert data_shapes(value) == rows


def test_shapes_of_data_for_a_file() -> None:
    """The paths are such as tables in a file have them."""
    data = {"2025-03-01": {"Big Room": [{"Nr.": 1}], "Attic": [{"Nr.": 2}]}}
    assert [row.split()[1] for row in data_shapes(data, for_file=True)] == [
        "(top)",
        "{}",
        "{}{}",
        "{}{}[]",
        '{}{}[]."Nr."',
    ]


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
    """The shape of a line keeps its label and generalises the rest."""
    assert shape_of(line) == shape
    assert line_shapes([line, "", line, "x"]) == [f"     2  {shape}  {line if len(line) < 41 else line[:39] + '…'}"]


# Specimens


def words_in(text: str) -> set[str]:
    """Return the words of some length in a text."""
    return {word.casefold() for word in re.findall(r"[^\W\d_]{4,}", text)}


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Ann met BOB, and x", "Mifo mimi MILAN, and mitu"),
        ("Ann, Ann's", "Mifo, Mifo'mimi"),
        ("2019-01-02T03:04:05+09:00, 12th of June", "2019-01-02T03:04:05+09:00, 12th of June"),
        ("Session 1B: 45min of Foam, Room 7", "Session 1B: 45min of Mifo, Room 7"),
        ("see https://a.b/c, www.a.b, a@b.c", "mifo https://mimi.example/, https://milan.example, mitu@mail.example"),
        (
            " ".join("abcdefghijklmnopqrstuvwx"),
            "a mifo mimi milan mitu miker mibo misal mine midri mipa mivel migo miru miti micas mihem mior milu mijan",
        ),
    ],
)
def test_invented_texts(text: str, made: str) -> None:
    """The same word becomes the same; numbers, dates and words of programmes stay; long texts are cut."""
    assert Inventor().text(text) == made


def test_no_two_words_become_one() -> None:
    """Invented words differ, however many there are."""
    inventor = Inventor()
    assert len({inventor.word(f"word{place}") for place in range(10_000)}) == 10_000


def test_the_specimen_of_a_page() -> None:
    """Days, times, wide cells, references and loose texts stay, the words do not; of the talks alike two are there."""
    made = invent_page(etree.HTML(HTML), xml=False)
    assert not words_in(" ".join(TITLES)) & words_in(made)
    for kept in (
        '<title>Yearly "26"',
        "Thursday, June 18th",
        'colspan="2"',
        ">10:30<",
        "<br>Room 7",
        'class="talk late"',
    ):
        assert kept in made
    assert (made.count('class="talk"'), "<script" in made, "<meta" in made) == (2, False, False)
    (anchor,) = set(re.findall(r'href="#(\w+)"[^>]*>M[^<]* M', made)) & set(re.findall(r'<h4 id="(\w+)"', made))
    assert anchor != "aq"


def test_the_beginning_of_a_long_page() -> None:
    """It ends behind the last new form: what comes after that is more of the same; in any case somewhere."""
    plain = "<ul>" + "<li>a</li>" * 3 + "<li><b>b</b></li>" + "<li>a</li><li><b>b</b></li>" * 30 + "</ul>"
    assert invent_page(etree.HTML(plain), xml=False).count("<li>") == 5
    deep = "".join(f"<p class=c{place}>a</p>" for place in range(2_000))
    assert invent_page(etree.HTML(deep), xml=False).count("<p ") < 600


def test_the_specimen_of_xml() -> None:
    """Namespaces stay, so the parser that finds the page's elements finds these."""
    made = invent_page(etree.fromstring(ATOM), xml=True)
    assert made.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<schedule xmlns="u:x" xmlns:y="u:y"><day>')
    assert made.count("<event>") == 2


def test_the_specimen_of_data() -> None:
    """Of lists the beginning, and whatever that names by its id: a room far down, the speaker of a talk."""
    value: Any = json.loads(invent_data(DATA))
    assert [event["id"] for event in value["events"]] == [0, 1, 3]
    assert {event["room"] for event in value["events"]} <= {room["id"] for room in value["rooms"]}
    people = {person["id"]: person for person in value["people"]}
    assert {who for event in value["events"] for who in event["who"]} <= people.keys()
    assert {event for person in people.values() for event in person["events"]} <= {0, 1, 3}
    assert not words_in(json.dumps(DATA["people"])) - {"name", "events"} & words_in(json.dumps(value["people"]))


def test_the_specimen_of_data_whose_keys_are_names() -> None:
    """They become others, like the values; texts in lists are cut to a few."""
    value = {"Big Room": [{"tags": ["oak", "elm", "ash", "fir", "yew"]}], "Attic Room": [{"tags": []}]}
    made: Any = json.loads(invent_data(value))
    assert [key.split()[1] for key in made] == ["Room", "Room"]
    assert "Big Room" not in made
    assert len(made[next(iter(made))][0]["tags"]) == 4


def test_the_specimen_of_a_text() -> None:
    """Labels and times stay; of lines alike in a row there are two."""
    made = invent_lines([*TEXT.split("\n"), "x", "y", "z"]).split("\n")
    assert made[2:4] == ["10:30 " + made[2][6:], "Chair: " + made[3][7:]]
    assert not words_in(TEXT) - {"workshop", "chair"} & words_in("\n".join(made)) - {"workshop", "chair"}
    assert len(made) == 8


@pytest.mark.parametrize(
    ("heads", "above"),
    [("<th>Monday<th>June 16", "day"), ("<th>Mon 15 June<th>Tue 16 June", "day"), ("<th>Hall A<th>Hall B", "room")],
)
def test_a_table_for_a_grid(checkout: Path, capsys: pytest.CaptureFixture[str], heads: str, above: str) -> None:
    """The rows for a grid are proposed where a page has one: its first row, its first column, its cells."""
    rows = "".join(f"<tr><td>{time}<td>Foam<td>Tar</tr>" for time in ("9:00", "10h30", "2 pm"))
    page = f"<table><tr><td>1<td>2</table><table class=grid><tr><th>Time{heads}</tr>{rows}</table>"
    begin(capsys, checkout, "page.html", f"<html><body>{page}</body></html>", "--table")
    table = tomllib.loads((checkout / "raw/pages/barn/table.toml").read_text())
    assert (table["column"], table["row"], table["session"]["at"]) == (
        {"at": "table.grid", above: ""},
        {"at": "table.grid", "times": ""},
        "table.grid td",
    )


@pytest.mark.parametrize("column", ["<td>Foam<td>Tar", "<td>9:00", "<td>9:00<td>"])
def test_tables_that_are_no_grids(checkout: Path, capsys: pytest.CaptureFixture[str], column: str) -> None:
    """A table without times in its first column or without two heads is none."""
    page = f"<table><tr><th>Name<th>Room</tr><tr>{column}</tr><tr>{column}</tr></table>"
    begin(capsys, checkout, "page.html", f"<html><body>{page}</body></html>", "--table")
    assert "column" not in tomllib.loads((checkout / "raw/pages/barn/table.toml").read_text())


def test_a_table_for_markdown(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Markdown with elements of HTML is kept as HTML; other has the shapes of its headings, lists and tables."""
    said = begin(capsys, checkout, "page.md", "# Program\n<ul><li>Foam</li><li>Tar</li></ul>", "--table")
    kept = checkout / "raw/pages/barn/page.html"
    assert (said.code, said.out[1], kept.exists()) == (0, f"written: {kept}", True)
    (checkout / "raw/pages/barn/table.toml").unlink()
    other = begin(capsys, checkout, "other.md", "# Program\n* Foam\n* Tar\n", "--table")
    kept = checkout / "raw/pages/barn/other.txt"
    assert (other.code, other.out[1], kept.exists()) == (0, f"written: {kept}", True)
    assert "2  li  in ul  Foam" in (checkout / "raw/pages/barn/table.toml").read_text()


def test_pages_beside_their_table(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A page that is there gets only a sidecar, none if it has one; another one is not overwritten."""
    folder = checkout / "raw/pages/barn"
    folder.mkdir(parents=True)
    inside = begin(capsys, checkout, "raw/pages/barn/page.html", HTML, "--table")
    sidecar = folder / "page.html.meta.toml"
    assert (inside.code, inside.out[1]) == (0, f"written: {sidecar}")
    (folder / "table.toml").unlink()
    sidecar.write_text('event = "Barn 2026"\n')
    assert begin(capsys, checkout, "raw/pages/barn/page.html", HTML, "--table").code == 0
    assert sidecar.read_text() == 'event = "Barn 2026"\n'
    (folder / "table.toml").unlink()
    other = begin(capsys, checkout, "page.html", HTML, "--table")
    assert (other.code, (folder / "table.toml").exists()) == (2, False)
    assert f"{folder / 'page.html'}: already exists" in other.err[-1]
