"""The command ``completion``: prints a script that lets a shell complete this command line.

The script is made from the options as they are declared, and is static: at a tab no Python is started. What is known
only when it is made, such as the names of the sources, stands in it. How a shell is spoken to belongs to shtab.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import shtab

from parsers._registry import sources as known_sources
from schemas.vocabulary import REASONS

_PATHS: Final[Mapping[str, Any]] = {
    "DIR": shtab.DIRECTORY,
    "FILE": shtab.FILE,
    "PAGE": shtab.FILE,
    "RECORD_ID|FILE:LINE": shtab.FILE,  # the ids are in the dataset, which is another one every night
}
"""What completes an argument that names a file or folder, by how the help calls it."""


def completion(options: argparse.Namespace) -> int:
    """Print the script for a shell."""
    names = {"SOURCE": known_sources(), "S": known_sources(), "CODE": REASONS}
    for action in _actions_of(options.parser):
        _complete(action, names)
    script = shtab.complete(options.parser, options.shell)
    if options.shell == "zsh":  # where shtab has the first of several arguments completed only
        script = script.replace('"(*)::', '"*:')
    sys.stdout.write(script.rstrip() + "\n")
    return 0


def _actions_of(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the options and arguments of a parser and of its commands."""
    for action in parser._actions:  # argparse has no other way to them
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions_of(command)


def _complete(action: argparse.Action, names: Mapping[str, Iterable[str]]) -> None:
    """Say what completes an argument. The parser has parsed by now: its own mistakes are told as ever."""
    metavar = str(action.metavar)
    if metavar in names:
        action.choices = list(names[metavar])
    elif metavar in _PATHS:
        action.complete = _PATHS[metavar]  # type: ignore[attr-defined]  # where shtab looks for it
