"""Slugs, and the keys of single records, as the dataset contract defines them.

A key uses only fields that every layout of a source prints, and never depends on neighbouring items. The ``record_id``,
with what tells equal keys apart, is made in ``occurrences``.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from parsers._contract import Family
from schemas.items import Record

_SEPARATORS: Final = re.compile(r"[\W_]+")
_TITLED_KINDS: Final = frozenset({"paper", "keynote", "tutorial", "workshop", "panel"})
_UNKNOWN_EVENT: Final = "unknown-event"
_UNDATED: Final = "undated"


def slug(text: str) -> str:
    """Return ``text`` casefolded, with a hyphen for each run of characters other than letters and digits.

    Letters of every script are kept. A text without letters and digits gives 16 hex digits of its SHA-256.
    """
    words = _SEPARATORS.sub("-", unicodedata.normalize("NFKC", text).casefold()).strip("-")
    return words or _digest(text)


def record_key(family: Family, record: Record) -> str | None:
    """Return the key of a record within its source; None if nothing identifies it."""
    return _listing_key(record) if family is Family.LISTING else _programme_key(record)


def own_key(family: Family, record: Record) -> str | None:
    """Return the key of a record from its printed id, whatever its title, time and kind; None without an id."""
    if not record.native_id:
        return None
    own = slug(record.native_id)
    return own if family is Family.LISTING else f"{_event_part(record)}/{own}"


def is_dated(record: Record) -> bool:
    """True if the key of a programme item includes its start, so that each occurrence is a separate record."""
    return record.kind not in _TITLED_KINDS or record.title is None


def _event_part(record: Record) -> str:
    """Return the event part of a key."""
    return _event_slug(record.event) if record.event else _UNKNOWN_EVENT


def author_key(names: Sequence[str], *, first_only: bool = True) -> str:
    """Return the key part that distinguishes papers with one title: the slug of the first author, or of all authors."""
    return slug(names[0] if first_only else " ".join(names))


def _listing_key(record: Record) -> str | None:
    """Return the arXiv id, else the slug of the title, else a hash of the beginning of the abstract or summary."""
    if record.arxiv_id:
        return record.arxiv_id
    if record.title:
        return slug(record.title)
    text = record.abstract or record.summary
    if text is None:
        return None
    return _digest(" ".join(unicodedata.normalize("NFC", text).lower().split())[:200])


def _programme_key(record: Record) -> str | None:
    """Return event and title, with the start between them for recurring items such as breaks."""
    event = _event_part(record)
    if not is_dated(record):
        return f"{event}/{slug(record.title or '')}"
    slot = record.slots[0] if record.slots else None
    start = f"{slot.starts_at:%Y-%m-%dT%H:%M}" if slot and slot.starts_at else _UNDATED
    name = record.title or record.session_code or (slot.room if slot else None)
    return f"{event}/{start}/{slug(name)}" if name else None


@lru_cache(maxsize=64)
def _event_slug(event: str) -> str:
    """Return the slug of an event; cached, since all items of a page share it."""
    return slug(event)


def _digest(text: str) -> str:
    """Return 16 hex digits of the SHA-256 of ``text``."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
