"""The command line: ``conspectus``, also ``python -m pipeline``.

Exit codes: 0 all good, 1 data or a source are red (what is good is published), 2 the command cannot be carried out as
given, 3 another run holds the out root and ``--no-wait`` was given, 130 stopped with Ctrl-C. The same mistake has the
same code in every command: ``docs/commands.md`` has the table.
Only the options are here; what a command does and prints is in the module that it names, which is imported late so
that ``--help`` and mistakes answer at once.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from pkgutil import resolve_name
from typing import TypeAlias

from pipeline.cli.collisions import check_packages, collisions
from pipeline.cli.options import Parser
from pipeline.export._registry import format_titles
from pipeline.settings import FailedError, UsageError, read_age, read_moment, read_shard

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by whoever started this: nobody listens
            setattr(sys, stream, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  # to the end
    try:
        check_packages()
        options = make_parser().parse_args(arguments)
        for warning in () if getattr(options, "quiet", False) else collisions():
            sys.stderr.write(f"{warning}\n")
        command = resolve_name(options.command)  # loads polars, a third of a second
        code: int = command(options)
        sys.stdout.flush()  # a closed pipe shows here, not when Python ends
    except UsageError as error:
        sys.stderr.write(f"conspectus: {error}\n")
        return 2
    except FailedError as error:
        sys.stderr.write(f"failed: {error}\n")
        return 1
    except KeyboardInterrupt:  # what it had begun is taken away by then
        sys.stderr.write("conspectus: stopped\n")
        return 130
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def make_parser() -> Parser:
    """Describe the commands and their options."""
    parser = Parser(prog="conspectus", description="Conference programmes and paper listings as data.")
    parser.add_argument("--version", action=Version)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    raw = Parser(add_help=False)
    raw.add_argument("--raw", metavar="DIR", help="raw root; else CONSPECTUS_RAW, else ./raw")
    out = Parser(add_help=False)
    out.add_argument("--out", metavar="DIR", help="out root; else CONSPECTUS_OUT, else ./out")
    config = Parser(add_help=False)
    config.add_argument(
        "--config", metavar="FILE", help="what to fetch, guards, hooks; else CONSPECTUS_CONFIG, else ./sources.toml"
    )
    named = Parser(add_help=False)
    named.add_argument("sources", nargs="*", metavar="SOURCE", help="the sources meant; none means all")

    add_runs(commands, named, raw, out, config)
    add_dumps(commands, raw, config)
    add_dataset(commands, named, out)
    add_explain(commands, raw, out, config)
    add_export(commands, out)
    add_completion(commands, parser)
    return parser


class Version(argparse.Action):
    """Prints the versions of the package and of the dataset contract, which are looked up only then."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        """Declare an option without a value."""
        super().__init__(option_strings, dest, nargs=0, help="print the version and end")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print and end."""
        version, contract = resolve_name("importlib.metadata:version"), resolve_name("schemas.tables:CONTRACT_VERSION")
        sys.stdout.write(f"conspectus {version('conspectus')}, dataset contract {contract}\n")
        parser.exit()


def add_runs(
    commands: Commands,
    named: Parser,
    raw: Parser,
    out: Parser,
    config: Parser,
) -> None:
    """Describe the commands of the nightly work."""
    run = Parser(add_help=False, parents=[named, raw, config])
    run.add_argument("--quiet", action="store_true", help="no progress, and nothing at all where all is good")
    reads = Parser(add_help=False)
    reads.add_argument(
        "--engine",
        metavar="E",
        help="who reads: processes:N, tcp://HOST:PORT (Dask), inline; else CONSPECTUS_ENGINE, else a process a core",
    )
    keep = Parser(add_help=False, parents=[out])
    keep.add_argument("--keep", type=int, default=14, metavar="N", help="snapshots to keep (default: %(default)s)")

    command = commands.add_parser("refresh", parents=[run, keep, reads], help="parse the dumps and publish the dataset")
    command.add_argument("--fetch", action="store_true", help="fetch what is new into the raw root before")
    command.add_argument("--json", action="store_true", help="what came of it as one JSON object")
    command.add_argument("--no-wait", action="store_true", help="end with 3 where another run is at it")
    command.add_argument(
        "--again", action="store_true", help="also read again what could not be read within its limits"
    )
    command.set_defaults(command="pipeline.cli.runs:refresh")

    command = commands.add_parser("fetch", parents=[run, out], help="fetch what is new into the raw root")
    command.set_defaults(command="pipeline.cli.runs:fetch")

    command = commands.add_parser(
        "replay",
        parents=[run, keep, reads],
        help="parse the archive again; show how it differs from what is published: 1 if a record is lost or changed",
    )
    command.add_argument(
        "--since", type=read_moment, metavar="DATE", help="show what captures of that day or later make different"
    )
    then = command.add_mutually_exclusive_group()
    then.add_argument("--json", action="store_true", help="all differences, as rows of the table of changes")
    then.add_argument("--publish", action="store_true", help="publish the result")
    command.set_defaults(command="pipeline.cli.runs:replay")

    command = commands.add_parser(
        "read", parents=[run, out, reads], help="read new dumps into the cache, for the refresh that comes after"
    )
    command.add_argument(
        "--shard", type=read_shard, default=(1, 1), metavar="I/N", help="the I-th of N parts only, such as 2/8"
    )
    command.set_defaults(command="pipeline.cli.runs:read")


