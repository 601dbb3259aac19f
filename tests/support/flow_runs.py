"""Runs ``flows.py``, as people do or many times in one process, and asks a Prefect server for the results."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from typing import Any, TypeVar
from urllib.error import URLError
from urllib.request import Request, urlopen

from tests.support.depth import is_deep

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
"""Seconds after which a test gives up waiting."""

# Garbage collection takes a fifth of the start of anything that imports Prefect. The eighty database migrations take
# half of the start of a server: it runs them only in ``make nightly``.
QUICK_START = """
import gc, sys
gc.disable()
if "uvicorn" in sys.orig_argv:
    from prefect.server.database.interface import PrefectDBInterface

    async def create_db(self):
        for table in self.Base.metadata.tables.values():  # some declare an index twice
            table.indexes = {index.name: index for index in table.indexes}.values()
        async with (await self.engine()).begin() as connection:
            await connection.run_sync(self.Base.metadata.create_all)

    PrefectDBInterface.create_db = create_db
"""

Found = TypeVar("Found")
Process = subprocess.Popen[str]
Completed = subprocess.CompletedProcess[str]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return an environment without local settings, with home and temporary folder below ``folder``."""
    own = {name: str(make_folder(folder / name.lower())) for name in ("HOME", "TMPDIR")}
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "CONSPECTUS_"))}
    return {**clean, **own, **more}


def quick_start(folder: Path) -> dict[str, str]:
    """Return an environment in which Prefect starts faster: a server creates its tables without migrations."""
    if is_deep():
        return {}
    site = make_folder(folder / "site")
    (site / "sitecustomize.py").write_text(QUICK_START)
    return {"PYTHONPATH": str(site)}


def make_folder(folder: Path) -> Path:
    """Create a folder if there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def start(folder: Path, *arguments: str | Path, **more: str) -> Process:
    """Start ``flows.py`` in an empty working directory below ``folder``."""
    return start_printing(subprocess.PIPE, folder, *arguments, **more)


def start_printing(to: int, folder: Path, /, *arguments: str | Path, **more: str) -> Process:
    """Start it with a standard output of its own."""
    return subprocess.Popen(
        [sys.executable, ROOT / "flows.py", *arguments],
        cwd=make_folder(folder / "work"),
        env=environment(folder, **more),
        stdout=to,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: Process) -> Completed:
    """Wait for a process and return what it printed."""
    out, err = process.communicate(timeout=PATIENCE)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def run_on_a_terminal(folder: Path, *arguments: str | Path, **more: str) -> Completed:
    """Run ``flows.py`` with a terminal as its standard output, which keeps the few lines of a summary to the end."""
    ours, its = os.openpty()
    process = start_printing(its, folder, *arguments, **more)
    os.close(its)
    done = finish(process)
    printed = b""
    with suppress(OSError):  # how a terminal ends on Linux
        while part := os.read(ours, 1 << 16):
            printed += part
    os.close(ours)
    done.stdout = printed.decode()
    return done


@contextmanager
def serving(folder: Path, *arguments: str | Path, **more: str) -> Iterator[Process]:
    """Run ``flows.py serve`` in this context, then interrupt it as from a keyboard."""
    process = start(folder, "serve", *arguments, **more)
    try:
        yield process
        process.send_signal(signal.SIGINT)
        finish(process)
    finally:
        process.kill()


def wait_for(find: Callable[[], Found], pause: float = 0.3) -> Found:
    """Call ``find`` until it returns something true, or time is up; return its last result."""
    end = time.monotonic() + PATIENCE
    while not (found := find()) and time.monotonic() < end:
        time.sleep(pause)
    return found


def is_alive(process: int) -> bool:
    """True if a process exists and is not a zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def children_of(process: int, word: str) -> list[int]:
    """Return the children of a process whose command contains a word."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    commands = {int(each): Path(f"/proc/{each}/cmdline").read_bytes() for each in children}
    return [child for child, command in commands.items() if word.encode() in command]


class Caller:
    """Calls functions of ``flows`` one after another in one separate process: importing Prefect takes seconds."""

    PROGRAM = """
import contextlib, gc, io, json, os, sys
gc.disable()  # while so much is imported
import flows, prefect.settings
gc.freeze()
gc.enable()
for line in sys.stdin:
    server, name, *arguments = json.loads(line)
    os.environ["PREFECT_API_URL"] = server
    settings = {"api.url": server or None, "flows.heartbeat_frequency": None}
    with prefect.settings.temporary_settings(settings), contextlib.redirect_stdout(io.StringIO()) as said:
        returned = getattr(flows, name)(*arguments)
    print(json.dumps([returned if isinstance(returned, int) else None, said.getvalue()]), flush=True)
