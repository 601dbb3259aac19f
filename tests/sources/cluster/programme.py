"""Invented programmes at a glance, printed as the page of each year prints them, and as extractors leave them.

``render_page`` gives markup of the shape the pages have; ``render_traf`` the text that the extractor leaves which
keeps no blank lines. Nothing here knows the parser.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, time
from html import escape

from schemas.items import Person
from tests.support.layouts import ordinal

MONTHS = "January February March April May June July August September October November December".split()
ROMAN = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split()


@dataclass(frozen=True)
class Paper:
    """A talk; ``placeholder`` stands where the abstract should."""

    title: str
    authors: tuple[Person, ...]
    paragraphs: tuple[str, ...]
    award: bool = False
    placeholder: bool = False


@dataclass(frozen=True)
class Sitting:
    """One session or item. ``number`` counts paper sessions, ``speaker`` makes a keynote, ``note`` ends the title."""

    title: str
    kind: str = "session"
    number: int | None = None
    speaker: Person | None = None
    tag: str | None = None
    room: str | None = None
    chair: Person | None = None
    papers: tuple[Paper, ...] = ()
    points: tuple[str, ...] = ()
    note: str | None = None
    presenter: str | None = None
    cancelled: bool = False
    session_type: str = "Other"


@dataclass(frozen=True)
class Hour:
    """A slot; ``number`` counts slots of paper sessions."""

    starts: time
    ends: time
    sittings: tuple[Sitting, ...]
    number: int = 0


@dataclass(frozen=True)
class DayPlan:
    """A day."""

    day: date
    hours: tuple[Hour, ...]


@dataclass(frozen=True)
class Plan:
    """A programme as the page of ``year`` prints it."""

    year: int
    days: tuple[DayPlan, ...]

    @property
    def title(self) -> str:
        """The page title."""
        return f"IEEE Cluster {self.year} Program"


def print_day(year: int, day: date) -> str:
    """Print a day heading as in ``year``."""
    month = MONTHS[day.month - 1]
    weekday = day.strftime("%A")
    if year <= 2019:
        return f"{weekday}, {month} {ordinal(day.day)}"
    if year <= 2023:
        return f"Conference - {weekday}, {month[:3] if year == 2023 else month} {day.day}"
    if year == 2024:
        return f"{month} {day.day}"
    return f"{weekday} {month} {ordinal(day.day)}"


def print_hour(year: int, hour: Hour) -> str:
    """Print a time line as in ``year``."""
    if year <= 2019:
        return f"{twelve(hour.starts)}-{twelve(hour.ends)}"
    if year == 2021:
        start = f"{twelve(hour.starts)[:-2].zfill(5)} {twelve(hour.starts)[-2:]} PT"
        return f"{start} - Session {hour.number}" if hour.number else start
    if year <= 2023:
        label = " -- Parallel Sessions" if sum(bool(sitting.papers) for sitting in hour.sittings) > 1 else ""
        return f"{plain(hour.starts)} - {plain(hour.ends)}{label}"
    return f"{plain(hour.starts)}-{plain(hour.ends)}"


def plain(clock: time) -> str:
    """Print 9:30, 14:00."""
    return f"{clock.hour}:{clock.minute:02}"


def twelve(clock: time) -> str:
    """Print 9:30am, 2:00pm."""
    return f"{(clock.hour - 1) % 12 + 1}:{clock.minute:02}{'am' if clock.hour < 12 else 'pm'}"


def print_title(year: int, sitting: Sitting) -> str:
    """Print a session's title as in ``year``."""
    if sitting.speaker is not None and year >= 2022:
        who = sitting.speaker
        return f"Keynote: {who.name}, {who.affiliation}" if year < 2024 else f"Keynote ({sitting.number}): {who.name}"
    if sitting.number is None or sitting.speaker is not None:
        return f"[{sitting.tag}] {sitting.title}" if sitting.tag else sitting.title
    roman = ROMAN[sitting.number - 1]
    return {
        2018: f"Paper session {roman}: {sitting.title}",
        2021: f"Track {'ABCDEFGH'[sitting.number % 8]}: {sitting.title}",
        2023: f"{sitting.title} (Session {roman})",
        2024: f"Session ({sitting.number}) {sitting.title}",
        2025: f"Session ({sitting.number}) {sitting.title}",
    }.get(year, sitting.title)


def print_chair(year: int, chair: Person) -> str:
    """Print a chair as in ``year``."""
    if year <= 2019:
        return chair.name
    if year == 2022:
        return f"Chair: {chair.name}"
    return f"Chair: {chair.name} ({chair.affiliation})" if year == 2024 else f"Chair: {chair.name}, {chair.affiliation}"


def print_authors(year: int, authors: tuple[Person, ...]) -> str:
    """Print an author list as in ``year``."""
    if year <= 2019:
        return print_runs(authors)
    if year in {2021, 2022}:
        return ", ".join(who.name for who in authors)
    if year >= 2025:
        return ", ".join(who.name.split()[-1] for who in authors)
    each = [f"{who.name} ({who.affiliation})" for who in authors]
    if year == 2023 and len(each) > 1:
        each[-1] = f"and {each[-1]}"
    return ", ".join(each)


def print_runs(authors: tuple[Person, ...]) -> str:
    """Print ``A, B, and C (X); D (Y); and E (Z)``: one bracket for each run of the same affiliation."""
    runs: list[list[Person]] = []
    for who in authors:
        if runs and runs[-1][0].affiliation == who.affiliation:
            runs[-1].append(who)
        else:
            runs.append([who])
    printed = [f"{listed([who.name for who in run])} ({run[0].affiliation})" for run in runs]
    return "; ".join([*printed[:-1], f"and {printed[-1]}"]) if len(printed) > 1 else printed[0]


