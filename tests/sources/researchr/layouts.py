"""Invented programmes of researchr and lists of papers, with the expected records."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from html import escape
from typing import Any

from hypothesis import strategies as st

from parsers._ledger.document import Facts
from schemas.items import Link, Person, Record, Slot
from tests.support.layouts import Case, pick

TITLES = ("Less Sugar", "Pots & Pans: a Study", "Größe zählt", "Lids <and> Labels", "Q&A on Jam, Part 2")
PEOPLE = ("Ada Quill", "Bo Ferns", "Cai Ångström", "D. O'Marsh", "李 Wen")
PLACES = (None, "Bay University, Norland", "Mole Lab")
BADGE = "Best Jam Award"
BADGES = (
    f'<span class="pull-right"><span class="output-badge" data-facet-badge="{BADGE}"><img></span></span>'
    '<span class="pull-right"><span class="output-badge">Remote</span></span>'
)
ROOMS = ("Pot", "Großer Saal", "Room 2 & 3")
FACTS = Facts(event="JAM 2026")


@dataclass(frozen=True)
class Event:
    """One invented event, which starts ``after`` minutes into its session."""

    title: str
    after: int
    length: int
    people: tuple[tuple[str, str | None], ...]
    presenter: str | None
    link: bool


@dataclass(frozen=True)
class Session:
    """One invented session: its day, times and room, its chairs and its events."""

    title: str
    day: date
    starts: int
    room: str
    track: str
    chairs: tuple[tuple[str, str | None], ...]
    events: tuple[Event, ...]

    def at(self, minutes: int) -> datetime:
        """Return a moment of the session in local time."""
        return datetime.combine(self.day, time()) + timedelta(hours=self.starts, minutes=minutes)


def people(most: int) -> st.SearchStrategy[tuple[tuple[str, str | None], ...]]:
    """Return people with their places."""
    return st.lists(st.tuples(pick(PEOPLE), pick(PLACES)), max_size=most, unique_by=lambda one: one[0]).map(tuple)


def sessions() -> st.SearchStrategy[list[Session]]:
    """Return one to four sessions."""
    event = st.builds(
        Event,
        pick(TITLES),
        st.sampled_from((0, 20, 40)),
        st.sampled_from((9, 60, 150)),
        people(3),
        st.none(),
        st.booleans(),
    ).map(lambda one: Event(**{**vars(one), "presenter": one.people[-1][0] if one.people and one.link else None}))
    session = st.builds(
        Session,
        st.sampled_from(("Jams", "Catering", "Keynote")),
        st.dates(date(2026, 5, 1), date(2026, 5, 3)),
        st.integers(8, 16),
        pick(ROOMS),
        st.sampled_from(("Fruit", "JAM")),
        people(2),
        st.lists(event, max_size=3).map(tuple),
    )
    return st.lists(session, min_size=1, max_size=4)


def programme(page: Sequence[Session]) -> Case:
    """Render a whole programme."""
    shown, records = [], []
    for place, session in enumerate(page):
        records += records_of(session, place)
        shown.append(in_table(session, place))
    zone = '<div class="time-zone-info"><small>Displayed time zone: <strong>Athens</strong> <a>change</a></small></div>'
    head = f'<h4 class="day-header"><div><div>Fri 1 May</div>{zone}</div></h4>'
    text = page_of(f'<div class="hidable day-wrapper">{head}{"".join(shown)}</div>')
    return Case(text, tuple(record._replace(timezone="Europe/Athens") for record in records), FACTS)


def page_of(content: str) -> str:
    """Return a page with some content, beside a menu."""
    return (
        "<!DOCTYPE html><html><head><title>Program - JAM 2026</title></head><body><nav>Menu</nav>"
        f'<div class="program-container"><div class="time-zone-warning">Your zone</div>{content}</div></body></html>'
    )


def identifier(place: int, number: int) -> str:
    """Return the identifier of an event."""
    return f"9a1c0000-0000-4000-8000-{1000 * place + number:012}"


def persons(some: Sequence[tuple[str, str | None]]) -> tuple[Person, ...] | None:
    """Return people as in the records."""
    return tuple(Person(name, place, url=profile(name)) for name, place in some) or None


def profile(name: str) -> str:
    """Return the address of a person."""
    return f"https://jam.example/profile/{PEOPLE.index(name)}"


def records_of(session: Session, place: int) -> list[Record]:
    """Return the records of a session: its events, or itself where it has none."""
    common: dict[str, Any] = {"event": "JAM 2026", "track": session.track, "chairs": persons(session.chairs)}
    badges = (BADGE, "Remote")
    if not session.events:
        kind = "keynote" if session.title == "Keynote" else "session"
        slot = Slot(session.at(0), session.at(90), session.room)
        return [Record(None, None, kind=kind, title=session.title, slots=(slot,), **common)]
    talk = "keynote" if session.title == "Keynote" else "paper"
    return [
        Record(
            None,
            None,
            kind=talk if event.people else "session",
            type="Talk",
            native_id=identifier(place, number),
            title=event.title,
            authors=persons(event.people),
            presenter=event.presenter,
            session_title=session.title,
            slots=(Slot(session.at(event.after), session.at(event.after + event.length), session.room),),
            links=(Link("https://doi.org/10.1234/x", "DOI"),) if event.link else None,
            doi="10.1234/x" if event.link else None,
            keywords=badges,
            **common,
        )
        for number, event in enumerate(session.events)
    ]


def in_table(session: Session, place: int) -> str:
    """Return the table of a session."""
    rows = "".join(row(session, event, identifier(place, number)) for number, event in enumerate(session.events))
    chairs = f"<small>Chair(s): {linked(session.chairs)}</small>" if session.chairs else ""
    return f"""<div class="hidable band"><table class="table session-table" data-facet-date="{day_of(session)}"
