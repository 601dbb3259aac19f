"""Values that look like something else: a label, a time, a sentence or a mark of a list in a name, a room or a title.

A page whose labels or separators have changed still reads, and what was between the values becomes part of them:
"Written by: Ada Quill" is an author then. Such a value may be right, so it stands, and the record has a note.
"""

import re
from collections.abc import Sequence
from typing import Final

from parsers._words.dates import begins_with_time, looks_like_day
from schemas.items import Record

NOTE: Final = "value_doubtful"
_GROUP: Final = r"(?i:collaborations?|consorti|team|group|project|survey|network|working|committee|members|chairs?)"
_ODD_NAME: Final = re.compile(
    r"[;:<>|\[\]•]|https?:|\bet al\b|^\W*(?:by|and|from|written|with)\b|\d{2}(?<!00\d\d)(?!\d)"
    rf"|^(?!.*\b{_GROUP})\S+ \S.* (?:and|&) \S+ \S",
    re.MULTILINE | re.IGNORECASE,
)
_ODD_ROOM: Final = re.compile(r":$|^\d{1,2}[:.h]\d\d\b|[<>|\\]|https?:|\w+(?: \w+){5}.*[.!]$")
_ODD_TITLE: Final = re.compile(
    r"^(?:[>|•]|[-*] )|^(?:\w+ )?\w+ (?:by|BY): \S|^[Pp]age \d+ of \d+$|[?!.)][A-Z][a-z]+(?: [a-z]{2,6})?: \S"
)
_MOST_BLANKS: Final = 8  # in a name
_FEW: Final = 5
_TENTH: Final = 10


def with_doubts(records: Sequence[Record]) -> tuple[list[Record], tuple[str, ...]]:
    """Return the records, with a note on each that has a value that looks like something else.

    If these are a tenth of all, and five, a message names the first of the values.
    """
    odd = [_odd_value(record) for record in records]
    found = [(record, value) for record, value in zip(records, odd, strict=True) if value is not None]
    noted = [
        record if value is None else record._replace(notes=(*record.notes, NOTE))
        for record, value in zip(records, odd, strict=True)
    ]
    if len(found) < max(_FEW, len(records) / _TENTH):
        return noted, ()
    first, value = found[0]
    return noted, (f"line {first.line_start or '-'}, {value!r}: {len(found)} records have values that look like this",)


def _odd_value(record: Record) -> str | None:
    """Return a name, room or title of a record that looks like something else; None if there is none."""
    names = [person.name for persons in (record.authors, record.chairs) for person in persons or ()]
    names += [record.presenter] if record.presenter else []
    if names and (_ODD_NAME.search("\n".join(names)) or max(name.count(" ") for name in names) > _MOST_BLANKS):
        return next(name for name in names if _ODD_NAME.search(name) or name.count(" ") > _MOST_BLANKS)
    rooms = (slot.room for slot in record.slots or () if slot.room and _ODD_ROOM.search(slot.room))
    title = record.title or ""
    if _ODD_TITLE.search(title) or begins_with_time(title) or looks_like_day(title):
        return title
    return next(rooms, None)
