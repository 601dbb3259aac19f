"""Nights on a Prefect server, served and by hand: red runs, names, artifacts, assets, schedule, what is told."""

import json
import logging
import re
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Status
from pipeline.publishing.lock import lock_out_root
from pipeline.publishing.runs import Exit, load_runs
from pipeline.raw.inventory import take_inventory
from pipeline.run.refresh import refresh
from tests.support import of_sources
from tests.support.depth import sample
from tests.support.flow_runs import (
    Caller,
    Completed,
    ask,
    cancel,
    create_run,
    deployments,
    files_of,
    has_scheduled,
    limit_of,
    logged,
    quick_start,
    runs_into,
    serving,
    state_of,
    wait_for,
)
from tests.support.helpers import data_of
from tests.support.sites import fill_here, site_of, table
from tests.support.sites import serving as serving_sites

DONE = {Status.OK, Status.ABSENT}
STAMP = r"-\d{8}T\d{6}Z"


@dataclass(frozen=True)
class Nights:
    """Two refreshes on a server, the second of which fetches, and the same two without Prefect.

    They have some of the sources (``names``), in ``make nightly`` all.
    Before the second, one dump is corrupted, another is renamed, one page is gone, and a new one can be fetched.
    Between them, a served run is cancelled while it waits, and another one is due meanwhile.
    """

    server: str
    names: list[str]
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
def nights(prefect_server: str, caller: Caller, specimens: Path, tmp_path_factory: pytest.TempPathFactory) -> Nights:
    """Refresh twice: the second run has to wait for the lock of the out root.

    Dumps are read in the process of the run: ``test_spread`` covers the other engines.
    """
    folder = tmp_path_factory.mktemp("nights")
    raw, out, direct = folder / "raw", folder / "out", Settings(folder / "raw", folder / "direct")
    dumps = take_inventory(specimens, sources()).dumps
    spoilt, renamed = sorted(dumps)[:2]
    gone, fetched = [name for name in of_sources.fetched() if name not in {spoilt, renamed} and site_of(name).STEADY][
        :2
    ]
    names = sorted({spoilt, renamed, gone, fetched, *sample(sorted(dumps), 5)})
    for name in names:
        shutil.copytree(specimens / name, raw / name)
    dumps = take_inventory(raw, sources()).dumps
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
        with lock_out_root(Settings(raw, out)):
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
        with lock_out_root(Settings(raw, out)):
            caller.command(prefect_server, *options, "--fetch")
            waited = caller.says("waiting for it")
        second = caller.finish()
    told = (folder / "told").read_text().splitlines()
    refresh(direct, sources())
    return Nights(
        prefect_server,
        names,
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


def test_flow_publishes_the_same_bytes_as_the_direct_command(nights: Nights) -> None:
    """The data files of a flow run are those of a direct refresh, byte for byte, also after a failure."""
    assert ({Path(path).stem for path in nights.data[0]}, nights.data) == (set(nights.names), nights.direct)


def test_exit_code_says_whether_anything_failed(nights: Nights) -> None:
    """All good is 0, a bad dump is 1."""
    assert [done.returncode for done in (nights.first, nights.second)] == [0, 1]


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
    expected = {(f"tables {name}", "FAILED" if name == nights.spoilt else "COMPLETED") for name in nights.names}
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
    assert [each.source for each in second.sources if each.status not in DONE] == [nights.spoilt]


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


def newest_artifacts(server: str) -> dict[str, dict[str, Any]]:
    """Return the newest artifact of each key."""
    return {found["key"]: found for found in reversed(ask(server, "artifacts", sort="CREATED_DESC"))}


def test_artifact_shows_the_summary(nights: Nights) -> None:
    """The newest artifact is a table of the sources with how each came out, with the messages above it."""
    newest = newest_artifacts(nights.server)["refresh-summary"]
    shown = {row["source"]: row["status"].split(",")[0] for row in json.loads(newest["data"])}
    assert (newest["type"], shown) == ("table", dict.fromkeys(nights.names, "ok") | {nights.spoilt: "failed"})
    assert f"- `failed: {nights.spoilt}/" in newest["description"]


def test_each_source_has_an_artifact(nights: Nights) -> None:
    """It is a table; for a failed source it gives the failed dump and the next step."""
    found = {key: artifact for key, artifact in newest_artifacts(nights.server).items() if key != "refresh-summary"}
    assert found.keys() == {f"source-{name.replace('_', '-')}" for name in nights.names}
    told = {key: artifact["description"].splitlines()[0].split(",")[0] for key, artifact in found.items()}
    assert told == {
        f"source-{name.replace('_', '-')}": f"{name}: {'failed' if name == nights.spoilt else 'ok'}"
        for name in nights.names
    }
    spoilt = found[f"source-{nights.spoilt.replace('_', '-')}"]["description"]
    assert re.search(
        rf"^- `red: {nights.spoilt}: .*^- `next: conspectus quarantine {nights.spoilt} ",
        spoilt,
        re.DOTALL | re.MULTILINE,
    )


def test_tables_are_assets(nights: Nights) -> None:
    """The published tables of each source are an asset, made of its dumps, with what was published."""

    def newest(source: str) -> dict[str, Any] | None:
        wanted = {"event": {"name": ["prefect.asset.materialization.succeeded"]}}
        wanted["resource"] = {"id": [f"conspectus://dataset/{source}"]}
        return next(iter(ask(nights.server, "events", filter=wanted)["events"]), None)

    assert wait_for(lambda: all(map(newest, nights.names)))
    event = newest(nights.renamed)
    assert event is not None
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
