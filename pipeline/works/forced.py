"""What people have decided: pairs of records that are one work, or are not, as they stand in ``works.toml``.

[[same]]
records = ["fair:jam-2026/less-sugar", "hay:2605.00001"]
why = "the talk has the title of the first version"
by = "Ada"
on = 2026-05-01

A contradiction is refused before anything is made of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Any, Final

Pair = tuple[str, str]
"""Two record ids, the smaller first."""

_LISTS: Final = ("same", "different")
_TEXTS: Final = ("why", "by")
_KEYS: Final = frozenset({"records", *_TEXTS, "on"})


@dataclass(frozen=True, slots=True)
class Forced:
    """The pairs that are ``same`` and those that are ``different``, each with its reason."""

    same: Mapping[Pair, str]
    different: Mapping[Pair, str]


NOTHING: Final = Forced({}, {})


def read_forced(entries: Mapping[str, Any]) -> Forced:
    """Return what ``works.toml`` says.

    Raises ValueError, which names the entry, for an unknown key, an entry without reason, person or day, and records
    that are said to be one work and not.
    """
    if unknown := sorted(entries.keys() - set(_LISTS)):
        raise ValueError(f"expected [[same]] and [[different]], found {', '.join(unknown)}")
    found = {name: dict(_pairs(name, entries.get(name, []))) for name in _LISTS}
    _refuse_contradictions(found["same"], found["different"])
    return Forced(found["same"], found["different"])


def _pairs(name: str, entries: object) -> Iterable[tuple[Pair, str]]:
    """Yield the pairs of the entries of a list: each two of their records."""
    if not isinstance(entries, list):
        raise ValueError(f"expected [[{name}]], found {name} of another kind")
    for number, entry in enumerate(entries, 1):
        records = _records(f"[[{name}]] number {number}", entry)
        for first, second in combinations(sorted(records), 2):
            yield (first, second), entry["why"]


def _records(place: str, entry: Any) -> list[str]:  # noqa: ANN401  # whatever TOML holds
    """Return the records of an entry that is whole."""
    if not isinstance(entry, dict) or entry.keys() != _KEYS:
        raise ValueError(f"{place}: expected {', '.join(sorted(_KEYS))}")
    if not all(isinstance(entry[key], str) and entry[key].strip() for key in _TEXTS) or type(entry["on"]) is not date:
        raise ValueError(f"{place}: expected texts in why and by, and a day in on")
    records = entry["records"]
    if not isinstance(records, list) or not all(isinstance(each, str) and each.strip() for each in records):
        raise ValueError(f"{place}: expected a list of record ids")
    if len(set(records)) < 2:
        raise ValueError(f"{place}: expected at least two different records")
    return sorted(set(records))


def _refuse_contradictions(same: Iterable[Pair], different: Iterable[Pair]) -> None:
    """Raise ValueError if records that are different are the same by one or several entries."""
    leader: dict[str, str] = {}

    def find(record: str) -> str:
        while (above := leader.get(record, record)) != record:
            record = above
        return record

    for first, second in same:
        leader[find(second)] = find(first)
    for first, second in different:
        if find(first) == find(second):
            raise ValueError(f"{first} and {second} are in [[different]], and one work by [[same]]")
