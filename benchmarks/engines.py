"""Cost of each engine: CPU and wall time of one refresh of an archive, and whether all publish the same bytes.

``python -m benchmarks.engines [MEGABYTES [KILLS]]`` runs this alone; with KILLS, that many runs have a reader killed at
a random moment.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

import psutil
from distributed import LocalCluster

from benchmarks.bulk import MEGABYTE, ROOT, layouts, write
from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.run.refresh import refresh

HEAD: Final = "engine           CPU s   wall s   head MB   same bytes"


def compare(root: Path, size: int) -> Iterator[str]:
    """Yield one line per engine, for the same new archive of ``size`` megabytes."""
    raw = make_archive(root / "raw", size)
    first = None
    for name, run in RUNS.items():
        out = root / name.replace(":", "-")
        start, used = time.perf_counter(), cpu()
        peak = run(raw, out)
        wall, spent = time.perf_counter() - start, cpu() - used
        found = fingerprint(out)
        first = first or found
        yield f"{name:<14} {spent:7.1f}  {wall:7.1f}   {peak:7.0f}   {'yes' if found == first else 'NO'}"


def kill(root: Path, size: int, kills: int) -> Iterator[str]:
    """Yield one line per run, whose reader is killed at a random moment."""
    raw = make_archive(root / "raw", size)
    refresh(Settings(raw, root / "whole"), sources())
    whole = fingerprint(root / "whole")
    chance = random.Random(7)  # noqa: S311  # not for secrets
    for number in range(kills):
        out = root / f"killed-{number}"
        run = subprocess.Popen(
            refreshing(raw, out, "processes:2"), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        moment = 1 + chance.random() * 0.08 * size
        time.sleep(moment)
        readers = psutil.Process(run.pid).children() if run.poll() is None else []
        for reader in chance.sample(readers, min(len(readers), 1)):
            reader.kill()
        run.wait()
        same = "yes" if fingerprint(out) == whole else "NO"
        yield f"killed {len(readers[:1])} of {len(readers)} after {moment:5.1f} s: same bytes: {same}"


def make_archive(raw: Path, size: int) -> Path:
    """Write dumps of all layouts, with equal shares of ``size`` megabytes."""
    each = size * MEGABYTE // len(list(layouts()))
    for source, layout in layouts():
        write(raw, source, layout, each)
    return raw


def refreshing(raw: Path, out: Path, engine: str) -> list[str]:
    """Return the command of a refresh with an engine."""
    return [
        sys.executable,
        "-m",
        "pipeline",
        "refresh",
        "--quiet",
        "--engine",
        engine,
        "--raw",
        str(raw),
        "--out",
        str(out),
    ]


def run_command(command: list[str]) -> float:
    """Run a process; return its peak memory in megabytes, without that of its child processes."""
    peak = 0
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        while run.poll() is None:
            try:
                peak = max(peak, psutil.Process(run.pid).memory_info().rss)
            except psutil.Error:
                break
            time.sleep(0.05)
    return peak / MEGABYTE


def by_dask(raw: Path, out: Path) -> float:
    """Refresh with two local Dask workers."""
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as workers:
        return run_command(refreshing(raw, out, workers.scheduler_address))


def by_shards(raw: Path, out: Path) -> float:
    """Read two shards in parallel, then refresh."""
    command = [
        sys.executable,
        "-m",
        "pipeline",
        "read",
        "--raw",
        str(raw),
        "--out",
        str(out),
        "--engine",
        "processes:1",
    ]
    parts = [subprocess.Popen([*command, "--shard", f"{part}/2", "--quiet"], cwd=ROOT) for part in (1, 2)]
    for part in parts:
        part.wait()
    return run_command(refreshing(raw, out, "processes:1"))


RUNS: Final[dict[str, Callable[[Path, Path], float]]] = {
    **{
        name: lambda raw, out, name=name: run_command(refreshing(raw, out, name))  # type: ignore[misc]
        for name in ("inline", "processes:1", "processes:2")
    },
    "dask, 2 workers": by_dask,
    "2 shards": by_shards,
}


def cpu() -> float:
    """Return the CPU seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fingerprint(out: Path) -> str:
    """Return a hash of all published data files."""
    root = (out / "latest").resolve()
    files = sorted(root.glob("*/*"))
    return sha256(b"".join(sha256(file.read_bytes()).digest() for file in files)).hexdigest() if files else "nothing"


def main(size: int = 100, kills: int = 0) -> None:
    """Print the comparison, or the results of the kills."""
    with tempfile.TemporaryDirectory() as folder:
        lines = kill(Path(folder), size, kills) if kills else compare(Path(folder), size)
        for line in (f"{os.cpu_count()} cores, {size} MB", *([] if kills else [HEAD])):
            sys.stdout.write(line + "\n")
        for line in lines:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
