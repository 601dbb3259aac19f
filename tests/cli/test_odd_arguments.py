"""Every command with odd values for each argument, and with nobody who reads its output: a message, never a traceback.

The commands and their arguments are those of the parser, so that a new one is tried as well.
"""

import argparse
import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from pipeline.__main__ import main, make_parser
from tests.support.depth import sample
from tests.support.toy import TOYS, Desk

pytestmark = pytest.mark.untraced

ODD: Final = {
    "empty": "",
    "blank": " \t ",
    "very long": "x" * 100_000,
    "controls": "\a\x1b[31m\r\n\x85",
    "not UTF-8": os.fsdecode(b"caf\xe9"),
    "NUL": "hay\0",
    "a dash": "-",
    "the parent": "..",
    "the root": "/",
}
GIVEN: Final = {
    "file": "raw/fair/a.txt",
    "folder": "place",
    "format": "csv",
    "guards": "drop",
    "name": "orchard",
    "page": "hay.txt",
    "shell": "bash",
    "what": "fair:e/hay-and-oats",
    "words": "hay",
}
"""Values of arguments that a command cannot do without."""

HAY: Final = {"title": "Hay – and oats", "event": "E", "authors": ["Ann"]}
(COMMANDS,) = (each.choices for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction))
SILENT: Final = {"accept": 2, "add": 2, "fetch": 2, "new": 2, "quarantine": 0, "replay": 0, "works": 0}
"""The codes of those that have nothing to print on standard output."""


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Publish a record, and return the folder of the desk."""
    desk = Desk(folder := tmp_path_factory.mktemp("desk"))
    desk.put("fair/a.txt", HAY)
    desk.run()
    (folder / "hay.txt").write_text("hay")
    return folder


@pytest.fixture(autouse=True)
def in_a_copy(published: Path, tmp_path: Path, in_the_desk: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a copy of that folder, whose parent belongs to the test as well; standard input is empty."""
    monkeypatch.chdir(shutil.copytree(published, tmp_path / "inner", symlinks=True))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))


def taking_values(name: str) -> list[argparse.Action]:
    """Return the arguments of a command that take a value."""
    return [action for action in COMMANDS[name]._actions if action.nargs != 0]


def given(action: argparse.Action, value: str) -> str:
    """Return a value as it is given for an argument."""
    return f"{action.option_strings[-1]}={value}" if action.option_strings else value


def needed(name: str, without: argparse.Action | None = None) -> list[str]:
    """Return a command with the arguments that it cannot do without, but one."""
    required = [each for each in taking_values(name) if each.required and each.nargs not in ("*", "?")]
    return [name, *(given(each, GIVEN[each.dest]) for each in required if each is not without)]


def odd_lines(name: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each argument of a command with odd values, in ``make nightly`` with each of them.

    No folder is the root, where the command would write.
    """
    for place, action in enumerate(taking_values(name)):
        for kind, value in sample([*ODD.items()], 3, place):
            if (action.metavar, value) != ("DIR", "/"):
                yield action.dest, kind, [*needed(name, action), given(action, value)]


def code_of(arguments: list[str]) -> int | str | None:
    """Run a command and return the code that it ends with."""
    try:
        return main(arguments, TOYS)
    except SystemExit as ended:  # of what argparse refuses
        return ended.code


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command; return what is wrong with how it ends, empty if nothing is."""
    code, said = code_of(arguments), capsys.readouterr()
    if code == 0:
        return ""
    return "" if code in (1, 2) and (said.out + said.err).strip() else f"code {code}, says {said.err!r}"


@pytest.mark.parametrize("name", COMMANDS)
def test_odd_values_are_carried_out_or_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Any value of any argument ends with a documented code; what is refused is so with a message."""
    found = {(argument, kind): told(line, capsys) for argument, kind, line in odd_lines(name)}
    assert {place: said for place, said in found.items() if said} == {}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_closed_pipe_ends_with_1(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command whose output nobody reads any more ends at once, without a word."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        monkeypatch.setattr("sys.stdout", closed)
        code = code_of(needed(name))
    assert code == SILENT.get(name, 1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("show fair:e/hay-and-oats", r"Hay \u2013 and oats"), ("search oats --json", r'"title": "Hay \u2013 and oats"')],
)
def test_what_an_encoding_lacks_is_escaped(words: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal or a file in Latin-1 has no dash: it is written as in JSON, which stays valid."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr("sys.stdout", stream)
    assert main(words.split(), TOYS) == 0
    assert expected in stream.buffer.getvalue().decode("latin-1")
