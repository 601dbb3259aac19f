"""Text is conserved: each word that a record or heading claims is published, or is one that the source leaves out.

Who claims a line has said that it understood it, so nothing else would tell if a part of it were lost on the way. A
word counts as published if any record of the dump has it, or anything that was held back. What need not be is named by
the source in closed lists (``parsers._contract.LeftOut``). Words of dates are values of columns of their own; addresses
and words of less than four letters do not count. Words are compared without case and accents; what is glued together at
a capital letter, or to a word that is left out, is two words.

Most of what is claimed is a line or element that is a value, and most of the rest stands between blanks as it does in a
name or title. So these are compared first, in this order, and words only of what is left.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import AnyStr, Final
from unicodedata import normalize

from parsers._contract import LeftOut, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import publishes
from parsers._words.dates import DATE_WORDS
from schemas.items import Record, Reject

UNPUBLISHED: Final = "unpublished_text"
_LEAST: Final = 4  # letters of a word
_MANY: Final = 100  # words that are looked for at once
_WORD: Final = re.compile(rf"[^\W\d_]{{{_LEAST},}}")
_ACCENT: Final = re.compile("[\u0300-\u036f]+")
_LETTERS: Final = tuple(map(chr, range(0x530)))  # Latin, Greek and Cyrillic
_SMALL: Final = "".join(filter(str.islower, _LETTERS))
_CAPITAL: Final = "".join(filter(str.isupper, _LETTERS))
_GLUED: Final = re.compile(f"(?<=[{_SMALL}])(?=[{_CAPITAL}])|(?<=[{_CAPITAL}])(?=[{_CAPITAL}][{_SMALL}])")
_LINKS: Final = re.compile(  # of Markdown: pictures whole, of others what is not shown
    rb"!\[[^\[\]]*\]\([^()\s]*\)?|\[|\]\([^()\s]*(?:(?<=-)\n\s*[^()\s]*)*(?:\s+\"[^\"]{0,200}\")?\)?"
)
_MARKUP: Final = re.compile(rb"</?[a-zA-Z]\w*(?:\s[^<>]*)?/?>|&[a-zA-Z]\w*;")  # within texts, as XML escapes it
_INITIAL: Final = re.compile(r"\n(\w)(?=\.)")
_TAG: Final = re.compile(r"^<\S*> ")  # before the text of a place of a page
_TEXTS: Final = attrgetter(
    *"""kind type native_id title subtitle language abstract description summary presenter event session_code
    session_title track session_description timezone listing_section arxiv_id doi url comments journal_ref
    report_no""".split()
)


def find_unpublished(
    source: Source, document: Document, records: Sequence[Record], rejects: Iterable[Reject]
) -> Iterator[Reject]:
    """Yield a reject for each claimed piece of text with words that are neither published nor held back nor named.

    Nothing for a source that names no words, and for data, whose keys are accounted for one by one.
    """
    if source.leaves_out is None or document.counts_items:
        return
    published = _Published(source.leaves_out, document, records, tuple(rejects))
    lost = published.find_unseen(document.claimed_texts())
    if lost and not document.reads_lines:  # in a whole element words are glued that stand in elements of their own
        lost = published.find_unseen(document.claimed_pieces(lost))
    lost = published.find_lost(lost)
    folded = set(map(_fold, lost))
    for place in document.places() if lost else ():
        if publishes(place.line_class, place.level):
            text = place.text if document.reads_lines else _TAG.sub("", place.text)
            if words := folded.intersection(map(_fold, _parts_of(_words_of([text.encode()])))):
                detail = f"expected its words in a record, published nowhere: {', '.join(sorted(words))}"
                yield Reject(place.number, place.number, place.text.strip(), UNPUBLISHED, detail)


@dataclass(frozen=True)  # no slots: each part is made when it is first asked for
class _Published:
    """What counts as published of a dump: the texts of its records, what was held back, what its source leaves out."""

    left_out: LeftOut
    document: Document
    records: Sequence[Record]
    rejects: Sequence[Reject]

    def find_unseen(self, claimed: Iterable[str]) -> set[str]:
        """Return the words of claimed texts that are not named and stand in no record as they are printed."""
        text = _MARKUP.sub(b" ", _without_links("\n".join(claimed).encode()))
        for label in self.left_out.labels:
            text = text.replace(label, b"\n")
        lines = set(map(bytes.strip, text.split(b"\n"))) - self._lines
        printed = set(b" ".join(lines).split())
        if not _words_of(printed) - self._named:
            return set()
        known = set(self._text.split())
        unseen = _parts_of(_words_of(printed - known) - self._named) - self._named
        if unseen:
            bare = {each.strip(b"()[]{},.:;") for each in known}
            unseen = {word for word in unseen if word.encode() not in bare}
        found = _find_in({word.encode() for word in unseen}, self._text)
        return {word for word in unseen if word.encode() not in found}

    def find_lost(self, unseen: Iterable[str]) -> set[str]:
        """Return those of the words that do not count as published in another form either."""
        words = {word: _fold(word) for word in unseen}
        lost = {word: folded for word, folded in words.items() if folded not in self._named}
        if not lost:
            return set()
        rests = {folded: set(self._without_glued(folded)) for folded in lost.values()}
        found = _find_in(set(rests).union(*rests.values()), self._all)
        return {word for word, folded in lost.items() if folded not in found and not rests[folded] & found}

    def _without_glued(self, word: str) -> Iterator[str]:
        """Yield what would be published if something were glued to a word.

        That is what is left out, as in ``problemsspeaker`` or ``subscribebread``, or, behind it, the initial of a name:
        ``GPUR. J. Quill``.
        """
        yield from (word.removesuffix(label) for label in self.left_out.words if word.endswith(label))
        yield from (word.removeprefix(label) for label in self.left_out.words if word.startswith(label))
        if word[-1:] in self._initials:
            yield f"{word[:-1]}\n"

    @cached_property
    def _initials(self) -> set[str]:
        """The letters with which a text begins that are followed by a full stop."""
        return set(_INITIAL.findall(self._all))

    @cached_property
    def _lines(self) -> set[bytes]:
        """The lines of all texts of the records; of people each name, and lists of names."""
        return set(self._text.split(b"\n"))

    @cached_property
    def _text(self) -> bytes:
        """All texts of the records, and names of people as lists, too, as most dumps print them.

        In UTF-8: one sign of mathematics makes a text of Python four times as large, and each step as slow.
        """
        texts: set[str | None] = set(chain.from_iterable(map(_TEXTS, self.records)))
        for record in self.records:
            texts.update(record.categories or (), record.formats or (), record.keywords or ())
            texts.update([slot.room for slot in record.slots or ()], [link.title for link in record.links or ()])
            for people in (record.authors, record.chairs):
                if people:
                    names = [person[0] for person in people]
                    texts.update(names)
                    texts.add(", ".join(names))
                    texts.update([value for person in people if person[1] for value in person[1:]])
        return "\n".join(filter(None, texts)).encode()

    @cached_property
    def _named(self) -> frozenset[str]:
        """Words that the source leaves out: its own, those behind them, names of codes of the dump, words of dates.

        Also as they are printed at the head of a line: most words need not be folded then.
        """
        codes = {code for record in self.records for code in record.categories or ()} & self.left_out.codes.keys()
        names = _words_of([self.left_out.codes[code].encode() for code in codes])
        said = _words_of([text.encode() for text in self.document.left_out])
        words = DATE_WORDS.union(self.left_out.words, map(_fold, (*names, *said)), self._behind)
        return words.union(map(str.capitalize, words))

    @cached_property
    def _behind(self) -> set[str]:
        """The words behind those that a source names for it, such as the names of users."""
        if not self.left_out.before:
            return set()
        labels = "|".join(map(re.escape, self.left_out.before)).encode()
        text = _without_links("\n".join(self.document.claimed_texts()).encode())
        return set(map(_fold, _parts_of(_words_of(re.findall(rb"(?:%b)\s+(\S+)" % labels, text)))))

    @cached_property
    def _all(self) -> str:
        """Everything that is published or held back, folded, each text between line ends."""
        return _fold("\n".join(("", self._text.decode(), *(reject.text for reject in self.rejects), "")))


def _find_in(words: Collection[AnyStr], text: AnyStr) -> set[AnyStr]:
    """Return those of the words that stand in a text, also inside of others.

    If they are many, a search for each would take as long as the text times the words: each is then looked for only
    where its first letters stand.
    """
    long = {word[:_LEAST] for word in words if len(word) >= _LEAST} if len(words) > _MANY else set()
    if not long:
        return {word for word in words if word in text}
    places: dict[AnyStr, list[int]] = {begin: [] for begin in long}
    for at in range(len(text) - _LEAST + 1):
        if (begin := text[at : at + _LEAST]) in long:
            places[begin].append(at)
    return {
        word
        for word in words
        if (any(text.startswith(word, at) for at in places[word[:_LEAST]]) if len(word) >= _LEAST else word in text)
    }


def _words_of(printed: Iterable[bytes]) -> set[str]:
    """Return the words in what is printed between blanks; addresses have none."""
    text = b" ".join(printed).decode()
    if "/" in text or "=" in text:
        text = " ".join([part for part in text.split() if not _is_address(part)])
    return set(_WORD.findall(text))


def _without_links(text: bytes) -> bytes:
    """Return Markdown without addresses, pictures and what is shown only when a link is pointed at."""
    return _LINKS.sub(b" ", text) if b"](" in text else text


def _is_address(part: str) -> bool:
    """True for an address, or the rest of one that an extractor has wrapped."""
    return "://" in part or part.count("/") > 1 or ("?" in part and "=" in part)


def _parts_of(words: Iterable[str]) -> set[str]:
    """Return words; of what is glued at a capital letter each part of four letters or more."""
    return {part for word in words for part in _GLUED.split(word) if len(part) >= _LEAST}


def _fold(text: str) -> str:
    """Return a text without case and accents."""
    return text.casefold() if text.isascii() else _ACCENT.sub("", normalize("NFKD", text)).casefold()