def add_dumps(commands: Commands, raw: Parser, config: Parser) -> None:
    """Describe the commands that look at dumps."""
    command = commands.add_parser("parse", help="parse one dump and print what comes out; writes nothing")
    command.add_argument("file", metavar="FILE", help="the dump; - reads the standard input, packed or not")
    command.add_argument("--name", metavar="FILE", help="with -: read it as if it were this file, with its sidecar")
    command.add_argument("--source", metavar="SOURCE", help="its source; else found by folder name and content")
    command.add_argument(
        "--lines", action="store_true", help="print what became of every line: its class, what took it, at which price"
    )
    command.add_argument("--json", action="store_true", help="with --lines: a JSON object a line, with its whole text")
    command.set_defaults(command="pipeline.cli.commands:parse")

    command = commands.add_parser("init", help="begin a folder for a nightly refresh: configuration, raw root, units")
    command.add_argument("folder", metavar="DIR", help="the folder")
    command.add_argument("--specimens", action="store_true", help="with the invented dumps, for trying out")
    command.set_defaults(command="pipeline.cli.init:init")

    command = commands.add_parser("new", help="begin the parser of a new source from one of its pages")
    command.add_argument("name", metavar="NAME", help="the source: its module and folders are named so")
    command.add_argument(
        "--from", dest="page", required=True, metavar="PAGE", help="a page of it: .txt, .html, .json, .xml"
    )
    command.add_argument(
        "--family",
        choices=("listing", "programme"),
        default="programme",
        help="what its records are known by: paper, or event and title (default: %(default)s)",
    )
    command.add_argument("--into", metavar="DIR", default=".", help="the checkout to write to; else this folder")
    command.set_defaults(command="pipeline.cli.new:new")

    command = commands.add_parser(
        "sources", parents=[raw, config], help="list the known sources, their formats and dumps"
    )
    instead = command.add_mutually_exclusive_group()
    instead.add_argument("--check", action="store_true", help="check what is to be fetched instead, and list that")
    instead.add_argument("--example", action="store_true", help="print a commented example of sources.toml instead")
    command.add_argument("--json", action="store_true", help="the same as one JSON object")
    command.set_defaults(command="pipeline.cli.commands:sources")


def add_dataset(commands: Commands, named: Parser, out: Parser) -> None:
    """Describe the commands that look at what is published."""
    look = Parser(add_help=False, parents=[named, out])
    age = Parser(add_help=False)
    age.add_argument("--max-age", type=read_age, metavar="AGE", help="end with 1 if data are older, such as 36h or 2d")

    command = commands.add_parser("status", parents=[look, age], help="say what is published, and whether it is fresh")
    command.add_argument("--json", action="store_true", help="the same as one JSON object")
    command.set_defaults(command="pipeline.cli.workbench:status")

    command = commands.add_parser(
        "verify", parents=[age], help="check a dataset from the outside: whole, unchanged, fresh"
    )
    command.add_argument("folder", metavar="DIR", help="an out root or a snapshot")
    command.add_argument("--json", action="store_true", help="the verdict as one JSON object")
    command.set_defaults(command="pipeline.cli.workbench:verify")

    command = commands.add_parser("quarantine", parents=[look], help="list what was held back, by reason")
    command.add_argument("--reason", action="append", metavar="CODE", help="this reason only; may be given again")
    command.add_argument("--json", action="store_true", help="the rows of the table as NDJSON, with their whole text")
    command.set_defaults(command="pipeline.cli.workbench:quarantine")

    command = commands.add_parser("changes", parents=[look], help="list what the newest snapshot changed")
    command.add_argument(
        "--since", type=read_moment, metavar="DATE", help="against what was published then, not the snapshot before"
    )
    command.add_argument("--json", action="store_true", help="the rows of the table as NDJSON")
    command.set_defaults(command="pipeline.cli.workbench:changes")


def add_explain(commands: Commands, raw: Parser, out: Parser, config: Parser) -> None:
    """Describe the command that traces a record to its lines, and a line to its record."""
    command = commands.add_parser(
        "explain", parents=[raw, out, config], help="say where a record comes from, or what became of a line"
    )
    command.add_argument("what", metavar="RECORD_ID|FILE:LINE", help="a published record, or a line of a dump")
    command.set_defaults(command="pipeline.cli.explain:explain")


def add_export(commands: Commands, out: Parser) -> None:
    """Describe the command that writes other formats, which are found by scanning."""
    titles = format_titles()
    command = commands.add_parser(
        "export",
        parents=[out],
        help="write what is published in another format",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="formats:\n" + "\n".join(f"  {name:<10} {title}" for name, title in titles.items()),
    )
    command.add_argument("format", metavar="FORMAT", choices=tuple(titles), help="one of the formats below")
    command.add_argument("--event", metavar="E", help="records of this event only, its name in full, in any case")
    command.add_argument("--source", metavar="S", help="records of this source only")
    command.add_argument(
        "--day",
        metavar="D",
        type=date.fromisoformat,
        help="what begins on this day (YYYY-MM-DD), or was listed on it where it has no time",
    )
    command.add_argument("-o", "--output", metavar="FILE", help="file to write or replace; else the standard output")
    command.set_defaults(command="pipeline.cli.workbench:export")


def add_completion(commands: Commands, parser: Parser) -> None:
    """Describe the command that lets a shell complete all of them; it reads them from the parser."""
    command = commands.add_parser("completion", help="print a script that lets a shell complete this command line")
    command.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")
    command.set_defaults(command="pipeline.cli.completion:completion", parser=parser)


if __name__ == "__main__":
    sys.exit(main())
