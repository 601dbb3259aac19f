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
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pipeline.base.collisions import check_packages, collisions
from pipeline.base.escape import ESCAPED, in_one_line
from pipeline.base.settings import FailedError, UsageError, parse_day, parse_moment, parse_port, parse_shard, parse_zone
from pipeline.cli.options import Parser, share
from pipeline.export._format import format_titles

if TYPE_CHECKING:
    from parsers._contract import Source

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"

_LONGEST: Final = 200
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
        sys.stderr.write(f"conspectus: {_printable(error)}\n")
        return 2
    except FailedError as error:
        sys.stderr.write(f"failed: {_printable(error)}\n")
        return 1
    except KeyboardInterrupt:  # unfinished work has been removed by then
        sys.stderr.write("conspectus: stopped\n")
        return 130
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            sys.stderr.write(f"conspectus: expected the path of a file, found one that is too long: {_begin(error)}\n")
            return 2
        if not isinstance(error, BrokenPipeError):  # the reader of a pipe, such as head, has seen enough
            if error.errno not in _FULL:
                raise
            what = "standard output is incomplete" if _is_full() else _begin(error)
            with suppress(OSError):  # the streams may be one file
                sys.stderr.write(f"failed: {what}: {error.strerror}\n")
        with suppress(OSError):  # what could not be written would be written again when Python ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _printable(error: Exception) -> str:
    """Return a message whose names of files may have any bytes."""
    return "\n".join(map(in_one_line, str(error).split("\n")))


def _begin(error: OSError) -> str:
    """Return the path that an error is about, or its beginning."""
    path = str(error.filename or "a file")
    return in_one_line(path[:_LONGEST]) + "..." * (len(path) > _LONGEST)


