"""What the headings of sessions and the labels of chairs and rooms say, wherever they stand.

    Session (1) Stores    Paper session II: Stores    Stores (Session II)    Track A: Stores    [Workshop] Stores
    Session 2-B: Stores (Chair: Bea Sorn)
    Keynote (2): Ada Quill    Opening Keynote: Ada Quill
    Chair: Bea Sorn (Norwick)    Session Chair - Bea Sorn    Chaired by Bea Sorn

Each distinct line is read once: the same headings come again and again. Days and times do not belong here (``times``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from pyparsing import Optional, Regex

from parsers._dates import DASH
from parsers._titles import read_heading, reads_as_title, split_track
from parsers.cluster.names import BETWEEN_NAMES, reads_as_person
from parsers.cluster.times import match_whole

# One talk and no more: its chair may stand below it.
SOLO: Final = re.compile(
    r"(?:(?:invited|plenary|distinguished|guest|special)\s+){1,2}(?:talk|speech|lecture|address|speaker)\b.*",
    re.IGNORECASE,
)
PLACEHOLDER: Final = re.compile(
    r"\W*(?:TB[ADC]|N/A|to be (?:announced|determined|confirmed|decided))\W*", re.IGNORECASE
)

# Who is named below the title of an item that lists no talks.
PEOPLE_LIST: Final = re.compile(
    r"(?:panell?ists?|(?:keynote |invited )?speakers?|presenters?|instructors?|lecturers?)\s*:", re.IGNORECASE
)
# The label in front of a room.
_ROOM_LABEL: Final = re.compile(r"(?:rooms?|locations?|venue|place)\s*:\s*(?=\S)", re.IGNORECASE)

_DISTINCT: Final = 4096

CHAIR_ROLE: Final = (
    r"(?:(?:session|panel|track)\s+)?(?:co-?\s?)?"
    r"(?:chairs?(?:\(s\)|persons?)?|moderators?(?:\(s\))?|discussants?|organi[sz]ers?(?:\(s\))?)"
)
# Words that may stand in front of other things too: they are labels of persons alone.
_HOST: Final = r"(?:(?:session|panel)\s+)?(?:hosts?|facilitators?|conv[eo]n[eo]rs?|presid(?:ing|er))"
CHAIR_LABEL: Final = (
    rf"(?:{CHAIR_ROLE})(?:\s*[:：]|\s+{DASH}\s)|(?:{_HOST})\s*:"
    r"|(?:session\s+)?chaired\s+by\b\s*:?|session\s+chairs?\s+(?=[A-Z])"
)
_CHAIR: Final = re.compile(rf"(?P<label>{CHAIR_LABEL})\s*(?P<names>\S.*)?", re.IGNORECASE)
_SURE: Final = re.compile(rf"{CHAIR_ROLE}\s*[:：]", re.IGNORECASE)
_WORDS_OF_TITLE: Final = 4  # "Chair: A Framework for Sitting"
_LABEL_MARKS: Final = " :：-‐‑‒–—―−"
# A chair behind a title: "Stores (Chair: Bea Sorn, Plum)", "Stores - Session Chair: Bea Sorn (Plum)".
_CHAIR_BEHIND: Final = re.compile(
    rf"(?P<title>\S.{{0,280}}?)(?<!\s)\s*(?P<opened>[(\[]|\s{DASH}\s|[,;|]\s)\s*(?:{CHAIR_ROLE}\s*:|chaired\s+by\b(?:\s*+:)?)"
    r"(?>\s*+(?=[^()\[\]])|\s*(?=\s))(?P<names>[^()\[\]]{1,120}(?:\([^()]{1,120}\)[^()\[\]]{0,120}){0,4}?)(?P<closed>[)\]]?)",
    re.IGNORECASE,
)

# "1.2" and "2-B" are codes in front of a stop alone: "Session 3-D Printing" is none
_NUMBER: Final = r"\d{1,3}(?:[./-][A-Z\d]{1,2}(?=\s*(?:[:|–—]|$))|[A-Z])?"
_SESSION: Final = (
    Regex(r"(?:(?:paper|technical|research|regular|parallel|plenary|oral)\s+)?session\b-?", re.IGNORECASE)
    # "(1)" and "3A" stand alone; a letter, a Roman number or "T1" needs a stop behind it: "Session I: Stores"
    + Regex(
        rf"\((?P<bracket>\w{{1,6}})\)\s*[:.,|–—-]?|#?(?P<number>{_NUMBER})\b\s*[:.,|–—-]?"
        r"|(?P<letter>[IVXL]+|[A-Z]\d{0,2})(?:\s*[:.|–—-]|$)"
    )
    + Optional(Regex(r"(?P<title>\S.*)"))
)
_BRACKETED: Final = re.compile(r"\((?P<title>[^()]+)\)")
_CODE_BEHIND: Final = Regex(r"(?P<title>\S.*?)\s*\(\s*[Ss]ession\s+(?P<code>\w{1,6})\s*\)")
_KEYNOTE: Final = Regex(
    r"(?P<name>(?:(?:opening|closing|plenary|conference|joint|morning|afternoon|invited|industry)\s+)?"
    r"keynote(?:\s+(?:talk|speech|address|speaker|session))?(?:\s*\(\s*\w{1,6}\s*\)|\s+(?:#?\d{1,2}|[IVX]+)\b)?)"
    r"(?=\s*(?:$|[:–—]|-{1,2}\s|by\s))",  # "Keynote-Scale Computing" is a title
    re.IGNORECASE,
) + Optional(Regex(r"\s*(?P<mark>[:–—-]|by\b)") + Optional(Regex(r"(?P<about>\S.*)")))
_KEYNOTE_WITHIN: Final = 20
_LONGEST_HEADING: Final = 400


@dataclass(frozen=True, slots=True)
class SessionHeading:
    """A session heading taken apart.

    ``formal`` says that its form alone (a code, a track, a tag) makes it a heading. ``keynote`` is the printed name of
    a keynote slot, such as ``Keynote (2)``, and ``about`` what is printed after it: a speaker or a title. ``chair`` is
    who is named behind the title as its chair.
    """

    printed: str
    title: str | None
    code: str | None = None
    track: str | None = None
    tag: str | None = None
    keynote: str | None = None
    about: str | None = None
    notes: tuple[str, ...] = ()
    chair: str | None = None

    @property
    def formal(self) -> bool:
        """Say whether the form of the line makes it a heading, whatever stands around it."""
        return bool(self.code or self.track or self.tag or self.keynote or self.chair)


@lru_cache(_DISTINCT)
def read_chair_label(text: str) -> tuple[str, str] | None:
    """Split ``Chair: names`` into role and names (empty where they follow on the next line); None for other lines.

    A label without a colon, or one that other things bear too, is one where persons alone stand behind it.
    """
    found = _CHAIR.fullmatch(text)
    if found is None:
        return None
    role, names = found["label"].strip(_LABEL_MARKS), found["names"] or ""
    sure = _SURE.match(text) is not None and not _is_title(names)
    return (role, names) if sure or _names_persons(names) else None


def _is_title(names: str) -> bool:
    """Say whether what stands behind the word of a chair is the rest of a title: words that no marks part."""
    parted = any(mark in names for mark in (",", ";", "&", "(", " and "))
    return not parted and names.count(" ") + 1 >= _WORDS_OF_TITLE and reads_as_title(names)


def _names_persons(names: str) -> bool:
    """Say whether a text begins with the name of a person, before any affiliation."""
    return reads_as_person(BETWEEN_NAMES.split(names, 1)[0].partition("(")[0].strip())


def read_room(text: str) -> str:
    """Return the name of a room without the label in front of it: ``Room: Great Hall``."""
    return _ROOM_LABEL.sub("", text, 1)


@lru_cache(_DISTINCT)
def read_session(text: str) -> SessionHeading:
    """Take a session heading apart; a line without any known form is all title."""
    named = len(text) <= _LONGEST_HEADING and ("hair" in text or "oderator" in text or "HAIR" in text)
    chair = _CHAIR_BEHIND.fullmatch(text) if named else None
    if chair and (chair["opened"] in "([") == bool(chair["closed"]) and _names_persons(chair["names"]):
        return replace(_read_session(chair["title"]), printed=text, chair=chair["names"].strip())
    return _read_session(text)


def _read_session(text: str) -> SessionHeading:
    """Take a session heading apart that names no chair."""
    heading = read_heading(text)
    track, title = split_track(heading.title)
    if track is not None or heading.tag is not None:
        return SessionHeading(text, title, track=track, tag=heading.tag, notes=heading.notes)
    lower = title.lower()
    found = match_whole(_KEYNOTE, title) if "keynote" in lower[:_KEYNOTE_WITHIN] else None
    if found and (found.get("mark") != "by" or _names_persons(found.get("about") or "")):
        return SessionHeading(text, title, keynote=found["name"], about=found.get("about"), notes=heading.notes)
    if "session" in lower and (found := match_whole(_SESSION, title)):
        code = found.get("bracket") or found.get("number") or found["letter"]
        inside = _BRACKETED.fullmatch(found.get("title") or "")
        return SessionHeading(text, inside["title"] if inside else found.get("title"), code=code, notes=heading.notes)
    if lower.endswith(")") and "session" in lower and (found := match_whole(_CODE_BEHIND, title)):
        return SessionHeading(text, found["title"], code=found["code"], notes=heading.notes)
    return SessionHeading(text, title, notes=heading.notes)
