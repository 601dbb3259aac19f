"""The command line: ``conspectus``, also ``python -m pipeline``.

Exit codes: 0 all good, 1 data or a source are red (what is good is published), 2 the command cannot be carried out as
given, 3 another run holds the out root and ``--no-wait`` was given, 130 stopped with Ctrl-C. The same mistake has the
same code in every command: ``docs/commands.md`` has the table.
Only the options are defined here; each command names its module, which is imported late so that ``--help`` and
mistakes answer at once.
"""

import argparse
import errno
import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final, TypeAlias

from pipeline.base.settings import FailedError, UsageError, parse_age, parse_day, parse_moment, parse_shard, parse_zone
from pipeline.cli.collisions import check_packages, collisions
from pipeline.cli.options import Parser
from pipeline.export._registry import format_titles

if TYPE_CHECKING:
    from parsers._contract import Source

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Errors of a write to a disk that is full or fails."""


def main(arguments: Sequence[str] | None = None, known: "Mapping[str, Source] | None" = None) -> int:
    """Run one command and return its exit code; ``known`` are the sources, by default those of ``parsers``."""
    _open_streams()
    try:
        check_packages()
        options = _parse(arguments)
        options.known = known if known is not None else resolve_name("parsers._registry:sources")()
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
    except KeyboardInterrupt:  # unfinished work has been removed by then
        sys.stderr.write("conspectus: stopped\n")
        return 130
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # the reader of a pipe, such as head, has seen enough
            if error.errno not in _FULL or not _is_full():
                raise
            with suppress(OSError):  # the streams may be one file
                sys.stderr.write(f"failed: standard output is incomplete: {error.strerror}\n")
        with suppress(OSError):  # what could not be written would be written again when Python ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _is_full() -> bool:
    """True if standard output takes no more, not even the end of a line: what failed may have been dropped."""
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _open_streams() -> None:
    """Replace streams that the caller closed, and a standard output without a buffer, which loses half-done writes."""
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:
            setattr(sys, stream, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  # open until exit
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):  # as with PYTHONUNBUFFERED
        number, encoding, errors = sys.stdout.fileno(), sys.stdout.encoding, sys.stdout.errors
        sys.stdout = open(number, "w", 1, encoding, errors, closefd=False)  # noqa: SIM115  # open until exit


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options; what ``--help`` and ``--version`` print is written before the command ends."""
    try:
        return make_parser().parse_args(arguments)
    except SystemExit:
        sys.stdout.flush()
        raise


def make_parser() -> Parser:
    """Define the commands and their options."""
    parser = Parser(prog="conspectus", description="Conference programmes and paper listings as data.")
    parser.add_argument("--version", action=Version)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    raw = Parser(add_help=False)
    raw.add_argument("--raw", metavar="DIR", help="raw root (default: CONSPECTUS_RAW, else ./raw)")
    out = Parser(add_help=False)
    out.add_argument("--out", metavar="DIR", help="out root (default: CONSPECTUS_OUT, else ./out)")
    config = Parser(add_help=False)
    config.add_argument(
        "--config", metavar="FILE", help="configuration file (default: CONSPECTUS_CONFIG, else ./sources.toml)"
    )
    keep = Parser(add_help=False, parents=[out])
    keep.add_argument(
        "--keep", type=int, default=14, metavar="N", help="number of snapshots to keep (default: %(default)s)"
    )
    named = Parser(add_help=False)
    named.add_argument("sources", nargs="*", metavar="SOURCE", help="only these sources (default: all)")

    add_runs(commands, named, raw, keep, config)
    add_dumps(commands, raw, config)
    add_dataset(commands, named, out)
    add_views(commands, out, keep, config)
    add_explain(commands, raw, out, config)
    add_export(commands, raw, out)
    add_completion(commands, parser)
    return parser


class Version(argparse.Action):
    """Prints the versions of the package and the dataset contract, looked up only when needed."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        """Declare an option without a value."""
        super().__init__(option_strings, dest, nargs=0, help="print the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the versions and exit."""
        version, contract = resolve_name("importlib.metadata:version"), resolve_name("schemas.tables:CONTRACT_VERSION")
        sys.stdout.write(f"conspectus {version('conspectus')}, dataset contract {contract}\n")
        parser.exit()


