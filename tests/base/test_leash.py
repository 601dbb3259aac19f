"""Helper processes that end with the process that started them."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from tests.conftest import ROOT
from tests.support.flow_runs import children_of, is_alive, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux shows them")

STARTED = """
import subprocess, sys
from pipeline.base.leash import ends_with_us
with ends_with_us():
    started = subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL)
    if sys.argv[1] == "within":
        print(started.pid, flush=True)
        sys.stdin.readline()
other = subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL)
print(started.pid, other.pid, flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def run() -> Iterator[Callable[[str], tuple[subprocess.Popen[str], list[int]]]]:
    """Return a function that starts the program, up to a place in it, and reads the ids that it prints there."""
    ids: list[int] = []

    def start(place: str) -> tuple[subprocess.Popen[str], list[int]]:
        command = [sys.executable, "-c", STARTED, place]
        parent = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert parent.stdout is not None
        ids[:] = map(int, parent.stdout.readline().split())
        return parent, ids

    yield start
    for each in filter(is_alive, ids):
        os.kill(each, signal.SIGKILL)


@pytest.mark.parametrize("place", ["within", "after"])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_helpers_end_with_a_killed_parent(
    run: Callable[[str], tuple[subprocess.Popen[str], list[int]]], end: signal.Signals, place: str
) -> None:
    """Helpers started inside the context end with their killed parent, even after the context; others live on."""
    parent, (started, *others) = run(place)
    watchers = wait_for(lambda: children_of(parent.pid, "-I"))  # its command is empty while it is being started
    parent.send_signal(end)
    parent.communicate()
    assert wait_for(lambda: not any(map(is_alive, [started, *watchers])))
    assert (len(watchers), [*map(is_alive, others)]) == (1, [True] * len(others))


def test_helpers_outlive_a_normal_exit(
    run: Callable[[str], tuple[subprocess.Popen[str], list[int]]],
) -> None:
    """After a normal exit the helpers go on: the code that started them has to end them."""
    parent, started = run("after")
    watchers = wait_for(lambda: children_of(parent.pid, "-I"))  # its command is empty while it is being started
    parent.communicate("\n")
    assert wait_for(lambda: not any(map(is_alive, watchers)))
    assert ([*map(is_alive, started)], len(watchers)) == ([True, True], 1)
