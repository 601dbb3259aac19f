"""The programmes of 2014, 2015 and 2017, as HTML or as text: three layouts, each a few patterns and a state table.

    2014, a page a day: a table of two columns
    11.00-12.30         PAPER SESSION 3 - Chair: Bea Sorn      times with dots
    ROOM C              STORES AND QUAYS                       below the time; the title in capitals
                        - 12.- Small Files                     numbers of papers
                        Ann One, Bo Two and Cy Three
    09.30-10.30         KEYNOTE - Chair: Bea Sorn              one talk, as in TUTORIAL 2
    PLENARY ROOM        Offloaded Tides
                        Ada Quill

    2015, a grid a day, then the sessions one by one
    10:00 - 10:30       Coffee Break                           cells: items, and the times of sessions
    10:30 - 12:30       Session 1:          Session 2: Ropes   the title may be on the next line
    Session 1: Stores-(Room: Great Hall)
    Chair: Bea Sorn (Norwick)
    - Small Files (short paper)
    Ann One (Plum), Bo Two (Orb Lab) (Best Paper)

    2017, without times: its grid is not read
    Keynote 1 : Offloaded Tides                                spaces before the colons
    Speaker : Ada Quill, Norwick
    Chair : Bea Sorn
    Abstract : We tell what the weather will be.
    Bio : Ada builds clocks.
    Session 1: Stores
    Chair : Cal Tern
    - (Short paper) Ann One, J.-P. Two and D. K. Three. Small Files, Large Regrets

Patterns split a row into pieces; the tables define which may follow which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from parsers._grammar.states import StateTable
from parsers.cluster.forms import plain_form_of
from parsers.cluster.people import BETWEEN_NAMES, looks_like_names, reads_as_person
from parsers.cluster.rows import Row

Pieces = Iterator[tuple[str, str]]
"""The pieces of a row: form and text."""

_NAMES: Final = frozenset({"LST", "NAM", "PER", "SUR"})

TIMETABLE: Final = StateTable.of("""
begin                                            > A.room0 A.place0 S.title0 P.title0 K.title0
talks                                            > S.num0 S.bul0 S.bare0 S.open0
lost                                             > S.room0 S.lost0
A.room      above      PLC0 ROO0                 > S.title0 P.title0 K.title0
A.place     above      CAP1                      > S.chaired0
S.chaired   title      CAP0                      > chair0
S.title     title      CAP0                      > chair0 sub0 num0 bul0 open0 room0 end0
P.title     title      PNL0                      > chair0 sub0 point0 room0 end0
K.title     title      SOL0                      > chair0 talk0 named0 end0
S.chair     chair      CHA0                      > sub0 talks0 point0 end0
P.chair     chair      CHA0                      > sub0 point0 end0
K.chair     chair      CHA0                      > talk0 named0 end0
S.sub       sub        CAP0                      > short0 talks0 note0 point0 room0 end0
P.sub       sub        CAP0                      > led0 point0 S.room0 end0
P.led       chair      CHA0                      > point0 end0
S.short     sub        BRA0                      > talks0 note0 point0 end0
S.num       talk       NUB0                      > auth0 talks0 end0
S.bul       talk       BUL0                      > auth0
S.bare      talk       TTL1 SEN1 ODD4 PER4       > auth0
S.open      talk       OPN0                      > more0
S.more      more       TTL0 ONE0 CAP0 SEN0 ODD0  > auth0
S.auth      authors    LST0 NAM0 PER1 SUR1       > talks0 lost0 end0
S.note      point      TTL4 SEN4 PAN4            > note0 end0
S.point     point      BUC0                      > point0 lost0 end0
P.point     point      BUC0 PER0 NAM0 LST0       > point0 lost0 end0
# a room, or a title, below what is complete: the time above it was lost
S.room      lost       ROO4                      > name0
S.name      sub        CAP0 SOL0 PNL0            > named0 sub0 talks0 end0
S.lost      lost       CAP4                      > named0 sub0 talks0 end0
S.named     chair      CHA0                      > sub0 talks0 end0
K.talk      talk       CAP0 TTL0 SEN0 ODD1 SUR1 ONE1  > auth0 end1
K.named     talk       NAM1                      > auth0
K.auth      authors    LST0 NAM0 PER0 SUR1       > off0 end0
K.off       off        CAN0                      > end0
""")

GRIDS: Final = StateTable.of("""
begin                                            > G.title0 G.open0 end0
G.title     title      ITM0 CER0 KEY0 PAN0 COD0 PST0 TAG0 CEL1 SPK1 > title0 open0 end0
G.open      title      OPN0                      > rest0
G.rest      sub        TTL0 NAM0 ONE0 SUR0 LST1 ODD1 > title0 open0 end0
section                                          > L.title0
L.title     title      HED0                      > room0
L.room      room       ROM0                      > chair0 talk0 end0
L.chair     chair      CHA0                      > talk0 end0
L.talk      talk       BUL0                      > auth0 talk1 lost0 end1
L.auth      authors    LST0 NAM0 PER0 SUR1       > award0 talk0 lost0 end0
L.award     award      AWD0                      > talk0 lost0 end0
L.lost      lost       CHA4                      > talk0                     # a heading was lost
""")

LISTS: Final = StateTable.of("""
section                                          > K.title0 S.title0
K.title     title      KEY0                      > talk0
K.talk      talk       KTL0                      > speaker0 chair0 abs0 end0
K.speaker   authors    SPR0                      > chair0 abs0 bio0 end0
K.chair     chair      CHA0                      > speaker0 abs0 bio0 end0
K.abs       abstract   ABS0                      > para0
K.para      paragraph  PRO0 SEN0                 > para0 bio0 S.lost0 end0
K.bio       biography  BIO0                      > about0
K.about     about      PRO0 SEN0                 > about0 abs0 S.lost0 end0
S.title     title      HED0                      > chair0 talk0 point0
S.chair     chair      CHA0                      > more0 talk0 point0
S.more      chair      CHA0                      > talk0 point0
S.point     point      PPL0                      > point0 more0 end0
S.talk      talk       BUL0                      > auth0
S.auth      authors    ATH0                      > talk0 lost0 end0
S.lost      lost       CHA4                      > talk0 point0              # a heading was lost
""")

# Words that no title ends with: it continues on the next line.
_SMALL_WORDS: Final = frozenset("a an and at by for from in of on or the to using with".split())
_CHAIRED: Final = re.compile(r"(\S.{0,80}?)\s+[-–]\s+(Chairs?\s*:\s*\S.*)", re.IGNORECASE)
# Some extractors put the title of the session on the line of its chair.
_CHAIR_AND_TITLE: Final = re.compile(
    r"((?i:chairs?) ?:[^a-z]{0,9}[^\W\d_][^:]{0,80}?[a-z]\.?) ([A-Z]{3,}(?:[ ,&/-]{1,3}[A-Z]{2,}){2,9})"
)
_PAPER: Final = re.compile(r"\d{1,4}\.\s?-\s*\S.*")
_CANCELLED: Final = re.compile(r"(?P<names>\S.*) (?P<mark>CANCELL?ED)")
_ONE_TALK: Final = re.compile(r"TUTORIAL(?: \w{1,3})?|KEYNOTE(?: \w{1,3})?")
_PANEL: Final = re.compile(r"PANEL(?: \w{1,3})?")
DOTTED: Final = re.compile(
    r"(?P<time>\d{1,2}\.\d{2}(?:\s*[-–]\s*\d{1,2}\.\d{2})?)(?:\s+(?P<room>\D.{0,60}))?",
)
ROOM_BEHIND: Final = re.compile(r"(?P<heading>\S.{0,200}?) ?[-–]? ?\((?P<room>Rooms? ?: ?[^()]{1,80})\)", re.IGNORECASE)
_AWARD_BEHIND: Final = re.compile(
    r"(?P<names>\S.*?) ?\( ?(?P<award>best (?:student )?paper(?: \w+){0,2}) ?\)", re.IGNORECASE
)
_NAMED: Final = re.compile(
    r"(?P<name>(?:keynote|session|panel|tutorial)\s+\w{1,4}|panel(?: discussion)?)\s*:\s*(?P<title>\S.{0,280})",
    re.IGNORECASE,
)
_LABELLED: Final = re.compile(
    r"(?P<label>(?:co-?)?chairs?|moderators?|speakers?|presenters?|abstract|bio(?:graphy)?) ?: ?(?P<text>.*)",
    re.IGNORECASE,
)
_TYPED_TAG: Final = re.compile(r" ?</?[a-z]{1,10}> ?")  # markup typed as text
_SHORT_PAPER: Final = re.compile(r"\(\s*short\s+paper\s*\)\s*", re.IGNORECASE)
# The full stop that ends an author list: not that of an initial, "J." or "D.K.", or of "Jr."
_STOP: Final = re.compile(r"(?<![.\s-][^\W\d_])(?<!^[^\W\d_])(?<!\bJr)(?<!\bSt)\.\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout: its name, a description, a pattern that every text of it matches, its grammar, its times and headings.

    ``pieces`` splits a row, given the row of the table where its slot begins; ``dotted`` is true if the day is printed
    only at the head of the page or in its address, and times print dots; ``listed`` is the grammar for slots where
    talks have marks or numbers.
    """

    name: str
    expects: str
    sign: re.Pattern[str]
    table: StateTable
    pieces: Callable[[Row, str], Pieces]
    dotted: bool = False
    heading: Callable[[str], re.Match[str] | None] | None = None
    listed: StateTable | None = None
    timed: bool = True


