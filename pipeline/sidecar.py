"""Reads the sidecar of a dump: facts of its page that its bytes do not say, and how it was fetched."""

import tomllib
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from parsers._contract import Facts
from pipeline.guarding.guards import GUARDS

SIDECAR_SUFFIX: Final = ".meta.toml"
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
}
_KEYS: Final = _FACTS | _FETCHED


def read_facts(file: Path) -> Facts:
    """Read the sidecar of a dump; all None without one. Raises ``ValueError`` naming the key that is wrong."""
    sidecar = file.with_name(file.name + SIDECAR_SUFFIX)
    entries = read_sidecar(sidecar) if sidecar.exists() else {}
    return Facts(**{key: value for key, value in entries.items() if key in _FACTS})


def read_sidecar(sidecar: Path) -> dict[str, Any]:
    """Read a sidecar: facts of the page, how it was fetched. Raises ``ValueError`` naming the key that is wrong."""
    try:
        entries = tomllib.loads(sidecar.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"expected a TOML file: {error}") from error
    if unknown := sorted(entries.keys() - _KEYS.keys()):
        raise ValueError(f"unknown key {unknown[0]!r}: expected one of {', '.join(_FACTS)}")
    return {key: check_fact(key, value) for key, value in entries.items()}


def check_fact(key: str, value: Any) -> Any:  # noqa: ANN401  # any TOML value in, one of the types of ``_KEYS`` out
    """Return a sidecar value in the type of its key. Raises ``ValueError`` where it has another type or no sense."""
    if key == "captured_at" and isinstance(value, str):
        with suppress(ValueError):  # a text that is no date-time is told below, with its key
            value = datetime.fromisoformat(value)
    if key == "accept" and isinstance(value, list):
        return _guards(value)
    if type(value) is date:
        value = datetime(value.year, value.month, value.day)
    if type(value) is not _KEYS[key] or value == "":
        raise ValueError(f"{key} = {value!r}: expected a value of type {_KEYS[key].__name__}")
    if key == "year" and not 1900 <= int(str(value)) <= 2099:
        raise ValueError(f"year = {value!r}: expected four digits, 19xx or 20xx")
    if key == "timezone":
        try:
            ZoneInfo(str(value))
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: the name of a folder of zones
            raise ValueError(f"timezone = {value!r}: expected an IANA name such as Europe/Berlin") from error
    return value


def _guards(names: list[Any]) -> tuple[str, ...]:
    """Return the names of guards, sorted. Raises ``ValueError`` where one is none."""
    if strangers := [name for name in names if name not in GUARDS]:
        raise ValueError(f"accept = {names!r}: {strangers[0]!r} is no guard: expected some of {', '.join(GUARDS)}")
    return tuple(sorted(set(names)))
