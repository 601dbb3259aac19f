"""The grammar of a programme at a glance, as text or markup, which turns the blocks of its slots into records.

The table defines what may follow a time line. The codes are those of ``forms``; those that begin with a dot are classes
of markup. Places: S a session with talks; K one talk, such as a keynote; I an item without talks; C a ceremony; P
posters; R a room above its title; E an entry of a page by date; U a box without a title; N talks whose session is above
another time line. For the syntax of a row see ``parsers._grammar.states``, for the roles ``parsers._grammar.builder``.

The whole page decides the price of some readings: a short text in three slots or more is a room or a person; if titles
are printed twice, or chairs have labels, other titles and chairs cost more (``SHAPES``).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import time
from itertools import pairwise
from typing import Final

from parsers._grammar.builder import Block, Ledger, SessionGroup, build
from parsers._grammar.states import LEFT_OUT, StateTable, Step
from parsers._words.years import Day
from parsers.cluster.forms import SURE, can_be_common, form_of, forms_of
from parsers.cluster.headings import TimeLine
from parsers.cluster.items import Moment, Placed
from schemas.items import Reject

ROWS: Final = """
# where a slot, a box or an entry may begin, and what may follow what is over
begin  > sure0 weak0 S.lone0 I.timed0 R.room0 R.alone1
day    > sure0 weak0
box    > sure0 weak0 S.lone0 R.room0 U.room0 U.chair0 N.talk0 N.once4
entry  > E.room0 E.type0 E.title0 sure4
within > N.talk0 N.once0 sure0 weak4
items  > S.mark0 S.title0 K.title0 I.title0 P.title0 P.lost4
sure   > items0 C.title0
weak   > S.weakr0 S.weakc0 S.weakt0 S.weaky0
any    > sure0 weak4
over   > type0 any0 end0
nothing  > type0 sure0 end0
talks  > talk0 once0 only0 alone0
texts  > auth0 abs0 bio0 talk0

# titles; one known by its shape alone needs a room, a chair, talks or a type below it, or its slot for itself
S.mark   mark    CAN0                                            > sure0 weak0
S.title  title   COD0 TAG0 .title0
                 > self0 room0 later0 place1 named0 chair0 label0 bare1 talk0 once4 note0 nothing0
S.weakr  title   EDN0 TTL0 TTQ0 TTS0 SUR1 ONE1 CMN1 NAM4 ODD4 > room0 later2 note4 place4
S.weakc  title   EDN0 TTL0 TTQ0 TTS0 SUR1 ONE1 CMN1 NAM4 ODD4 > chair0 label0 bare1
S.weakt  title   EDN0 TTL0 TTQ0 TTS0 SUR1 ONE1 CMN1 NAM4 ODD4 SEN4 > talk1 once4
S.weaky  title   EDN0 TTL0 TTQ0 TTS0 SUR1 ONE1 NAM4 ODD4 SEN4 > type1
S.lone   title   EDN4 TTL4 TTQ4 TTS4 NAM4 ONE4                > end0
S.self   talk    .again0                                      > auth0 abs0 talk0 room4 behind0 over0
K.title  title   KEY0 PAN0
                 > room0 later0 place4 chair0 label0 bare1 talk0 only0 alone0 panel0 nothing0
I.title  title   ITM0 PST4
                 > rep0 room0 later0 place1 named0 chair0 label0 talk1 note0 points0 point4 nothing0
I.timed  title   TMB0                                         > room0 place1 named0 note0 nothing0
C.title  title   CER0
                 > rep0 room0 place1 named0 chair0 label0 bare1 talk1 note0 points0 nothing0

# what stands below a title
I,C.rep  again   REP0                                         > rep0 note0 room0 place1 named0 point0 sure0 end0
I.event  again   REP0                                         > note0 points0 any0 end0
S,K,I,C.note point BRA0 SEN0 .note0                           > note0 room0 place1 named0 any0 end0
S,K.room room    ROO0 CMN0 .room0                             > chair0 label0 bare0 talks0 points0 panel0 pre0 over0
I.room   room    ROO0 CMN0 .room0
                 > event0 chair0 label0 bare0 talks0 points0 panel0 pre0 over0
