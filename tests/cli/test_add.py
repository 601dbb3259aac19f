"""The command ``add``: from an address or a file to an entry, a capture and published records, or to nothing at all."""

import gzip
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from filelock import FileLock

from parsers._contract import Source
from parsers._registry import sources
from parsers._web.web import follow_nothing, one_page
from pipeline.__main__ import main
from pipeline.cli.options import as_address
from pipeline.config import Config
from tests.support.depth import sample
from tests.support.of_sources import Specimen, specimens
from tests.support.said import Said
from tests.support.sites import SHOP, Reply, Sites, redirect, serving
from tests.support.toy import FAIR, NEWS

Capture = pytest.CaptureFixture[str]

HAY = '{"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2026-05-04T09:00"}'
RYE = '{"title": "Rye", "authors": ["Bo"], "notes": ["year_unknown"]}'
OLD = '{"title": "Oat", "event": "E", "start": "2025-05-04T09:00", "notes": ["year_inferred"]}'
TOKEN = "s3cretOf0neCalendar"  # noqa: S105  # invented
HEAD = '# mine\ncontact = "ann@fair.example"\n\n[site]\nbuild = false\n# title = "Conferences and papers"'
LOGIN = "<html><title>Sign in</title><form><input type='password'></form></html>"
TALKS = "".join(f"<div class='talk'><h3>On Hay {place}</h3><p>Ann Quill, Bo Fern</p></div>" for place in range(9))
DESIGN = f"<html><title>Fair</title><body>{TALKS}</body></html>"

PAGED = replace(FAIR, web=one_page(".txt", lambda _: ""))
ASKED = replace(SHOP.web, pause=0.0, asked_at=lambda url: {"url": url + "?all"} if "/fair" in url else None)  # type: ignore[type-var]
OTHER = replace(NEWS, formats=(replace(NEWS.formats[0], recognise=lambda document: "news" in document.text),))
KNOWN = {"fair": PAGED, "news": OTHER}


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    """Serve for all tests of this file."""
    with serving() as served:
        yield served


