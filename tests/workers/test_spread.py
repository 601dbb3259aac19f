"""Any executor can read a batch, all engines publish the same bytes, and cache entries depend on the reading code."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import LocalCluster

from parsers._registry import sources
from pipeline.base.settings import FailedError, Limits, Settings, UsageError
from pipeline.raw.inventory import take_inventory
from pipeline.reading.cache import (
    CACHE,
    READING,
    _modules,
    load_known_files,
    load_reading,
    merging_hash,
    pages_hash,
    reading_hash,
    store_entry,
    verdict_key,
)
from pipeline.run.job import Job
from pipeline.run.plan import make_plan
from pipeline.run.refresh import refresh
from pipeline.run.session import RunSession
from pipeline.run.shard import read_shard
from pipeline.workers import reader, supervisor
from pipeline.workers.engines import Inline, Processes, Workers
from pipeline.workers.reader import Batch, Done
from pipeline.workers.spread import EngineError, make_batches, spread
from pipeline.workers.supervisor import ReaderError, StaleCodeError, run_batch
from tests.conftest import ROOT
from tests.support.helpers import data_of
from tests.support.killers import SOURCE
from tests.support.toy import Desk

NAME, OTHER = [name for name in sources() if (ROOT / "parsers" / name).is_dir()][:2]
"""Two sources that are packages."""


class Flaky(Executor):
    """An executor that fails the first calls with the given errors."""

    def __init__(self, *failures: Exception | None) -> None:
        """None stands for a cancelled future."""
        self.failures = list(failures)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Fail, or call the function."""
        future: Future[Any] = Future()
        if not self.failures:
            future.set_result(function(*args, **kwargs))
        elif (failure := self.failures.pop(0)) is None:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_exception(failure)
        return future


class Silent(Executor):
    """An executor whose futures never finish."""

    def submit(self, _: Callable[..., Any], /, *__: Any, **___: Any) -> Future[Any]:
        """Return a future that never finishes."""
        return Future()


def make_batch(desk: Desk, *paths: str) -> Batch:
    """Return a batch of unread dumps of the killers' source."""
    files = load_known_files(settings := Settings(desk.raw, desk.out))
    session = RunSession(make_plan(settings, {"killers": SOURCE}, files), files, Inline({}))
    job = Job(session, "killers")
    unread = [(dump, session.hash(dump) or "", job.key(dump) or "") for dump in job.dumps if dump.path in paths]
    (batch,) = make_batches("killers", unread, settings)
    return batch


def verdict_of(desk: Desk, path: str) -> str:
    """Return the name of the cache entry for a dump that exceeded its limits."""
    (order,) = make_batch(desk, path).orders
    return verdict_key(order.key, order.limits)


def done(batch: Batch) -> list[Done]:
    """Report each dump as done without reading it."""
    return [Done(order.source, order.dump.path, order.digest) for order in batch.orders]


