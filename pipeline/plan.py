"""What a run is going to do, settled before anything is read: sources, dumps and their hashes, what is published."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from parsers._contract import Source
from parsers._registry import sources
from pipeline.cache import (
    CACHE,
    digest_of,
    inputs_of,
    key_of,
    made_with,
)
from pipeline.publishing.chain import Chain
from pipeline.publishing.store import Snapshot, hash_of
from pipeline.read import Fingerprint
from pipeline.settings import Settings, UsageError
from pipeline.snapshot import Dump, Inventory, take_inventory


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is going to do: the chosen sources, what the raw root holds, and what is published already.

    ``fingerprints`` tell the layouts of a source's documents apart. The hash of a dump is taken once and before it is
    read: bytes that change under a run then count as new in the next one.
    """

    settings: Settings
    chosen: tuple[Source, ...]
    inventory: Inventory
    chain: Chain
    started_at: datetime
    everything: bool
    fingerprints: Mapping[str, Fingerprint] = field(default_factory=dict)
    _hashes: dict[str, str | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def previous(self) -> Snapshot | None:
        """The snapshot that the run goes on from; None for a first run."""
        return self.chain.last

    def dumps(self, source: Source) -> tuple[Dump, ...]:
        """Return the dumps of a source, sorted by path."""
        return self.inventory.dumps.get(source.name, ())

    def hash(self, dump: Dump) -> str | None:
        """Return the SHA-256 of a dump's bytes; None where it cannot be read."""
        if dump.path not in self._hashes:
            self._hashes[dump.path] = hash_of(dump.file)
        return self._hashes[dump.path]

    def inputs(self, source: Source) -> str:
        """Return a hash of all that the tables of a source are made from: dumps, code and settings."""
        hashes = {dump.path: self.hash(dump) for dump in self.dumps(source)}
        guards = asdict(self.settings.guards.of(source.name))
        made = [*made_with(source), source.family, source.page, self.settings.max_bytes, guards, self._layout(source)]
        return digest_of([made, inputs_of(self.dumps(source), hashes)])

    def cache(self, source: Source) -> Path:
        """Return the folder of what the dumps of a source were parsed to."""
        return self.settings.out / CACHE / source.name

    def key(self, source: Source, dump: Dump) -> str | None:
        """Return the name of a dump's entry there; None for a dump that cannot be read."""
        digest = self.hash(dump)
        parts = (source.family, source.page, self.settings.max_bytes, self._layout(source))
        return key_of(source, dump, digest, parts) if digest else None

    def _layout(self, source: Source) -> str | None:
        """Name the function that tells the layouts of a source apart."""
        found = self.fingerprints.get(source.name)
        return f"{found.__module__}.{found.__qualname__}" if found else None


def make_plan(settings: Settings, names: Sequence[str] = ()) -> Plan:
    """Settle what to refresh; no names means every source. Raises ``UsageError`` for a name that is no source."""
    known = sources()
    if strangers := sorted(set(names) - known.keys()):
        raise UsageError(f"no such source: {', '.join(strangers)}; known are {', '.join(known)}")
    chosen = tuple(known[name] for name in (sorted(set(names)) or known))
    inventory = take_inventory(settings.raw, known)
    chain = Chain(settings.out)
    return Plan(settings, chosen, inventory, chain, datetime.now(UTC), not names, _fingerprints(chosen))


def choose_others(plan: Plan, names: Collection[str]) -> Plan:
    """Return the plan of the same run with other sources chosen; names that are no source any more are left out."""
    known = sources()
    chosen = tuple(known[name] for name in sorted(names) if name in known)
    return replace(plan, chosen=chosen, fingerprints=_fingerprints(chosen))


def _fingerprints(chosen: Sequence[Source]) -> dict[str, Fingerprint]:
    """Return what tells the layouts of each source apart, where something does."""
    return {source.name: source.web.fingerprint for source in chosen if source.web is not None}
