"""Invented programmes, and the records expected from what each kind of page shows."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from hypothesis import strategies as st

from parsers._ledger.document import Facts
from schemas.items import Person, Record, Slot
from tests.support.invented import ROOMS, SENTENCES, members, paragraphs, titles
from tests.support.layouts import ordinal


@dataclass(frozen=True, slots=True)
class Talk:
    """A talk; ``at`` is minutes after midnight."""

    at: int
    title: str
    authors: tuple[Person, ...]
    presenter: str | None
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """A session, or a break where ``is_break``; ``kinds`` are those of the session itself and of its talks."""

    start: int
    end: int
    title: str
    kinds: tuple[str, str]
    code: str | None = None
    track: str | None = None
    word: bool = True
    chairs: tuple[Person, ...] = ()
    role: str = "Chair:"
    room: str | None = None
    description: tuple[str, ...] = ()
    talks: tuple[Talk, ...] = ()
    is_break: bool = False

    @property
    def heading(self) -> str:
        """The title as printed, without the interval."""
        title = f"{self.track}: {self.title}" if self.track else self.title
        return f"Session {self.code or ''}: {title}" if self.word else title


@dataclass(frozen=True, slots=True)
class Programme:
    """A conference of some days."""

    acronym: str
    name: str
    days: tuple[tuple[date, tuple[Session, ...]], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """What a kind of dump prints: affiliations, lines of nothing but links, the index instead of a day."""

    affiliations: bool = False
    links: bool = True
    index: bool = False


LAYOUTS_OF_PAGES = {
    "full_names": Layout(),
    "full_affiliations": Layout(affiliations=True),
    "main_names": Layout(links=False),
    "main_affiliations": Layout(affiliations=True, links=False),
    "full_index": Layout(index=True),
    "main_index": Layout(links=False, index=True),
    "index_affiliations": Layout(affiliations=True, index=True),
}


def days_of(layout: Layout) -> int:
    """Return how many days of a programme are rendered: only the index has more than the first."""
    return 3 if layout.index else 1


def expected(programme: Programme, layout: Layout, facts: Facts) -> tuple[Record, ...]:
    """Return the records of the rendered page."""
    days = programme.days if layout.index else programme.days[:1]
    notes = () if facts.year else ("year_inferred",)
    event = facts.event or programme.acronym
    return tuple(
        record
        for day, sessions in days
        for session in sessions
        for record in expected_of_session(session, day, layout, (event, notes))
    )


def expected_of_session(session: Session, day: date, layout: Layout, page: tuple[str, tuple[str, ...]]) -> list[Record]:
    """Return the record of a session without talks, or those of its talks."""
    event, notes = page
    shared = Record(
        line_start=None,
        line_end=None,
        event=event,
        session_code=session.code,
        track=session.track,
        session_description="\n".join(session.description) or None,
        chairs=expected_people(session.chairs, layout),
    )
    if not session.talks:
        slot = Slot(at(day, session.start), at(day, session.end), session.room)
        return [shared._replace(kind=session.kinds[0], title=session.title, slots=(slot,), notes=notes)]
    ends = [*(talk.at for talk in session.talks[1:]), session.end]
    return [
        shared._replace(
            kind=session.kinds[1],
            session_title=session.title,
            title=talk.title,
            authors=expected_people(talk.authors, layout),
            presenter=expected_presenter(talk, layout),
            abstract=None if layout.index else "\n\n".join(talk.paragraphs) or None,
            slots=(Slot(at(day, talk.at), at(day, end), session.room),),
            notes=tuple(sorted(("end_inferred", *notes))),
        )
        for talk, end in zip(session.talks, ends, strict=True)
    ]


def expected_people(people: tuple[Person, ...], layout: Layout) -> tuple[Person, ...] | None:
    """Return the people as the layout shows them."""
    if layout.affiliations:
        return people or None
    return tuple(Person(person.name) for person in people) or None if layout.links else None


def expected_presenter(talk: Talk, layout: Layout) -> str | None:
    """Return the presenter where the layout shows one."""
    return talk.presenter if layout.links and talk.presenter != "unknown" else None


def names_on_one_line(people: tuple[Person, ...]) -> str:
    """Join names by commas and a final ``and``."""
    names = [person.name for person in people]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def clock(minutes: int) -> str:
    """Print minutes after midnight as a time of day."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def at(day: date, minutes: int) -> datetime:
    """Return the moment so many minutes after a day's midnight."""
    return datetime(day.year, day.month, day.day) + timedelta(minutes=minutes)


def printed_day(day: date) -> str:
    """Print a day as a heading does, without its year."""
    return f"{day:%A}, {day:%B} {ordinal(day.day)}"


