"""Runs the command line inside the test and keeps what it said."""

import re
from pathlib import Path

import pytest

from pipeline.__main__ import main


class Said:
    """What a command wrote, and the exit code that it ended with; durations are left out."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> None:
        """Run the command line with these arguments."""
        self.code = main([str(argument) for argument in arguments])
        caught = capsys.readouterr()
        self.out = re.sub(r"\d+\.\d\d$", "S", caught.out, flags=re.MULTILINE).split("\n")[:-1]
        self.err = caught.err.split("\n")[:-1]
