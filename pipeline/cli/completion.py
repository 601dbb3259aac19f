"""The command ``completion``: prints a script that lets a shell complete this command line.

The script is generated from the declared options and is static: completing starts no Python. Names known only when it
is generated, such as those of the sources, are written into it. The syntax of each shell is left to shtab.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

import shtab

from pipeline.base.signals import GUARD_NAMES
from schemas.vocabulary import REASONS

_PATHS: Final[Mapping[str, Any]] = {
    "DIR": shtab.DIRECTORY,
    "FILE": shtab.FILE,
    "PAGE": shtab.FILE,
    "URL|FILE": shtab.FILE,
    "RECORD_ID|FILE:LINE": shtab.FILE,  # the ids change with the dataset, every night
}
"""Completion of the arguments that name a file or folder, by their name in the help."""


def completion(options: argparse.Namespace) -> int:
    """Print the completion script for a shell."""
    names = {"SOURCE": options.known, "S": options.known, "CODE": REASONS, "GUARD": GUARD_NAMES}
    parser = deepcopy(options.parser)  # the same one may parse the next command
    for action in _actions_of(parser):
        _complete(action, names)
    script = shtab.complete(parser, options.shell)
    if options.shell == "zsh":  # shtab completes only the first of several arguments there
        script = script.replace('"(*)::', '"*:')
    sys.stdout.write(script.rstrip() + "\n")
    return 0


def _actions_of(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the options and arguments of a parser and of its commands."""
    for action in parser._actions:  # argparse has no public way to list them
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions_of(command)


def _complete(action: argparse.Action, names: Mapping[str, Iterable[str]]) -> None:
    """Set the completion of an argument. Parsing is over by now, so its error messages do not change."""
    metavar = str(action.metavar)
    if metavar in names:
        action.choices = list(names[metavar])
    elif metavar in _PATHS:
        action.complete = _PATHS[metavar]  # type: ignore[attr-defined]  # read by shtab
