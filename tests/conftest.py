"""What all tests share: the raw roots of specimens and real dumps, hypothesis settings."""

import gc
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from pipeline.cores import one_core
from tests import of_sources
from tests.flow_runs import PATIENCE, answers, environment, quick_start, wait_for

if TYPE_CHECKING:
    from tests.toy import Desk

ROOT = Path(__file__).parent.parent
TRACER = pytest.StashKey[Any]()
"""What coverage counts with; None where nothing is counted."""

# What a server of the tests has no use for: each would look at every event of every run.
UNNEEDED = (
    "cancellation_cleanup cleanup_reconciler event_persister foreman late_runs pause_expirations repossessor triggers"
)

gc.disable()  # hardly anything is garbage until the tests begin

os.environ["POLARS_MAX_THREADS"] = "1"  # frames of a few rows: to hand them to another thread takes longer than they do
os.environ["CONSPECTUS_ENGINE"] = "inline"  # most tests are not about processes, which know no invented sources

if "PYTEST_XDIST_WORKER" in os.environ:
    # What takes longest of what tests import comes before the tracer, which would see every line of it.
    for library in ("pandas", "pandera.polars"):
        import_module(library)

settings.register_profile(
    "default", deadline=None, max_examples=3, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


LONGEST = [
    f"test_{name}"
    for name in (
        "flows crash ledger layouts nights publish bad_input commands fetch round_trips cache pages guards validate"
    ).split()
]
"""The files that take longest. First come, first served: the last to begin should be a short one."""


def pytest_configure(config: pytest.Config) -> None:
    """Take one source alone where ``-k`` is its name and no files are named."""
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        of_sources.choose(config.option.keyword)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out what is not about the source that ``-k`` names: other sources, and common tests that are about none."""
    within = collection_path.relative_to(ROOT).parts[1:]  # of the folder "tests"
    if not of_sources.only or not within:
        return None
    if within[0] == "sources":
        return within[1:2] not in {(), tuple(of_sources.only)} or None
    return collection_path.is_dir() or "tests.of_sources" not in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that no worker is left alone with one of them at the end."""
    items.sort(key=lambda item: LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST))


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Keep the tracer of coverage, which sees the modules of the project imported, then tests and fixtures only.

    The process that only deals out the tests has nothing to be counted.
    """
    tracer = session.config.stash[TRACER] = sys.gettrace()
    if tracer and not session.config.pluginmanager.hasplugin("dsession"):
        for module in modules():
            with suppress(Exception):  # the tests of a source that cannot be imported say so
                import_module(module)
    sys.settrace(None)


def modules() -> Iterator[str]:
    """Name every module whose lines are counted."""
    for room in ("parsers", "pipeline", "schemas"):
        yield room
        for file in sorted((ROOT / room).rglob("*.py")):
            yield ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@contextmanager
def traced_by(tracer: Any) -> Iterator[None]:
    """Let a tracer, or none, see what is called within."""
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        yield
    finally:
        sys.settrace(before)


def tracer_of(node: pytest.Item | pytest.Collector) -> Any:
    """Return the tracer that is to see what a test, or a fixture of a file, reaches."""
    return None if node.get_closest_marker("untraced") else node.config.stash[TRACER]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Hide from the tracer what pytest does around a test, far more than there is to be counted."""
    with traced_by(None):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let coverage count what fixtures reach."""
    with traced_by(tracer_of(request.node)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Let coverage count what written examples reach: drawn ones take more than twice as long under a tracer.

    The marker of pytest-cov would not do: in a worker of xdist another tracer goes on where one stops.
    """
    with traced_by(None if is_hypothesis_test(pyfuncitem.obj) else tracer_of(pyfuncitem)):
        return (yield)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: modules and tests, some million objects."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    """Take that back: some libraries say so when they are not cleared away at the end."""
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def unsynced() -> Iterator[None]:
    """Leave out the waiting for the disk: no test is about a power cut. The call is still seen, and can fail."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", os.get_inheritable)
        yield


@pytest.fixture(scope="session", autouse=True)
def invented_sources_are_read() -> Iterator[None]:
    """Let what reads in this process find sources where the plan does: invented ones have no module of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.reader.find_source", lambda name: import_module("pipeline.plan").sources()[name])
        yield


@pytest.fixture(scope="session")
def specimens() -> Path:
    """Return the raw root of the repository, which holds the invented dumps."""
    return ROOT / "raw"


@pytest.fixture(scope="session")
def real_raw() -> Path:
    """Return the raw root of the real dumps, which are not part of the repository.

    Asked in turn: ``CONSPECTUS_REAL_RAW``, ``../shared/raw``. A root that is named but missing is a failure.
    """
    named = os.environ.get("CONSPECTUS_REAL_RAW")
    root = Path(named) if named else ROOT.parent / "shared" / "raw"
    if not named and not root.is_dir():
        pytest.skip("no real dumps here: they are not part of the repository, CONSPECTUS_REAL_RAW names their root")
    assert root.is_dir()
    return root


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Desk":
    """Give a test its own raw and out root, and the two invented sources instead of the real ones.

    By the test's own patch: one of ours would be undone before what the test puts on top of it.
    """
    from tests.toy import Desk, put_toys  # noqa: PLC0415  # the process that only deals out the tests needs no polars

    put_toys(monkeypatch)
    return Desk(tmp_path)


@pytest.fixture(scope="module")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start one Prefect server for the tests of a file, with a home of its own, and return the address of its API.

    Its database is in memory: with one in a file, runs side by side meet "database is locked".
    """
    folder = tmp_path_factory.mktemp("prefect")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    settings = {
        "PREFECT_HOME": str(folder),
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": "sqlite+aiosqlite:///:memory:",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_REGISTER_BLOCKS_ON_START": "false",
        "PREFECT_SERVER_SERVICES_SCHEDULER_RECENT_DEPLOYMENTS_LOOP_SECONDS": "1",
        # One run is looked at: not a hundred are to be put into the calendar.
        "PREFECT_SERVER_SERVICES_SCHEDULER_MIN_RUNS": "1",
        "PREFECT_SERVER_SERVICES_SCHEDULER_MAX_RUNS": "2",
        "PREFECT_SERVER_SERVICES_SCHEDULER_MIN_SCHEDULED_TIME": "PT1S",
        "PREFECT_UI_ENABLED": "0",
        **{f"PREFECT_SERVER_SERVICES_{service.upper()}_ENABLED": "false" for service in UNNEEDED.split()},
    }
    app = ("--factory", "prefect.server.api.server:create_app", "--log-level", "error")
    command = [sys.executable, "-m", "uvicorn", *app, "--host", "127.0.0.1", "--port", port]
    with (folder / "log").open("wb") as log, one_core():
        env = environment(folder, **settings, **quick_start(folder))
        server = subprocess.Popen(command, env=env, stdout=log, stderr=log)
    try:
        assert wait_for(lambda: answers(f"http://127.0.0.1:{port}/api/health") or server.poll() is not None)
        assert server.poll() is None, (folder / "log").read_text()
        yield f"http://127.0.0.1:{port}/api"
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)
