"""Reads ``sources.toml``: the contact, what to fetch from each source, and the settings of other stages.

Targets are dataclasses of the source, only checked and passed on here. Each stage with settings declares a dataclass,
listed in ``SECTIONS``, or in ``OVERRIDABLE`` if sources can override it: ``[guards]`` holds for all sources,
``[guards.<source>]`` lists what differs for one.
"""

import errno
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import ConfigDict, TypeAdapter, ValidationError

from parsers._contract import Source
from pipeline.base.disk import IrregularError, is_there, open_regular
from pipeline.base.secret import masked
from pipeline.base.settings import Limits, Settings, SiteSettings, UsageError, name_roots, resolve_out, resolve_raw
from pipeline.base.signals import GuardBook, Guards
from pipeline.base.suggest import meant
from pipeline.notify import Notify
from pipeline.raw.archive import as_toml
from pipeline.raw.sidecar import check_fact, parse_toml, read_toml
from pipeline.raw.walk import RawFolders

CONFIG_VARIABLE: Final = "CONSPECTUS_CONFIG"
CONFIG_FILE: Final = "sources.toml"
WORKS_FILE: Final = "works.toml"
SECTIONS: Final[Mapping[str, type]] = {"limits": Limits, "notify": Notify, "raw": RawFolders, "site": SiteSettings}
"""The dataclass of each settings table, by name; a missing table gets the defaults."""

OVERRIDABLE: Final[Mapping[str, type]] = {"guards": Guards}
"""Like ``SECTIONS``, for settings that a source can override in a subtable with its name."""

_BITS: Final = 63
_Way = tuple[int | str, ...]

_STRICT: Final = ConfigDict(extra="forbid", strict=True)
_CONTACT: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|https?://\S+", re.ASCII)
_PRODUCT: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_ROOT: Final = ("contact", "user_agent")


@dataclass(frozen=True, slots=True)
class Config:
    """The contents of ``sources.toml``: ``targets`` by source, ``sections`` by name, ``overridden`` by name and source.

    ``contact`` is an address where site operators can reach the person behind the requests; ``user_agent`` replaces
    the name and version of this program.
    """

    file: Path
    contact: str | None
    user_agent: str | None
    targets: Mapping[str, tuple[Any, ...]]
    sections: Mapping[str, Any]
    overridden: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def guards(self) -> GuardBook:
        """The guard settings for all sources, and for those that override them."""
        return GuardBook(self.sections["guards"], self.overridden.get("guards", {}))

    @property
    def notify(self) -> Notify:
        """The hooks that are notified of a red run."""
        hooks: Notify = self.sections["notify"]
        return hooks

    @property
    def limits(self) -> Limits:
        """The limits for reading one dump."""
        limits: Limits = self.sections["limits"]
        return limits

    @property
    def site(self) -> SiteSettings:
        """The settings of the pages to look at."""
        site: SiteSettings = self.sections.get("site", SiteSettings())
        return site

    @property
    def links(self) -> tuple[Path, ...]:
        """The folders outside the raw root where links below it may end."""
        folders: RawFolders = self.sections.get("raw", RawFolders())
        return tuple(map(Path, folders.links))


def resolve_config(environment: Mapping[str, str], given: str | None = None) -> Path:
    """Return the file to read: from the option, else the environment, else the working directory."""
    return Path(given or environment.get(CONFIG_VARIABLE) or CONFIG_FILE).absolute()


def find_config(environment: Mapping[str, str], known: Mapping[str, Source], given: str | None = None) -> Config | None:
    """Read the named file, else the one in the working directory; return None if there is neither.

    Raises ``UsageError`` for mistakes in it, and where a named file is missing.
    """
    file = resolve_config(environment, given)
    named = given or environment.get(CONFIG_VARIABLE)
    return load_config(file, known) if named or is_there(file) else None


def roots_given(environment: Mapping[str, str], raw: str | None, out: str | None, config: str | None) -> str:
    """Return the options of a command that works on the same folders from anywhere, as far as they are there."""
    there, file = resolve_raw(environment, raw), resolve_config(environment, config)
    return name_roots(there if there.is_dir() else None, resolve_out(environment, out), file if file.exists() else None)


