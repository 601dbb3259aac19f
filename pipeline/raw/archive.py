"""The raw archive: keeps each capture of a page once, whole, with its sidecar, and a log line for every attempt.

    raw/<source>/<key>/20261121T030000Z.html            the bytes, never changed
    raw/<source>/<key>/20261121T030000Z.html.meta.toml  where they come from
    raw/<source>/<key>/20261121T030000Z.times.json      a companion, whose address and hash are in the sidecar, too
    raw/<source>/<key>/captures.ndjson                  one JSON object per line, for every attempt

The sidecar is put into place before the bytes, and the companions between them, so that a capture never appears in
part; a killed run leaves hidden files, or a sidecar and companions without the dump, which ``repair`` deletes. Fetching
does not belong here.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from parsers._ledger.bundle import split_stamp
from parsers._web.web import Request, is_over
from pipeline.base.disk import (
    NEW_PREFIX,
    IrregularError,
    hash_file,
    is_there,
    make_folder,
    open_regular,
    read_limited,
    sync,
    write_new,
)
from pipeline.base.escape import is_utf8
from pipeline.base.known_files import KnownFiles
from pipeline.base.secret import masked, masked_name
from pipeline.raw.dump import SUFFIXES
from pipeline.raw.inventory import CAPTURE_LOG, log_of, page_of
from pipeline.raw.sidecar import SIDECAR_SUFFIX, is_possible, load_sidecar
from pipeline.raw.unpack import UNPACKERS
from pipeline.raw.walk import find_files

_CAPTURE: Final = re.compile(r"\d{8}T\d{6}Z(?:-\d{6})?\.")
DOUBTED_FOR: Final = timedelta(days=7)
"""How long what a person was told to look at closes no day, and says nothing of how lists look."""
BELIEVED_FOR: Final = timedelta(days=7)
"""How long a site may answer that a page has not changed since it was last sent whole, and a doubted one is asked for
whole."""

NO_LONGER: Final = "no longer fetched"
UNASKED: Final = "not asked for, as another page was not read"
LAPSES_AFTER: Final = timedelta(hours=20)
"""How long after its last attempt a page is no longer fetched, if others are: less than from one night to the next."""

_KEY: Final = re.compile(r"\w[\w.+-]{0,120}(?:/\w[\w.+-]{0,120}){0,3}")
_OF_SIDECAR: Final = frozenset(
    {"captured_at", "status", "etag", "last_modified", "sha256", "content_type", "final_url", "accept", "files"}
)
"""Sidecar keys on how a page was fetched and what a person accepted, not on which page it is."""

_MOST_BYTES: Final = 64 << 20
"""More than a log reaches in a lifetime of nightly runs."""


class FetchStatus(StrEnum):
    """How an attempt to fetch a page ended."""

    NEW = "new"
    UNCHANGED = "unchanged"
    NOT_MODIFIED = "not_modified"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A line of the capture log. ``file`` is the name of the capture that has the bytes."""

    at: str
    url: str
    outcome: FetchStatus
    status: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    sha256: str | None = None
    file: str | None = None
    seconds: float | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: status 200 with a body, or another status without one. ``url`` is where it came from."""

    url: str
    status: int
    data: bytes = b""
    etag: str | None = None
    last_modified: str | None = None
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A capture in the archive: its file and its sidecar."""

    file: Path
    sidecar: Mapping[str, Any]


def folder_of(raw: Path, source: str, request: Request) -> Path:
    """Return the folder of a page. Raises ``ValueError`` for an invalid key or suffix."""
    if not _KEY.fullmatch(request.key) or request.suffix not in SUFFIXES:
        raise ValueError(f"expected a key such as day/2026-03-02 and a file suffix of a dump, found {request!r}")
    return raw / source / masked_name(request.key)


def capture_times(
    files: KnownFiles, source: str, asked: Iterable[str], failed: Collection[str] = (), doubted: Collection[str] = ()
) -> dict[str, datetime]:
    """Return when each page of a source was last captured (UTC), by key; unchanged answers count too.

    ``asked`` are the keys of its pages that were ever requested. ``failed`` are the paths of captures that turned out
    to be bad: getting them again does not count. ``doubted`` are those that may be bad, such as an empty list, which a
    site that has just recovered shows too: they count from a week after they were first seen. A log that cannot be read
    is skipped: fetching its page reports it.
    """
    times = {}
    for key in asked:
        with suppress(OSError):
            page = recall_log(files, log_of(source, key))
            good = [
                last
                for name, first, last in (page.captures if page is not None else ())
                if (path := f"{source}/{key}/{name}") not in failed
                and (path not in doubted or last - first >= DOUBTED_FOR)
            ]
            if good:
                times[key] = max(good)
    return times


