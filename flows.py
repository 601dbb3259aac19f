"""The Prefect layer: one flow, its tasks, retries, names, artifacts, deployments. The work belongs to ``pipeline``.

``python flows.py [SOURCE ...]`` refreshes once, on the server of ``PREFECT_API_URL`` or else on a temporary one that
ends with the run. ``prefect.yaml`` deploys the flow to a work pool; ``python flows.py serve`` serves the same
deployments without one. Tasks get names and settings, and open what they need. Exit codes are those of ``conspectus``.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final, Literal
from zoneinfo import available_timezones

os.environ.setdefault("DO_NOT_TRACK", "1")  # Prefect looks for it while it is imported; for its telemetry set it to 0

from prefect import Flow, State, allow_failure, flow, get_client, get_run_logger, serve, task
from prefect.artifacts import create_table_artifact
from prefect.assets import add_asset_metadata, materialize
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy, FlowRun, TaskRun
from prefect.futures import PrefectFuture, wait
from prefect.logging.loggers import flow_run_logger
from prefect.runtime import deployment, flow_run
from prefect.schedules import Cron, Schedule
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.states import Completed, Failed
from pydantic import BaseModel, ConfigDict, Field

from parsers._registry import sources as known_sources
from pipeline.base.cores import one_core
from pipeline.base.leash import ends_with_us
from pipeline.base.settings import OUT_VARIABLE, FailedError, Settings, UsageError, resolve_settings
from pipeline.base.suggest import check_names
from pipeline.cli.console import out, say
from pipeline.cli.options import share
from pipeline.cli.runs import show as show_result
from pipeline.cli.site import build_after
from pipeline.config import Config, configure, find_config, load_config, resolve_config
from pipeline.fetching.fetch import Fetched, fetch_named, load_targets
from pipeline.notify import send
from pipeline.publishing.lock import lock_out_root
from pipeline.publishing.publish import NothingError, PublishError
from pipeline.publishing.store import StoreError
from pipeline.run import summary
from pipeline.run.recorder import Recorder
from pipeline.run.refresh import Result, record, refresh_locked
from pipeline.run.shard import Shard, read_shard

VERSION: Final = version("conspectus")
SERVER: Final = "PREFECT_API_URL"
ASSET: Final = "conspectus://dataset/{}"
"""Key of the published tables of a source."""

# Useful only to a server that stays. The task run recorder would lose its last events, with a traceback.
UNNEEDED: Final = (
    "cancellation_cleanup cleanup_reconciler event_persister foreman late_runs pause_expirations repossessor "
    "scheduler task_run_recorder triggers"
).split()
EMBEDDED: Final[dict[Any, Any]] = {
    "server.analytics_enabled": False,
    # In memory: with a file, tasks that run in parallel meet "database is locked" and sometimes wait for a minute.
    "server.database.connection_url": "sqlite+aiosqlite:///:memory:",
    "server.ephemeral.enabled": True,
    "server.ephemeral.startup_timeout_seconds": 180,
    "server.register_blocks_on_start": False,
    "server.memoize_block_auto_registration": False,
    "flows.heartbeat_frequency": None,
    "logging.to_api.enabled": False,
    **{f"server.services.{service}.enabled": False for service in UNNEEDED},
}
"""Settings of a temporary server that ends with the run; its home is below the out root."""

ONE: Final = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.CANCEL_NEW)
"""A run that is due while the one before is still active is cancelled."""

STOPPED: Final = Event()
"""Set when the run of this process is stopped from outside: a thread of its tasks cannot be interrupted."""


if TYPE_CHECKING:
    SourceName = str
else:
    SourceName = Literal[tuple(known_sources())]  # a choice in the form; an unknown one is refused before a run


class Options(BaseModel):
    """How to refresh. What is empty is looked up where the run works: in its environment, then in its folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fetch: bool = Field(default=False, description="Fetch new pages first; one that fails makes the run red.")
    audit: bool = Field(default=False, description="Hash every file, also if it seems not to have changed.")
    raw: str | None = Field(default=None, description="Folder of the raw dumps; else `CONSPECTUS_RAW`, else `./raw`.")
    out: str | None = Field(default=None, description="Folder of the dataset; else `CONSPECTUS_OUT`, else `./out`.")
    config: str | None = Field(default=None, description="Else `CONSPECTUS_CONFIG`, else `./sources.toml`.")
    engine: str | None = Field(default=None, description="`processes:N`, the address of a Dask scheduler, or `inline`.")
    keep: int = Field(default=14, description="How many snapshots to keep.", json_schema_extra={"minimum": 1})

    def settle(self, names: Sequence[str]) -> tuple[Settings, Config | None]:
        """Resolve roots, limits, guards and engine of a run of the named sources, or of all. Raises ``UsageError``."""
        if deployment.id and not (self.out or os.environ.get(OUT_VARIABLE)):
            raise UsageError(f"expected the out root in the option out, or in {OUT_VARIABLE} of the worker, found none")
        settings = resolve_settings(os.environ, raw=self.raw, out=self.out, keep=self.keep, engine=self.engine)
        if self.fetch:
            file = resolve_config(os.environ, self.config)
            config: Config | None = load_targets(settings.raw, file, known_sources(), names)
        else:
            config = find_config(os.environ, known_sources(), self.config)
        return configure(settings, config), config


