"""The programme of the Bakery Days, as HTML. No time zone is printed: the sidecar names it.

<h2>2026-06-17</h2>
<ul><li><b>Foam in Tanks</b> <i>Ada Quill</i> <i>Bo Ferns</i>
    <time>09:30</time> <span class="room">Oven</span></li></ul>
"""

from collections.abc import Iterator

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, heading_rule
from parsers._tables.readers import iso_day, wall_clock
from parsers._tables.table import Elements, many, maybe, one, read_elements
from parsers._web.layout import markup_layout
from parsers._web.web import one_page
from parsers._words.programme import make_slot
from schemas.items import Item, Person, Record, Reject

DAY = Elements("h2", one("day", "", iso_day), flat=True, rule=heading_rule("day", 2))
TALK = Elements(
    "li", one("title", "b"), many("names", "i"), maybe("starts", "time", wall_clock), maybe("room", ".room")
)
CHROME = Boilerplate({"top": r"Bakery Days \d{4}", "bottom": "Baked by hand"})


def parse(document: Document) -> Iterator[Item]:
    """Yield a record a talk, on the day that the heading above it names; a talk without a title is a reject."""
    for found in read_elements(document.page, DAY, TALK):
        if isinstance(found, Reject):
            yield found
        elif found.table is TALK:
            slot, notes = make_slot(found.around().get("day"), found["starts"], None, found["room"])
            people, slots = tuple(map(Person, found["names"])), (slot,) if slot else None
            notes = (*notes, *found.notes)
            yield Record(*found.lines, title=found["title"], authors=people or None, slots=slots, notes=notes)
    document.page.claim_texts(CHROME)


HTML = Format("html", "HTML titled 'Bakery Days'", lambda document: "<title>Bakery Days" in document.text, parse)
WEB = one_page(".html", lambda document: markup_layout(document.page.root, ("h2", "li", "time")))
SOURCE = Source("bakery", "Bakery Days", 1, Family.PROGRAMME, PageKind.STATE, (HTML,), web=WEB)
