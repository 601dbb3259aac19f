"""Says what damage was found below the out root, and what became of it.

Repairs are reported; damage that cannot be repaired is a failure. Repairing belongs to the run, which can read dumps.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.merging.outcome import LOST, Outcome
from pipeline.publishing.chain import Chain
from pipeline.publishing.pieces import OF_RECORDS, source_of
from pipeline.publishing.store import CHANGES_FILE, Snapshot


@dataclass(frozen=True, slots=True)
class Repairs:
    """Damage found below the out root: ``reported`` are lines on what was repaired, ``lost`` on what could not be.

    ``passed_over`` are lines on files and folders among the snapshots that are not snapshots.
    """

    reported: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()


def damaged_rows_message(source: str, intact: Snapshot | None) -> str:
    """Return the message on rows damaged in the last snapshot: where their replacement comes from, if anywhere."""
    if intact is None:
        return f"{source}: {LOST}"
    return f"{source}: the published rows are damaged; using those of snapshot {intact.id} instead"


def damaged_file_message(chain: Chain, path: str, outcome: Outcome | None) -> str:
    """Return the line on a damaged file of the last snapshot: what it was rebuilt from, if it was."""
    damaged = f"{path} of {chain.last.id if chain.last else None} does not match its manifest"
    if path == CHANGES_FILE:
        return f"damaged: {damaged}: the changes of that run are lost"
    if "/" not in path:
        return f"healed: {damaged}: written again"
    about_dumps = path.startswith(("quarantine/", "captures/"))
    if outcome is not None and (about_dumps or outcome.tables is not None):
        return f"healed: {damaged}: rebuilt from the dumps"
    intact = chain.newest_intact(source_of(path), *(("quarantine",) if about_dumps else OF_RECORDS))
    if intact is chain.last:
        return f"healed: {damaged}: rebuilt from its copy"
    return f"damaged: {damaged}"


def loss_messages(chain: Chain, source: str) -> Iterator[str]:
    """Yield the lines on unrepaired damage of a source that no longer has a parser, or has neither dumps nor rows."""
    rows, quarantine = (chain.newest_intact(source, *tables) for tables in (OF_RECORDS, ("quarantine",)))
    if rows is not chain.last:
        yield damaged_rows_message(source, rows)
    if quarantine is not chain.last:
        yield f"{source}: the quarantine table is damaged; " + (
            f"using the one of snapshot {quarantine.id} instead" if quarantine else "no snapshot has an intact one"
        )
