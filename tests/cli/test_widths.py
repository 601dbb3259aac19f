"""Tables on terminals of any width: nothing is cut, and what does not fit is told with its name."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from pipeline.cli.console import print_table
from tests.conftest import ROOT

HEADER = ("source", "last run", "age", "records", "quarantined", "unexplained lines")
ROW = ("a_source_with_a_long_name", "failed", "400d 0h 0m in the future", "1234567", "12", "[3]")
TABLE = (
    "source                     last run                       age  records  quarantined  unexplained lines",
    "a_source_with_a_long_name  failed    400d 0h 0m in the future  1234567           12                [3]",
)
LINE = (
    "source: a_source_with_a_long_name, last run: failed, age: 400d 0h 0m in the future, records: 1234567, "
    "quarantined: 12, unexplained lines: [3]"
)
FIELDS = [("kind", "keynote", "-", "-"), ("title", "Ten Years of Asking", "barn/a.txt:18-23", "title")]


def on_a_terminal(columns: int, code: str) -> list[str]:
    """Run code whose standard output is a terminal, and return the lines that it wrote there."""
    head, terminal = pty.openpty()
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        environment = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "LINES"}}
        environment |= {"NO_COLOR": "1", "TERM": "dumb"}
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=terminal, check=True)
        os.set_blocking(head, False)
        return os.read(head, 1 << 16).decode().splitlines()
    finally:
        os.close(terminal)
        os.close(head)


@pytest.mark.parametrize(("columns", "shown"), [(50, (LINE,)), (101, (LINE,)), (102, TABLE), (120, TABLE)])
def test_a_table_on_a_terminal(columns: int, shown: tuple[str, ...]) -> None:
    """A table where it fits; else a line a row, which names its values and can be wrapped without a loss."""
    code = f"from pipeline.cli.console import print_table; print_table({HEADER!r}, [{ROW!r}])"
    assert tuple(on_a_terminal(columns, code)) == shown


@pytest.mark.parametrize("columns", ["20", "80", "300"])
def test_a_table_in_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    """Whatever the width of a terminal that is not there: whole, and no wider than it is."""
    monkeypatch.setenv("COLUMNS", columns)
    print_table(HEADER, [ROW])
    assert tuple(line.rstrip() for line in capsys.readouterr().out.splitlines()) == TABLE


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (
            80,
            [
                "  kind   keynote              -                 -",
                "  title  Ten Years of Asking  barn/a.txt:18-23  title",
            ],
        ),
        (50, ["  kind  keynote  -  -", "  title  Ten Years of Asking  barn/a.txt:18-23  title"]),
    ],
)
def test_the_fields_of_a_record_on_a_terminal(columns: int, shown: list[str]) -> None:
    """In columns where they fit; else only parted, so that blanks do not take the lines up."""
    code = f"from pipeline.cli.explain import _columns; print(*_columns({FIELDS!r}), sep='\\n')"
    assert on_a_terminal(columns, code) == shown
