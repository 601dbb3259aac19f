"""The archive and pages of several files: a capture is there with all of them or not at all, whatever kills the run."""

import tomllib
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from parsers._web.web import Request
from pipeline.base.settings import MEBIBYTE
from pipeline.raw.archive import Answer, companion_name, folder_of, keep, newest_capture, repair
from pipeline.raw.capture_log import FetchStatus
from pipeline.raw.dump import describe
from pipeline.raw.inventory import take_inventory
from pipeline.raw.load import load
from pipeline.raw.sidecar import load_facts
from tests.support.deaths import fail_at, kill_at, list_calls, list_states

NOW = datetime(2026, 11, 21, 3, tzinfo=UTC)
URLS = {"papers": "https://fair.example/papers.csv", "times": "https://fair.example/times.json"}
PAGE = Request("fair", URLS["papers"], ".csv", {"event": "FAIR"}, (("times.json", URLS["times"]),))
TABLES = '[files]\ntimes = "times.json"\n'
HAY = (b"id,title\n1,Hay\n", b'[{"id": 1}]')
RYE = (b"id,title\n1,Rye\n", b'[{"id": 1, "at": 9}]')


def answers(bodies: tuple[bytes, bytes]) -> list[Answer]:
    """Return the answers for a page and its companion."""
    return [Answer(url, 200, body, '"1"') for url, body in zip(URLS.values(), bodies, strict=True)]


def night(raw: Path, bodies: tuple[bytes, bytes], day: int = 0) -> FetchStatus:
    """Do with answers what a run does: mend, then keep."""
    folder, now = folder_of(raw, "fair", PAGE), NOW + timedelta(days=day)
    repair(folder, now)
    page, *beside = answers(bodies)
    return keep(folder, PAGE, page, now, beside)[0]


def start(raw: Path, before: list[tuple[bytes, bytes]]) -> Path:
    """Make a raw root with tables, and a night for each capture."""
    (raw / "fair").mkdir(parents=True)
    (raw / "fair/table.toml").write_text(TABLES)
    for day, bodies in enumerate(before):
        night(raw, bodies, day)
    return raw


def captures(raw: Path) -> list[tuple[bytes, ...]]:
    """Return the bytes of the files of each capture, in their order; nothing else is there to be told."""
    inventory = take_inventory(raw, ["fair"])
    assert inventory.unknown == {}
    documents = [load(dump, MEBIBYTE) for dump in inventory.dumps.get("fair", ())]
    return [tuple(each.text.encode() for each in document.files) for document in documents]


@pytest.mark.parametrize("before", [[], [HAY]], ids=["first capture", "second capture"])
def test_killed_in_every_state(tmp_path: Path, before: list[tuple[bytes, bytes]]) -> None:
    """Before the last name is given nothing of the capture is seen; the next night ends as if nothing had happened."""
    whole = start(tmp_path / "whole", before)
    states = list_states(lambda: night(whole, RYE, 5), whole)
    found = []
    for state in states:
        raw = start(tmp_path / str(state), before)
        assert kill_at(lambda raw=raw: night(raw, RYE, 5), state)  # type: ignore[misc]
        found.append(captures(raw))
        night(raw, RYE, 6)
        assert captures(raw) == [*before, RYE]
        names = [file.name for file in folder_of(raw, "fair", PAGE).iterdir()]
        assert len([name for name in names if not name.startswith("captures")]) == 3 * len([*before, RYE])
    assert {len(each) for each in found} == {len(before), len(before) + 1}
    assert all(each in (before, [*before, RYE]) for each in found)


def test_disk_full_at_every_call(tmp_path: Path) -> None:
    """The same where the operating system refuses a call."""
    whole = start(tmp_path / "whole", [HAY])
    for call in range(len(list_calls(lambda: night(whole, RYE, 5)))):
        raw = start(tmp_path / str(call), [HAY])
        with suppress(OSError, ValueError):
            fail_at(lambda raw=raw: night(raw, RYE, 5), call)  # type: ignore[misc]
        assert captures(raw) in ([HAY], [HAY, RYE])
        night(raw, RYE, 6)
        assert captures(raw) == [HAY, RYE]


