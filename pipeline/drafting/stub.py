"""Invents a small page with the structure of a real one: a few of its items, with other words in all texts.

For the specimen of a new source: real pages stay out of the repository. Tags, classes and keys are kept; texts,
addresses and other values are replaced. Finding the items does not belong here (``outline``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import count
from typing import Any, Final

from lxml import etree

from pipeline.drafting.outline import TELLING, Guess, is_at, names_of, titles_in

_WORDS: Final = (
    "foam tank crane harbour mole lantern quay tide kettle plum orchard gravel ferry copper willow marble "
    "saddle thimble anchor beacon clover dune ember fjord gable heron island jetty"
).split()
_MOST_WORDS: Final = 8
_MOST_ELEMENTS: Final = 80
_ITEMS: Final = 2
_MOST_LINES: Final = 12
_TOKENS: Final = re.compile(
    r"(?P<url>(?:https?://|mailto:|www\.)[^\s,]+)|(?P<mail>(?<![^\s,<(])[^\s@,]{1,64}@[^\s@,]+)"
    r"|(?P<moment>\d{4}-\d{2}-\d{2}(?P<clock>[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?P<zone>Z|[+-]\d{2}:?\d{2})?)"
    r"|(?P<time>\d{1,2}:\d{2}(?::\d{2})?)|(?P<year>\b(?:19|20)\d{2}\b)|(?P<number>\d+)"
    r"|(?P<half>\b[ap]\.?m\b\.?)|(?P<unit>(?:(?<=\d)|(?<=\d ))(?:h|m|min)(?![^\W\d_]))"
    r"|(?P<weekday>\b(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\b)"
    r"|(?P<month>\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b)|(?P<word>[^\W\d_]+)"
)


class Inventor:
    """Replaces texts by invented ones of the same kind; no two of some length are alike."""

    def __init__(self) -> None:
        """Begin with the first of the words."""
        self._next = count()

    def text(self, text: str) -> str:
        """Return a text of other words: times, dates, numbers and marks stay of their kind, but get other values."""
        cut = [*_TOKENS.finditer(text)][_MOST_WORDS : _MOST_WORDS + 1]
        return _TOKENS.sub(self._token, text[: cut[0].start()].rstrip() if cut else text)

    def word(self) -> str:
        """Return the next word."""
        place = next(self._next)
        return _WORDS[(place + place // len(_WORDS)) % len(_WORDS)]

    def value(self, value: Any) -> Any:  # noqa: ANN401  # a value of JSON
        """Return a JSON value with the same keys; of a list the first elements."""
        if isinstance(value, dict):
            return {key: self.value(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.value(inner) for inner in value[:_ITEMS]]
        if isinstance(value, str):
            return self.text(value)
        return value if value is None or isinstance(value, bool) else type(value)(next(self._next))

    def _token(self, found: re.Match[str]) -> str:
        """Return the replacement for one token."""
        kind, text = found.lastgroup or "", found[0]
        if found["moment"]:
            return f"2026-06-17{'T10:00:00' if found['clock'] else ''}{found['zone'] or ''}"
        if kind == "word":
            word = self.word()
            return word.upper() if text.isupper() and len(text) > 1 else word.title() if text[0].isupper() else word
        if kind in {"url", "mail"}:
            return f"https://{self.word()}.example/" if kind == "url" else f"{self.word()}@{self.word()}.example"
        if kind in {"time", "number"}:
            place = next(self._next)
            return str(1 + place % 9) if kind == "number" else f"{10 + place % 2}:00{':00' * (text.count(':') > 1)}"
        made = {
            "year": "2026",
            "weekday": "Wednesday" if text.endswith("day") else "Wed",
            "month": "June" if len(text) > 3 else "Jun",
        }
        return made.get(kind, text)


def stub_page(root: etree._Element, guess: Guess, *, xml: bool) -> str:
    """Return a page with the first items of a page and the elements around them, with invented texts."""
    inventor = Inventor()
    items = [each for each in root.iter(etree.Element) if is_at(each, guess.items) and _holds(each, guess.title)]
    copied: list[etree._Element] = [_copy(each, inventor, count(), xml=xml) for each in items[:_ITEMS]]
    for around in items[0].iterancestors():
        outer = _bare(around, inventor, xml=xml)
        outer.extend(copied)
        copied = [outer]
    for item in copied[0].iter():
        item.tail = "\n"
    text = etree.tostring(copied[0], encoding="unicode", method="xml" if xml else "html", with_tail=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n' if xml else f"<!DOCTYPE html>\n{text}\n"


def _holds(item: etree._Element, title: str) -> bool:
    """True if an item holds exactly one title."""
    return not title or sum(is_at(each, title) for each in item.iter(etree.Element) if each is not item) == 1


def _bare(element: etree._Element, inventor: Inventor, *, xml: bool) -> etree._Element:
    """Return an element with the same tag and classes, and invented values for its other attributes."""
    made = etree.Element(element.tag, nsmap=element.nsmap if xml else None)  # type: ignore[arg-type]  # may hold None
    for key, printed in element.attrib.items():
        name, value = str(key), str(printed)
        if name == "class":
            made.set(name, value)
        elif xml or name in {"href", "datetime"} or TELLING.fullmatch(name):
            made.set(name, inventor.text(value) if value not in {"", "#"} else value)
    return made


def _copy(element: etree._Element, inventor: Inventor, made: count[int], *, xml: bool) -> etree._Element:
    """Return an element with its children, every text invented; of similar children in a row the first two."""
    copied = _bare(element, inventor, xml=xml)
    if element.text and not element.text.isspace():
        copied.text = inventor.text(element.text.strip())
    alike = 0
    before: list[str] = []
    for child in element.iterchildren(etree.Element):
        names = names_of(child)
        alike = alike + 1 if names == before else 0
        before = names
        if alike < _ITEMS and names and child.tag not in {"script", "style"} and next(made) < _MOST_ELEMENTS:
            copied.append(_copy(child, inventor, made, xml=xml))
    return copied


def stub_data(value: object, guess: Guess) -> str:
    """Return the first items of some data and the objects around them, with invented values."""
    steps = re.findall(r"\[\]|[^.\[\]]+", guess.items)
    return json.dumps(_reduce(value, steps, Inventor()), ensure_ascii=False, indent=1) + "\n"


def _reduce(value: Any, steps: Sequence[str], inventor: Inventor) -> Any:  # noqa: ANN401  # values of JSON
    """Return the path along some steps to the first items; objects on it keep values that are no list or object."""
    if not steps:
        return inventor.value(value)
    step, *others = steps
    most = 1 if {"[]", "*"}.intersection(others) else _ITEMS
    if step == "[]":
        return [_reduce(each, others, inventor) for each in value if _leads(each, others)][:most]
    if step == "*":
        leading = [each for each in value.values() if _leads(each, others)][:most]
        keys = (inventor.text(key) for key, each in value.items() if _leads(each, others))
        return {key: _reduce(each, others, inventor) for key, each in zip(keys, leading, strict=False)}
    return {
        key: _reduce(inner, others, inventor) if key == step else inventor.value(inner)
        for key, inner in value.items()
        if key == step or not isinstance(inner, dict | list)
    }


def _leads(value: object, steps: Sequence[str]) -> bool:
    """True if there is an item at the end of some steps."""
    if not steps:
        return True
    if steps[0] == "[]":
        return isinstance(value, list) and any(_leads(each, steps[1:]) for each in value)
    if not isinstance(value, dict):
        return False
    inner = value.values() if steps[0] == "*" else [value[key] for key in (steps[0],) if key in value]
    return any(_leads(each, steps[1:]) for each in inner)


def stub_lines(lines: Sequence[str], guess: Guess) -> str:
    """Return the lines of the first items of a text with invented words; labels before a colon are kept."""
    inventor = Inventor()
    titles = titles_in(lines, guess)
    made: list[str] = []
    for start, end in zip(titles[:_ITEMS], [*titles[1:], len(lines)], strict=False):
        for line in lines[start : min(end, start + _MOST_LINES)]:
            label = re.match(r"\s*[A-Z][\w ]{1,20}:(?=\s)", line)
            kept = label[0] if label else ""
            made.append(kept + inventor.text(line[len(kept) :]))
    return "\n".join(made).rstrip() + "\n"
