"""The commands that inspect dumps and change nothing, ``parse`` and ``sources``: from options to an exit code.

Records and tables go to standard output, progress and messages to standard error. The work itself belongs to the
stages.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import BinaryIO, Final

from parsers._contract import Source
from parsers._ledger.document import Document, DumpError, Facts
from parsers._web.web import Window
from pipeline.base.secret import masked
from pipeline.base.settings import MAX_BYTES, RAW_VARIABLE, UsageError, expect_file, resolve_raw, resolve_settings
from pipeline.base.signals import GuardBook
from pipeline.cli.console import out, out_json, say
from pipeline.cli.objects import describe_place, describe_source
from pipeline.cli.places import (
    count_lines,
    explain_prices,
    place_rows,
    places_of,
    try_formats,
    worst,
)
from pipeline.config import find_config, load_config, resolve_config
from pipeline.example import comment_out, make_example
from pipeline.library.dumps import choose, describe_file, refusal_of
from pipeline.merging.normalize import normalize
from pipeline.notify import described
from pipeline.publishing.plain import for_json
from pipeline.raw.dump import Dump, read_by
from pipeline.raw.inventory import take_inventory
from pipeline.raw.load import load, load_piped
from pipeline.reading.read import Reading, read_document
from pipeline.refusing.misfiled import HINT, hint_of
from pipeline.refusing.nature import find_nature

STDIN: Final = "<stdin>"
"""The name of a dump from standard input without ``--name``."""

_PIPE: Final = "-"

_UNREAD: Final = ("bad_table", "bad_sidecar")
"""Why a page was not even looked at: nothing is to be said of its lines."""

MOST_LINES: Final = 10
"""Lines that ``parse --lines`` prints, and rows that were held back, without ``--all``."""


def parse(options: argparse.Namespace) -> int:
    """Print the records of one dump as NDJSON, or what became of each of its lines.

    1 if it cannot be read as one, or if a guard rejects it whatever its page showed before.
    """
    piped = options.file == _PIPE
    if options.name and not piped:
        raise UsageError(f"--name works only with standard input: expected FILE to be {_PIPE}, found {options.file}")
    given = options.name or STDIN if piped else options.file
    dump = _dump_of(options, given, piped=piped)
    config = find_config(os.environ, options.known, options.config)
    guards = config.guards if config else GuardBook()
    document = source = None
    try:
        document = load_piped(_standard_input(), dump, MAX_BYTES) if piped else load(dump, MAX_BYTES)
        source, others = choose(options.source, dump, document, options.known, guards)
        reading = read_document(source, dump, document)
    except DumpError as error:
        if options.lines and document is not None and error.reason not in _UNREAD:
            _print_places(document, options, refused=True)
            for line in try_formats(source, document) if source else ():
                say(line)
        if document is not None and error.reason == "not_this_source":
            rest = [each for each in options.known.values() if source and each is not source]
            _say_refusal(_as_given(str(error), dump, given), document, rest, given)
        else:
            say(f"failed: {_as_given(str(error), dump, given)}")
        return 1
    say(f"format: {source.name}, {reading.format}; {reading.records.height} records, {reading.lines} lines")
    for refusal in others:
        say(f"not {refusal}")
    _print_reading(reading, document, options)
    say_held_back(reading, given, MOST_LINES if options.lines and not options.all else reading.quarantine.height)
    refused = refusal_of(reading, guards.of(source.name))
    if refused is None:
        return 0
    for line in try_formats(source, document) if options.lines else ():
        say(line)
    say(f"failed: {_as_given(refused, dump, given)}")
    return 1


def sources(options: argparse.Namespace) -> int:
    """List the known sources with their formats, and the dumps below the raw root, each with its format.

    With ``--check``, list what the configuration would fetch; with ``--example``, print an example of one.
    """
    if options.check:
        return _check_config(options)
    if options.example:
        return _print_example(options)
    inventory = None
    try:
        settings = resolve_settings(os.environ, raw=options.raw)
    except UsageError as error:
        if options.raw or os.environ.get(RAW_VARIABLE):
            raise
        say(f"{error}; dumps are not listed")
    else:
        config = find_config(os.environ, options.known, options.config)
        inventory = take_inventory(settings.raw, options.known, config.links if config else ())
    dumps = inventory.dumps if inventory else {}
    if inventory is not None and not dumps:
        say(f"no dumps of these sources below {settings.raw}")
    if options.json:
        known = options.known.values()
        out_json({"sources": [describe_source(each, _formats_of(each, dumps.get(each.name, ()))) for each in known]})
        return 0
    for source in options.known.values():
        formats = ", ".join(format_.name for format_ in source.formats)
        out(f"{source.name}: {source.title} ({source.parser}, {source.family}, {source.page} pages)")
        out(f"  formats: {formats}")
        for path, format_name in _formats_of(source, dumps.get(source.name, ())):
            out(f"  dump: {path} ({format_name})")
    return 0


def _dump_of(options: argparse.Namespace, given: str, *, piped: bool) -> Dump:
    """Describe what is to be read, as the options say. Raises ``UsageError`` for a file that is not there."""
    if piped and not options.name:
        dump = Dump(STDIN, STDIN, Path(STDIN), STDIN, Facts())
    else:
        dump = describe_file(Path(given) if piped else expect_file(given), options.raw)
    return read_by(dump, expect_file(options.table)) if options.table else dump


def say_held_back(reading: Reading, given: str, most: int) -> None:
    """Print what was held back of a dump: the counts by reason, as those of its quarantine, then the first rows."""
    counts = ", ".join(f"{reason} {number}" for reason, number in Counter(reading.by_reason).most_common())
    if counts:
        say(f"held back: {reading.quarantine.height} ({counts})")
    for row in reading.quarantine.head(most).iter_rows(named=True):
        text = (row["text"] or "")[:200]
        say(f"{given}:{row['line_start']}: {row['reason']}: {row['detail']}: {text!r}")


def _print_example(options: argparse.Namespace) -> int:
    """Print the commented example of a configuration. Raises ``UsageError`` with ``--json``."""
    if options.json:
        raise UsageError("--json is not allowed with --example, which prints TOML")
    sys.stdout.write(comment_out(make_example(options.known)))
    return 0


def _check_config(options: argparse.Namespace) -> int:
    """Print the hooks and the first requests of each target if nothing were captured yet. Raises ``UsageError``."""
    from pipeline.fetching.companions import check_files  # noqa: PLC0415  # nothing else here is about fetching

    config = load_config(resolve_config(os.environ, options.config), options.known)
    check_files(resolve_raw(os.environ, options.raw), config, options.known, config.targets)
    try:
        notified = described(config.notify)
    except ValueError as error:
        raise UsageError(f"{config.file.name}: notify.{error}") from error
    window = Window(datetime.now(UTC).date())
    asked = [
        (f"{name}[{place}]", masked(url))
        for name, targets in config.targets.items()
        if (web := options.known[name].web) is not None
        for place, target in enumerate(targets)
        for request in web.requests(target, window)
        for url in request.urls
    ]
    if options.json:
        requests = [{"target": target, "url": url} for target, url in asked]
        out_json({"file": str(config.file), "contact": config.contact, "notified": notified, "requests": requests})
        return 0
    out(f"{config.file}: valid")
    out(f"contact: {config.contact or 'missing; required for fetching'}")
    for each in notified:
        out(f"notified of {'every run' if config.notify.always else 'red runs'}: {each}")
    for target, url in asked:
        out(f"{target}: {url}")
    return 0


def _standard_input() -> BinaryIO:
    """Return standard input, with a message if it is a terminal. Raises ``UsageError`` if there is none."""
    if sys.stdin is None:
        raise UsageError(f"{STDIN}: expected a dump on standard input, found none")
    if sys.stdin.isatty():
        say(f"{STDIN}: reading a dump from the terminal; end with Ctrl-D on an empty line")
    return sys.stdin.buffer


def _as_given(message: str, dump: Dump, given: str) -> str:
    """Return a message about a dump with the path given by the user instead of the one used in datasets."""
    return given + message.removeprefix(dump.path) if message.startswith(dump.path) else message


def _say_refusal(message: str, document: Document, others: Sequence[Source], given: str) -> None:
    """Say that a document is not of its source, what it is instead, and what to do."""
    hint = hint_of(document, others) if others else ""
    say(f"failed: {message}{hint}")
    if HINT not in hint:
        say(f"hint: {find_nature(document).advice.replace('FILE', quote(given))}")


def _print_reading(reading: Reading, document: Document, options: argparse.Namespace) -> None:
    """Print the records of a reading, or what became of each line of its document, and what its parser remarks."""
    for remark in document.remarks:
        say(remark)
    if options.lines:
        _print_places(document, options)
    else:
        records = normalize([reading]).records.sort("line_start", "record_id", nulls_last=True)
        sys.stdout.write(for_json(records).write_ndjson())


def _formats_of(source: Source, dumps: Iterable[Dump]) -> Iterator[tuple[str, str]]:
    """Yield the path of each dump with the name of its format, or the reason for having none."""
    return ((dump.path, _format_of(source, dump)) for dump in dumps)


def _format_of(source: Source, dump: Dump) -> str:
    """Return the name of the format of a dump, or the reason for having none."""
    try:
        return source.recognise(load(dump, MAX_BYTES)).name
    except DumpError as error:
        return error.reason


def _print_places(document: Document, options: argparse.Namespace, *, refused: bool = False) -> None:
    """Print the counts of the lines of a document by class and rule, then what became of those that matter, or all."""
    places = places_of(document, refused=refused)
    for line in count_lines(places):
        say(line)
    if options.json:
        for place in places:
            out_json(describe_place(place))
        return
    shown = places if options.all or len(places) <= MOST_LINES else worst(places, MOST_LINES)
    for line in explain_prices(shown):
        say(line)
    sys.stdout.writelines(f"{line}\n" for line in place_rows(shown))
    sys.stdout.flush()  # before what follows, which goes to the other stream
    if len(shown) < len(places):
        say(f"and {len(places) - len(shown)} more lines; --all prints every line")
