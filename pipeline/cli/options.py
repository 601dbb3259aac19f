"""How a command line is parsed: as ``argparse`` does it, but for what is said of a mistake in it.

Which commands and options there are does not belong here.
"""

import argparse
from collections.abc import Sequence
from typing import Any


class Parser(argparse.ArgumentParser):
    """Tells of a mistake with the usage of the command that it was made in, and what was probably meant."""

    def parse_known_args(  # type: ignore[override]  # the one of its two forms that is called here
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse what is known; refuse what is not, which the parser above would tell as a mistake of its own."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            from pipeline.suggest import ask_for, closest  # noqa: PLC0415  # for mistakes alone: help answers at once

            given = (each.partition("=")[0] for each in unknown if each.startswith("-"))
            guesses = [near for each in given for near in closest(each, self._option_string_actions)]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{ask_for(guesses)}")
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401  # as argparse has it
        """Refuse what is none of the choices, with a guess; some versions of Python have one too, in other words."""
        self.suggest_on_error = False
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            from pipeline.suggest import meant  # noqa: PLC0415  # as above

            error.message += meant(str(value), map(str, action.choices or ()))
            raise
