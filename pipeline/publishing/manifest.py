"""Makes the blocks of a manifest: one for every source, with its last run, and one for every file.

What later runs ask the last manifest about its dumps is also answered here.

A source's block has a block for each dump that was read, and under ``last_good`` the blocks of pages without a good
capture since.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pipeline.base.disk import hash_file
from pipeline.merging.outcome import LOST, Outcome, Status, describe_outcome
from pipeline.publishing.chain import Chain
from pipeline.publishing.store import STAMP, path_of

LAST_GOOD: Final = "last_good"


def source_blocks(
    outcomes: Sequence[Outcome], chain: Chain, started_at: datetime, rows: Mapping[str, int]
) -> dict[str, Any]:
    """Return the blocks of all sources: new ones for the sources of this run, the last ones for the others."""
    sources = chain.last.sources if chain.last else {}
    blocks = {source: _block_of_rows(chain, source) for source in sources}
    now = started_at.isoformat(timespec="seconds")
    for outcome in outcomes:
        if outcome.status is Status.ABSENT:
            continue
        this_run = {"run_id": run_id_of(started_at), "attempted_at": now}
        if outcome.unchanged is not None:
            blocks[outcome.source] = {**describe_outcome(outcome), **this_run, "refreshed_at": now}
            continue
        last, held = sources.get(outcome.source, {}), blocks.get(outcome.source, {})
        failed = outcome.status is Status.FAILED
        stays = last if outcome.tables is not None else held  # the block about the rows that stay
        contributing = {**held.get("feeding", {}), **last.get("feeding", {})}
        blocks[outcome.source] = {
            **this_run,
            "refreshed_at": stays.get("refreshed_at") if failed else now,
            **describe_outcome(outcome),
            **({"code": stays.get("code")} if failed else {}),  # that of the rows that stay
            "published": rows.get(path_of("records", outcome.source), 0),
            # After a failure the rows of these dumps stay: the next run needs their pages.
            "feeding": stays.get("feeding", {}) if failed else contributing_pages(outcome, contributing),
            LAST_GOOD: last_good(last, pages_without(outcome)),
        }
    return dict(sorted(blocks.items()))


def _block_of_rows(chain: Chain, source: str) -> Mapping[str, Any]:
    """Return the block about the rows of a source that can be carried over.

    If no snapshot has them undamaged, the block says so from now on; it keeps the good dumps for the guards.
    """
    intact = chain.newest_intact(source, "records", "sightings")
    if intact is not None:
        return intact.sources.get(source, {})
    last = chain.last.sources[source] if chain.last else {}
    gone = {"status": Status.FAILED.value, "error": f"{source}: {LOST}", "inputs": None, "records": None}
    return {**last, **gone, "published": 0, "refreshed_at": None, "feeding": {}, LAST_GOOD: good_blocks(last)}


def pages_without(outcome: Outcome) -> set[str] | None:
    """Return the pages without a good capture in this run; None for all, if the source failed."""
    if outcome.status is Status.FAILED:
        return None
    good = {reading.dump.page for reading in outcome.readings if reading.error is None}
    return {reading.dump.page for reading in outcome.readings} - good


def contributing_pages(outcome: Outcome, before: Mapping[str, str]) -> dict[str, str]:
    """Return the page of every dump that has a sighting in the published rows, carried rows included."""
    pages = {**before, **{reading.dump.path: reading.dump.page for reading in outcome.readings}}
    seen = [] if outcome.sightings is None else outcome.sightings["dump"].unique().to_list()
    return {path: pages[path] for path in sorted(seen)}


def file_blocks(folder: Path, hashes: Mapping[str, str], rows: Mapping[str, int]) -> dict[str, Any]:
    """Return the blocks of all files of the snapshot but the manifest: hash, rows of a table, bytes."""
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    return {
        path: {"sha256": hashes.get(path) or hash_file(file), "rows": rows.get(path), "bytes": file.stat().st_size}
        for path, file in sorted(files.items())
    }


def run_id_of(started_at: datetime) -> str:
    """Return the id of a run: its start in UTC, to the second."""
    return started_at.strftime(STAMP)


def good_blocks(block: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the blocks of the good dumps in a source's block of the manifest.

    If the source failed as a whole, nothing of that run was published: the earlier good dumps still count.
    """
    dumps = [] if block.get("status") == "failed" else [each for each in block.get("dumps", ()) if not each["error"]]
    pages = {each["page"] for each in dumps}
    return [*dumps, *(each for each in block.get(LAST_GOOD, ()) if each["page"] not in pages)]


def failures(block: Mapping[str, Any]) -> set[tuple[str, str | None, str]]:
    """Return path, hash and error of each dump that failed when a source's block of the manifest was written."""
    return {(each["path"], each["sha256"], each["error"]) for each in block.get("dumps", ()) if each["error"]}


def failed_paths(block: Mapping[str, Any]) -> set[str]:
    """Return the paths of the dumps that failed when a source's block of the manifest was written."""
    return {path for path, *_ in failures(block)}


def doubted_paths(block: Mapping[str, Any]) -> set[str]:
    """Return the paths of the good dumps that may be wrong, from a source's block of the manifest.

    They are those without a record, those that a person was told to look at, and those that turned out to have the
    records of another day.
    """
    good = [(each["path"], each.get("measure") or {}) for each in block.get("dumps", ()) if not each["error"]]
    own = {path for path, measure in good if not measure.get("records") or measure.get("doubted")}
    return own | {measure["repeated_by"] for _, measure in good if measure.get("repeated_by")}


def last_good(block: Mapping[str, Any], failed: Iterable[str] | None) -> list[Mapping[str, Any]]:
    """Return the good dumps in a source's last block of the pages that failed now, which the next run needs.

    ``failed`` are these pages, None for all.
    """
    pages = None if failed is None else set(failed)
    return [each for each in good_blocks(block) if pages is None or each["page"] in pages]
