"""The JSON objects that commands print with ``--json``, each with a JSON Schema in ``docs/schemas/``.

Keys may be added; removing one or changing its meaning needs a line in the changelog.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from parsers._contract import Source
from parsers._ledger.lines import Place
from pipeline.explaining.line import ExplainedLine, LineUse
from pipeline.explaining.record import Contribution, ExplainedRecord
from pipeline.merging.outcome import Outcome, Status
from pipeline.publishing.pieces import source_of
from pipeline.publishing.store import Snapshot, fresh_at, is_awaited
from pipeline.publishing.verify import Verdict
from pipeline.run.advice import next_steps
from pipeline.run.refresh import Result
from pipeline.run.summary import messages


def describe_result(result: Result, *, good: bool, fetched: Sequence[str]) -> dict[str, Any]:
    """Describe a refresh; ``fetched`` are the messages of the fetch before it, ``good`` covers both."""
    there = (outcome for outcome in result.outcomes if outcome.status is not Status.ABSENT)
    return {
        "good": good,
        "error": None,
        "dataset": str(result.publication.folder),
        "new": result.publication.new,
        "sources": {outcome.source: _describe_outcome(outcome) for outcome in there},
        "unclaimed": dict(result.unknown),
        "messages": [*fetched, *messages(result)],
        "next": next_steps(result),
    }


def describe_failure(error: str) -> dict[str, Any]:
    """Describe a refresh that could publish nothing."""
    return {
        "good": False,
        "error": error,
        "dataset": None,
        "new": False,
        "sources": {},
        "unclaimed": {},
        "messages": [],
        "next": [],
    }


def describe_status(
    snapshot: Snapshot | None, blocks: Mapping[str, Mapping[str, Any]], stale: Collection[str], now: datetime
) -> dict[str, Any]:
    """Describe what is published of some sources; ``stale`` are those older than the limit."""
    sources = {name: _describe_block(block, now, stale=name in stale) for name, block in blocks.items()}
    missing = [name for name, block in blocks.items() if fresh_at(block) is None and not is_awaited(block)]
    red = (each["stale"] or name in missing or each["status"] == Status.FAILED for name, each in sources.items())
    return {
        "good": snapshot is not None and not any(red) and not snapshot.works.get("error"),
        "dataset": str(snapshot.folder) if snapshot else None,
        "contract_version": snapshot.manifest["contract_version"] if snapshot else None,
        "sources": sources,
        "unclaimed": snapshot.unclaimed if snapshot else {},
    }


def describe_verdict(verdict: Verdict) -> dict[str, Any]:
    """Describe the result of checking a dataset."""
    return {
        "good": not verdict.problems,
        "dataset": str(verdict.folder),
        "files": verdict.files,
        "records": verdict.rows,
        "problems": list(verdict.problems),
    }


def describe_files(snapshot: Snapshot, before: Snapshot | None, sources: Collection[str]) -> dict[str, Any]:
    """Describe the data files of some sources, or those that differ from the files of a snapshot before."""
    there, past = (
        {path: block for path, block in each.files.items() if "/" in path and source_of(path) in sources}
        if each
        else {}
        for each in (snapshot, before)
    )
    return {
        "dataset": str(snapshot.folder),
        "since": before.id if before else None,
        "files": {
            path: {name: block[name] for name in ("sha256", "bytes", "rows")}
            for path, block in there.items()
            if path not in past or past[path]["sha256"] != block["sha256"]
        },
        "gone": sorted(past.keys() - there.keys()),
    }


def describe_source(source: Source, dumps: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Describe a known source; ``dumps`` are paths with the name of a format, or the reason for having none."""
    names = {format_.name for format_ in source.formats}
    return {
        "name": source.name,
        "title": source.title,
        "parser": source.parser,
        "family": source.family.value,
        "page": source.page.value,
        "formats": [{"name": each.name, "expects": each.expects} for each in source.formats],
        "dumps": [
            {"path": path, "format": found if found in names else None, "reason": None if found in names else found}
            for path, found in dumps
        ],
    }


