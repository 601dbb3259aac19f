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

The layout of 2018 prints the interval and the track in front of a session's title, the interval of each event in one
cell, and its id as a class::

    <td class="session-details"><div class="session-info-in-table">11:00 - 12:30: <a class="navigate">Fruit</a> - Jams
    <tr data-slot-id="5f1c.."><td class="track-color"></td><td>11:00 - 11:30<br><em>Talk</em></td><td></td>
      <td><div><a><span data-facet-prog="" class="9a1c..-star"></span>Less Sugar</a></div> <div class="performers">..

Times are those of the zone that was chosen when the page was saved, which each day names; where the name means nothing
by itself, the menu of zones says what it means, or which zone was chosen. If the sidecar names the zone
of the venue, they are converted to it, by the moment of the event (``data-start``) or by the named zone. A session that
is repeated in other time zones is printed again, as a mirror: its events have several slots. The id of an event is the
key of its record.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, time
from itertools import pairwise
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from lxml import etree

from parsers._contract import Family, Format, LeftOut, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.elements import text_of
from parsers._ledger.lines import Boilerplate, heading_rule
from parsers._tables.readers import (
    address,
    clock_interval,
    duration,
    epoch_moment,
    link,
    person,
    printed_day,
    time_zone,
)
from parsers._tables.selectors import Selector
from parsers._tables.table import Elements, Match, each, many, maybe, one, read_elements
from parsers._web.layout import markup_layout
from parsers._web.web import one_page
from parsers._words.dates import clock
from parsers._words.identifiers import identifier_in
from parsers._words.programme import Session, Talk, item_record, make_slot, talk_records
from parsers._words.titles import DECORATIONS, kind_of_item, kind_of_own_title, kind_of_talk, read_heading
from parsers._words.zones import zone_of_label
from schemas.items import Item, Record, Reject, Slot


def _event_id(printed: str) -> str:
    """Read the id of an event; in a class it ends in ``-star``."""
    return printed.removesuffix("-star")


def _title_behind_track(printed: str) -> str | None:
    """Read ``- Jams at``, which stands between the track and the room of a session."""
    return printed.removeprefix("-").removesuffix(" at").strip() or None


def _interval(printed: str) -> tuple[time, time] | None:
    """Read ``11:00 - 12:30`` or ``11:00 - 12:30:``."""
    return clock_interval(printed.removesuffix(":"))


_CHROME: Final = (
    "div.time-zone-warning, div.btn, div.modal, h4.program-tentative, div#program-settings-modal, div.facet-container,"
    " div[class*=-facets], thead, h3, div.tab-pane:not(#program):not(#event-overview)"
)
_PAGE: Final = Elements(
    "div.tab-content, div.program-container, div#event-overview", ignored=_CHROME, rule=heading_rule("page", 1)
)
_DAYS: Final = Elements(
    "div.day-wrapper",
    maybe("heading", "h4.day-header > div > div:first-child, div.hidable > h4.day-header::text"),
    rule=heading_rule("day", 2),
    ignored=_CHROME,
)
_ZONE: Final = Selector("div.time-zone-info strong")
_LABEL: Final = heading_rule("zone", 0)
_MENU: Final = Selector("option[data-utc-minute-offset][value]")
_OF_PUBLICATION: Final = re.compile(r"\b(?:DOI|publication)\b", re.IGNORECASE)
_SESSION: Final = Elements(
    "table.session-table",
    one("day", "::attr(data-facet-date)", printed_day),
    maybe(
        "title",
        "tr.session-details div.session-info-in-table::text,"
        " div.session-info-in-table > span.mirror-label:first-child::tail",
    ),
    maybe("title_behind", "td.session-details a.navigate:not(.room-link)::tail", _title_behind_track),
    maybe("times", "div.slot-label, td.session-details div.session-info-in-table::text", _interval),
    maybe("room", "a.room-link"),
    many(
        "tracks", "div.session-info-in-table span.pull-right a, td.session-details > div > a.navigate:not(.room-link)"
    ),
    each(
        "chairs",
        "small > a",
        one("name", "::text"),
        maybe("url", "::attr(href)", address),
        maybe("affiliation", "small > span.prog-aff"),
        flat=True,
    ),
    rule=heading_rule("session", 4),
    ignored="span.mirror-label, td.track-color",
)
_EVENT: Final = Elements(
    "tr[data-slot-id], div.day-wrapper:not(.hidable) tr, table.table-striped table tr, div#event-overview td + td",
    one("title", "a[data-event-modal]::text, span[data-facet-prog]::tail"),
    one("id", "a[data-event-modal]::attr(data-event-modal), span[data-facet-prog]::attr(class)", _event_id),
    maybe("times", "tr[data-slot-id] > td.track-color + td::text", clock_interval),
    maybe("starts", "div.start-time", clock),
    maybe("duration", "div.text-muted > strong", duration),
    maybe("moment", "span[data-start]::attr(data-start)", epoch_moment),
    maybe("type", "div.event-type, td > br + em"),
    maybe("track", "div.prog-track::text"),
    many("badges", "span.output-badge, span.output-badge::attr(data-facet-badge)"),
    each(
        "people",
        "div.performers > a",
        one("name", "::text"),
        maybe("url", "::attr(href)", address),
        maybe("affiliation", "div.performers > span.prog-aff"),
        maybe("presents", "span.role[title=Presenter] + a::attr(href)"),
        flat=True,
        ignored="span.role",
    ),
    each("links", "a.publication-link[href]", maybe("url", "::attr(href)"), maybe("title")),
    ignored="span.role, td > span.text-muted, td.track-color, a.publication-link:not([href])",
)
_AROUND: Final = Boilerplate(
    {
        "comma": ",",
        "slash": "/",
        "at": "at",
        "chairs": r"Chair\(s\):",
        "unscheduled": "Unscheduled Events|Not scheduled yet",
        "zone": "Displayed time zone:?",
        "change": "change",
    }
)