"""

    def __init__(self, folder: Path) -> None:
        """Start in an empty working directory below ``folder``."""
        self._errors = folder / "errors"
        self._read = 0
        self._process = subprocess.Popen(
            [sys.executable, "-c", self.PROGRAM],
            cwd=make_folder(folder / "work"),
            env=environment(folder, PYTHONPATH=str(ROOT), PREFECT_LOGGING_TO_API_BATCH_INTERVAL="0.1"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors.open("w"),
            text=True,
        )

    def call(self, server: str, name: str, *arguments: object) -> None:
        """Start calling a function, with the address of a Prefect server; empty for none."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([server, name, *arguments]) + "\n")
        self._process.stdin.flush()

    def command(self, server: str, *arguments: str | Path) -> None:
        """Start calling ``main`` as the command line does."""
        self.call(server, "main", [str(each) for each in arguments])

    def said(self) -> str:
        """Return the standard error of this call so far."""
        return self._errors.read_text()[self._read :]

    def says(self, words: str) -> bool:
        """Wait for these words on the standard error; True if they appear."""
        return wait_for(lambda: words in self.said())

    def finish(self) -> Completed:
        """Wait for the end of a call; the return code is the function's result if that is an integer."""
        answer = self._process.stdout
        assert answer is not None
        line = answer.readline() if select([answer], [], [], PATIENCE)[0] else ""
        assert line, self.said()
        code, out = json.loads(line)
        done = subprocess.CompletedProcess(self._process.args, code, out, self.said())
        self._read += len(done.stderr)
        return done

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def close(self) -> None:
        """End the process."""
        with self._process:
            self._process.kill()


def answers(address: str) -> bool:
    """True if a server answers at an address."""
    try:
        with urlopen(address, timeout=PATIENCE):  # noqa: S310  # a server of the tests
            return True
    except URLError:
        return False


def request(server: str, what: str, **body: Any) -> Any:
    """Post to a server's API and return its answer. Raises ``HTTPError`` where it refuses."""
    asked = Request(f"{server}/{what}", json.dumps(body).encode(), {"Content-Type": "application/json"})  # noqa: S310
    with urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310  # a server of the tests
        return json.load(answer)


def ask(server: str, what: str, **query: Any) -> Any:
    """Ask a server's API for artifacts, deployments, events, flow runs, logs or task runs."""
    return request(server, f"{what}/filter", **query)


def deployments(server: str, out: Path) -> dict[str, dict[str, Any]]:
    """Return the deployments for an out root by their names."""
    found = ask(server, "deployments")
    return {each["name"]: each for each in found if each["parameters"].get("options", {}).get("out") == str(out)}


def create_run(server: str, out: Path, name: str, **parameters: Any) -> str:
    """Create a run of a deployment, due now, and return its id. Raises ``HTTPError`` for invalid parameters."""
    deployment = deployments(server, out)[name]["id"]
    return str(request(server, f"deployments/{deployment}/create_flow_run", parameters=parameters)["id"])


def state_of(server: str, run: str, wanted: set[str]) -> tuple[str, str]:
    """Wait for a run to be in one of some states; return its state and the message."""

    def state() -> dict[str, Any]:
        (found,) = ask(server, "flow_runs", flow_runs={"id": {"any_": [run]}})
        return dict(found["state"])

    wait_for(lambda: state()["type"] in wanted)
    return state()["type"], state()["message"]


def cancel(server: str, run: str) -> None:
    """Cancel a run, as a person does."""
    request(server, f"flow_runs/{run}/set_state", state={"type": "CANCELLING"})


def has_scheduled(server: str, deployment: dict[str, Any]) -> bool:
    """True if the scheduler of a server has created runs of a deployment."""
    runs = {"state": {"type": {"any_": ["SCHEDULED"]}}}
    return bool(ask(server, "flow_runs", deployments={"id": {"any_": [deployment["id"]]}}, flow_runs=runs))


def runs_into(server: str, out: Path) -> list[dict[str, Any]]:
    """Return the started flow runs for an out root, in order of their start."""
    runs = ask(server, "flow_runs", sort="START_TIME_ASC")
    return [run for run in runs if run["parameters"]["options"].get("out") == str(out) and run["start_time"]]


def logged(server: str, run: dict[str, Any], level: int) -> list[str]:
    """Return the log messages of a flow run and its tasks, from a level on."""
    found = ask(server, "logs", logs={"flow_run_id": {"any_": [run["id"]]}}, sort="TIMESTAMP_ASC")
    return [line["message"] for line in found if line["level"] >= level]


def files_of(published_files: dict[str, bytes], source: str, *folders: str) -> dict[str, bytes]:
    """Return the data files of one source in the given folders."""
    return {
        path: data
        for path, data in published_files.items()
        if Path(path).stem == source and path.split("/")[0] in folders
    }


def limit_of(deployment: dict[str, Any]) -> tuple[int, str]:
    """Return how many runs a deployment may have at once, and what becomes of another one."""
    return deployment["global_concurrency_limit"]["limit"], deployment["concurrency_options"]["collision_strategy"]
