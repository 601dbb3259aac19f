"""The Prefect flows: same data as the direct command, red runs, names, artifacts, schedule, the run's own server."""

import logging
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

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
    children_of,
    files_of,
    is_alive,
    logged,
    quick_start,
    run_on_a_terminal,
    runs_into,
    serving,
    states,
    wait_for,
)
from tests.support.helpers import data_of
from tests.support.sites import fill_here, site_of, table
from tests.support.sites import serving as serving_sites

NOWHERE = "http://127.0.0.1:9/api"
STAMP = r"-\d{8}T\d{6}Z"


@dataclass(frozen=True)
class Nights:
    """Two refreshes on a server, a scheduled one and one that fetches, and the same two without Prefect.

    Before the second, one dump is corrupted, another is renamed, one page is gone, and a new one can be fetched.
    """

    server: str
    raw: Path
    out: Path
    spoilt: str
    renamed: str
    gone: str
    fetched: str
    told: list[str]
    waited: bool
    served: int
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
    """Refresh twice: the first run is on schedule, the second has to wait for the lock of the out root.

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

    options = ("--interval", "15", "--raw", raw, "--out", out, "--engine", "inline")
    env = {"PREFECT_RUNNER_POLL_FREQUENCY": "1", "PREFECT_LOGGING_TO_API_ENABLED": "false"}
    with serving(folder, *options, PREFECT_API_URL=prefect_server, **env, **quick_start(folder)) as process:
        refresh(direct, sources())
        first_direct = data_of(direct.out)
        assert wait_for(lambda: "COMPLETED" in states(prefect_server, out, "refresh"), pause=1.0)
    first_data = data_of(out)

    dumps[spoilt][0].file.write_text("nothing of the kind\n")
    file = dumps[renamed][0].file
    file.with_name(f"{file.name}.meta.toml").rename(file.with_name(f"again-{file.name}.meta.toml"))
    file.rename(file.with_name(f"again-{file.name}"))
    file = folder / "sources.toml"
    hook = f'[site]\nbuild = true\n[notify]\ncommand = ["sh", "-c", "cat > {folder}/told"]\n'
    with serving_sites() as sites:
        tables = [table(sites, gone), fill_here(sites, fetched)]
        file.write_text("".join(['contact = "ann@fair.example"\n', *tables, hook]))
        with exclusive(Settings(raw, out)):
            caller.command(prefect_server, *options[2:], "--fetch", "--config", file)
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
        waited,
        process.returncode,
        second,
        (first_data, data_of(out)),
        (first_direct, data_of(direct.out)),
    )


@pytest.fixture(scope="module")
def embedded(specimens: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Completed]:
    """Refresh once on the run's own server; the user's Prefect profile and proxy point nowhere."""
    folder = tmp_path_factory.mktemp("embedded")
    profiles = folder / "home" / ".prefect" / "profiles.toml"
    profiles.parent.mkdir(parents=True)
    profiles.write_text(f'active = "away"\n[profiles.away]\nPREFECT_API_URL = "{NOWHERE}"\n')
    env = {"HTTP_PROXY": NOWHERE, **quick_start(folder)}
    return folder, run_on_a_terminal(folder, "--raw", specimens, "--out", folder / "out", **env)


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
        "bad interval": ["serve", *raw, "--interval", "0"],
        "nothing to fetch": [*raw, "--fetch", "--config", os.devnull],
        "no answer": raw,
        "serving without a server": ["serve", *raw],
    }

    def give(mistake: str) -> tuple[int, str]:
        caller.command("" if mistake == "serving without a server" else NOWHERE, *commands[mistake])
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
    assert (embedded[1].returncode, nights.second.returncode) == (0, 1)


def test_served_flow_runs_on_schedule(nights: Nights) -> None:
    """A served flow starts by itself, completes, publishes, and stops with code 0 when interrupted."""
    assert (nights.served, {Path(path).stem for path in nights.data[0]}) == (0, set(sources()))


def test_run_turns_red_for_one_bad_source(nights: Nights) -> None:
    """A source whose dump is bad or whose page is gone turns its own run and the refresh red, but no other run."""
    ends = {what: states(nights.server, nights.out, what) for what in ("refresh", *sources())}
    red = {"refresh", nights.spoilt, nights.gone}
    assert ends == {what: ["COMPLETED", "FAILED" if what in red else "COMPLETED"] for what in ends}


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
    runs = runs_into(nights.server, nights.out)
    names = [run["name"] for run in runs]
    assert {re.sub(STAMP, "", name) for name in names} == {"refresh", *sources()}
    assert len(set(names)) == len(names) == 2 * (1 + len(sources()))
    assert {run["flow_version"] for run in runs} == {version("conspectus")}


def test_task_runs_are_named_by_source_and_failed_dump(nights: Nights) -> None:
    """One task reads each source; a dump that failed is a red task run named after it."""
    (spoilt,) = take_inventory(nights.raw, sources()).dumps[nights.spoilt]
    expected = {(f"{what} {name}", "COMPLETED") for name in sources() for what in ("plan", "read")}
    expected |= {(f"read {spoilt.path}", "FAILED")}

    def found() -> set[tuple[str, str]]:
        runs = {(run["name"], run["state_type"]) for run in ask(nights.server, "task_runs")}
        return {run for run in runs if run[0].startswith(("plan ", "read "))}

    assert wait_for(lambda: expected <= found())
    assert expected == found()


def newest_artifacts(server: str) -> dict[str, dict[str, Any]]:
    """Return the newest artifact of each key."""
    return {found["key"]: found for found in reversed(ask(server, "artifacts", sort="CREATED_DESC"))}


def test_artifact_shows_the_summary(nights: Nights) -> None:
    """The newest artifact is a table of the sources with how each came out."""
    newest = newest_artifacts(nights.server)["refresh-summary"]
    rows = [line.split(" | ") for line in newest["data"].splitlines() if line.startswith("| ")]
    shown = {row[0].removeprefix("| "): row[1] for row in rows[2:]}
    assert {name: status.split(",")[0] for name, status in shown.items()} == (
        dict.fromkeys(sources(), "ok") | {nights.spoilt: "failed"}
    )


def test_each_source_has_an_artifact(nights: Nights) -> None:
    """It belongs to the run of its source; for a failed one it gives the failed dump and the next step."""
    found = {key: artifact for key, artifact in newest_artifacts(nights.server).items() if key != "refresh-summary"}
    assert found.keys() == {f"source-{name.replace('_', '-')}" for name in sources()}
    runs = {run["id"]: re.sub(STAMP, "", run["name"]) for run in runs_into(nights.server, nights.out)}
    told = {runs[artifact["flow_run_id"]]: artifact["description"] for artifact in found.values()}
    assert told == {name: f"{name}: {'failed' if name == nights.spoilt else 'ok'}" for name in sources()}
    spoilt = found[f"source-{nights.spoilt.replace('_', '-')}"]["data"]
    assert re.search(
        rf"^- `red: {nights.spoilt}: .*^- `next: conspectus quarantine {nights.spoilt} ",
        spoilt,
        re.DOTALL | re.MULTILINE,
    )


def test_log_of_a_red_run(nights: Nights) -> None:
    """On the server each failure is one error of the refresh and one of its source; the summary is logged too.

    The terminal has the summary once, on standard output.
    """
    runs = {re.sub(STAMP, "", run["name"]): run for run in runs_into(nights.server, nights.out)}  # the second ones
    assert wait_for(lambda: logged(nights.server, runs["refresh"], logging.ERROR))
    errors = {name: logged(nights.server, run, logging.ERROR) for name, run in runs.items()}
    printed = nights.second.stdout.splitlines()
    assert errors == {name: list[str]() for name in sources()} | {
        "refresh": [line for line in printed if line.startswith("failed: ")],
        nights.gone: [printed[0]],
        nights.spoilt: [printed[1]],
    }
    assert len(errors["refresh"]) == 2
    everything = logged(nights.server, runs["refresh"], logging.INFO)
    table = 1 + len(sources())  # its rows are lines of names and values in the log
    unlogged = [line for line in printed if line not in everything]
    assert unlogged[table:] == [line for line in printed if line[:4] == "red:" or line.startswith("pages: ")]
    causes = [line.removeprefix("failed: ") for line in errors["refresh"]]
    assert [nights.second.stderr.count(cause) for cause in causes] == [1, 0]  # a fetch tells each page as it goes
    assert runs["refresh"]["state"]["message"] == "; ".join(line[5:] for line in printed if line[:4] == "red:")


def test_served_flow_describes_itself(nights: Nights) -> None:
    """Its deployment has the version and a tag, and says what every parameter means."""
    (found,) = [each for each in ask(nights.server, "deployments") if each["parameters"]["out"] == str(nights.out)]
    told = {
        name: bool(each.get("description")) for name, each in found["parameter_openapi_schema"]["properties"].items()
    }
    assert (found["name"], found["version"], found["tags"]) == ("nightly", version("conspectus"), ["conspectus"])
    names = ("sources", "raw", "out", "keep", "config", "fetching", "engine", "audit")
    assert (told, str(nights.out) in found["description"]) == (dict.fromkeys(names, True), True)


def test_a_run_that_cannot_be_done_says_so_once(prefect_server: str, caller: Caller, tmp_path: Path) -> None:
    """There is nothing to publish: one line, no traceback, nothing is tried again."""
    raw = tmp_path / "raw"
    raw.mkdir()
    caller.command(prefect_server, min(sources()), "--raw", raw, "--out", tmp_path / "out")
    done = caller.finish()
    said = [line for line in done.stderr.splitlines() if "nothing to publish" in line]
    assert (done.returncode, len(said), "ERROR" in said[0]) == (1, 1, True)
    assert [word for word in ("Traceback", "Retry") if word in done.stderr] == []


def test_source_alone_is_published_when_its_file_can_be_read_at_last(
    prefect_server: str, caller: Caller, specimens: Path, tmp_path: Path
) -> None:
    """The flow of one source publishes by itself; a file that cannot be read is tried again."""
    raw, out, name = tmp_path / "raw", tmp_path / "out", min(sources())
    dump = take_inventory(specimens, sources()).dumps[name][0]
    late = raw / dump.path
    late.parent.mkdir(parents=True)
    late.symlink_to(raw / "late")
    caller.call(prefect_server, "refresh_source", name, str(raw), str(out))
    tried = caller.says("Retry 1/2")
    shutil.copy(dump.file, raw / "late")
    caller.finish()
    assert (tried, {Path(path).stem for path in data_of(out)}) == (True, {name})


def test_own_server_needs_nothing(embedded: tuple[Path, Completed]) -> None:
    """Without a configured server a refresh runs on its own, whatever Prefect profile and proxy say."""
    folder, done = embedded
    assert (done.returncode, {Path(path).stem for path in data_of(folder / "out")}) == (0, set(sources()))


def test_clean_run_prints_no_trouble(embedded: tuple[Path, Completed]) -> None:
    """In a clean run on its own server Prefect prints no error, warning or traceback."""
    _, done = embedded
    assert re.findall(r"(?i).*(?:error|traceback|warning).*", done.stdout + done.stderr) == []


def test_own_server_leaves_nothing_outside_the_out_root(embedded: tuple[Path, Completed]) -> None:
    """Nothing is written to the user's home, the working directory, the temporary folder; on a terminal to the code."""
    folder, _ = embedded
    written = [file.relative_to(folder) for name in ("home", "work", "tmpdir") for file in (folder / name).rglob("*")]
    assert written == [Path("home/.prefect"), Path("home/.prefect/profiles.toml")]
    assert not (ROOT / ".sdk_telemetry").exists()


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        ("unknown source", "no such source: weather"),
        ("no raw root", "no raw root: "),
        ("out root is a file", "expected a writable out root"),
        ("bad cron", "--cron must be five fields such as 0 3 * * *, not 0 3 * *"),
        ("bad time zone", "--timezone must be an IANA name such as Europe/Berlin, not Atlantis"),
        ("bad interval", "--interval must be 1 second or more, not 0"),
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
    """Ctrl-C prints one line and exits 130, without Prefect's crash log."""
    out = tmp_path / "out"
    with exclusive(Settings(specimens, out)):
        caller.command(prefect_server, "--raw", specimens, "--out", out)
        assert caller.says("another run is active in")
        os.kill(caller.pid, signal.SIGINT)
        done = caller.finish()
    last = done.stderr.partition("waiting for it to finish\n")[2]
    assert (done.returncode, last) == (130, "flows.py: stopped\n")


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux shows them")
def test_a_server_ends_with_its_run(caller: Caller, specimens: Path, tmp_path: Path) -> None:
    """The server dies when its flow run is killed. This test must be the last one: it ends ``caller``."""
    caller.command("", "--quiet", "--raw", specimens, "--out", tmp_path / "out")
    servers = wait_for(lambda: children_of(caller.pid, "uvicorn"))
    caller.close()
    assert wait_for(lambda: not any(map(is_alive, servers)))
    assert len(servers) == 1