def pages_asked(raw: Path, source: str, links: Iterable[Path], files: KnownFiles) -> frozenset[str]:
    """Return the keys of the pages of a source that were ever requested.

    Links may end below the raw root and the folders ``links``.
    """
    found = find_files(raw / source, (raw, *links))
    stamps = {f"{source}/{path}": stamp for path, stamp in found.files.items()}
    files.see(stamps, found.devices)
    return frozenset(page_of(path) for path in stamps if path.endswith(f"/{CAPTURE_LOG}"))


def newest_capture(folder: Path) -> Kept | None:
    """Return the newest capture of a page, None without one. Raises ``ValueError`` if its sidecar is invalid."""
    names = [file.name for file in _captures(folder)]
    return _describe(folder / max(names, key=lambda name: name.partition(".")[0])) if names else None


def conditions(folder: Path, request: Request, now: datetime, day: date | None = None) -> dict[str, str]:
    """Return the headers of a conditional request; none if facts or URL are not those of the newest capture.

    They come from the last answer with the bytes of the newest capture. Nor are there any once a site has sent these
    bytes for the last time a week ago: it may say for ever that nothing has changed. Nor for the list of a ``day`` that
    is over by now and was not when it was last sent: what it shows then closes the day.
    """
    kept = newest_capture(folder)
    if kept is None or not _says_the_same(kept, request):
        return {}
    known: Mapping[str, Any] = kept.sidecar
    sent = kept.sidecar["captured_at"]
    for line in load_log(folder / CAPTURE_LOG)[0]:
        if line["sha256"] == kept.sidecar["sha256"] and line["url"] == request.url:
            known = line
            sent = datetime.fromisoformat(line["at"]) if line["outcome"] != FetchStatus.NOT_MODIFIED else sent
    if now - sent >= BELIEVED_FOR or (day is not None and is_over(day, now) and not is_over(day, sent)):
        return {}
    return _conditions_of(known)


def conditions_beside(kept: Kept, request: Request) -> list[dict[str, str]]:
    """Return the headers of conditional requests for the companions of a page, by what a capture of it says of them."""
    said = kept.sidecar.get("files", {})
    return [_conditions_of(said[companion_name(name)]) for name, _ in request.companions]


