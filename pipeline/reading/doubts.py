"""Values that look like something else: a label, a time, a sentence or a mark of a list in a name, a room or a title.

A character that is still escaped (``&amp;``) was escaped twice: one page or another of a site may do that overnight.

A line of a text that begins with the label of a field, or nearly, is no part of that text: the page prints the field
there, and its parser has not seen it.

A page whose labels or separators have changed still reads, and what was between the values becomes part of them:
"Written by: Ada Quill" is an author then. Such a value may be right, so it stands, and the record has a note.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from parsers._words.dates import begins_with_time, looks_like_day
from parsers._words.text import ENTITY
from pipeline.base.signals import Sign
from schemas.items import Record

NOTE: Final = "value_doubtful"
_GROUP: Final = r"(?i:collaborations?|consorti|team|group|project|survey|network|working|committee|members|chairs?)"
_ODD_CHARS: Final = ";:<>|[]•"
_ODD_NAME: Final = re.compile(
    r"\d{2}(?<!00\d\d)(?!\d)|[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]|[^\W\d_]\?| et al\b"
    r"|^[-*. ]{0,3}(?i:by|and|from|written|with) |,$",
    re.MULTILINE,
)
_JOINED: Final = re.compile(rf"^(?!.*\b{_GROUP})\S+ \S.* (?:and|&) \S+ \S", re.MULTILINE)
_ODD_ROOM: Final = re.compile(r":$|^\d{1,2}[:.h]\d\d\b|[<>|\\]|https?:|^\w++(?: \w++){5}.*[.!]$", re.MULTILINE)
_ODD_TITLE: Final = re.compile(
    r"^(?:[>|•]|[-*] )|^(?:\w+ )?\w+ (?:by|BY): \S|[?!.)][A-Z][a-z]+(?: [a-z]{2,6})?: \S",
    re.MULTILINE,
)
_GLUED_NAME: Final = re.compile(r"[a-z]{3}[A-Z][a-z]+(?: [A-Z][\w.-]*)+ \([^()]+ [^()]+\)$", re.MULTILINE)
"""A title, and without a blank between them a person with a place."""
_PAGE: Final = re.compile(r"^[Pp]age \d+ of \d+$", re.MULTILINE)  # the head of a printed page
_MAY_BE_CLOCKED: Final = re.compile(r"^.{0,20}(?:\d|day\b).*", re.MULTILINE | re.IGNORECASE)
_AND: Final = re.compile(r" (?:and|&) ")
_LABELS: Final = (
    "title author authors abstract comments subjects speaker speakers presenter presenters moderator chair"
    " chairs location biography affiliation"
).split()
"""What stands before a field on any page, with a colon. Abstracts do have a line "Keywords:"."""
_GLUED: Final = re.compile(
    rf"[a-z)](?:{'|'.join(map(str.capitalize, _LABELS))}): [A-Z][\w.-]*(?: [A-Z][\w.-]*)+(?:[,;(]| \(|$)", re.MULTILINE
)
"""The label of a person behind a text, without a blank between them: RobChair is a wheelchair."""
_LEAST_CHANGED: Final = 6
"""Letters of the shortest label that is known with one of them changed, too: "Chair" is near to too much."""
_MOST_BLANKS: Final = 8  # in a name
_FEW: Final = 5
_SHOWN: Final = 100
_TENTH: Final = 10


def _labelled(labels: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of a line that begins with a label, or with one that is a letter off."""
    forms = {form for label in labels for form in (label, *(_one_off(label) if len(label) >= _LEAST_CHANGED else ()))}
    return re.compile(rf"^(?:[^\w\n]|_){{0,6}}(?:{'|'.join(sorted(forms))}) ?:[^\S\n]*\S", re.IGNORECASE | re.MULTILINE)


def _one_off(label: str) -> Iterator[str]:
    """Yield patterns of a word with a letter left out, changed, added, or two of them swapped."""
    for place in range(1, len(label)):  # the first letter stands: "bauthor" is no slip
        before, here, behind = label[:place], label[place], label[place + 1 :]
        yield before + behind
        yield rf"{before}\w{behind}"
        yield rf"{before}\w{here}{behind}"
        yield before + behind[:1] + here + behind[1:]


_LABELLED: Final = _labelled(_LABELS)


