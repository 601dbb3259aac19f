"""Shared by all tests: hooks, fixtures, the raw roots of specimens and real dumps, hypothesis settings."""

import gc
import os
import socket
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from parsers._registry import sources
from pipeline.base.cores import one_core
from tests.support.flow_runs import PATIENCE, answers, environment, quick_start, wait_for

if TYPE_CHECKING:
    from tests.support.toy import Desk

ROOT = Path(__file__).parent.parent
TRACER = pytest.StashKey[Any]()
"""The tracer of coverage; None without coverage."""

# Services that the test server does not need: each would look at every event of every run.
UNNEEDED = "cancellation_cleanup cleanup_reconciler foreman late_runs pause_expirations repossessor triggers"

CACHED = "conspectus/seconds"
SECONDS: defaultdict[str, float] = defaultdict(float)
"""The seconds of each test file, and where pytest keeps those of the last run."""

HOUR = 3600 * 1_000_000_000
"""In nanoseconds."""

gc.disable()  # there is hardly any garbage until the tests begin

os.environ["POLARS_MAX_THREADS"] = "1"  # frames have few rows: handing them to a thread costs more than the work
os.environ["CONSPECTUS_ENGINE"] = "inline"  # most tests are not about processes, which cannot see invented sources

if "PYTEST_XDIST_WORKER" in os.environ:
    # Import the slowest libraries before the tracer starts, which would see every line of them.
    for library in ("pandas", "pandera.polars"):
        import_module(library)

settings.register_profile(
    "default", deadline=None, max_examples=3, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_configure(config: pytest.Config) -> None:
    """Declare a marker for each source."""
    for name in sources():
        config.addinivalue_line("markers", f"{name}: about this source")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests of each source, and start with the files that took longest in the last run of all tests."""
    cache = getattr(config, "cache", None)
    seconds = cache.get(CACHED, {}) if cache else {}
    items.sort(key=lambda item: -seconds.get(item.nodeid.partition("::")[0], 0.0))
    for item in items:
        if ROOT / "tests" / "sources" in item.path.parents and (source := source_of(item)) in sources():
            item.add_marker(source)


def source_of(item: pytest.Item) -> str:
    """Return the source of a test: that of its folder, else the first word of its parameters, if that is a source."""
    below = item.path.relative_to(ROOT / "tests" / "sources").parts
    return below[0] if len(below) > 1 else item.name.partition("[")[2].rstrip("]").partition("-")[0]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up how long each file takes."""
    SECONDS[report.nodeid.partition("::")[0]] += report.duration


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Store the tracer of coverage, which traces the imports of the project, then only tests and fixtures.

    The process that only distributes the tests has nothing to trace.
    """
    tracer = session.config.stash[TRACER] = sys.gettrace()
    if tracer and not session.config.pluginmanager.hasplugin("dsession"):
        for module in modules():
            with suppress(Exception):  # the tests of a source that cannot be imported report it
                import_module(module)
    sys.settrace(None)


def modules() -> Iterator[str]:
    """Yield the name of every module that coverage measures."""
    for room in ("parsers", "pipeline", "schemas"):
        yield room
        for file in sorted((ROOT / room).rglob("*.py")):
            yield ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@contextmanager
def traced_by(tracer: Any) -> Iterator[None]:
    """Use a tracer, or none, in this context."""
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        yield
    finally:
        sys.settrace(before)


def tracer_of(node: pytest.Item | pytest.Collector) -> Any:
    """Return the tracer for a test, or for a fixture of a file; None if that is marked as untraced."""
    return None if node.get_closest_marker("untraced") else node.config.stash[TRACER]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Turn off the tracer for pytest's own work around a test, which is far more than the code to trace."""
    with traced_by(None):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(request: pytest.FixtureRequest) -> Iterator[None]:
    """Trace fixtures."""
    with traced_by(tracer_of(request.node)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Trace all tests but those of hypothesis, which take more than twice as long under a tracer.

    The marker of pytest-cov does not help: in a worker of xdist another tracer continues where one stops.
    """
    with traced_by(None if is_hypothesis_test(pyfuncitem.obj) else tracer_of(pyfuncitem)):
        return (yield)


def pytest_collection_finish() -> None:
    """Exclude what lives until the end from garbage collection: modules and tests, some million objects."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Undo that: some libraries complain if they are not collected at the end. Store the seconds of a run of all."""
    gc.unfreeze()
    config = session.config
    is_all = (
        config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword + config.option.markexpr
    )
    if is_all and getattr(config, "cache", None) and not hasattr(config, "workerinput"):
        config.cache.set(CACHED, SECONDS)


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


@pytest.fixture(scope="module")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the Prefect server of the one file that needs it, with its own home, and yield the address of its API.

    Its database is in memory: with one in a file, parallel runs fail with "database is locked".
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
        # The tests need one scheduled run, not a hundred.
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
