"""Generated dumps of any size and layout, made by ``tests/sources/<source>/bulk.py``."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from parsers._registry import sources
from tests.support.bulk import Bulk
from tests.support.of_sources import part

MEGABYTE: Final = 1_000_000
ROOT: Final = Path(__file__).parent.parent
SIDECAR: Final = "year = 2025\ncaptured_at = 2025-07-30T00:00:00Z\n"


def layouts() -> Iterator[tuple[str, str]]:
    """Yield every source and layout that has a generator in ``bulk.py``."""
    for source in sources():
        yield from ((source, layout) for layout in getattr(part(source, "bulk"), "BULK", ()))


def write(folder: Path, source: str, layout: str, size: int) -> None:
    """Write dumps of about 5 MB each until they have ``size`` bytes."""
    bulk: Bulk = part(source, "bulk").BULK[layout]
    (folder / source).mkdir(parents=True, exist_ok=True)
    blocks = bulk.blocks()
    top = next(blocks)
    for number in count():
        stamp = f"20250730T0000{number:02}Z." if bulk.beside else ""  # one for all files of a dump
        file = folder / source / f"{stamp}{layout}-{number:03}{bulk.suffix}"
        with file.open("w", encoding="utf-8") as opened:
            length = opened.write(top + next(blocks))
            while length < 4.9 * MEGABYTE:
                length += opened.write(bulk.between + next(blocks))
            opened.write(bulk.bottom)
        file.with_name(file.name + ".meta.toml").write_text(SIDECAR)
        bulk.put_beside(file.parent, stamp)
        if (size := size - file.stat().st_size) <= 0:
            return


def dumps(folder: Path) -> Iterator[Path]:
    """Yield the dumps below a folder."""
    return (file for file in sorted(folder.glob("*/*-0*")) if file.suffix != ".toml")


def size_of(folder: Path) -> int:
    """Return the bytes of the dumps below a folder."""
    return sum(file.stat().st_size for file in dumps(folder))


def make_dump(source: str, layout: str, size: int) -> tuple[str, str]:
    """Return the suffix and the text of one dump of about ``size`` characters."""
    bulk: Bulk = part(source, "bulk").BULK[layout]
    blocks = bulk.blocks()
    text = next(blocks) + next(blocks)
    while len(text) < size:
        text += bulk.between + next(blocks)
    return bulk.suffix, text + bulk.bottom
