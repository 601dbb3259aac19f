"""The command line: what each command prints, where, and with which exit code it ends."""

import errno
import gzip
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import zstandard

from parsers._contract import Format
from parsers._ledger.document import Document
from pipeline.__main__ import main
from pipeline.publishing import publish
from schemas.items import Item, Record
from schemas.tables import RECORDS
from tests.conftest import ROOT
from tests.support.said import Said
from tests.support.toy import FAIR, LINE, NEWS, TOYS, Desk, read_item

pytestmark = pytest.mark.usefixtures("in_the_desk")

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"]}
RYE = {"title": "Rye", "event": "E"}

Parse = Callable[[Document], Iterator[Item]]


def refresh(capsys: pytest.CaptureFixture[str], desk: Desk, *arguments: str) -> Said:
    """Refresh from and to the roots of the desk."""
    return Said(capsys, "refresh", "--raw", desk.raw, "--out", desk.out, *arguments)


def counts(
    source: str, status: str, dumps: int, records: object, *, quarantined: int = 0, unexplained: int = 0
) -> list[str]:
    """Return the table of a run with one source."""
    wide = max(len("status"), len(status))
    return [
        f"source  {'status':<{wide}}  dumps  records  quarantined  unexplained lines  seconds",
        f"{source:<6}  {status:<{wide}}  {dumps:>5}  {records:>7}  {quarantined:>11}  {unexplained:>17}     S",
    ]


def dataset(desk: Desk, made: str) -> str:
    """Return the line that says where the dataset is."""
    return f"dataset: {(desk.out / 'latest').resolve()} ({made})"


# The line itself


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The help lists every command and what it does."""
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    told = re.findall(r"^    (\w+)\s+\S", capsys.readouterr().out, re.MULTILINE)
    named = (
        "refresh fetch replay read parse add accept init new sources status verify quarantine changes files show "
        "search works sql site explain export"
    )
    assert (ended.value.code, told) == (0, [*named.split(), "completion"])


# refresh


def test_refresh_that_is_good(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0: a table of the sources and the dataset on the output, the steps on the error stream."""
    desk.put("fair/a.txt", HAY, RYE)
    said = refresh(capsys, desk)
    assert (said.code, said.out, said.err) == (
        0,
        ["no dumps: news", *counts("fair", "ok", 1, 2), dataset(desk, "new snapshot")],
        ["read 1 of 1 dumps, last fair/a.txt", "publishing"],
    )


