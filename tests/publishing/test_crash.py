"""A run stopped, or out of space, at each of 200 steps: readers see the old or the new dataset, and it heals.

One of the two sources that are published is the same in both datasets. Real kills are in ``test_publish``.
"""

import json
import pickle
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from pipeline.base.settings import Settings
from pipeline.merging.outcome import Outcome
from pipeline.run.plan import make_plan
from pipeline.run.refresh import refresh_source
from tests.conftest import ROOT
from tests.support.crash_runs import FAULTS, REFUSED, STOPPED, Scene
from tests.support.toy import Desk

pytestmark = pytest.mark.untraced

STARTED = datetime(2026, 3, 1, 3, tzinfo=UTC)
HAY = {"title": "Hay", "authors": ["Ann"], "start": "2026-01-01T09:00"}
RYE = {"title": "Rye", "start": "2026-01-01T10:00"}


@pytest.fixture(scope="module")
def attempts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """Let publishing meet each fault at every step; ``then`` and ``end`` name the dataset that a reader sees."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    desk.put("news/a.txt", HAY)
    desk.put("fair/a.txt", HAY, "junk")
    hay = outcomes(desk)
    desk.put("fair/a.txt", RYE)
    scene = pickle.dumps(Scene((hay, outcomes(desk)), 2, STARTED))
    command = [sys.executable, "-m", "tests.support.crash_runs", str(tmp_path_factory.mktemp("runs"))]
    done = subprocess.run(command, cwd=ROOT, input=scene, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    told: dict[str, list[dict[str, Any]]] = json.loads(done.stdout)
    return told


def outcomes(desk: Desk) -> tuple[Outcome, ...]:
    """Read what a desk holds."""
    plan = make_plan(Settings(desk.raw, desk.out), desk.known)
    return tuple(refresh_source(plan, source) for source in sorted(desk.known))


def values(attempts: list[dict[str, Any]], key: str) -> set[Any]:
    """Return the values of a key over all attempts."""
    return {each[key] for each in attempts}


@pytest.mark.parametrize(
    ("fault", "code"), [("stopped", STOPPED), ("disk full", REFUSED), ("disk full in the first run", REFUSED)]
)
def test_a_fault_at_any_step(attempts: dict[str, list[dict[str, Any]]], fault: str, code: int) -> None:
    """The reader sees old or new, whole, and a run that can says that it could not publish."""
    tried = attempts[fault]
    assert (values(tried, "code"), values(tried, "then"), len(tried) > 35) == ({code}, {"old", "new"}, True)


def test_a_file_that_cannot_grow(attempts: dict[str, list[dict[str, Any]]]) -> None:
    """The system refuses a write in the middle of a file, also below Python: the old dataset stands."""
    tried = attempts["file too large"]
    assert (values(tried, "code"), values(tried, "then"), len(tried) > 5) == ({REFUSED}, {"old"}, True)


def test_the_steps_are_many(attempts: dict[str, list[dict[str, Any]]]) -> None:
    """None is chosen by hand: what is not counted here is not tried."""
    assert sum(map(len, attempts.values())) >= 200


@pytest.mark.parametrize("fault", FAULTS)
def test_the_next_run_repairs_the_rest(attempts: dict[str, list[dict[str, Any]]], fault: str) -> None:
    """It ends with the dataset of an undisturbed run, and nothing is left behind."""
    tried = attempts[fault]
    assert (values(tried, "repaired"), values(tried, "end")) == ({0}, {"new"})
    assert [each["left"] for each in tried if each["left"]] == []