def recognise(document: Document) -> bool:
    """True if the text is HTML with sessions of researchr, or with its events in a list of papers."""
    text = document.text
    return "session-info-in-table" in text or ('id="event-overview"' in text and "data-event-modal=" in text)


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each event, and for each session without events. Raises ``DumpError`` (malformed)."""
    page = document.page
    page.content = next(iter(_PAGE.all(page.root)), page.root)
    document.calls_itself.update(filter(None, [page.root.findtext(".//title")]))
    found = list(read_elements(page, _PAGE, _DAYS, _SESSION, _EVENT))
    listing = {one.inside for one in found if isinstance(one, Match) and one.table is _EVENT}
    after = dict(pairwise(found))
    menu = _MENU.find(page.root)
    zone = _Shown()
    for item in found:
        if isinstance(item, Reject):
            yield item
        elif item.table is _DAYS:
            zone = _shown_zone(next(iter(_ZONE.find(item.element)), None), menu)
            if zone.name and zone.label is not None:
                page.claim(zone.label, _LABEL)
        elif item.table is _EVENT:
            yield _event(document, item, _session(document, item.inside), zone)
        elif item.table is _SESSION and item not in listing:
            alone = _session_alone(document, item, zone)
            yield _noted(alone) if isinstance(alone, Record) and _is_lost(after.get(item)) else alone
    page.claim_texts(_AROUND)


class _Shown(NamedTuple):
    """The zone in which a day is shown: the element that names it, and its IANA name."""

    label: etree._Element | None = None
    name: str | None = None


def _shown_zone(label: etree._Element | None, menu: Sequence[etree._Element]) -> _Shown:
    """Return the zone that a label names, else the one that is chosen in the menu of the page."""
    names = {text_of(option): zone for option in menu if (zone := time_zone(option.get("value")))}
    chosen = (time_zone(option.get("value")) for option in menu if option.get("selected") is not None)
    named = zone_of_label(text_of(label), names) if label is not None else None
    return _Shown(label, named or next(chosen, None))


def _session(document: Document, found: Match | None) -> Session:
    """Return the session of an event; outside any session, one with only the name of the conference."""
    if found is None or found.table is not _SESSION:
        return Session(event=document.facts.event)
    starts, ends = found["times"] or (None, None)
    slot, notes = make_slot(found["day"], starts, ends, found["room"])
    return Session(
        title=found["title"] or found["title_behind"],
        track=" / ".join(dict.fromkeys(found["tracks"])) or None,
        chairs=tuple(map(person, found["chairs"])) or None,
        event=document.facts.event,
        slot=slot,
        notes=(*notes, *found.notes),
    )


def _session_alone(document: Document, found: Match, zone: _Shown) -> Record | Reject:
    """Make the record of a session without events; without a title it is a reject."""
    session = _session(document, found)
    if session.title is None:
        return Reject(*found.lines, text_of(found.element), "incomplete_item", "a session without title and events")
    record = item_record(session, *found.lines, kind_of_item(session.title))
    return _at_the_venue(record, None, zone, document.facts.timezone)


def _event(document: Document, found: Match, session: Session, zone: _Shown) -> Record:
    """Make the record of an event: a talk of its session, with its type, track, badges and links."""
    heading, people = read_heading(found["title"]), tuple(map(person, found["people"])) or None
    if people:
        kind = kind_of_own_title(heading.title, heading.tag) or kind_of_talk(session.title, found["type"])
    else:
        kind = kind_of_item(heading.title, heading.tag)
    if kind == "session" and found["type"]:
        kind = kind_of_item(found["type"])
    starts, ends = found["times"] or (found["starts"], None)
    slot = session.slot or Slot()
    if starts and slot.starts_at and found["duration"]:
        ends = (datetime.combine(slot.starts_at, starts) + found["duration"]).time()
    (record,) = talk_records(
        session,
        [
            Talk(
                *found.lines,
                title=heading.title,
                authors=people,
                presenter=", ".join(person["name"] for person in found["people"] if person["presents"]) or None,
                starts=starts,
                ends=ends,
                native_id=found["id"],
                kind=kind,
                notes=(*heading.notes, *found.notes, *(("field_unread",) if starts and not slot.starts_at else ())),
            )
        ],
    )
    record = record._replace(
        type=found["type"],
        track=found["track"] or (session.track if len({*found.around().get("tracks", ())}) == 1 else None),
        links=tuple(filter(None, map(link, found["links"]))) or None,
        doi=_doi(found["links"]),
        keywords=tuple(dict.fromkeys(found["badges"])) or None,
    )
    record = _at_the_venue(record, found["moment"], zone, document.facts.timezone)
    return _noted(record) if _is_lost(found) else record


def _is_lost(found: Match | Reject | None) -> bool:
    """True if an event is a row of a session and stands in none: those without a time have no slot."""
    if not isinstance(found, Match) or found.table is not _EVENT or "data-slot-id" not in found.element.attrib:
        return False
    is_inside = found.inside is not None and found.inside.table is _SESSION
    return not is_inside and "around_rejected" not in found.notes


def _noted(record: Record) -> Record:
    """Return a record with a note that its session, or the talks of its session, are not what the page shows."""
    return record._replace(notes=tuple(sorted({*record.notes, "heading_unread"})))


def _doi(links: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the DOI of the publication that the links of an event name; None if they name several."""
    named = (each["url"] for each in links if each["url"] and _OF_PUBLICATION.search(each["title"] or ""))
    found = {each.value for address in named if (each := identifier_in(address)) and each.scheme == "doi"}
    return found.pop() if len(found) == 1 else None


