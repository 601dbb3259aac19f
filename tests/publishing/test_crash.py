"""A run stopped, or out of space, at any of 200 steps: readers see the old or the new dataset, and it heals.

One of the two sources that are published is the same in both datasets. Real kills are in ``test_publish``.
"""

import json
import os
import resource
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest

from parsers._contract import Family
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Outcome
from pipeline.publishing import publish as publishing
from pipeline.publishing.chain import Chain
from pipeline.publishing.publish import PublishError, publish
from pipeline.run.refresh import preview
from tests.support.deaths import KillError, State, fill, from_step, state_of, stop
from tests.support.depth import is_deep
from tests.support.toy import Desk

pytestmark = pytest.mark.untraced

CACHED = {Path(".cache")}
"""What a later run may find, or may not: nothing depends on it."""

STARTED = datetime(2026, 3, 1, 3, tzinfo=UTC)
HAY = {"title": "Hay", "authors": ["Ann"], "start": "2026-01-01T09:00"}
RYE = {"title": "Rye", "start": "2026-01-01T10:00"}
Seen = dict[str, str] | None


@dataclass(frozen=True)
class Scene:
    """An out root where ``old`` is published, after two others, and the dataset that a run is to publish there."""

    out: Path
    dataset: Sequence[Outcome]
    old: Seen
    new: Seen
    met: set[State] = field(default_factory=set)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Publish three times, so that there is something to prune, and what comes next elsewhere."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    desk.put("news/a.txt", HAY)
    desk.put("fair/a.txt", HAY, "junk")
    hay = outcomes(desk)
    desk.put("fair/a.txt", RYE)
    rye = outcomes(desk)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("json_schema", "data_package"):  # what they hold takes long; the files are still written
            patch.setattr(publishing, name, lambda *_: {})
        for minute, dataset in enumerate((rye, hay, rye)):
            run(desk.out, dataset, minute)
        undisturbed = copy(desk.out, desk.raw / "undisturbed")
        run(undisturbed, hay, 3)
        yield Scene(desk.out, hay, seen(desk.out), seen(undisturbed))


def outcomes(desk: Desk) -> tuple[Outcome, ...]:
    """Read what a desk holds."""
    settings = Settings(desk.raw, desk.out)
    return tuple(preview(settings, desk.known, source) for source in sorted(desk.known))


def run(out: Path, dataset: Sequence[Outcome], minute: int) -> None:
    """Publish a dataset."""
    started_at = STARTED + timedelta(minutes=minute)
    publish(Settings(out, out, 2), dataset, Chain(out), started_at, lambda _: Family.LISTING)


def copy(out: Path, to: Path) -> Path:
    """Copy an out root by links: nothing is written to where it stands."""
    shutil.copytree(out, to, symlinks=True, copy_function=os.link)
    return to


def seen(out: Path) -> Seen:
    """Return what a reader sees: path to hash, or to ``damaged``; None if nothing is published."""
    if not (out / "latest").exists():
        return None
    root = (out / "latest").resolve()
    files = {path: block["sha256"] for path, block in json.loads((root / "manifest.json").read_text())["files"].items()}
    found = {path: sha256((root / path).read_bytes()).hexdigest() for path in files}
    return {path: digest if found[path] == digest else "damaged" for path, digest in files.items() if "/" in path}


def left_behind(out: Path) -> list[str]:
    """Return everything below an out root that is not part of a published snapshot."""
    names = [path.relative_to(out).as_posix() for path in out.rglob(".*") if path.relative_to(out) not in CACHED]
    linked, folder = set(), (out / "latest").resolve()
    while folder.exists():
        linked.add(folder.name)
        folder = folder.with_name(json.loads((folder / "manifest.json").read_text())["previous"] or ".none")
    return names + [each.name for each in (out / "snapshots").iterdir() if each.name not in linked]


@contextmanager
def limited(size: int) -> Iterator[None]:
    """Limit the size of files, which also affects writes made by native code."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def meet(scene: Scene, out: Path, fault: AbstractContextManager[None], error: type[BaseException]) -> Seen | bool:
    """Publish with a fault, and once more without one; return what a reader saw between, False if nothing failed.

    From a state that was met before, the run after it is known to end well.
    """
    try:
        with fault:
            run(out, scene.dataset, 4)
    except error:
        then, now = seen(out), state_of(out)
        if now not in scene.met:
            scene.met.add(now)
            run(out, scene.dataset, 5)
            assert (seen(out), left_behind(out)) == (scene.new, [])
        return then
    assert (seen(out), left_behind(out)) == (scene.new, [])
    return False


@pytest.mark.parametrize(
    ("act", "error", "first", "least"),
    [(stop, KillError, False, 100), (fill, PublishError, False, 75), (fill, PublishError, True, 65)],
    ids=["stopped", "disk full", "disk full in the first run"],
)
def test_a_fault_at_any_step(  # noqa: PLR0917  # a row of the table
    scene: Scene, tmp_path: Path, act: Callable[[str], None], error: type[BaseException], first: bool, least: int
) -> None:
    """The reader sees old or new, whole; a run that can says that it could not publish, and the next repairs the rest.

    None of the steps is chosen by hand: a run is tried with some more, until it gets through, and with each of those
    just before, where the link has been switched; in ``make nightly`` with each one more.
    """
    old, then, every = None if first else scene.old, [], 1 if is_deep() else 5

    def fail_at(number: int) -> Seen | bool:
        """Return what a reader sees after a fault at a step, False if there was none."""
        out = tmp_path / str(number)
        if not first:
            copy(scene.out, out)
        return meet(scene, out, from_step(number, out, act), error)

    for number in count(step=every):
        found = fail_at(number)
        if found is False:
            then += [each for last in range(number - every + 1, number) if (each := fail_at(last)) is not False]
            break
        then.append(found)
    assert ([each for each in then if each not in (old, scene.new)], old in then, scene.new in then) == ([], True, True)
    assert number > least


def test_a_file_that_cannot_grow(scene: Scene, tmp_path: Path) -> None:
    """The system refuses a write in the middle of a file, also below Python: the old dataset stands."""
    sizes = sorted({file.stat().st_size for file in (scene.out / "latest").glob("**/*") if file.is_file()})
    then = [meet(scene, copy(scene.out, tmp_path / str(size)), limited(size), PublishError) for size in sizes[:-1]]
    assert (then == [scene.old] * len(then), len(then) > 5) == (True, True)
