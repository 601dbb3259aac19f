"""The Prefect layer: flows, tasks, retries, names, schedule. Processing the data belongs to ``pipeline``.

``python flows.py [SOURCE ...]`` refreshes once, on the server at ``PREFECT_API_URL`` or else on a temporary one that
ends with the run. ``python flows.py serve`` refreshes every night and needs a running server. A task is a stage or a
dump, never a record. Exit codes are those of ``python -m pipeline``.
"""

from __future__ import annotations  # keeps annotations as text: a parametrized State does not reach another process

import argparse
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import wraps
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, Final, ParamSpec, TypeVar, cast
from zoneinfo import available_timezones

if __name__ == "__main__":
    # On import Prefect reads the user's profile, creates its home folder and sends telemetry; a script run prevents
    # that first. On a terminal it would also record the flow in its home, despite DO_NOT_TRACK, so the home is
    # unwritable until ``settle_prefect`` sets another.
    # The script continues as the module ``flows``, from which other processes can load what is served.
    os.environ |= {"PREFECT_PROFILES_PATH": os.devnull, "PREFECT_HOME": os.devnull, "DO_NOT_TRACK": "1"}
    os.environ.pop("PREFECT_PROFILE", None)
    # Our own server runs on this machine, so no proxy is used for it.
    os.environ["no_proxy"] = f"127.0.0.1,{os.environ.get('no_proxy') or os.environ.get('NO_PROXY', '')}"
    sys.exit(import_module("flows").main())

from prefect import Flow, State, flow, get_client, get_run_logger, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import FlowRun
from prefect.logging.loggers import flow_run_logger
from prefect.runtime import flow_run, task_run
from prefect.schedules import Cron, Interval, Schedule
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.states import Failed
from prefect.utilities.annotations import quote

from parsers._registry import sources as known_sources
from pipeline.base.cores import one_core
from pipeline.base.known_files import KnownFiles
from pipeline.base.leash import ends_with_us
from pipeline.base.settings import FailedError, Settings, UsageError, resolve_settings
from pipeline.cli.console import progress
from pipeline.cli.options import share
from pipeline.cli.runs import show as show_result
from pipeline.cli.site import build_after
from pipeline.config import configure, find_config, load_config, resolve_config
from pipeline.fetching.fetch import Fetched, fetch_named, load_targets
from pipeline.merging.outcome import Outcome, Status
from pipeline.notify import send
from pipeline.publishing.publish import NothingError, PublishError
from pipeline.publishing.swap import exclusive
from pipeline.reading.cache import load_known_files
from pipeline.reading.read import Reading
from pipeline.run import plan as plans
from pipeline.run import refresh as stages
from pipeline.run import source as from_dumps
from pipeline.run import summary
from pipeline.run.job import Job
from pipeline.run.plan import Plan
from pipeline.run.read import read_new
from pipeline.run.record import Recorder
from pipeline.run.refresh import Result
from pipeline.run.session import RunSession
from pipeline.workers.engines import Engine, open_engine

VERSION: Final = version("conspectus")
SERVER: Final = "PREFECT_API_URL"
HOME: Final = ".prefect"
"""Prefect's own folder, below the out root."""

# Services useful only to a permanent server. The task run recorder would lose its last events when the server stops,
# and log a traceback.
_UNNEEDED: Final = (
    "cancellation_cleanup cleanup_reconciler event_persister foreman late_runs pause_expirations repossessor "
    "scheduler task_run_recorder triggers"
).split()
EMBEDDED: Final[dict[Any, Any]] = {
    "api.url": None,
    # In memory: with a file, parallel sources meet "database is locked" and sometimes wait for a minute.
    "server.database.connection_url": "sqlite+aiosqlite:///:memory:",
    "server.ephemeral.enabled": True,
    "server.ephemeral.startup_timeout_seconds": 180,
    "server.register_blocks_on_start": False,
    "server.memoize_block_auto_registration": False,
    **{f"server.services.{service}.enabled": False for service in _UNNEEDED},
    "flows.heartbeat_frequency": None,
    "logging.to_api.enabled": False,
}
"""Settings of a temporary server that ends with the run."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a run has while it holds the out root: its engine, and its recorder in the log of runs."""

    engine: Engine
    recorder: Recorder


