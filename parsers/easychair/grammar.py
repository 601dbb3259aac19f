"""The grammar of a Smart Program's text, which reads the lines of a day as sessions and talks.

The codes are those of ``forms``; ``TTL~0`` means a form with any blank lines around it. Places: S a session with its
details; B a break; T talks with a time; U talks without one, such as posters; L a talk that has lost its time, which is
rejected. For the syntax of a row see ``parsers._grammar.states``, for the roles ``parsers._grammar.builder``.

Facts of a page raise the price of some states: where nearly all talks print authors, affiliations or abstracts, talks
without are odd; where none prints authors (an extractor dropped them) or affiliations, such a line is odd
(``facts_of``).
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from parsers._grammar.states import StateTable, Step
from parsers.easychair.forms import SURE

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
_NAMES: Final = frozenset({"AFF", "NAM", "NMS"})


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
    named = [two[0] for two in below if len(two) == 2 and two[0] in _NAMES and two[1] not in SURE - _NAMES]
    chairs = [plain[place + 1] for place, form in enumerate(plain[:-1]) if form == "CHL" and plain[place + 1] in _NAMES]
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
