"""What a run tells people: one table, the messages of what failed, where the dataset is; as text and as Markdown.

Pure functions from a result to text; printing belongs to the command line, artifacts to the flows.
"""

from collections.abc import Iterable, Sequence

import polars as pl

from pipeline.advice import next_steps
from pipeline.escape import in_one_line
from pipeline.outcome import Outcome, Status
from pipeline.refresh import Result

HEADER = ("source", "status", "dumps", "records", "quarantined", "unexplained lines", "seconds")


def summary_rows(outcomes: Iterable[Outcome]) -> list[tuple[str, ...]]:
    """Return one row a source that is there, in the order of ``HEADER``; one that failed shows no records."""
    return [
        (
            outcome.source,
            outcome.status.value,
            str(len(outcome.block["dumps"])),
            "-" if outcome.block["records"] is None else str(outcome.block["records"]),
            str(outcome.quarantine.height),
            str(outcome.unexplained),
            f"{outcome.seconds:.2f}",
        )
        for outcome in outcomes
        if outcome.status is not Status.ABSENT
    ]


def messages(result: Result) -> list[str]:
    """Return one line for everything a person should know besides the counts, what failed first."""
    failed = [f"failed: {problem}" for outcome in result.outcomes for problem in problems(outcome)]
    unknown = [f"failed: {path}: {why}" for path, why in result.unknown.items()]
    held = [f"held back: {row}" for outcome in result.outcomes if (row := held_back(outcome))]
    settled = [f"failed before: {told}" for outcome in result.outcomes if (told := outlived(outcome))]
    alarms = (alarm for outcome in result.outcomes for alarm in warnings(outcome))
    warned = [f"warning: {each}" for each in (*result.warnings, *alarms)]
    specimens = sum(dump.get("specimen", False) for outcome in result.outcomes for dump in outcome.block["dumps"])
    invented = [f"specimens: {specimens} of the dumps are invented, for trying out"] if specimens else []
    kept = [f"kept: the last good files of {outcome.source}" for outcome in result.outcomes if outcome.kept]
    left_out = [f"left out: {path} (a specimen beside real dumps)" for path in result.left_out]
    ignored = [f"ignored: {path} ({why})" for path, why in result.inventory.ignored.items()]
    absent = [outcome.source for outcome in result.outcomes if outcome.status is Status.ABSENT]
    nothing = [f"no dumps: {', '.join(absent)}"] if absent else []
    upkeep = result.upkeep
    lost = [f"failed: {problem}" for problem in upkeep.lost]
    aside = [*nothing, *left_out, *ignored, *upkeep.passed_over, *invented]
    lines = [*failed, *lost, *unknown, *kept, *upkeep.told, *settled, *warned, *held, *aside]
    return list(map(in_one_line, lines))


def problems(outcome: Outcome) -> list[str]:
    """Return the errors of a source: one a dump that could not be used, else the one of the source as a whole."""
    dumps = [reading.error for reading in outcome.readings if reading.error is not None and not reading.settled]
    return dumps or ([outcome.error] if outcome.error else [])


def outlived(outcome: Outcome) -> str | None:
    """Count the captures that failed in an earlier run and which newer good ones of their pages have outlived."""
    number = sum(dump.get("settled", False) for dump in outcome.block["dumps"])
    return f"{number} of the captures of {outcome.source}; newer ones of their pages are good" if number else None


def warnings(outcome: Outcome) -> list[str]:
    """Return the alarms of guards that do not fail a dump, each with the dump."""
    return [f"{dump['path']}: {alarm}" for dump in outcome.block["dumps"] for alarm in dump.get("warnings", ())]


def held_back(outcome: Outcome) -> str | None:
    """Describe the first thing that was held back from the dumps that could be used, and count the others."""
    bad = [dump["path"] for dump in outcome.block["dumps"] if dump["error"]]
    rows = outcome.quarantine.filter(pl.col("dump").is_not_null() & ~pl.col("dump").is_in(bad))
    if rows.is_empty():
        return None
    first = rows.sort("dump", "line_start", nulls_last=True).row(0, named=True)
    others = f" (and {rows.height - 1} more)" if rows.height > 1 else ""
    return f"{first['dump']}:{first['line_start'] or '-'}: {first['reason']}: {first['detail'][:200]}{others}"


def publication_line(result: Result) -> str:
    """Say where the dataset is."""
    made = "new snapshot" if result.publication.new else "no data file changed, same snapshot"
    return in_one_line(f"dataset: {result.publication.folder} ({made})")


def as_markdown(result: Result) -> str:
    """Return the summary as Markdown, for the artifact of a flow run."""
    rows = [HEADER, tuple("---" for _ in HEADER), *summary_rows(result.outcomes)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    notes = "\n".join(f"- `{message}`" for message in messages(result))
    steps = "\n".join(f"- `{step}`" for step in next_steps(result))
    return "\n\n".join(part for part in (table, notes, publication_line(result), steps) if part)


def as_lines(result: Result) -> list[str]:
    """Return the summary as plain lines, one a source, for a log; the last ones say what to do where a run is red."""
    rows = [_plain(row) for row in summary_rows(result.outcomes)]
    return [*messages(result), *rows, publication_line(result), *next_steps(result)]


def _plain(row: Sequence[str]) -> str:
    """Write one row as ``name: value`` pairs."""
    return ", ".join(f"{name}: {value}" for name, value in zip(HEADER, row, strict=True))
