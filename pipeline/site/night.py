"""The page of the night: what the last runs did, what is wrong and what to do about it, and how tables grew or thinned.

One file without anything beside it, so that it can be the artifact of a job. From the log of runs and the snapshot.
"""

from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

import polars as pl
from markupsafe import Markup, escape

from pipeline.base.escape import harmless
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Status
from pipeline.publishing.captures import captures_of
from pipeline.publishing.runs import Run, SourceRun
from pipeline.publishing.store import Snapshot, fresh_at, unreached_lines, waiting_pages
from pipeline.viewing.selection import Row

RUNS: Final = 60
"""Number of runs that a curve shows."""
EXAMPLES: Final = 5
"""Number of rows of a reason of quarantine that are shown."""
SHOWN: Final = 300
"""Characters of a text that is shown."""
COLUMNS: Final = 12
"""Number of columns whose nulls are shown, those with most changes first."""

_WIDTH, _HEIGHT = 120, 20


@dataclass(frozen=True, slots=True)
class NightAlarm:
    """What a person should look at: what was found, and the commands that show more."""

    text: str
    commands: list[str]


@dataclass(frozen=True, slots=True)
class SourceNight:
    """A source in the last runs: its newest line, the time of its data, and its curves as SVG."""

    name: str
    status: str
    fresh: datetime | None
    records: int
    rows: Markup
    quarantined: int
    held: Markup
    nulls: Sequence[tuple[str, int, Markup]]


def night_of(snapshot: Snapshot, runs: Sequence[Run], settings: Settings, *, raw: bool) -> dict[str, Any]:
    """Return what the page shows of a snapshot and the runs, newest last; with ``raw`` also lines of failed dumps.

    ``settings`` name the roots in commands.
    """
    last = runs[-1] if runs else None
    sources = [_source(name, snapshot, runs) for name in sorted(snapshot.sources)]
    return {
        "last": last,
        "killed": [run for run in runs[-RUNS:-1] if run.killed],
        "sources": sources,
        "alarms": list(_alarms(snapshot, runs, settings)),
        "quarantine": list(_quarantine(snapshot, raw=raw)),
    }


def _source(name: str, snapshot: Snapshot, runs: Sequence[Run]) -> SourceNight:
    """Return the row of a source."""
    lines = [each for run in runs[-RUNS:] for each in run.sources if each.source == name]
    block = snapshot.sources[name]
    held = [sum(each.quarantined.values()) for each in lines]
    return SourceNight(
        name,
        lines[-1].status if lines else block["status"],
        fresh_at(block),
        block["published"],
        curve("records", [each.published for each in lines]),
        block["quarantined"],
        curve("quarantined rows", held),
        list(_nulls(lines)),
    )


def _nulls(lines: Sequence[SourceRun]) -> Iterator[tuple[str, int, Markup]]:
    """Yield columns with their nulls in the newest line and their curve: those that changed first, then by name."""
    known = [each.nulls for each in lines if each.nulls is not None]
    names = {name for nulls in known for name in nulls}
    series = {name: [nulls.get(name, 0) for nulls in known] for name in names}
    changed = sorted(names, key=lambda name: (len(set(series[name])) == 1, name))
    for name in changed[:COLUMNS]:
        yield name, series[name][-1], curve(f"nulls of {name}", series[name])


def _alarms(snapshot: Snapshot, runs: Sequence[Run], settings: Settings) -> Iterator[NightAlarm]:
    """Yield what is red or amber as the newest run of each source told it, then pages that wait or are not reached."""
    end = runs[-1].end if runs else None
    newest = {each.source: each for run in runs for each in run.sources if each.source in snapshot.sources}
    told = [f"red: {end.error}"] if end and end.error else []
    told += [*(end.told if end else ()), *(line for each in newest.values() for line in _told(each))]
    alarms: list[NightAlarm] = []
    for line in told:
        if line.startswith("next: ") and alarms:
            alarms[-1].commands.append(line.removeprefix("next: "))
        else:
            alarms.append(NightAlarm(line.partition(": ")[2], []))
    yield from alarms
    for source, block in sorted(snapshot.sources.items()):
        for text in (*waiting_pages(block).values(), *unreached_lines(block.get("unreached", {}))):
            yield NightAlarm(f"{source}: {text}", [f"conspectus status {source} {settings.roots}"])


def _told(line: SourceRun) -> Sequence[str]:
    """Return what a run told of a source; only its error if an earlier version wrote its line."""
    return line.told or ((f"red: {line.source}: {line.error}",) if line.error else ())


def _quarantine(snapshot: Snapshot, *, raw: bool) -> Iterator[tuple[str, str, int, list[Row]]]:
    """Yield source, reason, number and examples of what was held back, most first.

    The text of a dump that was refused as a whole is left out unless ``raw``.
    """
    for source in sorted(snapshot.sources):
        table = snapshot.table("quarantine", source)
        if table is None or table.is_empty():
            continue
        refused = set(captures_of(snapshot, source)["error"].drop_nulls())
        counts = table["reason"].value_counts(sort=True).sort("count", "reason", descending=[True, False])
        for reason, count in counts.iter_rows():
            rows = table.filter(pl.col("reason") == reason).head(EXAMPLES)
            yield source, reason, count, [_example(row, () if raw else refused) for row in rows.iter_rows(named=True)]


def _example(row: Mapping[str, Any], refused: Collection[str]) -> Row:
    """Return what is shown of a row of the quarantine; the text of a dump that was ``refused`` as a whole is not."""
    place = f"{row['dump'] or '-'}:{row['line_start'] or '-'}"
    is_whole = f"{place}: {row['reason']}: {row['detail']}" in refused
    text = "" if is_whole else (row["text"] or "")[:SHOWN]
    shown: Row = harmless({"place": place, "detail": row["detail"], "text": text})
    return shown


def curve(name: str, values: Sequence[int]) -> Markup:
    """Return values as bars, the newest to the right, and as text for those who do not see them."""
    if len(values) < 2:
        return Markup()
    most = max(*values, 1)
    wide = _WIDTH / len(values)
    bars = Markup("").join(
        Markup('<rect x="{}" y="{}" width="{}" height="{}"/>').format(
            f"{place * wide:.1f}", f"{_HEIGHT - tall:.1f}", f"{max(wide - 0.5, 0.5):.1f}", f"{tall:.1f}"
        )
        for place, value in enumerate(values)
        if (tall := max(value / most * _HEIGHT, 0.5 if value else 0))
    )
    told = escape(f"{name} in the last {len(values)} runs, from {min(values)} to {max(values)}, now {values[-1]}")
    head = Markup('<svg role="img" aria-label="{}" width="{}" height="{}" viewBox="0 0 {} {}">')
    return head.format(told, _WIDTH, _HEIGHT, _WIDTH, _HEIGHT) + bars + Markup("</svg>")


def hash_of(text: str) -> str:
    """Return the hash by which a policy allows a style or script that stands in its page."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def is_good(status: str) -> bool:
    """True if nothing is wrong with a source."""
    return Status(status).is_good
