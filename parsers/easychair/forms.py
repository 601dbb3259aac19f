"""The form of a single line of a Smart Program's text: a code of the state table (``grammar``).

Each code is listed here once, with a line of that form. A sure form means one role; a weak one allows several, and its
place decides. Blank lines are part of a weak form: ``TTL^`` has one above, ``TTL=`` above and below, ``TTL`` none
above.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from parsers._words.dates import begins_with_time, clock
from parsers._words.programme import is_placeholder
from parsers.easychair.headings import ABSTRACT, read_interval, read_label
from parsers.easychair.people import could_be_names, is_affiliated, is_affiliated_name, is_name, split_people

FORMS: Final = {
    "CLK": "11h00 MESZ",  # a time in a form that is not read: no state takes it, nor the next one
    "LBL": "GIVEN BY: Anna Vell",  # a label that is not known
    # sure
    "ABP": "ABSTRACT. TBA",
    "ABS": "ABSTRACT. How to slice.",
    "BLD": "**Session 2A: Slicing**",
    "BRK": "10:30-11:00Coffee Break",
    "CHA": "Chair: Anna Vell",
    "CHL": "Session Chair:",
    "INT": "11:00-12:30 Session 2A: Slicing",
    "LOC": "Location: Great Hall",
    "LOL": "Location:",
    "PRL": "PRESENTER:",
    "PRS": "SPEAKER: Anna Vell",
    "TIM": "11:00",
    "TIX": "25:61",
    # weak
    "AFF": "Anna Vell (Quill Institute, Norland)",
    "AFN": "Anna Vell 0001 (Quill Institute, Norland)",
    "AFU": "The Cutter (2nd edition)",
    "LAB": "Keywords: bread, knives",
    "LNK": "Slicing at scale (abstract)",
    "LOW": "of bread",  # begins like hardly any title
    "NAM": "Anna Vell",
    "NMS": "Anna Vell, B. Wexley and C. Ohm",
    "ONE": "Slicing",
    "PNT": "• slices",
    "PRO": "We slice bread, and tell how thin it can be.",
    "ROL": "Agenda:",
    "SEC": "Methods:",
    "TTL": "Slicing at scale",
    "TTX": "Slicing 2.0: a Report",
}
SURE: Final = frozenset({"ABP", "ABS", "BLD", "BRK", "CHA", "CHL", "INT", "LOC", "LOL", "PRL", "PRS", "TIM", "TIX"})

PRESENTER: Final = re.compile(r"(?:SPEAKER|PRESENTER):\s*+(?P<name>.*)")
POINT: Final = re.compile(r"\s*(?:[•‣◦▪*–-]|\d{1,2}[.)])\s+(?=\S)")
"""How a bullet point begins."""
ROOM_WORD: Final = "Location"
_LINKED: Final = re.compile(r".*\(\s?abstract(?:\s?, [a-z ,]{1,40})?\s?\)", re.IGNORECASE)
_ENDS: Final = tuple(".!?:;…\"”'’)]»")
_SECTIONS: Final = (
    r"background|(?:materials? and )?methods?|results?|conclusions?|discussion|objectives?|aims?|introduction|purpose"
    r"|findings"
)
_LABELS: Final = (
    r"key ?words?(?: and phrases)?|index terms|topics?|source code|code|data(?: ?sets?)?|demo|video|slides|web ?site"
    r"|web ?page|links?|url|doi|(?:full |published )?paper|pre-?print|arxiv|references?|bibliography"
    r"|(?:short )?bio(?:graphy)?|about the (?:speakers?|authors?)|notes?|acknowledge?ments?|funding|joint work"
    rf"|supervisors?|advis[eo]rs?|jel(?: codes?| classification)?|msc(?: \d{{4}})?|ams|acm|{_SECTIONS}|palabras clave"
    r"|palavras-chave|mots[ -]cl[ée]s|schl[üu]sselw[öo]rter|stichw[öo]rter|parole chiave"
)
_LABELLED: Final = re.compile(
    rf"(?:{_LABELS})(?: \([^()]*\))?\s?[:–—].*\S|joint(?:ly)? (?:work )?with \S.*|\[\d{{1,3}}\] \S.*|https?://\S+",
    re.IGNORECASE,
)
_HAS_LABEL: Final = re.compile(r"[^:–—]{1,100}[:–—]|joint|\[\d|http", re.IGNORECASE)
_SECTION: Final = re.compile(rf"(?:{_SECTIONS})[.:]?", re.IGNORECASE)
_PLACED: Final = re.compile(r"[^\W\d_][^(),:]{0,60}\(.*, [^,()\n]+\)")
_QUOTES: Final = frozenset("\"'“”‘’«([¿¡$")
_BOLD: Final = re.compile(r"\*\*[^*|]{1,500}\*\*")
_ROLE: Final = re.compile(
    r"[^:]{0,80}(?:Location|Chair|Discussant|Moderator|Organi[sz]er|Conven)[^:]{0,20}:", re.IGNORECASE
)
"""The role word of a label with names after it; a label without names ends in a colon."""
_NAMED_BY: Final = re.compile(r"(?:\w+ )?(?:\w+ by|[A-Z]+ BY): \S")
_INTERVAL: Final = re.compile(r"\d[\w:.]{1,8}(?: [A-Z]{3,5})? ?[-–—] ?\d[\w:.]{1,8}")
_LONGEST_SECTION: Final = 30
_LONG: Final = 100
_LONGEST_LABEL: Final = 2000


def _is_list_of_names(text: str) -> bool:
    """True if a line is a list of names and nothing else."""
    first = text.partition("(")[0].partition(",")[0].partition(" and ")[0]
    if first == text or not is_name(first.strip()):
        return False
    people = split_people(text)
    return len(people) > 1 and all(is_name(part.partition("(")[0].strip()) for part in people)


def _is_clocked(text: str) -> bool:
    """True if a line begins with a time of day, and is no sentence about it."""
    is_clock = text[0].isdigit() and begins_with_time(text)
    return is_clock and (_INTERVAL.match(text) is not None or not _is_prose(text))


def _is_prose(text: str) -> bool:
    """True if a line looks like a paragraph: it is long, or a sentence."""
    return len(text) >= _LONG or (text.endswith(_ENDS) and text.count(" ") >= 2)


def _label(text: str, *, named: bool) -> str | None:
    """Return the role word of a label, with names after it or alone."""
    is_label = len(text) <= _LONGEST_LABEL and (_ROLE.match(text) if named else text[-1] == ":")
    found = read_label(text) if is_label else None
    if found is None or bool(found[1]) != named or (named and found[0] != ROOM_WORD and not could_be_names(found[1])):
        return None
    return found[0]


def _announces_chairs(text: str) -> bool:
    """True if a line is a lone label with a word for chairs; with any other word it may still introduce chairs."""
    role = _label(text, named=False)
    return role is not None and read_label(f"{role}: {role}") is not None


_QUESTIONS: Final[tuple[tuple[str, str, Callable[[str], object]], ...]] = (
    ("CLK", "", _is_clocked),
    ("LBL", ":", _NAMED_BY.match),
    ("ABP", ABSTRACT, lambda text: text.startswith(ABSTRACT) and is_placeholder(text.removeprefix(ABSTRACT).strip())),
    ("ABS", ABSTRACT, lambda text: text.startswith(ABSTRACT)),
    ("PRL", "ER:", lambda text: text in {"SPEAKER:", "PRESENTER:"}),
    ("PRS", "ER:", PRESENTER.fullmatch),
    ("LOC", ROOM_WORD, lambda text: _label(text, named=True) == ROOM_WORD),
    ("LOL", ROOM_WORD, lambda text: _label(text, named=False) == ROOM_WORD),
    ("SEC", "", lambda text: len(text) <= _LONGEST_SECTION and _SECTION.fullmatch(text)),
    ("LAB", "", lambda text: _HAS_LABEL.match(text) and _LABELLED.fullmatch(text)),
    ("CHA", ":", lambda text: _label(text, named=True)),
    ("CHL", ":", _announces_chairs),
    ("ROL", ":", lambda text: _label(text, named=False)),
    ("BLD", "**", _BOLD.fullmatch),
    ("PNT", " ", POINT.match),
    ("LNK", "(", _LINKED.fullmatch),
    ("AFF", "(", is_affiliated_name),
    ("NAM", " ", is_name),
    ("NMS", " ", _is_list_of_names),
    ("AFU", "(", lambda text: text[-1] not in ".!?" and is_affiliated(text)),
    ("AFN", "(", _PLACED.fullmatch),
    ("PRO", "", _is_prose),
    ("LOW", "", lambda text: text[0].islower() or not (text[0].isalnum() or text[0] in _QUOTES)),
    ("ONE", "", lambda text: " " not in text),
    ("TTX", "", lambda text: not could_be_names(text)),
)
"""Each form with a text that its lines must contain, which saves most checks, and the check itself."""


@lru_cache(maxsize=4096)
def form_of(text: str) -> str:
    """Return the form of a stripped line that is not a time or interval; its neighbours do not matter."""
    for form, needed, is_so in _QUESTIONS:
        if needed in text and is_so(text):
            return form
    return "TTL"


def clocked_form(text: str, *, is_session: bool) -> str:
    """Return the form of a line that begins with a time of day."""
    if not is_session:
        return "TIM" if clock(text.lstrip("| ")) is not None else "TIX"
    interval = read_interval(text)
    return "BRK" if interval is not None and interval.glued and interval.code is None else "INT"


def set_off(form: str, *, above: bool, below: bool) -> str:
    """Mark a weak form if there is a blank line above it, or above and below."""
    if form in SURE or not above:
        return form
    return f"{form}=" if below else f"{form}^"
