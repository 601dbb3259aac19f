"""Invented programmes as HTML of every year of the Smart Program and of a similar program.

Attributes are in any order, and meaningless markup and white space vary; the expected records have the numbers of the
talks. ``render_page`` renders without variation, for text extractors.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from html import escape
from itertools import count

from hypothesis import strategies as st

from parsers._ledger.document import Facts
from schemas.items import Person, Record
from tests.sources.easychair.programme import (
    LAYOUTS_OF_PAGES,
    Layout,
    Programme,
    Session,
    Talk,
    clock,
    days_of,
    expected,
    printed_day,
    programmes,
)
from tests.support.layouts import Case, First, Hand, dice

XHTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1.dtd">'
ADDRESS = "https://example.org/smart-program/CRUMB2024"
FIRST_NUMBER = 64974


@dataclass(frozen=True, slots=True)
class Era:
    """What differs by year: the class of the presenter, the doctype, whether rooms are links."""

    presenter: str
    doctype: str
    linked_rooms: bool


ERAS = {
    "2014": Era("speaker", XHTML, linked_rooms=False),
    "2019": Era("speaker", XHTML, linked_rooms=True),
    "2022": Era("presenter", XHTML, linked_rooms=True),
    "2026": Era("presenter", "<!DOCTYPE html>", linked_rooms=True),
}


def render_people(hand: Hand, people: Sequence[Person], layout: Layout) -> str:
    """Return linked names: with affiliations one on each line, else in one sentence."""
    links = [hand.element("a", "person", escape(person.name), href="person1.html") for person in people]
    if layout.affiliations:
        lines = [
            f"{link} ({escape(f'{who.affiliation}, {who.country}')})" for link, who in zip(links, people, strict=True)
        ]
        if hand.random.random() > 0.5:
            return hand.random.choice(("<br/>", "<br>", "\n<br />\n")).join(lines)
        return "".join(f"<div>{line}</div>" for line in lines)
    return links[0] if len(links) == 1 else f"{', '.join(links[:-1])} and {links[-1]}"


def render_talk(hand: Hand, talk: Talk, number: int, layout: Layout, era: Era) -> str:
    """Return the row of a talk."""
    name = hand.tag("a", name=f"talk:{number}")
    authors = hand.element("div", "authors", render_people(hand, talk.authors, layout))
    link = f"{hand.tag('a', href=f'2021-06-16.html#talk:{number}', class_='x')}abstract</a>"
    span = hand.tag("span", style="font-weight:normal;white-space:nowrap")
    if layout.index:
        extra = f"{hand.random.choice((' ', span))}({hand.inside(link)})"
    else:
        icon = hand.tag("img", src="pdf.png", alt="preprint")
        extra = hand.maybe(f"{span} {icon} (<a href='p.pdf'>PDF</a>, <a href='v.html'>video</a>)</span>")
    parts = [
        hand.random.choice((f"{name}{authors}</a>", f"{name}</a>{hand.space()}{authors}")),
        hand.element("div", "title", f"{hand.wrapped(talk.title)}{extra}"),
    ]
    if talk.presenter:
        person = hand.element("a", "person", escape(talk.presenter), href="p.html")
        shown = talk.presenter if talk.presenter == "unknown" else person
        parts.append(hand.element("div", era.presenter, f"{era.presenter.upper()}: {shown}"))
    if talk.paragraphs and not layout.index:
        first, *others = (hand.wrapped(paragraph) for paragraph in talk.paragraphs)
        closing = hand.random.choice(("</p>", "", "</p>\n<p>&nbsp;</p>"))
        paragraphs = "".join(f"<p>{hand.inside(text)}{closing}" for text in (f"ABSTRACT. {first}", *others))
        parts.append(hand.element("div", "abstract", paragraphs))
    cells = f"{hand.element('td', 'time', clock(talk.at), width='1%')}<td>{hand.inside(''.join(parts))}</td>"
    return hand.element("tr", "talk", cells)


def render_heading(hand: Hand, session: Session, number: int) -> str:
    """Return the heading of a session or break."""
    interval = hand.element("span", "interval", f"{clock(session.start)}-{clock(session.end)}")
    title = hand.element("span", "title", f"{hand.maybe('<img src=p.png>')}{hand.wrapped(session.heading)}")
    if session.is_break:
        return hand.element("div", hand.random.choice(("coffeebreak", "lunchbreak")), f"{interval}{title}")
    return f"{hand.tag('a', name=f'session:{number}')}{hand.element('div', 'heading', f'{interval} {title}')}</a>"


def render_details(hand: Hand, session: Session, layout: Layout, era: Era) -> str:
    """Return chairs, room and description of a session."""
    parts = []
    if session.chairs:
        names = hand.element("div", "chair_names", render_people(hand, session.chairs, layout))
        parts.append(
            hand.element("div", "session_chair", hand.element("div", "chair_word", f"{session.role} ") + names)
        )
    if session.room:
        name = hand.element("span", "room_name", escape(session.room))
        linked = f"{hand.tag('a', href='room1.html', class_='x')}{name}</a>" if era.linked_rooms else name
        parts.append(hand.element("div", "room", hand.element("span", "room_word", "Location: ") + linked))
    if session.description:
        paragraphs = "".join(f"<p>{escape(text)}</p>{hand.maybe('<p>&nbsp;</p>')}" for text in session.description)
        parts.append(hand.element("div", "session_desc", paragraphs))
    return "".join(parts) + hand.maybe(hand.element("div", "session_desc", "<p>&nbsp;</p>"))


def render_session(hand: Hand, session: Session, number: int, layout: Layout, era: Era) -> str:
    """Return a session with its talks, numbered from ``number`` on, or a break."""
    heading = render_heading(hand, session, number)
    if session.is_break:
        return hand.element("div", "session", heading)
    content = heading + render_details(hand, session, layout, era)
    if not session.talks:
        return hand.element("div", "session notalk", content)
    rows = "".join(render_talk(hand, talk, number + place, layout, era) for place, talk in enumerate(session.talks))
    return hand.element("div", "session", content + hand.element("table", "talks", f"{hand.maybe('<tbody>')}{rows}"))


def render_sessions(hand: Hand, programme: Programme, layout: Layout, era: Era) -> str:
    """Return the sessions of the days that the page shows."""
    number, blocks = FIRST_NUMBER, []
    for day, sessions in programme.days if layout.index else programme.days[:1]:
        if layout.index:
            views = "<a href='d.html'>with abstracts</a><a href='s.html'>session overview</a><a>talk overview</a>"
            heading = hand.element("div", "date", printed_day(day))
            blocks.append(f"{heading}<p>{hand.space()}View this program: {views}{hand.space()}</p>")
        for session in sessions:
            blocks.append(render_session(hand, session, number, layout, era))
            number += len(session.talks)
    return "".join(blocks)


def render_top(hand: Hand, programme: Programme, layout: Layout) -> str:
    """Return what stands above the sessions."""
    title = f"{hand.tag('div', id='title')}{hand.wrapped(f'{programme.acronym}: {programme.name}')}</div>"
    words = ("PROGRAM", "AUTHORS", "KEYWORDS", *(("SLIDES",) if hand.random.random() < 0.5 else ()))
    menu = "".join(f'<a href="{word}.html">{word}</a>{hand.space()}' for word in words)
    top = f"{title}{hand.tag('div', id='main_menu')}{menu}</div>"
    if layout.index:
        links = "".join(f"<p><a class='program_days' href='d'>{printed_day(day)}</a></p>" for day, _ in programme.days)
        return f"{top}{hand.tag('div', id='pagetitle')}PROGRAM</div><p>Days: </p>{links}"
    names = ("previous_day", "next_day", "all_days")
    days = "".join(f"<a href='x'>{hand.element('div', name, name.replace('_', ' '))}</a>" for name in names)
    session_view = hand.element("a", "day_by_session", "session overview", href="s.html")
    talk_view = hand.element("a", "day_next_link", "talk overview", href="t.html")
    beside = hand.maybe("<a href='f.html'>side by side with other conferences</a>")
    return (
        f"{top}{hand.tag('div', id='pagetitle')}PROGRAM FOR {printed_day(programme.days[0][0]).upper()}</div>"
        f"{hand.element('div', 'days', f'Days: {days}')}<p>View: {session_view}{talk_view}{beside}</p>"
    )


def document(hand: Hand, programme: Programme, era: Era, body: str) -> str:
    """Return the whole page; its script names the day."""
    day = programme.days[0][0]
    script = f"<script type='text/javascript'>var key = 'pd:X:{day.isoformat()}'; var x = '<div>zzz</div>';</script>"
    style = hand.maybe(" style='display:none'")
    foot = '<a href="d">Disclaimer</a> | Powered by <a href="e">EasyChair Smart Program</a>'
    return (
        f"{era.doctype}\n<html{style}><head><title>Page</title>{script}</head><body>{body}"
        f"{hand.tag('div', id='disclaimer')}{hand.inside(foot)}</div>{script}</body></html>"
    )


def with_numbers(records: Sequence[Record], url: str | None) -> tuple[Record, ...]:
    """Give the talks of a page their numbers, and addresses if the page has one."""
    numbers = count(FIRST_NUMBER)
    return tuple(
        with_number(record, next(numbers), url) if "end_inferred" in record.notes else record for record in records
    )


def with_number(record: Record, number: int, url: str | None) -> Record:
    """Give a talk its number."""
    return record._replace(native_id=str(number), url=f"{url}#talk:{number}" if url else None)


def page(programme: Programme, hand: Hand, facts: Facts, layout: Layout, era: Era) -> Case:
    """Render a day page or an index page."""
    body = render_top(hand, programme, layout) + render_sessions(hand, programme, layout, era)
    records = expected(programme, layout, facts)
    url = f"{ADDRESS}/2021-06-16.html" if layout.index and facts.url else facts.url  # where the links lead
    return Case(document(hand, programme, era, body), with_numbers(records, url), facts)


def render_page(programme: Programme, layout: Layout) -> str:
    """Render the day page of the first day, or the index page, without variation."""
    hand, era = Hand(First()), ERAS["2022"]
    return document(
        hand, programme, era, render_top(hand, programme, layout) + render_sessions(hand, programme, layout, era)
    )


def render_likeness(hand: Hand, programme: Programme) -> str:
    """Return the page of a similar program: titles before authors, superscript numbers, talks with intervals."""
    number, blocks = FIRST_NUMBER, []
    for day, sessions in programme.days:
        blocks.append(hand.element("div", "date", f"{day:%A}, {day.day} {day:%B %Y}"))
        for session in sessions:
            blocks.append(render_like_session(hand, session, day, number))
            number += len(session.talks)
    title = f"{hand.tag('div', id='title')}{escape(f'{programme.acronym}: {programme.name}')}</div>"
    return f"\ufeff<!DOCTYPE html><html><body>{title}{''.join(blocks)}</body></html>"


def render_like_session(hand: Hand, session: Session, day: date, number: int) -> str:
    """Return a session; breaks are ordinary ones."""
    interval = f"{clock(session.start)} – {clock(session.end)}"
    title = hand.element("span", "title", escape(session.heading))
    heading = hand.element("h3", "heading", f"{hand.element('span', 'interval', interval)}{title}")
    room = hand.element("div", "room", hand.element("span", "room_name", escape(session.room))) if session.room else ""
    rows = []
    for place, talk in enumerate(session.talks):
        until = ends_of(session)[place]
        time = hand.element("td", "time", f"{clock(talk.at)}–{clock(until)}")
        duration = hand.element("span", "duration", f"({until - talk.at} min)")
        people, places = render_numbered(hand, talk.authors)
        label = "<span class='abstract_label'>Abstract:</span> "
        abstract = "".join(f"<p>{label * (not place)}{escape(text)}</p>" for place, text in enumerate(talk.paragraphs))
        parts = [
            hand.element("div", "title", escape(talk.title)),
            hand.element("div", "authors", people) + places,
            hand.element("div", "abstract", abstract) if abstract else "",
        ]
        hand.random.shuffle(parts)
        cell = f"<td>{duration}{''.join(parts)}</td>"
        rows.append(f"{hand.tag('tr', id=f'talk:{number + place}', class_='talk')}{time}{cell}</tr>")
    dates = {"data_date": day.isoformat(), "data_start": clock(session.start), "data_end": clock(session.end)}
    table = hand.element("table", "talks", "".join(rows)) if rows else ""
    return hand.element("div", "session", f"{heading}{room}{table}", **dates)


def render_numbered(hand: Hand, people: Sequence[Person]) -> tuple[str, str]:
    """Return names with superscript numbers, and the affiliations they refer to."""
    places = list(dict.fromkeys(f"{person.affiliation}, {person.country}" for person in people))
    names = [
        f"{escape(person.name)}<sup>{places.index(f'{person.affiliation}, {person.country}') + 1}</sup>"
        for person in people
    ]
    items = (
        hand.element("div", "affiliation_item", f"<sup>{place}</sup> {escape(text)}")
        for place, text in enumerate(places, 1)
    )
    return ", ".join(names), "".join(items)


def ends_of(session: Session) -> list[int]:
    """Return when each talk ends."""
    return [*(talk.at for talk in session.talks[1:]), session.end]


def likeness(programme: Programme, hand: Hand, facts: Facts) -> Case:
    """Render the page of a similar program: it gives more times, but no chairs and presenters."""
    shown = Programme(
        programme.acronym,
        programme.name,
        tuple((day, tuple(as_shown(session) for session in sessions)) for day, sessions in programme.days),
    )
    layout = Layout(affiliations=True, index=True)
    abstracts = [
        "\n\n".join(talk.paragraphs) or None
        for _, sessions in shown.days
        for session in sessions
        for talk in session.talks
    ]
    records = list(with_numbers(expected(shown, layout, facts), facts.url))
    for place, record in enumerate(records):
        if record.native_id:
            abstract = abstracts[int(record.native_id) - FIRST_NUMBER]
            authors = tuple(map(as_printed, record.authors or ())) or None
            records[place] = record._replace(abstract=abstract, authors=authors)
    return Case(render_likeness(hand, shown), tuple(record._replace(notes=()) for record in records), facts)


def as_printed(person: Person) -> Person:
    """Return a person whose country cannot be told from the affiliation."""
    return Person(person.name, f"{person.affiliation}, {person.country}")


def as_shown(session: Session) -> Session:
    """Remove from a session what similar programs do not print; a break is known only by its title."""
    talks = tuple(replace(talk, presenter=None) for talk in session.talks)
    kinds = ("session", "paper") if session.title == "Walk to the Harbour" else session.kinds
    return replace(session, talks=talks, chairs=(), description=(), is_break=False, kinds=kinds)


def written(render: Callable[[Programme, Hand, Facts, str], Case], most_days: int) -> st.SearchStrategy[Case]:
    """Return pages of any year and style; the sidecar is empty, or gives event and year, or the address."""

    def make(programme: Programme, seed: int, told: int, era: str) -> Case:
        facts = Facts(event="Told 1", year=programme.days[0][0].year) if told == 1 else Facts()
        facts = Facts(url=f"{ADDRESS}/index.html") if told == 2 else facts
        return render(programme, Hand(dice(seed)), facts, era)

    return st.builds(
        make, programmes(most_days), st.integers(0, 2**32), st.integers(0, 2), st.sampled_from(sorted(ERAS))
    )


def any_page(layout: Layout) -> st.SearchStrategy[Case]:
    """Return pages of a layout."""
    return written(lambda programme, hand, facts, era: page(programme, hand, facts, layout, ERAS[era]), days_of(layout))


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    "html_day": any_page(LAYOUTS_OF_PAGES["full_names"]),
    "html_day_affiliations": any_page(LAYOUTS_OF_PAGES["full_affiliations"]),
    "html_index": any_page(LAYOUTS_OF_PAGES["full_index"]),
    "html_index_affiliations": any_page(LAYOUTS_OF_PAGES["index_affiliations"]),
    "html_likeness": written(lambda programme, hand, facts, _era: likeness(programme, hand, facts), 3),
}
