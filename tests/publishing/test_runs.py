"""The log of runs: what every run leaves there, however it ended, and that a bad log harms nothing."""

import json
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from unittest.mock import Mock

import pytest

from pipeline.base.settings import Settings, UsageError
from pipeline.merging.outcome import Status
from pipeline.publishing.publish import NothingError
from pipeline.publishing.runs import LOG, Exit, Run, RunEnd, RunLog, RunStart, cut_all, load_runs
from pipeline.publishing.store import StoreError
from pipeline.publishing.verify import verify
from pipeline.run.recorder import Recorder
from pipeline.run.refresh import refresh
from pipeline.run.replay import replay
from tests.support.manifests import load_manifest, put_manifest
from tests.support.signs import told_of
from tests.support.toy import Desk

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2025-01-01T09:00"}
RYE = {"title": "Rye", "room": "R"}
FIRST = datetime(2024, 1, 1, tzinfo=UTC)


def at(patch: pytest.MonkeyPatch, moment: datetime) -> None:
    """Set the clock of the next run."""
    patch.setattr("pipeline.run.plan.datetime", Mock(now=Mock(return_value=moment)))


def last(desk: Desk) -> Run:
    """Return the newest run in the log."""
    return load_runs(desk.out)[-1]


def end(desk: Desk) -> RunEnd:
    """Return how the newest run ended."""
    found = last(desk).end
    assert found is not None
    return found


def log(desk: Desk) -> bytes:
    """Return the bytes of the log."""
    return (desk.out / LOG).read_bytes()


def settings(desk: Desk) -> Settings:
    """Return the settings of a run."""
    return Settings(desk.raw, desk.out)


def test_a_good_run(desk: Desk) -> None:
    """It says what was asked for, what became of each source, and which snapshot it has published."""
    desk.put("fair/a.txt", HAY, "junk")
    result = desk.run()
    run = last(desk)
    assert run.id == load_manifest(desk.out)["run_id"]
    assert (run.start.version, run.start.sources, run.start.replay, run.killed) == (
        version("conspectus"),
        (),
        False,
        False,
    )
    assert (end(desk).exit, end(desk).snapshot, end(desk).new) == (Exit.GOOD, result.publication.folder.name, True)
    fair, news = run.sources
    assert (fair.status, fair.dumps, fair.records, fair.published) == (Status.OK, 1, 1, 1)
    assert (fair.quarantined, fair.started, fair.ended) == ({"unexplained_line": 1}, run.start.at, end(desk).at)
    assert (news.source, news.status, news.nulls) == ("news", Status.ABSENT, {})


def test_a_run_without_news(desk: Desk) -> None:
    """It names the snapshot that stays; of the sources that were asked for alone it has a line."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    first = end(desk)
    desk.run("fair")
    assert (last(desk).start.sources, [each.source for each in last(desk).sources]) == (("fair",), ["fair"])
    assert (end(desk).snapshot, first.new, end(desk).new) == (first.snapshot, True, False)


def test_changes_of_a_source(desk: Desk) -> None:
    """They are counted as the summary does."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    desk.put("fair/a.txt", {**HAY, "start": "2025-01-02T09:00"}, RYE)
    desk.run()
    assert last(desk).sources[0].changes == {"new": 1, "gone": 0, "moved": 1, "retitled": 0}


def test_an_amber_run(desk: Desk) -> None:
    """It has what a person should look at."""
    desk.put("fair/a.txt", *({**HAY, "title": f"Hay {number}"} for number in range(9)))
    desk.run()
    desk.put("fair/a.txt", *({**HAY, "title": f"Hay {number}", "start": "2025-01-02T09:00"} for number in range(9)))
    result = desk.run()
    fair = last(desk).sources[0]
    assert (end(desk).exit, fair.attention, len(fair.attention)) == (Exit.AMBER, told_of(result.outcomes[0]), 1)


