"""The command ``add``: takes an address or a file, says what it is, and lets the nightly refresh have it.

The page is requested once, and read as a refresh reads it. Only if all of that is good is anything written: the entry
in ``sources.toml`` and the capture of an address, the copy of a file with its sidecar. What its source needs and a page
does not say is asked for by the name of the option.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields, replace
from datetime import UTC, datetime
from hashlib import sha256
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from shlex import quote
from typing import Any, Final
from urllib.parse import urldefrag, urlsplit

from parsers._contract import Family, Source
from parsers._ledger.document import Document, DumpError
from parsers._ledger.lines import LineClass
from parsers._web.web import Request, TargetError, Web, Window, as_name, check_address, file_name, stem_of, suffix_of
from pipeline.base.disk import all_or_nothing, is_there, read_limited
from pipeline.base.escape import is_utf8
from pipeline.base.secret import masked
from pipeline.base.settings import FailedError, Settings, UsageError, expect_file, resolve_settings
from pipeline.base.suggest import check_names
from pipeline.cli.console import out, progress, say
from pipeline.cli.dumps import say_held_back
from pipeline.cli.options import as_address, is_address
from pipeline.config import (
    Config,
    append_entry,
    configure,
    find_config,
    load_config,
    make_entry,
    resolve_config,
    with_entry,
)
from pipeline.explaining.dumps import below
from pipeline.library.dumps import recognise, refusal_of
from pipeline.raw.archive import Answer, companion_name, folder_of, put
from pipeline.raw.dump import SUFFIXES, Dump, describe
from pipeline.raw.load import load_piped
from pipeline.raw.sidecar import SIDECAR_SUFFIX, YEARS
from pipeline.raw.unpack import UNPACKERS
from pipeline.reading.read import PARSER_DEFECTS, Reading, read_document
from pipeline.refusing.misfiled import HINT, hint_of
from pipeline.refusing.nature import find_nature

SHOWN: Final = 3
"""Titles that are shown of what was found, and texts of what was not read."""

_ADDED: Final = "added"
"""The folder in the name of a page whose source is not known yet; none of a source."""

_OF_PAGES: Final = ("event", "year", "timezone")
"""What the options say of a page, by the names that entries and sidecars have for it."""

_FACTS: Final = ("url", "captured_at", "event", "timezone", "year", "category", "accept", "specimen")
_KINDS: Final = {"<": ".html", "{": ".json", "[": ".json", "BEGIN:V": ".ics"}
"""The suffixes of files without one of a dump, by how they begin."""


@dataclass(frozen=True, slots=True)
class _Task:
    """What is to be added, as it is given and as messages call it; ``facts`` are what the options say of it."""

    options: argparse.Namespace
    settings: Settings
    given: str
    facts: Mapping[str, Any]

    @property
    def companions(self) -> list[str]:
        """The addresses of the companions."""
        return [urldefrag(each).url for each in self.options.beside or ()]

    @property
    def called(self) -> str:
        """The address without its secrets, or the file."""
        return masked(self.given)


@dataclass(frozen=True, slots=True)
class _Plan:
    """An entry with what it asks for first: the bytes to append, and the configuration that this makes."""

    source: Source
    web: Web[Any]
    entry: str
    added: bytes
    config: Config
    target: object
    request: Request


class _UnreadableError(Exception):
    """Nothing can be read there; it has been said why."""


def add(options: argparse.Namespace) -> int:
    """Add an address or a file: 0 if a refresh has it from now on, 1 if no source reads it.

    Raises ``UsageError`` where it is there already or something is missing, ``FailedError`` where it cannot be fetched
    or written. No message has a secret of the address.
    """
    settings, given = resolve_settings(os.environ, raw=options.raw, out=options.out), as_address(options.what)
    fetched = is_address(given)
    file = resolve_config(os.environ, options.config)
    facts = {name: value for name in _OF_PAGES if (value := getattr(options, name)) is not None}
    check_names("no such source", [options.source] if options.source else [], options.known)
    if options.year is not None and options.year not in YEARS:
        raise UsageError(f"--year: expected four digits, 19xx or 20xx, found {options.year}")
    try:
        config = load_config(file, options.known) if fetched else find_config(os.environ, options.known, options.config)
        task = _Task(options, configure(settings, config), given, facts)
        if config is not None and fetched:
            _add_address(replace(task, given=urldefrag(given).url), config)
        else:
            _add_file(task, _expect_file(given))
    except (UsageError, FailedError) as error:
        raise type(error)(masked(str(error))) from None
    except _UnreadableError:
        return 1
    return 0


def fetch_page(settings: Settings, config: Config, url: str, pause: float = 1.0) -> Answer:
    """Request an address once. Raises ``FailedError``, and ``UsageError`` without a contact."""
    return _fetch_pages(settings, config, [url], pause)[0]


def _fetch_pages(settings: Settings, config: Config, urls: Sequence[str], pause: float = 1.0) -> list[Answer]:
    """Request addresses, each once. Raises ``FailedError``, and ``UsageError`` without a contact."""
    from pipeline.fetching.fetch import ask  # noqa: PLC0415  # not needed for a file
    from pipeline.fetching.request import FetchError  # noqa: PLC0415  # as above

    try:
        with progress(plain=True) as watch:
            return ask(settings, config, urls, watch, pause)
    except FetchError as error:
        raise FailedError(str(error)) from error


def _add_address(task: _Task, config: Config) -> None:
    """Fetch an address, and write its entry and its capture."""
    from pipeline.fetching.fetch import LOCK, keep_answer  # noqa: PLC0415  # not needed for a file

    plan, answers = _fetch(task, config)
    settings, source, request = task.settings, plan.source, plan.request
    with _reported():
        folder = folder_of(settings.raw, source.name, request)
    facts = {**request.facts, **_addresses(task, request.url), "captured_at": datetime.now(UTC).replace(tzinfo=None)}
    path = (folder / f"{_ADDED}{request.suffix}").relative_to(settings.raw).as_posix()
    _, reading, document = _read(task, _dump(task, path, facts), answers, source)
    _show(task, source, reading)
    for name, _ in request.companions:
        out(f"with: {name}")
    if further := _count_further(plan, document, answers[0]):
        out(f"leads to: {further} more pages, which a refresh fetches")
    head, *values = masked(plan.entry).splitlines()
    out(f"entry in {config.file}: {head} {', '.join(values)}")
    if not task.options.dry_run:
        with _reported(), all_or_nothing(folder, config.file, settings.raw / source.name / LOCK):
            if append_entry(config.file, plan.added, task.options.known) != plan.config:
                raise ValueError(f"{config.file}: expected what was there and the entry, found something else")
            kept = keep_answer(settings, source, request, answers, say)
        out(f"written: {kept.file}")
    _say_next(task, f"refresh {source.name} --fetch")


def _addresses(task: _Task, url: str) -> dict[str, object]:
    """Return the masked addresses of a page and of its companions."""
    return {"url": masked(url), "urls": tuple(map(masked, task.companions))}


def _fetch(task: _Task, config: Config) -> tuple[_Plan, list[Answer]]:
    """Return the entry of an address, and the answers to its first request and to those for its companions."""
    from pipeline.fetching.companions import problems_of  # noqa: PLC0415  # not needed for a file

    url, known = task.given, task.options.known
    try:
        for each in (url, *task.companions):
            check_address("url", each if is_utf8(each) else "")
    except TargetError as error:
        raise UsageError(str(error)) from error
    _expect_new(url, config, known)
    for source, asked in _asked_at(task):
        if task.companions:
            raise UsageError(f"{url}: expected no --with: a page of {source.name} is one file")
        plan = _plan(task, config, source, {**asked, **task.facts})
        _expect_new(plan.request.url, config, known)
        return plan, [fetch_page(task.settings, config, plan.request.url, plan.web.pause)]
    answers = _fetch_pages(task.settings, config, [url, *task.companions])
    folder = "/".join(filter(None, (task.options.source, _folder_of(task)))) or _ADDED  # where its tables are
    dump = _dump(task, f"{folder}/{stem_of(url)}/{_ADDED}{suffix_of(url)}", {**task.facts, **_addresses(task, url)})
    source, reading, _ = _read(task, dump, answers)
    urls = {"urls": task.companions} if task.companions else {}
    plan = _plan(task, config, source, {"url": url, **urls, **task.facts, **_complete(task, source, reading)})
    if problems := list(problems_of(task.settings.raw, source.name, plan.request)):
        raise UsageError("\n".join(f"--with: {problem}" for problem in problems))
    _expect_folder(plan, config, known)
    return plan, answers


def _expect_file(given: str) -> Path:
    """Return a file that is named. Raises ``UsageError``: without its scheme an address is no file, either."""
    if not Path(given).exists():
        raise UsageError(f"{given}: expected a file, found none; an address begins with https://")
    return expect_file(given)


def _add_file(task: _Task, file: Path) -> None:
    """Copy a file below the raw root, with a sidecar."""
    raw = task.settings.raw
    if task.companions:
        raise UsageError(f"{task.given}: expected an address, as there is --with, found a file")
    if below(raw, file) is not None:
        raise UsageError(f"{task.given}: expected a file outside of {raw}, found one that a refresh has")
    with _reported():
        data = read_limited(file, task.settings.max_bytes)
    folder = "/".join(filter(None, (task.options.source, _folder_of(task)))) or _ADDED  # where its tables are
    tables, dump = _dump(task, f"{folder}/{file.name}", {}).facts.tables, describe(f"{_ADDED}/{file.name}", file)
    dump = replace(dump, facts=replace(dump.facts, **task.facts, tables=tables or dump.facts.tables))
    source, reading, document = _read(task, dump, [Answer("", HTTPStatus.OK, data)])
    task = replace(task, facts={name: value for name in _FACTS if (value := getattr(dump.facts, name))})
    facts = {**task.facts, **_complete(task, source, reading)}
    path = "/".join(filter(None, (source.name, _folder_of(task), _name_of(file, document))))
    copy = raw / path
    for each in (copy, copy.with_name(copy.name + SIDECAR_SUFFIX)):
        if is_there(each):
            same = each == copy and copy.is_file() and copy.read_bytes() == data
            raise UsageError(f"{task.given}: {each} is there already{', with the same bytes' if same else ''}")
    _, reading, _ = _read(task, _dump(task, path, facts), [Answer("", HTTPStatus.OK, data)], source)
    _show(task, source, reading)
    out(f"sidecar: {', '.join(f'{name} = {value}' for name, value in facts.items()) or 'nothing to say'}")
    if not task.options.dry_run:
        if isinstance(moment := facts.get("captured_at"), datetime):
            facts["captured_at"] = moment.replace(tzinfo=UTC)
        with _reported(), all_or_nothing(copy.parent, name=f"*{copy.name}*"):
            put(copy, data, {**facts, "sha256": sha256(data).hexdigest()})
        out(f"written: {copy}")
    _say_next(task, f"refresh {source.name}")


def _folder_of(task: _Task) -> str:
    """Return the name of the folder of an event; empty without one."""
    return as_name(event) if (event := task.facts.get("event")) else ""


def _asked_at(task: _Task) -> Iterator[tuple[Source, Mapping[str, object]]]:
    """Yield the source that has targets which are no addresses, if this is one of its site, and what that asks for."""
    for source in task.options.known.values():
        if source.web is None or source.web.asked_at is None or task.options.source not in {None, source.name}:
            continue
        if (values := source.web.asked_at(task.given)) is not None:
            yield source, values


def _plan(task: _Task, config: Config, source: Source, values: Mapping[str, object]) -> _Plan:
    """Return the entry of a target. Raises ``UsageError`` where there can be none."""
    if source.web is None or (source.web.asked_at is not None and values.get("url") == task.given):
        expected = "fetches no page at such an address: save the page, and add the file"
        raise UsageError(f"{task.given}: {source.name} {expected}")
    entry = make_entry(source.name, values)
    planned, added = with_entry(config.file, entry, task.options.known)
    target = planned.targets[source.name][-1]
    return _Plan(source, source.web, entry, added, planned, target, next(source.web.requests(target, _today())))


def _today() -> Window:
    """Return what a source may know about time if nothing was captured yet."""
    return Window(datetime.now(UTC).date())


def _requests(config: Config, known: Mapping[str, Source]) -> Iterator[tuple[str, str, Request]]:
    """Yield the first requests of all entries, each behind its source and the place of the entry."""
    for name, targets in config.targets.items():
        for place, target in enumerate(targets):
            if (web := known[name].web) is not None:
                yield from (
                    (name, f"{name}[{place}] in {config.file}", each) for each in web.requests(target, _today())
                )


def _expect_new(url: str, config: Config, known: Mapping[str, Source]) -> None:
    """Raise ``UsageError`` if an entry asks for an address."""
    for _, entry, request in _requests(config, known):
        if url in request.urls:
            raise UsageError(f"{url}: is there already, {entry}; nothing was done")


def _expect_folder(plan: _Plan, config: Config, known: Mapping[str, Source]) -> None:
    """Raise ``UsageError`` if the page of another entry has the folder of the one that is planned."""
    for name, entry, request in _requests(config, known):
        if (name, request.key) == (plan.source.name, plan.request.key):
            expected = f"expected --event, as the folder {request.key} is that of {entry}"
            raise UsageError(f"{plan.request.url}: {expected}")


def _dump(task: _Task, path: str, facts: Mapping[str, Any]) -> Dump:
    """Return the dump that a page will be at a path below the raw root, with the tables that are there."""
    dump = describe(masked(path), task.settings.raw / path)
    return replace(dump, facts=replace(dump.facts, **facts))


def _read(
    task: _Task, dump: Dump, answers: Sequence[Answer], source: Source | None = None
) -> tuple[Source, Reading, Document]:
    """Return the source of a page, the one that is asked for or the one that recognises it, and what it reads.

    The first answer is the page, the others are its companions. Raises ``_UnreadableError`` where none does or a guard
    rejects that, and ``UsageError`` where it lacks an event, or a companion.
    """
    known = task.options.known
    document: Document | None = None
    source = source or known.get(task.options.source or "")
    folder, names = dump.path.rpartition("/")[0], (companion_name(file_name(url)) for url in task.companions)
    beside = [(f"{folder}/{name}", answer.data) for name, answer in zip(names, answers[1:], strict=True)]
    hashes = tuple((path, sha256(data).hexdigest()) for path, data in beside)
    dump = replace(dump, facts=replace(dump.facts, companions=hashes))
    try:
        document = load_piped(BytesIO(answers[0].data), dump, task.settings.max_bytes, beside)
        if source is None:
            source, others = recognise(dump, document, known, task.settings.guards)
            for other in others:
                say(f"not {other}")
        reading = read_document(source, dump, document)
    except DumpError as error:
        if error.reason == "bad_sidecar" and dump.facts.event is None:
            raise UsageError(f"{task.called}: {error.expected}: give it with --event") from error
        if error.reason == "bad_bundle":
            raise UsageError(f"{task.called}: {error.expected}: {_how_to_add(task)}") from error
        _say_unread(task, error, document, source)
        raise _UnreadableError from error
    except PARSER_DEFECTS as error:
        raise FailedError(f"{task.called}: the parser of {source} fails with {type(error).__name__}") from error
    if (refusal := refusal_of(reading, task.settings.guards.of(source.name))) is not None:
        say(f"failed: {task.called}{refusal.removeprefix(dump.path)}")
        raise _UnreadableError
    return source, reading, document


def _how_to_add(task: _Task) -> str:
    """Return how a dump of several files is added."""
    if is_address(task.given):
        return "give the address of each once, with --with"
    return f"put all of them into one folder below {task.settings.raw}, as docs/pages.md says"


def _complete(task: _Task, source: Source, reading: Reading) -> dict[str, object]:
    """Return what a target or sidecar must say beside the options: what was only found out, and what must be there.

    Raises ``UsageError``, naming the options, for what the page does not say.
    """
    records, keys = reading.records, fields(source.web.target) if source.web is not None else ()
    notes = {note for notes in records["notes"].drop_nulls() for note in notes}
    zones, first = records["timezone"].drop_nulls().unique(), records["starts_at"].min()
    printed = {
        "event": records["event"].drop_nulls().first(),
        "year": first.year if isinstance(first, datetime) and "year_unknown" not in notes else None,
        "timezone": zones[0] if zones.len() == 1 else None,
    }
    needed = {key.name for key in keys if key.default is MISSING and key.default_factory is MISSING} - {"url"}
    needed |= {"year"} if notes & {"year_unknown", "year_inferred"} else set()
    wanted: dict[str, object] = {
        name: printed.get(name) for name in _OF_PAGES if name in needed and name not in task.facts
    }
    if source.family is Family.PROGRAMME and records["event"].null_count():
        wanted["event"] = None
    if missing := [name for name in _OF_PAGES if name in wanted and wanted[name] is None]:
        _show(task, source, reading)
        options = ", ".join(f"--{name}" for name in missing)
        raise UsageError(f"{task.called}: expected {options}: the page does not say it, and {source.name} needs it")
    return wanted


def _show(task: _Task, source: Source, reading: Reading) -> None:
    """Print which source reads a page, and what it found there."""
    records = reading.records.sort("line_start", nulls_last=True)
    days = sorted({f"{day:%Y-%m-%d}" for day in records["starts_at"].drop_nulls()})
    kinds = Counter(records["kind"].drop_nulls().to_list()).most_common()
    lost = sum(reading.by_class.get(each, 0) for each in (LineClass.UNEXPLAINED, LineClass.REJECTED))
    out(f"source: {source.name} ({source.title}), {reading.format}")
    if source.family is Family.PROGRAMME:
        out(f"event: {', '.join(records['event'].drop_nulls().unique(maintain_order=True)) or 'not said'}")
        between = f"{days[0]} to {days[-1]} ({len(days)})" if len(days) > SHOWN else ", ".join(days)
        out(f"days: {between or 'none with a date'}")
    counts = ", ".join(f"{kind} {number}" for kind, number in kinds)
    out(f"records: {records.height}{f' ({counts})' if counts else ''}")
    for title in records["title"].drop_nulls().head(SHOWN):
        out(f"title: {title}")
    out(f"not read: {lost} of {reading.lines} lines")
    say_held_back(reading, task.called, SHOWN)


def _count_further(plan: _Plan, document: Document, answer: Answer) -> int:
    """Return how many more pages a target asks for: other first ones, and those that a page leads to."""
    others = sum(1 for _ in plan.web.requests(plan.target, _today())) - 1
    try:
        return others + len(list(plan.web.follow(plan.target, document, replace(plan.request, url=answer.url))))
    except (DumpError, *PARSER_DEFECTS):  # a refresh reports it
        return others


def _say_unread(task: _Task, error: DumpError, document: Document | None, source: Source | None) -> None:
    """Say why a page cannot be read, what it is, which source came nearest, and what to do."""
    others = [each for each in task.options.known.values() if source is not None and each is not source]
    hint = hint_of(document, others) if document is not None and error.reason == "not_this_source" and others else ""
    say(f"failed: {task.called}:{error.line}: {error.reason}: {masked(error.expected)}{hint}")
    if document is None or HINT in hint or (source is not None and error.reason != "not_this_source"):
        return
    advice, settings, address = find_nature(document).advice, task.settings, is_address(task.given)
    if "--table" not in advice or settings.raw.name != "raw" or task.called != task.given:
        is_for_files = address and "--from" in advice and "--table" not in advice
        shown = "FILE" if is_for_files else quote(task.called)
        say(f"hint: {'save it as FILE; ' if is_for_files else ''}{advice.replace('FILE', shown)}")
        return
    name = as_name(
        str(task.facts.get("event") or (urlsplit(task.given).hostname if address else Path(task.given).stem))
    )
    page = task.given if address else str(Path(task.given).absolute())
    config = f" --config {quote(str(settings.config))}" if settings.config is not None else ""
    say(f"next: conspectus new {name} --table --from {quote(page)} --into {quote(str(settings.raw.parent))}{config}")


def _say_next(task: _Task, command: str) -> None:
    """Print the command that comes next; after a dry run that is the same one without it."""
    if task.options.dry_run:
        out("nothing was written (--dry-run)")
    else:
        out(f"next: conspectus {command} {task.settings.roots}")


def _name_of(file: Path, document: Document) -> str:
    """Return the name of the copy of a file: that of the file, with the suffix of a dump."""
    packed = file.suffix if file.suffix in UNPACKERS else ""
    bare = file.with_suffix("") if packed else file
    begins = document.text.lstrip()
    suffix = next((each for start, each in _KINDS.items() if begins.startswith(start)), ".txt")
    suffix = bare.suffix if bare.suffix in SUFFIXES else suffix
    return f"{as_name(bare.stem) or 'page'}{suffix}{packed}"


@contextmanager
def _reported() -> Iterator[None]:
    """Turn an error of the disk into one that says that nothing was written."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise FailedError(f"{error}; nothing was written") from error
