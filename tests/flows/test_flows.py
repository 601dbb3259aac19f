"""The Prefect flow, a run at a time: the run's own server, deployments by a file, mistakes, retries, stops."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.publishing.lock import lock_out_root
from pipeline.raw.inventory import take_inventory
from tests.support.depth import sample
from tests.support.flow_runs import (
    ROOT,
    Caller,
    Completed,
    ask,
    children_of,
    environment,
    is_alive,
    limit_of,
    quick_start,
    request,
    run_on_a_terminal,
    wait_for,
)
from tests.support.helpers import data_of

NOWHERE = "http://127.0.0.1:9/api"


def names() -> list[str]:
    """Return the sources of the run on its own server."""
    return [*sample(sorted(sources()), 4)]


@pytest.fixture(scope="module")
def embedded(specimens: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Completed]:
    """Refresh some sources once on the run's own server, in ``make nightly`` all."""
    folder = tmp_path_factory.mktemp("embedded")
    return folder, run_on_a_terminal(
        folder, *names(), "--raw", specimens, "--out", folder / "out", **quick_start(folder)
    )


@pytest.fixture(scope="module")
def mistaken(caller: Caller, specimens: Path) -> Callable[[str], tuple[int, str]]:
    """Return a function that runs a wrong command and returns its exit code and message."""
    raw = ["--raw", str(specimens)]
    commands = {
        "unknown source": ["weather", *raw],
        "no raw root": ["--raw", "nowhere"],
        "out root is a file": [*raw, "--out", __file__],
        "bad cron": ["serve", *raw, "--cron", "0 3 * *"],
        "bad time zone": ["serve", *raw, "--timezone", "Atlantis"],
        "nothing to fetch": [*raw, "--fetch", "--config", os.devnull],
        "no answer": raw,
        "serving without a server": ["serve", *raw],
    }

    def give(mistake: str) -> tuple[int, str]:
        caller.command(
            "" if mistake in {"serving without a server", "out root is a file"} else NOWHERE, *commands[mistake]
        )
        done = caller.finish()
        return done.returncode, done.stderr

    return give


def test_flow_ends_with_the_summary(embedded: tuple[Path, Completed]) -> None:
    """The standard output has a table of the sources and says where the dataset is, as with the direct command."""
    lines = embedded[1].stdout.splitlines()
    named = [line.split()[0] for line in lines if line.split()[1:2] == ["ok"]]
    assert (named, lines[-1].split(":")[0]) == (names(), "dataset")


