"""Helper processes that end with the process that started them."""

import os
import signal
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.flow_runs import children_of, is_alive, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux shows them")

STARTED = """
import subprocess, sys
from pipeline.leash import ends_with_us
with ends_with_us(lambda: started.pid):
    started = subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL)
print(started.pid, flush=True)
sys.stdin.readline()
"""


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