@pytest.mark.parametrize("place", [0, 1])
def test_one_file_alone_makes_a_capture(tmp_path: Path, place: int) -> None:
    """The same bytes of all are kept once; another byte of one, and all are kept again."""
    raw = start(tmp_path, [HAY])
    other = (RYE[0], HAY[1]) if place == 0 else (HAY[0], RYE[1])
    assert [night(raw, bodies, day) for day, bodies in enumerate([HAY, other, other], 1)] == [
        FetchStatus.UNCHANGED,
        FetchStatus.NEW,
        FetchStatus.UNCHANGED,
    ]
    assert captures(raw) == [HAY, other]


def test_packed_files_are_the_same_capture(tmp_path: Path) -> None:
    """Somebody may pack the archive; a companion that is gone is kept anew with all others."""
    raw = start(tmp_path, [HAY])
    file = folder_of(raw, "fair", PAGE) / "20261121T030000Z.times.json"
    packed = file.rename(file.with_name(f"{file.name}.gz"))
    first = night(raw, HAY, 1)
    packed.unlink()
    assert (first, night(raw, HAY, 2)) == (FetchStatus.UNCHANGED, FetchStatus.NEW)


def test_the_name_of_a_companion(tmp_path: Path) -> None:
    """A stamp in an address is no part of it, nor is a secret; the page says what it has, by its sidecar."""
    raw = start(tmp_path, [HAY])
    assert companion_name("times-20260101T0300Z.json") == "times.json"
    kept = newest_capture(folder_of(raw, "fair", PAGE))
    assert kept is not None
    assert describe("fair/fair/20261121T030000Z.csv", kept.file).facts.urls == (URLS["times"],)


def test_the_specimen_of_a_page_that_is_fetched(tmp_path: Path) -> None:
    """Left out with its companions: these are no files that nobody claims."""
    raw = start(tmp_path, [HAY])
    (raw / "fair/a.csv").write_bytes(HAY[0])
    (raw / "fair/a.csv.meta.toml").write_text("specimen = true")
    (raw / "fair/times.json").write_bytes(HAY[1])
    assert captures(raw) == [HAY]


@pytest.mark.parametrize(
    "files",
    [
        '{ "a.json" = 1 }',
        '{ "a.json" = { url = "https://a.example" } }',
        '{ "a.json" = { url = "x", sha256 = "0", more = 1 } }',
        '{ "../a.json" = { url = "x", sha256 = "0" } }',
        '{ "a.json" = { url = "x", sha256 = 0 } }',
    ],
)
def test_files_in_a_sidecar_that_somebody_spoilt(tmp_path: Path, files: str) -> None:
    """It is told what stands there in a sidecar that a fetch writes; a repair deletes no file by it."""
    raw = start(tmp_path, [HAY])
    file = folder_of(raw, "fair", PAGE) / "20261121T030000Z.csv"
    sidecar = file.with_name(f"{file.name}.meta.toml")
    said = {key: value for key, value in tomllib.loads(sidecar.read_text()).items() if key != "files"}
    assert said["sha256"]
    sidecar.write_text(f"files = {files}\n")
    with pytest.raises(ValueError, match="expected names of files, each with url, sha256, etag and the like"):
        load_facts(file)
    file.unlink()
    repair(file.parent, NOW)
    assert [each.name for each in file.parent.iterdir()] == ["20261121T030000Z.times.json"]


def test_a_request_for_another_companion(tmp_path: Path) -> None:
    """The same bytes from another address are another capture, as they are of a page."""
    raw = start(tmp_path, [HAY])
    page, *beside = answers(HAY)
    moved = replace(PAGE, companions=(("times.json", "https://fair.example/2026/times.json"),))
    assert keep(folder_of(raw, "fair", PAGE), moved, page, NOW + timedelta(days=1), beside)[0] is FetchStatus.NEW