S,K,I.later room TBA0                                         > chair0 label0 bare0 talks0 points0 panel0 pre0 over0
S,K,I,C.place room ONE1 TTS1 SUR1                             > chair0 label0 bare1 talk0 once1 only1 over0
S,K,I,C.named room NAM4                                       > chair0 label0 talk0 over0
S,K,I.chair chair CHA0                                        > more0 second0 pre0 talks0 points0 panel0 over0
S,K,I.names chair NAM0 PER0 LST0 SUR1 TTL4 TTS4 .chair0       > names1 pre0 talks0 points0 panel0 over0
S,K,I,C.label chair CHL0                                      > names0 talks5
S,K,I,C.more chair CHA0 .chair0                               > pre0 talks0 points0 any0 end0
S,K,I,C.second chair PER1                                     > talk0 end0
S,K,I,C.bare chair NAM0 PER0 LST1 SUR4 CMN4 .chair0           > talks0 type0
S,K,I,C.pre presenter PRE0                                    > talk0 over0
S,K,I,C,N.type type TYP0 .type0                               > any0 end0
S,K,I,C.panel point PPL0                                      > people0 behind0 call0 any0 end0
S,K,I,C.people point PER0 LST0 NAM0 SUR1                      > people0 behind0 call0 any0 end0
S,K,I,C.call chair CHL0                                       > names0
I.points point   SPK0 TMB0 BRA0                               > points0 point0 behind0 any0 end0
I.point  point   .slot0 SPK0 TMB0 SEN0 BUL1                   > point0 panel0 behind0 any4 end0

# a ceremony: the words of one stand in its points too
C.room   room    ROO0 CMN0 TBA0 .room0
                 > rep0 chair0 label0 bare0 talk0 points0 pre0 type0 items0 C.title4 weak4 end0
C.chair  chair   CHA0
                 > more0 second0 pre0 talk0 points0 type0 items0 C.title4 weak4 end0
C.names  chair   NAM0 PER0 LST0 SUR1 .chair0
                 > names1 pre0 talk0 points0 type0 items0 C.title4 weak4 end0
C.points point   .slot0 SPK0 TMB0 BRA0 CER0 PST0 SEN0 BUL0    > points0 behind0 items0 C.title4 end0

# talks: the title twice (visible, and again in what is hidden) or once
S,K,I,C,N.talk talk PAI0 .talk0                               > again0 award0 texts0 once4 behind0 over0
S,K,I,C,N.again again AGN0 .again0                            > award0 texts0 once4 hall1 behind0 over0
S,N.once talk    .slot0 EDN0 TTL0 TTQ0 TTS0 SEN0 ODD1 SPK1 SUR4 ONE4 NAM4
                 > award0 auth1 abs1 talk0 once0 behind0 over0
K.only   talk    .slot0 EDN0 TTL0 TTQ0 TTS0 SEN0 ODD4 SPK1 SUR4 ONE4 NAM4
                 > award0 auth1 abs1 hall0
K.alone  talk    .slot0 EDN0 TTL0 TTQ0 TTS0 SEN0 ODD6 SPK1 SUR4 ONE4 NAM4 > panel0 behind0 over0
S,K,I,C,N.award award AWD0                                    > auth0 abs0 talk0 once0 over0
S,K,I,C,N.auth authors .authors0 LST0 PER0 NAM0 SUR0 AUL0 BUL0 ONE1
                 > further0 abs0 bio0 talk0 once0 hall0 behind0 over0
S,K,I,C,N.further authors .authors0 BUL0 AUL0                 > further0 abs0 bio0 talk0 once0 hall0 behind0 over0
S,K,I,C,N.abs abstract ABS0                                   > abs0 para0 tba0 talk0 bio0 behind0 over0
S,K,I,C,N.para paragraph .text0 PRO0 SEN0 NUM1 BUL1 ODD4      > para0 bio0 talk0 once1 behind0 over0
S,K,I,C,N.tba paragraph TBA0                                  > talk0 bio0 behind0 over0
S,K,I,C,N.bio biography BIO0                                  > bio0 about0 abs0 talk0 any0 end0
S,K,I,C,N.about about .text0 PRO0 SEN0 PER4 LST4              > about0 abs0 talk0 behind0 over0
S,K,I,C,N.hall hall ROO0 CMN0 .room0                          > talk0 once0 any0 end0
S,K,I,N.behind chair CHA0 .chair0                             > over0
C.behind chair   CHA15 .chair0                                > over0

# an entry of a page by date: room and type stand above its title
E.room   above   .room0 ROO0                                  > E.type0 E.title0 S.chair4
E.type   type    .type0 TYP0                                  > E.title0 E.room0
E.title  title   .title0 COD0 TAG0 KEY0 PAN0 ITM0 CER0 PST0 PHD0 > S.chair0 S.bare0 S.talk0 S.once0 S.note0 end0

# what a box without a title holds
U.room   room    .room0                                       > U.chair0 N.talk0 N.once0
U.chair  chair   .chair0 CHA0                                 > U.room0 N.talk0 N.once0

