"""The grammar of a Smart Program's text: the form of each line, and the table which reads the lines of a day.

Each form is listed here once, with a line that has it. A sure form means one role; a weak one allows several, and its
place decides. Blank lines are part of a weak form: ``TTL^`` has one above, ``TTL=`` above and below, ``TTL`` none
above; ``TTL~0`` in the table means a form with any blank lines around it. Places: S a session with its details; B a
break; T talks with a time; U talks without one, such as posters; L a talk that has lost its time, which is rejected.
For the syntax of a row see ``parsers._grammar.states``, for the roles ``parsers._grammar.builder``.

Facts of a page raise the price of some states: where nearly all talks print authors, affiliations or abstracts, talks
without are odd; where none prints authors (an extractor dropped them) or affiliations, such a line is odd
(``facts_of``).
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from parsers._grammar.states import StateTable, Step
from parsers._words.dates import begins_with_time, clock
from parsers._words.people import is_like_name
from parsers._words.programme import is_placeholder
from parsers.easychair.headings import ABSTRACT, read_interval, read_label
from parsers.easychair.items import split_people

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
_ROOM_WORD: Final = "Location"
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
# Some names have a slash: ``Devi a/p Raman``, ``Ravi s/o Kumar``.
_NOT_IN_NAMES: Final = re.compile(r"[\d:?!=<>|\\{}@#$%^*+~;\[\]]|/(?!(?<=\s[AaSsDd]/)[LlPpOo]\s)")
_TITLE_WORDS: Final = re.compile(
    r"(?<![\w'’-])(?:a|an|the|of|for|in|on|at|to|from|by|with|via|using|or|is|are|as|into|over|under|towards?)(?![\w'’/-])"
)
_COUNTRY: Final = re.compile(r", ([^,()\n]++)\)$", re.MULTILINE)

ROWS: Final = """
item    > S.head0 S.bold0 B.head0 time0 void0 wrong0 late0
lost    > L.first9 L.head9 L.pres13 L.said13 L.abs13 L.null13
begin   > S.head0 S.bold0 B.head0 T.time0 T.void0 T.wrong0 lost0
untimed > U.poster0 U.plain1 U.lone1
details > label0 chairs0 room0 place0 free0 untimed0 item0 lost0 end0
below   > free0 label0 chairs0 room0 place0 untimed0 item0 lost0 end0
over    > item0 lost0 end0
next    > poster0 plain1 lone1
heads   > T.first0 T.known0 T.bare0 T.sole0 T.only0 T.abs4 T.null4 T.pres4 T.said4
texts   > pres0 said0 abs0 null0

# a session: its heading, chairs, room and free text; a break has none
S.head  title  INT0                                     > details0
B.head  title  BRK0                                     > over0
S.bold  title  BLD0                                     > T.time0
S.label label  CHL0 ROL0                                > names0 plain0 odd0 chairs0 below4
S.names chair  AFF~0 AFU~0 AFN~0                        > others0 below0
S.plain chair  NAM~0 NMS~0 ONE1                         > others0 below0
S.odd   chair  TTL1 LOW4                                > room0 place0
S.others chair AFF~0 AFU1                               > others0 below0
S.chairs chair CHA0                                     > others1 below0
S.room  room   LOC0                                     > below0
S.place label  LOL0                                     > hall0
S.hall  room   TTL~0 TTX~0 ONE~0 NAM~0 NMS~0 AFU~0 LOW~1 PNT1 > below0
S.free  description  PRO^0 PRO=0 PNT~0 SEC~0 ROL^1 ROL=0 ROL1 ONE=1 AFN=1 LAB~0 TTL=0 TTX=0 TTL^1 TTX^1 AFU=1
               LNK=1 LOW^7 LOW=7 NAM=5 NMS=5 AFF=5 AGN0 PRO1
               > free0 on0 below0
S.on    description  PRO0 TTL0 TTX0 ONE1 ROL0 AFN1 AFU1 PNT0 NAM5 NMS5 AFF5 LAB0 LNK1 > free0 on0 below0