@pytest.mark.skipif(version("fastapi") >= "0.151", reason="newer than the pin: the server refuses what `deploy` asks")
def test_deploying_by_prefect_yaml(prefect_server: str, tmp_path: Path) -> None:
    """All deployments of the file are created: for one run at a time, by a worker that has the package installed."""
    env = environment(tmp_path, PREFECT_API_URL=prefect_server)
    request(prefect_server, "work_pools/", name="conspectus", type="process")
    command = [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = [each for each in ask(prefect_server, "deployments") if each["work_pool_name"] == "conspectus"]
    assert {
        each["name"]: [(plan["schedule"]["cron"], plan["schedule"]["timezone"]) for plan in each["schedules"]]
        for each in found
    } == {"nightly": [("0 3 * * *", "UTC")], "audit": [("0 5 * * 0", "UTC")], "rerun": []}
    assert {(each["entrypoint"], str(each["pull_steps"]), limit_of(each)) for each in found} == {
        ("flows.refresh", "[]", (1, "CANCEL_NEW"))
    }


def test_prefect_yaml_names_neither_paths_nor_addresses() -> None:
    """It works on any machine: paths are those of the worker's environment."""
    text = re.sub(r"#.*", "", (ROOT / "prefect.yaml").read_text())
    assert re.findall(r"[/\\]|\w+\.(?:com|org|io)\b|localhost|\d+\.\d+\.", text) == []


def test_a_run_that_cannot_be_done_says_so(prefect_server: str, caller: Caller, tmp_path: Path) -> None:
    """There is nothing to publish: an error of the run without a traceback, nothing is tried again."""
    raw = tmp_path / "raw"
    raw.mkdir()
    caller.command(prefect_server, min(sources()), "--raw", raw, "--out", tmp_path / "out")
    done = caller.finish()
    said = [line for line in done.stderr.splitlines() if " - failed: nothing to publish" in line]
    assert (done.returncode, len(said), "ERROR" in said[0]) == (1, 1, True)
    assert [word for word in ("Traceback", "Retry") if word in done.stderr] == []


def test_source_alone_is_published_when_its_file_can_be_read_at_last(
    prefect_server: str, caller: Caller, specimens: Path, tmp_path: Path
) -> None:
    """One source is refreshed alone; a file that cannot be read is tried again."""
    raw, out, name = tmp_path / "raw", tmp_path / "out", min(sources())
    dump = take_inventory(specimens, sources()).dumps[name][0]
    late = raw / dump.path
    late.parent.mkdir(parents=True)
    late.symlink_to(raw / "nowhere")
    caller.command(prefect_server, name, "--raw", raw, "--out", out)
    tried = caller.says("Retry 1/2")
    shutil.copy(dump.file, tmp_path / "there")
    (tmp_path / "there").replace(late)
    caller.finish()
    assert (tried, {Path(path).stem for path in data_of(out)}) == (True, {name})


def test_own_server_needs_nothing(embedded: tuple[Path, Completed]) -> None:
    """Without a configured server a refresh runs on its own, and says what it waits for."""
    folder, done = embedded
    assert (done.returncode, {Path(path).stem for path in data_of(folder / "out")}) == (0, set(names()))
    assert done.stderr.startswith("starting a Prefect server for this run, about ten seconds\n")


def test_clean_run_prints_no_trouble(embedded: tuple[Path, Completed]) -> None:
    """In a clean run on its own server Prefect prints no error, warning or traceback."""
    _, done = embedded
    assert re.findall(r"(?i).*(?:error|traceback|warning).*", done.stdout + done.stderr) == []


def test_own_server_leaves_nothing_outside_the_out_root(embedded: tuple[Path, Completed]) -> None:
    """Nothing is written to the working directory or the temporary folder; to the user's home what an import writes."""
    folder, _ = embedded
    written = [file for name in ("home", "work", "tmpdir") for file in (folder / name).rglob("*") if file.is_file()]
    assert {file.parent.relative_to(folder) for file in written} <= {Path("home/.prefect/.sdk_telemetry")}
    assert (folder / "out" / ".prefect").is_dir()


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        ("unknown source", "no such source: weather"),
        ("no raw root", "no raw root: "),
        ("out root is a file", "expected a writable out root"),
        ("bad cron", "--cron must be five fields such as 0 3 * * *, not 0 3 * *"),
        ("bad time zone", "--timezone must be an IANA name such as Europe/Berlin, not Atlantis"),
        ("nothing to fetch", "expected something to fetch for "),
        ("no answer", f"expected a running Prefect server, none answers at {NOWHERE}"),
    ],
)
def test_mistake_in_the_command_exits_2(mistaken: Callable[[str], tuple[int, str]], mistake: str, message: str) -> None:
    """A command that cannot be carried out exits 2 and says what is wrong."""
    code, said = mistaken(mistake)
    assert (code, message in said) == (2, True)


def test_serving_without_a_server_names_the_two_commands(mistaken: Callable[[str], tuple[int, str]]) -> None:
    """Serving needs a permanent server: without one it exits 2 and prints the two commands to start it."""
    code, said = mistaken("serving without a server")
    two_commands = ["  prefect server start", "  PREFECT_API_URL=http://127.0.0.1:4200/api python flows.py serve"]
    assert (code, said.splitlines()[1:]) == (2, two_commands)


def test_a_run_that_is_stopped(prefect_server: str, caller: Caller, specimens: Path, tmp_path: Path) -> None:
    """Ctrl-C exits with 130; the last line says so."""
    out = tmp_path / "out"
    with lock_out_root(Settings(specimens, out)):
        caller.command(prefect_server, "--raw", specimens, "--out", out)
        assert caller.says("another run is active in")
        os.kill(caller.pid, signal.SIGINT)
        done = caller.finish()
    assert (done.returncode, done.stderr.splitlines()[-1]) == (130, "flows.py: stopped")


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux shows them")
def test_a_server_ends_with_its_run(specimens: Path, tmp_path: Path) -> None:
    """The server dies when its flow run is killed."""
    caller = Caller(tmp_path)
    caller.command("", "--raw", specimens, "--out", tmp_path / "out")
    servers = wait_for(lambda: children_of(caller.pid, "uvicorn"))
    caller.close()
    assert wait_for(lambda: not any(map(is_alive, servers)))
    assert len(servers) == 1
