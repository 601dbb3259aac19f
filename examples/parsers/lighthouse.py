"""The talks of the Lighthouse, as JSON.

{"lighthouse": 1, "count": 1, "talks": [
 {"key": 7, "title": "Foam in Tanks", "day": "2026-06-17", "authors": [{"name": "Ada Quill", "at": "Mole Lab"}]}]}
"""

from collections.abc import Iterator

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.fields import FieldError
from parsers._tables.readers import identifier, iso_day
from parsers._tables.table import Keys, each, maybe, one
from schemas.items import Declared, Item, Person, Record

TALK = Keys(
    one("title"),
    one("id", "key", identifier),
    maybe("day", read=iso_day),
    each("authors", "authors", one("name"), maybe("at")),
    ignored="likes",
)


def recognise(document: Document) -> bool:
    """True if the text is an object that says of itself that it is of the Lighthouse."""
    return document.text.lstrip().startswith('{"lighthouse"')


def parse(document: Document) -> Iterator[Item]:
    """Yield the total and a record a talk, whose line is its place in the list; what lacks a field is a reject."""
    data = document.data_of("talks")  # what is cut is read up to its last complete talk
    top = data.open(data.value, 0)
    top.ignore(["lighthouse"])
    if (count := top.number("count")) is not None:
        yield Declared(1, count)
    for place, talk in enumerate(top.items("talks"), 1):
        try:
            found = TALK.read(data.open_item(talk, place))
        except FieldError as error:
            yield data.reject(place, talk, error)
            continue
        people = tuple(Person(person["name"], person["at"]) for person in found["authors"])
        yield Record(
            place,
            place,
            title=found["title"],
            native_id=found["id"],
            authors=people or None,
            published_on=found["day"],
        )


JSON = Format("json", """an object that begins with '{"lighthouse"'""", recognise, parse)
SOURCE = Source("lighthouse", "Talks of the Lighthouse", 1, Family.LISTING, PageKind.LOG, (JSON,))
