"""The Prefect flows: same data as the direct command, red runs, names, artifacts, schedule, the run's own server."""

import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Status
from pipeline.publishing.runs import Exit, load_runs
from pipeline.publishing.swap import exclusive
from pipeline.raw.inventory import take_inventory
from pipeline.run.refresh import refresh
from tests.support import of_sources
from tests.support.flow_runs import (
    ROOT,
    Caller,
    Completed,
    ask,
    cancel,
    children_of,
    create_run,
    deployments,
    environment,
    files_of,
    has_scheduled,
    is_alive,
    logged,
    quick_start,
    request,
    run_on_a_terminal,
    runs_into,
    serving,
    state_of,
    wait_for,
)
from tests.support.helpers import data_of
from tests.support.sites import fill_here, site_of, table
from tests.support.sites import serving as serving_sites

NOWHERE = "http://127.0.0.1:9/api"
STAMP = r"-\d{8}T\d{6}Z"


@dataclass(frozen=True)
class Nights:
    """Two refreshes on a server, the second of which fetches, and the same two without Prefect.

    Before the second, one dump is corrupted, another is renamed, one page is gone, and a new one can be fetched.
    Between them, a served run is cancelled while it waits, and another one is due meanwhile.
    """

    server: str
    raw: Path
    out: Path
    spoilt: str
    renamed: str
    gone: str
    fetched: str
    told: list[str]
    told_of_cancelled: str
    ended: dict[str, tuple[str, str]]
    scheduled: bool
    waited: bool
    served: int
    first: Completed
    second: Completed
    data: tuple[dict[str, bytes], dict[str, bytes]]
    direct: tuple[dict[str, bytes], dict[str, bytes]]


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """Call flows in one process for the tests of this file."""
    caller = Caller(tmp_path_factory.mktemp("caller"))
    yield caller
    caller.close()


@pytest.fixture(scope="module")
def nights(prefect_server: str, caller: Caller, specimens: Path, tmp_path_factory: pytest.TempPathFactory) -> Nights:
    """Refresh twice: the second run has to wait for the lock of the out root.

    Dumps are read in the process of the run: ``test_spread`` covers the other engines.
    """
    folder = tmp_path_factory.mktemp("nights")
    raw, out, direct = folder / "raw", folder / "out", Settings(folder / "raw", folder / "direct")
    shutil.copytree(specimens, raw)
    dumps = take_inventory(raw, sources()).dumps
    spoilt, renamed = sorted(dumps)[:2]
    gone, fetched = [name for name in of_sources.fetched() if name not in {spoilt, renamed} and site_of(name).STEADY][
        :2
    ]
    file = folder / "sources.toml"
    hook = f'[notify]\ncommand = ["sh", "-c", "cat > {folder}/told"]\n'
    file.write_text(hook)

    options = ("--raw", raw, "--out", out, "--engine", "inline", "--config", file)
    env = {"PREFECT_RUNNER_POLL_FREQUENCY": "1", "PREFECT_LOGGING_TO_API_ENABLED": "false"}
    with serving(folder, *options, PREFECT_API_URL=prefect_server, **env, **quick_start(folder)) as process:
        caller.command(prefect_server, *options)
        refresh(direct, sources())
        first = caller.finish()
        wait_for(lambda: len(deployments(prefect_server, out)) == 3)
        scheduled = wait_for(lambda: has_scheduled(prefect_server, deployments(prefect_server, out)["nightly"]))
        with exclusive(Settings(raw, out)):
            stopped = create_run(prefect_server, out, "rerun", sources=[spoilt])
            state_of(prefect_server, stopped, {"RUNNING"})
            meanwhile = create_run(prefect_server, out, "rerun")
            ended = {"meanwhile": state_of(prefect_server, meanwhile, {"CANCELLED"})}
            cancel(prefect_server, stopped)
            ended["stopped"] = state_of(prefect_server, stopped, {"CANCELLED", "CRASHED"})
            wait_for(lambda: (folder / "told").exists() and (folder / "told").read_text())
        told_of_cancelled = (folder / "told").read_text()
    first_data, first_direct = data_of(out), data_of(direct.out)

    dumps[spoilt][0].file.write_text("nothing of the kind\n")
    moved = dumps[renamed][0].file
    moved.with_name(f"{moved.name}.meta.toml").rename(moved.with_name(f"again-{moved.name}.meta.toml"))
    moved.rename(moved.with_name(f"again-{moved.name}"))
    with serving_sites() as sites:
        tables = [table(sites, gone), fill_here(sites, fetched)]
        file.write_text("".join(['contact = "ann@fair.example"\n', *tables, "[site]\nbuild = true\n", hook]))
        with exclusive(Settings(raw, out)):
            caller.command(prefect_server, *options, "--fetch")
            waited = caller.says("waiting for it")
        second = caller.finish()
    told = (folder / "told").read_text().splitlines()
    refresh(direct, sources())
    return Nights(
        prefect_server,
        raw,
        out,
        spoilt,
        renamed,
        gone,
        fetched,
        told,
        told_of_cancelled,
        ended,
        scheduled,
        waited,
        process.returncode,
        first,
        second,
        (first_data, data_of(out)),
        (first_direct, data_of(direct.out)),
    )


