"""Says what damage was found below the out root, and what became of it.

Repairs are reported; damage that cannot be repaired is a failure. Repairing belongs to the run, which can read dumps.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeline.merging.outcome import Outcome
from pipeline.publishing.pieces import FOLDERS, LINES, WORKS_FILES, source_of
from pipeline.publishing.store import CHANGES_FILE, Snapshot
from schemas.works import WORK_CHANGES


@dataclass(frozen=True, slots=True)
class Repairs:
    """Damage found below the out root: ``reported`` are lines on what was repaired, ``lost`` on what could not be.

    ``passed_over`` are lines on files and folders among the snapshots that are not snapshots.
    """

    reported: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()


def lost_rows_message(source: str, lost: int, of: int) -> str:
    """Return the message on published rows of which neither a file nor a dump is left."""
    return f"{source}: {lost} of {of} published rows are lost: their files are damaged, and no dump gives them any more"


def damaged_tables_message(source: str, tables: Iterable[str]) -> str:
    """Return the message on tables of a source of which nothing can be made again."""
    return f"{source}: published files of {' and '.join(tables)} are damaged, and their rows are lost"


def damaged_file_message(last: Snapshot, path: str, outcome: Outcome | None) -> str:
    """Return the line on a damaged file of the last snapshot, which a run has made again if it could."""
    damaged = f"{path} of {last.id} does not match its manifest"
    if path in {CHANGES_FILE, WORKS_FILES[WORK_CHANGES.name]}:
        return f"damaged: {damaged}: the changes of that run are lost"
    if "/" not in path:
        return f"healed: {damaged}: written again"
    table = next(table for table in FOLDERS if path.split("/", maxsplit=1)[0] in {FOLDERS[table], LINES.get(table)})
    is_copy = path.endswith(".ndjson") and last.is_whole(table, source_of(path))
    if is_copy or (outcome is not None and outcome.lost is None):
        return f"healed: {damaged}: made again"
    return f"damaged: {damaged}"


def loss_messages(last: Snapshot, source: str) -> Iterator[str]:
    """Yield the line on the damaged tables of a source that no longer has a parser, or has neither dumps nor rows."""
    damaged = [table for table in FOLDERS if not last.is_whole(table, source)]
    if damaged:
        yield damaged_tables_message(source, damaged)