# posters, listed below the title of their session
P.title  title   PST0                                         > head0 poster0
P.head   head    PHD0                                         > poster0 award0
P.lost   lost    PHD0                                         > poster0 award0 any0 end0
P.poster poster  .item0 NUM0 BUL0                             > auth0 poster1
P.award  award   NUA0                                         > late0 poster0
P.late   poster  TTL0 TTQ0 TTS0 ONE0 ODD0 SEN0 NAM0 SUR0      > auth0
P.auth   authors AUL0 LST1 PER1                               > poster0 award0 room0 place1 any0 end0
P.room   room    .room0 ROO0 CMN0                             > any0 end0
P.place  room    TTS1 ONE1                                    > any0 end0

# rooms above titles
R.room   above   .room0 ROO0                                  > title0 plain0
R.alone  lost    ROO0                                         > room0 alone0 end0
R.title  title   .title0 TAG0 COD0                            > room0 again0 any1 end0
R.plain   title   EDN0 TTL0 TTQ0 TTS0 SUR0 ONE0 CMN0 NAM1 ODD1 > room0 end0
R.again  talk    AGN0 .again0                                 > auth0 abs0 room0 any1 end0
R.auth   authors .authors0 BUL0 LST0 PER0 NAM0 SUR0 TBA0      > further0 abs0 room0 any1 end0
R.further authors .authors0 BUL0                              > further0 abs0 room0 any1 end0
R.abs    abstract ABS0                                        > para0 room0 any1 end0
R.para   paragraph .text0 PRO0 SEN0 TBA0 ODD4 NUM1 BUL1       > para0 room0 any1 end0
"""

TABLE: Final = StateTable.of(ROWS, sure=frozenset({"COD", "TAG", "KEY", "PAN", "ITM", "CER", "PST", "CHA"}))


@dataclass(frozen=True, slots=True)
class Shape:
    """A feature of a whole page: the forms that are its signs, how many it needs, and the prices that it adds."""

    signs: frozenset[str]
    least: int
    prices: dict[str, int]


SHAPES: Final = (
    Shape(frozenset({"AGN"}), 3, {"S.once": 9, "N.once": 9}),  # titles of talks are printed twice
    Shape(frozenset({"CHA"}), 3, {f"{place}.bare": 9 for place in "SKIC"}),  # chairs have labels
    Shape(frozenset({"PAI", "TTL", "TTQ"}), 9, {f"{place}.auth": 9 for place in "SKICN"}),  # no talk has authors
    Shape(frozenset({"ROO", "CMN"}), 9, {f"{place}.named": 9 for place in "SKIC"}),  # rooms are recognised
    Shape(frozenset({"ROO", "CMN"}), 3, {"S.weakc": 9, "S.weakt": 9}),  # sessions have rooms
    Shape(frozenset({"CHA"}), 3, {"S.weakt": 9}),  # sessions have chairs
)

ENTRY: Final = "entry"
"""Where an entry of a page by date begins in the table: each has its own time."""
_TYPE_OR_ROOM: Final = frozenset({"Other"})
"""Where sessions have types there are others of them, too; alone it is the room outside of the venue."""
_COMMON_FROM: Final = 3
"""A text in at least this many slots is common."""
_STRANGE: Final = 0.8
"""The least price per line of another layout."""
_DOUBTFUL: Final = 0.45
"""The most per line that a page costs whose parallel sessions have few talks: each but the first of a slot costs 4."""
_SHORT: Final = 12
"""A text with fewer lines is recognised by those whose form is sure."""

# The label of a time line for everything below it: "9:00 - 12:30 -- Workshops".
_MORNING: Final = time(6)
_SLOT_LABEL: Final = re.compile(r"(?:workshops|tutorials|posters|(?:invited|short) talks?|[, &/]|and)+", re.IGNORECASE)


@dataclass(slots=True)
class SlotBlocks:
    """A time line, the day above it, and the blocks below it; the time is None if the page prints none."""

    day: Day | None
    time: TimeLine | None
    head: Block | None
    blocks: list[Block] = field(default_factory=list)
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a page's lines by the grammar, the number of lines, and how many of them have a sure form."""

    price: int
    lines: int
    sure: int

    @property
    def is_like_the_format(self) -> bool:
        """True if the lines cost as little as those of a programme at a glance: 0 to 0.5 each; others cost 0.8 to 5.

        In a short text a line or two that fit nowhere prove nothing: there the lines with a sure form must outweigh
        them.
        """
        if self.lines >= _SHORT:
            return self.price <= _STRANGE * self.lines
        return self.sure > 0 and self.price <= LEFT_OUT * self.sure

    @property
    def is_doubtful(self) -> bool:
        """True if the lines cost more than those of any known page: the layout may have changed."""
        return self.lines >= _SHORT and self.price > _DOUBTFUL * self.lines

    @property
    def doubt(self) -> str:
        """A message for people about a doubtful reading."""
        price = self.price / self.lines
        found = f"expected lines that fit the layout (price 0.0 to 0.3 each), found {price:.2f} on average"
        return f"{found}: check with parse --lines"


