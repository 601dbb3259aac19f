"""Shared by bibliographies: the records that can be cited, their keys, dates and the parts of names.

Pages print names as people write them, not as family and given name. They are split only where that is safe; writing
the parts belongs to each format.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.works import other_listings

CITED: Final = frozenset({"paper", "keynote", "tutorial", "panel"})
"""Kinds with an author or speaker. A workshop, a session or a break is nobody's work."""

_KEY: Final = re.compile(r"[A-Za-z0-9._:/-]{1,64}")
_UNFIT: Final = re.compile(r"[^A-Za-z0-9._:/-]+")
_KEY_LENGTH: Final = 48
_DIGITS: Final = (8, 16, 64)

_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff][A-Za-z\u00c0-\u024f\u1e00-\u1eff'’‐-]*\.?")
_INITIAL: Final = re.compile(r"(?:[A-Za-z\u00c0-\u024f]\.[‐-]?)+|[A-Za-z\u00c0-\u024f]")
_SURELY_NO_INITIALS: Final = 4
_PARTICLES: Final = frozenset(
    "af al ap auf av bin d da das de del della den der di do dos du e el la le ten ter van vom von y zu zum zur".split()
)
_SUFFIXES: Final = frozenset("jr jr. sr sr. ii iii iv".split())
_BODIES: Final = re.compile(
    r"\b(?:collaboration|consortium|team|group|project|lab|labs|laboratory|university|institute|committee|community"
    r"|initiative|foundation|network|organi[sz]ation|research|al)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name in parts; if it cannot be split safely, ``family`` is the whole name and ``given`` is None."""

    family: str
    given: str | None = None
    suffix: str | None = None


def citable(selection: Selection, left_out: Counter[str]) -> Iterator[tuple[str, Row]]:
    """Yield the records that can be cited, each with its key; count the others by reason.

    ``eprint`` is the arXiv id of a record, else that of another record of its work.
    """
    taken: set[str] = set()
    listed = other_listings(selection)
    for row in selection.rows():
        if row["kind"] not in CITED:
            left_out["of a kind that cannot be cited"] += 1
        elif not any(row[name] for name in ("title", "doi", "arxiv_id", "url")):
            left_out["without title, DOI, arXiv id and URL"] += 1
        else:
            preprints = (each["arxiv_id"] for each in (row, *listed.get(row["record_id"], ())))
            yield citation_key(row["record_id"], taken), {**row, "eprint": next(filter(None, preprints), None)}


def citation_key(record_id: str, taken: set[str]) -> str:
    """Return the key of a record, which is its ``record_id``, and add it to ``taken``.

    An id that is long or has characters other than ASCII letters, digits and ``._:/-`` is cut and extended by digits of
    its hash: the key depends on the record alone, unless the hash of another one begins with the same eight digits.
    """
    digest = hashlib.sha256(record_id.encode()).hexdigest()
    start = _UNFIT.sub("-", record_id)[:_KEY_LENGTH].strip("-")
    candidates = [record_id] if _KEY.fullmatch(record_id) else []
    candidates += [f"{start}-{digest[:digits]}" for digits in _DIGITS]
    key = next(candidate for candidate in candidates if candidate.casefold() not in taken)
    taken.add(key.casefold())
    return key


def issued(row: Row) -> tuple[int, ...] | None:
    """Return year, month and day of a work, as far as they are known.

    The paper's own date, else the day of the talk, else the month in a modern arXiv id. The day of a listing is not the
    date of the work: a replacement is listed years later.
    """
    day = row["published_on"] or row["starts_at"]
    if day:
        return day.year, day.month, day.day
    if row["arxiv_id"] and re.fullmatch(r"\d{2}(?:0[1-9]|1[0-2])\.\d+", row["arxiv_id"]):
        return 2000 + int(row["arxiv_id"][:2]), int(row["arxiv_id"][2:4])
    return None


def remarks(row: Row) -> list[str]:
    """Return the facts that a bibliography can only carry as a note."""
    labelled = {"Journal reference": row["journal_ref"], "Report number": row["report_no"], "Comments": row["comments"]}
    found = [f"{label}: {value}" for label, value in labelled.items() if value]
    return [*found, "The author list is incomplete"] if "authors_cut" in row["notes"] else found


def split_name(printed: str) -> Name:
    """Split a printed name where that is safe, else keep it whole.

    It splits, in Latin script only: ``Family, Given``; a family name in capitals; two words; initials before one word;
    and names with a particle in small letters before the family name. It keeps single words, three full words (the
    second can belong to either name), other scripts, where the family name often comes first, and names of groups.
    """
    if _BODIES.search(printed):
        return Name(printed)
    head, comma, tail = printed.partition(", ")
    words = printed.split() if not comma else []
    suffix = None
    if comma and tail.casefold() in _SUFFIXES:
        words, suffix = head.split(), tail
    elif comma:
        plain = "," not in tail and all(_LATIN.fullmatch(word) for word in (*head.split(), *tail.split()))
        return Name(head, tail) if plain else Name(printed)
    elif len(words) > 2 and words[-1].casefold() in _SUFFIXES:
        *words, suffix = words
    span = _family_span(words)
    if span is None:
        return Name(printed)
    family = words[span]
    given = [word for number, word in enumerate(words) if number not in range(*span.indices(len(words)))]
    return Name(" ".join(family), " ".join(given), suffix)


def _family_span(words: list[str]) -> slice | None:
    """Return the span of the family name among the words of a name; None if that is not safe."""
    if len(words) < 2 or not all(_LATIN.fullmatch(word) or _is_initial(word) for word in words):
        return None
    particle = next((number for number, word in enumerate(words) if word in _PARTICLES), None)
    if particle is not None:
        return slice(particle, None) if 0 < particle < len(words) - 1 else None
    if any(map(_is_loud, words)):
        return _loud_place(words)
    if _is_initial(words[-1]):
        return None
    return slice(-1, None) if len(words) == 2 or all(map(_is_initial, words[1:-1])) else None


def _loud_place(words: list[str]) -> slice | None:
    """Return the span of the words in capitals at one end of a name; None if they may be initials or are elsewhere."""
    loud = [number for number, word in enumerate(words) if _is_loud(word)]
    first, last = loud[0], loud[-1]
    if len(loud) == len(words) or last - first + 1 != len(loud):
        return None
    if last == len(words) - 1:
        return slice(first, None)
    letters = sum(len(words[number]) for number in loud)
    return slice(0, last + 1) if first == 0 and letters >= _SURELY_NO_INITIALS else None


def _is_loud(word: str) -> bool:
    """True if a word is printed in capitals."""
    return len(word) > 1 and word.isalpha() and word.isupper()


def _is_initial(word: str) -> bool:
    """True if a word is an initial."""
    return _INITIAL.fullmatch(word) is not None