def add_runs(
    commands: Commands,
    named: Parser,
    raw: Parser,
    keep: Parser,
    config: Parser,
) -> None:
    """Add the commands of the nightly work; ``keep`` has the out root too."""
    out = Parser(add_help=False)
    out.add_argument("--out", metavar="DIR", help="out root (default: CONSPECTUS_OUT, else ./out)")
    run = Parser(add_help=False, parents=[named, raw, config])
    run.add_argument("--quiet", action="store_true", help="no progress; print nothing at all if everything is good")
    reads = Parser(add_help=False)
    reads.add_argument(
        "--engine",
        metavar="E",
        help="where to parse: processes:N, tcp://HOST:PORT (Dask), inline (default: CONSPECTUS_ENGINE, else all cores)",
    )
    command = commands.add_parser("refresh", parents=[run, keep, reads], help="parse the dumps and publish the dataset")
    command.add_argument("--fetch", action="store_true", help="first fetch new pages into the raw root")
    command.add_argument("--json", action="store_true", help="print the outcome as one JSON object")
    command.add_argument(
        "--no-wait", action="store_true", help="exit with 3 if another run is active, instead of waiting"
    )
    command.add_argument(
        "--again", action="store_true", help="retry dumps that exceeded the limits or crashed their reader"
    )
    command.add_argument("--audit", action="store_true", help="hash every file, also if it seems not to have changed")
    command.add_argument(
        "--withdrawn",
        action="append",
        default=[],
        metavar="SOURCE",
        help="its dumps were removed on purpose: remove its records too; can be repeated",
    )
    command.set_defaults(command="pipeline.cli.runs:refresh")

    command = commands.add_parser("fetch", parents=[run, out], help="fetch new pages into the raw root")
    command.set_defaults(command="pipeline.cli.runs:fetch")

    command = commands.add_parser(
        "replay",
        parents=[run, keep, reads],
        help="parse the whole archive again and show what would change; exit with 1 if a record is lost or changed",
    )
    command.add_argument(
        "--since", type=parse_moment, metavar="DATE", help="show only differences from captures of that day or later"
    )
    then = command.add_mutually_exclusive_group()
    then.add_argument("--json", action="store_true", help="print all differences as NDJSON rows of the changes table")
    then.add_argument("--publish", action="store_true", help="publish the result instead of only showing it")
    command.set_defaults(command="pipeline.cli.runs:replay")

    command = commands.add_parser(
        "read", parents=[run, out, reads], help="parse new dumps into the cache for the next refresh"
    )
    command.add_argument(
        "--shard", type=parse_shard, default=(1, 1), metavar="I/N", help="only part I of N, such as 2/8"
    )
    command.set_defaults(command="pipeline.cli.runs:read")


def add_dumps(commands: Commands, raw: Parser, config: Parser) -> None:
    """Add the commands on dumps, and those that start a folder or a source."""
    command = commands.add_parser(
        "parse", parents=[raw, config], help="parse one dump and print its records; writes no files"
    )
    command.add_argument("file", metavar="FILE", help="the dump, compressed or not; - reads standard input")
    command.add_argument("--name", metavar="FILE", help="with -: treat the input as this file, and use its sidecar")
    command.add_argument(
        "--source", metavar="SOURCE", help="its source (default: detected from folder name and content)"
    )
    command.add_argument("--table", metavar="FILE", help="read it by the tables of this file, in place of table.toml")
    command.add_argument(
        "--lines",
        action="store_true",
        help="print what became of every line: its class, the rule that claimed it, its price",
    )
    command.add_argument(
        "--json", action="store_true", help="with --lines: one JSON object per line, with the full text"
    )
    command.set_defaults(command="pipeline.cli.commands:parse")

    command = commands.add_parser(
        "init", help="set up a folder for a nightly refresh: configuration, raw root, files for systemd and cron"
    )
    command.add_argument("folder", metavar="DIR", help="folder to set up")
    command.add_argument("--specimens", action="store_true", help="add invented sample dumps to try it out with")
    command.set_defaults(command="pipeline.cli.init:init")

    command = commands.add_parser("new", help="start a parser for a new source from one of its pages")
    command.add_argument("name", metavar="NAME", help="name of the source, its module and its folders")
    command.add_argument(
        "--from",
        dest="page",
        required=True,
        metavar="PAGE",
        help="a saved page of the source: .txt, .html, .json or .xml",
    )
    command.add_argument(
        "--table", action="store_true", help="write a table for the source pages, in place of a parser"
    )
    command.add_argument(
        "--family",
        choices=("listing", "programme"),
        default="programme",
        help="what identifies a record: the paper (listing), or event and title (programme) (default: %(default)s)",
    )
    command.add_argument(
        "--into", metavar="DIR", default=".", help="checkout to write to (default: the current folder)"
    )
    command.set_defaults(command="pipeline.cli.new:new")

    command = commands.add_parser("sources", parents=[raw, config], help="list the sources, their formats and dumps")
    instead = command.add_mutually_exclusive_group()
    instead.add_argument("--check", action="store_true", help="check sources.toml and list what would be fetched")
    instead.add_argument("--example", action="store_true", help="print a commented example of sources.toml")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(command="pipeline.cli.commands:sources")


