"""What the titles of a programme say beside their words: tags, marks of what is cancelled, tracks, kinds of items.

Formats: ``[Tutorial] Toast``, ``Toast (PDF, slides)``, ``CANCELLED: Toast``, ``Track 2.1: Slicing``. How a source sets
a title apart from times, names and rooms does not belong here.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

# First hit wins, in the order of the contract: a coffee break with posters is a break, a poster reception is social.
_ITEM_KINDS: Final = tuple(
    (kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for kind, words in (
        ("keynote", r"keynotes?"),
        ("social", r"receptions?|banquets?|dinners?|excursions?|socials?"),
        ("break", r"coffee|lunch(?:es)?|lunchtime|breakfasts?|tea|breaks?"),
        ("poster_session", r"posters?"),
        ("panel", r"panels?"),
        ("ceremony", r"opening|welcome|closing|awards?"),
    )
)
_TALK_KINDS: Final = tuple(
    (kind, re.compile(rf"\b{kind}s?\b", re.IGNORECASE)) for kind in ("keynote", "panel", "tutorial")
)

# What begins a title and no name, and the genitive, which no name has.
_TITLE_ONLY: Final = re.compile(
    r"(?:the|a(?!\.)|on|how|why|what|when|where|who|whose|is|are|from|to|towards?|beyond|against|after|before|between|we"
    r"|building|making|rethinking|revisiting|understanding|scaling|learning|designing|bridging|exploring|enabling"
    r"|taming|using|teaching|reasoning|thinking|solving|proving|trustworthy|responsible|sustainable|quantum|digital"
    r"|smart|human|open|big|deep|formal|generative|large|green)\b.*+|(?>.*?['’]s\b).*+",
    re.IGNORECASE,
)
_TAG = re.compile(r"\[(?P<tag>tutorial|workshop)\]\s*", re.IGNORECASE)
# The words of links, in the letters in which pages print them: a title can end in ``(Video)``.
_LINK: Final = r"(?:(?i:abstract)|PDF|pdf|paper|slides|video)"
_RESIDUE = re.compile(rf"(?:\(\s*(?i:agenda)\s*\)|\[\s*(?i:slides?)\s*\]|\(\s*{_LINK}(?:\s*,\s*{_LINK})*\s*\))\s*$")
_MARK: Final = r"\b(?P<word>cancell?ed|withdrawn)\b"
# Neither the tag after the mark nor a bracket of the title before it belongs to the mark.
_MARK_FIRST = re.compile(rf"(?P<opened>\W*){_MARK}(?P<gap>[^\w\[(]*)", re.IGNORECASE)
_MARK_LAST = re.compile(rf"{_MARK}\W*\Z", re.IGNORECASE)
_SET_OFF: Final = re.compile(r"[:!.|*()\[\]–—]|-\s|\s-")
_TRACK = re.compile(r"(?P<track>Track\s+[A-Z0-9][\w.]*(?:-\d{1,2})?)\s*[:–-]\s*(?P<title>\S.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A title without its decorations, and what they said."""

    title: str
    tag: str | None
    notes: tuple[str, ...]


def read_heading(text: str) -> Heading:
    """Take the decorations of the closed list off a title: tags, link residue, the mark of a cancelled item."""
    whole, tag = text.strip(), None
    title = _without_mark(whole)
    is_marked = title != whole
    if found := _TAG.match(title):
        tag, untagged = found["tag"].lower(), title[found.end() :]
        title = _without_mark(untagged)
        is_marked = is_marked or title != untagged
    while title.endswith((")", "]")) and (shorter := _RESIDUE.sub("", title).rstrip()) != title:
        title = shorter
    return Heading(title, tag, ("cancelled",) if is_marked else ())


def reads_as_title(text: str) -> bool:
    """Say whether a few capitalised words, which may be a title or a name, are surely no name."""
    return _TITLE_ONLY.fullmatch(text) is not None


def split_track(title: str) -> tuple[str | None, str]:
    """Split ``Track 2.1: Scheduling`` into track and title; a title without a track is returned as it is."""
    found = _TRACK.fullmatch(title)
    return (found["track"], found["title"]) if found else (None, title)


def kind_of_item(title: str, tag: str | None = None, *, break_class: bool = False) -> str:
    """Say what a programme item without talks is, by its tag, its words, and the page's own class for breaks."""
    if tag is not None:
        return tag
    hits = (kind for kind, words in _ITEM_KINDS if words.search(title))
    return next(hits, "break" if break_class else "session")


@lru_cache(maxsize=1024)  # asked once a talk, answered by the session
def kind_of_talk(*headings: str | None) -> str:
    """Say what an item with authors or abstract is, by the title or type of its session."""
    text = " ".join(heading for heading in headings if heading)
    return next((kind for kind, word in _TALK_KINDS if word.search(text)), "paper")


def _without_mark(title: str) -> str:
    """Take the mark of a cancelled or withdrawn item off either end of a title, where it is not a word of the title.

    A mark is set off by a bracket, a colon or a dash, or written in capitals; ``Canceled`` also stands before a title
    or a tag with nothing but a blank between.
    """
    lowered = title.lower()  # most titles have no mark, which a few letters tell faster than the patterns
    if "ancel" not in lowered and "thdrawn" not in lowered:
        return title.strip() or title
    kept = title
    if found := _MARK_FIRST.match(title):
        rest = title[found.end() :]
        glued = found["word"].startswith("C") and (rest[:1].isupper() or rest[:1] == "[")
        if glued or found["word"].isupper() or _SET_OFF.search(f"{found['opened']}{found['gap']}"):
            kept = rest
    if found := _MARK_LAST.search(kept):
        before = kept[: found.start()]
        shorter = before.rstrip(" \t:–—-([")
        if _SET_OFF.search(before[len(shorter) :]) or (found["word"].isupper() and before[-1:].isspace()):
            kept = shorter
    return kept.strip() or title
