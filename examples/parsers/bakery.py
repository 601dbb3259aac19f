"""The programme of the Bakery Days, as HTML. Its days have no year, and no time zone is printed: the sidecar names it.

<h2>Wednesday, June 17th</h2>
<section><h3>Foam</h3> <time>09:00 - 10:30</time> <span class="room">Oven</span> <em>Ada Quill</em>
  <ul><li><b>Foam in Tanks</b> <i>Bo Ferns</i> <i>Cy Moss</i> <time>09:30</time></li></ul></section>
<section><h3>Coffee Break</h3> <time>10:30 - 11:00</time></section>
"""

from collections.abc import Iterator

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, heading_rule
from parsers._tables.readers import clock_interval, heading_day, wall_clock
from parsers._tables.table import Elements, Match, many, maybe, one, read_elements
from parsers._web.layout import markup_layout
from parsers._web.web import one_page
from parsers._words.programme import Session, Talk, item_record, make_slot, talk_records
from parsers._words.titles import kind_of_item
from parsers._words.years import Year, date_of, event_of, resolve_year
from schemas.items import Item, Person, Reject

DAY = Elements("h2", one("day", "", heading_day), flat=True, rule=heading_rule("day", 2))
SESSION = Elements(
    "section",
    one("title", "h3"),
    maybe("times", "section > time", clock_interval),
    maybe("room", ".room"),
    many("chairs", "em"),
    rule=heading_rule("session", 4),
)
TALK = Elements("li", one("title", "b"), many("names", "i"), maybe("starts", "time", wall_clock))
CHROME = Boilerplate({"top": r"Bakery Days( \d{4})?", "bottom": "Baked by hand"})


def parse(document: Document) -> Iterator[Item]:
    """Yield a record a talk, and one for each session without talks; what lacks a title is a reject."""
    found = list(read_elements(document.page, DAY, SESSION, TALK))
    matches = [each for each in found if isinstance(each, Match)]
    year = resolve_year(document, [each["day"] for each in matches if each.table is DAY], [])
    talks: dict[Match | None, list[Talk]] = {each: [] for each in matches if each.table is SESSION}
    for each in matches:
        if each.table is TALK:  # whose session was a reject is on its day, or alone
            talks.setdefault(each.inside, []).append(_talk(each))
    for around, of_session in talks.items():
        session = _session(document, around, year)
        if of_session or around is None:
            yield from talk_records(session, of_session)
        else:
            yield item_record(session, *around.lines, kind_of_item(around["title"]))
    yield from (each for each in found if isinstance(each, Reject))
    document.page.claim_texts(CHROME)


def _session(document: Document, found: Match | None, year: Year) -> Session:
    """Make a session of what surrounds talks: its element, the day alone, or nothing."""
    around = found.around() if found else {}
    day, notes = date_of(around["day"], year) if "day" in around else (None, ())
    starts, ends = around.get("times") or (None, None)
    slot, noted = make_slot(day, starts, ends, around.get("room"))
    event, inferred = event_of(document, None, "Bakery Days", year)
    return Session(
        title=around.get("title"),
        chairs=tuple(map(Person, around.get("chairs", ()))) or None,
        event=event,
        slot=slot,
        notes=(*notes, *noted, *inferred, *(found.notes if found else ())),
    )


def _talk(found: Match) -> Talk:
    """Make a talk; where it has no time of its own, it has that of its session."""
    people = tuple(map(Person, found["names"])) or None
    return Talk(*found.lines, title=found["title"], authors=people, starts=found["starts"], notes=found.notes)


HTML = Format("html", "HTML titled 'Bakery Days'", lambda document: "<title>Bakery Days" in document.text, parse)
WEB = one_page(".html", lambda document: markup_layout(document.page.root, ("h2", "section", "li")))
SOURCE = Source("bakery", "Bakery Days", 1, Family.PROGRAMME, PageKind.STATE, (HTML,), web=WEB)