def with_doubts(records: Sequence[Record]) -> tuple[list[Record], tuple[Sign, ...]]:
    """Return the records, with a note on each that has a value that looks like something else.

    If these are a tenth of all, and five, or the head of a printed page is among them, a sign names the first of
    the values, or the head; another one counts those that are cancelled, if they are most.
    """
    cancelled = sum("cancelled" in record.notes for record in records)
    all_off = f"{cancelled} of {len(records)} records are cancelled"
    told = [Sign("cancelled", all_off)] if 2 * cancelled > max(len(records), _FEW) else []
    if not _is_any_odd(records):
        return list(records), tuple(told)
    odd = [_odd_value(record) for record in records]
    found = [(record, value) for record, value in zip(records, odd, strict=True) if value is not None]
    noted = [
        record if value is None else record._replace(notes=(*record.notes, NOTE))
        for record, value in zip(records, odd, strict=True)
    ]
    heads = [each for each in found if _PAGE.search(each[1])]
    if len(found) < max(_FEW, len(records) / _TENTH) and not heads:
        return noted, tuple(told)
    first, value = (heads or found)[0]
    line = first.line_start
    odd_ones = f"line {line or '-'}, {value!r}: {len(found)} records have values that look like this"
    told.append(Sign("odd", odd_ones, line=line))
    return noted, tuple(told)


def _is_odd_name(names: str) -> bool:
    """True if a name, or one of several on lines of their own, looks like something else."""
    if any(char in names for char in _ODD_CHARS) or _ODD_NAME.search(names):
        return True
    if any(name.count(" ") > _MOST_BLANKS for name in names.split("\n")):
        return True
    return _AND.search(names) is not None and _JOINED.search(names) is not None


def _is_clocked(titles: str) -> bool:
    """True if a title looks like a day or begins with a time."""
    return any(begins_with_time(title) or looks_like_day(title) for title in _MAY_BE_CLOCKED.findall(titles))


def _has(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Return a function that is true of a text with something that matches."""
    return lambda text: pattern.search(text) is not None


def _has_entity(text: str) -> bool:
    """True if a character of a text is still escaped."""
    return "&" in text and ENTITY.search(text) is not None


def _names_of(record: Record) -> Iterator[str]:
    """Yield the names of the people of a record."""
    yield from (person.name for persons in (record.authors, record.chairs) for person in persons or ())
    yield from filter(None, (record.presenter,))


def _titles_of(record: Record) -> Iterator[str]:
    """Yield the title of a record."""
    yield from filter(None, (record.title,))


def _places_of(record: Record) -> Iterator[str]:
    """Yield the affiliations of the people of a record."""
    for persons in (record.authors, record.chairs):
        yield from (person.affiliation for person in persons or () if person.affiliation)


def _labels_of(record: Record) -> Iterator[str]:
    """Yield the rooms, the type, the track and the language of a record."""
    yield from (slot.room for slot in record.slots or () if slot.room)
    yield from filter(None, (record.type, record.track, record.language))


def _texts_of(record: Record) -> Iterator[str]:
    """Yield the longer texts of a record."""
    yield from filter(None, (record.session_title, record.abstract, record.description, record.comments))


_RULES: Final[Sequence[tuple[Callable[[str], bool], Sequence[Callable[[Record], Iterator[str]]]]]] = (
    (_is_odd_name, (_names_of,)),
    (_has(_ODD_TITLE), (_titles_of,)),
    (_has(_GLUED_NAME), (_titles_of,)),
    (_is_clocked, (_titles_of,)),
    (_has(_ODD_ROOM), (_labels_of,)),
    (_has(_PAGE), (_names_of, _titles_of, _labels_of, _texts_of)),
    (_has(_LABELLED), (_texts_of,)),
    (_has(_GLUED), (_titles_of, _texts_of)),
    (_has_entity, (_names_of, _titles_of, _labels_of, _texts_of, _places_of)),
)
"""What is odd, and in which texts of a record; of several texts, one in each line, one is enough."""


def _is_any_odd(records: Sequence[Record]) -> bool:
    """True if some value may look like something else: most pages have none, and one search is fast."""
    kinds = {texts_of for _, kinds in _RULES for texts_of in kinds}
    joined = {kind: "\n".join({text for record in records for text in kind(record)}) for kind in kinds}
    return any(is_odd(joined[texts_of]) for is_odd, kinds in _RULES for texts_of in kinds)


def _odd_value(record: Record) -> str | None:
    """Return a line of a record that looks like something else; None if there is none."""
    texts = ((is_odd, text) for is_odd, kinds in _RULES for texts_of in kinds for text in texts_of(record))
    odd = next(((is_odd, text) for is_odd, text in texts if is_odd(text)), None)
    if odd is None:
        return None
    is_odd, text = odd
    return next((line for line in text.split("\n") if is_odd(line)), text)[:_SHOWN]
