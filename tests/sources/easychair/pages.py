"""Renders an invented programme as the HTML of a Smart Program, for text extractors to read."""

from datetime import date
from html import escape

from schemas.items import Person
from tests.sources.easychair.programme import Layout, Programme, Session, Talk, clock, printed_day


def render_page(programme: Programme, layout: Layout) -> str:
    """Render the day page of the first day, or the index page of all days."""
    title = escape(f"{programme.acronym}: {programme.name}")
    menu = "".join(f'<a href="{word}.html">{word}</a>' for word in ("PROGRAM", "AUTHORS", "KEYWORDS"))
    days = programme.days if layout.index else programme.days[:1]
    body = "".join(
        (index_head(day) if layout.index else "") + "".join(render_session(session, layout) for session in sessions)
        for day, sessions in days
    )
    return (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x"><html><body>'
        f'<div id="title">{title}</div><div id="main_menu">{menu}</div>'
        f"{index_links(programme) if layout.index else day_links(days[0][0])}{body}"
        '<div id="disclaimer"><a href="d">Disclaimer</a> | Powered by <a href="e">EasyChair Smart Program</a></div>'
        "</body></html>"
    )


def day_links(day: date) -> str:
    """Render the head of a day page."""
    links = "".join(
        f'<a href="{name}.html"><div class="{name}">{name.replace("_", " ")}</div></a>'
        for name in ("previous_day", "next_day", "all_days")
    )
    return (
        f'<div id="pagetitle">PROGRAM FOR {printed_day(day).upper()}</div><div class="days">Days: {links}</div>'
        '<p>View: <a class="day_by_session" href="s">session overview</a>'
        '<a class="day_next_link" href="t">talk overview</a></p>\n'
    )


def index_links(programme: Programme) -> str:
    """Render the head of an index page."""
    links = "".join(f'<p><a class="program_days" href="d">{printed_day(day)}</a></p>' for day, _ in programme.days)
    return f'<div id="pagetitle">PROGRAM</div><p>Days: </p>{links}\n'


def index_head(day: date) -> str:
    """Render the head of one day of an index page."""
    return (
        f'<div class="date">{printed_day(day)}</div><p>View this program: <a href="x">with abstracts</a>'
        '<a href="y">session overview</a><a href="z">talk overview</a></p>\n'
    )


def render_session(session: Session, layout: Layout) -> str:
    """Render a session with its talks, or a break."""
    interval = f'<span class="interval">{clock(session.start)}-{clock(session.end)}</span>'
    title = f'<span class="title">{escape(session.heading)}</span>'
    if session.is_break:
        return f'<div class="session"><div class="coffeebreak">{interval}{title}</div></div>\n'
    parts = [f'<a name="session:1"><div class="heading">{interval} {title}</div></a>']
    if session.chairs:
        names = f'<div class="chair_names">{render_people(session.chairs, layout)}</div>'
        parts.append(f'<div class="session_chair"><div class="chair_word">{session.role} </div>{names}</div>')
    if session.room:
        room = f'<span class="room_name"><a href="room1.html">{escape(session.room)}</a></span>'
        parts.append(f'<div class="room"><span class="room_word">Location: </span>{room}</div>')
    if session.description:
        paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in session.description)
        parts.append(f'<div class="session_desc">{paragraphs}</div>')
    if session.talks:
        rows = "".join(render_talk(talk, layout) for talk in session.talks)
        parts.append(f'<table class="talks">{rows}</table>')
    return f'<div class="session">{"".join(parts)}</div>\n'


def render_talk(talk: Talk, layout: Layout) -> str:
    """Render one talk as a table row."""
    link = ' (<a href="day.html#talk:1">abstract</a>)' if layout.index else ""
    parts = [
        f'<a name="talk:1"><div class="authors">{render_people(talk.authors, layout)}</div></a>',
        f'<div class="title">{escape(talk.title)}{link}</div>',
    ]
    if talk.presenter:
        name = talk.presenter if talk.presenter == "unknown" else f'<a class="person" href="p">{talk.presenter}</a>'
        parts.append(f'<div class="presenter">PRESENTER: {name}</div>')
    if talk.paragraphs and not layout.index:
        first, *others = (escape(paragraph) for paragraph in talk.paragraphs)
        parts.append(
            f'<div class="abstract"><p>ABSTRACT. {first}</p>{"".join(f"<p>{other}</p>" for other in others)}</div>'
        )
    return f'<tr class="talk"><td class="time">{clock(talk.at)}</td><td>{"".join(parts)}</td></tr>\n'


def render_people(people: tuple[Person, ...], layout: Layout) -> str:
    """Render linked names: with affiliations one on each line, else in one sentence."""
    links = [f'<a class="person" href="person1.html">{escape(person.name)}</a>' for person in people]
    if layout.affiliations:
        return "<br/>".join(
            f"{link} ({escape(f'{person.affiliation}, {person.country}')})"
            for link, person in zip(links, people, strict=True)
        )
    return links[0] if len(links) == 1 else f"{', '.join(links[:-1])} and {links[-1]}"