def listed(names: list[str]) -> str:
    """Print ``A``, ``A and B``, ``A, B, and C``."""
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])}, and {names[-1]}"


def chair_is_last(year: int, sitting: Sitting) -> bool:
    """True if the chair stands below the talk."""
    return year == 2022 and sitting.speaker is not None


def room_is_first(year: int, sitting: Sitting) -> bool:
    """True if the room stands above the title."""
    return year == 2022 and sitting.kind == "workshop_box"


def render_traf(plan: Plan, *, authors: bool, bodies: bool) -> str:
    """Render the text that is left without blank lines; a lone ``|`` opens a column."""
    return "\n".join(traf_lines(plan, authors=authors, bodies=bodies))


def traf_lines(plan: Plan, *, authors: bool, bodies: bool) -> Iterator[str]:
    """Yield the lines of ``render_traf``."""
    for day in plan.days:
        yield "|"
        yield print_day(plan.year, day.day)
        for hour in day.hours:
            yield print_hour(plan.year, hour)
            for sitting in hour.sittings:
                if sitting.cancelled:
                    yield "Canceled"
                yield from sitting_lines(plan.year, sitting)
                for paper in sitting.papers:
                    yield from paper_lines(plan.year, paper, authors=authors, bodies=bodies)
                if sitting.chair and chair_is_last(plan.year, sitting):
                    yield print_chair(plan.year, sitting.chair)
                if plan.year == 2018:
                    yield sitting.session_type


def sitting_lines(year: int, sitting: Sitting) -> Iterator[str]:
    """Yield title, room, chair and points of a session."""
    title = print_title(year, sitting)
    rooms = [*filter(None, [sitting.note, sitting.room])]
    yield from [*rooms, title] if room_is_first(year, sitting) else [title, *rooms]
    if sitting.chair and not chair_is_last(year, sitting):
        yield print_chair(year, sitting.chair)
    if sitting.presenter:
        yield f"Presenter: {sitting.presenter}"
    yield from sitting.points


def paper_lines(year: int, paper: Paper, *, authors: bool, bodies: bool) -> Iterator[str]:
    """Yield the lines of one talk."""
    yield paper.title
    yield paper.title
    if paper.award:
        yield "Best Paper"
    if authors:
        yield print_authors(year, paper.authors)
    yield "Abstract"
    if bodies:
        yield from ("TBD",) if paper.placeholder else paper.paragraphs


def render_page(plan: Plan) -> str:
    """Render the page: one cell a day; what a click opens is there, hidden."""
    days = "".join(f"<td>{page_day(plan.year, day)}</td>\n" for day in plan.days)
    views = " | ".join(
        ["<span>Overview</span>", *(f'<a href="{name}.html">By {name.title()}</a>' for name in ("date", "room"))]
    )
    return (
        f"<!DOCTYPE html><html><head><title>{plan.title}</title></head><body>"
        f'<div><div><span class="page-title">{plan.title}</span></div></div><br/><div>{views}<br/></div><br/>'
        f'<div id="main-content-box"><table id="program-table"><tr>{days}</tr></table></div></body></html>'
    )


def page_day(year: int, day: DayPlan) -> str:
    """Render the cell of one day."""
    hours = "".join(
        f'<div class="timeslot"><h3 class="session-time">{print_hour(year, hour)}</h3>\n'
        + "".join(page_sitting(year, sitting) for sitting in hour.sittings)
        + "</div>\n"
        for hour in day.hours
    )
    return f'<h2 class="section-title">{print_day(year, day.day)}</h2><hr/>\n{hours}'


def page_sitting(year: int, sitting: Sitting) -> str:
    """Render one session."""
    mark = "<b>Canceled</b> " if sitting.cancelled else ""
    note = f"<br/>{escape(sitting.note)}" if sitting.note else ""
    title = f'<div class="session-title">{mark}{escape(print_title(year, sitting))}{note}</div>\n'
    room = f'<div class="room-name">{escape(sitting.room)}</div>\n' if sitting.room else ""
    presenter = f"<br/>Presenter: {escape(sitting.presenter)}" if sitting.presenter else ""
    chair = ""
    if sitting.chair:
        chair = f'<div class="session-chair">{escape(print_chair(year, sitting.chair))}{presenter}</div>\n'
    talks = "".join(page_paper(year, paper) for paper in sitting.papers)
    points = "".join(f'<div class="slot-wrapper">{escape(point)}</div>\n' for point in sitting.points)
    head = room + title if room_is_first(year, sitting) else title + room
    body = talks + chair if chair_is_last(year, sitting) else chair + points + talks
    kind = f'<div class="session-type">{sitting.session_type}</div>\n' if year == 2018 else ""
    return f'<div class="program-session">{head}{body}{kind}<div class="hr"><hr/></div></div>\n'


def page_paper(year: int, paper: Paper) -> str:
    """Render one talk: the visible title, and hidden below it title, authors and abstract."""
    award = '<div><span class="BP award">Best Paper</span></div>\n' if paper.award else ""
    body = "<p>TBD</p>" if paper.placeholder else "".join(f"<p>{escape(text)}</p>" for text in paper.paragraphs)
    return (
        f'<div class="slot-title"><div class="slot-wrapper"><span class="ttip_object_info_very_wide">\n'
        f'{escape(paper.title)}\n<i class="fa fa-caret-right"></i></span>\n'
        f'<div class="info_link_object_info" style="display: none;"><b id="t_title">\n{escape(paper.title)}\n</b>'
        f'<hr/><div>{award}<div class="author-names">\n{escape(print_authors(year, paper.authors))}\n</div>\n'
        f"<div><div>Abstract<blockquote>{body}</blockquote></div></div></div></div></div></div>\n"
    )