def _is_full() -> bool:
    """True if standard output takes no more, not even the end of a line: what failed may have been dropped."""
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _open_streams() -> None:
    """Replace streams that the caller closed, and a standard output without a buffer, which loses half-done writes.

    What the encoding of standard output lacks is escaped as in JSON: Latin-1 has no dash.
    """
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:
            setattr(sys, stream, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  # open until exit
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):  # as with PYTHONUNBUFFERED
        number, encoding, errors = sys.stdout.fileno(), sys.stdout.encoding, sys.stdout.errors
        sys.stdout = open(number, "w", 1, encoding, errors, closefd=False)  # noqa: SIM115  # open until exit
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=ESCAPED)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options; what ``--help`` and ``--version`` print is written before the command ends."""
    try:
        return make_parser().parse_args(arguments)
    except SystemExit:
        sys.stdout.flush()
        raise


@cache  # a program, or a test, may run many commands
def make_parser() -> Parser:
    """Define the commands and their options."""
    parser = Parser(prog="conspectus", description="Conference programmes and paper listings as data.")
    parser.add_argument("--version", action=Version)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    add_runs(commands)
    add_dumps(commands)
    add_dataset(commands)
    add_views(commands)
    add_explain(commands)
    add_export(commands)
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


def _add(commands: Commands, name: str, shared: str, **about: Any) -> Parser:  # noqa: ANN401  # as in argparse
    """Add a command with options that others have, too; it takes all roots, also those that it does not need."""
    command = commands.add_parser(name, **about)
    share(command, *shared.split())
    for root in ("--raw", "--out", "--config"):
        if root not in shared.split():
            command.add_argument(root, help=argparse.SUPPRESS)
    return command


def add_runs(commands: Commands) -> None:
    """Add the commands of the nightly work."""
    command = _add(
        commands,
        "refresh",
        "sources --raw --config --quiet --out --keep --engine --fetch --audit",
        help="parse the dumps and publish the dataset",
    )
    command.add_argument("--json", action="store_true", help="print the outcome as one JSON object")
    command.add_argument(
        "--no-wait", action="store_true", help="exit with 3 if another run is active, instead of waiting"
    )
    command.add_argument(
        "--again", action="store_true", help="retry dumps that exceeded the limits or crashed their reader"
    )
    command.add_argument(
        "--withdrawn",
        action="append",
        default=[],
        metavar="SOURCE",
        help="its dumps were removed on purpose: remove its records too; can be repeated",
    )
    command.set_defaults(command="pipeline.cli.runs:refresh")

    command = _add(commands, "fetch", "sources --raw --config --quiet --out", help="fetch new pages into the raw root")
    command.set_defaults(command="pipeline.cli.runs:fetch")

    command = _add(
        commands,
        "replay",
        "sources --raw --config --quiet --out --keep --engine",
        help="parse the whole archive again, show what would change; 1 if a record or work is lost or changed",
    )
    command.add_argument(
        "--since", type=parse_moment, metavar="DATE", help="show only differences from captures of that day or later"
    )
    then = command.add_mutually_exclusive_group()
    then.add_argument("--json", action="store_true", help="print all differences as NDJSON rows of the changes table")
    then.add_argument("--publish", action="store_true", help="publish the result instead of only showing it")
    command.set_defaults(command="pipeline.cli.runs:replay")

    command = _add(
        commands,
        "read",
        "sources --raw --config --quiet --out --engine",
        help="parse new dumps into the cache for the next refresh",
    )
    command.add_argument(
        "--shard", type=parse_shard, default=(1, 1), metavar="I/N", help="only part I of N, such as 2/8"
    )
    command.set_defaults(command="pipeline.cli.runs:read")


def add_dumps(commands: Commands) -> None:
    """Add the commands on dumps, and those that start a folder or a source."""
    command = _add(commands, "parse", "--raw --config", help="parse one dump and print its records; writes no files")
    command.add_argument("file", metavar="FILE", help="the dump, compressed or not; - reads standard input")
    command.add_argument("--name", metavar="FILE", help="with -: treat the input as this file, and use its sidecar")
    command.add_argument(
        "--source", metavar="SOURCE", help="its source (default: detected from folder name and content)"
    )
    command.add_argument("--table", metavar="FILE", help="read it by the tables of this file, in place of table.toml")
    command.add_argument(
        "--lines",
        action="store_true",
        help="print what became of the lines: class, rule that claimed it, price; the ten that matter first",
    )
    command.add_argument("--all", action="store_true", help="with --lines: every line, and all that was held back")
    command.add_argument(
        "--json", action="store_true", help="with --lines: one JSON object per line, with the full text"
    )
    command.set_defaults(command="pipeline.cli.dumps:parse")

    command = _add(
        commands,
        "add",
        "--raw --out --config",
        help="add an address or a file: say which source reads it, write entry and capture",
    )
    command.add_argument("what", metavar="URL|FILE", help="the address of a page, or a saved one")
    command.add_argument("--event", metavar="E", help="its event, where the page does not print it, or prints it badly")
    command.add_argument("--year", metavar="Y", type=int, help="the year of a programme that prints none")
    command.add_argument("--timezone", metavar="Z", type=parse_zone, help="the zone of its times, such as Europe/Oslo")
    command.add_argument("--source", metavar="SOURCE", help="its source (default: the one that recognises the page)")
    command.add_argument(
        "--with",
        dest="beside",
        metavar="URL",
        action="append",
        help="the address of a file that belongs to the page, such as the times of its talks; again for each",
    )
    command.add_argument("--dry-run", action="store_true", help="only say what is found there; write nothing")
    command.set_defaults(command="pipeline.cli.add:add")

    command = _add(commands, "accept", "--raw --out --config", help="publish a dump that guards reject: it is right")
    command.add_argument("file", metavar="FILE", help="the dump, whose sidecar will say so")
    command.add_argument("guards", metavar="GUARD", nargs="+", help="what rejects it, such as drop or lost")
    command.add_argument("--dry-run", action="store_true", help="only say what that publishes; write nothing")
    command.set_defaults(command="pipeline.cli.accept:accept")

    command = commands.add_parser(
        "init", help="set up a folder for a nightly refresh: configuration, raw root, files for systemd and cron"
    )
    command.add_argument("folder", metavar="DIR", help="folder to set up")
    command.add_argument("--specimens", action="store_true", help="add invented sample dumps to try it out with")
    command.set_defaults(command="pipeline.cli.init:init")

    command = _add(commands, "new", "--config", help="start a parser for a new source from one of its pages")
    command.add_argument("name", metavar="NAME", help="name of the source, its module and its folders")
    command.add_argument(
        "--from",
        dest="page",
        required=True,
        metavar="PAGE",
        help="a saved page of the source: .txt, .html, .json or .xml; with --table also its address",
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

    command = _add(commands, "sources", "--raw --config", help="list the sources, their formats and dumps")
    instead = command.add_mutually_exclusive_group()
    instead.add_argument("--check", action="store_true", help="check sources.toml and list what would be fetched")
    instead.add_argument("--example", action="store_true", help="print a commented example of sources.toml")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(command="pipeline.cli.dumps:sources")


def add_dataset(commands: Commands) -> None:
    """Add the commands on the published dataset."""
    command = _add(commands, "status", "sources --out --max-age", help="show what is published and how old it is")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(command="pipeline.cli.dataset:status")

    command = _add(
        commands, "verify", "--max-age --out", help="check that a dataset is complete, unchanged, valid and fresh"
    )
    command.add_argument("folder", metavar="DIR", nargs="?", help="an out root or a snapshot (default: the out root)")
    command.add_argument("--json", action="store_true", help="print the verdict as one JSON object")
    command.set_defaults(command="pipeline.cli.dataset:verify")

    command = _add(commands, "quarantine", "sources --out", help="list what was held back, by reason")
    command.add_argument("--reason", action="append", metavar="CODE", help="only this reason; can be repeated")
    command.add_argument("--json", action="store_true", help="print the rows as NDJSON, with the full texts")
    command.set_defaults(command="pipeline.cli.dataset:quarantine")

    command = _add(commands, "changes", "sources --out", help="tell in a dozen lines what the newest snapshot changed")
    command.add_argument("--all", action="store_true", help="list every changed record with old and new values")
    command.add_argument(
        "--since",
        type=parse_moment,
        metavar="DATE",
        help="compare with what was published on DATE, not with the previous snapshot",
    )
    command.add_argument("--json", action="store_true", help="print the rows as NDJSON")
    command.set_defaults(command="pipeline.cli.dataset:changes")

    command = _add(commands, "files", "sources --out", help="list the data files and their hashes, or the new ones")
    command.add_argument("--since", metavar="ID", help="only files that differ from those of this kept snapshot")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(command="pipeline.cli.dataset:files")


def add_views(commands: Commands) -> None:
    """Add the commands that show the dataset to people."""
    command = _add(
        commands, "show", "--out --kind --track --words", help="print a programme, a listing or a record for people"
    )
    command.add_argument(
        "what", nargs="?", metavar="EVENT|SOURCE|RECORD_ID", help="what to print (default: what there is)"
    )
    command.add_argument("--day", metavar="D", type=parse_day, help="only this day (YYYY-MM-DD)")
    command.add_argument("--room", metavar="R", help="only this room (case-insensitive)")
    command.add_argument("--json", action="store_true", help="print the records as NDJSON")
    command.set_defaults(command="pipeline.cli.show:show")

    command = _add(commands, "search", "--out --kind --track", help="list the records in which every word occurs")
    command.add_argument("words", nargs="+", metavar="WORD", help="words, or parts of words, in any case")
    command.add_argument("--source", metavar="S", help="only records of this source")
    command.add_argument("--json", action="store_true", help="print all matching records as NDJSON, best first")
    command.set_defaults(command="pipeline.cli.show:search")

    command = _add(commands, "works", "--out", help="say which records are one work, and why")
    command.add_argument("what", nargs="?", metavar="ID", help="one work, by its id or that of one of its records")
    command.add_argument("--review", action="store_true", help="the pairs for a person to decide, as entries to copy")
    command.add_argument("--json", action="store_true", help="print rows of the tables as NDJSON")
    command.set_defaults(command="pipeline.cli.works:works")

    command = _add(commands, "sql", "--out", help="run a query on the newest snapshot, in the SQL of DuckDB")
    command.add_argument("query", nargs="?", metavar="QUERY", help="a SELECT (default: list the views and columns)")
    command.add_argument("--json", action="store_true", help="print the rows as NDJSON")
    command.add_argument("--csv", action="store_true", help="print the rows as CSV, lists as JSON")
    command.set_defaults(command="pipeline.cli.dataset:sql")

    command = _add(commands, "site", "--out --keep --config", help="build pages to look at: programmes as timetables")
    command.add_argument("--event", metavar="E", help="only this event (full name, case-insensitive)")
    command.add_argument("--serve", action="store_true", help="then serve them to this machine until stopped")
    command.add_argument(
        "--port", type=parse_port, default=0, metavar="N", help="port of --serve (default: one that is free)"
    )
    command.set_defaults(command="pipeline.cli.site:site")


def add_explain(commands: Commands) -> None:
    """Add the command that traces a record to its lines, and a line to its record."""
    command = _add(
        commands, "explain", "--raw --out --config", help="show where a record comes from, or what became of a line"
    )
    command.add_argument(
        "what", nargs="+", metavar="RECORD_ID|FILE:LINE", help="a published record, or a line of a dump"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object, texts whole")
    command.set_defaults(command="pipeline.cli.explain:explain")


def add_export(commands: Commands) -> None:
    """Add the command that writes other formats, which are found by scanning."""
    titles = format_titles()
    command = _add(
        commands,
        "export",
        "--raw --out --kind --track --words",
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
    command.add_argument("--keyword", metavar="W", help="only records with this keyword (case-insensitive)")
    command.add_argument("--category", metavar="C", help="only records with this category, such as cs.DC")
    command.add_argument(
        "--since", metavar="DATE", type=parse_moment, help="only records that are new or changed since DATE"
    )
    command.add_argument(
        "--timezone", metavar="Z", type=parse_zone, help="the zone of times that have none, such as Europe/Oslo"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="file to write or replace (default: standard output)")
    command.set_defaults(command="pipeline.cli.dataset:export")


def add_completion(commands: Commands, parser: Parser) -> None:
    """Add the command that prints shell completions for all commands, which it reads from the parser."""
    command = commands.add_parser("completion", help="print a completion script for a shell")
    command.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")
    command.set_defaults(command="pipeline.cli.completion:completion", parser=parser)


if __name__ == "__main__":
    sys.exit(main())
