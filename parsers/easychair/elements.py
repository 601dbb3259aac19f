"""Elements of a Smart Program in HTML: what part their class makes them, and the text that is their own.

```
<div class="title">Slow Slicing <span style="white-space:nowrap">(<a href="..">abstract</a>)</span>
<div class="presenter">PRESENTER: <a class="person" href="..">Anna Vell</a></div>       the title was never closed
```

A part never has the text of another part, wherever a tag that is not closed has put that. What the parts mean does
not belong here (``sections``).
"""

import re
from collections.abc import Callable, Sequence
from enum import IntEnum, auto
from functools import lru_cache
from typing import Final

from lxml import etree

from parsers._html import Page, raw_text_of
from parsers._lines import Rule
from parsers.easychair.people import split_people


class Part(IntEnum):
    """What an element is by its class; a number, because it is looked up for every element of a page."""

    DATE = auto()
    SESSION = auto()
    BREAK = auto()
    HEADING = auto()
    INTERVAL = auto()
    TITLE = auto()
    CHAIR = auto()
    CHAIR_WORD = auto()
    CHAIR_NAMES = auto()
    ROOM = auto()
    ROOM_WORD = auto()
    ROOM_NAME = auto()
    DESCRIPTION = auto()
    TALK = auto()
    TIME = auto()
    DURATION = auto()
    AUTHORS = auto()
    AFFILIATION = auto()
    PRESENTER = auto()
    ABSTRACT = auto()
    ABSTRACT_LABEL = auto()


_CLASSES: Final = {
    "date": Part.DATE,
    "session": Part.SESSION,
    "coffeebreak": Part.BREAK,
    "lunchbreak": Part.BREAK,
    "heading": Part.HEADING,
    "interval": Part.INTERVAL,
    "title": Part.TITLE,
    "session_chair": Part.CHAIR,
    "chair_word": Part.CHAIR_WORD,
    "chair_names": Part.CHAIR_NAMES,
    "room": Part.ROOM,
    "room_word": Part.ROOM_WORD,
    "room_name": Part.ROOM_NAME,
    "session_desc": Part.DESCRIPTION,
    "talk": Part.TALK,
    "time": Part.TIME,
    "duration": Part.DURATION,
    "authors": Part.AUTHORS,
    "affiliation_item": Part.AFFILIATION,
    "speaker": Part.PRESENTER,
    "presenter": Part.PRESENTER,
    "abstract": Part.ABSTRACT,
    "abstract_label": Part.ABSTRACT_LABEL,
}
_UNSEEN: Final = frozenset({"script", "style", "template", "noscript"})
_BREAKS: Final = frozenset(
    "address article aside blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section".split()
    + "table tbody td tr ul".split()
)
_BREAK: Final = "\v"  # no text of a page holds it
_MARK: Final = "\0"  # nor this
_MARKED: Final = re.compile(rf"\s*{_MARK}([^{_MARK}]*){_MARK}")
_WORDS: Final = re.compile(r"\w+")
_LINE_JOINT: Final = re.compile(r"(?:\s*,|\s+and|\s*,\s*and)$|^(?:,|and\s)\s*")

Element = etree._Element


@lru_cache(maxsize=1024)
def part_of(classes: str | None) -> Part | None:
    """Return what part an element is by its classes, None where it is none."""
    return next((_CLASSES[name] for name in (classes or "").split() if name in _CLASSES), None)


def lines_in(element: Element) -> list[str]:
    """Return the own text of an element, cut at its blocks and line breaks; white space folded, no line empty."""
    if _is_sentence(element):
        text = " ".join(raw_text_of(element).split())
        return [text] if text else []
    return _fold(element, _is_label)


def text_in(element: Element) -> str:
    """Return the own text of an element on one line."""
    return " ".join(lines_in(element))


def title_in(element: Element) -> str:
    """Return the text of a title; what only links elsewhere, such as ``(abstract, PDF)`` in a span, is none of it."""
    if not len(element):
        return " ".join((element.text or "").split())
    return " ".join(_fold(element, lambda child: _is_label(child) or _only_links(child)))


def paragraphs_in(elements: Sequence[Element]) -> list[str]:
    """Return the paragraphs of free text in order."""
    found: list[str] = []
    for element in elements:
        texts = _plain_paragraphs(element)
        found += lines_in(element) if texts is None else texts
    return found


def people_in(elements: Sequence[Element], places: Sequence[Element] = ()) -> tuple[str, ...]:
    """Return lines of names: all on one line, or one a line, with the place that a raised number refers to."""
    lines: list[str] = []
    for element in elements:
        if _is_sentence(element):
            lines.append(" ".join(raw_text_of(element).split()))
        else:
            lines += _fold(element, _is_label, marks=True)
    if places or any(_MARK in line for line in lines):
        return _with_places(lines, _numbered(places))
    return _joined(lines) if len(lines) > 1 else tuple(filter(None, lines))


