"""Verification by files alone: an undamaged dataset passes, and every kind of damage is reported with its file."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.publishing.store import StoreError, open_snapshot
from pipeline.publishing.verify import verify
from schemas.tables import CONTRACT_VERSION
from tests.support.manifests import load_manifest, put_manifest, vouch_for
from tests.support.said import Said
from tests.support.toy import Desk

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2025-01-01T09:00", "room": "R"}


UNLIKE_ID = r"manifest\.json: expected data files that match the id \d+T\d+Z-\w+, found"
Harm = Callable[[Path], object]


@pytest.fixture
def published(desk: Desk) -> Path:
    """Publish two sources and return the snapshot."""
    desk.put("fair/a.txt", HAY, "junk")
    desk.put("news/a.txt", {"title": "New"}, {"title": "Newer"})
    desk.run()
    return (desk.out / "latest").resolve()


def test_a_whole_dataset_passes(published: Path, desk: Desk) -> None:
    """The out root, the link and the snapshot give the same verdict; a copy elsewhere too."""
    verdicts = [verify(place) for place in (desk.out, desk.out / "latest", published)]
    assert [(verdict.problems, verdict.rows, verdict.folder) for verdict in verdicts] == [((), 3, published)] * 3


def rewrite(path: str, change: Callable[[pl.DataFrame], pl.DataFrame], version: str = CONTRACT_VERSION) -> Harm:
    """Replace a table by another one that the manifest vouches for."""

    def harm(snapshot: Path) -> None:
        frame = change(pl.read_parquet(snapshot / path))
        frame.write_parquet(snapshot / path, metadata={"conspectus.contract_version": version})
        vouch_for(snapshot, path, rows=frame.height)

    return harm


def write(path: str, data: bytes = b"junk", *, vouched: bool = False, **values: int) -> Harm:
    """Write a file, or what the manifest says of it."""

    def harm(snapshot: Path) -> None:
        if not values:
            (snapshot / path).write_bytes(data)
        if vouched or values:
            vouch_for(snapshot, path, **values)

    return harm


def lose(path: str, *, with_entry: bool = False) -> Harm:
    """Lose a file, and its entry in the manifest."""

    def harm(snapshot: Path) -> None:
        (snapshot / path).unlink()
        manifest = load_manifest(snapshot)
        if with_entry:
            del manifest["files"][path]
            put_manifest(snapshot, manifest)

    return harm


def lead_away(snapshot: Path) -> None:
    """Let a file stand elsewhere, and put a link that leads nowhere."""
    (snapshot / "README.md").rename(snapshot.parent / "README.md")
    (snapshot / "README.md").symlink_to(snapshot.parent / "README.md")
    (snapshot / "gone").symlink_to("nothing")


FAIR, NEWS, LINES, LEFT = "parquet/fair.parquet", "parquet/news.parquet", "json/news.ndjson", "quarantine/fair.parquet"
COUNTED = "expected 2 records in its tables and as many lines, found"
LESS = pl.col("authors").list.eval(pl.struct(pl.element().struct.field("name")))
HARMS: tuple[tuple[tuple[Harm, ...], tuple[str, ...]], ...] = (
    ((write(LINES),), (rf"{LINES}: expected \d+ bytes of SHA-256 \w{{64}}, found 4 of \w{{64}}",)),
    (
        (lose(FAIR), write("parquet/stray.parquet")),
        (
            f"{FAIR}: expected a readable file: No such file or directory",
            "parquet/stray.parquet: not in the manifest",
        ),
    ),
    (
        (write(FAIR, rows=7), write(LINES, rows=7)),
        (
            f"{LINES}: expected 7 lines, found 2",
            f"{FAIR}: expected 7 rows, found 1",
            r"fair: expected 1 records in its tables and as many lines, found \[7, 1\]",
            rf"news: {COUNTED} \[2, 7\]",
        ),
    ),
    (
        (rewrite(NEWS, lambda frame: frame.with_columns(pl.col("title").cast(pl.Categorical))),),
        (f"{NEWS}: expected the columns of the contract, found title as Categorical",),
    ),
    (
        (rewrite(NEWS, lambda frame: frame.with_columns(mood=pl.lit("good")), "9.9"),),
        (
            f"{NEWS}: expected contract version {CONTRACT_VERSION} in its metadata, found 9.9",
            f"{NEWS}: expected the columns of the contract, found mood as String",
        ),
    ),
    (
        (rewrite(FAIR, lambda frame: frame.drop("keywords").with_columns(LESS)),),
        (f"{FAIR}: expected the columns of the contract, found no column keywords",),
    ),
    ((lose(LINES, with_entry=True),), (UNLIKE_ID, rf"news: {COUNTED} \[2, 0\]")),
    (
        (rewrite(LEFT, lambda frame: frame.with_columns(source=pl.lit("news"))),),
        (f"{LEFT}: expected rows of fair, found those of news",),
    ),
    ((write(NEWS, vouched=True),), (f"{NEWS}: expected a readable table",)),
    (
        (lead_away,),
        ("README.md: expected a file of the dataset itself, found /.*/README.md", "gone: not in the manifest"),
    ),
)


@pytest.mark.parametrize(("harms", "expected"), HARMS)
def test_what_is_wrong_is_found(published: Path, harms: tuple[Harm, ...], expected: tuple[str, ...]) -> None:
    """Each by its file, with what was expected.

    A file that the manifest vouches for no longer makes the snapshot's id.
    """
    for harm in harms:
        harm(published)
    found = verify(published).problems
    said = [problem for problem in found if UNLIKE_ID in expected or not re.match(UNLIKE_ID, problem)]
    assert [bool(re.match(how, problem)) for how, problem in zip_longest(expected, said, fillvalue="-")] == [
        True for _ in expected
    ], said


def test_a_table_of_an_older_minor_version_passes(published: Path) -> None:
    """It lacks the columns and fields that were added since."""
    rewrite(FAIR, lambda frame: frame.drop("keywords").with_columns(LESS), "1.0")(published)
    put_manifest(published, load_manifest(published) | {"contract_version": "1.0"})
    assert [problem for problem in verify(published).problems if problem.startswith(FAIR)] == []


def nested(manifest: dict[str, Any]) -> str:
    """Make a manifest so deep that Python gives up."""
    return json.dumps(manifest)[:-1] + ', "deep": ' + "[" * 100_000 + "]" * 100_000 + "}"


def changed(*keys: str, value: object) -> Callable[[dict[str, Any]], str]:
    """Make a manifest with another value at a place, or without the key where the value is ``...``."""

    def change(manifest: dict[str, Any]) -> str:
        block = manifest
        for key in keys[:-1]:
            block = block[key]
        block[keys[-1]] = value
        if value is ...:
            del block[keys[-1]]
        return json.dumps({key: value for key, value in manifest.items() if key != "manifest_sha256"})

    return change


FAULTS: dict[str, Callable[[dict[str, Any]], str]] = {
    "maximum recursion depth exceeded": nested,
    "with contract_version, sources and files": changed("sources", value=...),
    "at sources: expected names and values": changed("sources", value=[]),
    "at sources.fair: expected names and values": changed("sources", "fair", value=7),
    "at sources.fair.status: missing": changed("sources", "fair", "status", value=...),
    "at sources.fair.published: expected a number": changed("sources", "fair", "published", value="1"),
    "at sources.fair.waiting.page: expected names and values": changed("sources", "fair", "waiting", value={"page": 1}),
    "at sources.fair.refreshed_at: expected a time with its zone": changed(
        "sources", "fair", "refreshed_at", value="2026-07-11T03:00:00"
    ),
    "at sources.fair.refreshed_at: expected the age": changed("sources", "fair", "refreshed_at", value=None),
    "at files.captures/fair.parquet: expected a source of this name": changed("sources", "fair", value=...),
    "at contract_version: expected a version": changed("contract_version", value="one"),
    "at files: expected names and values": changed("files", value=[]),
    "at files.README.md.sha256: expected a SHA-256": changed("files", "README.md", "sha256", value=1),
    "at files.README.md.bytes: expected a number": changed("files", "README.md", "bytes", value=True),
    "at files.../x: expected another name": changed("files", "../x", value=None),
    "found a damaged one": lambda manifest: json.dumps(manifest, indent=1),
    "contract_version, sources and files": lambda _: "[]",
    "sources and files": lambda _: '{"contract_version": "2.1", "files": 1}',
}


def test_a_manifest_that_is_not_as_declared(published: Path) -> None:
    """Whoever opens it is told file and key."""
    file, good = published / "manifest.json", load_manifest(published)
    for fault, spoil in FAULTS.items():
        file.write_text(spoil(deepcopy(good)))
        with pytest.raises(StoreError) as raised:
            open_snapshot(published)
        said = str(raised.value)
        assert (said.startswith(f"{file}: expected the manifest of a snapshot"), fault in said) == (True, True), said
        assert verify(published).problems == (said,)


def test_data_of_the_future_have_no_age(published: Path) -> None:
    """A moment that is still to come is a wrong one."""
    now = datetime.now(UTC) - timedelta(hours=1)
    assert len(verify(published, timedelta(hours=36), now).problems) == 2


def test_age_is_a_problem_where_asked_for(published: Path) -> None:
    """Each source that is older than the limit, and none without a limit."""
    later = datetime.now(UTC) + timedelta(hours=37)
    assert ([problem.split(":")[0] for problem in verify(published, timedelta(hours=36), later).problems]) == [
        "fair",
        "news",
    ]
    assert (verify(published, timedelta(hours=38), later).problems, verify(published).problems) == ((), ())


def test_what_is_no_dataset(tmp_path: Path) -> None:
    """One problem that names the manifest that was looked for."""
    (problem,) = verify(tmp_path).problems
    assert problem.startswith(f"{tmp_path}/manifest.json: expected the manifest of a snapshot")


def test_the_command_ends_with_1_for_a_problem(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Problems first, then what was looked at."""
    good = Said(capsys, "verify", published, "--max-age", "1h")
    assert Said(capsys, "verify", "--out", published.parent.parent).code == 0
    (published / "README.md").unlink()
    bad = Said(capsys, "verify", published)
    assert (good.code, good.out) == (0, [f"{published}: 21 files, 3 records, 0 problems"])
    assert (bad.code, bad.out) == (
        1,
        [
            "failed: README.md: expected a readable file: No such file or directory",
            f"{published}: 21 files, 3 records, 1 problems",
        ],
    )
