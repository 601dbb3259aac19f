"""Programmes of conferences that researchr hosts: pages of the whole programme or of a track, and lists of papers.

Invented, as far as it is read; papers without a time are in a block "Unscheduled Events" or in ``#event-overview``::

    <div class="hidable day-wrapper"><h4 class="day-header"><div><div>Sun 4 May</div></div></h4>
      <table class="session-table" data-facet-date="Sun 4 May 2025">
        <tr class="session-details"><td><div class="slot-label">11:00 - 12:30</div></td>
          <td><div class="session-info-in-table">Jams <span class="pull-right"><a>Fruit</a></span> at
            <a class="room-link">Pot</a><br><small>Chair(s): <a class="navigate" href="..">Ada Quill</a>
            <span class="prog-aff">Mole Lab</span></small></div></td></tr>
        <tr data-slot-id="5f1c.."><td><div class="start-time">11:00</div> <strong>30m</strong>
            <div class="event-type">Talk</div> <span data-facet-track="Fruit Jams"></span></td>
          <td><strong><a data-event-modal="9a1c..">Less Sugar</a></strong> <div class="prog-track">Fruit</div>
            <div class="performers"><a href="..">Bo Ferns</a><span class="prog-aff">Bay University</span></div>
            <a class="publication-link" href="https://doi.org/..">DOI</a></td></tr></table></div>

Times are in the zone of the browser that saved the page. If the page also has the moments (``data-start``) and the
sidecar names the zone of the venue, they are converted to it. The id of an event is the key of its record.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from parsers._contract import Family, Format, LeftOut, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, heading_rule
from parsers._tables.readers import address, clock_interval, duration, epoch_moment, link, person, printed_day
from parsers._tables.table import Elements, Match, each, many, maybe, one, read_elements
from parsers._web.layout import markup_layout
from parsers._web.web import one_page
from parsers._words.dates import clock
from parsers._words.programme import Session, Talk, item_record, make_slot, talk_records
from parsers._words.titles import DECORATIONS, kind_of_item, kind_of_talk, read_heading
from schemas.items import Item, Record, Reject, Slot

_CHROME: Final = (
    "div.time-zone-warning, div.btn, div.modal, h4.program-tentative, div#program-settings-modal, div.facet-container,"
    " div.date-facets, div.time-zone-info, thead, h3, div.tab-pane:not(#program):not(#event-overview)"
)
_PAGE: Final = Elements(
    "div.tab-content, div.program-container, div#event-overview", ignored=_CHROME, rule=heading_rule("page", 1)
)
_DAYS: Final = Elements(
    "div.day-wrapper",
    maybe("heading", "h4.day-header > div > div:first-child"),
    rule=heading_rule("day", 2),
    ignored=_CHROME,
)
_SESSION: Final = Elements(
    "table.session-table",
    one("day", "::attr(data-facet-date)", printed_day),
    one("title", "div.session-info-in-table::text"),
    maybe("times", "div.slot-label", clock_interval),
    maybe("room", "a.room-link"),
    many("tracks", "div.session-info-in-table span.pull-right a"),
    each(
        "chairs",
        "small > a",
        one("name"),
        maybe("url", "::attr(href)", address),
        maybe("affiliation", "small > span.prog-aff"),
        flat=True,
    ),
    rule=heading_rule("session", 4),
)
_EVENT: Final = Elements(
    "tr[data-slot-id], div.day-wrapper:not(.hidable) tr, div#event-overview td + td",
    one("title", "a[data-event-modal]::text"),
    one("id", "a[data-event-modal]::attr(data-event-modal)"),
    maybe("starts", "div.start-time", clock),
    maybe("duration", "div.start-time + strong", duration),
    maybe("moment", "span[data-start]::attr(data-start)", epoch_moment),
    maybe("type", "div.event-type, span.text-muted ~ em"),
    maybe("track", "div.prog-track"),
    many("badges", "span.output-badge"),
    each(
        "people",
        "div.performers > a",
        one("name"),
        maybe("url", "::attr(href)", address),
        maybe("affiliation", "div.performers > span.prog-aff"),
        maybe("presents", "span.role[title=Presenter] + a::attr(href)"),
        flat=True,
        ignored="span.role",
    ),
    each("links", "a.publication-link", maybe("url", "::attr(href)"), maybe("title")),
    ignored="span.role, td > span.text-muted",
)
_AROUND: Final = Boilerplate(
    {"comma": ",", "slash": "/", "at": "at", "chairs": r"Chair\(s\):", "unscheduled": "Unscheduled Events"}
)


def recognise(document: Document) -> bool:
    """True if the text is HTML with events of researchr in a programme or a list of papers."""
    text = document.text
    return "data-event-modal=" in text and ("session-table" in text or 'id="event-overview"' in text)


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each event, and for each session without events. Raises ``DumpError`` (malformed)."""
    page = document.page
    page.content = next(iter(_PAGE.all(page.root)), page.root)
    found = list(read_elements(page, _PAGE, _DAYS, _SESSION, _EVENT))
    listing = {one.inside for one in found if isinstance(one, Match) and one.table is _EVENT}
    for item in found:
        if isinstance(item, Reject):
            yield item
        elif item.table is _EVENT:
            yield _event(document, item, _session(document, item.inside))
        elif item.table is _SESSION and item not in listing:
            yield item_record(_session(document, item), *item.lines, kind_of_item(item["title"]))
    page.claim_texts(_AROUND)


