"""Pages as hands and browsers leave them: the by-date page, and the same markup written in many other ways.

``render_by_date`` gives the page of 2018 and 2019 that prints weekdays alone. ``disturb`` changes nothing that a
browser shows: order and quotes of attributes, white space, wrappers, comments, end tags that are missing.
"""

import re
from html import escape
from random import Random

from tests.sources.cluster.programme import (
    MONTHS,
    DayPlan,
    Hour,
    Paper,
    Plan,
    Sitting,
    listed,
    print_hour,
    print_runs,
    print_title,
)

_TAG = re.compile(r"<(?P<name>[a-z][a-z0-9]*)(?P<attributes>(?: [a-z-]+=\"[^\"]*\")*)(?P<end>/?)>")
_ATTRIBUTE = re.compile(r"(?P<name>[a-z-]+)=\"(?P<value>[^\"]*)\"")
_SESSION_END = '<div class="hr"><hr/></div></div>'
_COMMENT = (
    '<!-- <div class="slot-wrapper"><div class="author-names">TEXT</div>Abstract<blockquote>TEXT</blockquote></div> -->'
)


def disturb(rng: Random, page: str) -> str:
    """Write a page in another way."""
    if rng.random() < 0.5:
        page = re.sub(r"(</?(?:div|td|tr|table|blockquote|p|h2|h3)\b[^>]*>)", r"\n   \1\n", page)
    if rng.random() < 0.5:
        page = lose_end_tags(rng, page)
    if rng.random() < 0.5:
        page = page.replace('<div class="timeslot">', _COMMENT + '<div class="row"><div class="timeslot">')
    if rng.random() < 0.3:
        page = page.replace("<td>", '<td><div class="cell"><section>').replace("</td>", "</section></div></td>")
    return _TAG.sub(lambda found: rewrite(rng, found), page)


def lose_end_tags(rng: Random, page: str) -> str:
    """Leave out some end tags of sessions, so that those below nest; at most as many as the reader can nest."""
    pieces = page.split(_SESSION_END)
    lost = set(rng.sample(range(1, len(pieces)), k=min(len(pieces) - 1, rng.randint(0, 6))))
    return "".join(
        piece if not number else (_SESSION_END.removesuffix("</div>") if number in lost else _SESSION_END) + piece
        for number, piece in enumerate(pieces)
    )


def rewrite(rng: Random, found: re.Match[str]) -> str:
    """Write a start tag in another way."""
    attributes = [(each["name"], each["value"]) for each in _ATTRIBUTE.finditer(found["attributes"])]
    if rng.random() < 0.2:
        attributes.append(("data-row", str(rng.randrange(9))))
    rng.shuffle(attributes)
    quote = rng.choice("\"'")
    written = [
        f"{name}={quote}{f'wide {value} x-1' if name == 'class' and rng.random() < 0.2 else value}{quote}"
        for name, value in attributes
    ]
    name = found["name"].upper() if rng.random() < 0.2 else found["name"]
    blank = rng.choice([" ", "  ", "\n"])
    return f"<{blank.join([name, *written])}{found['end']}>"


def render_by_date(plan: Plan, *, dated: bool) -> str:
    """Render the page by date; ``dated``: the dates of the conference stand above it."""
    first, last = plan.days[0].day, plan.days[-1].day
    span = f"{MONTHS[first.month - 1]} {first.day} - {MONTHS[last.month - 1]} {last.day}, {plan.year}"
    anchors = "".join(
        f'<a href="#slot{number}">{day.day:%A} {print_hour(plan.year, hour)}</a><br/>\n'
        for number, (day, hour) in enumerate((day, hour) for day in plan.days for hour in day.hours)
    )
    entries = "".join(
        render_entry(plan.year, day, hour, sitting)
        for day in plan.days
        for hour in day.hours
        for sitting in hour.sittings
    )
    return (
        f"<!DOCTYPE html><html><head><title>{plan.title}</title></head><body><ul><li>Home</li><li>Travel</li></ul>"
        f'<p>{span if dated else ""}</p><span class="page-title">{plan.title}</span>'
        f'<div class="entries">{anchors}{entries}</div></body></html>'
    )


def render_entry(year: int, day: DayPlan, hour: Hour, sitting: Sitting) -> str:
    """Render one session."""
    room = f'<span class="room-name">{escape(sitting.room)}</span><br/>' if sitting.room else ""
    chair = ""
    if sitting.chair:
        who = f"Chair: {sitting.chair.name} ({sitting.chair.affiliation})"
        chair = f'<div class="session-chair">{escape(who)}</div>\n'
    return (
        f'<div class="session-entry"><span class="session-date">{day.day:%A}</span> '
        f'<span class="session-time">{print_hour(year, hour)}</span><br/>{room}'
        f'<span class="session-event-type">{sitting.session_type}</span>\n'
        f'<div class="session-title">{escape(print_title(year, sitting))}</div>{chair}'
        f"{''.join(render_slot(paper, keynote=sitting.speaker is not None) for paper in sitting.papers)}"
        '<div class="hr"><hr/></div></div>\n'
    )


def render_slot(paper: Paper, *, keynote: bool) -> str:
    """Render one talk; a keynote has the biography of its speaker."""
    award = '<div class="award">Best Paper</div>' if paper.award else ""
    toggles = [("Biography", [biography_of(paper)])] if keynote else []
    return (
        f'<div class="slot-entry"><div class="slot-title">{escape(paper.title)}</div>{award}'
        f'<div class="slot-authors">{escape(print_runs(paper.authors))}</div>\n'
        + "".join(
            f'<div><a href="#x">{label}</a><div style="display: none;"><b>{label}</b>'
            f"{''.join(f'<p>{escape(text)}</p>' for text in texts)}</div></div>"
            for label, texts in [*toggles, ("Abstract", paper.paragraphs)]
        )
        + "</div>\n"
    )


def biography_of(paper: Paper) -> str:
    """Invent the biography that stands with a keynote."""
    return (
        f"{listed([who.name for who in paper.authors])} has built clocks since before there were any, and has "
        "told the time to ships of all sizes from the lighthouses of three harbours, whose clocks are all late."
    )
