"""How commands speak: data to the standard output, messages to the standard error, progress on a terminal."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from pipeline.escape import in_one_line

_ENDLESS: Final = 10_000


def say(message: str) -> None:
    """Write one line to the standard error."""
    sys.stderr.write(in_one_line(message) + "\n")


def out(line: str) -> None:
    """Write one line to the standard output."""
    sys.stdout.write(in_one_line(line) + "\n")


def out_json(value: object) -> None:
    """Write one value to the standard output, as one line of JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


@contextmanager
def progress(*, plain: bool, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show what a run is doing: a line that changes on a terminal, plain lines in a log, nothing where it is quiet."""
    if quiet:
        yield lambda _: None
        return
    if plain:
        yield say
        return
    console = Console(stderr=True)
    with console.status("starting") as shown:
        yield lambda step: shown.update(escape(in_one_line(step)))


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table to the standard output, no cell of it cut; numbers stand on the right.

    Where it is wider than the terminal, each row is a line of names and values, which may be wrapped.
    """
    table = Table(box=None, header_style="bold", pad_edge=False)
    for place, name in enumerate(header):
        table.add_column(name, justify="left" if place < 2 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, row))
    console = Console()
    width = Measurement.get(console, console.options.update(max_width=_ENDLESS), table).maximum
    if is_narrower(width):
        for row in rows:
            out(", ".join(f"{name}: {value}" for name, value in zip(header, row, strict=True)))
    else:
        Console(width=width, height=len(rows) + 2).print(table)  # both, else rich has a dumb terminal be 80 wide


def is_narrower(width: int) -> bool:
    """True if the standard output is a terminal that has no room for lines of a width."""
    return sys.stdout.isatty() and get_terminal_size().columns < width