@dataclass(frozen=True, slots=True)
class SlotPaths:
    """How the slots of a page were read."""

    slots: tuple[SlotBlocks, ...]
    steps: tuple[list[Step], ...]

    @property
    def price(self) -> Price:
        """The price of the lines."""
        steps = [step for slot in self.steps for step in slot]
        return Price(sum(step.price for step in steps), len(steps), 0)


def read_slots(slots: Sequence[SlotBlocks], begin: str = "begin") -> SlotPaths:
    """Read the slots of a page by the strictest shape that costs hardly more than the laxest."""
    slots = _with_forms(slots)
    begins = list(_begins(slots, begin))
    table = _table_for(slots, begins) if begin == "begin" else TABLE  # markup needs no shape
    steps = tuple(
        table.read([block.form for block in slot.blocks], begin) for slot, begin in zip(slots, begins, strict=True)
    )
    return SlotPaths(tuple(slots), steps)


def price_of(slots: Sequence[SlotBlocks]) -> Price:
    """Return the price of the lines of some slots, without any shape."""
    formed = _with_forms(slots)
    begins = _begins(formed, "begin")
    price = sum(TABLE.price([block.form for block in slot.blocks], at) for slot, at in zip(formed, begins, strict=True))
    lines = [block.form for slot in formed for block in slot.blocks]
    return Price(price, len(lines), sum(form in SURE for form in lines))


def _with_forms(slots: Sequence[SlotBlocks]) -> list[SlotBlocks]:
    """Give each block the form of its text, unless its class gives one."""
    seen: dict[str, set[int]] = defaultdict(set)
    for number, slot in enumerate(slots):
        for block in slot.blocks:
            if not block.form and can_be_common(block.text):
                seen[block.text].add(number)
    common = frozenset(text for text, places in seen.items() if len(places) >= _COMMON_FROM)
    types = {block.text for slot in slots for block in slot.blocks if not block.form and form_of(block.text) == "TYP"}
    rooms = _TYPE_OR_ROOM if types == _TYPE_OR_ROOM else frozenset()
    formed = []
    for slot in slots:
        forms = forms_of([block.text for block in slot.blocks], [block.form for block in slot.blocks], common, rooms)
        blocks = [
            block if block.form == form else block._replace(form=form)
            for block, form in zip(slot.blocks, forms, strict=True)
        ]
        formed.append(replace(slot, blocks=blocks))
    return formed


def _begins(slots: Sequence[SlotBlocks], begin: str) -> Iterator[str]:
    """Yield where in the table each slot begins: one within the time of a slot above may begin with a talk."""
    above: SlotBlocks | None = None
    for slot in slots:
        if begin != ENTRY and above is not None and _is_within(above, slot):
            yield "within"
        else:
            above = slot if slot.blocks else None
            yield begin if slot.time is not None or begin != "begin" else "day"


def _is_within(above: SlotBlocks, slot: SlotBlocks) -> bool:
    """True if a slot is within the time of another one of the same day."""
    if above.time is None or slot.time is None or above.day != slot.day:
        return False
    return lies_within(slot.time.starts, slot.time.ends, above.time.starts, above.time.ends)


def lies_within(begins: time | None, over: time | None, starts: time | None, ends: time | None) -> bool:
    """True if a time is within another, and is not all of it."""
    if begins is None or starts is None or ends is None or (begins, over) == (starts, ends):
        return False
    return starts <= begins < ends and begins < (over or ends) <= ends