@pytest.fixture(scope="module")
def embedded(specimens: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Completed]:
    """Refresh once on the run's own server."""
    folder = tmp_path_factory.mktemp("embedded")
    return folder, run_on_a_terminal(folder, "--raw", specimens, "--out", folder / "out", **quick_start(folder))


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


def test_flow_publishes_the_same_bytes_as_the_direct_command(nights: Nights) -> None:
    """The data files of a flow run are those of a direct refresh, byte for byte, also after a failure."""
    assert ({Path(path).stem for path in nights.data[0]}, nights.data) == (set(sources()), nights.direct)


def test_flow_ends_with_the_summary(embedded: tuple[Path, Completed]) -> None:
    """The standard output has a table of the sources and says where the dataset is, as with the direct command."""
    lines = embedded[1].stdout.splitlines()
    named = [line.split()[0] for line in lines if line.split()[1:2] == ["ok"]]
    assert (named, lines[-1].split(":")[0]) == (sorted(sources()), "dataset")


def test_exit_code_says_whether_anything_failed(embedded: tuple[Path, Completed], nights: Nights) -> None:
    """All good is 0, a bad dump is 1."""
    assert [done.returncode for done in (embedded[1], nights.first, nights.second)] == [0, 0, 1]


def test_a_run_that_is_due_meanwhile_is_cancelled(nights: Nights) -> None:
    """While a run of a deployment is active, another one does not start."""
    assert nights.ended["meanwhile"] == ("CANCELLED", "Deployment concurrency limit reached.")


def test_a_cancelled_run_says_so(nights: Nights) -> None:
    """Hooks of the configuration tell it, it holds no lock, and who serves it stops with code 0 when interrupted."""
    said = nights.told_of_cancelled.splitlines()[1]
    assert (nights.ended["stopped"][0], said[:18], nights.served) == ("CANCELLED", "failed: Cancelling", 0)


def test_run_turns_red_for_one_bad_source(nights: Nights) -> None:
    """A source whose dump is bad turns its own task and the refresh red; so does a page that is gone."""
    (run,) = [run for run in runs_into(nights.server, nights.out) if run["state_type"] == "FAILED"]
    assert re.sub(STAMP, "", run["name"]) == "refresh"
    expected = {(f"tables {name}", "FAILED" if name == nights.spoilt else "COMPLETED") for name in sources()}
    expected |= {(f"read {name}", "COMPLETED") for name in sources()}
    expected |= {(f"fetch {nights.gone}", "FAILED"), (f"fetch {nights.fetched}", "COMPLETED")}
    expected |= {("publish", "COMPLETED"), ("summary", "COMPLETED")}

    def found() -> set[tuple[str, str]]:
        tasks = ask(nights.server, "task_runs", flow_runs={"id": {"any_": [run["id"]]}})
        return {(task["name"], task["state_type"]) for task in tasks}

    assert wait_for(lambda: expected == found()), found()


def test_runs_are_in_the_log(nights: Nights) -> None:
    """Each flow run that holds the out root is one run in the log, with its sources and failures."""
    first, second = load_runs(nights.out)
    ends = [end for run in (first, second) if (end := run.end) is not None]
    assert [end.exit for end in ends] == [Exit.GOOD, Exit.RED]
    assert [[failure.split(":")[0] for failure in end.failures] for end in ends] == [[], [nights.gone]]
    assert [each.source for each in first.sources] == sorted(sources())
    assert [each.source for each in second.sources if each.status != Status.OK] == [nights.spoilt]