def claim_own(page: Page, element: Element, rule: Rule) -> None:
    """Claim an element but for other parts inside it, and what stands behind those."""
    for inner in element.iterdescendants():
        if _is_other(inner):
            break
    else:
        page.claim(element, rule)
        return
    page.claim_run([(element, True)], rule)
    for child in element:
        if _is_other(child):
            return
        claim_own(page, child, rule)
        page.claim_tail(child, rule)


def is_inside(element: Element, outer: Element) -> bool:
    """Say whether an element stands inside another."""
    return any(ancestor is outer for ancestor in element.iterancestors())


def _is_sentence(element: Element) -> bool:
    """Say whether an element holds only text and links without markup of their own."""
    for child in element:  # noqa: SIM110  # a generator would take twice as long
        if child.tag != "a" or len(child):
            return False
    return True


def _plain_paragraphs(element: Element) -> list[str] | None:
    """Return the text of the paragraphs of an element that holds nothing but such without markup, else None."""
    texts = [element.text]
    for child in element:
        if child.tag != "p" or len(child) or child.get("class") or (child.tail and not child.tail.isspace()):
            return None
        texts.append(child.text)
    return [folded for text in texts if text and (folded := " ".join(text.split()))]


def _is_other(element: Element) -> bool:
    """Say whether an element is a part of its own; a label is none."""
    part = part_of(element.get("class"))
    return part is not None and part is not Part.ABSTRACT_LABEL


def _is_label(element: Element) -> bool:
    """Say whether the text of an element is none of that around it, though it is no part of its own."""
    return element.tag in _UNSEEN or part_of(element.get("class")) is Part.ABSTRACT_LABEL


def _only_links(element: Element) -> bool:
    """Say whether an element is a span that is kept on one line and has words in links alone."""
    if element.tag != "span" or "nowrap" not in (element.get("style") or ""):
        return False
    linked = sum(len(_WORDS.findall(raw_text_of(link))) for link in element.iter("a"))
    return len(_WORDS.findall(raw_text_of(element))) == linked


def _fold(element: Element, leave_out: Callable[[Element], bool], *, marks: bool = False) -> list[str]:
    """Return the text of an element line by line, without the elements to leave out."""
    pieces: list[str] = []
    _gather(element, pieces, leave_out, marks=marks)
    return [line for text in "".join(pieces).split(_BREAK) if (line := " ".join(text.split()))]


def _gather(element: Element, pieces: list[str], leave_out: Callable[[Element], bool], *, marks: bool) -> None:
    """Collect the pieces of text inside an element up to another part.

    There is a mark at each break, and around each raised number where ``marks`` are asked for.
    """
    pieces.append(_clean(element.text))
    for child in element:
        if _is_other(child):
            return
        tag = child.tag
        if tag in _BREAKS:
            pieces.append(_BREAK)
        if not leave_out(child):
            if marks and tag == "sup":
                pieces += (_MARK, "+".join(_WORDS.findall(raw_text_of(child))), _MARK)
            else:
                _gather(child, pieces, leave_out, marks=marks)
        if tag in _BREAKS:
            pieces.append(_BREAK)
        pieces.append(_clean(child.tail))


def _clean(text: str | None) -> str:
    """Fold the white space of a piece of text, keeping one blank at either end where there was any."""
    if not text:
        return ""
    folded = " ".join(text.split())
    if not folded:
        return " "
    return f"{' ' * text[0].isspace()}{folded}{' ' * text[-1].isspace()}"


def _joined(lines: Sequence[str]) -> tuple[str, ...]:
    """Take the joints off lines of one name each, and put an affiliation on a line of its own behind its name."""
    found: list[str] = []
    for line in lines:
        if line.startswith("(") and found:
            found[-1] = f"{found[-1]} {line}"
        elif name := _LINE_JOINT.sub("", line):
            found.append(name)
    return tuple(found)


def _numbered(places: Sequence[Element]) -> dict[str, str]:
    """Return the printed affiliations by their raised number, which may be missing."""
    found: dict[str, str] = {}
    for place in places:
        line = " ".join(_fold(place, _is_label, marks=True))
        mark = _MARKED.match(line)
        found.setdefault(mark[1] if mark else "", _MARKED.sub("", line).strip())
    return found


def _with_places(lines: Sequence[str], places: dict[str, str]) -> tuple[str, ...]:
    """Return one line a person: name, and in brackets the affiliations that its numbers refer to."""
    found = []
    for printed in (part for line in lines for part in split_people(line)):
        numbers = [number for mark in _MARKED.findall(printed) for number in mark.split("+")]
        named = [places[number] for number in numbers or [""] if places.get(number)]
        name = _MARKED.sub("", printed).strip()
        found.append(f"{name} ({'; '.join(named)})" if named else name)
    return _joined(found)
