"""The command line: ``conspectus``, also ``python -m pipeline``.

Exit codes: 0 all good, 1 something failed (what is good is published), 2 the command cannot be carried out as given.
Only the options are here; what a command does and prints is in ``pipeline.commands``, which is imported late so that
``--help`` and mistakes answer at once.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from pipeline.settings import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = make_parser().parse_args(arguments)
    from pipeline import commands  # noqa: PLC0415  # loads polars and pandera, half a second

    try:
        code: int = getattr(commands, options.command)(options)
        sys.stdout.flush()  # a closed pipe shows here, not when Python ends
    except UsageError as error:
        sys.stderr.write(f"conspectus: {error}\n")
        return 2
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def make_parser() -> argparse.ArgumentParser:
    """Describe the commands and their options."""
    parser = argparse.ArgumentParser(prog="conspectus", description="Conference programmes and paper listings as data.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    raw = argparse.ArgumentParser(add_help=False)
    raw.add_argument("--raw", metavar="DIR", help="raw root; else CONSPECTUS_RAW, else ./raw")
    out = argparse.ArgumentParser(add_help=False)
    out.add_argument("--out", metavar="DIR", help="out root; else CONSPECTUS_OUT, else ./out")

    command = commands.add_parser("refresh", parents=[raw, out], help="parse the dumps and publish the dataset")
    command.add_argument("sources", nargs="*", metavar="SOURCE", help="sources to refresh; none means all")
    command.add_argument("--keep", type=int, default=14, metavar="N", help="snapshots to keep (default: %(default)s)")
    command.add_argument("--quiet", action="store_true", help="plain lines, no progress")
    command.set_defaults(command="refresh")

    command = commands.add_parser("parse", help="parse one dump and print what comes out; writes nothing")
    command.add_argument("file", metavar="FILE", help="the dump")
    command.add_argument("--source", metavar="SOURCE", help="its source; else found by folder name and content")
    command.add_argument(
        "--lines", action="store_true", help="print every line with its class and the rule that took it"
    )
    command.set_defaults(command="parse")

    command = commands.add_parser("sources", parents=[raw], help="list the known sources, their formats and dumps")
    command.set_defaults(command="sources")

    command = commands.add_parser("status", parents=[out], help="say what is published")
    command.set_defaults(command="status")
    return parser


if __name__ == "__main__":
    sys.exit(main())