def configure(settings: Settings, config: Config | None) -> Settings:
    """Return the settings of a run, updated from the file if there is one, and with ``works.toml`` beside it."""
    works = (config.file if config else Path(CONFIG_FILE).absolute()).with_name(WORKS_FILE)
    settings = replace(settings, works=works if is_there(works) else None)
    if config is None:
        return settings
    return replace(settings, guards=config.guards, limits=config.limits, links=config.links, config=config.file)


def load_config(
    file: Path,
    known: Mapping[str, Source],
    sections: Mapping[str, type] = SECTIONS,
    overridable: Mapping[str, type] = OVERRIDABLE,
) -> Config:
    """Read and check the file. Raises ``UsageError`` with one line per mistake, naming file and key."""
    if file == Path(os.devnull):  # how one says: none
        return _checked(file, {}, known, sections, overridable)
    try:
        entries = read_toml(file)
    except (IrregularError, ValueError) as error:
        raise UsageError(f"{file}: {error}") from error
    except OSError as error:
        tried = f"tried: --config, {CONFIG_VARIABLE}, ./{CONFIG_FILE}"
        raise UsageError(f"{file}: expected a readable configuration file: {error.strerror}; {tried}") from error
    return _checked(file, entries, known, sections, overridable)


def make_entry(source: str, values: Mapping[str, object]) -> str:
    """Return a target of a source as TOML."""
    return f"[[{source}]]\n" + "".join(f"{key} = {as_toml(value)}\n" for key, value in values.items())


def with_entry(file: Path, entry: str, known: Mapping[str, Source]) -> tuple[Config, bytes]:
    """Return what a file would say with an entry at its end, and the bytes to append to it.

    Raises ``UsageError`` as ``load_config`` does, and ``OSError``.
    """
    text = file.read_bytes()
    added = (b"\n" if text.endswith(b"\n") or not text else b"\n\n") + entry.encode()
    try:
        entries = parse_toml(text + added)
    except ValueError as error:
        raise UsageError(f"{file}: cannot take an entry at its end: {error}") from error
    return _checked(file, entries, known, SECTIONS, OVERRIDABLE), added


def append_entry(file: Path, added: bytes, known: Mapping[str, Source]) -> Config:
    """Append an entry to a file, which keeps its owner, mode and links, and return what it says then.

    Raises ``UsageError`` as ``load_config`` does, and ``OSError``.
    """
    handle = open_regular(file, os.O_WRONLY | os.O_APPEND)
    try:
        if os.write(handle, added) != len(added):
            raise OSError(errno.ENOSPC, "only part of the entry could be written", str(file))
        os.fsync(handle)
    finally:
        os.close(handle)
    return load_config(file, known)


def _checked(
    file: Path,
    entries: Mapping[str, Any],
    known: Mapping[str, Source],
    sections: Mapping[str, type],
    overridable: Mapping[str, type],
) -> Config:
    """Return what a file says. Raises ``UsageError`` with one line per mistake, naming file and key."""
    if _has_long_number(entries):
        raise UsageError(f"{file}: expected numbers of at most 64 bits, found a longer one")
    named = [name for name in known if name in entries]  # a source without targets need not be imported
    fetched = {name: web.target for name in named if (web := known[name].web) is not None}
    problems = list(_check_root(entries, known, [*sections, *overridable], fetched))
    targets: dict[str, tuple[Any, ...]] = {}
    for name, target in fetched.items():
        targets[name], wrong = _validated(target, entries[name])
        problems += [f"{_key(name, way)}: {masked(what)}" for way, what in wrong] or _check_facts(name, targets[name])
    settings: dict[str, Any] = {}
    overridden: dict[str, dict[str, Any]] = {}
    for name, section in {**sections, **overridable}.items():
        common, own = _parted(entries.get(name, {}), known if name in overridable else ())
        settings[name], mistakes = _settings(name, section, common, known if name in overridable else ())
        for source, differing in own.items() if not mistakes else ():  # or they would be repeated for each source
            overridden.setdefault(name, {})[source], more = _settings(
                f"{name}.{source}", section, {**common, **differing}
            )
            mistakes += more
        problems += mistakes
    if problems:
        raise UsageError("\n".join(f"{file.name}: {problem}" for problem in problems))
    return Config(file, entries.get("contact"), entries.get("user_agent"), targets, settings, overridden)


