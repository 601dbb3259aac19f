"""Output of the commands: data to standard output, messages to standard error, progress on a terminal."""

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

from pipeline.base.escape import in_one_line

_ENDLESS: Final = 10_000


def say(message: str) -> None:
    """Write one line to standard error."""
    sys.stderr.write(in_one_line(message) + "\n")


def out(line: str) -> None:
    """Write one line to standard output."""
    sys.stdout.write(in_one_line(line) + "\n")


def out_json(value: object) -> None:
    """Write one value to standard output, as one line of JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


@contextmanager
def progress(*, plain: bool, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show the progress of a run: a changing line on a terminal, lines if ``plain``, nothing if ``quiet``."""
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
    """Print a table to standard output with uncut cells; the first two columns are aligned left, the others right.

    If it is wider than the terminal, each row becomes a line of names and values, which may wrap.
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
        Console(width=width, height=len(rows) + 2).print(table)  # without both, rich makes a dumb terminal 80 wide


def is_narrower(width: int) -> bool:
    """True if standard output is a terminal narrower than ``width``."""
    return sys.stdout.isatty() and get_terminal_size().columns < width