def add_dataset(commands: Commands, named: Parser, out: Parser) -> None:
    """Add the commands on the published dataset."""
    look = Parser(add_help=False, parents=[named, out])
    age = Parser(add_help=False)
    age.add_argument(
        "--max-age", type=parse_age, metavar="AGE", help="exit with 1 if data are older than this, such as 36h or 2d"
    )

    command = commands.add_parser("status", parents=[look, age], help="show what is published and how old it is")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(command="pipeline.cli.workbench:status")

    command = commands.add_parser(
        "verify", parents=[age, out], help="check that a dataset is complete, unchanged, valid and fresh"
    )
    command.add_argument("folder", metavar="DIR", nargs="?", help="an out root or a snapshot (default: the out root)")
    command.add_argument("--json", action="store_true", help="print the verdict as one JSON object")
    command.set_defaults(command="pipeline.cli.workbench:verify")

    command = commands.add_parser("quarantine", parents=[look], help="list what was held back, by reason")
    command.add_argument("--reason", action="append", metavar="CODE", help="only this reason; can be repeated")
    command.add_argument("--json", action="store_true", help="print the rows as NDJSON, with the full texts")
    command.set_defaults(command="pipeline.cli.workbench:quarantine")

    command = commands.add_parser(
        "changes", parents=[look], help="tell in a dozen lines what the newest snapshot changed"
    )
    command.add_argument("--all", action="store_true", help="list every changed record with old and new values")
    command.add_argument(
        "--since",
        type=parse_moment,
        metavar="DATE",
        help="compare with what was published on DATE, not with the previous snapshot",
    )
    command.add_argument("--json", action="store_true", help="print the rows as NDJSON")
    command.set_defaults(command="pipeline.cli.workbench:changes")

    command = commands.add_parser("files", parents=[look], help="list the data files and their hashes, or the new ones")
    command.add_argument("--since", metavar="ID", help="only files that differ from those of this kept snapshot")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(command="pipeline.cli.workbench:files")


def add_views(commands: Commands, out: Parser, keep: Parser, config: Parser) -> None:
    """Add the commands that show the dataset to people."""
    command = commands.add_parser("show", parents=[out], help="print a programme, a listing or a record for people")
    command.add_argument(
        "what", nargs="?", metavar="EVENT|SOURCE|RECORD_ID", help="what to print (default: what there is)"
    )
    command.add_argument("--day", metavar="D", type=parse_day, help="only this day (YYYY-MM-DD)")
    command.add_argument("--room", metavar="R", help="only this room (case-insensitive)")
    command.add_argument("--json", action="store_true", help="print the records as NDJSON")
    command.set_defaults(command="pipeline.cli.show:show")

    command = commands.add_parser("search", parents=[out], help="list the records in which every word occurs")
    command.add_argument("words", nargs="+", metavar="WORD", help="words, or parts of words, in any case")
    command.add_argument("--source", metavar="S", help="only records of this source")
    command.add_argument("--kind", metavar="K", help="only records of this kind, such as keynote")
    command.add_argument("--json", action="store_true", help="print all matching records as NDJSON, best first")
    command.set_defaults(command="pipeline.cli.show:search")

    command = commands.add_parser(
        "site", parents=[keep, config], help="build pages to look at: programmes as timetables"
    )
    command.add_argument("--event", metavar="E", help="only this event (full name, case-insensitive)")
    command.add_argument("--serve", action="store_true", help="then serve them to this machine until stopped")
    command.add_argument("--port", type=int, default=0, metavar="N", help="port of --serve (default: one that is free)")
    command.set_defaults(command="pipeline.cli.site:site")


def add_explain(commands: Commands, raw: Parser, out: Parser, config: Parser) -> None:
    """Add the command that traces a record to its lines, and a line to its record."""
    command = commands.add_parser(
        "explain", parents=[raw, out, config], help="show where a record comes from, or what became of a line"
    )
    command.add_argument("what", metavar="RECORD_ID|FILE:LINE", help="a published record, or a line of a dump")
    command.set_defaults(command="pipeline.cli.explain:explain")


def add_export(commands: Commands, raw: Parser, out: Parser) -> None:
    """Add the command that writes other formats, which are found by scanning."""
    titles = format_titles()
    command = commands.add_parser(
        "export",
        parents=[raw, out],
        help="write the published dataset in another format",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="formats:\n" + "\n".join(f"  {name:<10} {title}" for name, title in titles.items()),
    )
    command.add_argument("format", metavar="FORMAT", choices=tuple(titles), help="one of the formats below")
    command.add_argument("--event", metavar="E", help="only records of this event (full name, case-insensitive)")
    command.add_argument("--source", metavar="S", help="only records of this source")
    command.add_argument(
        "--day",
        metavar="D",
        type=parse_day,
        help="only what starts on this day (YYYY-MM-DD); records without a time: what was listed on it",
    )
    command.add_argument("--kind", metavar="K", help="only records of this kind, such as keynote")
    command.add_argument("--keyword", metavar="W", help="only records with this keyword (case-insensitive)")
    command.add_argument("--category", metavar="C", help="only records with this category, such as cs.DC")
    command.add_argument(
        "--since", metavar="DATE", type=parse_moment, help="only records that are new or changed since DATE"
    )
    command.add_argument(
        "--timezone", metavar="Z", type=parse_zone, help="the zone of times that have none, such as Europe/Oslo"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="file to write or replace (default: standard output)")
    command.set_defaults(command="pipeline.cli.workbench:export")


def add_completion(commands: Commands, parser: Parser) -> None:
    """Add the command that prints shell completions for all commands, which it reads from the parser."""
    command = commands.add_parser("completion", help="print a completion script for a shell")
    command.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")
    command.set_defaults(command="pipeline.cli.completion:completion", parser=parser)


if __name__ == "__main__":
    sys.exit(main())