def _table_for(slots: Sequence[SlotBlocks], begins: Sequence[str]) -> StateTable:
    """Return the table with the shapes of the page: those that add at most the price of an exception or two."""
    forms = [[block.form for block in slot.blocks] for slot in slots]
    read = [TABLE.path(slot, begin) for slot, begin in zip(forms, begins, strict=True)]
    used = Counter(name for _, names in read for name in names)
    lax = sum(price for price, _ in read)
    dearer: dict[str, int] = {}
    for shape in SHAPES:
        signs = sum(form in shape.signs for slot in forms for form in slot)
        most = LEFT_OUT * min(2, signs // shape.least)  # an exception, on longer pages two
        if signs >= shape.least and (
            sum(price * used[name] for name, price in shape.prices.items()) <= most
            or _price(_shaped(shape.prices), forms, begins) <= lax + most
        ):
            dearer.update(shape.prices)
    return _shaped(dearer)


_SHAPED: Final[dict[tuple[tuple[str, int], ...], StateTable]] = {}


def _shaped(prices: dict[str, int]) -> StateTable:
    """Return the table with higher prices for some states; cached."""
    key = tuple(sorted(prices.items()))
    if key not in _SHAPED:
        _SHAPED[key] = TABLE.dearer(prices)
    return _SHAPED[key]


def _price(table: StateTable, forms: Sequence[Sequence[str]], begins: Sequence[str]) -> int:
    """Return the price of a page."""
    return sum(table.price(slot, begin) for slot, begin in zip(forms, begins, strict=True))


def end_days(slots: Sequence[SlotBlocks], moments: Iterable[Moment]) -> list[Moment]:
    """Take the day from the slots below a day heading that was not read, down to the next one that was.

    The slots of a day are printed in their order, so one that begins before the one above is on another day: standing
    under the day above it would be wrong.
    """
    ended = False
    known: list[Moment] = []
    above: tuple[SlotBlocks, Moment] | None = None
    for slot, moment in zip(slots, moments, strict=True):
        same_day = above is not None and above[0].day == slot.day
        earlier = above is not None and _is_earlier(moment.starts, above[1].starts)
        ended = same_day and (ended or earlier)
        above = slot, moment
        known.append(replace(moment, day=None, notes=(*moment.notes, "day_unread")) if ended else moment)
    return known


def _before_gaps(slots: Sequence[SlotBlocks], moments: Sequence[Moment]) -> set[int]:
    """Return the places of slots below which the heading of another slot may be lost.

    What takes place in the gap behind a slot may then stand under that slot: it does where a break shares it with
    something else.
    """
    return {
        place
        for place, (above, below) in enumerate(pairwise(moments))
        if above.ends and below.starts and above.ends < below.starts and slots[place].day == slots[place + 1].day
    }


def _is_break(part: SessionGroup | Reject) -> bool:
    """True if a part of a slot is a break or a meal."""
    return isinstance(part, SessionGroup) and not part.talks and any(block.form == "ITM" for block in part.of("title"))


def _is_earlier(begins: time | None, above: time | None) -> bool:
    """True if a slot begins before the one above it; one at two at night is at two in the afternoon of twelve hours."""
    return begins is not None and above is not None and _MORNING <= begins < above


def parts_of(reading: SlotPaths, moments: Iterable[Moment], ledger: Ledger) -> Iterator[Placed]:
    """Yield the sessions of a page in its order, with rejects for what is held back; claim their blocks."""
    above: tuple[Moment, SessionGroup] | None = None
    moments = list(moments)
    doubtful = _before_gaps(reading.slots, moments)
    for place, (slot, steps, printed) in enumerate(zip(reading.slots, reading.steps, moments, strict=True)):
        first: bool | None = None
        for part in build(slot.blocks, steps, ledger):
            first = _is_break(part) if first is None else first
            lost = place in doubtful and _is_break(part) != first
            moment = replace(printed, notes=(*printed.notes, "heading_unread")) if lost else printed
            if isinstance(part, Reject):
                yield moment, part
            elif above is not None and _belongs_to(*above, moment, part):
                for talk in part.talks:
                    talk.starts, talk.ends = moment.starts, moment.ends
                above[1].talks += part.talks
            else:
                if above is not None:
                    yield above
                above = moment, part
    if above is not None:
        yield above


def _belongs_to(when: Moment, session: SessionGroup, moment: Moment, part: SessionGroup) -> bool:
    """True if talks below their own time belong to the session above, within whose time they are."""
    if "title" in part.blocks or "title" not in session.blocks or when.day != moment.day:
        return False
    if any(talk.starts is None for talk in session.talks):
        return False
    return lies_within(moment.starts, moment.ends, when.starts, when.ends)


def drop_label(slot: SlotBlocks) -> None:
    """Drop the label of a time line if it is for everything below, or if the next line repeats it."""
    time, blocks = slot.time, slot.blocks
    if time is None or time.title is None or len(blocks) < 2:
        return
    first, second = blocks[0].text, blocks[1].text
    typed = time.session_type is not None and form_of(second) != "KEY" and len(blocks) > 2
    if first == second or (form_of(first) == form_of(second) == "KEY") or typed or _SLOT_LABEL.fullmatch(first):
        del blocks[0]
