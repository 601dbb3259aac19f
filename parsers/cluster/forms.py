"""The form of a single line of a programme: a code of the state table (``glance``).

Each code is listed here once, with a line of that form; ``tests/sources/cluster/test_forms.py`` has more. A sure form
means one role; a weak one allows several, and its place decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Final

from parsers._words.dates import begins_with_time
from parsers._words.people import PARTICLES
from parsers._words.titles import kind_of_item, label_of
from parsers.cluster.chrome import SESSION_TYPE, is_award
from parsers.cluster.headings import PEOPLE_LIST, SOLO, read_chair_label, read_room, read_session
from parsers.cluster.people import (
    BETWEEN_NAMES,
    PLACEHOLDER,
    has_comma_style,
    looks_like_names,
    reads_as_author,
    reads_as_authors,
    reads_as_person,
)

FORMS: Final = {
    "CLK": "11h00 MESZ",  # a time in a form that is not read: no state takes it, nor the next one
    "LBL": "Moderated by: Bea Sorn (Norwick)",  # a label that is not known
    # sure
    "ABS": "Abstract",
    "AUL": "Authors: Ann One (Norwick), Bo Two (Plum)",
    "AWD": "Best Paper Award",
    "BIO": "Biography",
    "BUL": "• Ann One, Norwick University",
    "CAN": "Canceled",
    "CER": "Opening Session",
    "CHA": "Chair: Bea Sorn (Norwick)",
    "CHL": "Chair:",
    "COD": "Session (1) Stores",
    "EDN": "IEEE LANTERN 2031",
    "ITM": "Lunch Break",
    "KEY": "Keynote (2): Ada Quill",
    "NUA": "14. [Best Poster Award]",
    "NUM": "1. Small ropes",
    "PPL": "Panelists: Ann One (Norwick), Bo Two (Plum)",
    "PRE": "Presenter: Ann One (Norwick)",
    "PST": "Poster Session and Lunch",
    "TAB": "GREAT ROOM\tROOM C",  # cells of a table: not a programme line
    "TAG": "[Workshop] Small Files",
    "TBA": "TBA",
    "TYP": "Plenary, Paper",
    # two lines with the same text, one right below the other
    "PAI": "Offloaded stores",
    "AGN": "Offloaded stores",
    # weak
    "BRA": "(Lunch box is provided)",
    "CMN": "Harbourside",  # a short text in three slots or more
    "LST": "Ann One, Bo Two, and Cy Three",
    "NAM": "Bea Sorn",
    "ODD": "tcTide: a Fast Library",
    "ONE": "Runtimes",
    "PER": "Ann One (Norwick)",
    "PAN": "Panel: Small Files, Large Stores",
    "PHD": "Posters",  # heads their list, below the title of their session
    "PRO": "We keep small objects near the readers, and copies of them. It has been in use on two machines for years.",
    "ROO": "Great Hall, Room 3",
    "REP": "Reception",  # below "Welcome Reception", whose words it repeats
    "SEN": "Registration is open from eight.",
    "SPK": "Welcome address (Bea Sorn, Plum)",
    "SUR": "Du, Wang, N. Toosi",
    "TTL": "Offloaded Stores for Small Objects",
    "TTS": "Norwick Library",  # short enough to be a place
    "TTQ": "Offloaded Stores: Who Needs Them?",  # its punctuation rules out a name
    "TMB": "Guided tour (18:00 - 19:00)",
}

LONGEST_TITLE: Final = 300
_LONGEST_ROOM: Final = 60
_PROSE: Final = 180
_SENTENCE: Final = 100
_SMALL_WORDS: Final = frozenset("a an and at by for in of on the to &".split())
_WORDS_OF_PLACE: Final = 4
_WORDS_OF_NAME: Final = 3
_WORDS_OF_SENTENCE: Final = 7

_ABSTRACT: Final = re.compile(r"abstract(?: abstract)?\s*:?", re.IGNORECASE)
_BIOGRAPHY: Final = re.compile(r"bio(?:graphy)?(?: bio(?:graphy)?)?\s*:?", re.IGNORECASE)
_AUTHORS: Final = re.compile(r"authors?\s*:\s*\S", re.IGNORECASE)
_CANCELLED: Final = re.compile(r"\W*cancell?ed\W*", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"\d{1,3}\.\s+\S")
_NUMBERED_AWARD: Final = re.compile(r"\d{1,3}\.\s+\[[^\[\]]{3,60}\]")
_BULLET: Final = re.compile(r"[•◦▪‣·*–-]\s+\S")
_PRESENTER: Final = re.compile(r"presenters?(?:\(s\))?\s*:\s*\S", re.IGNORECASE)
_TYPES: Final = re.compile(SESSION_TYPE)
# Codes before a title: "T1", "1A", "S3"; but "3D" is a word.
_LETTERED: Final = re.compile(r"(?:[A-Z]{1,2}\d{1,2}|\d{1,2}[A-CE-H])(?::| [–-]) \S.*")
_NAMED_BY: Final = re.compile(r"(?:[A-Z]\w+ )?\w+ (?:by|BY): (?=\S)")
_TIME_BEHIND: Final = re.compile(
    r"\S.*(?:\(\d{1,2}[:.]\d\d[^()]{0,20}\)|:\s\d{1,2}[:.]\d\d(?:\s?[–-]\s?\d{1,2}[:.]\d\d)?)"
)
_POSTERS: Final = re.compile(r"\bposters?\b", re.IGNORECASE)
# Endings that names do not have; of those in -ing only ones that Chinese first names do not have.
_WORD_OF_TITLE: Final = re.compile(
    r"\b[A-Za-z-]{2,}(?:tions?|ments?|ness|ity|ics|isms?|wares?|flows?|ance|ence|able|ible|ized|less"
    r")\b"
    r"|^\w{2,}(?:[zvrgcks]|at|ct|pt|rt|st|ow|mp|nd)ing\b"
)
_SESSIONS: Final = re.compile(
    r"(?:[A-Z]\w+ )?(?:sessions? (?:[IVX]{1,4}|\d{1,2})"
    r"|Best (?:Student |Short )?Paper (?:Candidates|Finalists|Nominees))",
    re.IGNORECASE,
)
_ROOM: Final = re.compile(
    r"""
      \b(?:Rooms?|Hall|Auditorium|Ballroom|Foyer|Lobby|Lounge|Theat(?:er|re)|Atrium|Salon|Suite|Floor
         |Amphitheat(?:er|re)|Aula|Zoom|Online)\b
      (?![ ](?:for|to|with|without|as|versus|vs)\b)     # "Room for Two" is no room
    | ^[A-Z][\w'’-]*(?:[ ][A-Z][\w'’-]*)?[ ]room(?:[ ]\w{1,3})?$     # "Chart room", "Breakout room 1"
    | ^[A-Z]{1,4}[ -]?\d{1,4}[A-Z]?$                    # "HS13"
    """,
    re.VERBOSE,
)
# Whole names of rooms, even if their first word also names a kind of item: "Reception Hall".
_ROOM_NAME: Final = re.compile(
    r"(?:[A-Z][\w'’-]*[ ]){1,3}(?:Room|Hall|Auditorium|Ballroom|Foyer|Lobby|Lounge|Theat(?:er|re)|Atrium|Salon|Suite)"
    r"(?:[ ][A-Z\d]{1,4})?"
)
_WITH_NUMERAL: Final = re.compile(r"\S+ [IVX]+")  # "Linden II" and "Storage II" are not people
_EDITION: Final = re.compile(r"(?:[A-Z][\w/&-]*\s+){1,5}(?:19|20)\d\d")
_MARKS_OF_TITLE: Final = re.compile(r": |\?")
_SENTENCES: Final = re.compile(r"[a-z]{2}\. \S")
_NO_ROOM: Final = re.compile(r" (?:for|to|with|without|from|using|via|towards?|versus|vs\.?) |[:?] ")


def _can_be_name(text: str) -> bool:
    """True if a text can be a personal name: up to three words besides initials and particles."""
    if not reads_as_author(text) or _WORD_OF_TITLE.search(text) is not None:
        return False
    if not text.isupper() and any(word.isupper() and len(word) > 2 and word.isalpha() for word in text.split()):
        return False  # "MPI Collectives"
    if _WITH_NUMERAL.fullmatch(text):
        return False
    return sum(len(word.rstrip(".")) > 1 and word not in PARTICLES for word in text.split()) <= _WORDS_OF_NAME


def _is_room(text: str) -> bool:
    """True if a short text reads like a room."""
    if len(text) > _LONGEST_ROOM or text.count(" ") > 7:
        return False
    named = read_room(text)
    return named != text or (_ROOM.search(text) is not None and _NO_ROOM.search(text) is None)


def _is_person(text: str) -> bool:
    """True if a text is one person with an affiliation: ``Ann One (Norwick)``, ``Ann One, Norwick University``."""
    if len(text) > _SENTENCE or ":" in text:
        return False
    name, opened, rest = text.partition("(")
    if opened and (rest.endswith(")") or ")" not in rest):  # the dump was cut
        return reads_as_author(name.strip())
    return has_comma_style(text)


def _are_surnames(text: str) -> bool:
    """True if a text can be a list of names, some of them only surnames: ``Du, Wang, N. Toosi``."""
    names = [name for name in BETWEEN_NAMES.split(text) if name]
    if len(names) < 2 or not looks_like_names(text):
        return False
    words = (word for name in names for word in name.split())
    return all(name.count(" ") < 4 for name in names) and not any(
        word[0].islower() and word not in PARTICLES for word in words
    )


def _is_spoken(text: str) -> bool:
    """True if a text names the speaker, as programme points do: ``Welcome (Bea Sorn, Plum)``."""
    if len(text) > _SENTENCE or ":" in text or reads_as_authors(text):
        return False
    said, opened, inside = text.partition("(")
    if opened and inside.endswith(")"):
        return not reads_as_author(said.strip()) and reads_as_person(inside[:-1].partition(",")[0].strip())
    names, comma, office = text.partition(",")  # "Bea Sorn and Cal Tern, General Chairs"
    several = [name for name in BETWEEN_NAMES.split(names) if name]
    return bool(comma and office) and len(several) > 1 and all(map(reads_as_person, several))


def _is_a(*kinds: str) -> Callable[[str], bool]:
    """Return a test: True if the words of a title make it an item of one of these kinds."""
    return lambda text: _kind(text) in kinds


@lru_cache(1024)  # called by several tests of one line
def _kind(text: str) -> str:
    """Return the kind of an item with this title, by its tag, label or words; a sentence is not a title."""
    if text[-1] == "." and text.count(" ") >= _WORDS_OF_SENTENCE:
        return "session"
    return kind_of_item(text, read_session(text).tag)


def _has_code_or_track(text: str) -> bool:
    """True if a title has a code or a track."""
    heading = read_session(text)
    return bool(heading.code or heading.track or _LETTERED.fullmatch(text) or _SESSIONS.fullmatch(text))


def _lists_posters(text: str) -> bool:
    """True if a title is that of an item, and mentions posters."""
    return _POSTERS.search(text) is not None and _kind(text) != "session"


def _is_tied(text: str) -> bool:
    """True if a title announces one talk, or names its chair."""
    return bool(read_session(text).keynote) or SOLO.fullmatch(text) is not None


def _chair(text: str, *, named: bool) -> bool:
    """True if a line is the label of a chair, with names or without."""
    found = read_chair_label(text)
    return found is not None and bool(found[1]) == named


def _is_type(text: str) -> bool:
    """True if a line is the type of a session; two of these words are more often titles."""
    return text not in {"Break", "Registration"} and _TYPES.fullmatch(text) is not None


def _is_unknown_label(text: str) -> bool:
    """True if a line is a label that is not known, with names: ``Moderated by: Bea Sorn (Norwick)``."""
    found = _NAMED_BY.match(text)
    return found is not None and (_is_person(names := text[found.end() :]) or looks_like_names(names))


def _is_prose(text: str) -> bool:
    """True if a line is too long for a title, or too much like a sentence."""
    if len(text) > _PROSE:
        return text[-1] in ".!?" or not reads_as_authors(text)
    return len(text) > _SENTENCE and text[-1] in ".!"


def _is_sentence(text: str) -> bool:
    """True if a line is a short sentence, or begins with one."""
    if text[-1] in ".!":
        return text.count(" ") > 2
    return _SENTENCES.search(text) is not None and 2 * sum(word[0].islower() for word in text.split()) >= text.count(
        " "
    )


def _is_odd(text: str) -> bool:
    """True if a line begins like no title."""
    return text[0].islower() or not (text[0].isalnum() or text[0] in "\"'“”‘’«[¿¡$")


def _can_be_place(text: str) -> bool:
    """True if a line is short and capitalised like the name of a place."""
    words = text.split()
    named = all(word[0].isupper() or not word[0].isalpha() or word in _SMALL_WORDS for word in words)
    return named and len(words) <= _WORDS_OF_PLACE


# The tests of a line in order: the first that matches gives its form.
_OF_LONG: Final[tuple[tuple[str, Callable[[str], object]], ...]] = (
    ("AUL", _AUTHORS.match),
    ("PRO", _is_prose),
    ("LST", reads_as_authors),
)
_OF_SHORT: Final[tuple[tuple[str, Callable[[str], object]], ...]] = (
    ("TAB", lambda text: "\t" in text),
    ("CLK", lambda text: text[0].isdigit() and begins_with_time(text)),
    ("LBL", _is_unknown_label),
    ("PER", lambda text: text[-1] in ",;." and _is_person(text.rstrip(",;."))),
    ("CHA", lambda text: text[0] == "(" and text[-1] == ")" and _chair(text[1:-1], named=True)),
    ("BRA", lambda text: text[0] == "(" and text[-1] == ")"),
    ("NUA", _NUMBERED_AWARD.fullmatch),
    ("NUM", _NUMBERED.match),
    ("BUL", _BULLET.match),
    ("ABS", _ABSTRACT.fullmatch),
    ("BIO", _BIOGRAPHY.fullmatch),
    ("AUL", _AUTHORS.match),
    ("TBA", PLACEHOLDER.fullmatch),
    ("CAN", _CANCELLED.fullmatch),
    ("AWD", is_award),
    ("PRE", _PRESENTER.match),
    ("CHA", partial(_chair, named=True)),
    ("CHL", partial(_chair, named=False)),
    ("PPL", PEOPLE_LIST.match),
    ("TYP", _is_type),
    ("TMB", _TIME_BEHIND.fullmatch),
    ("COD", _has_code_or_track),
    ("PAN", lambda text: label_of(text) == "panel"),
    ("TAG", lambda text: (read_session(text).tag or label_of(text)) is not None),
    ("KEY", _is_tied),
    ("COD", lambda text: read_session(text).chair is not None),
    ("ROO", _ROOM_NAME.fullmatch),
    ("SPK", _is_spoken),
    ("KEY", _is_a("keynote")),
    ("PAN", _is_a("panel")),
    ("PHD", lambda text: text.lower() == "posters"),
    ("PST", _lists_posters),
    ("CER", lambda text: text == "Announcements" or _kind(text) == "ceremony"),
    ("ITM", lambda text: text == "Registration" or _kind(text) in {"break", "social"}),
    ("PRO", _is_prose),
    ("LST", reads_as_authors),
    ("ROO", _is_room),
    ("NAM", _can_be_name),
    ("PER", _is_person),
    ("SEN", _is_sentence),
    ("EDN", _EDITION.fullmatch),
    ("ONE", lambda text: " " not in text),
    ("SUR", lambda text: "," in text and _are_surnames(text)),
    ("ODD", _is_odd),
    ("TTQ", _MARKS_OF_TITLE.search),
    ("TTS", _can_be_place),
)


@lru_cache(8192)
def form_of(text: str) -> str:
    """Return the form of a stripped line that is not a day or time line; its neighbours do not matter."""
    questions = _OF_SHORT if len(text) <= LONGEST_TITLE else _OF_LONG
    return next((form for form, is_so in questions if is_so(text)), "TTL")


def plain_form_of(text: str) -> str:
    """Return the form of a line for a layout where places say enough: all titles have the same form."""
    form = form_of(text)
    return "TTL" if form in {"TTQ", "TTS"} else form


def forms_of(
    texts: Sequence[str],
    given: Sequence[str] = (),
    common: frozenset[str] = frozenset(),
    rooms: frozenset[str] = frozenset(),
) -> list[str]:
    """Return the forms of the lines of a slot; ``common`` are the short texts that occur in several slots.

    ``given`` are the forms given by markup, empty where the text alone decides; ``rooms`` are names of rooms.
    """
    given = given or [""] * len(texts)
    forms = [
        form or ("ROO" if text in rooms else _form_beside(text, common))
        for text, form in zip(texts, given, strict=True)
    ]
    for place in range(1, len(texts)):
        text, above = texts[place], texts[place - 1]
        if _repeats(texts, forms, given, place):
            forms[place] = "REP"
        elif given[place] or given[place - 1]:
            continue
        elif text == above and (
            forms[place - 1] not in _NEVER_TWICE
            or (forms[place] in _ITEMS and "ABS" in forms[place + 1 : place + 4])  # an event with an abstract
        ):
            if forms[place - 1] != "TAG":
                forms[place - 1] = "PAI"
            forms[place] = "AGN"
        elif place > 1 and text == texts[place - 2] and forms[place - 2] in _TWICE and forms[place - 1] not in SURE:
            forms[place - 2], forms[place] = "PAI", "AGN"  # a line came between the two
    return forms


def _form_beside(text: str, common: frozenset[str]) -> str:
    """Return the form of a line; if it occurs in several slots, it is a room or a person."""
    form = form_of(text)
    return "CMN" if form in _CAN_BE_COMMON and text in common else form


def _repeats(texts: Sequence[str], forms: Sequence[str], given: Sequence[str], place: int) -> bool:
    """True if a line repeats the kind of the item above: "Reception" below "Welcome Reception"."""
    if given[place] and given[place] not in _REPEATING:
        return False
    text, above = texts[place], texts[place - 1]
    if place > 1 and forms[place - 1] in _ROOMS and forms[place - 2] in _ITEMS and text == texts[place - 2]:
        return forms[place + 1 : place + 2] in _BELOW_EVENTS  # "Banquet", its room and its event; not one in each room
    if forms[place - 1] not in _ITEMS:
        return False
    if forms[place - 1] == "REP" and place > 1 and text == texts[place - 2]:
        return True
    form = form_of(text) if given[place] else forms[place]
    return form in _ITEMS and text != above and _words(text) <= _words(above)


def _words(text: str) -> set[str]:
    """Return the words of a text in lower case."""
    return set(text.lower().split())


_TWICE: Final = frozenset({"TTL", "TTQ", "TTS", "SEN", "ODD", "SUR", "ONE", "NAM", "CMN", "PER", "LST"})
_REPEATING: Final = frozenset({".talk", ".again", ".slot", ".other"})
SURE: Final = frozenset(
    {"ABS", "CHA", "CHL", "PAN", "PPL", "PRE", "COD", "KEY", "TAG", "ITM", "CER", "PST", "TYP", "AGN", "PAI"}
)
"""Forms that are unmistakable in programmes like these."""
_ITEMS: Final = frozenset({"ITM", "CER", "PST", "REP"})
_ROOMS: Final = frozenset({"ROO", "CMN"})
_BELOW_EVENTS: Final[tuple[list[str], ...]] = ([], ["ABS"], ["BRA"], ["PRO"], ["SEN"])
_NEVER_TWICE: Final = frozenset({"ABS", "AGN", "TYP", "ITM", "CER", "PST", "REP", "PRO", "CHL", "TBA"})
_CAN_BE_COMMON: Final = frozenset({"NAM", "ONE", "TTL", "TTS", "TTQ", "ODD", "LST"})


def can_be_common(text: str) -> bool:
    """True if a text that occurs in several slots is a room or a person, by its length and form."""
    return len(text) <= _LONGEST_ROOM and form_of(text) in _CAN_BE_COMMON
