"""Runs the command line inside a test and captures its output."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from parsers._contract import Source
from pipeline.__main__ import main
from pipeline.run.advice import next_steps
from pipeline.run.refresh import Result
from tests.support.toy import TOYS

ROOTS = re.compile(r"(?: --(?:raw|out|config) \S+)+$")


def plain(line: str) -> str:
    """Return a next step without the roots at its end, with paths below the working folder; other lines as they are."""
    return ROOTS.sub("", line).replace(f"{Path.cwd()}/", "") if line.startswith("next: ") else line


def steps(result: Result) -> list[str]:
    """Return the closing lines of a run, plain."""
    return list(map(plain, next_steps(result)))


class Said:
    """The output and the exit code of a command; durations are replaced by ``S``."""

    def __init__(
        self, capsys: pytest.CaptureFixture[str], *arguments: str | Path, known: Mapping[str, Source] = TOYS
    ) -> None:
        """Run the command line with these arguments, by default with the invented sources."""
        self.code = main([str(argument) for argument in arguments], known)
        caught = capsys.readouterr()
        self.out = list(map(plain, re.sub(r"\d+\.\d\d$", "S", caught.out, flags=re.MULTILINE).split("\n")[:-1]))
        self.err = list(map(plain, caught.err.split("\n")[:-1]))