def describe_place(place: Place) -> dict[str, Any]:
    """Describe what became of a line, text or key of a dump, with its full text."""
    read = place.reading
    return {
        "number": place.number,
        "class": place.line_class,
        "rule": place.rule,
        "form": read.form if read else None,
        "role": read.role if read else None,
        "price": read.price if read else None,
        "other": read.other if read else None,
        "margin": read.margin if read else None,
        "text": place.text,
    }


def describe_record(found: ExplainedRecord, *, is_newest: bool) -> dict[str, Any]:
    """Describe the origin of a record; texts are whole. ``is_newest`` says if the newest snapshot has it."""
    row = found.row
    return {
        "what": "record",
        "record_id": row["record_id"],
        "title": row["title"],
        "published": is_newest,
        "snapshot": str(found.folder),
        "parser": row["parser"],
        "fields": [
            {"column": each.column, "value": each.value, "place": each.place, "rule": each.rule}
            for each in found.fields
        ],
        "notes": list(row["notes"]),
        "sightings": list(map(_describe_contribution, found.sightings)),
        "beside": list(map(_describe_contribution, found.beside)),
        "history": [
            {
                "snapshot": each.snapshot,
                "change": each.change,
                "values": [dict(zip(("column", "before", "after"), value, strict=True)) for value in each.values],
            }
            for each in found.history
        ],
    }


def describe_held_back(record_id: str, rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Describe a record that is in quarantine by its rows there."""
    columns = ("dump", "line_start", "line_end", "reason", "detail")
    return {
        "what": "held_back",
        "record_id": record_id,
        "rows": [{name: row[name] for name in columns} for row in rows],
    }


def describe_line(found: ExplainedLine) -> dict[str, Any]:
    """Describe what became of a line of a dump, and of what is published from it."""
    return {
        "what": "line",
        "dump": found.dump,
        "line": found.number,
        "remarks": list(found.remarks),
        "places": list(map(describe_place, found.places)),
        "now": _describe_use(found.now),
        "published": _describe_use(found.published),
        "unpublished": found.unpublished,
    }


def _describe_contribution(found: Contribution) -> dict[str, Any]:
    """Describe a record in one capture."""
    return {
        "place": found.place,
        "remark": found.remark or None,
        "gave": list(found.gave),
        "differs": dict(found.otherwise),
    }


def _describe_use(use: LineUse) -> dict[str, Any]:
    """Describe what a line is part of."""
    return {
        "records": [dict(zip(("record_id", "line_start", "line_end"), each, strict=True)) for each in use.records],
        "held_back": [dict(zip(("reason", "detail"), each, strict=True)) for each in use.held_back],
    }


def _describe_outcome(outcome: Outcome) -> dict[str, Any]:
    """Describe the outcome of a source."""
    return {
        "status": outcome.status.value,
        "error": outcome.problem,
        "dumps": outcome.dumps,
        "records": outcome.total if outcome.status.has_rows else None,
        "quarantined": outcome.quarantine.height,
        "reasons": outcome.reasons,
        "lines": dict(outcome.lines),
        "changes": outcome.changes,
        "attention": [sign.detail for sign in outcome.looks],
        "signals": outcome.signals,
        "seconds": round(outcome.seconds, 3),
    }


def _describe_block(block: Mapping[str, Any], now: datetime, *, stale: bool) -> dict[str, Any]:
    """Describe what is published of a source; its age is null without data, negative after a wrong clock."""
    moment = fresh_at(block)
    return {
        "status": block["status"],
        "error": block["error"],
        "age_seconds": None if moment is None else int((now - moment).total_seconds()),
        "stale": stale,
        "refreshed_at": block["refreshed_at"],
        "checked_at": block.get("checked_at"),
        "records": block["published"],
        "quarantined": block["quarantined"],
        "reasons": block["reasons"],
        "lines": block["lines"],
        "attention": list(block.get("attention", ())),
        "waiting": block.get("waiting", {}),
        "unreached": block.get("unreached", {}),
    }
