"""Reads the sidecar of a dump: facts about its page that its bytes lack, and how it was fetched; any TOML with care."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from itertools import accumulate
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from parsers._ledger.document import Facts
from pipeline.base.disk import IrregularError, is_there, read_limited, sync, write_new
from pipeline.base.known_files import KnownFiles
from pipeline.base.secret import masked
from pipeline.base.signals import GUARD_NAMES, OLD_NAMES

SIDECAR_SUFFIX: Final = ".meta.toml"
YEARS: Final = range(1900, 2100)
"""Valid years of captures and programmes; at the ends of the calendar, converting time zones would overflow."""

_MOST_BYTES: Final = 1 << 20
_MOST_DOTS: Final = 50  # of a key: each part is compared with all parts before it, and a million take hours
_TEXT: Final = re.compile(
    r""""(?:[^"\\\n]|\\.)*+(?P<double>")?|'[^'\n]*+(?P<single>')?"""
)  # always matches, or it is slow
_ACCEPT: Final = re.compile(r"^[ \t]*accept[ \t]*=[ \t]*\[[^\]]*\]", re.MULTILINE)
_SHOWN: Final = 200
_FACTS: Final = {
    "url": str,
    "captured_at": datetime,
    "event": str,
    "timezone": str,
    "year": int,
    "category": str,
    "specimen": bool,
    "accept": list,
}
_FETCHED: Final = {
    "final_url": str,
    "status": int,
    "etag": str,
    "last_modified": str,
    "sha256": str,
    "content_type": str,
    "files": dict,
}
_OF_FILE: Final = frozenset(_FETCHED) - {"files"} | {"url"}
"""What is said of each of the ``files``, the companions of a dump that were fetched with it."""
_KEYS: Final = _FACTS | _FETCHED


def load_facts(file: Path) -> Facts:
    """Return the facts in a dump's sidecar, defaults without one; the capture time is UTC without zone.

    The address is masked: it tells the pages apart, and is published.

    Raises ``ValueError`` naming the wrong key.
    """
    sidecar = file.with_name(file.name + SIDECAR_SUFFIX)
    return _as_facts(_load_as_json(sidecar)) if is_there(sidecar) else Facts()


def recall_facts(files: KnownFiles, sidecar: str) -> Facts:
    """Return the facts in a sidecar below the raw root, read only if it is new. Raises as ``load_facts`` does."""
    return _as_facts(files.derive(sidecar, _load_as_json))


def _load_as_json(sidecar: Path) -> dict[str, Any]:
    """Return the facts in a sidecar as JSON. Raises as ``load_facts`` does."""
    said = load_sidecar(sidecar)
    entries = {key: value for key, value in said.items() if key in _FACTS}
    if "url" in entries:
        entries["url"] = masked(entries["url"])
    moment: datetime | None = entries.get("captured_at")
    if moment is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
        entries["captured_at"] = moment.isoformat()
    if "accept" in entries:
        entries["accept"] = list(entries["accept"])
    if "files" in said:
        entries["urls"] = [masked(each["url"]) for each in said["files"].values()]
    return entries


def _as_facts(entries: Mapping[str, Any]) -> Facts:
    """Return facts from JSON."""
    given = dict(entries)
    if "captured_at" in given:
        given["captured_at"] = datetime.fromisoformat(given["captured_at"])
    for several in {"accept", "urls"} & given.keys():
        given[several] = tuple(given[several])
    return Facts(**given)


