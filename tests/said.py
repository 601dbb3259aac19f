"""Runs the command line inside a test and captures its output."""

import re
from pathlib import Path

import pytest

from pipeline.__main__ import main


class Said:
    """The output and the exit code of a command; durations are replaced by ``S``."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> None:
        """Run the command line with these arguments."""
        self.code = main([str(argument) for argument in arguments])
        caught = capsys.readouterr()
        self.out = re.sub(r"\d+\.\d\d$", "S", caught.out, flags=re.MULTILINE).split("\n")[:-1]
        self.err = caught.err.split("\n")[:-1]
