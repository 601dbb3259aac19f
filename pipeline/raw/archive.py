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
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from parsers._ledger.bundle import split_stamp
from parsers._web.web import Request, is_over
from pipeline.base.disk import (
    NEW_PREFIX,
    hash_file,
    is_there,
    make_folder,
    sync,
    write_new,
)
from pipeline.base.secret import masked_name
from pipeline.raw.capture_log import (
    Attempt,
    FetchStatus,
    load_log,
    stamp,
)
from pipeline.raw.dump import SUFFIXES
from pipeline.raw.inventory import CAPTURE_LOG
from pipeline.raw.sidecar import SIDECAR_SUFFIX, load_sidecar
from pipeline.raw.unpack import UNPACKERS

_CAPTURE: Final = re.compile(r"\d{8}T\d{6}Z(?:-\d{6})?\.")
BELIEVED_FOR: Final = timedelta(days=7)
"""How long a site may answer that a page has not changed since it was last sent whole, and a doubted one is asked for
whole."""


_KEY: Final = re.compile(r"\w[\w.+-]{0,120}(?:/\w[\w.+-]{0,120}){0,3}")
_OF_SIDECAR: Final = frozenset(
    {"captured_at", "status", "etag", "last_modified", "sha256", "content_type", "final_url", "accept", "files"}
)
"""Sidecar keys on how a page was fetched and what a person accepted, not on which page it is."""


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
