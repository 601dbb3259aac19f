"""A large source is merged in parts: what is published is the same, byte for byte."""

import gc
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import Mock

import polars as pl
import pytest

from pipeline.base.known_files import KnownFiles
from pipeline.base.settings import FailedError, Settings
from pipeline.guarding.worklist import CaptureVerdict
from pipeline.merging.parts import Parts
from pipeline.merging.validate import validate_tables
from pipeline.run.plan import make_plan
from pipeline.run.refresh import preview
from pipeline.run.session import RunSession
from pipeline.workers.engines import Inline
from tests.support.helpers import replace_file
from tests.support.toy import Desk


def fill(desk: Desk, nights: int = 12) -> None:
    """Write lists of overlapping days, with papers of one title, a bad value and a capture that fails."""
    for night in range(nights):
        papers: list[Any] = [
            {"title": f"Paper {number:02}", "listed_on": f"2026-01-{night + 1:02}", "comments": f"night {night}"}
            for number in range(2 * night, 2 * night + 6)
        ]
        papers.append({"title": "Bread", "authors": [f"Ann {night % 3}"], "listed_on": f"2026-01-{night + 1:02}"})
        papers.append({"title": f"Rye {night}", "url": "nowhere", "listed_on": f"2026-01-{night + 1:02}"})
        desk.put(f"news/day-202601{night + 1:02}T0300Z.txt", *papers)
    desk.put("news/day-20260120T0300Z.txt", "nothing of the kind")
    desk.put("news/day-20260121T0300Z.txt", "total 0")
    for event in ("E", "F", "G"):
        desk.put(f"fair/{event}.txt", *({"title": f"Talk {n}", "event": event} for n in range(9)))


def published(folder: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> tuple[dict[str, bytes], int]:
    """Return the data files of three runs that keep at most so many rows, and how many parts the first one merged.

    The second has one more list, the third mends a damaged table.
    """
    folder.mkdir()
    desk, validate = Desk(folder), Mock(wraps=validate_tables)
    fill(desk)
    for place in ("judge.MOST_HELD", "merge.MOST_HELD", "merge._PART"):
        monkeypatch.setattr(f"pipeline.run.{place}", most)
    monkeypatch.setattr("pipeline.run.merge.validate_tables", validate)
    result = desk.run()
    assert [outcome.records.height for outcome in result.outcomes if outcome.records is not None] == [27, 41]
    first = validate.call_count
    desk.put("news/day-20260122T0300Z.txt", {"title": "Paper 03"}, {"title": "Oat", "url": "nowhere"})
    desk.run()
    table = next((desk.out / "latest").resolve().glob("quarantine/news.parquet"))
    replace_file(table, b"damaged")
    desk.run()
    return desk.data(), first


@pytest.mark.parametrize("most", [1, 7, 20])
def test_a_first_run_in_parts(tmp_path: Path, most: int) -> None:
    """Whatever the size of the parts, all files have the same bytes."""
    with pytest.MonkeyPatch.context() as patch:
        whole, one_each = published(tmp_path / "whole", patch, 10_000)
    with pytest.MonkeyPatch.context() as patch:
        parts, many = published(tmp_path / "parts", patch, most)
    assert (one_each, many > 2) == (2, True)
    assert parts == whole


def test_verdicts_are_asked_in_proportion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twice as many captures twice as often: who asks all of them for each of them takes hours for an archive."""
    asked: list[int] = []
    for pages in (20, 40):
        (folder := tmp_path / str(pages)).mkdir()
        desk, error = Desk(folder), Mock(return_value=None)
        for page in range(pages):
            desk.put(f"fair/page-{page}.txt", {"title": f"Talk {page}", "event": f"E{page}"})
        monkeypatch.setattr(CaptureVerdict, "error", property(error))
        assert desk.run("fair").good
        asked.append(error.call_count)
    assert asked[1] <= 2.2 * asked[0], asked


def test_a_reading_that_is_gone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source of which a reading can no longer be found is merged in one: its published rows stand in."""
    fill(desk)
    desk.run()
    (desk.raw / "news" / "day-20260105T0300Z.txt").unlink()
    before = desk.titles("news")
    for entry in (desk.out / ".cache" / "news").iterdir():
        entry.unlink()
    for place in ("judge.MOST_HELD", "merge.MOST_HELD", "merge._PART"):
        monkeypatch.setattr(f"pipeline.run.{place}", 5)
    monkeypatch.setattr("pipeline.run.job.merging_hash", lambda: "newer")
    assert desk.run().outcomes[1].total == len(desk.titles("news"))
    assert set(desk.titles("news")) <= set(before)


def test_rows_in_files() -> None:
    """Parts that wait in files are the frames that were added; the files last as long as they do."""
    frames = [pl.DataFrame({"a": [number, number]}) for number in range(3)]
    parts = Parts(TemporaryDirectory())
    for frame in frames:
        parts.add(frame)
    assert (parts.height, [each.rows() for each in parts], parts.whole().rows()) == (
        6,
        [frame.rows() for frame in frames],
        pl.concat(frames).rows(),
    )


def test_a_disk_without_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that cannot wait in a file end the run with a message."""
    folder = TemporaryDirectory(dir=tmp_path)
    Path(folder.name).rmdir()
    with pytest.raises(FailedError, match=r": expected room for the rows of a source \(set TMPDIR\): "):
        Parts(folder).add(pl.DataFrame({"a": [1]}))
    monkeypatch.setattr("pipeline.run.session.temporary_folder", Mock(side_effect=OSError(28, "No space left")))
    desk = Desk(tmp_path)
    files = KnownFiles(desk.out)
    session = RunSession(make_plan(Settings(desk.raw, desk.out), desk.known, files), files, Inline({}))
    with pytest.raises(FailedError, match=r"expected a folder for temporary files .*: No space left"):
        _ = session.folder


def test_rows_outlive_their_run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has an outcome has its rows: sources may be refreshed in runs of their own, and published together."""
    fill(desk)
    for place in ("judge.MOST_HELD", "merge.MOST_HELD", "merge._PART"):
        monkeypatch.setattr(f"pipeline.run.{place}", 5)
    outcome = preview(Settings(desk.raw, desk.out), desk.known, "news")
    gc.collect()
    assert outcome.records is not None
    assert outcome.records.height == outcome.total == 41