def _conditions_of(said: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers by which a site may confirm the bytes that it has sent with these marks."""
    asked = {"If-None-Match": said.get("etag"), "If-Modified-Since": said.get("last_modified")}
    return {name: value for name, value in asked.items() if value}


def keep(
    folder: Path, request: Request, answer: Answer, now: datetime, beside: Sequence[Answer] = ()
) -> tuple[FetchStatus, Kept]:
    """Keep an answer with a body, unless the newest capture has the same one; ``now`` is UTC.

    ``beside`` are the answers of the companions of the request: all files are kept, also if one alone is new. If the
    clock was set back, the new capture still becomes the newest: the order of captures decides which counts.
    """
    last = newest_capture(folder)
    if last is not None and _says_the_same(last, request) and is_same(last, request, [answer, *beside]):
        return FetchStatus.UNCHANGED, last
    if last is not None:
        now = max(now, last.sidecar["captured_at"] + timedelta(microseconds=1))
    name, moment = _free_name(folder, request.suffix, now)
    files = {
        companion_name(each): {"url": url, **_facts_of(said, url)}
        for (each, url), said in zip(request.companions, beside, strict=True)
    }
    facts = {"url": request.url, "captured_at": moment, "status": answer.status, **_facts_of(answer, request.url)}
    bodies = {each: said.data for each, said in zip(files, beside, strict=True)}
    kept = put(folder / name, answer.data, {**facts, **request.facts, "files": files or None}, bodies)
    return FetchStatus.NEW, _describe(kept)


def is_same(kept: Kept, request: Request, answers: Sequence[Answer]) -> bool:
    """True if a capture has the bytes of all these answers, of the page and its companions, that have any."""
    said = kept.sidecar.get("files", {})
    known = [kept.sidecar, *(said.get(companion_name(name), {}) for name, _ in request.companions)]
    sent = [each for each in zip(known, answers, strict=True) if each[1].status == HTTPStatus.OK]
    return all(file.get("sha256") == sha256(answer.data).hexdigest() for file, answer in sent)


def companion_name(name: str) -> str:
    """Return the name of a companion, which is part of an address, as the archive has it behind its own stamp."""
    return split_stamp(masked_name(name)).name


def _facts_of(answer: Answer, url: str) -> dict[str, str | None]:
    """Return what a sidecar says of an answer to the request for an address."""
    return {
        "final_url": answer.url if answer.url != url else None,
        "etag": answer.etag,
        "last_modified": answer.last_modified,
        "content_type": answer.content_type,
        "sha256": sha256(answer.data).hexdigest(),
    }


def put(file: Path, data: bytes, facts: Mapping[str, object], beside: Mapping[str, bytes] | None = None) -> Path:
    """Write a dump with its sidecar, which has those of the facts that are no None; return the dump.

    ``beside`` are companions by name; they appear before the dump does.
    """
    make_folder(file.parent)
    sidecar = _sidecar_of(file)
    fresh_data = write_new(file, data)
    companions = zip(_beside(file, beside or ()), (beside or {}).values(), strict=True)
    fresh = [(write_new(each, body), each) for each, body in companions]
    fresh_sidecar = write_new(sidecar, _lines_of(facts).encode())
    fresh_sidecar.rename(sidecar)
    sync(file.parent)
    for written, companion in fresh:
        written.rename(companion)
        sync(file.parent)
    fresh_data.rename(file)
    sync(file.parent)
    return file


def _beside(file: Path, names: Iterable[str]) -> list[Path]:
    """Return the companions of a capture: each has its stamp before its name."""
    return [file.with_name(f"{file.name.partition('.')[0]}.{name}") for name in names]


def _lines_of(facts: Mapping[str, object]) -> str:
    """Return facts as lines of TOML, without those that say nothing."""
    return "".join(f"{key} = {as_toml(value)}\n" for key, value in _said(facts))


def _said(facts: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the facts that say something."""
    return ((key, value) for key, value in facts.items() if value is not None and value != "")


def repair(folder: Path, now: datetime) -> list[str]:
    """Delete what a killed run left in the folder of a page, and repair its log; return what was done."""
    if not folder.is_dir():
        return []
    done = []
    for leftover in sorted(folder.glob(f"{NEW_PREFIX}*")):
        leftover.unlink()
        done.append(f"removed {leftover.name}")
    for sidecar in sorted(folder.glob(f"*{SIDECAR_SUFFIX}")):
        dump = sidecar.with_name(sidecar.name.removesuffix(SIDECAR_SUFFIX))
        if not dump.exists() and _CAPTURE.match(sidecar.name):
            for lone in [*filter(is_there, _beside(dump, _files_in(sidecar))), sidecar]:
                lone.unlink()
                done.append(f"removed {lone.name}")
    return done + _repair_log(folder, now)


def _files_in(sidecar: Path) -> list[str]:
    """Return the names of the companions in a sidecar; none in one that is invalid."""
    try:
        return list(load_sidecar(sidecar).get("files", ()))
    except ValueError:
        return []


def _repair_log(folder: Path, now: datetime) -> list[str]:
    """Drop damaged lines, and add the missing lines of captures that were kept before a run was killed."""
    file = folder / CAPTURE_LOG
    lines, damaged = load_log(file)
    logged = {line["file"] for line in lines}
    missing = [capture for capture in _captures(folder) if capture.name not in logged]
    if not damaged and not missing:
        return []
    added = [_entry_of(capture) for capture in missing]
    done = [f"added {entry.file} to the log" for entry in added]
    if damaged:
        error = f"{damaged} lines left by a killed run were not JSON" if damaged > 1 else "one line was not JSON"
        added.append(Attempt(stamp(now), "", FetchStatus.FAILED, error=f"log repaired: {error}"))
        done.append(f"removed from the log: {error}")
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [*lines, *map(asdict, added)])
    write_new(file, text.encode()).rename(file)
    sync(folder)
    return done