def _session(document: Document, found: Match | None) -> Session:
    """Return the session of an event; outside any session, one with only the name of the conference."""
    if found is None or found.table is not _SESSION:
        return Session(event=document.facts.event)
    starts, ends = found["times"] or (None, None)
    slot, notes = make_slot(found["day"], starts, ends, found["room"])
    return Session(
        title=found["title"],
        track=" / ".join(dict.fromkeys(found["tracks"])) or None,
        chairs=tuple(map(person, found["chairs"])) or None,
        event=document.facts.event,
        slot=slot,
        notes=(*notes, *found.notes),
    )


def _event(document: Document, found: Match, session: Session) -> Record:
    """Make the record of an event: a talk of its session, with its type, track and links."""
    heading, people = read_heading(found["title"]), tuple(map(person, found["people"])) or None
    kind = kind_of_talk(session.title, found["type"]) if people else kind_of_item(heading.title, heading.tag)
    if kind == "session" and found["type"]:
        kind = kind_of_item(found["type"])
    slot = session.slot or Slot()
    starts = datetime.combine(slot.starts_at, found["starts"]) if found["starts"] and slot.starts_at else None
    (record,) = talk_records(
        session,
        [
            Talk(
                *found.lines,
                title=heading.title,
                authors=people,
                presenter=", ".join(person["name"] for person in found["people"] if person["presents"]) or None,
                starts=found["starts"],
                ends=(starts + found["duration"]).time() if starts and found["duration"] else None,
                native_id=found["id"],
                kind=kind,
                notes=(*heading.notes, *found.notes),
            )
        ],
    )
    links = tuple(filter(None, map(link, found["links"])))
    record = record._replace(type=found["type"], track=found["track"] or session.track, links=links or None)
    return _at_the_venue(record, found["moment"], document.facts.timezone)


def _at_the_venue(record: Record, moment: datetime | None, zone: str | None) -> Record:
    """Convert the times of a record to the zone of the venue, if its moment and the zone are known."""
    slot = record.slots[0] if record.slots else Slot()
    if moment is None or zone is None or slot.starts_at is None:
        return record
    starts = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    ends = slot.ends_at and slot.ends_at + (starts - slot.starts_at)
    notes = {*record.notes, "zone_converted"} if starts != slot.starts_at else record.notes
    return record._replace(slots=(Slot(starts, ends, slot.room),), notes=tuple(sorted(notes)))


SOURCE: Final = Source(
    "researchr",
    "Programmes on researchr",
    3,
    Family.PROGRAMME,
    PageKind.STATE,
    (Format("html", "HTML with events (data-event-modal) in session tables or a list of papers", recognise, parse),),
    web=one_page(
        ".html",
        lambda document: markup_layout(document.page.root, (".session-table", ".slot-label", ".performers")),
        example="""\
# researchr: a programme by the URL of its page, which prints neither event nor time zone.
[[researchr]]
url = "https://fjord26.example/program/program-fjord-2026/"
event = "FJORD 2026"
timezone = "Europe/Oslo"
year = 2026
""",
    ),
    prints_ids=True,
    leaves_out=LeftOut(DECORATIONS | frozenset("artifact award best chair chairs distinguished paper remote".split())),
)
