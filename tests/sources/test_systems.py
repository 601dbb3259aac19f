"""Systems as data: what their files and specimens give, made of the files themselves."""

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

import parsers
from parsers import _registry
from parsers._ledger.document import Document, Facts
from parsers._registry import sources, systems
from parsers._systems import make_source
from parsers._tables.selectors import TableError
from pipeline.reading.cache import reading_hash
from tests.support.goldens import check_golden, describe
from tests.support.helpers import fingerprint_of, parse_document, parse_text
from tests.support.of_sources import ROOT, Specimen, specimens

OF_SYSTEMS = [specimen for specimen in specimens() if specimen.source in systems()]
GOLDENS = ROOT / "tests" / "sources" / "systems"
MINIMAL = """
title = "Jam Planner"
version = 3
family = "programme"
example = "https://jam.example/all.json"
[[layout]]
name = "all"
form = "json"
keys = ["jams", "boils"]
[layout.talk]
at = "jams[]"
title = "name"
starts = "boils"
"""


def each_of_them() -> pytest.MarkDecorator:
    """Return the marker that runs a test for each specimen of a system."""
    return pytest.mark.parametrize("specimen", OF_SYSTEMS, ids=str)


@each_of_them()
def test_specimen(specimen: Specimen) -> None:
    """A specimen gives the items of its golden file."""
    found = specimen.read(specimen.text)
    assert found is not None
    golden = GOLDENS / f"{specimen.source}-{specimen.file.stem}.golden.json"
    check_golden(golden, describe(found[0]) | {"classes": dict(found[0].accounting.by_class)})


def test_a_key_that_says_nothing() -> None:
    """Whether a paper of Confer was honoured, or which forum a note is in, decides nothing where it is not said."""
    paper = {"title": "Foam", "authors": [{"givenName": "Ada"}], "cAndB": ""}
    papers = {"a": paper | {"hm": True}, "b": paper | {"title": "Tar", "hm": ""}, "c": paper | {"title": "Ropes"}}
    assert len(parse_text("confer", json.dumps(papers)).records) == 3
    notes = {
        name: {"id": name, "signatures": [], "content": {"title": name, "authors": ["Ada Quill"]}} | more
        for name, more in (("n1", {"forum": "n1"}), ("n2", {}), ("n3", {"forum": ""}))
    }
    assert [each.title for each in parse_text("openreview", json.dumps(notes)).records] == ["n1", "n2", "n3"]


@pytest.mark.parametrize("specimen", [each for each in OF_SYSTEMS if sources()[each.source].web], ids=str)
def test_its_fingerprint(specimen: Specimen) -> None:
    """A specimen of a system whose pages are fetched has a layout; a text of none has no fingerprint."""
    web = sources()[specimen.source].web
    assert web is not None
    found = web.fingerprint(specimen.document(specimen.text)), fingerprint_of(specimen.source, '{"some": 1}')
    assert (len(found[0]), found[1]) == (16, "")


def test_each_layout_has_a_specimen() -> None:
    """The specimens of a system show each layout of its file."""
    shown = {(each.source, found[0].format) for each in OF_SYSTEMS if (found := each.read(each.text))}
    formats = {(name, each.name) for name in systems() for each in sources()[name].formats if not each.refuses}
    assert shown == formats


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a test its own folder of systems."""
    monkeypatch.setattr(parsers, "__path__", [str(tmp_path)])
    (tmp_path / "systems").mkdir()
    yield tmp_path / "systems"
    _registry.find_source.cache_clear()


def test_a_file_is_a_source(folder: Path) -> None:
    """A file is found by the scan and read when its source is asked for."""
    (folder / "jam_planner.toml").write_text(MINIMAL, encoding="utf-8")
    known = _registry.sources.__wrapped__()
    source = known["jam_planner"]
    text = '{"jams": [{"name": "Less Sugar", "boils": "2026-06-17T09:30"}]}'
    (record,) = source.formats[0].items(Document.from_bytes("jam_planner/a.json", text.encode()))
    assert (list(known), source.parser, source.formats[0].name) == (["jam_planner"], "jam_planner@3", "all")
    assert record.title == "Less Sugar"  # type: ignore[union-attr]  # one record


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('family = "programme"', 'family = "jam"', "systems/jam_planner.toml: expected title, version, family"),
        ("version = 3", "", "systems/jam_planner.toml: expected title, version, family"),
        ('form = "json"', 'form = "xml"', "expected one of json, csv, yaml, html as form, and keys"),
        ('keys = ["jams", "boils"]', "keys = []", "expected one of json, csv, yaml, html as form, and keys"),
        ('title = "name"', 'titel = "name"', r"\[talk\]: expected its rows .* found 'titel'; did you mean 'title'\?"),
        ('at = "jams[]"', 'at = "jams[["', r"\[talk\] at: expected a path such as"),
        ("title = ", "title = = ", "systems/jam_planner.toml: expected title, version, family"),
    ],
)
def test_a_file_that_is_wrong(old: str, new: str, said: str) -> None:
    """The error names the file, the row and what was expected."""
    with pytest.raises(TableError, match=said):
        make_source("jam_planner", MINIMAL.replace(old, new))


def test_an_edited_file_concerns_its_dumps_alone(tmp_path: Path) -> None:
    """A changed byte of a system's file makes its dumps new readings, and no others."""
    for room in ("parsers", "schemas", "pipeline"):
        copytree(ROOT / room, tmp_path / room)
    file = tmp_path / "parsers" / "systems" / f"{min(systems())}.toml"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n", encoding="utf-8")
    changed = {name for name in sources() if reading_hash(name, ROOT) != reading_hash(name, tmp_path)}
    assert changed == {min(systems())}