def _entry_of(capture: Path) -> Attempt:
    """Return the log line of a capture, from its sidecar."""
    sidecar = _describe(capture).sidecar
    return Attempt(
        stamp(sidecar["captured_at"]),
        sidecar.get("url", ""),
        FetchStatus.NEW,
        sidecar.get("status"),
        sidecar.get("etag"),
        sidecar.get("last_modified"),
        sidecar["sha256"],
        capture.name,
    )


def _describe(file: Path) -> Kept:
    """Read the sidecar of a capture; if a person wrote it, the file may have to supply capture time and hash.

    Raises ``ValueError``, naming the file, if it is invalid.
    """
    try:
        sidecar = load_sidecar(_sidecar_of(file))
        named = datetime.strptime(file.name[:16], "%Y%m%dT%H%M%SZ")  # noqa: DTZ007  # made UTC below
    except ValueError as error:
        raise ValueError(f"{_sidecar_of(file)}: {error}") from error
    moment: datetime = sidecar.get("captured_at", named)
    digest = sidecar.get("sha256") or hash_file(file)
    captured_at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return Kept(file, {**sidecar, "captured_at": captured_at, "sha256": digest})


def _captures(folder: Path) -> Iterator[Path]:
    """Yield the captures of a page that have a sidecar."""
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        if _CAPTURE.match(file.name) and not file.name.endswith(SIDECAR_SUFFIX) and is_there(_sidecar_of(file)):
            yield file


def _sidecar_of(file: Path) -> Path:
    """Return the sidecar of a capture."""
    return file.with_name(file.name + SIDECAR_SUFFIX)


def _says_the_same(kept: Kept, request: Request) -> bool:
    """True if a capture has the URL and the facts of a request, and the companions, which are still there."""
    said = {key: value for key, value in kept.sidecar.items() if key not in _OF_SIDECAR}
    files = {name: each["url"] for name, each in kept.sidecar.get("files", {}).items()}
    wanted = {companion_name(name): url for name, url in request.companions}
    return said == {"url": request.url, **request.facts} and files == wanted and _is_whole(kept)


def _is_whole(kept: Kept) -> bool:
    """True if the companions of a capture are there; somebody may have packed them."""
    files = _beside(kept.file, kept.sidecar.get("files", ()))
    return all(any(is_there(file.with_name(file.name + packed)) for packed in ("", *UNPACKERS)) for file in files)


def _free_name(folder: Path, suffix: str, now: datetime) -> tuple[str, datetime]:
    """Return an unused name for a capture, and the moment in it: to the second if that name is free."""
    moment = now.astimezone(UTC).replace(microsecond=0)
    name = f"{moment:%Y%m%dT%H%M%SZ}"
    if not any(folder.glob(f"{name}*")):
        return f"{name}{suffix}", moment
    moment = max(now.astimezone(UTC), moment + timedelta(microseconds=1))
    while any(folder.glob(f"{name}-{moment.microsecond:06}.*")):
        moment += timedelta(microseconds=1)
        name = f"{moment:%Y%m%dT%H%M%SZ}"
    return f"{name}-{moment.microsecond:06}{suffix}", moment