def _at_the_venue(record: Record, moment: datetime | None, zone: _Shown, venue: str | None) -> Record:
    """Convert the times of a record from the shown zone to that of the venue; without the latter they stay, with it."""
    slot = record.slots[0] if record.slots else Slot()
    if slot.starts_at is None:
        return record
    notes = {*record.notes, *(("field_unread",) if zone.label is not None and not zone.name else ())}
    starts = slot.starts_at
    if moment is None and zone.name:
        moment = starts.replace(tzinfo=ZoneInfo(zone.name))
    if venue and moment:
        starts = moment.astimezone(ZoneInfo(venue)).replace(tzinfo=None)
    if starts != slot.starts_at:
        notes.add("zone_converted")
    slot = Slot(starts, slot.ends_at and slot.ends_at + (starts - slot.starts_at), slot.room)
    return record._replace(slots=(slot,), timezone=venue or zone.name, notes=tuple(sorted(notes)))


SOURCE: Final = Source(
    "researchr",
    "Programmes on researchr",
    8,
    Family.PROGRAMME,
    PageKind.STATE,
    (Format("html", "HTML with session tables, or a list of papers with events (data-event-modal)", recognise, parse),),
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
    leaves_out=LeftOut(DECORATIONS | frozenset(("chair", "chairs"))),
)
