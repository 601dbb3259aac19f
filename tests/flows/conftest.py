"""For the tests of flows: a Prefect server, and a process that has imported Prefect."""

import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pipeline.base.cores import one_core
from tests.support.flow_runs import PATIENCE, Caller, answers, environment, quick_start, wait_for

# Services that the test server does not need: each would look at every event of every run.
UNNEEDED = "cancellation_cleanup cleanup_reconciler foreman late_runs pause_expirations repossessor triggers"


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """Call flows in one process for the tests of a file."""
    caller = Caller(tmp_path_factory.mktemp("caller"))
    yield caller
    caller.close()


@pytest.fixture(scope="module")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a Prefect server for the tests of a file, with its own home, and yield the address of its API.

    Deployments of one name replace each other, and the newest run is the newest of all: files do not share a server.
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
