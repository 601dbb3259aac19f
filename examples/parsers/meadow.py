"""The programme of the Meadow Days, as text. Its days have no year, and no time zone is printed: its sidecar has them.

Wednesday, June 17th
09:00 - 10:30 Hay [Barn]
- Hay in Tanks (Bo Ferns, Cy Moss)
10:30 - 11:00 Coffee Break
"""

import re
from collections.abc import Iterator, Mapping

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, heading_rule, record_rule
from parsers._tables.readers import clock_interval, heading_day
from parsers._words.programme import Session, Talk, item_record, make_slot, talk_records
from parsers._words.titles import kind_of_item
from parsers._words.years import date_of, event_of, resolve_year
from schemas.items import Item, Person, Reject

SESSION = re.compile(r"(?P<times>\d\d?:\d\d - \d\d?:\d\d) (?P<title>[^\[\]]+)(?:\[(?P<room>[^\[\]]+)\])?")
TALK = re.compile(r"- (?P<title>[^()]+)\((?P<names>[^()]+)\)")
CHROME = Boilerplate({"top": r"Meadow Days( \d{4})?", "bottom": "Made of grass"})
OF_DAY, OF_SESSION, OF_TALK = heading_rule("day", 2), heading_rule("session", 3), record_rule("talk")


def recognise(document: Document) -> bool:
    """True if lines of both forms are there: looks at the content alone and claims nothing."""
    texts = [text for _, text in document.lines.texts()]
    return any(map(SESSION.fullmatch, texts)) and any(map(TALK.fullmatch, texts))


def parse(document: Document) -> Iterator[Item]:
    """Yield a record a talk, and one for each session without talks; a talk that cannot be read is a reject."""
    lines = document.lines
    days = {number: heading_day(text) for number, text in lines.texts()}
    year = resolve_year(document, [day for day in days.values() if day], [])
    event, inferred = event_of(document, None, "Meadow Days", year)
    day, notes = None, inferred
    around = 0  # the line of the heading that talks stand below; 0 for none
    sessions, talks = {around: Session(event=event, notes=notes)}, dict[int, list[Talk]]()
    for number, text in lines.texts():
        if printed := days[number]:
            lines.claim(number, OF_DAY)
            day, noted = date_of(printed, year)
            around, notes = number, (*noted, *inferred)
            sessions[around] = Session(event=event, day=day, notes=notes)
        elif found := SESSION.fullmatch(text):
            lines.claim(number, OF_SESSION)
            starts, ends = clock_interval(found["times"]) or (None, None)
            slot, noted = make_slot(day, starts, ends, found["room"])
            around = number
            sessions[around] = Session(title=found["title"].strip(), event=event, slot=slot, notes=(*notes, *noted))
            if kind_of_item(found["title"]) == "break":  # has no talks: those below it lost their heading
                around = 0
        elif talk := _talk(number, text):
            lines.claim(number, OF_TALK)
            talks.setdefault(around, []).append(talk)
        elif text.startswith("- "):
            yield Reject(number, number, text, "incomplete_item", "expected '- Title (Name, Name)'")
        elif not lines.claim_boilerplate(number, CHROME):
            # Perhaps it was a heading: what follows is not put below the one above.
            around, day, notes = number, None, ("day_unread", *inferred)
            sessions[around] = Session(event=event, notes=notes)
    yield from _records(sessions, talks)


def _records(sessions: Mapping[int, Session], talks: Mapping[int, list[Talk]]) -> Iterator[Item]:
    """Yield the records of sessions and of their talks, both by the line of the heading."""
    for number, session in sessions.items():
        if number in talks:
            yield from talk_records(session, talks[number])
        elif session.title:
            yield item_record(session, number, number, kind_of_item(session.title))


def _talk(number: int, text: str) -> Talk | None:
    """Read the line of a talk; None if it is none."""
    found = TALK.fullmatch(text)
    if found is None:
        return None
    people = tuple(Person(name.strip()) for name in found["names"].split(","))
    return Talk(number, number, found["title"].strip(), people)


SOURCE = Source(
    name="meadow",
    title="Meadow Days",
    version=1,
    family=Family.PROGRAMME,
    page=PageKind.STATE,
    formats=(Format("text", "lines '09:00 - 10:30 Title [Room]' and '- Title (Names)'", recognise, parse),),
)
