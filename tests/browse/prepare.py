"""Builds the sites that ``make browse`` looks at: the invented specimens, and a programme of hostile texts."""

import sys
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.__main__ import main
from pipeline.site.model import MOST_ITEMS
from tests.conftest import ROOT
from tests.export.shelf import Shelf, person, slot, talk
from tests.support.bulk import Words
from tests.support.hostile import ADDRESSES, TEXTS


def prepare(folder: Path) -> None:
    """Build both sites below a folder."""
    specimens = str(folder / "specimens")
    config = folder / "sources.toml"
    config.write_text('[site]\nurl = "https://programmes.example"\nsearch = true\n')
    chosen = ["--config", str(config)]
    for command in (["refresh", "--raw", str(ROOT / "raw"), "--quiet"], ["site"]):
        if main([*command, "--out", specimens, *chosen]):
            raise SystemExit(f"{' '.join(command)} failed")
    shelf = Shelf(folder / "hostile")
    shelf.put(*hostile_rows(), *many_rows())
    shelf.put(*hostile_rows(), *many_rows("Moved"), stamp="20260802T000000Z")
    main(["site", "--out", str(shelf.out), *chosen])


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


def many_rows(room: str = "Hall") -> list[dict[str, object]]:
    """Return a programme that is too big for one page: three days of sessions in two rooms, and some without a time."""
    words = Words()
    start = datetime(2026, 8, 3, 9)
    rows = []
    for number in range(MOST_ITEMS + 20):
        when = start + timedelta(days=number % 3, minutes=20 * (number // 6))
        at = [slot(when, when + timedelta(minutes=20), f"{room} {number // 3 % 2}")] if number % 40 else None
        rows.append(
            talk(
                f"m{number}",
                title=f"{words.title()} {number}",
                authors=[person(words.name(), "Harbour U.")],
                session_title=f"Session {number // 24}",
                slots=at,
                event="Many 2026",
                timezone="Europe/Oslo",
            )
        )
    return rows


if __name__ == "__main__":
    prepare(Path(sys.argv[1]).resolve())