def test_a_flow_builds_the_pages(nights: Nights) -> None:
    """If the configuration asks for pages, the flow builds them; the page of the night names the failed source."""
    assert f"pages: {nights.out}/site/index.html" in nights.second.stdout.splitlines()
    assert nights.spoilt in (nights.out / "site" / "night.html").read_text()


def test_a_flow_that_fetches(nights: Nights, specimens: Path) -> None:
    """A new dump is fetched, read and published; a page that is gone makes the refresh red."""
    first, second = (files_of(data, nights.fetched, "sightings") for data in nights.data)
    before, after = (take_inventory(raw, sources()).dumps for raw in (specimens, nights.raw))
    new = [
        {dump.path for dump in after[name]} - {dump.path for dump in before[name]}
        for name in (nights.fetched, nights.gone)
    ]
    assert (bool(new[0]), new[1], first == second) == (True, set(), False)
    assert (nights.told[0][:30], nights.told[-1].split(":")[0]) == ("conspectus: the refresh is red", "next")


def test_failed_source_keeps_its_last_good_files(nights: Nights) -> None:
    """Records and sightings of the source that failed stay as they were."""
    first, second = (files_of(data, nights.spoilt, "parquet", "json", "sightings") for data in nights.data)
    assert (len(first), second) == (3, first)


def test_good_source_is_published_beside_a_failed_one(nights: Nights) -> None:
    """A source that read another file than before has new records, although another source failed."""
    first, second = (files_of(data, nights.renamed, "parquet", "json", "sightings") for data in nights.data)
    assert [path for path in first if first[path] == second[path]] == []


def test_second_run_says_that_it_waits(nights: Nights) -> None:
    """A run that finds the out root locked says so, waits, and then refreshes."""
    assert (nights.waited, nights.data[0] != nights.data[1]) == (True, True)


def test_flow_runs_are_named_by_source_and_start(nights: Nights) -> None:
    """Each run has a unique name of what it refreshes and when; flows have the version of the project."""
    runs = [run for run in runs_into(nights.server, nights.out) if run["state_type"] in {"COMPLETED", "FAILED"}]
    names = [run["name"] for run in runs]
    assert [re.sub(STAMP, "", name) for name in names] == ["refresh", "refresh"]
    assert (len(set(names)), {run["flow_version"] for run in runs}) == (2, {version("conspectus")})


def limit_of(deployment: dict[str, Any]) -> tuple[int, str]:
    """Return how many runs a deployment may have at once, and what becomes of another one."""
    return deployment["global_concurrency_limit"]["limit"], deployment["concurrency_options"]["collision_strategy"]


def newest_artifacts(server: str) -> dict[str, dict[str, Any]]:
    """Return the newest artifact of each key."""
    return {found["key"]: found for found in reversed(ask(server, "artifacts", sort="CREATED_DESC"))}


def test_artifact_shows_the_summary(nights: Nights) -> None:
    """The newest artifact is a table of the sources with how each came out, with the messages above it."""
    newest = newest_artifacts(nights.server)["refresh-summary"]
    shown = {row["source"]: row["status"].split(",")[0] for row in json.loads(newest["data"])}
    assert (newest["type"], shown) == ("table", dict.fromkeys(sources(), "ok") | {nights.spoilt: "failed"})
    assert f"- `failed: {nights.spoilt}/" in newest["description"]


def test_each_source_has_an_artifact(nights: Nights) -> None:
    """It is a table; for a failed source it gives the failed dump and the next step."""
    found = {key: artifact for key, artifact in newest_artifacts(nights.server).items() if key != "refresh-summary"}
    assert found.keys() == {f"source-{name.replace('_', '-')}" for name in sources()}
    told = {key: artifact["description"].splitlines()[0].split(",")[0] for key, artifact in found.items()}
    assert told == {
        f"source-{name.replace('_', '-')}": f"{name}: {'failed' if name == nights.spoilt else 'ok'}"
        for name in sources()
    }
    spoilt = found[f"source-{nights.spoilt.replace('_', '-')}"]["description"]
    assert re.search(
        rf"^- `red: {nights.spoilt}: .*^- `next: conspectus quarantine {nights.spoilt} ",
        spoilt,
        re.DOTALL | re.MULTILINE,
    )


