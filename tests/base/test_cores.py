"""Processes that keep to one core."""

import os
import subprocess
import sys

import pytest

from pipeline.base.cores import one_core

COUNT = [sys.executable, "-c", "import os; print(len(os.sched_getaffinity(0)))"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux is asked to keep a process to some cores")
def test_a_process_that_is_started_within_has_one_core() -> None:
    """A child started inside the block gets one core; our own affinity is restored afterwards."""
    cores = os.sched_getaffinity(0)
    with one_core():
        within = subprocess.run(COUNT, capture_output=True, text=True, check=True).stdout
    assert (within, os.sched_getaffinity(0)) == ("1\n", cores)


def test_a_system_without_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a system without CPU affinity the block does nothing."""
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.delattr("os.sched_setaffinity", raising=False)
    with one_core():
        pass
