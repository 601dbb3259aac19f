"""Parses a command line as ``argparse`` does, with more helpful error messages.

The commands and options do not belong here.
"""

import argparse
from collections.abc import Sequence
from typing import Any


class Parser(argparse.ArgumentParser):
    """Reports a mistake with the usage of its command and a guess at what was meant."""

    def parse_known_args(  # type: ignore[override]  # only the overload that is called here
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse the arguments and refuse unknown ones, which the parent parser would report with its own usage."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            from pipeline.base.suggest import ask_for, closest  # noqa: PLC0415  # only on mistakes: keeps --help fast

            given = (each.partition("=")[0] for each in unknown if each.startswith("-"))
            guesses = [near for each in given for near in closest(each, self._option_string_actions)]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{ask_for(guesses)}")
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401  # as in argparse
        """Refuse an invalid choice with a guess, in place of the differently worded one of some Python versions."""
        self.suggest_on_error = False
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            from pipeline.base.suggest import meant  # noqa: PLC0415  # as above

            error.message += meant(str(value), map(str, action.choices or ()))
            raise