@pytest.fixture(autouse=True)
def place(tmp_path: Path, sites: Sites, in_the_desk: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of the test's own, with a configuration, without waiting."""
    monkeypatch.setattr("pipeline.fetching.polite.Visitor._wait", lambda *_: None)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    (tmp_path / "raw").mkdir(exist_ok=True)
    (tmp_path / "sources.toml").write_text(HEAD)
    sites.pages.clear()
    sites.asked.clear()
    return tmp_path


def at(sites: Sites, path: str) -> str:
    """Return an address of the server."""
    return f"http://127.0.0.1:{sites.port}/{path}"


def tree(folder: Path) -> dict[str, bytes | None]:
    """Return all files and folders below a folder, with the bytes of the files."""
    return {str(each.relative_to(folder)): each.read_bytes() if each.is_file() else None for each in folder.rglob("*")}


def run(capsys: Capture, *arguments: str | Path, known: Mapping[str, Source] = KNOWN) -> tuple[int, str]:
    """Run ``add``; return its code and all that it said."""
    said = Said(capsys, "add", *arguments, known=known)
    return said.code, "\n".join([*said.out, *said.err])


# What is good


def test_an_address(capsys: Capture, place: Path, sites: Sites) -> None:
    """It says what was found, appends the entry, keeps the capture, and a refresh publishes that without a request."""
    sites.put("here/day.txt", f"{HAY}\nnonsense\n{HAY.replace('Hay', 'Oats')}")
    code, told = run(capsys, at(sites, "day.txt"))
    assert (code, told.split("\n")[:7]) == (
        0,
        [
            "source: fair (Fair), json lines",
            "event: E",
            "days: 2026-05-04",
            "records: 2 (paper 2)",
            "title: Hay",
            "title: Oats",
            "not read: 1 of 3 lines",
        ],
    )
    assert "day.txt:2: unexplained_line: no rule claimed it: 'nonsense'" in told
    assert "next: conspectus refresh fair --fetch" in told
    text = (place / "sources.toml").read_text()
    assert text == f'{HEAD}\n\n[[fair]]\nurl = "{at(sites, "day.txt")}"\n'
    assert sites.pages_asked() == ["here/day.txt"]
    assert len(list((place / "raw/fair/127.0.0.1/day").glob("2*Z.txt"))) == 1
    assert Said(capsys, "refresh", known=KNOWN).code == 0
    assert [line.split()[:2] for line in Said(capsys, "show", "E", known=KNOWN).out if "Hay" in line]
    assert Said(capsys, "refresh", "--fetch", known=KNOWN).out[0].startswith("fetched: fair, new: 0, unchanged: 1")


def pages() -> list[Specimen]:
    """Return the specimens that are single pages of sources with such targets, as a table needs a folder without."""
    found = {each.source: each for each in specimens() if each.file.suffix != ".txt"}
    web = {name: source.web for name, source in sources().items()}
    return [
        each
        for name, each in found.items()
        if (one := web[name]) and one.follow is follow_nothing and not each.facts.tables
    ]


@pytest.mark.parametrize("page", sample(pages(), 3), ids=str)
def test_sources_of_single_pages(capsys: Capture, sites: Sites, page: Specimen) -> None:
    """A specimen is recognised at an address, and a refresh publishes as many records as were found."""
    for file in (page.file, *page.companions):
        sites.put(f"here/{file.name}", file.read_text(encoding="utf-8"))
    given = {name: getattr(page.facts, name) for name in ("event", "year", "timezone")}
    options = [f"--{name}={value}" for name, value in given.items() if value is not None]
    options += [f"--with={at(sites, file.name)}" for file in page.companions]
    code, told = run(capsys, at(sites, page.file.name), *options, known=sources())
    found = re.search(r"source: (\w+).*\nrecords: (\d+)", re.sub(r"\n(?!source|records).*", "", told))
    assert (code, found and found[1]) == (0, page.source)
    published = [line.split() for line in Said(capsys, "refresh", "--fetch", known=sources()).out]
    assert found is not None
    assert [line[3] for line in published if line[:2] == [page.source, "ok"]] == [found[2]]


def test_an_address_that_stands_for_a_listing(capsys: Capture, place: Path, sites: Sites) -> None:
    """The source says what it asks for; that is requested, and nothing else of the site is its own."""
    known = {"fair": replace(SHOP, web=ASKED), "news": OTHER}
    sites.put("here/fair?all", HAY)
    sites.put("here/other", HAY)
    assert run(capsys, at(sites, "fair"), known=known)[0] == 0
    assert sites.pages_asked() == ["here/fair?all"]
    assert list((place / "raw/fair/day").glob("2*Z.txt"))
    code, told = run(capsys, at(sites, "other"), known=known)
    assert (code, "fair fetches no page at such an address: save the page, and add the file" in told) == (2, True)


def test_links_are_left_to_the_refresh(capsys: Capture, sites: Sites) -> None:
    """One page is requested; how many more it leads to is said."""
    known = {"fair": replace(SHOP, web=replace(SHOP.web, pause=0.0)), "news": OTHER}  # type: ignore[type-var]
    sites.put("here/day.txt", f"{HAY}\nnext two.txt\nnext three.txt")
    code, told = run(capsys, at(sites, "day.txt"), known=known)
    assert (code, sites.pages_asked()) == (0, ["here/day.txt"])
    assert "leads to: 2 more pages, which a refresh fetches" in told


def test_what_was_only_found_out_stands_in_the_entry(capsys: Capture, place: Path, sites: Sites) -> None:
    """A year that no heading prints would be another one for a capture of another year; options come first."""
    sites.put("here/day.txt", OLD)
    assert run(capsys, at(sites, "day.txt"), "--event", 'The "E"', "--timezone", "Europe/Oslo")[0] == 0
    assert tomllib.loads((place / "sources.toml").read_text())["fair"] == [
        {"url": at(sites, "day.txt"), "event": 'The "E"', "timezone": "Europe/Oslo", "year": 2025}
    ]


@pytest.mark.parametrize(
    "text", ["", 'contact = "a@b.c"\n[[fair]]\nurl = "https://x.example/"\n', "[guards]\n# [limits]\n"], ids=repr
)
def test_the_rest_of_the_file_stays(capsys: Capture, place: Path, sites: Sites, text: str) -> None:
    """Comments, mode and link of the file stay; the entry is the last one."""
    file, link = place / "mine.toml", place / "sources.toml"
    file.write_text(text if "contact" in text else f'contact = "a@b.c"\n{text}')
    before = file.read_text()
    file.chmod(0o600)
    link.unlink()
    link.symlink_to(file)
    sites.put("here/day.txt", HAY)
    assert run(capsys, at(sites, "day.txt"))[0] == 0
    assert file.read_text() == f'{before}\n[[fair]]\nurl = "{at(sites, "day.txt")}"\n'
    assert (link.is_symlink(), file.stat().st_mode & 0o777) == (True, 0o600)


def test_a_redirect(capsys: Capture, place: Path, sites: Sites) -> None:
    """The entry has the address that was given, as a page that moves stays the same page."""
    sites.put("here/old", redirect("/new.txt"))
    sites.put("here/new.txt", HAY)
    assert run(capsys, at(sites, "old"))[0] == 0
    (sidecar,) = (place / "raw/fair/127.0.0.1/old").glob("*.meta.toml")
    told = tomllib.loads(sidecar.read_text())
    assert (told["url"], told["final_url"]) == (at(sites, "old"), at(sites, "new.txt"))


def test_a_secret_is_told_nowhere(capsys: Capture, place: Path, sites: Sites) -> None:
    """Neither what is said nor what is published has it, though the page prints its own address."""
    url = at(sites, f"basic.txt?token={TOKEN}")
    sites.put(f"here/basic.txt?token={TOKEN}", f"{HAY}\n{url}")
    told = [run(capsys, url)[1], run(capsys, url)[1], run(capsys, url, "--source", "news")[1]]
    told += [run(capsys, at(sites, f"{path}?token={TOKEN}"))[1] for path in ("gone", "basic.txt?p")]
    told += [line for each in ("refresh", "status") for line in Said(capsys, each, known=KNOWN).out]
    assert TOKEN in (place / "sources.toml").read_text()
    assert [line for line in told if TOKEN in line] == []
    assert [name for name, data in tree(place / "out").items() if TOKEN.encode() in (data or b"")] == []


def test_a_page_that_is_no_programme_and_has_a_secret(capsys: Capture, sites: Sites) -> None:
    """The command that comes next cannot be printed with it."""
    sites.put(f"here/page?token={TOKEN}", DESIGN)
    code, told = run(capsys, at(sites, f"page?token={TOKEN}"), known=sources())
    assert (code, TOKEN in told, "hint: for a table that reads such pages" in told) == (1, False, True)


# Pages of several files


JAM = Path(__file__).parents[2] / "raw/miniconf"
EVENT = ("--event", "JAM 2026", "--timezone", "Europe/Oslo")


@pytest.fixture
def jam(sites: Sites) -> list[str]:
    """Put the papers and the times of an event in place; return their addresses."""
    for name in ("papers.csv", "main_calendar.json"):
        sites.put(f"here/{name}", (JAM / name).read_text(encoding="utf-8"))
    return [at(sites, name) for name in ("papers.csv", "main_calendar.json")]


def test_a_page_of_several_files(capsys: Capture, place: Path, jam: list[str], sites: Sites) -> None:
    """All files are asked for once, named, kept and written into the entry; the next night finds nothing new."""
    code, told = run(capsys, jam[0], "--with", jam[1], *EVENT, known=sources())
    assert (code, sites.pages_asked()) == (0, ["here/papers.csv", "here/main_calendar.json"])
    assert "records: 5" in told
    assert "with: main_calendar.json" in told
    (entry,) = tomllib.loads((place / "sources.toml").read_text())["miniconf"]
    assert (entry["url"], entry["urls"]) == (jam[0], jam[1:])
    kept = {file.name.partition(".")[2] for file in (place / "raw/miniconf/JAM-2026/papers").glob("2*")}
    assert kept == {"csv", "csv.meta.toml", "main_calendar.json"}
    assert Said(capsys, "refresh", "--fetch", known=sources()).out[0].startswith("fetched: miniconf, new: 0, unchanged")
    assert run(capsys, jam[1], known=sources())[1].endswith("nothing was done")


@pytest.mark.parametrize(
    ("beside", "says"),
    [
        ([], "expected one file *sessions.yml or *sessions.json or *calendar.json or *calendar.yml or *events.csv or "),
        ([], "*calendar.csv beside it, found none: give the address of each once, with --with"),
        (["other.json"], "*calendar.csv beside it, found none: give the address of each once, with --with"),
        (["main_calendar.json", "b_calendar.json"], "found JAM-2026/papers/main_calendar.json, JAM-2026/papers/b_"),
        (["main_calendar.json", "other.json"], "--with: expected a file named *sessions.yml or "),
        (["main_calendar.json", "sessions.yml"], "found main_calendar.json, sessions.yml"),
        (["gone_calendar.json"], "gone_calendar.json: 404 Not Found"),
        (["main calendar.json"], "expected a URL such as"),
    ],
)
def test_never_half_a_page(
    capsys: Capture, place: Path, jam: list[str], sites: Sites, *, beside: list[str], says: str
) -> None:
    """It says which files are needed, or what is wrong with those that are given; nothing is written."""
    for name in ("other.json", "b_calendar.json", "sessions.yml"):
        sites.put(f"here/{name}", "[]")
    before = tree(place)
    code, told = run(capsys, jam[0], *(f"--with={at(sites, name)}" for name in beside), *EVENT, known=sources())
    assert (code, says in told, tree(place)) == (1 if "404" in says else 2, True, before), told


def test_with_what_is_no_page_of_several_files(capsys: Capture, place: Path, jam: list[str], sites: Sites) -> None:
    """Neither a source whose pages are one file takes more, nor a listing, nor a file; that is said."""
    sites.put("here/day.txt", HAY)
    sites.put("here/fair?all", HAY)
    before = tree(place)
    listing = {"fair": replace(SHOP, web=ASKED), "news": OTHER}
    told = [
        run(capsys, at(sites, "day.txt"), "--with", jam[1]),
        run(capsys, at(sites, "fair"), "--with", jam[1], known=listing),
        run(capsys, JAM / "papers.csv", "--with", jam[1], known=sources()),
        run(capsys, JAM / "papers.csv", *EVENT, known=sources()),
    ]
    assert ([code for code, _ in told], tree(place)) == ([2] * 4, before)
    for (_, text), says in zip(
        told,
        (
            "--with: expected none, since a dump is one file if table.toml in ",
            "expected no --with: a page of fair is one file",
            "expected an address, as there is --with, found a file",
            "put all of them into one folder below ",
        ),
        strict=True,
    ):
        assert says in text


def test_a_table_that_names_files(capsys: Capture, place: Path, jam: list[str]) -> None:
    """A page that is read by a table of the user's is added with the files that this names."""
    folder = place / "raw/pages/JAM-2026"
    folder.mkdir(parents=True)
    (folder / "table.toml").write_text(
        '[files]\ntimes = "*calendar.json"\n[lists.times]\nat = "times[]"\nkey = "title"\n'
        '[session]\nat = "times[]"\ntitle = "title"\nstarts = "start"\n'
        'ignored = ["end", "location", "link", "category", "calendarId"]\n'
        '[talk]\nat = "dump[]"\nwithin = "session[|]>times"\ntitle = "title"\npeople = "authors[|]"\n'
        'ignored = ["UID", "abstract", "keywords", "paper_type", "pdf_url"]\n'
    )
    options = ("--source", "pages", *EVENT)
    code, told = run(capsys, jam[0], *options, known=sources())
    assert (code, "expected one file *calendar.json beside it, found none: give the address" in told) == (2, True), told
    assert run(capsys, jam[0], "--with", jam[1], *options, known=sources())[0] == 0
    (entry,) = tomllib.loads((place / "sources.toml").read_text())["pages"]
    assert entry["urls"] == jam[1:]
    assert Said(capsys, "refresh", "--fetch", known=sources()).code == 0


# What is not


REFUSED: dict[str, tuple[Reply | str, list[str], int, str]] = {
    "gone": (Reply("", 404), [], 1, "404 Not Found"),
    "a year": (RYE.replace('"notes"', '"event": "E", "notes"'), [], 2, "expected --year: the page does not say it"),
    "an event and a year": (RYE, [], 2, "expected --event, --year: the page does not say it, and fair needs it"),
    "a zone": (HAY, ["--timezone", "Oslo"], 2, "expected an IANA name such as Europe/Berlin, found 'Oslo'"),
    "an impossible year": (HAY, ["--year", "26"], 2, "--year: expected four digits, 19xx or 20xx, found 26"),
    "a source": (HAY, ["--source", "barn"], 2, "no such source: barn; expected one of fair, news"),
    "not fetched": (HAY + "\nnews", ["--source", "news"], 2, "news fetches no page at such an address: save the page"),
    "login": (LOGIN, [], 1, "found a page that shows a login form"),
    "a design": (DESIGN, [], 1, "found a web page of no known layout"),
    "an image": (Reply(b"\x89PNG\r\n"), [], 1, "expected text, found an image (PNG): save the page as HTML"),
    "nothing": ("", [], 1, "empty_dump"),
    "a declared total": (f"{HAY}\ntotal 9", [], 1, "guard_declared"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_nothing_is_written_if_it_is_not_read(capsys: Capture, place: Path, sites: Sites, case: str) -> None:
    """It says why, or what to give by the name of the option."""
    reply, options, expected, says = REFUSED[case]
    sites.put("here/page", reply)
    before = tree(place)
    known = KNOWN if case != "a design" else sources()
    try:
        code, told = run(capsys, at(sites, "page"), *options, known=known)
    except SystemExit as ended:
        code, told = int(str(ended.code)), capsys.readouterr().err
    assert (code, says in told, tree(place)) == (expected, True, before), told


def test_robots(capsys: Capture, place: Path, sites: Sites) -> None:
    """A page that robots.txt forbids is not requested."""
    sites.put("here/robots.txt", "User-agent: *\nDisallow: /\n")
    before = tree(place)
    code, told = run(capsys, at(sites, "day.txt"))
    assert (code, "not allowed by" in told, sites.pages_asked(), tree(place)) == (1, True, [], before)


def test_a_site_that_asks_to_come_back(capsys: Capture, place: Path, sites: Sites) -> None:
    """Somebody waits: it tries twice, and not after more than a minute; a refresh has more patience."""
    sites.put("here/soon", Reply("", 503, {"Retry-After": "1"}))
    sites.put("here/late", Reply("", 503, {"Retry-After": "61"}))
    before = tree(place)
    told = [run(capsys, at(sites, page)) for page in ("soon", "late")]
    assert [(code, text.rpartition("/")[2]) for code, text in told] == [
        (1, "soon: 503 Service Unavailable"),
        (1, "late: 503 Service Unavailable: the site asks to wait 61 s"),
    ]
    assert (sites.pages_asked(), tree(place)) == (["here/soon", "here/soon", "here/late"], before)


def test_another_run_that_is_fetching(
    capsys: Capture, place: Path, sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is waited for, but not for ever; then nothing is written."""
    monkeypatch.setattr("pipeline.fetching.fetch._PATIENCE", 0.01)
    sites.put("here/day.txt", HAY)
    (place / "raw/fair").mkdir()
    before = tree(place)
    with FileLock(place / "raw/fair/.fetch.lock"):
        code, told = run(capsys, at(sites, "day.txt"))
    assert (code, "another run is fetching into" in told, "nothing was written" in told) == (1, True, True)
    assert {name: tree(place)[name] for name in before} == before
    assert not [name for name in tree(place) if name.endswith(".txt")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "contact: fetching requires an email address"),
        ('contact = "a@b.c"\nfair = []\n', "cannot take an entry at its end"),
        ('contact = "a@b.c"\n[[fair]]\nurl = 7\n', "fair[0].url: expected"),
        (None, "expected a readable configuration file"),
    ],
)
def test_the_configuration(capsys: Capture, place: Path, sites: Sites, text: str | None, says: str) -> None:
    """It must be there, valid, with a contact, and able to take the entry."""
    sites.put("here/day.txt", HAY)
    (place / "sources.toml").unlink()
    if text is not None:
        (place / "sources.toml").write_text(text)
    before = tree(place)
    code, told = run(capsys, at(sites, "day.txt"))
    assert (code, says in told, tree(place)) == (2, True, before), told


def test_the_same_address_twice(capsys: Capture, place: Path, sites: Sites) -> None:
    """It is not requested again; a part of the page, behind #, is the same address."""
    sites.put("here/day.txt", HAY)
    run(capsys, at(sites, "day.txt"))
    before = tree(place)
    code, told = run(capsys, at(sites, "day.txt#monday"))
    assert (code, len(sites.pages_asked()), tree(place)) == (2, 1, before)
    assert f"is there already, fair[0] in {place / 'sources.toml'}; nothing was done" in told


def test_two_pages_of_one_name(capsys: Capture, place: Path, sites: Sites) -> None:
    """They would share a folder; the event gives the second one its own."""
    for year in ("2025", "2026"):
        sites.put(f"here/{year}/day.txt", HAY)
    run(capsys, at(sites, "2025/day.txt"))
    before = tree(place)
    code, told = run(capsys, at(sites, "2026/day.txt"))
    assert (code, tree(place)) == (2, before)
    assert "expected --event, as the folder 127.0.0.1/day is that of fair[0]" in told
    assert run(capsys, at(sites, "2026/day.txt"), "--event", "E 2026")[0] == 0


def test_a_dry_run(capsys: Capture, place: Path, sites: Sites) -> None:
    """All is said, nothing is written."""
    sites.put("here/day.txt", HAY)
    before = tree(place)
    code, told = run(capsys, at(sites, "day.txt"), "--dry-run")
    assert (code, "title: Hay" in told, "[[fair]] url" in told, tree(place)) == (0, True, True, before)


def fail(*_: object, **__: object) -> None:
    """Fail as a disk does."""
    raise OSError("the disk is full")


def stop(*_: object, **__: object) -> None:
    """Be stopped with Ctrl-C."""
    raise KeyboardInterrupt


def other(*_: object, **__: object) -> Config:
    """Return what a configuration says that somebody has changed."""
    return Config(Path("other.toml"), None, None, {}, {})


STEPS: dict[str, tuple[str, Callable[..., object]]] = {
    "open the configuration": ("pipeline.config.open_regular", fail),
    "write the entry": ("pipeline.config.os.write", lambda *_: 3),
    "read it back": ("pipeline.config.load_config", other),
    "lock the source": ("pipeline.fetching.fetch.FileLock.acquire", fail),
    "repair the folder": ("pipeline.fetching.fetch.repair", fail),
    "write the capture": ("pipeline.raw.archive.write_new", fail),
    "put it in place": ("pipeline.raw.archive.sync", fail),
    "describe it": ("pipeline.raw.archive._describe", fail),
    "log it": ("pipeline.fetching.fetch.append", fail),
    "be stopped": ("pipeline.fetching.fetch.append", stop),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("again", [False, True])
def test_nothing_is_written_if_a_step_fails(
    capsys: Capture, place: Path, sites: Sites, monkeypatch: pytest.MonkeyPatch, step: str, *, again: bool
) -> None:
    """Whatever was written before is taken back, be it the first page of its folder or not."""
    sites.put("here/day.txt", HAY)
    if again:  # the folder has a capture, and the entry was taken out
        run(capsys, at(sites, "day.txt"))
        (place / "sources.toml").write_text(HEAD)
        sites.put("here/day.txt", f"{HAY}\n{HAY.replace('Hay', 'Oats')}")
    before = tree(place)
    name, instead = STEPS[step]
    monkeypatch.setattr(name, instead)
    code, told = run(capsys, at(sites, "day.txt"))
    assert (code, tree(place)) == (130 if instead is stop else 1, before)
    assert "stopped" in told if instead is stop else "nothing was written" in told


# A file


def test_a_file(capsys: Capture, place: Path) -> None:
    """It is copied, with a sidecar that says what the options say; no entry is made, and nothing is fetched."""
    (place / "a talk.day").write_text(OLD)
    code, told = run(capsys, "a talk.day", "--event", "Fair 2025", "--timezone", "Europe/Oslo")
    assert (code, "next: conspectus refresh fair" in told) == (0, True)
    copy = place / "raw/fair/Fair-2025/a-talk.json"
    facts = tomllib.loads(copy.with_name(f"{copy.name}.meta.toml").read_text())
    digest = sha256(OLD.encode()).hexdigest()
    assert (copy.read_text(), (place / "sources.toml").read_text()) == (OLD, HEAD)
    assert facts == {"event": "Fair 2025", "year": 2025, "timezone": "Europe/Oslo", "sha256": digest}
    published = Said(capsys, "refresh", known=KNOWN).out
    assert [line.split()[1:4] for line in published if line.startswith("fair")] == [["ok", "1", "1"]]


def test_a_file_with_a_sidecar(capsys: Capture, place: Path) -> None:
    """What its own sidecar says goes along, without secrets; options come first."""
    (place / "day.txt.gz").write_bytes(gzip.compress(HAY.encode()))
    url = "https://e.example/day.txt"
    (place / "day.txt.gz.meta.toml").write_text(
        f"url = '{url}?token={TOKEN}'\nyear = 2020\ncaptured_at = 2026-05-01T03:00:00Z"
    )
    assert run(capsys, "day.txt.gz", "--year", "2026")[0] == 0
    copied = (place / "raw/fair/day.txt.gz.meta.toml").read_text()
    facts = tomllib.loads(copied)
    assert (facts["year"], str(facts["captured_at"]), url in facts["url"]) == (2026, "2026-05-01 03:00:00+00:00", True)
    assert TOKEN not in copied


@pytest.mark.parametrize(
    ("name", "text", "options", "says"),
    [
        ("day.txt", HAY, ["--source", "barn"], (2, "no such source: barn")),
        ("day.txt", RYE, [], (2, "expected --event, --year")),
        ("raw/fair/a.txt", HAY, [], (2, "expected a file outside of")),
        ("taken.txt", HAY, [], (2, "is there already, with the same bytes")),
        ("taken.txt", OLD, ["--year", "2025"], (2, "taken.txt is there already")),
        (
            "day.txt",
            "nothing known",
            [],
            (1, "not_this_source: expected a dump of a known source (fair, news), found a text"),
        ),
        ("day.html", LOGIN, [], (1, "hint: open its address in a browser")),
        ("none.txt", None, [], (2, "none.txt: expected a file, found none; an address begins with https://")),
    ],
)
def test_a_file_that_is_not_added(
    capsys: Capture, place: Path, *, name: str, text: str | None, options: list[str], says: tuple[int, str]
) -> None:
    """It says why, and writes nothing."""
    for path, content in (("raw/fair/taken.txt", HAY), (name, text)):
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(content) if content is not None else None
    before = tree(place)
    code, told = run(capsys, name, *options, known={"fair": PAGED} if "not_this" not in says[1] else KNOWN)
    assert (code, says[1] in told, tree(place)) == (says[0], True, before), told


@pytest.mark.parametrize("name", ["write_new", "sync", "make_folder"])
def test_a_copy_that_fails(capsys: Capture, place: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Nothing of it stays."""
    (place / "day.txt").write_text(HAY)
    before = tree(place)
    monkeypatch.setattr(f"pipeline.raw.archive.{name}", fail)
    code, told = run(capsys, "day.txt", known={"fair": PAGED})
    assert (code, "nothing was written" in told, tree(place)) == (1, True, before)


# A page that no source reads


def test_a_table_in_one_step(capsys: Capture, place: Path, sites: Sites) -> None:
    """The command that is printed fetches the page and drafts a table from its shapes; ``add`` then finds that."""
    sites.put("here/program", DESIGN)
    url = at(sites, "program")
    said = Said(capsys, "add", url, "--event", "Fair 2026", known=sources())
    (step,) = [line for line in said.err if line.startswith("next: ")]
    assert step == f"next: conspectus new Fair-2026 --table --from {url} --into {place}"
    begun = Said(capsys, *shlex.split(step)[2:], known=sources())
    folder = place / "raw/pages/Fair-2026"
    assert (begun.code, sorted(each.name for each in folder.iterdir())) == (
        0,
        ["program.html", "program.html.meta.toml", "table.toml"],
    )
    assert "  9  div.talk  in body  On Hay 0" in (folder / "table.toml").read_text()
    assert begun.out[-1] == f"hint: once it is read, conspectus add {url} --source pages --event Fair-2026"
    (folder / "table.toml").write_text('[talk]\nat = "div.talk"\ntitle = "h3"\npeople = "p"\n')
    added = Said(capsys, *shlex.split(begun.out[-1].partition("conspectus ")[2]), known=sources())
    assert (added.code, [line for line in added.out if line.startswith("records")]) == (0, ["records: 9 (paper 9)"]), (
        added.err
    )


def test_a_table_for_data_in_one_step(capsys: Capture, place: Path, sites: Sites) -> None:
    """Data at an address are known by its suffix: they are no text of a page, and their table lists paths."""
    sites.put("here/program.yml", "".join(f"- name: On Hay {each}\n  by: Ann Quill\n" for each in range(9)))
    url = at(sites, "program.yml")
    said = Said(capsys, "add", url, "--event", "Fair 2026", known=sources())
    assert "found YAML with the keys name, by" in said.err[1]
    begun = Said(capsys, *shlex.split(said.err[-1])[2:], known=sources())
    folder = place / "raw/pages/Fair-2026"
    assert (begun.code, (folder / "program.yml").exists()) == (0, True)
    assert '9  [].name  str  "On Hay 0"' in (folder / "table.toml").read_text()
    (folder / "table.toml").write_text('[talk]\nat = "[]"\ntitle = "name"\npeople = "by"\n')
    added = Said(capsys, *shlex.split(begun.out[-1].partition("conspectus ")[2]), known=sources())
    assert (added.code, [line for line in added.out if line.startswith("records")]) == (0, ["records: 9 (paper 9)"])
    assert Said(capsys, "refresh", "pages", "--fetch", known=sources()).code == 0


def test_a_feed_at_an_address(capsys: Capture, sites: Sites) -> None:
    """A parser is started from a saved page, so the advice does not name the address."""
    sites.put("here/news.xml", "<rss><channel><item><title>Sea</title></item></channel></rss>")
    code, told = run(capsys, at(sites, "news.xml"), known=sources())
    advice = "hint: save it as FILE; for a parser of its own, conspectus new NAME --from FILE"
    assert (code, told.split("\n")[-1]) == (1, advice)


@pytest.mark.parametrize("given", ["webcal://fair.example/day.ics", "WEBCALS://fair.example/day.ics"])
def test_a_link_to_a_calendar(given: str) -> None:
    """It is the address that a browser asks for."""
    assert as_address(given) == "https://fair.example/day.ics"


def test_a_table_from_an_address(capsys: Capture, place: Path, sites: Sites) -> None:
    """Only a table can be started from one; without one, as in a parser, its page must be saved."""
    code = Said(capsys, "new", "fair", "--from", at(sites, "program"), known=sources())
    assert (code.code, code.err) == (
        2,
        ["conspectus: --from: expected a saved page, found an address, which works with --table"],
    )
    bad = Said(capsys, "new", "my fair", "--table", "--from", at(sites, "program"), known=sources())
    assert (bad.code, sites.pages_asked()) == (2, [])


@pytest.mark.parametrize("line", ["parse {}", "refresh {}", "fetch fair {}", "status {}", "parse {}?key={}"])
def test_other_commands_point_to_it(capsys: Capture, line: str) -> None:
    """An address where a source or a file is expected is what ``add`` takes; a secret is not repeated."""
    with pytest.raises(SystemExit) as ended:
        main(line.format("https://e.example/day", TOKEN).split(), KNOWN)
    told = capsys.readouterr().err.splitlines()[-1]
    expected = "URL" if "key" in line else "https://e.example/day"
    assert (ended.value.code, told.partition("found ")[2]) == (2, f"an address: conspectus add {expected}")