@dataclass(frozen=True, slots=True)
class Joint:
    """Shared state of the sources of one refresh: what it holds, what is known of files, outcomes, failures, warnings.

    A flow could return its outcome in its state, but a busy server may send the state back without it.
    """

    held: Held
    files: KnownFiles
    outcomes: list[Outcome] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class View:
    """Output of a single run on the terminal: progress, then the summary; a served run only has its log."""

    watch: Callable[[str], None]
    show: Callable[[Result], None]
    quiet: bool


_joint: ContextVar[Joint] = ContextVar("what the sources of one refresh share")

_view: ContextVar[View] = ContextVar("what the terminal shows of a run")

Value = TypeVar("Value")
Given = ParamSpec("Given")

EXPECTED: Final = (UsageError, FailedError, PublishError)
"""Errors that end a run and need only their message, not a traceback."""

TOLD: Final = logging.getLogger("prefect.flow_runs.summary")
"""Log of a run only on its server, at any log level: the terminal shows the summary on standard output."""
TOLD.setLevel(logging.INFO)
TOLD.propagate = False
TOLD.handlers = logging.getLogger("prefect.flow_runs").handlers


def without_cause(record: logging.LogRecord) -> bool:
    """Remove the cause from Prefect's log lines of a failure: else task, source and refresh would each print it.

    We log it once, where the run ends. Unexpected errors keep their traceback.
    """
    said, cause = record.getMessage(), record.exc_info[1] if record.exc_info else None
    if said.startswith("Finished in state Failed("):
        record.msg, record.args, record.levelno, record.levelname = "Finished in state Failed", (), logging.INFO, "INFO"
    elif said.startswith("Task run failed with state") or isinstance(cause, EXPECTED):
        _, retry, more = said.rpartition(" - Ret")
        record.msg, record.args, record.exc_info = f"Task run failed{retry}{more}", (), None
        record.levelno, record.levelname = logging.INFO, "INFO"
        if not retry:
            return False  # the next line reports its end
    return logging.getLogger(record.name).isEnabledFor(record.levelno)


for log in ("prefect.flow_runs", "prefect.task_runs"):
    logging.getLogger(log).addFilter(without_cause)


def end_red(error: Exception) -> State[Any]:
    """Log why a run ends red; within a refresh only on the server, as its summary lists the errors of sources."""
    (TOLD if _joint.get(None) else get_run_logger()).error("failed: %s", error)
    return Failed(data=error, message=str(error))


def ends_red(work: Callable[Given, Value]) -> Callable[Given, Value]:
    """Make a flow end with a message instead of a traceback on an expected error."""

    @wraps(work)
    def run(*args: Given.args, **kwargs: Given.kwargs) -> Value:
        try:
            return work(*args, **kwargs)
        except EXPECTED as error:
            return cast("Value", end_red(error))  # by name: unlike the context, this is sent to another process

    return run


def name_run() -> str:
    """Return the name of a flow run: what it refreshes and its start (UTC)."""
    given = flow_run.parameters
    what = given.get("source") or "-".join(["refresh", *(given.get("sources") or [])])
    return f"{what}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"


def name_plan() -> str:
    """Return the name of a planning task run, with its sources if given."""
    return " ".join(["plan", *task_run.parameters["names"]])


def can_improve(reading: Reading) -> bool:
    """True if a file could not be read; one that is invalid before it is opened will not be readable later either."""
    return "unreadable" in reading.by_reason and reading.dump.fault is None


def unpack(state: State[Any]) -> Outcome:
    """Return the outcome in the state of a task run, failed or not. Raises what the task raised."""
    outcome = state.result(raise_on_failure=False)
    return outcome if isinstance(outcome, Outcome) else state.result()


def note(step: str) -> None:
    """Report a step of a run to its log and to the terminal, if it is shown there."""
    get_run_logger().info(step)
    if view := _view.get(None):
        view.watch(step)


def whole(value: Value) -> Value:
    """Quote a value for a task: otherwise Prefect would search every dump of a plan for task runs."""
    return cast("Value", quote(value))


def show_failures(fetched: Fetched) -> Fetched | State[Fetched]:
    """Return a failed state that contains the result for a fetch with failures, else the result."""
    return fetched if fetched.good else Failed(data=fetched, message="; ".join(fetched.failures))


