"""Runs the command line inside a test and captures its output."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from parsers._contract import Source
from pipeline.__main__ import main
from tests.support.toy import TOYS


class Said:
    """The output and the exit code of a command; durations are replaced by ``S``."""

    def __init__(
        self, capsys: pytest.CaptureFixture[str], *arguments: str | Path, known: Mapping[str, Source] = TOYS
    ) -> None:
        """Run the command line with these arguments, by default with the invented sources."""
        self.code = main([str(argument) for argument in arguments], known)
        caught = capsys.readouterr()
        self.out = re.sub(r"\d+\.\d\d$", "S", caught.out, flags=re.MULTILINE).split("\n")[:-1]
        self.err = caught.err.split("\n")[:-1]
