"""Publishes again and again, each time with a fault at the next step that changes the disk.

The steps are not listed anywhere: an audit hook counts the file operations that Python really makes. Run as a program,
since an audit hook cannot be removed::

    python -m tests.support.crash_runs FOLDER < pickled scene > the result of each step, as JSON

Two datasets take turns: after each attempt a run repairs the out root, and the next attempt publishes the other one.
"""

import errno
import gc
import json
import os
import pickle
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from parsers._contract import Family
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Outcome
from pipeline.publishing import publish as publishing
from pipeline.publishing.chain import Chain
from pipeline.publishing.publish import PublishError, publish

WRITES: Final = {"os.rename", "os.mkdir", "os.symlink", "os.link", "os.truncate", "os.fsync"}
REMOVALS: Final = {"os.remove", "os.rmdir"}
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
REFUSED: Final = 7
"""Result of an attempt that reported that it could not publish."""
STOPPED: Final = 8
"""Result of an attempt that was stopped as by a kill: nothing that it does afterwards reaches the disk."""
_FINE: Final = 0


class StopError(BaseException):
    """Ends a run as a kill would: even its cleanup is refused."""


@dataclass(frozen=True)
class Scene:
    """Two datasets that take turns; with ``first`` each attempt has an empty out root."""

    datasets: tuple[Sequence[Outcome], Sequence[Outcome]]
    keep: int
    started_at: datetime
    first: bool = False


class Saboteur:
    """Counts the steps that change something below a folder, and calls ``act`` at each from the n-th on."""

    def __init__(self, folder: Path, act: Callable[[str], None]) -> None:
        """Watch this process from now on, irrevocably. ``act`` gets the name of a step before it happens."""
        self.folder = str(folder)
        self.left: int | None = None
        self.act = act

        def fsync(_handle: int) -> None:  # what was written before a kill stays anyway
            self.watch("os.fsync", (self.folder,))

        os.fsync = fsync  # type: ignore[assignment]  # which Python does not audit
        sys.addaudithook(self.watch)

    def watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Handle an audit event; removals within a folder have no full path, only the folder's descriptor."""
        inside = any(str(each).startswith(self.folder) for each in arguments) or (event in REMOVALS)
        if self.left is None or not inside:
            return
        if event == "open":
            _, mode, flags = arguments
            changes = bool(set(mode) & set("wax+")) if mode else bool(flags & _WRITING)
        else:
            changes = event in WRITES | REMOVALS
        if changes:
            self.left -= 1
            if self.left < 0:
                self.act(event)


def stop(_event: str) -> None:
    """Prevent this step and all that follow, as after a kill."""
    raise StopError


def fill(event: str) -> None:
    """Fail like a full disk; removals still succeed."""
    if event not in REMOVALS:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Stage:
    """An out root, and the datasets that are published there in turn."""

    def __init__(self, folder: Path, scene: Scene) -> None:
        """``folder`` must not exist yet."""
        folder.mkdir()
        self.folder, self.scene = folder, scene
        self.runs = 0

    def out(self, number: int) -> Path:
        """Return the out root of an attempt: a separate one with ``first``, else the same for all."""
        return self.folder / (f"out-{number}" if self.scene.first else "out")

    def publish(self, number: int, turn: int) -> int:
        """Publish the dataset of an attempt; ``turn`` is 0 for the attempt, 1 for the run after it."""
        started_at = self.scene.started_at + timedelta(minutes=2 * number + turn)
        out = self.out(number)
        try:
            publish(
                Settings(out, out, self.scene.keep), self.data(number), Chain(out), started_at, lambda _: Family.LISTING
            )
        except PublishError:
            return REFUSED
        except StopError:
            return STOPPED
        return _FINE

    def data(self, number: int) -> Sequence[Outcome]:
        """Return the dataset that an attempt publishes."""
        return self.scene.datasets[number % 2]

    def repair(self, number: int) -> dict[str, Any]:
        """Let the run after an attempt proceed undisturbed, and return the state after it."""
        code = self.publish(number, 1)
        return {"repaired": code, "end": seen(self.out(number)), "left": left_behind(self.out(number))}


