"""Builds the sites that ``make browse`` looks at: the invented specimens, and a programme of hostile texts."""

import sys
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.__main__ import main
from tests.conftest import ROOT
from tests.export.shelf import Shelf, person, slot, talk
from tests.support.hostile import ADDRESSES, TEXTS


def prepare(folder: Path) -> None:
    """Build both sites below a folder."""
    specimens = str(folder / "specimens")
    none = ["--config", "/dev/null"]
    for command in (["refresh", "--raw", str(ROOT / "raw"), "--quiet"], ["site"]):
        if main([*command, "--out", specimens, *none]):
            raise SystemExit(f"{' '.join(command)} failed")
    shelf = Shelf(folder / "hostile")
    shelf.put(*hostile_rows())
    main(["site", "--out", str(shelf.out), *none])


def hostile_rows() -> list[dict[str, object]]:
    """Return a programme in which every text is hostile, in three rooms and one of none."""
    start = datetime(2026, 8, 3, 9)
    times = [start + timedelta(hours=number // 4) for number in range(len(TEXTS))]
    hour = timedelta(hours=1)
    return [
        talk(
            f"h{number}",
            title=text,
            subtitle=text,
            abstract=text,
            authors=[{**person(text, text), "url": ADDRESSES[number % len(ADDRESSES)]}],
            url=ADDRESSES[number % len(ADDRESSES)],
            links=[{"rel": "slides", "url": address, "title": text} for address in ADDRESSES],
            track=text,
            session_title=text if number % 3 else None,
            slots=[slot(times[number], times[number] + hour, text if number % 4 else None)],
            event="Hostile <b>2026</b>",
            timezone="Europe/Oslo",
        )
        for number, text in enumerate(TEXTS)
    ]


if __name__ == "__main__":
    prepare(Path(sys.argv[1]).resolve())
