"""Verification by files alone: an undamaged dataset passes, and every kind of damage is reported with its file."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path

import polars as pl
import pytest

from pipeline.publishing.store import StoreError, open_snapshot
from pipeline.publishing.verify import verify
from schemas.tables import CONTRACT_VERSION
from tests.support.manifests import load_manifest, put_manifest, vouch_for
from tests.support.said import Said
from tests.support.toy import Desk, Filled

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2025-01-01T09:00", "room": "R"}


UNLIKE_ID = r"manifest\.json: expected data files that match the id \d+T\d+Z-\w+, found"
Harm = Callable[[Path], object]


def publish(desk: Desk) -> None:
    """Publish two sources."""
    desk.put("fair/a.txt", HAY, "junk")
    desk.put("news/a.txt", {"title": "New"}, {"title": "Newer"})
    desk.run()


@pytest.fixture
def published(desk: Desk, filled: Filled) -> Path:
    """Return a snapshot of two sources."""
    return (desk.take(filled(publish)).out / "latest").resolve()


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


FAULTS: dict[str, Callable[[bytes], bytes]] = {
    "maximum recursion depth exceeded": lambda data: data[:-3] + b', "deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "Expecting value": lambda _: b"",
    "found a damaged one": lambda data: data.replace(b'"fair"', b'"hair"', 1),
    "found a damaged one ": lambda data: json.dumps(json.loads(data), indent=1).encode(),
    "found a damaged one  ": lambda _: b"[]",
}


def test_a_manifest_that_is_not_as_declared(published: Path) -> None:
    """Whoever opens it is told the file."""
    file = published / "manifest.json"
    good = file.read_bytes()
    for fault, spoil in FAULTS.items():
        file.write_bytes(spoil(good))
        with pytest.raises(StoreError) as raised:
            open_snapshot(published)
        said = str(raised.value)
        assert (said.startswith(f"{file}: expected the manifest of a snapshot"), fault.strip() in said) == (
            True,
            True,
        ), said
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
    assert (good.code, good.out) == (0, [f"{published}: 30 files, 3 records, 0 problems"])
    assert (bad.code, bad.out) == (
        1,
        [
            "failed: README.md: expected a readable file: No such file or directory",
            f"{published}: 30 files, 3 records, 1 problems",
        ],
    )
