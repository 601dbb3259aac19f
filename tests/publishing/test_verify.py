"""Verification by files alone: an undamaged dataset passes, and every kind of damage is reported with its file."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.publishing.verify import verify
from schemas.tables import CONTRACT_VERSION
from tests.support.manifests import load_manifest, put_manifest, vouch_for
from tests.support.said import Said
from tests.support.toy import Desk

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2025-01-01T09:00", "room": "R"}


@pytest.fixture
def published(desk: Desk) -> Path:
    """Publish two sources and return the snapshot."""
    desk.put("fair/a.txt", HAY, "junk")
    desk.put("news/a.txt", {"title": "New"}, {"title": "Newer"})
    desk.run()
    return (desk.out / "latest").resolve()


def set_block(snapshot: Path, path: str, **values: Any) -> None:
    """Change what the manifest says of a file."""
    manifest = load_manifest(snapshot)
    manifest["files"][path] |= values
    put_manifest(snapshot, manifest)


def rewritten(snapshot: Path, path: str, frame: pl.DataFrame, **metadata: str) -> None:
    """Replace a table by another one that the manifest vouches for."""
    frame.write_parquet(snapshot / path, metadata={"conspectus.contract_version": CONTRACT_VERSION, **metadata})
    vouch_for(snapshot, path)


def problems_of(snapshot: Path, *paths: str) -> tuple[str, ...]:
    """Return the problems of these files alone: what the manifest vouches for no longer makes the snapshot's id."""
    return tuple(problem for problem in verify(snapshot).problems if problem.split(":")[0] in paths)


def test_a_whole_dataset_passes(published: Path, desk: Desk) -> None:
    """The out root, the link and the snapshot give the same verdict; a copy elsewhere too."""
    verdicts = [verify(place) for place in (desk.out, desk.out / "latest", published)]
    assert [(verdict.problems, verdict.rows, verdict.folder) for verdict in verdicts] == [((), 3, published)] * 3


def test_a_changed_byte_is_found(published: Path) -> None:
    """With what was expected and what was found."""
    file = published / "json" / "news.ndjson"
    file.write_bytes(file.read_bytes().replace(b"Newer", b"Never"))
    (problem,) = verify(published).problems
    assert re.fullmatch(r"json/news\.ndjson: expected \d+ bytes of SHA-256 \w{64}, found \d+ of \w{64}", problem)


def test_missing_and_foreign_files_are_found(published: Path) -> None:
    """Each by its name."""
    (published / "parquet" / "fair.parquet").unlink()
    (published / "parquet" / "stray.parquet").write_text("x")
    assert verify(published).problems == (
        "parquet/fair.parquet: expected a readable file: No such file or directory",
        "parquet/stray.parquet: not in the manifest",
    )


def test_row_counts_are_compared(published: Path) -> None:
    """Of tables and of NDJSON files."""
    set_block(published, "parquet/fair.parquet", rows=7)
    set_block(published, "json/news.ndjson", rows=7)
    assert verify(published).problems == (
        "json/news.ndjson: expected 7 lines, found 2",
        "parquet/fair.parquet: expected 7 rows, found 1",
        "fair: expected 1 records in its tables and as many lines, found [7, 1]",
        "news: expected 2 records in its tables and as many lines, found [2, 7]",
    )


def test_a_table_that_is_not_of_the_contract_is_found(published: Path) -> None:
    """Another version in its metadata, a column too many or of another type."""
    path = "parquet/news.parquet"
    frame = pl.read_parquet(published / path)
    rewritten(published, path, frame.with_columns(pl.col("title").cast(pl.Categorical)))
    wrong_type = problems_of(published, path)
    rewritten(published, path, frame.with_columns(mood=pl.lit("good")), **{"conspectus.contract_version": "9.9"})
    wrong_version = problems_of(published, path)
    assert (wrong_type, wrong_version) == (
        (f"{path}: expected the columns of the contract, found title as Categorical",),
        (
            f"{path}: expected contract version 2.0 in its metadata, found 9.9",
            f"{path}: expected the columns of the contract, found mood as String",
        ),
    )


def test_a_table_of_an_older_minor_version_passes(published: Path) -> None:
    """It lacks the columns and fields that were added since."""
    path = "parquet/fair.parquet"
    frame = pl.read_parquet(published / path).drop("keywords")
    less = pl.struct(pl.element().struct.field("name"))
    old = frame.with_columns(pl.col("authors").list.eval(less))
    rewritten(published, path, old)
    of_this_version = problems_of(published, path)
    rewritten(published, path, old, **{"conspectus.contract_version": "1.0"})
    set_manifest(published, contract_version="1.0")
    assert (of_this_version, problems_of(published, path)) == (
        (f"{path}: expected the columns of the contract, found no column keywords",),
        (),
    )


def set_manifest(snapshot: Path, **values: Any) -> None:
    """Change what the manifest says of the dataset."""
    put_manifest(snapshot, load_manifest(snapshot) | values)


def test_a_file_that_the_manifest_vouches_for_is_held_to_the_id(published: Path) -> None:
    """The id of the snapshot ends in a hash over its data files; one that is taken out with its entry is missed too."""
    manifest = load_manifest(published)
    del manifest["files"]["json/news.ndjson"]
    (published / "json" / "news.ndjson").unlink()
    set_manifest(published, files=manifest["files"])
    id_, count = verify(published).problems
    assert (id_.startswith(f"manifest.json: expected data files that match the id {published.name}, found"), count) == (
        True,
        "news: expected 2 records in its tables and as many lines, found [2, 0]",
    )


def test_rows_of_another_source_are_found(published: Path) -> None:
    """A table holds the rows of the source that it is named after."""
    path = "quarantine/news.parquet"
    rewritten(published, path, pl.read_parquet(published / "quarantine" / "fair.parquet"))
    set_block(published, path, rows=1)
    assert problems_of(published, path) == (f"{path}: expected rows of news, found those of fair",)


def test_a_file_that_is_no_table_is_found(published: Path) -> None:
    """Though its bytes are those of the manifest."""
    path = "parquet/news.parquet"
    (published / path).write_bytes(b"junk")
    vouch_for(published, path)
    (problem,) = problems_of(published, path)
    assert problem.startswith(f"{path}: expected a readable table")


def test_links_are_found(published: Path, tmp_path: Path) -> None:
    """A file that stands elsewhere is not of the dataset, whatever it holds; nor is one that leads nowhere."""
    file = published / "README.md"
    file.rename(tmp_path / "README.md")
    file.symlink_to(tmp_path / "README.md")
    (published / "gone").symlink_to(tmp_path / "nothing")
    assert verify(published).problems == (
        f"README.md: expected a file of the dataset itself, found {tmp_path}/README.md",
        "gone: not in the manifest",
    )


@pytest.mark.parametrize("text", ["[]", "{}", '{"contract_version": "1.2"}', '{"contract_version": "1.2", "files": 1}'])
def test_a_manifest_that_is_none(published: Path, text: str) -> None:
    """One problem, not an error of Python."""
    (published / "manifest.json").write_text(text)
    (problem,) = verify(published).problems
    assert problem.startswith(f"{published}/manifest.json: expected the manifest of a snapshot")


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
