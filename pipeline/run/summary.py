"""The summary of a run for people: a table, messages and the place of the dataset, as text, log and Markdown.

Pure functions from a result to text; printing belongs to the command line, log and artifacts to the flows.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import polars as pl

from pipeline.base.escape import in_one_line
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Outcome, Status
from pipeline.publishing.store import with_unreached
from pipeline.run.advice import LOOK, next_steps, short, told_of
from pipeline.run.refresh import Result

HEADER = ("source", "status", "dumps", "records", "quarantined", "unexplained lines", "seconds")

_LEVELS: Final = {"failed": logging.ERROR} | dict.fromkeys(
    (LOOK, "held back", "warning", "damaged", "healed", "moved aside"), logging.WARNING
)
"""Log level of a message, by its text before the first colon; INFO for all others."""

_SHOWN: Final = 100
"""Characters of a detail and of a text shown in a message."""

_OF_NONE: Final = ": not_this_source: "

_MOST: Final = 3
"""Maximum number of things of a source that a person should look at, told in its line."""


def summary_rows(outcomes: Iterable[Outcome]) -> list[tuple[str, ...]]:
    """Return one row per source with dumps, in the order of ``HEADER``; one without new rows shows no records."""
    return [
        (
            outcome.source,
            with_unreached(outcome.status.value, outcome.unreached),
            str(outcome.dumps),
            f"{outcome.total}{_changes(outcome)}" if outcome.status.has_rows else "-",
            str(outcome.quarantine.height),
            str(outcome.unexplained),
            f"{outcome.seconds:.2f}",
        )
        for outcome in outcomes
        if outcome.status is not Status.ABSENT or outcome.unreached
    ]


def _changes(outcome: Outcome) -> str:
    """Return the changes since the records published before, in brackets; empty if there are none."""
    count = Counter(outcome.changes or {})
    signed = [f"{sign}{count[name]}" for sign, name in (("+", "new"), ("-", "gone")) if count[name]]
    told = [" ".join(signed), *(f"{count[name]} {name}" for name in ("moved", "retitled") if count[name])]
    shown = ", ".join(filter(None, told))
    return f" ({shown})" if shown else ""


def looks(result: Result) -> list[str]:
    """Return one line per source that a person should look at though nothing is wrong."""
    found = ((outcome.source, [sign.detail for sign in outcome.looks]) for outcome in result.outcomes if outcome.looks)
    return [
        in_one_line(f"{LOOK}: {source}: {'; '.join([*told[:_MOST], *([f'and {more} more'] if more > 0 else [])])}")
        for source, told in found
        for more in [len(told) - _MOST]
    ]


def amber_lines(result: Result) -> list[str]:
    """Return all that a quiet run prints if it is good: what a person should look at, and how."""
    return [*looks(result), *next_steps(result)]


def messages(result: Result) -> list[str]:
    """Return one line for everything worth knowing besides the counts, failures first."""
    return list(map(in_one_line, (*_failed(result), *_told(result), *_aside(result))))


def _failed(result: Result) -> Iterator[str]:
    """Yield what failed, and what stays nevertheless."""
    outcomes = result.outcomes
    # What a dump of no source could have been is long, and ``parse --lines`` has it.
    problems_of_all = (
        short(problem) if _OF_NONE in problem else problem for outcome in outcomes for problem in problems(outcome)
    )
    unknown = (f"{path}: {why}" for path, why in result.unknown.items())
    yield from (f"failed: {each}" for each in (*result.failures, *problems_of_all, *result.repairs.lost, *unknown))
    yield from (f"kept: the last good files of {each.source}" for each in outcomes if each.kept and each.error)


def _told(result: Result) -> Iterator[str]:
    """Yield what was mended, what a person should look at, warnings, and what was held back."""
    outcomes = result.outcomes
    alarms = (alarm for outcome in outcomes for alarm in warnings(outcome))
    yield from result.repairs.reported
    yield from (f"failed before: {count}" for outcome in outcomes if (count := superseded_captures(outcome)))
    yield from looks(result)
    yield from (f"warning: {each}" for each in (*result.warnings, *alarms))
    yield from (f"held back: {row}" for outcome in outcomes if (row := held_back(outcome)))


def _aside(result: Result) -> Iterator[str]:
    """Yield what took no part."""
    absent = [outcome.source for outcome in result.outcomes if outcome.status is Status.ABSENT]
    yield from [f"no dumps: {', '.join(absent)}"] if absent else []
    yield from (f"left out: {path} (a specimen; the source has real dumps)" for path in result.left_out)
    yield from (f"ignored: {path} ({why})" for path, why in result.inventory.ignored.items())
    yield from result.repairs.passed_over
    specimens = sum(outcome.captures["specimen"].sum() for outcome in result.outcomes)
    yield from [f"specimens: {specimens} of the dumps are invented examples"] if specimens else []


def problems(outcome: Outcome) -> list[str]:
    """Return the errors of a source: one per unusable dump, else that of the source as a whole."""
    dumps = [reading.error for reading in outcome.readings if reading.error is not None and reading.fails]
    return dumps or ([outcome.error] if outcome.error else [])


def superseded_captures(outcome: Outcome) -> str | None:
    """Return the count of captures that failed earlier and have newer good ones of their pages; None if zero."""
    number = sum(reading.superseded for reading in outcome.readings)
    return (
        f"{number} of the captures of {outcome.source}; newer captures of the same pages are good, or wait"
        if number
        else None
    )


def warnings(outcome: Outcome) -> list[str]:
    """Return the guard alarms that do not fail a dump, each with its dump."""
    warned = outcome.captures.filter(pl.col("warnings").is_not_null()).select("dump", "warnings")
    return [f"{dump}: {alarm}" for dump, alarms in warned.iter_rows() for alarm in alarms]


def held_back(outcome: Outcome) -> str | None:
    """Return the first row held back from usable dumps, and the number of others; None without any."""
    bad = [path for reading in outcome.readings if reading.error is not None for path in reading.dump.paths]
    rows = outcome.quarantine.filter(pl.col("dump").is_not_null() & ~pl.col("dump").is_in(bad))
    if rows.is_empty():
        return None
    first = rows.sort("dump", "line_start", nulls_last=True).row(0, named=True)
    others = f" (and {rows.height - 1} more)" if rows.height > 1 else ""
    what = f"{first['reason']}: {first['detail'][:_SHOWN]}: {(first['text'] or '')[:_SHOWN]!r}"
    return f"{first['dump']}:{first['line_start'] or '-'}: {what}{others}"


def publication_line(result: Result) -> str:
    """Return the line with the place of the dataset."""
    made = "new snapshot" if result.publication.new else "no data file changed, same snapshot"
    return in_one_line(f"dataset: {result.publication.folder} ({made})")


def as_table(outcomes: Iterable[Outcome]) -> list[dict[str, str]]:
    """Return the table of the sources, for an artifact of a flow run."""
    return [dict(zip(HEADER, row, strict=True)) for row in summary_rows(outcomes)]


def as_markdown(result: Result) -> str:
    """Return the summary as Markdown, to stand beside its table."""
    parts = [_list(messages(result)), _code(publication_line(result)), _list(next_steps(result))]
    return "\n\n".join(filter(None, parts))


def source_as_markdown(outcome: Outcome, settings: Settings) -> str:
    """Return what is red or amber in a source with the next commands, and notes, as Markdown beside its table."""
    notes = [f"warning: {each}" for each in warnings(outcome)]
    notes += [f"held back: {held}"] if (held := held_back(outcome)) else []
    return "\n\n".join(filter(None, [_list(told_of(outcome, settings)), _list(notes)]))


def as_lines(result: Result) -> list[str]:
    """Return the summary as plain lines; the last ones give the next steps after a red run."""
    rows = [_plain(row) for row in summary_rows(result.outcomes)]
    return [*messages(result), *rows, publication_line(result), *next_steps(result)]


def as_log(result: Result) -> list[tuple[int, str]]:
    """Return the summary as log lines with their levels, without the ``red:`` lines, which repeat causes."""
    steps = [step for step in next_steps(result) if not step.startswith("red: ")]
    lines = [
        *messages(result),
        *(_plain(row) for row in summary_rows(result.outcomes)),
        publication_line(result),
        *steps,
    ]
    return [(_LEVELS.get(line.partition(":")[0], logging.INFO), line) for line in lines]


def as_state(result: Result) -> str:
    """Return the causes of a red run in one line."""
    return "; ".join(step.removeprefix("red: ") for step in next_steps(result) if step.startswith("red: "))


def _list(lines: Iterable[str]) -> str:
    """Return a Markdown list of lines shown verbatim."""
    return "\n".join(f"- {_code(line)}" for line in lines)


def _code(text: str) -> str:
    """Return a text as Markdown code, shown verbatim: dumps and their names may contain Markdown or HTML."""
    if not text:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    blank = " " if "`" in text else ""
    return f"{fence}{blank}{in_one_line(text)}{blank}{fence}"


def _plain(row: Sequence[str]) -> str:
    """Return one row as ``name: value`` pairs."""
    return ", ".join(f"{name}: {value}" for name, value in zip(HEADER, row, strict=True))
