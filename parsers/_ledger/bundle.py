"""Which files belong together: a dump and its companions in one folder, by the patterns of a file of tables.

    [files]
    calendar = ["*calendar.json", "*calendar.csv"]

``*`` stands for any text; of several patterns the first one that a file has counts. The suffix of a packed file and the
stamp of a capture are no part of a name; files of one capture have the same stamp. In ``sources.toml`` each companion
has an address, and the name in it is that of the file. What the files mean does not belong here.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, NamedTuple

FILES: Final = "files"
"""The table that names the companions, of a file of tables or of a layout in it."""

OWN: Final = "dump"
"""What the paths of tables call the dump itself."""
_MOST: Final = 20
_PATTERN: Final = re.compile(r"(?=[*.]*[^*.])[^/]{1,200}")
_PACKED: Final = re.compile(r"\.(?:gz|zst)$")
_STAMP: Final = re.compile(
    r"""
    [-_.]?                                            # what joins it to the name
    (?P<stamp>
        (?P<date>(?:19|20)\d{2}-?\d{2}-?\d{2})         # day
        [T_ ]
        (?P<time>\d{2}[-:]?\d{2}(?:[-:]?\d{2})?)      # time of day, UTC
        (?:Z(?:-(?P<micro>\d{6}))?)?
    )
    (?=\.|\Z)                                         # at the end of a part of the name
    """,
    re.VERBOSE,
)


class Stamped(NamedTuple):
    """The name of a file without its stamp, the stamp as it is written, and its moment (UTC, without zone).

    Without a stamp the name is whole, the stamp empty and the moment None.
    """

    name: str
    stamp: str
    moment: datetime | None


Patterns = Mapping[str, tuple[str, ...]]
"""The patterns of companions by the names of these."""


def patterns_of(entry: object) -> Patterns:
    """Return the patterns of a table of companions by the names of these. Raises ``ValueError``."""
    if not isinstance(entry, dict) or len(entry) > _MOST:
        raise ValueError(f'expected at most {_MOST} rows such as calendar = "*calendar.json"')
    found: dict[str, tuple[str, ...]] = {}
    for name, several in entry.items():
        patterns = several if isinstance(several, list) else [several]
        found[name] = tuple(patterns)
        if not re.fullmatch(r"\w+", name) or name == OWN:
            raise ValueError(f"expected names of one word other than {OWN}, found {name!r}")
        if not 0 < len(patterns) <= _MOST or not all(
            isinstance(each, str) and _PATTERN.fullmatch(each) for each in patterns
        ):
            raise ValueError(f"{name}: expected the name of a file with * for any text, or several, found {several!r}")
    return found


@lru_cache(maxsize=256)
def bundles_in(written: str) -> tuple[Patterns, ...]:
    """Return the patterns of a file of tables, and of each layout in it; empty ones for a dump of one file.

    There are none in a file that is wrong, which its reader tells.
    """
    try:
        entries = tomllib.loads(written)
        layouts = [each for each in entries.get("layout", []) if isinstance(each, dict)]
        found = [patterns_of(each.get(FILES, {})) for each in (entries, *layouts)]
    except (ValueError, TypeError, RecursionError):
        return ()
    return tuple(found[1:] if layouts and not found[0] else found)


@lru_cache(maxsize=256)
def patterns_in(written: str) -> frozenset[str]:
    """Return all patterns in the text of a file of tables."""
    return frozenset(pattern for each in bundles_in(written) for several in each.values() for pattern in several)


def split_stamp(name: str) -> Stamped:
    """Take the stamp out of the name of a file: day and time, before a dot or at the end. A day alone is none."""
    for found in _STAMP.finditer(name):
        digits = re.sub(r"\D", "", found["date"] + found["time"]).ljust(14, "0") + (found["micro"] or "000000")
        try:
            moment = datetime.strptime(digits, "%Y%m%d%H%M%S%f")  # noqa: DTZ007  # the contract's stamps are UTC
        except ValueError:
            continue
        return Stamped(name[: found.start()] + name[found.end() :], found["stamp"], moment)
    return Stamped(name, "", None)


@lru_cache(maxsize=4096)
def split_name(path: str) -> tuple[str, str]:
    """Return the stamp in the name of a file, empty without one, and the rest of the name."""
    found = split_stamp(_PACKED.sub("", path.rpartition("/")[2]))
    return found.stamp, found.name


def is_companion(path: str, patterns: Iterable[str]) -> bool:
    """True if the name of a file is that of a companion; what joins it to a stamp before it is no part of it."""
    stamp, name = split_name(path)
    name = name.lstrip("-_.") if stamp else name
    return any(is_like(name, pattern) for pattern in patterns)


def capture_of(path: str) -> tuple[str, str]:
    """Return what the files of one capture share: their folder, and the stamp in their names."""
    return path.rpartition("/")[0], split_name(path)[0]


def by_name(paths: Iterable[str], patterns: Patterns) -> dict[str, list[str]]:
    """Return the companions that each name has, by the first of its patterns that a file has."""
    known = list(paths)
    found: dict[str, list[str]] = {}
    for name, several in patterns.items():
        of_each = ([path for path in known if is_companion(path, [pattern])] for pattern in several)
        found[name] = next(filter(None, of_each), [])
    return found


def wrong_names(names: Sequence[str], patterns: Patterns) -> Iterator[str]:
    """Yield what was expected of the names of files that are to be all companions that patterns ask for, each once."""
    takers = [(name, [each for each, several in patterns.items() if is_companion(name, several)]) for name in names]
    for name, which in takers:
        if len(which) > 1:
            yield f"expected the file of one companion, found {name}, which may be {' or '.join(which)}"
        elif not which:
            expected = " or ".join(pattern for several in patterns.values() for pattern in several)
            yield f"expected a file named {expected}, found {name}"
    for companion, several in patterns.items():
        found = [name for name, which in takers if companion in which]
        if len(found) != 1:
            yield f"expected one file for {companion}, named {' or '.join(several)}, found {', '.join(found) or 'none'}"


def is_like(text: str, pattern: str) -> bool:
    """True if a text is a pattern, whose stars stand for any text; letters of any case are the same."""
    begin, *parts = pattern.casefold().split("*")
    rest = text.casefold()
    if not parts or not rest.startswith(begin):
        return rest == begin
    rest, end = rest[len(begin) :], parts.pop()
    for part in parts:
        place = rest.find(part)
        if place < 0:
            return False
        rest = rest[place + len(part) :]
    return rest.endswith(end)