@task(task_run_name="fetch {source}", cache_policy=NO_CACHE, persist_result=False)
def fetch(settings: Settings, file: str, source: str) -> Fetched | State[Fetched]:
    """Fetch the new pages of one source."""
    known = known_sources()
    return show_failures(fetch_named(settings, load_config(Path(file), known), known, [source], note))


@task(task_run_name=name_plan, cache_policy=NO_CACHE, persist_result=False)
def make_plan(settings: Settings, names: Sequence[str], files: KnownFiles, started_at: datetime) -> Plan:
    """Plan what to refresh."""
    return plans.make_plan(settings, known_sources(), files, names, started_at=started_at)


@task(task_run_name="read {source}", cache_policy=NO_CACHE, persist_result=False)
def read(session: RunSession, source: str) -> None:
    """Read the dumps of a source that have not been read yet."""
    read_new(session, [Job(session, source)])


@task(task_run_name="read {path}", cache_policy=NO_CACHE, persist_result=False)
def show_dump(path: str, error: str) -> State[None]:  # named in its runs
    """Show an unusable dump as a failed run of its own."""
    return Failed(message=error)


@task(
    task_run_name="conclude {source}",
    retries=2,
    retry_delay_seconds=2,
    cache_policy=NO_CACHE,
    persist_result=False,
)
def conclude(session: RunSession, source: str) -> Outcome | State[Outcome]:  # named in its runs
    """Judge the captures of a source and merge what is new; it fails where a file may be readable later."""
    outcome = from_dumps.refresh_source(Job(session, source))
    unreadable = [str(reading.error) for reading in outcome.readings if reading.fails and can_improve(reading)]
    return Failed(data=outcome, message="; ".join(unreadable)) if unreadable else outcome


@task(
    task_run_name="publish",
    retries=2,
    retry_delay_seconds=5,
    retry_condition_fn=lambda _task, _run, state: not isinstance(state.result(raise_on_failure=False), NothingError),
    cache_policy=NO_CACHE,
    persist_result=False,
)
def publish(session: RunSession, outcomes: Sequence[Outcome]) -> Result:
    """Publish the outcomes as one snapshot."""
    return stages.finish(session, outcomes)


@task(task_run_name="show {key}", retries=2, retry_delay_seconds=2, cache_policy=NO_CACHE, persist_result=False)
def show(key: str, description: str, markdown: str) -> None:
    """Create an artifact; a failure costs no data."""
    create_markdown_artifact(markdown, key=key, description=description)


def tell(flow: Flow[Any, Any], flow_run: FlowRun, state: State[Any]) -> None:  # the signature of hooks
    """Call the notification hooks of the run's ``sources.toml`` at its end."""
    file = flow_run.parameters.get("config")
    result = state.result(raise_on_failure=False)
    lines = summary.as_lines(result) if isinstance(result, Result) else [f"failed: {state.message}"]
    amber = isinstance(result, Result) and result.amber
    for problem in notify(file, lines, good=state.is_completed(), amber=amber) if file else ():
        flow_run_logger(flow_run, flow).warning(problem)


@flow(name="refresh_source", version=VERSION, flow_run_name=name_run, persist_result=False)
@ends_red
def refresh_source(  # noqa: PLR0913, PLR0917  # these are the fields of its form
    source: str,
    raw: str | None = None,
    out: str | None = None,
    keep: int = 14,
    config: str | None = None,
    fetching: bool = False,
    engine: str | None = None,
    audit: bool = False,
) -> Outcome | State[Outcome]:
    """Refresh one source, with the parameters of ``refresh``; as part of a refresh, leave publishing to it."""
    start = perf_counter()
    settings = settle(raw, out, keep, config, engine)
    fetched = fetch(whole(settings), config, source, return_state=True) if config and fetching else None
    failures = [] if fetched is None or fetched.is_completed() else [str(fetched.message)]
    joint = _joint.get(None)
    with nullcontext(joint.held) if joint else held(settings, [source]) as run:
        files = joint.files if joint else load_known_files(settings, audit=audit)
        plan = make_plan(settings, [source], whole(files), run.recorder.started_at)
        (chosen,), session = plan.chosen, RunSession(plan, files, run.engine, note)
        outcome = make_outcome(session, chosen)
        outcome = replace(outcome, seconds=perf_counter() - start)
        # The artifacts of a temporary server would be lost.
        if PREFECT_API_URL.value() and outcome.status is not Status.ABSENT:
            markdown = summary.source_as_markdown(outcome, settings)
            key = f"source-{source.replace('_', '-').lower()}"
            show(key, f"{source}: {outcome.status}", markdown, return_state=True)
        if joint is None:
            result = finish(session, [outcome], run, failures)
    if joint is None:
        problem = build_pages(settings, config)
        if problem is not None or not result.good:
            return Failed(message=summary.as_state(result) if problem is None else problem)
        return outcome
    joint.outcomes.append(outcome)
    joint.failures.extend(failures)
    joint.warnings.extend(session.warnings)
    for problem in (found := [*failures, *summary.problems(outcome)]):
        TOLD.error("failed: %s", problem)
    return Failed(message="; ".join(found)) if found else outcome


