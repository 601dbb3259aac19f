"""Processes that end with the one that they were started for."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.flow_runs import start, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux shows them")

STARTED = """
import subprocess, sys
from pipeline.leash import ends_with_us
with ends_with_us(lambda: started.pid):
    started = subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL)
print(started.pid, flush=True)
sys.stdin.readline()
"""


def is_alive(process: int) -> bool:
    """Say whether a process is there, and not only its number."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def children_of(process: int, word: str) -> list[int]:
    """Return the children of a process whose command has a word."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    commands = {int(each): Path(f"/proc/{each}/cmdline").read_bytes() for each in children}
    return [child for child, command in commands.items() if word.encode() in command]


@pytest.mark.parametrize(("end", "stays"), [(signal.SIGKILL, False), (signal.SIGTERM, False), (None, True)])
def test_a_process_ends_with_the_one_that_is_killed(end: signal.Signals | None, stays: bool) -> None:
    """One that ends in order leaves that to whoever started the other."""
    command = [sys.executable, "-c", STARTED]
    parent = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    started = int(parent.stdout.readline())
    watchers = children_of(parent.pid, "-I")
    parent.send_signal(end or 0)
    parent.communicate("\n")
    assert wait_for(lambda: not any(map(is_alive, watchers)))
    assert wait_for(lambda: is_alive(started) == stays)
    assert len(watchers) == 1
    os.kill(started, signal.SIGKILL) if stays else None


def test_a_server_ends_with_its_run(specimens: Path, tmp_path: Path) -> None:
    """A run of the flow is killed as soon as its own server is there."""
    run = start(tmp_path, "--quiet", "--raw", specimens, "--out", tmp_path / "out")
    servers = wait_for(lambda: children_of(run.pid, "uvicorn"))
    run.kill()
    assert wait_for(lambda: not any(map(is_alive, servers)))
    assert (len(servers), run.wait()) == (1, -signal.SIGKILL)