def as_toml(value: object) -> str:
    """Return a text, number, list, table or moment as TOML, in one line; a text is escaped as in JSON."""
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{as_toml(key)} = {as_toml(each)}" for key, each in _said(value)) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def append(folder: Path, entry: Attempt) -> None:
    """Append a line to the capture log of a page, in one write. Raises ``OSError``, also if it is not a file."""
    make_folder(folder)
    file = folder / CAPTURE_LOG
    fresh = not file.exists()
    line = (json.dumps(asdict(entry), ensure_ascii=False) + "\n").encode()
    handle = open_regular(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        if os.write(handle, line) != len(line):
            raise OSError(f"{file}: only part of a line could be written")
        os.fsync(handle)
    finally:
        os.close(handle)
    if fresh:
        sync(folder)


def stamp(moment: datetime) -> str:
    """Return a moment in UTC as text, as sidecars and log have it."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def load_log(file: Path) -> tuple[list[dict[str, Any]], int]:
    """Return the lines of a capture log, and the number of damaged ones; an unterminated last line is damaged.

    Raises ``OSError``, also where the log is not a regular file.
    """
    if not is_there(file):
        return [], 0
    try:
        found = read_limited(file, _MOST_BYTES).split(b"\n")
    except IrregularError as error:
        raise IrregularError(f"{file.name}: {error}") from error
    good = []
    torn = found.pop()
    for line in found:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):  # RecursionError: thousands of nested brackets
            continue
        if isinstance(entry, dict) and entry.keys() >= Attempt.__dataclass_fields__.keys() and _is_entry(entry):
            good.append(entry)
    return good, len(found) - len(good) + bool(torn)


@dataclass(frozen=True, slots=True)
class PageLog:
    """What the log of a page says, in UTC: its address, when it was last asked for, since when and why that fails.

    ``captures`` are those that it names, each with when it was first and last got.
    """

    captures: Sequence[tuple[str | None, datetime, datetime]]
    url: str
    asked: datetime
    failing: tuple[datetime, str] | None


def recall_log(files: KnownFiles, log: str) -> PageLog | None:
    """Return what a log below the raw root says, None if nothing. Raises as ``load_log`` does."""
    captures, url, asked, failing = files.made_of(log, _summarise)
    if not asked:
        return None
    moment = datetime.fromisoformat
    got = [(name, moment(first), moment(last)) for name, first, last in captures]
    return PageLog(got, url, moment(asked), (moment(failing[0]), failing[1]) if failing else None)


def _summarise(log: Path) -> list[Any]:
    """Return what ``recall_log`` does, as JSON."""
    got: dict[str | None, list[str]] = defaultdict(list)
    url, asked = "", ""
    failing: list[str] | None = None
    for line in load_log(log)[0]:
        if not line["url"] and line["outcome"] == FetchStatus.FAILED:  # of a repair
            continue
        url, asked = line["url"] or url, datetime.fromisoformat(line["at"]).astimezone(UTC).isoformat()
        if line["outcome"] == FetchStatus.FAILED:
            failing = [failing[0] if failing else asked, str(line["error"])]
        else:
            failing = None
            got[line["file"]].append(asked)
    return [[[name, min(times), max(times)] for name, times in got.items()], url, asked, failing]


def last_asked(files: KnownFiles, asked: Mapping[str, Iterable[str]], now: datetime) -> datetime:
    """Return when a page of any source was last asked for; a clock that was ahead does not count.

    ``asked`` are the keys of the pages by source.
    """
    found = now - timedelta(days=365)
    for source, keys in asked.items():
        for key in keys:
            with suppress(OSError):
                page = recall_log(files, log_of(source, key))
                if page is not None and found < page.asked <= now:
                    found = page.asked
    return found


def unreached_pages(  # noqa: PLR0913  # what is known of a page, and of the others
    files: KnownFiles, source: str, asked: Iterable[str], newest: datetime, *, state: bool, linked: bool
) -> dict[str, dict[str, str]]:
    """Return the pages of a source that were not reached, or are no longer fetched, by key: address, since when, why.

    ``newest`` is when any page was last asked for. A page of a log, not of a ``state``, is asked for only as long as
    its day is open. Unless all pages were ``linked``, and reached, one may only be missing because another is.
    """
    found: dict[str, dict[str, str]] = {}
    for key in asked:
        with suppress(OSError):
            page = recall_log(files, log_of(source, key))
            if page is None:
                continue
            since, why = page.failing or (page.asked, None)
            if newest - page.asked > LAPSES_AFTER:
                since, why = page.asked, NO_LONGER if state else None
            if why:
                found[key] = {"url": masked(page.url), "since": f"{since:%Y-%m-%d}", "why": masked(why)}
    is_certain = linked and all(page["why"] == NO_LONGER for page in found.values())
    unasked = {} if is_certain else {"why": UNASKED}
    return {key: page | unasked if page["why"] == NO_LONGER else page for key, page in found.items()}


def _is_entry(entry: dict[str, Any]) -> bool:
    """True if the values of a line have the types that ``append`` writes; newer versions may add values."""
    plain = all(value is None or isinstance(value, str | int | float) for value in entry.values())
    texts = all(is_utf8(value) for value in entry.values() if isinstance(value, str))
    names = all(isinstance(entry[key], str | None) for key in ("url", "file", "etag", "last_modified", "sha256"))
    return plain and texts and names and _is_moment(entry["at"])


def _is_moment(text: object) -> bool:
    """True if a value is a moment as ``stamp`` writes it, in a valid year."""
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return False
    return moment is not None and moment.tzinfo is not None and is_possible(moment)