@flow(
    name="refresh",
    version=VERSION,
    flow_run_name=name_run,
    persist_result=False,
    on_completion=[tell],
    on_failure=[tell],
    on_crashed=[tell],
)
@ends_red
def refresh(  # noqa: PLR0913, PLR0917  # as above
    sources: list[str] | None = None,
    raw: str | None = None,
    out: str | None = None,
    keep: int = 14,
    config: str | None = None,
    fetching: bool = False,
    engine: str | None = None,
    audit: bool = False,
) -> Result | State[Result]:
    """Refresh sources in parallel, and publish the good ones as one snapshot.

    A failed source makes the run red and keeps its last good files.

    Args:
        sources: Names of the sources to refresh, such as `["easychair"]`; none means all.
        raw: Folder of the raw dumps, on the machine that runs this; else `CONSPECTUS_RAW`, else `./raw`.
        out: Folder of the dataset; else `CONSPECTUS_OUT`, else `./out`.
        keep: How many snapshots to keep, 1 or more.
        config: A `sources.toml`: what to fetch, what holds back a capture, whom to notify.
        fetching: Fetch new pages first; a failed fetch leaves the archive as it is. Needs a `config`.
        engine: Where to parse: `processes:N`, the address of a Dask scheduler or `inline`; else one process per core.
        audit: Hash every file, also if it seems not to have changed.

    """
    settings = settle(raw, out, keep, config, engine)
    try:
        with held(settings, sources or []) as run:
            joint = Joint(run, load_known_files(settings, audit=audit))
            plan = make_plan(settings, sources or [], whole(joint.files), run.recorder.started_at)
            with ThreadPoolExecutor() as pool:
                parts = {
                    name: pool.submit(copy_context().run, take_part, joint, name, settings, config, fetching)
                    for name in plan.chosen
                }
            session = RunSession(plan, joint.files, run.engine, note)
            session.warnings.extend(joint.warnings)
            ended = {outcome.source for outcome in joint.outcomes}
            died = [f"{name}: {part.result().message}" for name, part in parts.items() if name not in ended]
            outcomes = sorted(joint.outcomes, key=lambda outcome: outcome.source)
            result = finish(session, outcomes, run, [*joint.failures, *died])
    except EXPECTED:
        build_pages(settings, config)  # the page of the night says so too
        raise
    problem = build_pages(settings, config)
    if problem is not None:
        return Failed(data=result, message=problem if result.good else summary.as_state(result))
    return result if result.good else Failed(data=result, message=summary.as_state(result))


def build_pages(settings: Settings, config: str | None) -> str | None:
    """Build the pages to look at if the configuration says so, and name the first; return what went wrong, if so."""
    pages, problem = build_after(settings, load_config(Path(config), known_sources()) if config else None)
    view = _view.get(None)
    for line in pages if view is None or not view.quiet else ():
        sys.stdout.write(f"{line}\n")
    if problem is not None:
        get_run_logger().error(problem)
    return problem


@contextmanager
def held(settings: Settings, names: Sequence[str]) -> Iterator[Held]:
    """Lock the out root for a run of the named sources, or of all, record it, and open its engine."""
    warn = get_run_logger().warning
    with (
        exclusive(settings, warn),
        Recorder(settings, names, warn) as recorder,
        open_engine(settings.engine, known_sources()) as engine,
    ):
        yield Held(engine, recorder)