def _has_long_number(value: object) -> bool:
    """True if TOML holds a number that no setting can take, and that is too long to be printed."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_has_long_number, inside)) or (isinstance(value, int) and value.bit_length() > _BITS)


def _parted(table: Any, sources: Collection[str]) -> tuple[Any, dict[str, Any]]:  # noqa: ANN401  # whatever TOML holds
    """Split a settings table into the common settings and the subtables of these sources; keep what is not a table."""
    if not isinstance(table, dict):
        return table, {}
    own = {key: value for key, value in table.items() if key in sources and isinstance(value, dict)}
    return {key: value for key, value in table.items() if key not in own}, own


def _settings(name: str, section: type, values: object, below: Iterable[str] = ()) -> tuple[Any, list[str]]:
    """Return the dataclass made from one settings table, None if it is invalid, and the mistakes in the table.

    ``below`` names the tables that it may contain.
    """
    made, wrong = _validated(section, [values], below)
    return made[0] if made else None, [f"{_key(name, way[1:])}: {what}" for way, what in wrong]


def _check_root(
    entries: Mapping[str, Any], known: Mapping[str, Source], tables: Sequence[str], fetched: Collection[str]
) -> Iterator[str]:
    """Yield the mistakes in the top-level names and plain values of the file."""
    for name in sorted(entries.keys() - {*_ROOT, *fetched, *tables}):
        there = [*_ROOT, *(source for source in known if known[source].web is not None), *tables]
        yield f"{name}: expected one of {', '.join(there)}{meant(name, there)}"
    contact, product = entries.get("contact"), entries.get("user_agent")
    if contact is not None and not (isinstance(contact, str) and contact.isascii() and _CONTACT.fullmatch(contact)):
        yield f"contact: expected an email address or the URL of a page, found {contact!r}"
    if product is not None and not (isinstance(product, str) and _PRODUCT.fullmatch(product)):
        yield f"user_agent: expected ASCII text such as 'library-refresh/2.0', found {product!r}"


def _validated(
    model: type, values: object, below: Iterable[str] = ()
) -> tuple[tuple[Any, ...], list[tuple[_Way, str]]]:
    """Return the dataclasses made from TOML values, and each mistake with its place and a message."""
    try:
        # As JSON, since strict mode then still accepts a list for a tuple and a table for a dataclass.
        return _adapter(model).validate_json(json.dumps(values, default=str)), []
    except ValidationError as error:
        return (), [_describe(details, [*(one.name for one in fields(model)), *below]) for details in error.errors()]


@cache
def _adapter(model: type) -> TypeAdapter[Any]:
    """Return what makes dataclasses of TOML values."""
    return TypeAdapter(tuple[model, ...], config=_STRICT)  # type: ignore[valid-type]


def _describe(details: Mapping[str, Any], keys: Iterable[str]) -> tuple[_Way, str]:
    """Return the place of a mistake, and one line on what was expected and what was found.

    ``keys`` are the known top-level keys, for a suggestion.
    """
    way, cause = details["loc"], details.get("ctx", {}).get("error")
    if isinstance(cause, ValueError):  # raised by the dataclass, which may name its key
        own = getattr(cause, "key", None)
        return (*way, *([own] if own else [])), str(cause)
    if details["type"] == "missing":
        return way, "expected a value, found none"
    if details["type"] == "unexpected_keyword_argument":
        return way, "unknown key" + (meant(str(way[-1]), keys) if len(way) == 2 else "")
    return way, f"{details['msg'].replace('Input should be', 'expected')}, found {details['input']!r}"


def _key(name: str, way: _Way) -> str:
    """Return the place of a value in the notation that a person would use: ``name[0].listings[1]``."""
    return name + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in way)


def _check_facts(name: str, targets: Sequence[Any]) -> Iterator[str]:
    """Yield the mistakes in target fields that go into sidecars."""
    for place, target in enumerate(targets):
        for one in fields(target):
            value = getattr(target, one.name)
            if one.name in {"timezone", "year"} and value is not None:
                try:
                    check_fact(one.name, value)
                except ValueError as error:
                    yield f"{name}[{place}].{error}"
