"""The raw archive: captures on the disk, their log, and that no crash leaves a partial one."""

import json
import os
import tomllib
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from parsers._web.web import Request
from pipeline.base.known_files import KnownFiles
from pipeline.base.settings import MEBIBYTE
from pipeline.raw.archive import Answer, conditions, folder_of, keep, newest_capture, repair
from pipeline.raw.capture_log import Attempt, FetchStatus, append, capture_times, load_log, pages_asked, stamp
from pipeline.raw.inventory import take_inventory
from pipeline.raw.load import load
from tests.support.deaths import fail_at, kill_at, list_calls, list_states

NOW = datetime(2026, 11, 21, 3, tzinfo=UTC)
PAGE = Request("days/2026-11-21", "https://fair.example/day.html", ".html", {"event": "FAIR", "year": 2026})
HAY = Answer(PAGE.url, 200, b"<p>hay", '"1"', "Fri, 20 Nov 2026 10:00:00 GMT", "text/html; charset=utf-8")
RYE = replace(HAY, data=b"<p>rye", etag='"2"')
LOGGED = ("2026-11-20T03:00:00Z", None)
"""When a capture without a log is taken to be from, and its status."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of the page, which is not there yet."""
    return folder_of(tmp_path, "fair", PAGE)


def names(folder: Path) -> list[str]:
    """Return what is in a folder, hidden files included."""
    return sorted(file.name for file in folder.iterdir())