def settle(raw: str | None, out: str | None, keep: int, config: str | None, engine: str | None = None) -> Settings:
    """Resolve roots, limits, guards and engine."""
    settings = resolve_settings(os.environ, raw=raw, out=out, keep=keep, engine=engine)
    return configure(settings, load_config(Path(config), known_sources()) if config else None)


def notify(file: str, lines: Sequence[str], *, good: bool, amber: bool) -> list[str]:
    """Call the hooks of a configuration file; return one message for each that failed."""
    return send(load_config(Path(file), known_sources()).notify, good=good, amber=amber, lines=lines)


def make_outcome(session: RunSession, source: str) -> Outcome:
    """Read the dumps of a source in one task, conclude in another; each unusable dump is a failed run beside them."""
    read(whole(session), source)
    outcome = unpack(conclude(whole(session), source, return_state=True))
    for reading in outcome.readings:
        if reading.fails:
            show_dump(reading.dump.path, str(reading.error), return_state=True)
    return outcome


def take_part(joint: Joint, source: str, settings: Settings, config: str | None, fetching: bool) -> State[Outcome]:
    """Refresh one source as part of a refresh, which receives its outcome."""
    _joint.set(joint)
    raw, out = str(settings.raw), str(settings.out)
    state = refresh_source(source, raw, out, settings.keep, config, fetching, return_state=True)
    return cast("State[Outcome]", state)