ALL: Final[list[str]] = []
USUAL: Final = Options()


def name_run() -> str:
    """Return the name of a flow run: what it refreshes and its start (UTC)."""
    what = "-".join(["refresh", *flow_run.parameters["sources"]])
    return f"{what}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"


def can_heal(_task: object, _run: TaskRun, state: State[Any]) -> bool:
    """True unless trying again is of no use: nothing to publish, a mistake in the settings, a run that is stopped."""
    return not isinstance(state.result(raise_on_failure=False), (NothingError, StoreError, UsageError, CancelledError))


def watching() -> Callable[[str], None]:
    """Return a function that logs the steps of a task, and raises ``CancelledError`` once its run is stopped."""
    log = get_run_logger()

    def watch(step: str) -> None:
        if STOPPED.is_set():
            raise CancelledError("the run was stopped")
        log.info(step)

    return watch


@task(task_run_name="fetch {source}")
def fetch(settings: Settings, source: str) -> Fetched | State[Fetched]:
    """Fetch the new pages of a source; one that failed makes the task red."""
    known = known_sources()
    config = load_config(settings.config or resolve_config(os.environ), known)
    fetched = fetch_named(settings, config, known, [source], watching())
    return fetched if fetched.good else Failed(data=fetched, message="; ".join(fetched.failures))


@task(task_run_name="read {source}", retries=2, retry_delay_seconds=2, retry_condition_fn=can_heal)
def read(settings: Settings, source: str) -> Shard | State[Shard]:
    """Read the new dumps of a source into the cache; a file that may be readable later makes the task red."""
    shard = read_shard(settings, known_sources(), [source], (1, 1), watching())
    return Failed(data=shard, message="; ".join(shard.unreadable)) if shard.unreadable else shard


@task(task_run_name="publish", retries=2, retry_delay_seconds=5, retry_condition_fn=can_heal, persist_result=False)
def publish(
    settings: Settings, names: Sequence[str], failures: Sequence[str], started_at: datetime, *, audit: bool
) -> Result:
    """Judge and merge what was read, and publish it as one snapshot."""
    known, watch = known_sources(), get_run_logger().info  # in the thread of the flow, which a signal interrupts
    try:
        return refresh_locked(settings, known, names, watch, audit=audit, failures=failures, started_at=started_at)
    except (PublishError, StoreError) as error:
        return Failed(data=error, message=str(error))  # type: ignore[return-value]  # a state raises its data


@materialize("conspectus://dataset", name="tables", task_run_name="tables {source}")
def tables(
    source: str, row: dict[str, str], notes: str, facts: dict[str, Any], problems: Sequence[str]
) -> dict[str, str] | State[dict[str, str]]:
    """Show how a source came out, as a table, and its published tables as assets; one that failed is red."""
    if PREFECT_API_URL.value():
        key = f"source-{source.replace('_', '-').lower()}"
        create_table_artifact([row], key, f"{source}: {row['status']}\n\n{notes}")
        add_asset_metadata(ASSET.format(source), facts)
    return Failed(data=row, message="; ".join(problems)) if problems else row


@task(task_run_name="summary", retries=2, retry_delay_seconds=2)
def show_summary(rows: list[dict[str, str]], notes: str) -> None:
    """Show the summary of a run, as a table."""
    create_table_artifact(rows, "refresh-summary", notes)


