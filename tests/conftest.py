"""Shared by all tests: markers, fixtures, the raw roots of specimens and real dumps, hypothesis settings."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from parsers._registry import sources

if TYPE_CHECKING:
    from tests.support.toy import Desk

ROOT = Path(__file__).parent.parent
HOUR = 3600 * 1_000_000_000
"""In nanoseconds."""

os.environ["POLARS_MAX_THREADS"] = "1"  # frames have few rows: handing them to a thread costs more than the work
os.environ["CONSPECTUS_ENGINE"] = "inline"  # most tests are not about processes, which cannot see invented sources

settings.register_profile(
    "default", deadline=None, max_examples=3, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_configure(config: pytest.Config) -> None:
    """Declare a marker for each source."""
    for name in sources():
        config.addinivalue_line("markers", f"{name}: about this source")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of each source, and those of hypothesis as untraced: under coverage they take twice as long."""
    for item in items:
        if ROOT / "tests" / "sources" in item.path.parents and (source := source_of(item)) in sources():
            item.add_marker(source)
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("untraced")


def source_of(item: pytest.Item) -> str:
    """Return the source of a test: that of its folder, else the first word of its parameters, if that is a source."""
    below = item.path.relative_to(ROOT / "tests" / "sources").parts
    return below[0] if len(below) > 1 else item.name.partition("[")[2].rstrip("]").partition("-")[0]


@pytest.fixture(scope="session", autouse=True)
def unsynced() -> Iterator[None]:
    """Do not wait for the disk: no test is about a power cut. The call is still observed, and can fail."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", os.get_inheritable)
        yield


@pytest.fixture(scope="session")
def specimens() -> Path:
    """Return the raw root of the repository, which has the specimens."""
    return ROOT / "raw"


@pytest.fixture(scope="session")
def real_raw() -> Path:
    """Return the raw root of the real dumps, which are not part of the repository.

    It is ``CONSPECTUS_REAL_RAW``, else ``../shared/raw``. A root that is named but missing is a failure.
    """
    named = os.environ.get("CONSPECTUS_REAL_RAW")
    root = Path(named) if named else ROOT.parent / "shared" / "raw"
    if not named and not root.is_dir():
        pytest.skip("no real dumps here: they are not part of the repository, CONSPECTUS_REAL_RAW names their root")
    assert root.is_dir()
    return root


@pytest.fixture(scope="session")
def published(specimens: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Publish the specimens, read by the process of the run, and return the out root. No test changes it."""
    from parsers._registry import sources  # noqa: PLC0415  # the process that only distributes the tests needs no polars
    from pipeline.base.settings import Settings  # noqa: PLC0415
    from pipeline.run.refresh import refresh  # noqa: PLC0415

    out = tmp_path_factory.mktemp("published")
    refresh(Settings(specimens, out), sources())
    return out


@pytest.fixture
def desk(tmp_path: Path) -> "Desk":
    """Return a raw and an out root for one test, with the two invented sources instead of the real ones."""
    from tests.support.toy import Desk  # noqa: PLC0415  # as above

    return Desk(tmp_path)


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> "Callable[[Callable[[Desk], object]], Path]":
    """Return a function that has a desk filled by another function, once, and returns its folder for ``Desk.take``."""
    from tests.support.toy import Desk  # noqa: PLC0415  # as above

    @cache
    def fill(how: "Callable[[Desk], object]") -> Path:
        how(Desk(folder := tmp_path_factory.mktemp("filled")))
        return folder

    return fill


@pytest.fixture
def in_the_desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run where ``./raw`` and ``./out`` are those of the desk, on a wide terminal; the environment names no root."""
    for name in ("CONSPECTUS_RAW", "CONSPECTUS_OUT", "CONSPECTUS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files count as at rest as soon as they are written: a test does not wait for two seconds."""
    monkeypatch.setattr("pipeline.base.known_files._TICK", -HOUR)