# talks: authors stand above the title
S,B,T,L.void void TIM4                                  > over0
S,B,T,L.wrong wrong TIX0                                > heads0 over4
S,B,T,L.time time TIM0                                  > heads0
# talks without a time are those of a session of which none has one
U.late  time   TIM14                                    > heads0
T,U,L.more authors AFF~0 AFU~1 AFN1                     > more0 also0 entry0 last0 texts4
T,U,L.also authors NAM1 NMS4                            > more0 also0 entry0 last0
T.first authors AFF~0 AFU~1                             > more0 also0 entry0 last0 texts4
T.known authors NMS~0 AUT~0                             > more1 entry0 last0
T.bare  authors NAM~0 TTL4                              > more1 entry0 last0
U.poster first  AFF~0 AFU^1                             > more0 also0 entry0 last0 texts4
U.plain first  NAM~0 NMS~0                              > more0 entry0 last1
U.lone  only   TTL~1 TTX~1 ONE~1 PRO~4 NAM~4 LNK~0      > texts0
L.first orphan AFF~0 NAM~0 NMS~0 AFU~1 TTL~4            > more0 also0 entry0 last0 texts0
L.head orphan TTL~0 TTX~0 ONE~0 PRO~1 LOW~1 LNK~0 AFU~1 > texts0
# a title with a presenter or an abstract below it, or with neither; behind authors, or alone
T.entry entry @title AFF~4                              > texts0
T.last  entry @title                                    > over0
U,L.entry entry @close AFF4                             > texts0
U,L.last entry @close                                   > next0 over0
T.sole  entry @title                                    > texts0
T.only  entry @title                                    > over0
T,U,L.pres speaker PRS0                                 > texts0 next0 over0
T,U,L.said speaker PRL0                                 > name0 abs0 null0 next0 over0
T,U,L.name speaker NAM0 TTL1 AFF0                       > abs0 null0 next0 over0
T,U,L.abs abstract ABS0                                 > para0 sect0 next0 over0
T,U,L.null abstract ABP0                                > next0 over0
T,U,L.sect paragraph SEC~0                              > para0
T,U,L.para paragraph PRO^0 PRO=0 PNT~0 LAB~0 ROL=1 ONE=1 AFN=1 PRO1 TTL=1 TTX=1 LOW=4 LNK=1 AFU=1 NAM=6 NMS=6
               AFF=6 TTL^6 TTX^6 LOW^6 LOW6 AGN1
               > para0 sect0 next0 over0
"""

_TITLE: Final = "TTL~0 TTX~0 ONE~0 AFN~0 LNK~0 PRO~0 LOW~1 NAM~1 NMS~1 AFU~1 PNT~1 ROL~1 SEC~1 CHA1 LAB~4"
"""The forms of a title in a place where one is expected: ``@title`` in a row."""
_CLOSE: Final = re.sub(r"(\w{3})~(\d)", r"\1\2 \1^4 \1=4", _TITLE)
"""The same where no blank line is expected above: ``@close``."""
_ANY_GAP: Final = re.compile(r"(\w{3})~(\d)")
TABLE: Final = StateTable.of(
    _ANY_GAP.sub(r"\1\2 \1^\2 \1=\2", ROWS.replace("@title", _TITLE).replace("@close", _CLOSE)), sure=SURE
)

_MOST: Final = 0.9
_FEWEST: Final = 3
"""This share of all, and at least this many, prove a fact of the page."""
_HARDLY: Final = 0.1
_ENOUGH: Final = 5
"""At most ``_HARDLY`` of at least ``_ENOUGH`` talks have authors if an extractor dropped them."""
NAMES: Final = frozenset({"AFF", "NAM", "NMS"})


class Traits(NamedTuple):
    """Common features of the talks of a day: most print authors, or none; nearly all have affiliations or abstracts.

    ``nowhere`` is true if names have no affiliations; ``chairs`` and ``chairs_nowhere`` are true if the chairs of
    sessions have affiliations, or have none.
    """

    authors: bool = False
    nobody: bool = False
    places: bool = False
    nowhere: bool = False
    abstracts: bool = False
    chairs: bool = False
    chairs_nowhere: bool = False


def read(forms: Sequence[str], facts: Traits) -> list[Step]:
    """Read the lines of a day; a talk without a feature of nearly all talks costs more."""
    return _table_for(facts).read(forms)


def facts_of(forms: Sequence[str]) -> Traits:
    """Return the common features of a day's talks."""
    plain = [form[:3] for form in forms]
    below = [plain[place + 1 : place + 3] for place, form in enumerate(plain) if form == "TIM"]
    named = [two[0] for two in below if len(two) == 2 and two[0] in NAMES and two[1] not in SURE - NAMES]
    chairs = [plain[place + 1] for place, form in enumerate(plain[:-1]) if form == "CHL" and plain[place + 1] in NAMES]
    placed = len(chairs) >= _FEWEST and 4 * chairs.count("AFF") >= 3 * len(chairs)
    unplaced = len(chairs) >= _FEWEST and "AFF" not in chairs
    if len(below) < _FEWEST:
        return Traits(chairs=placed, chairs_nowhere=unplaced)
    most = _MOST * len(below)
    return Traits(
        authors=2 * len(named) >= len(below),
        nobody=len(below) >= _ENOUGH and len(named) <= _HARDLY * len(below),
        places=named.count("AFF") >= most,
        nowhere=len(named) >= _ENOUGH and named.count("AFF") <= _HARDLY * len(named),
        abstracts=plain.count("ABS") + plain.count("ABP") >= most,
        chairs=placed,
        chairs_nowhere=unplaced,
    )


