"""Elements of a Smart Program in HTML: the part of each by its class, on pages of all years, and its own text.

```
<div class="title">Slow Slicing <span style="white-space:nowrap">(<a href="..">abstract</a>)</span>
<div class="presenter">PRESENTER: <a class="person" href="..">Anna Vell</a></div>       the title was never closed
```

A part never includes the text of another part, even one that an unclosed tag has put inside it. Grouping parts does not
belong here (``sections``), nor does splitting names (``names``).
"""

import re
from collections.abc import Callable, Sequence
from enum import IntEnum, auto
from functools import lru_cache
from typing import Final

from lxml import etree

from parsers._ledger.elements import raw_text_of
from parsers._ledger.lines import LineClass, Rule
from parsers._ledger.page import Page


class Part(IntEnum):
    """The part of an element by its class; a number, because it is looked up for every element of a page."""

    DATE = auto()
    SESSION = auto()
    BREAK = auto()
    HEADING = auto()
    INTERVAL = auto()
    TITLE = auto()
    GROUP = auto()
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
    "group_tag": Part.GROUP,
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
PLAIN: Final = frozenset({None, "person"})
"""Classes of elements that are surely not parts."""


@lru_cache(maxsize=1024)
def part_of(classes: str | None) -> Part | None:
    """Return the part of an element by its classes, None if it has none."""
    return next((_CLASSES[name] for name in (classes or "").split() if name in _CLASSES), None)


_UNSEEN: Final = frozenset({"script", "style", "template", "noscript"})
_BREAKS: Final = frozenset(
    "address article aside blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section".split()
    + "table tbody td tr ul".split()
)
_MISSING: Final = "missing"
"""The class of placeholder words, such as ``name missing``."""
BREAK: Final = "\v"  # never in the text of a page
_WORDS: Final = re.compile(r"\w+")

Element = etree._Element

StandIn = Callable[[Element], str | None]
"""Returns the text to use instead of an element's own; None to read the element itself."""


def fold(text: str | None) -> str:
    """Fold the white space of a text; most texts need no folding, which a quick check shows."""
    if not text:
        return ""
    if text.isascii() and not ("\n" in text or "  " in text or "\t" in text or "\r" in text):
        return text.strip()
    return " ".join(text.split())


def lines_in(element: Element) -> list[str]:
    """Return the own text of an element, split at its blocks and line breaks; white space folded, no line empty."""
    sentence = _read_sentence(element)
    if sentence is None:
        return gather(element, read_label)
    return [sentence] if sentence else []


def text_in(element: Element) -> str:
    """Return the own text of an element on one line."""
    sentence = _read_sentence(element)
    return " ".join(gather(element, read_label)) if sentence is None else sentence


def title_in(element: Element) -> str:
    """Return the text of a title, without spans that are only links, such as ``(abstract, PDF)``."""
    return " ".join(gather(element, _read_links)) if len(element) else fold(element.text)


def paragraphs_in(elements: Sequence[Element]) -> list[str]:
    """Return the paragraphs of free text in order."""
    found: list[str] = []
    for element in elements:
        texts = _plain_paragraphs(element)
        found += lines_in(element) if texts is None else texts
    return found


def gather(element: Element, stand_in: StandIn) -> list[str]:
    """Return the own text of an element line by line, with the text of ``stand_in`` for the elements inside it."""
    pieces: list[str] = []
    _collect(element, pieces, stand_in)
    return [line for text in "".join(pieces).split(BREAK) if (line := " ".join(text.split()))]


def read_label(element: Element) -> str | None:
    """Return an empty text for an element whose text does not belong to the text around it, though it is no part."""
    classes = element.get("class")
    unsaid = element.tag in _UNSEEN or classes == _MISSING or part_of(classes) is Part.ABSTRACT_LABEL
    return "" if unsaid else None


def claim_own(page: Page, element: Element, rule: Rule) -> None:
    """Claim an element, except for other parts inside it and the text after those."""
    for inner in element:  # the frequent case first: nothing inside that could be a part
        if len(inner) or inner.get("class") not in PLAIN:
            break
    else:
        page.claim(element, rule)
        return
    if not any(map(_is_other, element.iterdescendants())):
        page.claim(element, rule)
        return
    page.claim_run([(element, True)], rule)
    for child in element:
        if _is_other(child):
            return
        claim_own(page, child, rule)
        page.claim_tail(child, rule)


def claim_rejected(page: Page, elements: Sequence[Element], reason: str) -> None:
    """Claim the elements of a reject: they go to quarantine with it."""
    for element in elements:
        page.claim(element, Rule(reason, LineClass.REJECTED))


def is_inside(element: Element, outer: Element) -> bool:
    """True if an element is inside another."""
    return any(ancestor is outer for ancestor in element.iterancestors())


def _read_sentence(element: Element) -> str | None:
    """Return the text of an element that holds only text and links without markup inside, else None."""
    text = element.text or ""
    for child in element:
        if child.tag != "a" or len(child):
            return None
        text += f"{child.text or ''}{child.tail or ''}"
    return fold(text)


def _plain_paragraphs(element: Element) -> list[str] | None:
    """Return the paragraphs of an element that holds nothing but paragraphs without markup, else None."""
    texts = [element.text]
    for child in element:
        if child.tag != "p" or len(child) or child.get("class") or (child.tail and not child.tail.isspace()):
            return None
        texts.append(child.text)
    return [folded for text in texts if (folded := fold(text))]


def _is_other(element: Element) -> bool:
    """True if an element is another part; a label does not count."""
    part = part_of(element.get("class"))
    return part is not None and part is not Part.ABSTRACT_LABEL


def _read_links(element: Element) -> str | None:
    """Return an empty text for a span that is kept on one line and has words only in links."""
    if element.tag != "span" or "nowrap" not in (element.get("style") or ""):
        return read_label(element)
    linked = sum(len(_WORDS.findall(raw_text_of(link))) for link in element.iter("a"))
    return "" if len(_WORDS.findall(raw_text_of(element))) == linked else None


def _collect(element: Element, pieces: list[str], stand_in: StandIn) -> None:
    """Collect the pieces of text inside an element up to another part, with ``BREAK`` at each break."""
    pieces.append(_clean(element.text))
    for child in element:
        if _is_other(child):
            return
        is_break = child.tag in _BREAKS
        if is_break:
            pieces.append(BREAK)
        text = stand_in(child)
        if text is None:
            _collect(child, pieces, stand_in)
        else:
            pieces.append(text)
        if is_break:
            pieces.append(BREAK)
        pieces.append(_clean(child.tail))


def _clean(text: str | None) -> str:
    """Return a piece of text without ``BREAK``; white space is folded when the pieces are joined."""
    return text.replace(BREAK, " ") if text else ""