def lines(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of the capture log, each of which must be JSON."""
    return [json.loads(line) for line in (folder / "captures.ndjson").read_text().splitlines()]


def night(folder: Path, answer: Answer = HAY, now: datetime = NOW) -> FetchStatus:
    """Do with an answer what a run does: mend, keep, log."""
    repair(folder, now)
    outcome, kept = keep(folder, PAGE, answer, now)
    digest = sha256(answer.data).hexdigest()
    append(folder, Attempt(stamp(now), PAGE.url, outcome, 200, answer.etag, None, digest, kept.file.name, 0.5))
    return outcome


def times(raw: Path, failed: Collection[str] = ()) -> dict[str, datetime]:
    """Return when the pages of the source were last captured."""
    files = KnownFiles(raw)
    return capture_times(files, "fair", pages_asked(raw, "fair", (), files), failed)


def whole_captures(raw: Path) -> list[bytes]:
    """Return the bytes of the captures, in their order; each must have its sidecar, and nothing else be there."""
    inventory = take_inventory(raw, ["fair"])
    dumps = inventory.dumps.get("fair", ())
    documents = [load(dump, MEBIBYTE) for dump in dumps]
    said = [tomllib.loads(Path(f"{dump.file}.meta.toml").read_text())["sha256"] for dump in dumps]
    assert (inventory.unknown, [document.sha256 for document in documents]) == ({}, said)
    return [document.text.encode() for document in documents]


# Captures


def test_a_capture_on_the_disk(folder: Path) -> None:
    """The bytes under the moment of their capture; beside them where they come from and what is known of the page."""
    outcome, kept = keep(folder, PAGE, replace(HAY, url="https://www.fair.example/day.html"), NOW)
    assert (outcome, kept.file.read_bytes(), names(folder)) == (
        FetchStatus.NEW,
        HAY.data,
        ["20261121T030000Z.html", "20261121T030000Z.html.meta.toml"],
    )
    assert tomllib.loads((folder / names(folder)[1]).read_text()) == {
        "url": PAGE.url,
        "final_url": "https://www.fair.example/day.html",
        "captured_at": NOW,
        "status": 200,
        "etag": '"1"',
        "last_modified": "Fri, 20 Nov 2026 10:00:00 GMT",
        "content_type": "text/html; charset=utf-8",
        "sha256": sha256(HAY.data).hexdigest(),
        "event": "FAIR",
        "year": 2026,
    }


def test_a_capture_is_a_dump_of_its_page(folder: Path, tmp_path: Path) -> None:
    """The snapshot stage finds it, with its facts, and passes over the log."""
    night(folder)
    inventory = take_inventory(tmp_path, ["fair"])
    (dump,) = inventory.dumps["fair"]
    assert (dump.page, dump.problem, dump.facts.event, dump.facts.captured_at) == (
        PAGE.url,
        None,
        "FAIR",
        NOW.replace(tzinfo=None),
    )
    assert (dict(inventory.unknown), dict(inventory.ignored)) == ({}, {})


@pytest.mark.parametrize("etag", ['"a\\b"', 'W/"x\x7f"', "é\t", ""])
def test_any_header_fits_into_a_sidecar(folder: Path, etag: str) -> None:
    """Quotes, backslashes and control characters come back as they were; an empty one is left out."""
    assert keep(folder, PAGE, replace(HAY, etag=etag), NOW)[1].sidecar.get("etag", "") == etag


def test_the_same_bytes_are_kept_once(folder: Path) -> None:
    """The second night adds a line to the log, and nothing else."""
    outcomes = [night(folder), night(folder, now=NOW + timedelta(days=1))]
    assert (outcomes, len(names(folder)), [line["file"] for line in lines(folder)]) == (
        [FetchStatus.NEW, FetchStatus.UNCHANGED],
        3,
        ["20261121T030000Z.html"] * 2,
    )


def test_bytes_of_an_older_capture_are_kept_again(folder: Path, tmp_path: Path) -> None:
    """A page that went back is a new capture: the newest one says how the page is."""
    outcomes = [night(folder, answer, NOW + timedelta(days=day)) for day, answer in enumerate([HAY, RYE, HAY])]
    assert (outcomes, whole_captures(tmp_path)) == ([FetchStatus.NEW] * 3, [HAY.data, RYE.data, HAY.data])


def test_other_facts_make_a_new_capture(folder: Path) -> None:
    """A name that was mended in ``sources.toml`` must reach the page, though its bytes are the same."""
    night(folder)
    mended = replace(PAGE, facts={"event": "FAIR 2026", "year": 2026})
    assert (conditions(folder, mended, NOW), keep(folder, mended, HAY, NOW + timedelta(days=1))[0]) == (
        {},
        FetchStatus.NEW,
    )


def test_captures_of_one_second_stay_apart(folder: Path, tmp_path: Path) -> None:
    """Nothing is overwritten; the later one is the newest, for this stage and for the next."""
    answers = [replace(HAY, data=text) for text in (b"a", b"b", b"c", b"d")]
    moments = [NOW, NOW, NOW, NOW + timedelta(microseconds=70)]
    kept = [keep(folder, PAGE, answer, now)[1].file.name for answer, now in zip(answers, moments, strict=True)]
    dumps = sorted(take_inventory(tmp_path, ["fair"]).dumps["fair"], key=lambda dump: str(dump.facts.captured_at))
    assert kept == [f"20261121T030000Z{more}.html" for more in ("", "-000001", "-000002", "-000070")]
    assert [load(dump, MEBIBYTE).text for dump in dumps] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("key", ["", "..", "a/../b", "/a", "a//b", ".a", "a/", "a\\b", "a b", "a" * 130, "a\n"])
def test_a_key_that_is_no_folder(tmp_path: Path, key: str) -> None:
    """No key leads out of the folder of the source or to a hidden one."""
    with pytest.raises(ValueError, match="expected a key"):
        folder_of(tmp_path, "fair", replace(PAGE, key=key))


def test_a_suffix_that_is_no_dump(tmp_path: Path) -> None:
    """What nobody would read is not kept."""
    with pytest.raises(ValueError, match="a file suffix of a dump"):
        folder_of(tmp_path, "fair", replace(PAGE, suffix=".pdf"))


def test_a_packed_capture_is_still_the_newest(folder: Path) -> None:
    """Somebody may pack the archive, sidecars renamed with it."""
    night(folder)
    for name in ("20261121T030000Z.html.meta.toml", "20261121T030000Z.html"):
        (folder / name).rename(folder / name.replace(".html", ".html.gz"))
    kept = newest_capture(folder)
    assert (kept and kept.file.name, keep(folder, PAGE, HAY, NOW)[0]) == (
        "20261121T030000Z.html.gz",
        FetchStatus.UNCHANGED,
    )


# Conditions and the log


def test_conditions_are_those_of_the_last_answer(folder: Path) -> None:
    """The same bytes may come with a new mark; a failure says nothing."""
    first = conditions(folder, PAGE, NOW)
    night(folder)
    second = conditions(folder, PAGE, NOW)
    append(folder, replace(entry("unchanged"), etag='"9"', last_modified="later"))
    append(folder, Attempt(stamp(NOW), PAGE.url, FetchStatus.FAILED, 500, '"x"'))
    assert (first, second, conditions(folder, PAGE, NOW)) == (
        {},
        {"If-None-Match": '"1"'},
        {"If-None-Match": '"9"', "If-Modified-Since": "later"},
    )


def entry(outcome: str) -> Attempt:
    """Make a line of the log for the bytes of ``HAY``."""
    return Attempt(stamp(NOW), PAGE.url, FetchStatus(outcome), 200, None, None, sha256(HAY.data).hexdigest(), "x", 0.1)


def test_conditions_of_a_capture_without_a_log(folder: Path) -> None:
    """The sidecar has them too."""
    keep(folder, PAGE, HAY, NOW)
    assert conditions(folder, PAGE, NOW) == {"If-None-Match": '"1"', "If-Modified-Since": HAY.last_modified}


def test_when_pages_were_captured(tmp_path: Path) -> None:
    """By key, for every page with a good attempt; an unchanged page was captured too."""
    for key, outcomes in {"a/1": ["new", "failed"], "a/2": ["new", "not_modified"], "b": ["failed"]}.items():
        for day, outcome in enumerate(outcomes):
            line = replace(entry(outcome), at=stamp(NOW + timedelta(days=day)))
            append(folder_of(tmp_path, "fair", replace(PAGE, key=key)), line)
    assert times(tmp_path) == {"a/1": NOW, "a/2": NOW + timedelta(days=1)}


def test_a_log_line_says_all(folder: Path) -> None:
    """One JSON object a line, every key there."""
    night(folder)
    assert lines(folder) == [
        {
            "at": "2026-11-21T03:00:00Z",
            "url": PAGE.url,
            "outcome": "new",
            "status": 200,
            "etag": '"1"',
            "last_modified": None,
            "sha256": sha256(HAY.data).hexdigest(),
            "file": "20261121T030000Z.html",
            "seconds": 0.5,
            "error": None,
        }
    ]


TORN = json.dumps(asdict(entry("unchanged"))).encode()
OTHERS: tuple[dict[str, Any], ...] = (
    {"at": 7},
    {"at": "yesterday"},
    {"at": "0001-01-01T00:00:00+05:00"},
    {"at": "9999-12-31T23:59:59-05:00"},
    {"at": "2026-11-20T03:00:00"},
    {"file": []},
    {"etag": 1},
    {"url": "\ud800"},
    {"more": {"deeper": []}},
)
"""Values that no line can have."""
DAMAGE = (
    *(TORN[: int(share * len(TORN))] for share in (0.01, 0.5, 0.99, 1.0)),
    *(b"\0" * 40 + b"\n", b"[]\n", b'{"at": 1}\n', b"\xff\xfe\n\n", b"[" * 100_000 + b"\n"),
    *(json.dumps({**json.loads(TORN), "at": "2026-11-22T03:00:00Z", **values}).encode() + b"\n" for values in OTHERS),
)


@pytest.mark.parametrize("junk", DAMAGE, ids=range(len(DAMAGE)))
def test_damage_of_the_log(folder: Path, tmp_path: Path, junk: bytes) -> None:
    """A torn line, what a power cut leaves, what no line can be: nothing is computed with it; a repair says so."""
    night(folder)
    log = folder / "captures.ndjson"
    good = log.read_bytes()
    log.write_bytes(junk + good if junk.endswith(b"\n") else good + junk)
    damaged, captured, done = load_log(log)[1], times(tmp_path), repair(folder, NOW)
    said = "one line was" if damaged == 1 else f"{damaged} lines left by a killed run were"
    assert (damaged, captured) == (max(1, junk.count(b"\n")), {PAGE.key: NOW})
    assert done == [f"removed from the log: {said} not JSON"]
    night(folder, RYE, NOW + timedelta(days=1))
    assert ([line["outcome"] for line in lines(folder)], repair(folder, NOW)) == (["new", "failed", "new"], [])


def test_a_log_that_is_no_file(folder: Path, tmp_path: Path) -> None:
    """Nobody waits for the other end of a FIFO, to read or to write; other pages tell when they were captured."""
    night(folder)
    other = folder.with_name("2026-11-22")
    other.mkdir()
    os.mkfifo(other / "captures.ndjson")
    assert list(times(tmp_path)) == [PAGE.key]
    with pytest.raises(OSError, match=r"captures\.ndjson: expected a regular file, found a FIFO"):
        repair(other, NOW)
    with pytest.raises(OSError, match=r"No such device or address|expected a regular file"):
        append(other, entry("new"))


def test_repairing_nothing(folder: Path) -> None:
    """Where nothing is wrong nothing is written; where there is no folder none is made."""
    first = repair(folder, NOW)
    night(folder)
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert (first, repair(folder, NOW), {file: file.stat().st_mtime_ns for file in folder.iterdir()}) == (
        [],
        [],
        before,
    )


def test_repair_leaves_what_is_not_its_own(folder: Path) -> None:
    """Files that a person put there stay, also a sidecar whose dump is misspelt."""
    night(folder)
    (folder / "mine.html.meta.toml").write_text("year = 2026")
    (folder / "mine.txt").write_text("x")
    repair(folder, NOW)
    assert {"mine.html.meta.toml", "mine.txt"} < set(names(folder))


# Crashes


@pytest.mark.parametrize("before", [[], [HAY]], ids=["first capture", "second capture"])
def test_killed_in_every_state(tmp_path: Path, before: list[Answer]) -> None:
    """A capture is there whole or not at all, and the next run ends as if nothing had happened."""
    whole = start(tmp_path / "whole", before)
    states = list_states(lambda: last_night(whole, before), whole)
    ends = [after_death(tmp_path / str(call), before, call) for call in states]
    known = tuple(answer.data for answer in before)
    assert {end.died for end in ends} == {True}
    assert [end.found for end in ends] == sorted(end.found for end in ends)
    assert {end.found for end in ends} == {known, (*known, RYE.data)}
    assert {(end.healed, end.hidden, end.logged) for end in ends} == {((*known, RYE.data), (), True)}


def test_names_are_given_after_the_bytes_are_on_the_disk(folder: Path) -> None:
    """Bytes and sidecar are on disk first, then the names of sidecar and capture, then the line of the log."""
    night(folder)
    calls = list_calls(lambda: night(folder, RYE, NOW + timedelta(days=1)))
    assert [name for name in calls if name in {"write", "get_inheritable", "rename"}] == [
        "write",
        "get_inheritable",
        "write",
        "get_inheritable",
        "rename",
        "get_inheritable",
        "rename",
        "get_inheritable",
        "write",
        "get_inheritable",
    ]


def test_disk_full_at_every_call(tmp_path: Path) -> None:
    """The same where the operating system refuses a call: the error is told, and the next run puts it right."""
    before = [HAY]
    whole = start(tmp_path / "whole", before)
    calls = list_calls(lambda: last_night(whole, before))
    ends = [after_failure(tmp_path / str(call), before, call) for call in range(len(calls))]
    healed = (*(answer.data for answer in before), RYE.data)
    assert {(end.healed, end.hidden, end.logged) for end in ends} == {(healed, (), True)}


@dataclass(frozen=True)
class End:
    """What is there after a night that went wrong, and after the next one; the log must speak of every capture."""

    died: bool
    found: tuple[bytes, ...]
    healed: tuple[bytes, ...]
    hidden: tuple[str, ...]
    logged: bool


def start(raw: Path, before: list[Answer]) -> Path:
    """Make a raw root with a night for each answer."""
    raw.mkdir()
    for day, answer in enumerate(before):
        night(folder_of(raw, "fair", PAGE), answer, NOW + timedelta(days=day))
    return raw


def last_night(raw: Path, before: list[Answer], later: int = 0) -> FetchStatus:
    """Do the night after those before, or one later still."""
    return night(folder_of(raw, "fair", PAGE), RYE, NOW + timedelta(days=len(before) + later))


def after_death(raw: Path, before: list[Answer], call: int) -> End:
    """Kill a night before one of its calls."""
    start(raw, before)
    died = kill_at(lambda: last_night(raw, before), call)
    return heal(raw, before, died=died)


def after_failure(raw: Path, before: list[Answer], call: int) -> End:
    """Let a call of a night fail."""
    start(raw, before)
    with suppress(OSError, ValueError):
        fail_at(lambda: last_night(raw, before), call)
    return heal(raw, before, died=False)


def heal(raw: Path, before: list[Answer], *, died: bool) -> End:
    """Look at what is there, do another night, and look again."""
    found = tuple(whole_captures(raw))
    last_night(raw, before, later=1)
    folder = folder_of(raw, "fair", PAGE)
    captures = {name for name in names(folder) if name.endswith(".html")}
    hidden = tuple(name for name in names(folder) if name.startswith("."))
    logged = {line["file"] for line in lines(folder) if line["file"]} == captures
    return End(died, found, tuple(whole_captures(raw)), hidden, logged)


def test_a_capture_that_a_person_put_there(folder: Path) -> None:
    """Its sidecar says what a person knows; the file says the rest, and the same page is not kept again."""
    folder.mkdir(parents=True)
    (folder / "20261120T030000Z.html").write_bytes(HAY.data)
    (folder / "20261120T030000Z.html.meta.toml").write_text(f'url = "{PAGE.url}"\nevent = "FAIR"\nyear = 2026\n')
    kept = night(folder), conditions(folder, PAGE, NOW)
    (first, *_) = lines(folder)
    assert (kept, first["at"], first["status"]) == ((FetchStatus.UNCHANGED, {"If-None-Match": '"1"'}), *LOGGED)


def test_what_a_person_accepted_is_still_the_same_page(folder: Path) -> None:
    """An ``accept`` in the sidecar does not make the next capture another one, without it."""
    night(folder)
    with (folder / "20261121T030000Z.html.meta.toml").open("a") as sidecar:
        sidecar.write('accept = ["empty"]\n')
    assert (night(folder, now=NOW + timedelta(days=1)), bool(conditions(folder, PAGE, NOW))) == (
        FetchStatus.UNCHANGED,
        True,
    )


def test_a_clock_that_was_set_back(folder: Path) -> None:
    """What is captured later is the newest capture all the same, in its name and in its sidecar."""
    night(folder)
    night(folder, RYE, NOW - timedelta(hours=5))
    night(folder, HAY, NOW - timedelta(hours=4))
    newest = newest_capture(folder)
    assert newest is not None
    assert (newest.file.name, newest.sidecar["captured_at"], newest.file.read_bytes()) == (
        "20261121T030000Z-000002.html",
        NOW + timedelta(microseconds=2),
        HAY.data,
    )


def test_a_broken_sidecar_is_named(folder: Path) -> None:
    """Whoever has to mend it reads which one it is."""
    night(folder)
    file = folder / "20261121T030000Z.html.meta.toml"
    file.write_text("year = 0\n")
    with pytest.raises(ValueError, match=rf"{file}: year = 0"):
        newest_capture(folder)


def test_a_moment_that_somebody_spoilt(folder: Path) -> None:
    """A line whose moment is none counts as damaged; the capture is logged again from its sidecar."""
    night(folder)
    log = folder / "captures.ndjson"
    log.write_text(json.dumps({**lines(folder)[0], "at": "yesterday"}) + "\n")
    repair(folder, NOW)
    assert times(folder.parents[2]) == {PAGE.key: NOW}


def test_captures_that_were_not_believed(folder: Path) -> None:
    """To be shown a bad capture again is no capture of the page."""
    night(folder)
    night(folder, RYE, NOW + timedelta(days=1))
    night(folder, RYE, NOW + timedelta(days=2))
    bad = f"fair/{PAGE.key}/20261122T030000Z.html"
    assert times(folder.parents[2], {bad}) == {PAGE.key: NOW}