def test_refresh_that_changes_nothing(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A second run says that the snapshot has not changed."""
    desk.put("fair/a.txt", HAY)
    refresh(capsys, desk)
    assert refresh(capsys, desk).out[-1] == dataset(desk, "no data file changed, same snapshot")


def test_refresh_of_named_sources(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the named sources are read."""
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", "not a dump")
    said = refresh(capsys, desk, "fair")
    steps = ["read 1 of 1 dumps, last fair/a.txt", "publishing"]
    assert (said.code, said.out[:2], said.err) == (0, counts("fair", "ok", 1, 1), steps)


def test_refresh_with_a_bad_dump(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1; the failure is told first, with file, line and what was expected; the rest is published."""
    desk.put("fair/a.txt", HAY)
    desk.put("fair/b.txt", "", "not a dump")
    said = refresh(capsys, desk, "fair")
    assert (said.code, said.out) == (
        1,
        [
            "failed: fair/b.txt:2: not_this_source: expected json lines: JSON objects",
            *counts("fair", "partial", 2, 1, quarantined=1, unexplained=1),
            dataset(desk, "new snapshot"),
            "red: fair: fair/b.txt:2: not_this_source: expected json lines: JSON objects",
            "next: conspectus parse raw/fair/b.txt --lines",
            "next: conspectus quarantine fair",
        ],
    )


def test_refresh_with_a_file_of_no_source(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Files that no source reads are reported, with the sources that recognise them, and the exit code is 1."""
    desk.put("fair/a.txt", HAY)
    desk.put("barn/a.txt", HAY)
    desk.put("barn/b.txt", "x")
    said = refresh(capsys, desk)
    expected = "unknown_source: expected raw/<source>/<dump>, the source one of fair, news"
    hint = "; it looks like fair (json lines) or news (json lines)"
    assert (said.code, said.out[:2]) == (
        1,
        [f"failed: barn/a.txt: {expected}{hint}", f"failed: barn/b.txt: {expected}"],
    )
    assert said.out[-2:] == [
        f"red: barn/b.txt: {expected}",
        "next: conspectus parse raw/barn/b.txt --lines",
    ]


@pytest.mark.parametrize(
    ("refusing_too", "hint"),
    [
        (["fair"], "it looks like news (json lines)"),
        (["fair", "news"], "it looks like fair (json lines) or news (json lines)"),
    ],
)
def test_a_file_that_a_source_would_refuse(
    desk: Desk, capsys: pytest.CaptureFixture[str], refusing_too: list[str], hint: str
) -> None:
    """A source whose format refuses all that it recognises is named only where no other would read the file."""
    desk.put("fair/a.txt", HAY)
    desk.put("barn/a.txt", HAY)
    known = {
        name: replace(each, formats=(replace(each.formats[0], refuses=name in refusing_too),))
        for name, each in TOYS.items()
    }
    said = Said(capsys, "refresh", "--raw", desk.raw, "--out", desk.out, known=known)
    assert (said.code, said.out[0].rpartition("; ")[2]) == (1, hint)


def test_refresh_with_quarantined_lines_is_good(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Quarantined lines are counted and the first one is shown; they do not turn the run red."""
    desk.put("fair/a.txt", HAY, "junk", "", "junk", '{"cut')
    said = refresh(capsys, desk, "fair")
    assert (said.code, said.out[:3]) == (
        0,
        [
            "held back: fair/a.txt:2: unexplained_line: no rule claimed it: 'junk' (and 2 more)",
            *counts("fair", "ok", 1, 1, quarantined=3, unexplained=2),
        ],
    )


def test_refresh_without_a_raw_root(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, naming the option, the variable and the default."""
    said = Said(capsys, "refresh")
    told = "--raw (not given), CONSPECTUS_RAW (not set), ./raw"
    assert (said.code, said.out, said.err) == (
        2,
        [],
        [f"conspectus: no raw root: {tmp_path}/raw is not a folder; tried: {told}"],
    )


def test_roots_from_the_environment(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variables are used where the options are not given."""
    desk.put("fair/a.txt", HAY)
    monkeypatch.setenv("CONSPECTUS_RAW", str(desk.raw))
    monkeypatch.setenv("CONSPECTUS_OUT", str(desk.out))
    assert (Said(capsys, "refresh").code, desk.titles("fair")) == (0, ["Hay"])


def test_refresh_that_cannot_publish(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 1 with the reason, no traceback."""

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publish, "switch", fail)
    desk.put("fair/a.txt", HAY)
    said = refresh(capsys, desk)
    assert (said.code, said.out, said.err[-1]) == (
        1,
        [],
        f"failed: {desk.out}: could not write the snapshot; the previous one stays published: "
        "[Errno 28] No space left on device",
    )


def test_refresh_on_a_terminal(desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A table on the output; messages on the error stream; brackets in names are no markup."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    desk.put("fair/[b]a.txt", "not a dump")
    said = refresh(capsys, desk, "fair")
    assert (said.code, said.out[0].split()) == (
        1,
        "source status dumps records quarantined unexplained lines seconds".split(),
    )
    assert said.out[1].split() == ["fair", "failed", "1", "-", "1", "1", "S"]
    error = "fair/[b]a.txt:1: not_this_source: expected json lines: JSON objects"
    assert said.err[-4].endswith(f"failed: {error}")
    assert said.err[-3:] == [
        f"red: fair: {error}",
        "next: conspectus parse 'raw/fair/[b]a.txt' --lines",
        "next: conspectus quarantine fair",
    ]


@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_refresh(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, terminal: bool
) -> None:
    """``--quiet`` prints nothing on a green night, so that cron sends no mail, and plain lines on a red one."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    desk.put("fair/a.txt", HAY, "junk")
    green = refresh(capsys, desk, "--quiet")
    desk.put("news/a.txt", "x")
    red = refresh(capsys, desk, "--quiet")
    assert (green.code, green.out, green.err) == (0, [], [])
    assert (red.code, red.out[0][:6], red.out[-2], red.err) == (
        1,
        "failed",
        "next: conspectus parse raw/news/a.txt --lines",
        [],
    )


# parse


def test_parse_prints_records_in_page_order(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object a line, with every column; the format and the counts are told on the error stream."""
    file = desk.put("fair/a.txt", RYE, "", HAY)
    said = Said(capsys, "parse", file)
    records = [json.loads(line) for line in said.out]
    assert (said.code, said.err) == (0, ["format: fair, json lines; 2 records, 2 lines"])
    assert [(record["title"], record["line_start"], record["dump"]) for record in records] == [
        ("Rye", 1, "fair/a.txt"),
        ("Hay", 3, "fair/a.txt"),
    ]
    assert list(records[0]) == list(RECORDS.columns)


def test_parse_tells_what_was_held_back(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The counts by reason come first, then each reject with file, line, reason and the beginning of its text."""
    file = desk.put("fair/a.txt", HAY, "junk" * 100)
    assert Said(capsys, "parse", file).err[1:] == [
        "held back: 1 (unexplained_line 1)",
        f"{file}:2: unexplained_line: no rule claimed it: {('junk' * 50)!r}",
    ]


def test_parse_writes_nothing(desk: Desk, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """No file appears, neither below an out root nor beside the dump."""
    file = desk.put("fair/a.txt", HAY)
    before = sorted(tmp_path.rglob("*"))
    Said(capsys, "parse", file)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("arguments", [["--source", "news"], []])
def test_source_of_a_dump(desk: Desk, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    """The source is that of the option, otherwise that of the folder."""
    file = desk.put("fair/a.txt", HAY)
    said = Said(capsys, "parse", file, *arguments)
    name = arguments[-1] if arguments else "fair"
    assert (said.err[0].split(",")[0], json.loads(said.out[0])["source"]) == (f"format: {name}", name)


def test_source_found_by_content(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder of no source, the only source that recognises the content is used."""
    deaf = replace(FAIR, formats=(replace(FAIR.formats[0], recognise=lambda _: False),))
    file = desk.put("barn/a.txt", HAY)
    said = Said(capsys, "parse", file, known={"fair": deaf, "news": NEWS})
    assert json.loads(said.out[0])["source"] == "news"


def refusing(document: Document) -> Iterator[Item]:
    """Parse no document at all."""
    raise document.error(2, "declined", "expected oats")
    yield


def failing(document: Document) -> Iterator[Item]:
    """Parse no document at all, by mistake."""
    raise ZeroDivisionError(document.path)
    yield


@pytest.mark.parametrize(
    ("parser", "said"),
    [
        (refusing, "not fair, which recognises it, too: declined in line 2: expected oats"),
        (failing, "not fair, which recognises it, too: its parser fails with ZeroDivisionError"),
    ],
)
def test_content_that_one_of_two_sources_reads(
    desk: Desk, capsys: pytest.CaptureFixture[str], parser: Parse, said: str
) -> None:
    """A source that recognises the dump but refuses it is not used, and is named."""
    file = desk.put("barn/a.txt", HAY)
    known = {"fair": replace(FAIR, formats=(replace(FAIR.formats[0], parse=parser),)), "news": NEWS}
    found = Said(capsys, "parse", file, known=known)
    assert (found.code, json.loads(found.out[0])["source"], found.err) == (
        0,
        "news",
        ["format: news, json lines; 1 records, 1 lines", said],
    )


def first(document: Document) -> Iterator[Item]:
    """Read the first line alone."""
    yield read_item(document, 1, document.lines[1])


NEXT = "hint: if it is the text of a page, save that page as HTML"
NO_TOY = f"not_this_source: expected json lines: JSON objects\n{NEXT}"


def whole(document: Document) -> Iterator[Item]:
    """Read the first line as a record, and claim all others."""
    yield from first(document)
    for number, _ in document.lines.texts(2):
        document.lines.claim(number, LINE)


def test_content_that_a_guard_refuses(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A source whose result a guard would reject is not used, as in a refresh."""
    file = desk.put("barn/a.txt", HAY, *["total is not a word here"] * 9)
    known = {
        "fair": replace(FAIR, formats=(replace(FAIR.formats[0], parse=first),)),
        "news": replace(NEWS, formats=(replace(NEWS.formats[0], parse=whole),)),
    }
    found = Said(capsys, "parse", file, known=known)
    assert (found.code, found.err[0], found.err[1].split(":")[0]) == (
        0,
        "format: news, json lines; 1 records, 10 lines",
        "not fair, which recognises it, too",
    )


def test_content_that_all_sources_refuse(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 1, and the message has the reason of each source."""
    file = desk.put("barn/a.txt", HAY)
    known = {name: replace(each, formats=(replace(each.formats[0], parse=refusing),)) for name, each in TOYS.items()}
    said = Said(capsys, "parse", file, known=known)
    told = "; ".join(f"not {name}, which recognises it, too: declined in line 2: expected oats" for name in TOYS)
    assert (said.code, said.out, said.err[0]) == (
        1,
        [],
        f"failed: {file}:1: declined: expected a dump that one of fair, news reads; {told}",
    )


def test_nearest_source_of_content_that_none_knows(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The message says what it is, which format would read most of it and what that lacks; then what to do."""
    file = desk.put("barn/a.txt", "Dear Sir,", HAY, RYE)
    deaf = {
        name: replace(each, formats=(replace(each.formats[0], recognise=lambda _: False),))
        for name, each in TOYS.items()
    }
    said = Said(capsys, "parse", file, known=deaf)
    assert said.err == [
        f"failed: {file}:1: not_this_source: expected a dump of a known source (fair, news), found a text; "
        "nearest is fair (json lines), which expects JSON objects",
        NEXT,
    ]


def test_what_to_do_with_a_page_of_no_source(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The command can be pasted, but for the name."""
    file = desk.put("barn/my page.html", f"<html><body>{'<p>We saw a blue ship on the sea.</p>' * 20}</body></html>")
    said = Said(capsys, "parse", file)
    assert (said.code, said.err[0].rpartition(", found ")[2], said.err[1]) == (
        1,
        "a web page of no known layout",
        f"hint: for a table that reads such pages, conspectus new NAME --table --from '{file}'",
    )


def test_an_error_page_in_the_folder_of_a_source(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A refresh and ``parse`` say what the page says."""
    file = desk.put("fair/a.html", "<html><title>404 Not Found</title><body><h1>Not Found</h1></body></html>")
    expected = "not_this_source: expected json lines: JSON objects; it is a page that says '404 Not Found'"
    assert desk.run().outcomes[0].readings[0].error == f"fair/a.html:1: {expected}"
    assert Said(capsys, "parse", file).err == [
        f"failed: {file}:1: {expected}",
        "hint: open its address in a browser, and save the page that is wanted",
    ]


@pytest.mark.parametrize(
    ("lines", "sidecar", "message"),
    [
        (["x"], "", ":1: not_this_source: expected json lines: JSON objects"),
        ([""], "", ":1: empty_dump: expected text, found an empty file"),
        ([HAY], "yaer = 1", ".meta.toml:1: bad_sidecar: unknown key 'yaer': expected one of url, "),
    ],
)
def test_parse_of_a_file_that_is_no_dump(
    desk: Desk, capsys: pytest.CaptureFixture[str], lines: list[str | dict[str, Any]], sidecar: str, message: str
) -> None:
    """Exit code 1 with file, line, reason and what was expected."""
    file = desk.put("fair/a.txt", *lines, sidecar=sidecar)
    said, message = Said(capsys, "parse", file), f"failed: {file}{message}"
    assert (said.code, said.out, said.err[0][: len(message)]) == (1, [], message)


def test_a_dump_that_a_guard_rejects(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """``refresh``, ``quarantine`` and ``parse`` give the same counts, and the same line for each reject."""
    file = desk.put("fair/a.txt", HAY, "junk", '{"cut', '{"off', "total 1")
    cut = "Unterminated string starting at: line 1 column 2 (char 1)"
    failed = (
        "fair/a.txt:1: guard_unexplained: 2 of 3 items were rejected, expected at most 50%; 3 things were held back, "
        f"2 as incomplete_item, the first in line 3: {cut}"
    )
    rows = [
        "fair/a.txt:2: unexplained_line: no rule claimed it: 'junk'",
        f"fair/a.txt:3: incomplete_item: {cut}: '{{\"cut'",
        f"fair/a.txt:4: incomplete_item: {cut}: '{{\"off'",
    ]
    told, held = refresh(capsys, desk, "fair"), Said(capsys, "quarantine", "fair")
    assert (told.out[0], held.err) == (f"failed: {failed}", [])
    assert [line.split()[1:] for line in held.out[:4]] == [
        ["reason", "rows"],
        ["incomplete_item", "2"],
        ["guard_unexplained", "1"],
        ["unexplained_line", "1"],
    ]
    assert held.out[4:] == [failed, *rows]
    said = Said(capsys, "parse", file)
    lines = [line.removeprefix(f"{desk.raw}/") for line in said.err[2:-1]]
    assert (said.code, len(said.out), said.err[1], sorted(lines)) == (
        1,
        1,
        "held back: 3 (incomplete_item 2, unexplained_line 1)",
        rows,
    )
    assert said.err[-1] == f"failed: {desk.raw}/{failed}"
    assert desk.table("quarantine", "fair")["text"][0] == file.read_text()


@pytest.mark.parametrize(("limit", "code"), [(0.5, 1), (0.7, 0)])
def test_parse_judges_as_the_configuration_says(
    desk: Desk, capsys: pytest.CaptureFixture[str], tmp_path: Path, limit: float, code: int
) -> None:
    """``parse`` applies the configured guards to the single dump."""
    config = tmp_path / "other.toml"
    config.write_text(f"[guards.fair]\nunexplained_limit = {limit}")
    file = desk.put("fair/deep/a.txt", HAY, '{"cut', '{"off')
    assert Said(capsys, "parse", file, "--raw", desk.raw, "--config", config).code == code


def test_quarantine_shows_the_line_at_fault(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """For a dump that its parser refused, ``quarantine`` shows the line at fault; the table has the whole text."""
    desk.put("fair/a.txt", "", "not a dump", "nor this")
    desk.run("fair")
    expected = "fair/a.txt:2: not_this_source: expected json lines: JSON objects: 'not a dump'"
    assert Said(capsys, "quarantine", "fair").out[-1] == expected


def parse_moment(document: Document) -> Iterator[Item]:
    """Read anything as one record whose title is the capture time."""
    yield Record(line_start=1, line_end=1, title=str(document.facts.captured_at))


@pytest.fixture
def telling(desk: Desk, capsys: pytest.CaptureFixture[str]) -> tuple[Desk, pytest.CaptureFixture[str]]:
    """Return a desk whose source gives the capture time as title."""
    format_ = Format("moment", "anything", lambda _: True, parse_moment)
    desk.known = {"fair": replace(FAIR, formats=(format_,))}
    return desk, capsys


@pytest.mark.parametrize(
    ("name", "sidecar", "captured"),
    [
        ("a.txt", "captured_at = 2026-06-17T11:15:00+02:00", "2026-06-17 09:15:00"),
        ("a-20260617T0915.txt", "", "2026-06-17 09:15:00"),
        ("a.txt", "", "None"),
    ],
)
def test_parse_knows_what_a_refresh_would_know(
    telling: tuple[Desk, pytest.CaptureFixture[str]], name: str, sidecar: str, captured: str
) -> None:
    """The capture time of a single dump is that of a refresh: from the sidecar in UTC, else from the file's name."""
    desk, capsys = telling
    file = desk.put(f"fair/{name}", "x", sidecar=sidecar)
    assert json.loads(Said(capsys, "parse", file, known=desk.known).out[0])["title"] == captured


# parse -


class Piped(io.TextIOWrapper):
    """A standard input with the given bytes, which may claim to be a terminal."""

    def __init__(self, data: bytes, *, terminal: bool = False) -> None:
        """Store the bytes."""
        super().__init__(io.BytesIO(data))
        self.terminal = terminal

    def isatty(self) -> bool:
        """Return whether it claims to be a terminal."""
        return self.terminal


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes, *, terminal: bool = False) -> None:
    """Put bytes on the standard input."""
    monkeypatch.setattr(sys, "stdin", Piped(data, terminal=terminal))


RYE_LINE = json.dumps(RYE).encode()
PACKED = {"gzip": gzip.compress(RYE_LINE, mtime=0), "zstd": zstandard.compress(RYE_LINE), "plain": RYE_LINE}


@pytest.mark.parametrize("packing", PACKED)
def test_parse_of_the_standard_input(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, packing: str
) -> None:
    """Standard input gives the same records as a file, compressed or not."""
    pipe(monkeypatch, PACKED[packing])
    said = Said(capsys, "parse", "-", "--source", "fair")
    (piped,) = map(json.loads, said.out)
    (filed,) = map(json.loads, Said(capsys, "parse", desk.put("fair/a.txt", RYE)).out)
    assert (said.code, said.err) == (0, ["format: fair, json lines; 1 records, 1 lines"])
    assert (piped.pop("dump"), filed.pop("dump")) == ("<stdin>", "fair/a.txt")
    assert (piped.pop("dump_sha256") == filed.pop("dump_sha256"), piped) == (packing == "plain", filed)


def test_parse_of_the_lines_of_the_standard_input(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--lines`` works with standard input, which messages call ``<stdin>``."""
    pipe(monkeypatch, RYE_LINE + b"\njunk")
    said = Said(capsys, "parse", "-", "--lines", "--source", "fair")
    assert (said.code, [line.split()[:3] for line in said.out[1:]]) == (
        0,
        [["1", "record", "line"], ["2", "unexplained", "-"]],
    )
    assert said.err[-1] == "<stdin>:2: unexplained_line: no rule claimed it: 'junk'"


def test_a_name_for_the_standard_input(
    telling: tuple[Desk, pytest.CaptureFixture[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--name`` stands for the name, folder and sidecar of a file whose content is not read."""
    desk, capsys = telling
    file = desk.put("fair/a.txt", "not read", sidecar="captured_at = 2026-06-17T11:15:00+02:00")
    named = []
    for name in (file, "fair/a-20260617T0915.txt"):
        pipe(monkeypatch, b"x")
        named.append(json.loads(Said(capsys, "parse", "-", "--name", name, known=desk.known).out[0]))
    assert [(row["title"], row["dump"]) for row in named] == [
        ("2026-06-17 09:15:00", "fair/a.txt"),
        ("2026-06-17 09:15:00", "fair/a-20260617T0915.txt"),
    ]


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(
    ("data", "arguments", "message"),
    [
        (b"", [], "failed: <stdin>:1: empty_dump: expected text, found an empty file"),
        (
            b"\n\nDear Sir,",
            [],
            f"failed: <stdin>:1: not_this_source: expected a dump of a known source (fair, news), found a text\n{NEXT}",
        ),
        (b"x", ["--source", "fair"], f"failed: <stdin>:1: {NO_TOY}"),
        (b"x", ["--name", "fair/b.txt"], f"failed: fair/b.txt:1: {NO_TOY}"),
        (RYE_LINE, [], "conspectus: <stdin>: matches several sources, fair, news; choose one with --source"),
        (
            PACKED["gzip"][:-9],
            [],
            "failed: <stdin>:1: unreadable: expected a readable file: truncated gzip data",
        ),
        (b"x" * 101, [], "failed: <stdin>:1: too_large: expected at most 9.53674e-05 MiB in one dump, found more"),
        (
            gzip.compress(b"x" * 101, mtime=0),
            [],
            "failed: <stdin>:1: too_large: expected at most 9.53674e-05 MiB in one dump, found more",
        ),
    ],
)
def test_a_standard_input_that_is_no_dump(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    data: bytes,
    arguments: list[str],
    message: str,
) -> None:
    """Messages call it ``<stdin>`` or by ``--name``; no more is read than the size limit of a dump."""
    monkeypatch.setattr("pipeline.cli.dumps.MAX_BYTES", 100)
    pipe(monkeypatch, data)
    said = Said(capsys, "parse", "-", *arguments)
    assert (said.code, said.out, said.err) == (2 if message.startswith("conspectus") else 1, [], message.split("\n"))


@pytest.mark.usefixtures("desk")
def test_a_terminal_is_told_what_is_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the command would seem to hang."""
    pipe(monkeypatch, RYE_LINE, terminal=True)
    said = Said(capsys, "parse", "-", "--source", "fair")
    assert (said.code, said.err[0]) == (
        0,
        "<stdin>: reading a dump from the terminal; end with Ctrl-D on an empty line",
    )


def test_no_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed standard input is reported."""
    monkeypatch.setattr(sys, "stdin", None)
    closed = Said(capsys, "parse", "-")
    assert (closed.code, closed.err) == (2, ["conspectus: <stdin>: expected a dump on standard input, found none"])


# sources


def test_sources_with_their_formats_and_dumps(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Each source with title, parser, family and formats; each dump with its format, or why it has none."""
    desk.put("fair/a.txt", HAY)
    desk.put("fair/b.txt", "x")
    desk.put("fair/c.txt", "")
    said = Said(capsys, "sources", "--raw", desk.raw)
    assert (said.code, said.err, said.out) == (
        0,
        [],
        [
            "fair: Fair (fair@1, programme, state pages)",
            "  formats: json lines",
            "  dump: fair/a.txt (json lines)",
            "  dump: fair/b.txt (not_this_source)",
            "  dump: fair/c.txt (empty_dump)",
            "news: News (news@1, listing, log pages)",
            "  formats: json lines",
        ],
    )


def test_sources_without_a_raw_root(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The sources are listed, with a note that dumps are not."""
    desk.raw.rmdir()
    said = Said(capsys, "sources")
    assert (said.code, len(said.out), said.err[0].endswith("./raw; dumps are not listed")) == (0, 4, True)


# In a process of its own

PIPED = """
import sys
from pipeline.__main__ import main
from pipeline.base.settings import Settings
from tests.support.toy import TOYS
sys.exit(main(sys.argv[1:], TOYS))
"""


def piped(reader: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command into a pipe that the given shell command reads; its exit code is told after its own errors."""
    script = f'{{ "$0" -c "$@"; echo "code $?" >&2; }} | {reader}'
    return subprocess.run(
        ["sh", "-c", script, sys.executable, PIPED, *map(str, arguments)],  # noqa: S607  # sh is where sh is
        cwd=ROOT,
        # Unbuffered output, as some machines have it, would hide what happens at the end of a process.
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("count", [1, 5000])
def test_a_reader_that_has_seen_enough(desk: Desk, count: int) -> None:
    """A closed pipe causes no traceback, whether the output is long or short."""
    file = desk.put("fair/a.txt", *({**RYE, "title": f"Rye {number}"} for number in range(count)))
    done = piped("exec 0<&-", "parse", file)
    assert done.stderr.split("\n") == [f"format: fair, json lines; {count} records, {count} lines", "code 1", ""]


class Full(io.RawIOBase):
    """A file on a disk that is full."""

    full = True

    def writable(self) -> bool:
        """Let it be opened for writing."""
        return True

    def write(self, data: Any) -> int:  # any buffer
        """Take nothing, as long as it is full."""
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return len(data)


@pytest.mark.parametrize("command", ["--version", "sources --example", "sources", "status", "verify", "export csv"])
def test_a_disk_that_is_full_of_output(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """One line on standard error and exit code 1."""
    desk.put("fair/a.txt", RYE)
    desk.run()
    monkeypatch.setenv("CONSPECTUS_OUT", str(desk.out))
    monkeypatch.setenv("CONSPECTUS_RAW", str(desk.raw))
    file = Full()
    with io.TextIOWrapper(io.BufferedWriter(file)) as stream, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", stream)
        code = main(command.split(), TOYS)
        file.full = False
    message = "failed: standard output is incomplete: No space left on device\n"
    assert (code, capsys.readouterr().err) == (1, message)


@pytest.mark.parametrize(("blocks", "command", "unbuffered"), [(0, "--version", ""), (1, "sources --example", "1")])
def test_a_disk_that_becomes_full(tmp_path: Path, blocks: int, command: str, unbuffered: str) -> None:
    """A process reports it too, with and without a buffer, and after part of the output was written."""
    with (tmp_path / "full").open("w") as full:
        done = subprocess.run(
            ["sh", "-c", f'ulimit -f {blocks}; exec "$0" -m pipeline "$@"', sys.executable, *command.split()],  # noqa: S607
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "failed: standard output is incomplete: File too large\n")


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_stream_that_is_closed(desk: Desk, monkeypatch: pytest.MonkeyPatch, closed: str) -> None:
    """The command succeeds although Python has no stream where its shell closed one."""
    monkeypatch.setattr(sys, closed, None)
    assert main(["sources", "--raw", str(desk.raw)], TOYS) == 0


def test_streams_that_are_closed(desk: Desk) -> None:
    """A process succeeds with both streams closed."""
    command = f"{shlex.quote(sys.executable)} -m pipeline sources --raw {shlex.quote(str(desk.raw))} >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], cwd=ROOT, check=False).returncode == 0  # noqa: S607