def finish(session: RunSession, outcomes: Sequence[Outcome], run: Held, failures: Sequence[str]) -> Result:
    """Publish, record, and show the summary: in the log, as an artifact, on standard output as ``conspectus`` does."""
    result = replace(publish(whole(session), whole(outcomes)), failures=tuple(failures))
    result = stages.record(run.recorder, session.plan, result)
    for level, line in summary.as_log(result):
        TOLD.log(level, line)
    if PREFECT_API_URL.value():
        show("refresh-summary", summary.publication_line(result), summary.as_markdown(result), return_state=True)
    if view := _view.get(None):
        view.show(result)
    else:
        sys.stdout.write("\n".join(summary.as_lines(result)) + "\n")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run once or serve, and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    serving = given[:1] == ["serve"]
    options = make_parser(serving=serving).parse_args(given[1:] if serving else given)
    try:
        settings = resolve_settings(
            os.environ, raw=options.raw, out=options.out, keep=options.keep, engine=options.engine
        )
        with stopped_in_silence():
            return serve(settings, options) if serving else run_once(settings, options)
    except UsageError as error:
        sys.stderr.write(f"flows.py: {error}\n")
        return 2
    except FailedError as error:
        sys.stderr.write(f"failed: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("flows.py: stopped\n")
        return 130


@contextmanager
def stopped_in_silence() -> Iterator[None]:
    """Make Ctrl-C end a run with one line: Prefect would log a crash of every run and task, with tracebacks."""

    def stop(*_: object) -> None:
        logging.disable()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        logging.disable(logging.NOTSET)


def make_parser(*, serving: bool) -> argparse.ArgumentParser:
    """Define the options of a single run, or those of the schedule."""
    parser = argparse.ArgumentParser(prog="flows.py", description="Refresh once; `flows.py serve` does it every night.")
    if serving:
        parser = argparse.ArgumentParser(prog="flows.py serve", description="Refresh on a schedule, until stopped.")
        parser.add_argument("--cron", default="0 3 * * *", help="when to run (default: %(default)s)")
        parser.add_argument(
            "--timezone", default="UTC", metavar="ZONE", help="time zone of --cron (default: %(default)s)"
        )
        parser.add_argument(
            "--interval", type=int, metavar="SECONDS", help="run every so many seconds, instead of --cron"
        )
    else:
        share(parser, "sources", "--audit")
        parser.add_argument(
            "--quiet", action="store_true", help="no log of the run; print nothing at all if everything is good"
        )
    share(parser, "--raw", "--out", "--fetch", "--config", "--engine", "--keep")
    return parser


def run_once(settings: Settings, options: argparse.Namespace) -> int:
    """Refresh once; return 1 if anything failed."""
    # Mistakes in the command are reported before a server starts.
    plans.make_plan(settings, known_sources(), load_known_files(settings), options.sources)
    if options.quiet:
        logging.getLogger("prefect").setLevel(logging.WARNING)
    config = settle_config(options)
    raw, out = str(settings.raw), str(settings.out)
    own = {} if os.environ.get(SERVER) else EMBEDDED
    with viewed(quiet=options.quiet) as view, settle_prefect(settings, own):
        view.watch("starting the flow")
        state = refresh(
            options.sources,
            raw,
            out,
            settings.keep,
            config,
            options.fetch,
            settings.engine,
            options.audit,
            return_state=True,
        )
    return 0 if cast("State[Result]", state).is_completed() else 1


@contextmanager
def viewed(*, quiet: bool) -> Iterator[View]:
    """Show a run on the terminal as ``conspectus`` does, but without progress if the log, which has it, is printed."""
    plain = quiet or not sys.stderr.isatty()
    logged = logging.getLogger("prefect.flow_runs").isEnabledFor(logging.INFO)
    with ExitStack() as stack:
        watch = stack.enter_context(progress(plain=plain, quiet=quiet or logged))

        def show_last(result: Result) -> None:
            stack.close()  # removes the progress line
            if not (quiet and result.good):
                show_result(result, plain=plain)
            for line in summary.amber_lines(result) if quiet and result.good else ():
                sys.stdout.write(f"{line}\n")

        watch("starting Prefect's server")
        view = View(watch, show_last, quiet)
        _view.set(view)
        yield view


def serve(settings: Settings, options: argparse.Namespace) -> int:
    """Refresh on a schedule until stopped, on the server at ``PREFECT_API_URL``. Raises ``UsageError`` without one."""
    if not os.environ.get(SERVER):
        raise UsageError(
            "serve needs a running Prefect server; start one, then give its address:\n"
            f"  prefect server start\n  {SERVER}=http://127.0.0.1:4200/api python flows.py serve"
        )
    schedule = make_schedule(options)
    parameters = {"raw": str(settings.raw), "out": str(settings.out), "keep": settings.keep}
    parameters |= {"config": settle_config(options), "fetching": options.fetch, "engine": options.engine}
    about = (
        f"Publishes below {settings.out}. Parameters changed in a custom run, such as sources, apply to that run only."
    )
    with settle_prefect(settings, {}):
        refresh.serve(
            "nightly", schedule=schedule, parameters=parameters, limit=1, tags=["conspectus"], description=about
        )
    return 0


def settle_config(options: argparse.Namespace) -> str | None:
    """Return the path of the configuration file, ``sources.toml``; None if there is none.

    Raises ``UsageError`` for mistakes in it, or if fetching needs one.
    """
    if options.fetch:
        names = [] if "sources" not in options else options.sources
        return str(load_targets(resolve_config(os.environ, options.config), known_sources(), names).file)
    found = find_config(os.environ, known_sources(), options.config)
    return str(found.file) if found else None


def make_schedule(options: argparse.Namespace) -> Schedule:
    """Return the schedule from the options. Raises ``UsageError`` for invalid ones."""
    if options.interval is not None:
        if options.interval < 1:
            raise UsageError(f"--interval must be 1 second or more, not {options.interval}")
        return Interval(options.interval)
    if options.timezone not in available_timezones():
        raise UsageError(f"--timezone must be an IANA name such as Europe/Berlin, not {options.timezone}")
    try:
        return Cron(options.cron, timezone=options.timezone)
    except ValueError as error:
        raise UsageError(f"--cron must be five fields such as 0 3 * * *, not {options.cron}") from error


@contextmanager
def settle_prefect(settings: Settings, more: Mapping[Any, Any]) -> Iterator[None]:
    """Give Prefect a home below the out root, and a server. Raises ``UsageError`` if either is not possible."""
    home = settings.out / HOME
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{home}: expected a writable out root: {error.strerror}") from error
    with temporary_settings({"home": home, "server.analytics_enabled": False, **more}):
        # Our own server starts here; it runs each SQL statement in another thread.
        leash = ends_with_us() if more else nullcontext()
        with one_core(), leash, get_client(sync_client=True) as client:
            problem = client.api_healthcheck()
        if problem is not None:
            raise UsageError(
                f"{SERVER}: expected a running Prefect server, none answers at {client.api_url}: {problem}"
            )
        yield