def _pieces_2014(row: Row, _begin: str) -> Pieces:
    """Split a row of the timetable."""
    text = row.text
    if found := _CHAIRED.fullmatch(text) or _CHAIR_AND_TITLE.fullmatch(text):
        for part in found.groups():
            yield from _pieces_2014(replace(row, text=part, bullet=False), "")
    elif found := _CANCELLED.fullmatch(text):
        yield plain_form_of(found["names"]), found["names"]
        yield "CAN", found["mark"]
    elif text.lower().startswith(("chair", "moderator")) and ":" in text:
        names = BETWEEN_NAMES.split(text.partition(":")[2].partition("(")[0].strip())
        yield ("CHA" if all(map(reads_as_person, names)) else "NON"), text
    elif text.rpartition(" ")[2] in _SMALL_WORDS:
        yield "OPN", text
    elif _PAPER.fullmatch(text):
        yield "NUB", text
    elif row.bullet:
        yield ("BUC" if text.isupper() else "BUL"), text
    elif text.isupper():
        yield _form_of_capitals(text), text
    else:
        # a full stop may end a list of authors
        names_alone = text[-1] == "." and looks_like_names(text) and plain_form_of(text[:-1]) in _NAMES
        yield plain_form_of(text[:-1] if names_alone else text), text[:-1] if names_alone else text


