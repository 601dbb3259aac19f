"""Parses a command line as ``argparse`` does, with more helpful error messages; the options of several commands.

The commands and their own options do not belong here.
"""

import argparse
import re
from collections.abc import Mapping, Sequence
from shlex import quote
from typing import Any, Final

from pipeline.base.escape import in_one_line, is_utf8
from pipeline.base.secret import masked
from pipeline.base.settings import parse_age


class _Names(argparse.Action):
    """Stores names, given one by one or with commas between them."""

    def __call__(self, _parser: object, namespace: argparse.Namespace, values: Any, _option: object = None) -> None:  # noqa: ANN401  # as in argparse
        """Store the names."""
        setattr(namespace, self.dest, [name for each in values for name in each.split(",") if name])


_SHARED: Final[Mapping[str, Mapping[str, Any]]] = {
    "sources": {"nargs": "*", "metavar": "SOURCE", "action": _Names, "help": "only these sources (default: all)"},
    "--raw": {"metavar": "DIR", "help": "raw root (default: CONSPECTUS_RAW, else ./raw)"},
    "--out": {"metavar": "DIR", "help": "out root (default: CONSPECTUS_OUT, else ./out)"},
    "--config": {"metavar": "FILE", "help": "configuration file (default: CONSPECTUS_CONFIG, else ./sources.toml)"},
    "--kind": {"metavar": "K", "help": "only records of this kind, such as keynote"},
    "--track": {"metavar": "T", "help": "only records of this track (full name, case-insensitive)"},
    "--words": {
        "metavar": "WORDS",
        "type": lambda text: tuple(text.split()),
        "default": (),
        "help": "only records in which every word occurs, as search finds them",
    },
    "--fetch": {"action": "store_true", "help": "first fetch new pages into the raw root"},
    "--audit": {"action": "store_true", "help": "hash every file, also if it seems not to have changed"},
    "--engine": {
        "metavar": "E",
        "help": "where to parse: processes:N, tcp://HOST:PORT (Dask), inline"
        " (default: CONSPECTUS_ENGINE, else all cores)",
    },
    "--max-age": {
        "type": parse_age,
        "metavar": "AGE",
        "help": "exit with 1 if data are older than this, such as 36h or 2d",
    },
    "--quiet": {"action": "store_true", "help": "no progress; print nothing at all if everything is good"},
    "--keep": {
        "type": int,
        "default": 14,
        "metavar": "N",
        "help": "number of snapshots to keep (default: %(default)s)",
    },
}

_PLACES: Final = ("DIR", "FILE", "PAGE")
"""What the help calls values that name files: these may have any bytes, and where one is empty its default holds."""


def share(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add options that several commands have, each by its name."""
    for name in names:
        parser.add_argument(name, **_SHARED[name])


def as_address(given: str) -> str:
    """Return the address of a calendar as a browser has it, whose link may say ``webcal``; anything else as it is."""
    return re.sub(r"^webcals?://", "https://", given, flags=re.IGNORECASE)


def is_address(given: str) -> bool:
    """True if what is given is the address of a page, not a file."""
    return given[:8].lower().startswith(("http://", "https://"))


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

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:  # noqa: ANN401  # as in argparse
        """Refuse a value that no file, record or word can have, which would end in an error far away."""
        called = str(action.metavar)
        if action.nargs == argparse.PARSER:  # the values of a command, which its own parser looks at
            return super()._get_value(action, arg_string)
        if "\0" in arg_string:
            raise argparse.ArgumentError(action, f"expected a value without NUL, found {in_one_line(arg_string)}")
        if called not in _PLACES and not arg_string.strip():
            rest = "; leave it out to see what there is" if action.nargs == argparse.OPTIONAL else ""
            raise argparse.ArgumentError(action, f"expected {called}, found nothing{rest}")
        if not action.option_strings and called in ("SOURCE", "FILE") and is_address(arg_string):
            shown = quote(arg_string) if masked(arg_string) == arg_string else "URL"
            raise argparse.ArgumentError(action, f"expected {called}, found an address: conspectus add {shown}")
        if not is_utf8(arg_string) and not any(place in called for place in _PLACES):
            raise argparse.ArgumentError(action, f"expected text in UTF-8, found {in_one_line(arg_string)}")
        return super()._get_value(action, arg_string)

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401  # as in argparse
        """Refuse an invalid choice with a guess, in place of the differently worded one of some Python versions."""
        self.suggest_on_error = False
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            from pipeline.base.suggest import meant  # noqa: PLC0415  # as above

            error.message += meant(str(value), map(str, action.choices or ()))
            raise
