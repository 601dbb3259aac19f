"""The plan of a run, made before anything is read: what was asked for, the dumps, and the published snapshots."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from parsers._contract import Family, Source
from pipeline.base.known_files import KnownFiles
from pipeline.base.settings import Settings, UsageError
from pipeline.base.suggest import check_names
from pipeline.publishing.captures import contributing
from pipeline.publishing.chain import Chain
from pipeline.publishing.store import Snapshot
from pipeline.publishing.works import UNDECIDED, Decisions, load_decisions
from pipeline.raw.inventory import Inventory, take_inventory


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a run: the known and the chosen sources, the dumps in the raw root, and the published snapshots.

    Sources are given by name: one with nothing new is not imported. With ``again`` dumps that exceeded their limits in
    an earlier run are tried again; with ``anew`` all captures are read again, all rows are merged, and newer code may
    take values away from published records; the dumps of ``withdrawn`` sources were removed on purpose.
    ``decisions`` are those on works.
    """

    settings: Settings
    known: Mapping[str, Source]
    chosen: tuple[str, ...]
    inventory: Inventory
    chain: Chain
    started_at: datetime
    everything: bool
    again: bool = False
    anew: bool = False
    withdrawn: tuple[str, ...] = ()
    decisions: Decisions = UNDECIDED

    @property
    def previous(self) -> Snapshot | None:
        """The snapshot that the run continues from; None for a first run."""
        return self.chain.last

    def others(self, name: str) -> Iterator[Source]:
        """Yield all sources but one; each is imported only when it is reached."""
        return (source for other, source in self.known.items() if other != name)

    def family(self, source: str) -> Family | None:
        """Return the family of a source; None if it has no parser."""
        return self.known[source].family if source in self.known else None


def make_plan(  # noqa: PLR0913  # what to plan, and what a person said
    settings: Settings,
    known: Mapping[str, Source],
    files: KnownFiles,
    names: Sequence[str] = (),
    *,
    again: bool = False,
    anew: bool = False,
    withdrawn: Sequence[str] = (),
    started_at: datetime | None = None,
) -> Plan:
    """Plan a run of the named sources, or of all that are known, that began at a moment, by default now.

    ``files`` is what is known of files. Raises ``UsageError`` for an unknown name, for a ``withdrawn`` source that has
    dumps, and for decisions on works that contradict each other.
    """
    check_names("no such source", [*names, *withdrawn], known)
    chosen = tuple(sorted({*names, *withdrawn}) if names else known)
    chain = Chain(settings.out, files)
    inventory = take_inventory(settings.raw, known, settings.links, partial(contributing, chain.last), files)
    for source in withdrawn:
        if dumps := inventory.dumps.get(source):
            raise UsageError(f"{source}: expected no dumps of a withdrawn source, found {dumps[0].path}")
    return Plan(
        settings,
        known,
        chosen,
        inventory,
        chain,
        started_at or now(),
        not names,
        again,
        anew,
        tuple(withdrawn),
        load_decisions(settings.works),
    )


def now() -> datetime:
    """Return the time in UTC: every moment of a run is by this clock."""
    return datetime.now(UTC)
