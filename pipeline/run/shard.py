"""Reads one shard of the archive into the cache for a later refresh; each job of an array runs one.

Shards are independent and may run beside a refresh: a cache entry is written atomically, and later readers find it.
Nothing is judged, merged or published here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from parsers._contract import Source
from pipeline.base.settings import Settings, UsageError
from pipeline.reading.cache import load_known_files
from pipeline.run.job import Job
from pipeline.run.plan import make_plan
from pipeline.run.read import read_new, unreadable
from pipeline.run.session import RunSession, say_nothing
from pipeline.workers.engines import open_engine
from pipeline.workers.spread import Watch


@dataclass(frozen=True, slots=True)
class Shard:
    """The result of a shard: the number of dumps read, and one line for each dump that got no cache entry.

    Those that are ``unreadable`` might be readable later, those that are ``uncached`` were read in vain.
    """

    read: int
    unreadable: tuple[str, ...]
    uncached: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """All of these lines."""
        return self.unreadable + self.uncached


def read_shard(
    settings: Settings,
    known: Mapping[str, Source],
    names: Sequence[str],
    part: tuple[int, int],
    watch: Watch = say_nothing,
) -> Shard:
    """Read one shard, such as (2, 8), of the dumps that a refresh of the named sources, or of all, would read first.

    The shard of a dump depends on its path alone. Raises ``UsageError`` where the out root cannot be written.
    """
    number, parts = part

    try:
        settings.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{settings.out}: expected a writable out root: {error.strerror}") from error
    with open_engine(settings.engine, known) as engine:
        files = load_known_files(settings)
        plan = make_plan(settings, known, files, names)
        session = RunSession(plan, files, engine, watch)
        dumps = (dump.path for name in plan.chosen for dump in plan.inventory.dumps.get(name, ()))
        mine = {path for path in dumps if int(sha256(path.encode()).hexdigest(), 16) % parts == number - 1}
        jobs = [Job(session, name) for name in plan.chosen]
        unopened = [str(error) for job in jobs for error in unreadable(job, mine)]
        done = read_new(session, jobs, mine)
    lost = [f"{each.path}: {each.unreadable}" for each in done if each.unreadable is not None]
    uncached = [f"{path}: {why}" for path, why in session.uncached.items()]
    read = len(done) - len(lost) - len(uncached)
    return Shard(read, (*unopened, *lost), tuple(uncached), tuple(session.warnings))
