"""Invents a specimen of the form of a real page: its beginning, as far as new forms come, with other words.

For the first specimen of a new source: real pages stay out of the repository. Days, times, numbers, tags, classes, keys
and the words of programmes ("Session", "Coffee Break") stay; names, titles, texts and addresses are replaced, the same
word always by the same other one, so that what refers to something else on the page still does.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from lxml import etree

from parsers._ledger.elements import HIDING
from parsers._words.dates import DATE_WORDS
from pipeline.drafting.shapes import has_keys_of_data, label_of, shape_of

_SYLLABLES: Final = "fo mi lan tu ker bo sal ne dri pa vel go ru ti cas hem or lu jan pe".split()
_MOST_WORDS: Final = 20
_MOST_ELEMENTS: Final = 600
_MOST_LINES: Final = 80
_MOST_ALIKE: Final = 2
_KEPT: Final = DATE_WORDS | frozenset(
    "a about abstract agenda all am an and at author authors award banquet best break by chair chaired chairs closing "
    "coffee container content day details dinner discussion doi event events footer for from hall header in info "
    "invited keynote list lunch main moderator of on opening or organizer organizers page panel paper papers pdf pm "
    "poster posters presentation presenter program programme reception registration remarks room schedule section "
    "session sessions short slides speaker speakers table talk talks the time timetable title to track tutorial "
    "tutorials video welcome with workshop workshops wrapper".split()
)
_TOKEN: Final = re.compile(
    r"(?P<url>(?:https?://|mailto:|www\.)[^\s,\"'<>]+)|(?P<mail>(?<![^\s,<(])[^\s@,]{1,64}@[^\s@,]+)"
    r"|(?P<kept>\d+(?:st|nd|rd|th|T|h|m|min|am|pm)?(?![^\W\d_])|(?<![^\W\d_])[A-Z](?![^\W\d_]))|(?P<word>[^\W\d_]+)"
)
_STRUCTURE: Final = frozenset("class colspan rowspan scope type lang dir role datetime rel name itemprop style".split())
"""Attributes whose values are kept."""
_LEFT_OUT: Final = frozenset(("meta", "link", *HIDING))
_IDS: Final = frozenset(("id", "guid", "uuid", "key", "code", "slug"))
"""Keys of data by whose values objects are named elsewhere."""


class Inventor:
    """Replaces the words of texts: the same word by the same other one, and no two words by one."""

    def __init__(self) -> None:
        """Begin without a word."""
        self._made: dict[str, str] = {}
        self._kept: set[str] = set()

    def keep_labels(self, texts: Iterable[str]) -> None:
        """Keep the words of labels: what stands before a colon at the beginning of several texts."""
        labels = Counter(filter(None, map(label_of, texts)))
        for label, count in labels.items():
            if count > 1:
                self._kept |= {word.casefold() for word in re.findall(r"[^\W\d_]+", label)}

    def text(self, text: str) -> str:
        """Return a text of other words, cut where it is long."""
        cut = [*_TOKEN.finditer(text)][_MOST_WORDS : _MOST_WORDS + 1]
        return _TOKEN.sub(self._token, text[: cut[0].start()].rstrip() if cut else text)

    def whole(self, text: str) -> str:
        """Return a text of other words, however long: one by which something may be named elsewhere."""
        return _TOKEN.sub(self._token, text)

    def word(self, word: str) -> str:
        """Return what stands for a word."""
        known = word.casefold()
        if known not in self._made:
            place, made = len(self._made) + len(_SYLLABLES), ""
            while place:
                place, rest = divmod(place, len(_SYLLABLES))
                made = _SYLLABLES[rest] + made
            self._made[known] = made
        return self._made[known]

    def _token(self, found: re.Match[str]) -> str:
        """Return the replacement for one token."""
        kind, text = found.lastgroup, found[0]
        if kind == "kept" or text.casefold() in _KEPT or text.casefold() in self._kept:
            return text
        if kind == "url":
            scheme = re.match(r"\w+:(?://)?", text)
            return f"{scheme[0] if scheme else 'https://'}{self.word(text)}.example" + "/" * (scheme is not None)
        if kind == "mail":
            return f"{self.word(text)}@mail.example"
        made = self.word(text)
        return made.upper() if text.isupper() and len(text) > 1 else made.title() if text[0].isupper() else made


# Pages


def invent_page(root: etree._Element, *, xml: bool) -> str:
    """Return a page of the form of another one: of elements in a row that are alike two, up to the last new form."""
    copier = _Copier(root, xml=xml)
    text = etree.tostring(copier.copy(root), encoding="unicode", method="xml" if xml else "html", with_tail=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n' if xml else f"<!DOCTYPE html>\n{text}\n"


class _Copier:
    """Copies a page without what hides its text, and with other words."""

    def __init__(self, root: etree._Element, *, xml: bool) -> None:
        """Learn the forms of all elements: what they and the elements inside them are, runs of those alike as one."""
        self._xml = xml
        self._inventor = Inventor()
        self._inventor.keep_labels(text for text in root.itertext() if isinstance(text, str))
        self._room = _MOST_ELEMENTS
        self._forms: dict[etree._Element, str] = {}
        for element in reversed(list(root.iter(etree.Element))):  # inner ones first
            inside: list[str] = []
            for child in element.iterchildren(etree.Element):
                if self._forms[child] not in inside[-1:]:
                    inside.append(self._forms[child])
            form = f"{element.tag}.{element.get('class')}.{element.get('colspan')}({' '.join(inside)})"
            self._forms[element] = form if len(form) < 200 else str(hash(form))

    def copy(self, element: etree._Element) -> etree._Element:
        """Return a copy of an element with the beginning of what is inside it."""
        self._room -= 1
        made = etree.Element(element.tag, nsmap=element.nsmap if self._xml else None)  # type: ignore[arg-type]
        for key, printed in element.attrib.items():
            name, value = str(key), str(printed)
            if not name.startswith("on"):
                made.set(name, value if name in _STRUCTURE else self._inventor.whole(value))
        made.text = element.text if element.tag == "title" else self._text(element.text)  # it is recognised by it
        for child in self._beginning(element):
            if self._room > 0:
                copied = self.copy(child)
                copied.tail = self._text(child.tail)
                made.append(copied)
        return made

    def _beginning(self, element: etree._Element) -> list[etree._Element]:
        """Return the children of an element up to the last new form, and of those alike in a row the first two."""
        children = [each for each in element.iterchildren(etree.Element) if each.tag not in _LEFT_OUT]
        forms = [self._forms[each] for each in children]
        return [children[place] for place in _places_of(forms)]

    def _text(self, text: str | None) -> str | None:
        """Return other words for a text between elements, with its blanks."""
        if text is None or text.isspace():
            return "\n" if text and "\n" in text else text
        return self._inventor.text(text)


def _places_of(forms: Sequence[str]) -> list[int]:
    """Return which of some things make their beginning: up to the last one of whose form there were not yet two.

    Of things alike in a row the first two are taken.
    """
    counts: dict[str, int] = {}
    taken: list[int] = []
    end = 0
    for place, form in enumerate(forms):
        if forms[max(0, place - _MOST_ALIKE) : place] == [form] * _MOST_ALIKE:
            continue
        taken.append(place)
        counts[form] = counts.get(form, 0) + 1
        if counts[form] <= _MOST_ALIKE:
            end = len(taken)
    return taken[:end]


# Data


def invent_data(value: object) -> str:
    """Return data of the form of other data: of lists the beginning, and what is named in it by its id."""
    kept = _Kept(value)
    return json.dumps(kept.value(value), ensure_ascii=False, indent=1) + "\n"


class _Kept:
    """Which objects of data are kept: the beginning of each list, and what these name by id."""

    def __init__(self, value: object) -> None:
        """Find what is named by ids, from the beginnings on."""
        self._inventor = Inventor()
        lists = [each for each in _lists_in(value) if any(isinstance(inner, dict) for inner in each)]
        by_id = {
            name: each
            for inner in lists
            for each in inner
            if isinstance(each, dict) and (name := _id_of(each)) is not None
        }
        self._dropped = {id(each) for inner in lists for each in inner}
        waiting = [inner[place] for inner in lists for place in _places_of(list(map(_form_of, inner)))]
        first = {id(each) for each in waiting}
        while waiting:
            each = waiting.pop()
            if id(each) in self._dropped:
                self._dropped.discard(id(each))
                # What the beginning names is kept, but not all that this names again: that would be everything.
                names = _scalars_of(each, lists=id(each) in first)
                waiting += [by_id[name] for name in names if name in by_id]
        self._gone = {name for name, each in by_id.items() if id(each) in self._dropped}

    def value(self, value: Any) -> Any:  # noqa: ANN401  # a value of JSON
        """Return a value with other words, without what is not kept."""
        if isinstance(value, dict):
            words = has_keys_of_data([value])
            return {self._inventor.whole(key) if words else key: self.value(inner) for key, inner in value.items()}
        if isinstance(value, list):
            kept = [each for each in value if id(each) not in self._dropped]
            if all(isinstance(each, str | int) for each in value):
                kept = [each for each in value if each not in self._gone]
                kept = kept if len(kept) < len(value) else kept[: 2 * _MOST_ALIKE]
            return [self.value(each) for each in kept]
        return self._inventor.text(value) if isinstance(value, str) else value


def _lists_in(value: object) -> Iterator[list[Any]]:
    """Yield all lists of data, outer ones first."""
    if isinstance(value, list):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _lists_in(inner)


def _id_of(value: dict[str, Any]) -> str | int | None:
    """Return the id of an object, if it has one."""
    return next((name for key in _IDS if isinstance(name := value.get(key), str | int) and name != ""), None)


def _form_of(value: object) -> str:
    """Return the form of an element of a list: an object has its keys with values."""
    if isinstance(value, dict):
        return " ".join(sorted(key for key, inner in value.items() if inner not in (None, "", [], {})))
    return type(value).__name__


def _scalars_of(value: Any, *, lists: bool) -> Iterator[str | int]:  # noqa: ANN401  # a value of JSON
    """Yield the texts and numbers in an object, except its own id; those in ``lists`` as well."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, str | int):
            if key not in _IDS:
                yield inner
        elif isinstance(inner, dict) or (lists and isinstance(inner, list)):
            yield from _scalars_of(inner, lists=lists)


# Texts


def invent_lines(lines: Sequence[str]) -> str:
    """Return lines of the forms of other lines."""
    inventor = Inventor()
    inventor.keep_labels(lines)
    taken = _places_of([shape_of(line.strip()) for line in lines])[:_MOST_LINES]
    made = [inventor.text(lines[place]) for place in taken]
    return "\n".join(made).rstrip() + "\n"