@cache
def _table_for(facts: Traits) -> StateTable:
    """Return the table with higher prices for what is odd on such a page."""
    dearer: dict[str, int] = {}
    if facts.authors:
        dearer |= {"T.sole": 4, "T.only": 4}
    if facts.nobody:
        dearer |= {"T.first": 9, "T.bare": 9}
    if facts.places:
        dearer |= {"T.known": 6, "T.bare": 6, "T.also": 9}
    if facts.nowhere:
        dearer |= {"T.first": 6, "T.more": 6}
    if facts.abstracts:
        dearer |= {"T.last": 4, "T.only": 4}
    if facts.chairs:
        dearer |= {"S.plain": 6}
    if facts.chairs_nowhere:
        dearer |= {"S.names": 6, "S.others": 6}
    return TABLE.dearer(dearer)


def _is_list_of_names(text: str) -> bool:
    """True if a line is a list of names and nothing else."""
    first = text.partition("(")[0].partition(",")[0].partition(" and ")[0]
    if first == text or not is_like_name(first.strip()):
        return False
    people = split_people(text)
    return len(people) > 1 and all(is_like_name(part.partition("(")[0].strip()) for part in people)


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
    if found is None or bool(found[1]) != named or (named and found[0] != _ROOM_WORD and not _could_be_names(found[1])):
        return None
    return found[0]


def _announces_chairs(text: str) -> bool:
    """True if a line is a lone label with a word for chairs; with any other word it may still introduce chairs."""
    role = _label(text, named=False)
    return role is not None and read_label(f"{role}: {role}") is not None


def _is_affiliated(line: str) -> bool:
    """True if a line has the shape ``Name (Affiliation, Country)``, closed or not."""
    name, opened, _ = line.partition("(")
    return bool(opened) and 0 < len(name) <= 80 and _could_be_name(name) and not _TITLE_WORDS.search(name)


def _is_affiliated_name(line: str) -> bool:
    """True if, further, the name looks like a person's and the bracket is closed and names a country."""
    name, opened, _ = line.partition("(")
    return bool(opened) and is_like_name(name.strip()) and _COUNTRY.search(line) is not None


def _could_be_names(line: str) -> bool:
    """True if nothing in a line rules out a list of names; the affiliation is ignored."""
    return _could_be_name(line.partition("(")[0])


def _could_be_name(text: str) -> bool:
    return _NOT_IN_NAMES.search(text) is None


_QUESTIONS: Final[tuple[tuple[str, str, Callable[[str], object]], ...]] = (
    ("CLK", "", _is_clocked),
    ("LBL", ":", _NAMED_BY.match),
    ("ABP", ABSTRACT, lambda text: text.startswith(ABSTRACT) and is_placeholder(text.removeprefix(ABSTRACT).strip())),
    ("ABS", ABSTRACT, lambda text: text.startswith(ABSTRACT)),
    ("PRL", "ER:", lambda text: text in {"SPEAKER:", "PRESENTER:"}),
    ("PRS", "ER:", PRESENTER.fullmatch),
    ("LOC", _ROOM_WORD, lambda text: _label(text, named=True) == _ROOM_WORD),
    ("LOL", _ROOM_WORD, lambda text: _label(text, named=False) == _ROOM_WORD),
    ("SEC", "", lambda text: len(text) <= _LONGEST_SECTION and _SECTION.fullmatch(text)),
    ("LAB", "", lambda text: _HAS_LABEL.match(text) and _LABELLED.fullmatch(text)),
    ("CHA", ":", lambda text: _label(text, named=True)),
    ("CHL", ":", _announces_chairs),
    ("ROL", ":", lambda text: _label(text, named=False)),
    ("BLD", "**", _BOLD.fullmatch),
    ("PNT", " ", POINT.match),
    ("LNK", "(", _LINKED.fullmatch),
    ("AFF", "(", _is_affiliated_name),
    ("NAM", " ", is_like_name),
    ("NMS", " ", _is_list_of_names),
    ("AFU", "(", lambda text: text[-1] not in ".!?" and _is_affiliated(text)),
    ("AFN", "(", _PLACED.fullmatch),
    ("PRO", "", _is_prose),
    ("LOW", "", lambda text: text[0].islower() or not (text[0].isalnum() or text[0] in _QUOTES)),
    ("ONE", "", lambda text: " " not in text),
    ("TTX", "", lambda text: not _could_be_names(text)),
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