def tell(flow: Flow[Any, Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Call the notification hooks of the run's ``sources.toml`` at its end."""
    options = Options.model_validate(flow_run.parameters.get("options", {}))
    config = find_config(os.environ, known_sources(), options.config)
    lines, amber = [f"failed: {state.name}: {state.message}"], False
    if state.is_final() and isinstance(result := state.result(raise_on_failure=False), Result):
        lines, amber = summary.as_lines(result), result.amber
    for problem in send(config.notify, good=state.is_completed(), amber=amber, lines=lines) if config else ():
        flow_run_logger(flow_run, flow).warning(problem)


@flow(
    name="refresh",
    version=VERSION,
    flow_run_name=name_run,
    persist_result=False,
    on_completion=[tell],
    on_failure=[tell],
    on_crashed=[tell],
    on_cancellation=[tell],
)
def refresh(sources: list[SourceName] = ALL, options: Options = USUAL) -> State[Result]:
    """Refresh sources in parallel, and publish the good ones as one snapshot.

    A failed source makes the run red and keeps its last good files.

    Args:
        sources: The sources to refresh; none means all.
        options: How to refresh.

    """
    log = get_run_logger()
    STOPPED.clear()
    try:
        settings, config = options.settle(sources)
    except UsageError as error:
        return red(error)
    try:
        with lock_out_root(settings, log.info), Recorder(settings, sources, log.warning) as recorder:
            failures, warnings = prepare(settings, sources, config if options.fetch else None)
            start = recorder.started_at
            state = publish(settings, sources, failures, start, audit=options.audit, return_state=True)
            result = state.result()
            result = record(recorder, replace(result, warnings=(*warnings, *result.warnings)))
    except (UsageError, FailedError, PublishError, StoreError) as error:
        build_after(settings, config)  # the page of the night says so too
        return red(error)
    except BaseException:
        STOPPED.set()
        raise
    pages, problem = build_after(settings, config)
    show(result, settings)
    if not deployment.id:  # else nobody looks at the standard output
        show_result(result, plain=not sys.stderr.isatty())
        for line in pages:
            out(line)
    if problem is not None:
        log.error(problem)
    if result.good and problem is None:
        return Completed(data=result, message=summary.publication_line(result))
    return Failed(data=result, message=summary.as_state(result) if problem is None else problem)


def prepare(settings: Settings, sources: Sequence[str], config: Config | None) -> tuple[list[str], list[str]]:
    """Fetch what ``config`` names, read what is new, each source by itself; return the failures, and the warnings."""
    names = sources or [*known_sources()]
    asked = [name for name in names if config and config.targets.get(name)]
    fetching = {name: fetch.submit(settings, name) for name in asked}
    first = {name: [allow_failure(future)] for name, future in fetching.items()}
    reading = [read.submit(settings, name, wait_for=first.get(name), return_state=False) for name in names]
    wait(reading)
    failures = list[str]()
    for name, future in fetching.items():
        fetched = future.result(raise_on_failure=False)
        failures += fetched.failures if isinstance(fetched, Fetched) else [f"{name}: {future.state.message}"]
    shards = [future.result(raise_on_failure=False) for future in reading]
    return failures, [line for shard in shards if isinstance(shard, Shard) for line in shard.warnings]


def red(error: Exception) -> State[Any]:
    """Log why a run ends red, and return its state: an expected error needs no traceback."""
    get_run_logger().error("failed: %s", error)
    return Failed(data=error, message=str(error))


def show(result: Result, settings: Settings) -> None:
    """Show a result on its server: as log, as artifacts, each source as a task. A temporary server keeps neither."""
    futures: list[PrefectFuture[Any]] = []
    if PREFECT_API_URL.value():
        for level, line in summary.as_log(result):
            get_run_logger().log(level, line)
        futures.append(show_summary.submit(summary.as_table(result.outcomes), summary.as_markdown(result)))
    for outcome in result.outcomes:
        name, notes = outcome.source, summary.source_as_markdown(outcome, settings)
        facts = {"snapshot": result.publication.folder.name, "records": outcome.total}
        shown = tables.with_options(assets=[ASSET.format(name)], asset_deps=[f"conspectus://raw/{name}"])
        rows = summary.as_table([outcome])  # none of a source without dumps
        futures += [shown.submit(name, row, notes, facts, summary.problems(outcome)) for row in rows]
    wait(futures)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run once or serve, and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    serving = given[:1] == ["serve"]
    chosen = make_parser(serving=serving).parse_args(given[1:] if serving else given)
    try:
        return serve_all(chosen) if serving else run_once(chosen)
    except UsageError as error:
        sys.stderr.write(f"flows.py: {error}\n")  # several lines
        return 2
    except FailedError as error:
        say(f"failed: {error}")
        return 1
    except KeyboardInterrupt:
        say("flows.py: stopped")
        return 130


def make_parser(*, serving: bool) -> argparse.ArgumentParser:
    """Define the options of a single run, or those of the deployments."""
    parser = argparse.ArgumentParser(prog="flows.py", description="Refresh once; `flows.py serve` does it every night.")
    if serving:
        parser = argparse.ArgumentParser(prog="flows.py serve", description="Serve the deployments until stopped.")
        parser.add_argument("--cron", default="0 3 * * *", help="when to run (default: %(default)s)")
        parser.add_argument("--timezone", default="UTC", metavar="ZONE", help="zone of --cron (default: %(default)s)")
    else:
        share(parser, "sources", "--audit")
    share(parser, "--raw", "--out", "--fetch", "--config", "--engine", "--keep")
    return parser


def options_of(chosen: argparse.Namespace) -> Options:
    """Return the options that a command gives."""
    return Options(**{name: value for name, value in vars(chosen).items() if name in Options.model_fields})


def run_once(chosen: argparse.Namespace) -> int:
    """Refresh once; return 1 if anything failed."""
    check_names("no such source", chosen.sources, known_sources())
    options = options_of(chosen)
    settings, _ = options.settle(chosen.sources)  # mistakes are reported before a server starts
    with server(settings.out):
        return 0 if refresh(chosen.sources, options, return_state=True).is_completed() else 1


def serve_all(chosen: argparse.Namespace) -> int:
    """Serve the deployments of ``prefect.yaml`` until stopped. Raises ``UsageError`` without a server that stays."""
    if not PREFECT_API_URL.value():
        raise UsageError(
            "serve needs a running Prefect server; start one, then give its address:\n"
            f"  prefect server start\n  {SERVER}=http://127.0.0.1:4200/api python flows.py serve"
        )
    options = options_of(chosen)
    settings, config = options.settle(())
    given = options.model_dump(exclude_defaults=True) | {"raw": str(settings.raw), "out": str(settings.out)}
    given |= {"config": str(config.file)} if config else {}
    kinds: dict[str, tuple[Schedule | None, dict[str, bool]]] = {
        "nightly": (make_schedule(chosen.cron, chosen.timezone), {}),
        "audit": (make_schedule("0 5 * * 0", chosen.timezone), {"fetch": False, "audit": True}),
        "rerun": (None, {"fetch": False}),
    }
    with server(settings.out):
        deployments = [
            refresh.to_deployment(
                name,
                schedule=schedule,
                parameters={"options": {**given, **more}},
                concurrency_limit=ONE,
                tags=["conspectus"],
                description=f"Publishes below {settings.out}.",
            )
            for name, (schedule, more) in kinds.items()
        ]
        serve(*deployments)  # type: ignore[arg-type]  # coroutines only where an event loop runs
    return 0


def make_schedule(cron: str, timezone: str) -> Schedule:
    """Return a schedule. Raises ``UsageError`` for an invalid one."""
    if timezone not in available_timezones():
        raise UsageError(f"--timezone must be an IANA name such as Europe/Berlin, not {timezone}")
    try:
        return Cron(cron, timezone=timezone)
    except ValueError as error:
        raise UsageError(f"--cron must be five fields such as 0 3 * * *, not {cron}") from error


@contextmanager
def server(root: Path) -> Iterator[None]:
    """Use the server of ``PREFECT_API_URL``, else a temporary one with its home below the out root.

    Raises ``UsageError`` where no server answers, or the out root cannot be written.
    """
    with ExitStack() as stack, ExitStack() as starting:
        if not PREFECT_API_URL.value():
            home = root / ".prefect"
            try:
                home.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UsageError(f"{home}: expected a writable out root: {error.strerror}") from error
            say("starting a Prefect server for this run, about ten seconds")
            stack.enter_context(temporary_settings({"home": home, **EMBEDDED}))
            # It runs each SQL statement in another thread, and must not outlive this process.
            starting.enter_context(one_core())
            starting.enter_context(ends_with_us())
        with get_client(sync_client=True) as client:
            problem = client.api_healthcheck()
        starting.close()
        if problem is not None:
            raise UsageError(
                f"{SERVER}: expected a running Prefect server, none answers at {client.api_url}: {problem}"
            )
        yield


if __name__ == "__main__":
    sys.exit(main())
