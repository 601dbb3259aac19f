"""The library on a published dataset: frames and SQL of one snapshot, held to its manifest."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

import conspectus
from pipeline.base.settings import FailedError
from pipeline.library import sql
from pipeline.publishing.store import ALL_TABLES
from schemas.tables import RECORDS, polars_schema
from tests.conftest import ROOT
from tests.support.toy import Desk, Filled

HAY = {"title": "Hay", "kind": "paper", "event": "Fair 2026", "authors": ["Ann", "Bo"], "chairs": ["Cy"]}
SLOT = {"start": "2026-05-01T09:00", "end": "2026-05-01T10:00", "room": "Barn"}


def sow(desk: Desk) -> None:
    """Publish two snapshots of two sources."""
    desk.put("fair/a.txt", {**HAY, **SLOT})
    desk.run()
    desk.put("news/a.txt", {"title": "News", "kind": "paper"}, "junk")
    desk.run()


@pytest.fixture
def farm(desk: Desk, filled: Filled) -> Desk:
    """Return a desk where these are published."""
    return desk.take(filled(sow))


def test_tables(farm: Desk) -> None:
    """Each table is a lazy frame of all sources, or of some, with the columns of the contract."""
    found = conspectus.dataset(farm.out)
    assert (found.sources, found.folder) == (["fair", "news"], (farm.out / "latest").resolve())
    assert found.records().collect_schema() == polars_schema(RECORDS)
    assert [found.records(*names).collect().height for names in ((), ("fair",), ("fair", "news"))] == [2, 1, 2]
    heights = [
        found.sightings(),
        found.quarantine("news"),
        found.captures(),
        found.changes(),
        found.works(),
        found.members(),
    ]
    assert [frame.collect().height for frame in heights] == [2, 1, 2, 1, 2, 2]
    assert found.table("work_reviews").collect().height == 0
    assert found.event("fair 2026").collect()["title"].to_list() == ["Hay"]


def test_older_snapshots(farm: Desk) -> None:
    """By id, or by a day or moment; only this one and those before it."""
    newest = conspectus.dataset(farm.out)
    assert len(newest.snapshots) == 2
    older = newest.at(newest.snapshots[1])
    assert (older.records().collect().height, older.snapshots) == (1, [older.id])
    assert repr(older) == f"Dataset({str(older.folder)!r})"
    later = newest.made_at + timedelta(1)
    assert [newest.at(moment).id for moment in (later, later.date())] == [newest.id] * 2
    with pytest.raises(conspectus.UsageError, match=f"no such snapshot: 2020-01-01; kept are {newest.id}, {older.id}"):
        newest.at(date(2020, 1, 1))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda found: found.records("barn"), "not published: barn; expected one of fair, news"),
        (lambda found: found.table("cows"), "no such table: cows"),
        (lambda found: found.table("works", "fair"), "works is one table of all sources: filter it, found fair"),
        (lambda found: found.event("Fair 2025"), "no such event: Fair 2025; did you mean Fair 2026"),
    ],
)
def test_what_is_not_there(farm: Desk, ask: Callable[[conspectus.Dataset], object], message: str) -> None:
    """An error says what there is."""
    with pytest.raises(conspectus.UsageError, match=message):
        ask(conspectus.dataset(farm.out))


def test_a_damaged_file(farm: Desk) -> None:
    """It is not read; nothing published is an error too."""
    file = (farm.out / "latest" / "parquet" / "fair.parquet").resolve()
    file.chmod(0o644)
    file.write_bytes(b"?")
    found = conspectus.dataset(farm.out)
    with pytest.raises(conspectus.StoreError, match="found a damaged file"):
        found.records()
    with pytest.raises(conspectus.StoreError, match="found a damaged file"):
        found.sql("SELECT 1")
    assert found.records("news").collect().height == 1
    with pytest.raises(conspectus.StoreError, match="nothing is published below"):
        conspectus.dataset(farm.out / "nowhere")


def test_a_snapshot_stays_while_another_is_published(farm: Desk) -> None:
    """What was opened before is read on."""
    found = conspectus.dataset(farm.out)
    farm.put("news/b.txt", {"title": "More", "kind": "paper"})
    farm.run()
    assert (found.records().collect().height, conspectus.dataset(farm.out).records().collect().height) == (2, 3)


def test_sql(farm: Desk) -> None:
    """Every table is a view, and so are slots and people, in their order."""
    found = conspectus.dataset(farm.out)
    people = found.sql("SELECT role, position, name FROM people ORDER BY ALL").rows()
    assert people == [("author", 1, "Ann"), ("author", 2, "Bo"), ("chair", 1, "Cy")]
    assert found.sql("SELECT event, starts_at, room FROM slots").rows() == [
        ("Fair 2026", datetime(2026, 5, 1, 9), "Barn")
    ]
    assert found.sql("SELECT count(*) FROM work_reviews").item() == 0
    assert found.sql("-- nothing").shape == (0, 0)
    views = sql.columns(found)["view"].unique()
    assert sorted(views) == sorted([*ALL_TABLES, "people", "slots"])


def test_sql_where_the_path_has_wild_characters(desk: Desk, tmp_path: Path) -> None:
    """They stand for themselves."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    for name in ("a[1]", "it's*?"):
        shutil.copytree(desk.out, tmp_path / name, symlinks=True)
        assert conspectus.dataset(tmp_path / name).sql("SELECT title FROM records").rows() == [("Hay",)]


def test_sql_that_is_refused(farm: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what DuckDB says; without DuckDB, how to have it."""
    found = conspectus.dataset(farm.out)
    with pytest.raises(FailedError, match=r"SQL: Catalog Error: .*cows"):
        found.sql("SELECT * FROM cows")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(FailedError, match=r"pip install 'conspectus\[sql\]'"):
        found.sql("SELECT 1")


def test_no_file_of_a_table(desk: Desk) -> None:
    """A snapshot before works has their views, without rows."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    found = conspectus.dataset(desk.out)
    del found._snapshot.manifest["files"]["works.parquet"]
    assert (found.works().collect().height, found.sql("SELECT * FROM works").shape) == (0, (0, 8))


def test_refresh(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As the command does: with the settings of the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pipeline.library.runs.known_sources", lambda: desk.known)
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", {"title": "News"})
    result = conspectus.refresh(desk.raw, desk.out, ["fair"], engine="inline")
    assert (result.good, conspectus.dataset(desk.out).sources) == (True, ["fair"])
    (tmp_path / "sources.toml").write_text("nonsense = 1\n")
    with pytest.raises(conspectus.UsageError, match="nonsense"):
        conspectus.refresh(desk.raw)


def test_importing_is_cheap() -> None:
    """Neither pandera nor Prefect, nor DuckDB; what is public is what the module says."""
    program = (
        "import conspectus, sys; conspectus.dataset; print([name for name in sys.argv[1:] if name in sys.modules])"
    )
    heavy = ("pandera", "prefect", "duckdb", "pyarrow", "pandas", "httpx")
    done = subprocess.run([sys.executable, "-c", program, *heavy], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert [name for name in dir(conspectus) if getattr(conspectus, name) is None] == []
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        conspectus.nothing  # noqa: B018


def test_frames_of_polars(farm: Desk) -> None:
    """What is returned composes with other frames."""
    found = conspectus.dataset(farm.out)
    both = found.members().join(found.records().select("record_id", "title"), on="record_id").collect()
    assert isinstance(both, pl.DataFrame)
    assert sorted(both["title"]) == ["Hay", "News"]