data-facet-room="{escape(session.room)}"><tr class="session-details"><td></td>
<td><div class="slot-label">{session.at(0):%H:%M} - {session.at(90):%H:%M}</div></td><td colspan="2">
<div class="session-info-in-table">{session.title}
<span class="pull-right"><a class="text-muted">{session.track}</a></span>
at <a class="room-link">{escape(session.room)}</a><br>{chairs}</div></td></tr>{rows}</table></div>"""


def day_of(session: Session) -> str:
    """Return the day of a session as printed."""
    return f"{session.day:%a} {session.day.day} {session.day:%b %Y}"


def row(session: Session, event: Event, event_id: str) -> str:
    """Return the row of an event."""
    hours, minutes = divmod(event.length, 60)
    length = (f"{hours}h" if hours else "") + (f"{minutes}m" if minutes else "")
    return f"""<tr data-slot-id="5f1c-{event_id}" class="hidable"><td></td>
<td class="text-right"><div class="text-muted">
<div class="start-time">{session.at(event.after):%H:%M}</div><strong>{length}</strong></div>
<div class="event-type">Talk</div></td><td></td><td>{content(session, event, event_id)}</td></tr>"""


def content(session: Session, event: Event, event_id: str) -> str:
    """Return what is shown beside the time of an event."""
    people = linked(event.people, event.presenter)
    link = '<a class="publication-link" href="https://doi.org/10.1234/x"><span></span> DOI</a>' if event.link else ""
    return f"""<strong><a href="#" data-event-modal="{event_id}">{escape(event.title)}
{BADGES}</a></strong>
<div class="prog-track">{session.track}</div>
<div class="performers">{people}</div>{link}"""


def linked(some: Sequence[tuple[str, str | None]], presenter: str | None = None) -> str:
    """Return people with their links and places."""
    return ", ".join(
        f"{'<span class=role title=Presenter>P: </span>' if name == presenter else ''}"
        f'<a href="{profile(name)}" class="navigate">{escape(name)}</a>'
        f"{f'<span class=prog-aff> {escape(place)}</span>' if place else ''}"
        for name, place in some
    )


def programme_of_2018(page: Sequence[Session]) -> Case:
    """Render a whole programme in the layout of 2018, which prints neither zone nor presenter."""
    shown, records = [], []
    for place, session in enumerate(page):
        records += [record._replace(presenter=None) for record in records_of(session, place)]
        shown.append(in_table_of_2018(session, place))
    text = page_of(f'<div class="hidable day-wrapper"><h4 class="day-header">Fri 1 May</h4>{"".join(shown)}</div>')
    return Case(text, tuple(records), FACTS)


def in_table_of_2018(session: Session, place: int) -> str:
    """Return the table of a session in the layout of 2018."""
    rows = "".join(row_of_2018(session, event, identifier(place, n)) for n, event in enumerate(session.events))
    chairs = f"<small>Chair(s): {linked(session.chairs)}</small>" if session.chairs else ""
    return f"""<div class="hidable"><table class="table session-table" data-facet-date="{day_of(session)}"><tr>
<td class="track-color"><span>jam-2026-fruit</span></td><td colspan="42" class="session-details">
<div class="session-info-in-table">{session.at(0):%H:%M} - {session.at(90):%H:%M}:
<a class="navigate">{session.track}</a> - {session.title} at
<a class="room-link navigate">{escape(session.room)}</a><br>{chairs}</div></td></tr>{rows}</table></div>"""


def row_of_2018(session: Session, event: Event, event_id: str) -> str:
    """Return the row of an event in the layout of 2018."""
    starts, ends = session.at(event.after), session.at(event.after + event.length)
    link = '<a class="publication-link" href="https://doi.org/10.1234/x"><span></span> DOI</a>' if event.link else ""
    return f"""<tr data-slot-id="5f1c-{event_id}" class="hidable">
<td class="track-color"><span>jam-2026-fruit</span></td>
<td>{starts:%H:%M} - {ends:%H:%M}<br><em>Talk</em></td><td></td>
<td><div><a href="javascript:void(0)"><span data-facet-prog="" class="{event_id}-star"></span>{escape(event.title)}
{BADGES}</a></div><div class="performers">{linked(event.people)}</div>{link}
<a class="publication-link">File Attached</a></td></tr>"""


def paper_list(page: Sequence[Session]) -> Case:
    """Render the papers of the programme as a list, without times."""
    rows, records = [], []
    for place, session in enumerate(page):
        for number, event in enumerate(session.events):
            event_id = identifier(place, number)
            rows.append(f"<tr><td></td><td>{content(session, event, event_id)}</td></tr>")
            (found,) = records_of(Session(**{**vars(session), "events": (event,)}), place)
            kind = "paper" if event.people else "session"
            bare = found._replace(type=None, session_title=None, chairs=None, slots=None)
            records.append(bare._replace(kind=kind, native_id=event_id))
    table = f"<table><thead><tr><th>Title</th></tr></thead>{''.join(rows)}</table>"
    return Case(page_of(f'<div id="event-overview"><h3>Accepted Papers</h3>{table}</div>'), tuple(records), FACTS)


def pages(render: Callable[[Sequence[Session]], Case]) -> st.SearchStrategy[Case]:
    """Return pages that show at least one event."""
    return sessions().filter(lambda page: any(session.events for session in page)).map(render)


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    "programme": pages(programme),
    "programme_of_2018": pages(programme_of_2018),
    "paper_list": pages(paper_list),
}