OF_PAGES = """
title = "Jam Planner"
version = 3
family = "programme"
example = "https://jam.example/all.html"
[[layout]]
name = "all"
form = "html"
keys = ["<title>Jam Planner", 'class="jam"']
[layout.talk]
at = "li.jam"
title = "b"
people = "i"
"""


def test_a_layout_of_pages() -> None:
    """A layout of HTML has selectors, and texts by which it is recognised."""
    source = make_source("jam_planner", OF_PAGES)
    page = '<title>Jam Planner</title><ul><li class="jam"><i>Ada Quill</i>, <i>Bo Ferns</i>: <b>Less Sugar</b></ul>'
    parsed = parse_document(source, Document.from_bytes("jam_planner/a.html", page.encode()))
    (record,) = parsed.records
    people = [person.name for person in record.authors or ()]
    assert (record.title, people, parsed.rejects) == ("Less Sugar", ["Ada Quill", "Bo Ferns"], ())
    others = (page.replace("Planner", "Pan"), json.dumps({"page": page}))
    found = [source.formats[0].recognise(Document.from_bytes("x", each.encode())) for each in (page, *others)]
    assert found == [True, False, False]
    assert source.web is not None
    prints = [source.web.fingerprint(Document.from_bytes("x", each.encode())) for each in (page, *others)]
    assert list(map(len, prints)) == [16, 0, 0]


@pytest.mark.parametrize(("column", "is_known"), [("name", True), ("title", True), ("titel", False)])
def test_a_key_of_several_names(column: str, is_known: bool) -> None:
    """A key may have several names, of which a text has one."""
    tables = MINIMAL.replace('keys = ["jams", "boils"]', 'keys = ["jams", "name|title"]')
    (layout,) = make_source("jam_planner", tables).formats
    document = Document.from_bytes("x", json.dumps({"jams": [{column: "Less Sugar"}]}).encode())
    assert (layout.recognise(document), layout.expects) == (is_known, "JSON with the keys jams, name or title")


ELSEWHERE = {
    "a talk without the rest": '{"jams": 1}',
    "the keys in a text": json.dumps({"text": 'the keys "jams": and "boils": of a file'}),
    "markup": '<html><body>{"jams": [], "boils": 1}</body></html>',
    "rows": "jams,boils\n1,2\n",
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_not_recognised(name: str) -> None:
    """Each key must stand in the text, in its form."""
    source = make_source("jam_planner", MINIMAL)
    document = Document.from_bytes("x", ELSEWHERE[name].encode())
    assert [format_.recognise(document) for format_ in source.formats] == [False]


ON_BOTH = Facts(event="JAM 2026", timezone="Europe/Oslo")


def test_lines_of_csv() -> None:
    """The lines of a record are those of its row, also where a cell has line breaks."""
    specimen = next(each for each in OF_SYSTEMS if each.source == "sched")
    parsed = parse_text(specimen.source, specimen.text, path="x/a.csv", facts=ON_BOTH)
    assert [(record.line_start, record.line_end) for record in parsed.records] == [(2, 3), (4, 4), (6, 6)]


def test_lines_of_yaml() -> None:
    """The lines of a record are those of its entry."""
    specimen = next(each for each in OF_SYSTEMS if each.source == "jekyll")
    parsed = parse_text(specimen.source, specimen.text, path="x/a.yml", facts=ON_BOTH)
    lines = specimen.text.split("\n")
    assert [lines[(record.line_start or 0) - 1].partition("name: ")[2].strip('"') for record in parsed.records] == [
        record.title for record in parsed.records
    ]