def _form_of_capitals(text: str) -> str:
    """Return the form of a row in capitals: a panel, a single talk, a bracket, a room or a title."""
    if _PANEL.fullmatch(text):
        return "PNL"
    if _ONE_TALK.fullmatch(text):
        return "SOL"
    if text.startswith("("):
        return "BRA"
    return "ROO" if plain_form_of(text.title()) == "ROO" or text.endswith(" AREA") else "CAP"


def _pieces_2015(row: Row, begin: str) -> Pieces:
    """Split a row of the grid, or of a list."""
    text = row.text
    heading = ROOM_BEHIND.fullmatch(text)
    if begin == "begin":
        form = "OPN" if text.endswith(":") else plain_form_of(text)
        # any title that begins a cell is an item
        yield ("CEL" if form == "TTL" and row.begins else form), text
    elif heading:
        yield "HED", heading["heading"]
        yield "ROM", heading["room"]
    elif row.bullet:
        yield "BUL", text
    elif found := _AWARD_BEHIND.fullmatch(text):
        yield plain_form_of(found["names"]), found["names"]
        yield "AWD", found["award"]
    else:
        yield plain_form_of(text), text


def _pieces_2017(row: Row, _begin: str) -> Pieces:
    """Split a row: a heading, a label, or ``Authors. Title``."""
    text = _TYPED_TAG.sub("", row.text)
    if not text:
        return
    if found := _NAMED.fullmatch(text):
        if found["name"].lower().startswith("keynote"):
            yield "KEY", found["name"]
            yield "KTL", found["title"]
        else:
            yield "HED", f"{found['name']}: {found['title']}"
    elif found := _LABELLED.fullmatch(text):
        label, names = found["label"].lower(), found["text"]
        if label.startswith(("abstract", "bio")):
            yield ("ABS" if label == "abstract" else "BIO"), found["label"]
            yield from [("PRO", names)] if names else []
        elif names:
            spoken = label.startswith(("speaker", "presenter"))
            yield ("SPR", names) if spoken else ("CHA", f"{found['label']}: {names}")
    else:
        item = _SHORT_PAPER.sub("", text, count=1)  # before the authors: not part of the title
        stop = _STOP.search(item)
        if stop and looks_like_names(item[: stop.start()]):
            yield "BUL", item[stop.end() :]
            yield "ATH", item[: stop.start()]
        else:
            yield ("NON" if row.bullet else plain_form_of(text)), text


LAYOUTS: Final = (
    Layout(
        "timetable",
        "times with dots such as '11.00-12.30', and 'PAPER SESSION 3 - Chair: ..' or titles in capitals",
        re.compile(r"\d\.[0-5]\d(?<![\d.]\d\d\.\d\d)(?<!\.\d\.\d\d)\s*[-–]\s*[0-2]?\d\.[0-5]\d(?![\d.])"),
        TIMETABLE,
        _pieces_2014,
        dotted=True,
        listed=TIMETABLE.dearer({"S.bare": 9}),
    ),
    Layout(
        "grids",
        "sessions such as 'Session 1: Title-(Room: Quay)', their chairs and talks below them",
        re.compile(r"Session\s+\w{1,4}\s*:[^\n]{0,200}\(Rooms? ?:", re.IGNORECASE),
        GRIDS,
        _pieces_2015,
        heading=ROOM_BEHIND.fullmatch,
    ),
    Layout(
        "lists",
        "labels such as 'Chair : ' and below them lists of 'Authors. Title'",
        re.compile(r"[\s>](?:chairs?|speakers?)\s+:", re.IGNORECASE),
        LISTS,
        _pieces_2017,
        heading=_NAMED.fullmatch,
        timed=False,
    ),
)