@pytest.fixture
def batch(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Batch:
    """Return a batch with one good dump."""
    monkeypatch.setattr(supervisor, "READER", "tests.support.killers:main")
    desk.put("killers/a.txt", "A")
    desk.out.mkdir()
    return make_batch(desk, "killers/a.txt")


def test_a_batch_is_given_out_again(batch: Batch) -> None:
    """If a worker dies or the call is cancelled, another worker gets the batch, and a message says so."""
    told: list[str] = []
    found = list(spread(Flaky(BrokenExecutor("gone"), None), [batch], done, told.append, told.append))
    head = "reassigned: killers/a.txt and the dumps of its batch: "
    assert told == [f"{head}gone", f"{head}it was cancelled", "read 1 of 1 dumps, last killers/a.txt"]
    assert [each.path for each in found] == ["killers/a.txt"]


def test_workers_that_are_lost(batch: Batch) -> None:
    """Batches that remote workers fail three times are read on this machine; without that fallback it is an error."""
    told: list[str] = []
    lost = [BrokenExecutor("gone")] * 3
    with Processes.opened(1) as here:
        found = list(Workers("tcp://far:1", Flaky(*lost), here).run([batch], told.append, told.append))
    expected = "tcp://far:1: killers/a.txt: expected a worker to read it: gone; reading the rest on this machine"
    assert ([each.path for each in found], told[2]) == (["killers/a.txt"], expected)
    with pytest.raises(EngineError, match=r"^killers/a.txt: expected a worker to read it: gone$"):
        list(spread(Flaky(*lost), [batch], done, told.append, told.append))


def test_a_worker_with_other_code_is_refused(batch: Batch) -> None:
    """Its cache entries would have names that nobody looks up; the error names host and process."""
    with pytest.raises(StaleCodeError, match=r"^\S+, process \d+: expected code version 0{12}, found \w{12}: update"):
        run_batch(replace(batch, code="0" * 64))


def test_a_reader_that_does_not_start(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run fails, no dump is blamed, and the published data stays."""
    monkeypatch.setattr(supervisor, "READER", "tests.no_such_reader:main")
    with Processes.opened(1) as engine, pytest.raises(ReaderError, match=r"did not start: .*no_such_reader'"):
        list(engine.run([batch], print, print))


def test_a_reader_that_is_killed_before_it_is_ready(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one is started, since a short lack of memory must not fail a run."""
    start, killed = supervisor.RunningReader._start, list[int]()

    def kill_first(self: supervisor.RunningReader) -> None:
        if not killed:
            killed.append(self._process.pid)
            self._process.kill()
        start(self)

    monkeypatch.setattr(supervisor.RunningReader, "_start", kill_first)
    with Processes.opened(1) as engine:
        (found,) = engine.run([batch], print, print)
    assert (len(killed), found.key) == (1, batch.orders[0].key)


def test_a_json_in_the_working_directory(batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader imports nothing from the working directory."""
    (tmp_path / "json.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    with Processes.opened(1) as engine:
        (found,) = engine.run([batch], print, print)
    assert found.key == batch.orders[0].key


def test_a_scheduler_that_goes(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the scheduler stops, its futures never finish, and the rest is read on this machine."""
    monkeypatch.setattr("pipeline.workers.spread._LOOK", 0.01)
    told: list[str] = []
    there = iter([True, True])
    with Processes.opened(1) as here:
        workers = Workers("tcp://far:1", Silent(), here, lambda: next(there, False))
        found = list(workers.run([batch], told.append, told.append))
    expected = "tcp://far:1: expected a running executor, it has stopped; reading the rest on this machine"
    assert ([each.path for each in found], told[0]) == (["killers/a.txt"], expected)


def test_a_reader_that_waits_for_ever(batch: Batch, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that uses no CPU is ended by the wall clock, and the dump gets an entry."""
    of_a_dump = Limits().cpu_seconds  # a reader that starts has other limits
    monkeypatch.setattr(Limits, "patience", property(lambda limits: 0.3 if limits.cpu_seconds == of_a_dump else 60))
    desk.put("killers/b.txt", "wait")
    with Processes.opened(1) as engine:
        (found,) = engine.run([make_batch(desk, "killers/b.txt")], lambda _: None, lambda _: None)
    store_entry(desk.out / "entries", found.key, found.entry)
    entry = load_reading(desk.out / "entries", verdict_of(desk, "killers/b.txt"), batch.orders[0].dump)
    told = "killers/b.txt:1: too_slow: expected the dump to be read within 0.3 s, including waiting"
    assert (entry and entry.error) == told


def test_engines_do_not_disturb_each_other(batch: Batch) -> None:
    """Closing one engine leaves the readers of another in the same process alone."""
    with Processes.opened(1) as lasting:
        with Processes.opened(1) as brief:
            brief.warm()
        (found,) = lasting.run([batch], lambda _: None, lambda _: None)
    assert (found.path, found.key) == ("killers/a.txt", batch.orders[0].key)


def test_a_run_that_is_stopped_stops_its_readers(batch: Batch, desk: Desk) -> None:
    """Closing the engine ends a busy reader at once."""
    desk.put("killers/b.txt", "loop")
    slow = make_batch(desk, "killers/b.txt")
    with ThreadPoolExecutor(1) as pool:
        with Processes.opened(1) as engine:
            reading = pool.submit(lambda: list(engine.run([slow], lambda _: None, lambda _: None)))
            while not psutil.Process().children():
                time.sleep(0.01)
        assert isinstance(reading.exception(), ReaderError)
    assert psutil.Process().children() == []


def test_a_reader_without_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reports that it is ready, and exits by itself when no work comes."""
    ours, theirs = Pipe()
    monkeypatch.setattr(reader, "IDLE", 0.0)
    reader.main(os.dup(theirs.fileno()))
    assert ours.recv() is None


# The same bytes, whoever reads


@pytest.fixture(scope="module")
def inline(published: Path) -> dict[str, bytes]:
    """Return the data files of the specimens."""
    return data_of(published)


def test_processes(inline: dict[str, bytes], specimens: Path, tmp_path: Path) -> None:
    """Two reader processes publish the same as reading inline."""
    result = refresh(Settings(specimens, tmp_path, engine="processes:2"), sources())
    assert (result.good, data_of(tmp_path)) == (True, inline)


def test_dask(inline: dict[str, bytes], specimens: Path, tmp_path: Path) -> None:
    """Two Dask workers publish the same as reading inline."""
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as workers:
        result = refresh(Settings(specimens, tmp_path, engine=workers.scheduler_address), sources())
    assert (result.good, result.warnings, data_of(tmp_path)) == (True, (), inline)


def test_no_scheduler_answers(specimens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run fails at once, and names the address."""
    monkeypatch.setattr("pipeline.workers.engines._PATIENCE", 0.1)
    with pytest.raises(FailedError, match=r"^tcp://127.0.0.1:9: expected a running Dask scheduler: "):
        refresh(Settings(specimens, tmp_path, engine="tcp://127.0.0.1:9"), sources())


def test_an_address_that_dask_does_not_take(specimens: Path, tmp_path: Path) -> None:
    """The run fails at once, and ends."""
    with pytest.raises(FailedError, match=r"^tls://127.0.0.1:9: expected a running Dask scheduler: TLS expects"):
        refresh(Settings(specimens, tmp_path, engine="tls://127.0.0.1:9"), sources())


def test_no_temporary_folder(specimens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to set."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(FailedError, match=r"^expected a folder for temporary files \(set TMPDIR\): No such file"):
        refresh(Settings(specimens, tmp_path, engine="processes:1"), sources())


def test_without_dask(specimens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"install conspectus\[dask\]$"):
        refresh(Settings(specimens, tmp_path, engine="tcp://127.0.0.1:9"), sources())


def test_shards(inline: dict[str, bytes], specimens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each dump is read by one shard; a repeated shard and the refresh afterwards read nothing."""
    settings = Settings(specimens, tmp_path / "out")
    first, second, again = (read_shard(settings, sources(), [], part) for part in ((1, 2), (2, 2), (2, 2)))
    dumps = sum(map(len, take_inventory(specimens, sources()).dumps.values()))
    assert (first.read + second.read, again.read, first.problems, second.problems) == (dumps, 0, (), ())
    monkeypatch.setattr("pipeline.workers.engines.Inline.run", None)
    assert (refresh(settings, sources()).good, data_of(settings.out)) == (True, inline)


def test_a_shard_with_a_file_that_cannot_be_opened(desk: Desk) -> None:
    """It is a problem that may go away; one that is too large is none of the shard."""
    desk.put("news/a.txt", {"title": "Hay"})
    desk.put("news/b.txt", {"title": "Hay " * 9999})
    (desk.raw / "news" / "c.txt").symlink_to(desk.raw / "nowhere")
    shard = read_shard(Settings(desk.raw, desk.out, max_bytes=9999), desk.known, ["news"], (1, 1))
    assert (shard.read, [line.split(": ")[:2] for line in shard.unreadable], shard.uncached) == (
        1,
        [["news/c.txt:1", "unreadable"]],
        (),
    )


def test_a_shard_that_cannot_keep_what_it_reads(desk: Desk) -> None:
    """If the cache cannot be written, each dump is a problem: the refresh would have to read it."""
    desk.put("news/a.txt", {"title": "Hay"})
    desk.out.mkdir()
    (desk.out / CACHE).write_text("in the way")
    shard = read_shard(Settings(desk.raw, desk.out), desk.known, ["news"], (1, 1))
    why = f"{desk.out / CACHE / 'news'}: File exists"
    assert (shard.read, shard.problems, shard.warnings) == (
        0,
        (f"news/a.txt: {why}",),
        (f"not cached for the next run: {why}",),
    )


# What a process imports


@pytest.mark.parametrize("every", [True, False])
def test_a_run_with_nothing_new_imports_no_parser(
    published: Path, specimens: Path, tmp_path: Path, *, every: bool
) -> None:
    """Neither a source nor pandera is imported, nor one without dumps: in most nights most sources have nothing new."""
    if every:
        out = shutil.copytree(published, tmp_path / "out", symlinks=True)
    else:
        out = tmp_path / "out"
        shutil.copytree(specimens / NAME, tmp_path / "raw" / NAME)
        specimens = tmp_path / "raw"
        refresh(Settings(specimens, out), sources())
    code = "import json, sys; from pipeline.__main__ import main; main(sys.argv[1:]); print(json.dumps([*sys.modules]))"
    command = [sys.executable, "-c", code, "refresh", "--raw", str(specimens), "--out", str(out)]
    command += ["--config", os.devnull]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    modules = set(json.loads(said[-1]))
    assert "(no data file changed, same snapshot)" in said[-2]
    assert modules & {"pandera", "pandas", "prefect", "httpx", *(f"parsers.{name}" for name in sources())} == set()


# What names an entry


def test_a_reader_imports_what_reading_takes_and_no_more() -> None:
    """Only modules of the folders that the reading hash covers, and neither pandera nor Prefect."""
    code = "import json, sys, pipeline.workers.reader; print(json.dumps(sorted(sys.modules)))"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    modules = set(json.loads(said))
    ours = {name for name in modules if name.startswith("pipeline.")}
    others = {name for name in ours if name.split(".")[1] not in READING}
    assert (others, len(ours) > len(READING)) == ({"pipeline.workers", "pipeline.workers.reader"}, True)
    assert modules & {"pandera", "pandas", "prefect", "httpx", "pydantic", "rich"} == set()


MERGING = ("pipeline/merging/", "pipeline/publishing/pieces", "pipeline/publishing/plain")


def test_which_hash_a_change_moves(tmp_path: Path) -> None:
    """Code that reads changes the reading hash, code that writes files the merging hash, code of pages theirs."""
    away = {name for name in sources() if name not in {NAME, OTHER}}  # one of the other sources is enough
    unread = shutil.ignore_patterns("__pycache__", *away)
    for room in ("schemas", "parsers", "pipeline"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=unread)

    def hashes() -> list[str]:
        _modules.cache_clear()
        others = (merging_hash, pages_hash)
        return [reading_hash.__wrapped__(NAME, tmp_path), *(each.__wrapped__(tmp_path) for each in others)]

    before = hashes()

    def moved(file: Path) -> tuple[bool, ...]:
        text = file.read_bytes()
        file.write_bytes(text + b"# changed\n")
        found = tuple(now != old for now, old in zip(hashes(), before, strict=True))
        file.write_bytes(text)
        return found

    found = {file.relative_to(tmp_path).as_posix(): moved(file) for file in (tmp_path / "pipeline").rglob("*.py")}
    reads = {path for path in found if path.split("/")[1] in READING}
    merges = {path for path in found if path.startswith(MERGING)}
    shows = {path for path in found if path.split("/")[1] in {"site", "viewing", "export"}} | {
        "pipeline/base/escape.py"
    }
    for place, expected in enumerate((reads, merges, shows)):
        assert {path for path, each in found.items() if each[place]} == expected
    rooms = (
        f"parsers/{NAME}/__init__.py",
        f"parsers/{OTHER}/__init__.py",
        "parsers/_words/text.py",
        "schemas/items.py",
    )
    assert [moved(tmp_path / path)[0] for path in rooms] == [True, False, True, True]
