"""The programme of the Lighthouse, as JSON: its talks name speakers and rooms by id. The sidecar has the time zone.

{"lighthouse": 1, "count": 1, "rooms": [{"id": 5, "name": "Lamp"}],
 "speakers": [{"id": "aq", "name": "Ada Quill", "at": "Mole Lab"}],
 "talks": [{"key": 7, "title": "Foam in Tanks", "starts": "2026-06-17T09:30", "room": 5, "speakers": ["aq"]}]}
"""

import re
from collections.abc import Iterator
from datetime import datetime

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.fields import FieldError
from parsers._tables.keys import Keys, items_at, listed_at
from parsers._tables.readers import identifier, iso_moment
from parsers._tables.table import by_id, many, maybe, one
from parsers._words.titles import kind_of_item
from schemas.items import Declared, Item, Person, Record, Slot


def wall_clock_moment(value: object) -> datetime | None:
    """Read ``2026-06-17T09:30``, the wall clock of the venue; a moment with an offset would have to be converted."""
    moment = iso_moment(value)
    return moment if moment is not None and moment.tzinfo is None else None


ROOM = Keys(one("id", read=identifier), one("name"))
SPEAKER = Keys(one("id", read=identifier), one("name"), maybe("at"))
TALK = Keys(
    one("title"),
    one("id", "key", identifier),
    maybe("starts", read=wall_clock_moment),
    maybe("ends", read=wall_clock_moment),
    maybe("room", read=by_id("rooms")),
    many("speakers", read=by_id("speakers")),
    ignored="likes",
)
BEGINS = re.compile(r'\s*\{\s*"lighthouse"\s*:')


def recognise(document: Document) -> bool:
    """True if the text is an object that says of itself that it is of the Lighthouse."""
    return BEGINS.match(document.text) is not None


def parse(document: Document) -> Iterator[Item]:
    """Yield the total and a record a talk, whose line is its place in the list; what lacks a field is a reject."""
    data = document.data_of("talks")  # what is cut is read up to its last complete talk
    top = data.open(data.value, 0)
    top.ignore(["lighthouse"])
    if (count := top.number("count")) is not None:
        yield Declared(1, count)
    lists = {"rooms": listed_at(data, "rooms[]", ROOM), "speakers": listed_at(data, "speakers[]", SPEAKER)}
    for place, talk in items_at(data, "talks[]"):
        try:
            found = TALK.read(data.open_item(talk, place), **lists)
        except FieldError as error:
            yield data.reject(place, talk, error)
            continue
        people = tuple(Person(speaker["name"], speaker["at"]) for speaker in found["speakers"]) or None
        slot = Slot(found["starts"], found["ends"], found["room"]["name"] if found["room"] else None)
        yield Record(
            place,
            place,
            title=found["title"],
            native_id=found["id"],
            authors=people,
            kind="paper" if people else kind_of_item(found["title"]),
            slots=(slot,) if slot != Slot() else None,
            notes=found["notes"],
        )


JSON = Format("json", "an object that begins with the key 'lighthouse'", recognise, parse)
SOURCE = Source("lighthouse", "The Lighthouse", 1, Family.PROGRAMME, PageKind.STATE, (JSON,), prints_ids=True)