def test_a_red_run(desk: Desk) -> None:
    """A source that failed says why; its rows are still published. So does a file that no source claims."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    desk.put("fair/a.txt", "nothing of the kind")
    desk.put("odd/a.txt", "x")
    desk.run()
    fair = last(desk).sources[0]
    assert (end(desk).exit, fair.status, fair.records, fair.published) == (Exit.RED, Status.FAILED, None, 1)
    assert (fair.error or "").startswith("fair/a.txt:1: not_this_source")
    assert [each.split(":")[0] for each in end(desk).failures] == ["odd/a.txt"]


def test_what_failed_before_the_run(desk: Desk) -> None:
    """As a page that could not be fetched: the night is red, though all that is there could be read."""
    desk.put("fair/a.txt", HAY)
    result = refresh(settings(desk), desk.known, failures=["fair: no answer"])
    assert (result.good, end(desk).exit, end(desk).failures) == (False, Exit.RED, ("fair: no answer",))


def test_a_run_with_nothing_to_publish(desk: Desk) -> None:
    """It makes no snapshot, and the log says so."""
    with pytest.raises(NothingError) as error:
        desk.run()
    assert (end(desk).exit, end(desk).error, end(desk).snapshot) == (Exit.RED, str(error.value), None)


def test_a_run_that_was_asked_for_what_is_not_there(desk: Desk) -> None:
    """It has no sources, only the reason."""
    with pytest.raises(UsageError):
        desk.run("weather")
    assert (last(desk).sources, (end(desk).error or "")[:24]) == ((), "no such source: weather;"[:24])


def test_a_run_that_is_stopped(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Ctrl-C or a signal: the log says so, and the signal does again what it did before."""
    desk.put("fair/a.txt", HAY)

    def stop(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("pipeline.run.refresh.publish", stop)
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        desk.run()
    assert (end(desk).error, signal.getsignal(signal.SIGTERM)) == ("stopped before it had published", before)


def test_a_handler_of_others_stays(desk: Desk) -> None:
    """Where another library handles the signal, the record of a run leaves that to it."""
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with Recorder(Settings(desk.raw, desk.out), [], print):
            during = signal.getsignal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert during is signal.SIG_IGN


def test_a_run_that_was_killed(desk: Desk) -> None:
    """It has begun, and no more is known."""
    desk.put("fair/a.txt", HAY)
    desk.out.mkdir()
    RunLog(desk.out, RunStart(datetime.now(UTC), "1")).begin()
    desk.run()
    assert [(run.killed, len(run.sources)) for run in load_runs(desk.out)] == [(True, 0), (False, 2)]


def test_a_run_that_was_killed_while_it_wrote(desk: Desk) -> None:
    """What it has written whole is read; the torn line is not, and the next run begins a new one."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    (desk.out / LOG).write_bytes(log(desk)[:-20])
    torn = [(run.killed, len(run.sources)) for run in load_runs(desk.out)]
    desk.run()
    both = [(run.killed, len(run.sources)) for run in load_runs(desk.out)]
    assert (torn, both) == ([(True, 2)], [(True, 2), (False, 2)])


@pytest.mark.parametrize(("days", "left"), [(430, [0, 35, 430]), (431, [35, 431])])
def test_old_runs(desk: Desk, monkeypatch: pytest.MonkeyPatch, days: int, left: list[int]) -> None:
    """They are dropped once the first is 430 days old: then those older than 400 days."""
    desk.put("fair/a.txt", HAY)
    for day in (0, 35, days):
        at(monkeypatch, FIRST + timedelta(days=day))
        desk.run()
    assert [(run.start.at - FIRST).days for run in load_runs(desk.out)] == left
    assert [run.killed for run in load_runs(desk.out)] == [False] * len(left)


def test_old_runs_that_cannot_be_dropped(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run warns, and is in the log."""
    desk.put("fair/a.txt", HAY)
    at(monkeypatch, FIRST)
    desk.run()
    (desk.out / f".new-{LOG}").mkdir()
    at(monkeypatch, FIRST + timedelta(days=431))
    result = desk.run()
    assert (result.warnings, len(load_runs(desk.out))) == (
        (f"{desk.out / LOG}: old runs could not be dropped: Is a directory",),
        2,
    )


def test_lines_that_nobody_understands(desk: Desk) -> None:
    """Those of a newer version, damaged ones and those of no run are ignored; so are keys that are not known."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    expected = load_runs(desk.out)
    source, ended = (json.loads(line) for line in log(desk).split(b"\n")[1:4:2])
    odd = [
        {**source, "run": "20200101T000000Z"},
        {**ended, "run": "20200101T000000Z"},
        *({**source, **wrong} for wrong in ({"status": "new"}, {"dumps": None}, {"nulls": {"doi": "1"}}, {"ended": 1})),
        {**ended, "at": "2026-01-01T00:00:00"},
        {**ended, "event": "paused"},
        {key: value for key, value in ended.items() if key != "exit"},
        ["run"],
        7,
    ]
    whole = log(desk).replace(b'"event": "source"', b'"colour": "red", "event": "source"')
    (desk.out / LOG).write_bytes(b"\xff\n" + whole + b"\n".join(json.dumps(each).encode() for each in odd))
    assert load_runs(desk.out) == expected


def test_an_out_root_without_a_log(desk: Desk) -> None:
    """It has no runs yet."""
    assert load_runs(desk.out) == []


def test_something_else_in_the_place_of_the_log(desk: Desk) -> None:
    """The run publishes and warns; whoever asks for the log is told what is wrong."""
    desk.put("fair/a.txt", HAY)
    (desk.out / LOG).mkdir(parents=True)
    result = desk.run()
    said = f"{desk.out / LOG}: this run is not in the log of runs: Is a directory"
    assert (result.good, result.warnings, desk.titles("fair")) == (True, (said,), ["Hay"])
    with pytest.raises(StoreError, match="expected the log of runs: "):
        load_runs(desk.out)


def test_a_failed_run_tells_of_its_log(desk: Desk) -> None:
    """It has no summary: the line is one of those on its progress."""
    (desk.out / LOG).mkdir(parents=True)
    watch = Mock()
    with pytest.raises(NothingError):
        refresh(settings(desk), desk.known, watch=watch)
    assert "warning: " in watch.call_args.args[0]


@contextmanager
def full_after(size: int) -> Iterator[None]:
    """Let no file become longer, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk(desk: Desk) -> None:
    """The run warns, its data are published, and nothing is left of the line that did not fit."""
    desk.put("fair/a.txt", HAY)
    desk.out.mkdir()
    (desk.out / LOG).write_bytes(b"long ago\n" * 100_000)
    with full_after(len(log(desk)) + 10):
        result = desk.run()
    said = f"{desk.out / LOG}: this run is not in the log of runs: only part of it could be written"
    assert (result.good, result.warnings, desk.titles("fair")) == (True, (said,), ["Hay"])
    assert log(desk) == b"long ago\n" * 100_000


def test_a_disk_that_was_full_when_the_run_began(desk: Desk) -> None:
    """What could not be written then is written in the end."""
    desk.out.mkdir()
    (desk.out / LOG).write_bytes(b"long ago\n")
    written = RunLog(desk.out, RunStart(FIRST, "1"))
    with full_after(10):
        written.begin()
    problems = written.problems
    written.end(RunEnd(FIRST, Exit.GOOD))
    assert (len(problems), written.problems, [run.killed for run in load_runs(desk.out)]) == (1, [], [False])


def publish(desk: Desk, number: int, *items: dict[str, Any] | str) -> tuple[object, object]:
    """Publish one more dump of the listing; return the nulls in the log, and those of the published rows."""
    desk.put(f"news/{number}.txt", *items)
    desk.run()
    (news,) = (each for each in last(desk).sources if each.source == "news")
    counts = desk.table("records", "news").null_count().row(0, named=True)
    return news.nulls, {name: number for name, number in counts.items() if number}


def test_nulls(desk: Desk) -> None:
    """They are those of the published rows, night by night; unknown where an older version wrote a file."""
    nights: list[Any] = [
        [RYE],
        [RYE],
        [{**RYE, "doi": "10.1000/1"}, HAY],
        ["x"],
        [{"title": "Oats", "authors": ["Ann"]}],
    ]
    found = [publish(desk, number, *items) for number, items in enumerate(nights)]
    assert [logged for logged, _ in found] == [there for _, there in found]
    assert len({json.dumps(there) for _, there in found}) == 3
    folder = (desk.out / "latest").resolve()
    files = load_manifest(folder)["files"]
    del files["parquet/news.parquet"]["nulls"]
    put_manifest(folder, {**load_manifest(folder), "files": files})
    assert publish(desk, 4, *nights[4])[0] is None


def test_the_log_influences_nothing(desk: Desk) -> None:
    """Without it the same is published; a verification does not look at it, and no manifest names it."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    before = desk.data()
    (desk.out / LOG).write_text("something else")
    result = desk.run()
    assert (result.publication.new, desk.data(), verify(desk.out).problems) == (False, before, ())
    assert LOG not in (desk.out / "latest" / "manifest.json").read_text()


def test_a_replay(desk: Desk) -> None:
    """It is a run only if it publishes."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    replay(settings(desk), desk.known)
    before = len(load_runs(desk.out))
    replay(settings(desk), desk.known, publish=True)
    assert (before, [run.start.replay for run in load_runs(desk.out)]) == (1, [False, True])
    assert end(desk).exit is Exit.GOOD


@pytest.mark.parametrize(("engine", "counted"), [("inline", False), ("processes:1", True)])
def test_cpu_of_readers(desk: Desk, engine: str, counted: bool) -> None:
    """The CPU of other processes is added; what is read inline is in the run's own already."""
    desk.put("fair/a.txt", HAY)
    result = desk.run()
    outcomes = [replace(outcome, read_seconds=500.0) for outcome in result.outcomes]
    with Recorder(replace(settings(desk), engine=engine), (), Mock()) as recorder:
        recorder.end(outcomes, result.publication, (), {}, good=True)
    assert (end(desk).cpu_seconds > 500, end(desk).seconds < 500) == (counted, True)


def test_a_checkout_that_is_not_installed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its version is unknown."""
    desk.put("fair/a.txt", HAY)
    monkeypatch.setattr("pipeline.run.recorder.version", Mock(side_effect=PackageNotFoundError))
    desk.run()
    assert last(desk).start.version == "unknown"


def test_texts_of_any_kind(desk: Desk) -> None:
    """A name that is not UTF-8, or a line end, harms no line."""
    desk.out.mkdir()
    written = RunLog(desk.out, RunStart(FIRST, "1", ("fair",)))
    written.begin()
    written.end(RunEnd(FIRST, Exit.RED, "caf\udce9\nÜ"))
    assert (end(desk).error, log(desk).count(b"\n")) == ("caf\udce9\nÜ", 2)


def test_many_long_texts() -> None:
    """Thousands of dumps can fail in one night: the log has the first of them."""
    found = cut_all(["x" * 2000] * 30)
    assert (len(found), found[0], found[-1]) == (21, "x" * 1000 + " ..", "and 10 more")