def seen(out: Path) -> dict[str, str] | None:
    """Return what a reader sees: path to hash, or to ``damaged``; None if nothing is published."""
    if not (out / "latest").exists():
        return None
    root = (out / "latest").resolve()
    files = {path: block["sha256"] for path, block in json.loads((root / "manifest.json").read_text())["files"].items()}
    found = {path: sha256((root / path).read_bytes()).hexdigest() for path in files}
    return {path: digest if found[path] == digest else "damaged" for path, digest in files.items() if "/" in path}


def left_behind(out: Path) -> list[str]:
    """Return everything below an out root that is not part of a published snapshot."""
    names = [path.relative_to(out).as_posix() for path in out.rglob(".*")]
    linked, folder = set(), (out / "latest").resolve()
    while folder.exists():
        linked.add(folder.name)
        folder = folder.with_name(json.loads((folder / "manifest.json").read_text())["previous"] or ".none")
    return names + [each.name for each in (out / "snapshots").iterdir() if each.name not in linked]


def stop_each(stage: Stage) -> list[dict[str, Any]]:
    """Stop a run at each step."""
    return _fail_each(stage, stop, STOPPED)


def fill_each(stage: Stage) -> list[dict[str, Any]]:
    """Fill the disk at each step."""
    return _fail_each(stage, fill, REFUSED)


def _fail_each(stage: Stage, act: Callable[[str], None], failed: int) -> list[dict[str, Any]]:
    """Cause a fault at each step in turn, until a run gets through."""
    saboteur = Saboteur(stage.folder, act)
    attempts: list[dict[str, Any]] = []
    code = failed
    while code == failed:
        number = saboteur.left = len(attempts)
        code = stage.publish(number, 0)
        saboteur.left = None
        attempts.append({"code": code, "then": seen(stage.out(number))} | stage.repair(number))
    return attempts[:-1]


def limit_each(stage: Stage) -> list[dict[str, Any]]:
    """Limit the size of files, which also affects writes made by native code."""
    files = (file for file in (stage.out(0) / "latest").glob("**/*") if file.is_file())
    sizes = sorted({file.stat().st_size for file in files})
    attempts: list[dict[str, Any]] = []
    for number, size in enumerate(sizes[:-1]):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        code = stage.publish(number, 0)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        attempts.append({"code": code, "then": seen(stage.out(number))} | stage.repair(number))
    return attempts


def prepare(stage: Stage) -> None:
    """Publish three times, so that there is something to prune."""
    for number in (-3, -2, -1):
        stage.publish(number, 0)
        (stage.folder / f"{number % 2}.json").write_text(json.dumps(seen(stage.out(number))))


def main(folder: Path) -> None:
    """Try every fault at every step until a run gets through, and print the result of each attempt."""
    gc.freeze()  # imported modules are not garbage
    for name in ("json_schema", "data_package"):  # their content takes a fifth of the time; the files are still written
        setattr(publishing, name, lambda *_: {})
    scene: Scene = pickle.loads(sys.stdin.buffer.read())  # noqa: S301  # from the test that started this
    stages = {name: Stage(folder / name, replace(scene, first=first)) for name, (_, first) in FAULTS.items()}
    for stage in stages.values():
        prepare(stage)
    told = {}
    for name, (fault, first) in FAULTS.items():
        datasets = [json.loads((folder / name / f"{turn}.json").read_text()) for turn in (0, 1)]
        told[name] = [named(each, datasets, turn, first=first) for turn, each in enumerate(fault(stages[name]))]
    json.dump(told, sys.stdout)


def named(attempt: dict[str, Any], datasets: Sequence[object], turn: int, *, first: bool) -> dict[str, Any]:
    """Replace what a reader saw by ``old`` or ``new`` if it is one of the datasets, else by ``other``."""
    names = (("new", datasets[turn % 2]), ("old", None if first else datasets[1 - turn % 2]))
    seen = {key: next((name for name, files in names if files == attempt[key]), "other") for key in ("then", "end")}
    return {**attempt, **seen}


FAULTS: Final = {
    "stopped": (stop_each, False),
    "disk full": (fill_each, False),
    "disk full in the first run": (fill_each, True),
    "file too large": (limit_each, False),
}

if __name__ == "__main__":
    main(Path(sys.argv[1]))
