"""A source whose dumps kill their reader, each in its own way, and a reader process that knows this source.

The first line of a dump says how; ``kill unless FILE`` creates the file, and kills only if it does not exist yet. If
the reader survives, every line is the title of a record.
"""

import ctypes
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import record_rule
from pipeline.workers import reader
from schemas.items import Item, Record

TALK = record_rule("talk")


class OddError(Exception):
    """An error that nothing handles, and that cannot be pickled."""

    def __init__(self, _: Callable[[], None]) -> None:
        """Accept an argument that cannot be pickled."""
        super().__init__("odd")


def loop() -> None:
    """Never end."""
    while True:
        pass


def crash() -> None:
    """Read from address 0."""
    ctypes.string_at(0)


def eat() -> None:
    """Allocate more and more memory, and use it."""
    eaten = []
    while True:
        eaten.append(bytearray(b"x" * (16 << 20)))


def fail_oddly() -> None:
    """Raise an unexpected error."""
    raise OddError(lambda: None)


def leave_a_child() -> None:
    """Exit, and leave a child that holds the pipe."""
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(7)


def babble() -> None:
    """Write something other than an answer into every pipe."""
    for handle in range(3, 4096):
        with suppress(OSError):
            os.write(handle, b"\0\0\0\4abcd")


HOW: dict[str, Callable[[], object]] = {
    "babble": babble,
    "child": leave_a_child,
    "crash": crash,
    "loop": loop,
    "memory": eat,
    "odd": fail_oddly,
    "wait": lambda: time.sleep(1000),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
}


def parse(document: Document) -> Iterator[Item]:
    """Die as the first line says, or yield one record per line."""
    how, _, mark = document.lines[1].strip().partition(" unless ")
    if not mark or not Path(mark).exists():
        Path(mark or os.devnull).touch()
        HOW.get(how, lambda: None)()
    for number, text in document.lines.texts():
        document.lines.claim_span(number, number, TALK)
        yield Record(line_start=number, line_end=number, title=text.strip())


SOURCE = Source(
    "killers", "Killers", 1, Family.LISTING, PageKind.LOG, (Format("titles", "lines", lambda _: True, parse),)
)


def main(handle: int) -> None:
    """Run the reader process for this source."""
    reader.main(handle, lambda _: SOURCE)
