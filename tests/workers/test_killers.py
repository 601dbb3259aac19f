"""A dump that kills its reader fails alone, and no later run reads it again."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from pipeline.base.settings import FailedError, Limits, Settings
from pipeline.run.refresh import Result, refresh
from pipeline.workers import supervisor
from pipeline.workers.engines import Processes
from pipeline.workers.reader import Batch, Done
from tests.support.flow_runs import wait_for
from tests.support.killers import SOURCE
from tests.support.toy import Desk

LIMITS = Limits(cpu_seconds=1, memory_mib=256)
MARK = "READERS_OF"
BEFORE: set[psutil.Process] = set()
"""Children of this process that other tests have left."""
DIED = "reader_died: expected the reader to finish, its process died"
KNOWN = {"killers": SOURCE}
KILLERS = {
    "babble": "reader_died: expected an answer from the reader, found other data: unpickling stack underflow",
    "child": f"{DIED} of exit code 7",
    "crash": f"{DIED} of SIGSEGV: Fatal Python error: Segmentation fault",
    "kill": f"{DIED} of SIGKILL",
    "loop": "too_slow: expected at most 1 s of CPU for one dump",
    "memory": "too_large: expected at most 256 MiB of memory for one dump",
    "odd": f"{DIED} of exit code 1: tests.support.killers.OddError: odd",
}


def make_settings(desk: Desk, **more: Any) -> Settings:
    """Return settings with two readers and tight limits."""
    return Settings(desk.raw, desk.out, **{"limits": LIMITS, "engine": "processes:2", **more})


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, Result]]:
    """Refresh an archive with a killer of each kind among dumps that are good."""
    desk = Desk(tmp_path_factory.mktemp("killers"))
    for name in KILLERS:
        desk.put(f"killers/{name}.txt", name)
        desk.put(f"killers/{name}-beside.txt", f"Beside {name}")
    desk.put("killers/unlucky.txt", f"kill unless {desk.raw.parent / 'mark'}")
    BEFORE.update(psutil.Process().children())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor, "READER", "tests.support.killers:main")
        patch.setenv(MARK, str(desk.raw))  # other tests may run readers at the same time
        yield desk, refresh(make_settings(desk), KNOWN)


@pytest.mark.parametrize("name", KILLERS)
def test_a_killer_costs_one_row(killed: tuple[Desk, Result], name: str) -> None:
    """One row gives the cause of death; the other dumps of the batch are published."""
    rows = killed[0].table("quarantine", "killers").rows(named=True)
    told = [f"{row['reason']}: {row['detail']}" for row in rows if row["dump"] == f"killers/{name}.txt"]
    assert told == [KILLERS[name]]


def test_nobody_else_is_blamed(killed: tuple[Desk, Result]) -> None:
    """All other dumps are published, even one whose reader was killed from outside while reading it."""
    titles = {title.split(" unless ")[0] for title in killed[0].titles("killers")}
    assert (titles, killed[1].good) == ({*(f"Beside {name}" for name in KILLERS), "kill"}, False)


def test_a_killer_is_not_read_again(killed: tuple[Desk, Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run reads nothing and reports the same errors."""
    monkeypatch.setattr("pipeline.workers.engines.Processes.run", None)
    again = refresh(make_settings(killed[0]), KNOWN)
    assert ([each.error for each in again.outcomes], again.publication.new) == (
        [each.error for each in killed[1].outcomes],
        False,
    )


@pytest.mark.parametrize(("more", "asked"), [({"limits": Limits(2, 256)}, {}), ({}, {"again": True})])
def test_a_killer_is_tried_again(
    killed: tuple[Desk, Result], monkeypatch: pytest.MonkeyPatch, more: dict[str, Any], asked: dict[str, Any]
) -> None:
    """With other limits, or on request, only the failed dumps are read again."""
    read: list[str] = []

    def note(_: Processes, batches: list[Batch], *__: object) -> list[Done]:
        read.extend(order.dump.path for batch in batches for order in batch.orders)
        raise FailedError("enough")

    monkeypatch.setattr("pipeline.workers.engines.Processes.run", note)
    with pytest.raises(FailedError, match="enough"):
        refresh(make_settings(killed[0], **more), KNOWN, **asked)
    assert sorted(read) == sorted(f"killers/{name}.txt" for name in KILLERS)


def test_readers_end_with_the_run(killed: tuple[Desk, Result]) -> None:
    """No child process is left, apart from those of other tests; a dead one takes a moment to vanish."""
    assert len(killed[1].outcomes) == 1
    assert wait_for(lambda: not set(psutil.Process().children()) - BEFORE)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_children_of_readers_end_with_them(killed: tuple[Desk, Result]) -> None:
    """No process started by a reader is left; they are found by the environment of their reader."""
    mark = f"{MARK}={killed[0].raw}".encode()
    ours = [file for file in Path("/proc").glob("[0-9]*/environ") if mark in _bytes_of(file)]
    assert (len(killed[1].outcomes), ours) == (1, [])


def _bytes_of(file: Path) -> bytes:
    """Return the bytes of a file; none if it is gone."""
    try:
        return file.read_bytes()
    except OSError:
        return b""
