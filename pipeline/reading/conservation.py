"""Text is conserved: each word that a record or heading claims is published, or is one that the source leaves out.

Who claims a line has said that it understood it, so nothing else would tell if a part of it were lost on the way. A
word counts as published if any record of the dump has it, or anything that was held back. What need not be is named by
the source in a closed list of words (``Source.leaves_out``): labels, facts that no column holds. Words of dates are
values of columns of their own; addresses and words of less than four letters do not count. Words are compared without
case and accents; what is glued together at a capital letter, or to a word that is left out, is two words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final
from unicodedata import normalize

from parsers._contract import Source
from parsers._ledger.document import Document
from parsers._ledger.lines import publishes
from parsers._words.dates import DATE_WORDS
from schemas.items import Record, Reject

UNPUBLISHED: Final = "unpublished_text"
_LONG: Final = 150  # characters
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_ACCENT: Final = re.compile("[\u0300-\u036f]+")
_GLUED: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TEXTS: Final = tuple(
    place for place, name in enumerate(Record._fields) if name not in {"line_start", "line_end", "notes"}
)


def find_unpublished(
    source: Source, document: Document, records: Sequence[Record], rejects: Iterable[Reject]
) -> Iterator[Reject]:
    """Yield a reject for each claimed piece of text with words that are neither published nor held back nor named.

    Nothing for a source that names no words, and for data, whose keys are accounted for one by one.
    """
    if source.leaves_out is None or document.counts_items:
        return
    texts = dict.fromkeys(chain.from_iterable(map(_texts_of, records)))
    published = "\n".join(texts)
    # Most words stand in a record as they are printed, most others in a name or title beside other marks.
    unseen = set("\n".join(document.claimed_texts()).split()) - set(published.split())
    claimed = _words_of(unseen) - DATE_WORDS - source.leaves_out
    if claimed:
        claimed -= _words_of(" ".join(text for text in texts if len(text) < _LONG).split())
    if not claimed:
        return
    known = _fold("\n".join((published, *(reject.text for reject in rejects))))
    missing = {word for word in claimed if word not in known and not _is_glued(word, known, source.leaves_out)}
    for place in document.places() if missing else ():
        if publishes(place.line_class, place.level) and (lost := missing & _words_of(place.text.split())):
            detail = f"expected its words in a record, published nowhere: {', '.join(sorted(lost))}"
            yield Reject(place.number, place.number, place.text.strip(), UNPUBLISHED, detail)


def _is_glued(word: str, known: str, left_out: Iterable[str]) -> bool:
    """True if a word ends in one that is left out, behind one that is published: ``problemsspeaker``."""
    return any(word.endswith(label) and word.removesuffix(label) in known for label in left_out)


def _texts_of(record: Record) -> Iterator[str]:
    """Yield all texts of a record."""
    for place in _TEXTS:
        yield from _inside(record[place])


def _inside(value: object) -> Iterator[str]:
    """Yield the texts inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for inner in value:
            yield from _inside(inner)


def _words_of(printed: Iterable[str]) -> set[str]:
    """Return the words in what is printed between blanks, without case and accents; addresses have none."""
    parts = (part for each in printed for part in _GLUED.split(each) if "://" not in each and "](" not in each)
    return {word for part in parts for word in _WORD.findall(_fold(part))}


def _fold(text: str) -> str:
    """Return a text without case and accents."""
    return text.casefold() if text.isascii() else _ACCENT.sub("", normalize("NFKD", text)).casefold()