def load_tables(file: Path) -> str:
    """Return the text of a file of tables. Raises ``ValueError`` with why it cannot be read."""
    try:
        return read_limited(file, _MOST_BYTES).decode()
    except IrregularError as error:
        raise ValueError(str(error)) from error
    except OSError as error:
        raise ValueError(f"expected a readable TOML file: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"expected valid TOML: {error}") from error


def load_sidecar(sidecar: Path) -> dict[str, Any]:
    """Read a sidecar: facts about the page and its fetch. Raises ``ValueError`` naming the wrong key."""
    try:
        entries = read_toml(sidecar)
    except IrregularError as error:
        raise ValueError(str(error)) from error
    except OSError as error:
        raise ValueError(f"expected a readable TOML file: {error.strerror or error}") from error
    if unknown := sorted(entries.keys() - _KEYS.keys()):
        guess = _meant(unknown[0], _KEYS)
        raise ValueError(f"unknown key {_shown(unknown[0])}: expected one of {', '.join(_FACTS)}{guess}")
    return {key: check_fact(key, value) for key, value in entries.items()}


def add_accepted(file: Path, guards: Iterable[str]) -> Path:
    """Add guards to those that the sidecar of a dump accepts; return the sidecar.

    All else in it stays as it is. Raises ``ValueError`` for a sidecar that cannot be changed, and ``OSError``.
    """
    sidecar = file.with_name(file.name + SIDECAR_SUFFIX)
    entries, text = (load_sidecar(sidecar), sidecar.read_bytes().decode()) if is_there(sidecar) else ({}, "")
    entries["accept"] = _guards([*entries.get("accept", ()), *guards])
    line = f"accept = {json.dumps(entries['accept'])}"
    changed, found = _ACCEPT.subn(line, text)
    if not found:
        changed = f"{text.rstrip()}\n{line}\n".lstrip()
    fresh = write_new(sidecar, changed.encode())
    try:
        if load_sidecar(fresh) != entries:
            raise ValueError(f"{sidecar}: expected a line accept = [..] that can be replaced; write {line} there")
        fresh.replace(sidecar)
    finally:
        fresh.unlink(missing_ok=True)
    sync(sidecar.parent)
    return sidecar


def read_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file that anybody may have written. Raises ``ValueError`` naming the line, and ``OSError``."""
    return parse_toml(read_limited(file, _MOST_BYTES))


def parse_toml(data: bytes) -> dict[str, Any]:
    """Read TOML that anybody may have written. Raises ``ValueError`` naming the line."""
    try:
        text = data.decode()
        for number, content in enumerate(text.split("\n"), 1):
            if content.count(".") > _MOST_DOTS and _without_texts(content).count(".") > _MOST_DOTS:
                raise ValueError(f"more than {_MOST_DOTS} dots in a key (at line {number})")
        return tomllib.loads(text)
    except RecursionError as error:
        where = f"(at line {_deepest_line(text)})"
        raise ValueError(f"expected TOML with plain keys and values, found it nested too deeply {where}") from error
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        raise ValueError(f"expected valid TOML: {error} (at line {line})") from error
    except ValueError as error:  # from TOML, and from numbers with too many digits
        raise ValueError(f"expected valid TOML: {error}") from error


def _without_texts(line: str) -> str:
    """Return a line without the texts that end in it."""
    return _TEXT.sub(lambda found: "" if found.lastgroup else found[0], line)


def _deepest_line(text: str) -> int:
    """Return the number of the line in which most brackets are open."""
    lines = list(map(_without_texts, text.split("\n")))
    opened = [sum(map(line.count, "[{")) for line in lines]
    after = list(accumulate(more - sum(map(line.count, "]}")) for line, more in zip(lines, opened, strict=True)))
    most = [more + before for more, before in zip(opened, [0, *after], strict=False)]
    return most.index(max(most)) + 1


def is_possible(moment: datetime) -> bool:
    """True if a moment is a valid capture time, which then exists in every time zone."""
    return moment.year in YEARS


def check_fact(key: str, value: Any) -> Any:  # noqa: ANN401  # any TOML value in, one of the types of ``_KEYS`` out
    """Return a sidecar value in the type of its key. Raises ``ValueError`` if its type or value is invalid."""
    if key == "captured_at" and isinstance(value, str):
        with suppress(ValueError):  # an invalid date-time is reported below, with its key
            value = datetime.fromisoformat(value)
    if key == "accept" and isinstance(value, list):
        return _guards(value)
    if type(value) is date:
        value = datetime(value.year, value.month, value.day)
    if type(value) is not _KEYS[key] or value == "":
        raise ValueError(f"{key} = {_shown(value)}: expected a value of type {_KEYS[key].__name__}")
    if isinstance(value, datetime):
        return _moment(value)
    if key == "files":
        return _files(value)
    if key == "year" and value not in YEARS:
        raise ValueError(f"year = {_shown(value)}: expected four digits, 19xx or 20xx")
    if key == "timezone":
        try:
            ZoneInfo(str(value))
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: the name of a folder of zones
            raise ValueError(f"timezone = {_shown(value)}: expected an IANA name such as Europe/Berlin") from error
    return value


def _moment(value: datetime) -> datetime:
    """Return a capture time. Raises ``ValueError`` if its year is invalid."""
    if not is_possible(value):
        raise ValueError(f"captured_at = {value.isoformat()}: expected a time in the years 19xx or 20xx")
    return value


def _files(value: Any) -> dict[str, dict[str, Any]]:  # noqa: ANN401  # a table of TOML
    """Return the companions of a dump. Raises ``ValueError`` if that is not what ``archive.keep`` writes."""
    found: dict[str, Any] = value
    for name, said in found.items():
        wrong = not isinstance(said, dict) or not {"url", "sha256"} <= said.keys() <= _OF_FILE or "/" in name
        if wrong or any(type(each) is not _KEYS[key] for key, each in said.items()):
            raise ValueError(
                f"files = {_shown(value)}: expected names of files, each with url, sha256, etag and the like"
            )
    return found


def _guards(names: list[Any]) -> tuple[str, ...]:
    """Return the names of guards, sorted, without repeats. Raises ``ValueError`` for an unknown one."""
    known = (*GUARD_NAMES, *OLD_NAMES)  # a tuple, since the list may contain tables, which are not hashable
    if strangers := [name for name in names if name not in known]:
        stranger = strangers[0]
        expected = f"some of {', '.join(GUARD_NAMES)}" + (_meant(stranger, known) if isinstance(stranger, str) else "")
        raise ValueError(f"accept = {_shown(names)}: {_shown(stranger)} is not a guard: expected {expected}")
    return tuple(sorted(set(names)))


def _meant(given: str, known: Iterable[str]) -> str:
    """Return a guess at what was meant, for the end of a message.

    It is no part of reading: a message goes into the name of an entry of the cache as a whole.
    """
    from pipeline.base.suggest import meant  # noqa: PLC0415  # of no use to readers, which get the message

    return meant(given, known)


def _shown(value: object) -> str:
    """Return a value as text for a message, cut if it is long: a sidecar can contain anything."""
    try:
        text = masked(repr(value))
    except ValueError:  # a hexadecimal, octal or binary number with thousands of digits
        return "a number with too many digits"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
