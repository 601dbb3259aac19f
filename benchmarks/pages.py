"""What the pages cost: 100,000 talks of a hundred programmes from nothing, a night with sixty changes, and nothing new.

    python -m benchmarks.pages [--records N]

Prints CPU seconds, memory, files and bytes of each build, each in a process of its own.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.viewing.selection import Row
from tests.export.shelf import Shelf, person, slot, talk
from tests.support.bulk import Words

EVENTS = 100
ROOMS = 8


def main(arguments: list[str] | None = None) -> int:
    """Measure the three builds."""
    parser = argparse.ArgumentParser(prog="benchmarks.pages")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--build", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.build:
        return build(Path(options.build))
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder))
        rows = list(make_rows(options.records))
        shelf.put(*rows)
        measure("from nothing", shelf.out)
        for row in [row for row in rows if row["event"] in {f"EVENT {number}" for number in range(3)}][:60]:
            row["abstract"] = "Changed."
        shelf.put(*rows, stamp="20260802T000000Z")
        del rows
        measure("sixty changes in three programmes", shelf.out)
        measure("nothing new", shelf.out)
    return 0


def make_rows(number: int) -> Iterator[Row]:
    """Yield talks of a hundred events of four days, eight rooms side by side, with abstracts."""
    words = Words()
    start = datetime(2026, 8, 3, 9)
    for place in range(number):
        within = place // EVENTS
        when = start + timedelta(days=within % 4, minutes=30 * (within // 4 // ROOMS % 16))
        yield talk(
            f"t{place}",
            title=f"{words.title()} {place}",
            abstract=words.paragraph(900),
            authors=[person(words.name(), "Harbour University", "Esteria") for _ in range(4)],
            event=f"EVENT {place % EVENTS}",
            session_title=words.title() if within % 3 else None,
            slots=[slot(when, when + timedelta(minutes=30), f"Room {within // 4 % ROOMS}")],
            timezone="Europe/Oslo",
        )


def measure(name: str, out: Path) -> None:
    """Build in a process of its own and print what it took."""
    made = subprocess.run(
        [sys.executable, "-m", "benchmarks.pages", "--build", str(out)], check=True, capture_output=True
    )
    told = json.loads(made.stdout)
    files = [file for file in (out / "site").resolve().rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    sys.stdout.write(
        f"{name}: {told['cpu']:.1f} CPU-s, {told['memory']:.0f} MB, {told['written']} files written, "
        f"{told['shared']} shared; {len(files)} files, {size / 1e6:.0f} MB\n"
    )


def build(out: Path) -> int:
    """Build the site once, and print what it took as JSON."""
    from pipeline.base.settings import Settings, SiteSettings  # noqa: PLC0415  # only in the process that is measured
    from pipeline.publishing.sites import publish_site  # noqa: PLC0415
    from pipeline.publishing.store import latest_snapshot  # noqa: PLC0415
    from pipeline.site.build import make_sections  # noqa: PLC0415
    from pipeline.viewing.selection import Selection  # noqa: PLC0415

    snapshot = latest_snapshot(out)
    if snapshot is None:
        return 1
    site = publish_site(out, snapshot.id, make_sections(Selection(snapshot), SiteSettings(), Settings(out, out)), 14)
    used, times = resource.getrusage(resource.RUSAGE_SELF), os.times()
    told = {"cpu": times.user + times.system, "memory": used.ru_maxrss / 1024}
    sys.stdout.write(json.dumps({**told, "written": site.written, "shared": site.shared}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