def test_tables_are_assets(nights: Nights) -> None:
    """The published tables of each source are an asset, made of its dumps, with what was published."""
    found: dict[str, Any] = {}

    def events() -> set[str]:
        wanted = {"event": {"name": ["prefect.asset.materialization.succeeded"]}}
        for event in ask(nights.server, "events", filter=wanted, limit=50)["events"]:
            found.setdefault(event["resource"]["prefect.resource.id"], event)
        return {f"conspectus://dataset/{name}" for name in sources()} - found.keys()

    assert wait_for(lambda: not events()), events()
    event = found[f"conspectus://dataset/{nights.renamed}"]
    upstream = [each["prefect.resource.id"] for each in event["related"] if each["prefect.resource.role"] == "asset"]
    assert (upstream, sorted(event["payload"])) == ([f"conspectus://raw/{nights.renamed}"], ["records", "snapshot"])


def test_log_of_a_red_run(nights: Nights) -> None:
    """On the server each failure is an error; the summary is logged too, and its state says what is red."""
    (run,) = [run for run in runs_into(nights.server, nights.out) if run["state_type"] == "FAILED"]
    printed = nights.second.stdout.splitlines()
    failed = [line for line in printed if line.startswith("failed: ")]
    assert [line.split(":")[1].split("/")[0].strip() for line in failed] == [nights.gone, nights.spoilt]
    assert wait_for(lambda: set(failed) <= set(logged(nights.server, run, logging.ERROR)))
    last = {line for line in printed if line.startswith(("dataset: ", "next: "))}
    assert wait_for(lambda: last <= set(logged(nights.server, run, logging.INFO)))
    assert run["state"]["message"] == "; ".join(line[5:] for line in printed if line[:4] == "red:")


def test_served_deployments_describe_themselves(nights: Nights) -> None:
    """They have version, tag, schedule with zone and limit, and say what every parameter means."""
    found = deployments(nights.server, nights.out)
    schedules = {name: [each["schedule"] for each in one["schedules"]] for name, one in found.items()}
    assert {name: [(each["cron"], each["timezone"]) for each in those] for name, those in schedules.items()} == {
        "nightly": [("0 3 * * *", "UTC")],
        "audit": [("0 5 * * 0", "UTC")],
        "rerun": [],
    }
    limits = {limit_of(one) for one in found.values()}
    assert (limits, {one["version"] for one in found.values()}) == ({(1, "CANCEL_NEW")}, {version("conspectus")})
    schema = found["nightly"]["parameter_openapi_schema"]
    asked = [*schema["properties"].values(), *schema["definitions"]["Options"]["properties"].values()]
    assert [parameter for parameter in asked if not parameter.get("description")] == []


def test_the_form_lets_choose_known_sources(nights: Nights) -> None:
    """The sources are a choice; a run of one that is unknown, or with an unknown option, is never created."""
    rerun = deployments(nights.server, nights.out)["rerun"]
    assert rerun["parameter_openapi_schema"]["properties"]["sources"]["items"]["enum"] == [*sources()]
    for wrong in ({"sources": ["weather"]}, {"options": {"speed": 1}}, {"options": {"keep": 0}}):
        with pytest.raises(HTTPError, match=r"Conflict|Unprocessable"):
            create_run(nights.server, nights.out, "rerun", **wrong)


def test_nights_are_scheduled(nights: Nights) -> None:
    """The scheduler of the server creates the runs of a deployment: it does not with every SQLAlchemy."""
    assert nights.scheduled


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
    assert (done.returncode, {Path(path).stem for path in data_of(folder / "out")}) == (0, set(sources()))
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
    with exclusive(Settings(specimens, out)):
        caller.command(prefect_server, "--raw", specimens, "--out", out)
        assert caller.says("another run is active in")
        os.kill(caller.pid, signal.SIGINT)
        done = caller.finish()
    assert (done.returncode, done.stderr.splitlines()[-1]) == (130, "flows.py: stopped")


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux shows them")
def test_a_server_ends_with_its_run(caller: Caller, specimens: Path, tmp_path: Path) -> None:
    """The server dies when its flow run is killed. This test must be the last one: it ends ``caller``."""
    caller.command("", "--raw", specimens, "--out", tmp_path / "out")
    servers = wait_for(lambda: children_of(caller.pid, "uvicorn"))
    caller.close()
    assert wait_for(lambda: not any(map(is_alive, servers)))
    assert len(servers) == 1