UNPRINTED = r"\[this|v\. d\."
"""Of the invented texts and names what no page holds, or what nobody can tell from a title there."""
SESSIONS = (
    ("Slicing and Toasting", ("session", "paper")),
    ("Ovens, Heat, and Power [Room B]", ("session", "paper")),
    ("Keynote on Bread", ("keynote", "keynote")),
    ("Panel: Who Eats the Crust?", ("panel", "panel")),
    ("Poster Session", ("poster_session", "paper")),
    ("Opening and Welcome", ("ceremony", "paper")),
    ("Doctoral Forum. Room: B.", ("session", "paper")),
)
BREAKS = (
    ("Coffee Break", "break"),
    ("Lunch", "break"),
    ("Banquet at the Mill", "social"),
    ("Breakfast [Great Hall]", "break"),
    ("Walk to the Harbour", "break"),
    ("Coffee Break and Poster Session", "break"),
)


def make_talk(
    title: str, authors: tuple[Person, ...], presenter: str | None, paragraphs: tuple[str, ...], *, shown: bool
) -> Talk:
    """Make a talk without a time yet; if ``shown``, the last author presents it."""
    return Talk(0, title, authors, authors[-1].name if shown else presenter, paragraphs)


TALKS = st.lists(
    st.builds(
        make_talk,
        titles(UNPRINTED),
        members(1, 4, UNPRINTED),
        st.sampled_from([None, "unknown"]),
        paragraphs(0, 3, UNPRINTED),
        shown=st.booleans(),
    ),
    max_size=4,
)


def make_session(
    times: tuple[int, int], titled: tuple[str, tuple[str, str]], code: str | None, session: Session, talks: list[Talk]
) -> Session:
    """Set the times of a session and its talks, at least ten minutes each; only a numbered session has a code."""
    start, end = times[0] * 5, (times[0] + times[1]) * 5
    talks = talks[: (end - start) // 10]
    step = (end - start) // (len(talks) or 1)
    settled = tuple(replace(talk, at=start + place * step) for place, talk in enumerate(talks))
    (title, kinds), code = titled, code if session.word else None
    return replace(session, start=start, end=end, title=title, kinds=kinds, code=code, talks=settled)


def make_break(times: tuple[int, int], titled: tuple[str, str]) -> Session:
    """Make a break."""
    (start, length), (title, kind) = times, titled
    return Session(start * 5, (start + length) * 5, title, (kind, kind), word=False, is_break=True)


TIMES = st.tuples(st.integers(7 * 12, 19 * 12), st.integers(4, 24))
DETAILS = st.builds(
    Session,
    st.just(0),
    st.just(0),
    st.just(""),
    st.just(("", "")),
    track=st.sampled_from([None, None, "Track 2.1", "Track A"]),
    word=st.booleans(),
    chairs=members(0, 3, UNPRINTED),
    role=st.sampled_from(["Chair:", "Chairs:", "Session Chair:", "Discussant:"]),
    room=st.sampled_from([None, *ROOMS]),
    description=st.lists(st.sampled_from(["Welcome by the bakers", SENTENCES[0]]), max_size=2).map(tuple),
)
REAL_SESSIONS = st.builds(
    make_session, TIMES, st.sampled_from(SESSIONS), st.sampled_from([None, "14", "3A", "11J"]), DETAILS, TALKS
)
ANY_SESSIONS = st.one_of(
    st.builds(make_break, TIMES, st.sampled_from(BREAKS)), REAL_SESSIONS, REAL_SESSIONS, REAL_SESSIONS
)
DAYS = st.lists(ANY_SESSIONS, min_size=1, max_size=5).map(tuple)
ACRONYMS = ("TOAST {}", "EURO-BREAD'{}", "CRUMB{}")
NAMES = ("9TH CONFERENCE ON TOAST", "THE BREAD: A SYMPOSIUM – ON RYE")


def make_programme(first: date, acronym: str, name: str, days: list[tuple[Session, ...]]) -> Programme:
    """Put the sessions of days that follow each other into a programme."""
    dated = tuple((first + timedelta(days=place), day) for place, day in enumerate(days))
    return Programme(acronym.format(first.year), name, dated)


def programmes(most_days: int = 3) -> st.SearchStrategy[Programme]:
    """Make programmes of some days."""
    return st.builds(
        make_programme,
        # None runs over New Year, since the pages print no years.
        st.builds(date, st.integers(2014, 2027), st.integers(1, 12), st.integers(1, 28)),
        st.sampled_from(ACRONYMS),
        st.sampled_from(NAMES),
        st.lists(DAYS, min_size=1, max_size=most_days),
    )
