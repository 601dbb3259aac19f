"""Invented programmes of every year of the page, in every text layout, with the records that must come out.

``full`` and ``main`` are made by the extractor itself from markup; ``traf`` is printed line by line, because the
version that leaves such text is not the one that installs today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from hypothesis import strategies as st
from resiliparse.extract.html2text import extract_plain_text

from parsers._ledger.document import Facts
from schemas.items import Person, Record, Slot
from tests.sources.cluster.markup import biography_of, disturb, render_by_date
from tests.sources.cluster.programme import (
    ROMAN,
    DayPlan,
    Hour,
    Paper,
    Plan,
    Sitting,
    print_title,
    render_page,
    render_traf,
    room_is_first,
)
from tests.support.invented import NAMES, PLACES, ROOMS, leave_out, make_paragraphs
from tests.support.layouts import Case, ordinal

YEARS: Final = (2018, 2019, 2021, 2022, 2023, 2024, 2025)

_TOPICS: Final = (
    "Schedulers and Queues",
    "Storage, Networks, and Clouds",
    "Memory & Caches",
    "Compilers and Runtimes (1/2)",
    "I/O: Files, Objects, Streams",
    "Numerics",
    "Top 3 Papers (1/3)",
    "Best Paper Finalists",
)
# Titles are its own: pages that print them bare tell them from names and rooms by their words alone.
_SUBJECTS: Final = (
    "Backfilling Checkpointing Prefetching Tracing Routing Sorting FairTide: Simulating Nsys2Map: Reading".split()
)
_OBJECTS: Final = "Queues Meshes Tori Logs Tides Kernels Trees $O(n)$ Streams I/O Traces C++ Loops".split()
_UNPRINTED: Final = r"\[this|v\. d\.|Jr\.$|^Aula|^Toast Foundation| - |^Title pages|^1[02]|^Mary Ann Núñez|example\.org"
"""Of the invented names, places and texts what the pages do not print, or so that nobody can tell."""
_NAMES, _PLACES, _ROOMS = (leave_out(pool, _UNPRINTED) for pool in (NAMES, PLACES, ROOMS))
_PARAGRAPHS: Final = make_paragraphs(_UNPRINTED)
_ITEMS: Final = (
    ("Coffee Break", "break"),
    ("Lunch", "break"),
    ("Lunch Break", "break"),
    ("Welcome and Registration", "ceremony"),
    ("Poster Presentations", "poster_session"),
    ("Conference Reception", "social"),
    ("Conference Banquet", "social"),
    ("Panel: What a Watt Is Worth", "panel"),
)


@dataclass(frozen=True)
class Layout:
    """What a layout leaves of a page."""

    authors: bool
    bodies: bool
    abstracts: bool = True


def make_plan(rng: Random, year: int) -> Plan:
    """Invent a programme of a day or two."""
    first = date(year, 9, 3) + timedelta(days=rng.randrange(50))
    counter = iter(range(1, 1000))
    days = tuple(
        DayPlan(first + timedelta(days=number), tuple(make_hours(rng, year, counter, number)))
        for number in range(rng.randint(1, 2))
    )
    return Plan(year, days)


def make_hours(rng: Random, year: int, counter: Iterator[int], day: int) -> Iterator[Hour]:
    """Invent the slots of a day; three of them have paper sessions, which show how titles stand on the page."""
    makers: list[Callable[[], tuple[Sitting, ...]]] = [
        lambda: (make_item(rng, year),),
        lambda: tuple(make_session(rng, year, counter) for _ in range(rng.randint(1, 2))),
        lambda: (make_keynote(rng, year, counter),),
        lambda: (make_opening(rng, year),),
    ]
    papers = makers[1]
    if year in {2024, 2025}:
        makers.append(lambda: tuple(make_tagged(rng, place) for place in range(rng.randint(1, 3))))
        makers.append(lambda: (make_student_session(rng, counter),))
    if year == 2022:
        makers.append(lambda: tuple(make_boxed(rng, place) for place in range(2)))
    chosen = [papers, papers, papers, *rng.choices(makers, k=rng.randint(1, 4))]
    rng.shuffle(chosen)
    for number, make in enumerate(chosen):
        sittings = make()
        starts = time(8 + 2 * number, rng.choice([0, 15, 30]))
        ends = time(9 + 2 * number, rng.choice([0, 30, 45]))
        yield Hour(starts, ends, sittings, day * 10 + number + 1 if any(s.papers for s in sittings) else 0)


def make_item(rng: Random, year: int) -> Sitting:
    """Invent an item without talks."""
    title, kind = rng.choice(_ITEMS)
    room = rng.choice(_ROOMS) if year == 2019 or (has_rooms(year) and rng.random() < 0.5) else None
    note = "(Lunch box is provided for attendee)" if title == "Lunch Break" and year == 2024 else None
    return Sitting(title, kind, room=room, note=note)


def make_student_session(rng: Random, counter: Iterator[int]) -> Sitting:
    """Invent a session without talks."""
    return Sitting(f"Student session: Step {next(counter)} of Many", room=rng.choice(_ROOMS))


def make_opening(rng: Random, year: int) -> Sitting:
    """Invent an opening: later years print its chair and who speaks."""
    points: tuple[str, ...] = ()
    if year >= 2024:
        points = tuple(
            f"{what} ({make_who(rng).name}, {office}, Orb Lab)"
            for what, office in (("Welcome address", "General Co-Chair"), ("TPC report", "TPC Co-Chair"))
        )
    return Sitting(
        "Opening Session",
        "ceremony",
        room=rng.choice(_ROOMS) if has_rooms(year) else None,
        chair=make_who(rng) if year >= 2023 else None,
        points=points[: rng.randint(1, 2)],
    )


def make_session(rng: Random, year: int, counter: Iterator[int]) -> Sitting:
    """Invent a session with talks; where no code tells sessions apart, their titles do."""
    number = next(counter)
    topic = rng.choice(_TOPICS)
    return Sitting(
        f"{topic}, Part {number}" if year in {2019, 2022} else topic,
        number=number % 19 + 1,
        room=rng.choice(_ROOMS) if has_rooms(year) else None,
        chair=make_who(rng),
        papers=tuple(make_paper(rng, year, counter) for _ in range(rng.randint(2, 4))),
        session_type=rng.choice(["Paper", "Plenary, Paper"]),
    )


def make_keynote(rng: Random, year: int, counter: Iterator[int]) -> Sitting:
    """Invent a keynote: with a talk below it until 2022, later only its speaker's name."""
    number = next(counter) % 9 + 1
    speaker = make_who(rng)
    papers: tuple[Paper, ...] = ()
    if year <= 2022:
        papers = (replace(make_paper(rng, year, counter), authors=(speaker,), placeholder=False, award=False),)
    return Sitting(
        f"Keynote {ROMAN[number - 1]}",
        "keynote",
        number=number,
        speaker=speaker,
        room=rng.choice(_ROOMS) if has_rooms(year) else None,
        chair=make_who(rng),
        papers=papers,
        session_type="Plenary",
    )


def make_tagged(rng: Random, place: int) -> Sitting:
    """Invent a tutorial or workshop."""
    tag = rng.choice(["Tutorial", "Workshop"])
    return Sitting(
        f"{make_title(rng, place)}: 3rd Edition",
        tag.lower(),
        tag=tag,
        room=_ROOMS[place],
        cancelled=rng.random() < 0.2,
    )


def make_boxed(rng: Random, place: int) -> Sitting:
    """Invent a workshop whose room stands above it."""
    title = f"{ordinal(place + 3)} Workshop on {rng.choice(_OBJECTS)} and {rng.choice(_OBJECTS)}"
    return Sitting(title, "workshop_box", room=_ROOMS[place])


def make_paper(rng: Random, year: int, counter: Iterator[int]) -> Paper:
    """Invent a talk."""
    authors = tuple(make_who(rng) for _ in range(rng.randint(2 if year == 2025 else 1, 5)))
    paragraphs = tuple(rng.sample(_PARAGRAPHS, rng.randint(1, 3)))
    return Paper(
        make_title(rng, next(counter)),
        authors,
        paragraphs,
        award=year == 2018 and rng.random() < 0.3,
        placeholder=year == 2023 and rng.random() < 0.3,
    )


def make_title(rng: Random, number: int) -> str:
    """Invent a title; the number makes it the only one."""
    return f"{rng.choice(_SUBJECTS)} {rng.choice(_OBJECTS)} in {number} Steps"


def make_who(rng: Random) -> Person:
    """Invent a person."""
    return Person(rng.choice(_NAMES), rng.choice(_PLACES))


def has_rooms(year: int) -> bool:
    """True if the pages of a year print rooms."""
    return year != 2021


def expected_records(plan: Plan, layout: Layout) -> Iterator[Record]:
    """Yield the records of a programme as a layout shows them."""
    for day in plan.days:
        for hour in day.hours:
            starts = datetime.combine(day.day, hour.starts)
            ends = None if plan.year == 2021 else datetime.combine(day.day, hour.ends)
            for sitting in hour.sittings:
                base = expected_base(plan.year, hour, sitting, Slot(starts, ends, sitting.room))
                yield from expected_sitting(plan.year, sitting, base, layout)


def expected_base(year: int, hour: Hour, sitting: Sitting, slot: Slot) -> Record:
    """Make what the records of a session share."""
    code = str(hour.number) if year == 2021 and hour.number else None
    track = None
    if sitting.number is not None and sitting.speaker is None:
        roman = ROMAN[sitting.number - 1]
        code = {2018: roman, 2021: code, 2023: roman, 2024: str(sitting.number), 2025: str(sitting.number)}.get(year)
        track = f"Track {'ABCDEFGH'[sitting.number % 8]}" if year == 2021 else None
    return Record(
        line_start=None,
        line_end=None,
        event=f"CLUSTER {year}",
        session_code=code,
        track=track,
        session_description="\n".join((*filter(None, [sitting.note]), *sitting.points)) or None,
        chairs=(expected_chair(year, sitting.chair),) if sitting.chair else None,
        slots=(slot,),
        notes=("event_inferred",),
    )


def expected_sitting(year: int, sitting: Sitting, base: Record, layout: Layout) -> Iterator[Record]:
    """Yield the talks of a session, or the item itself."""
    for paper in sitting.papers:
        yield expected_paper(year, sitting, paper, base, layout)
    if sitting.papers:
        return
    if sitting.speaker is not None:
        title, who = f"Keynote ({sitting.number})", (Person(sitting.speaker.name),)
        if year < 2024:
            title, who = "Keynote", (Person(sitting.speaker.name, sitting.speaker.affiliation),)
        yield base._replace(kind="keynote", title=title, authors=who)
        return
    kind = "session" if room_is_first(year, sitting) else sitting.kind
    notes = ("cancelled", "event_inferred") if sitting.cancelled else base.notes
    yield base._replace(kind=kind, title=sitting.title, notes=notes)


def expected_paper(year: int, sitting: Sitting, paper: Paper, base: Record, layout: Layout) -> Record:
    """Make the record of a talk."""
    keynote = sitting.speaker is not None
    speaker = sitting.speaker if year >= 2022 else None
    authors: tuple[Person, ...] | None = None
    if layout.authors:
        authors = tuple(expected_author(year, who) for who in paper.authors)
    if speaker is not None and not layout.authors:
        authors = (Person(speaker.name, speaker.affiliation),)
    placeholder = paper.placeholder and layout.bodies
    abstract = "\n\n".join(paper.paragraphs) if layout.bodies and not paper.placeholder else None
    return base._replace(
        kind="keynote" if keynote else "paper",
        title=paper.title,
        abstract=abstract,
        authors=authors,
        session_title=print_title(year, sitting) if keynote else sitting.title,
        notes=(*(["abstract_placeholder"] if placeholder else []), *base.notes, "time_is_session"),
    )


def expected_author(year: int, who: Person) -> Person:
    """Make an author as the page of a year shows one."""
    if year >= 2025:
        return Person(who.name.split()[-1])
    return Person(who.name, None if year in {2021, 2022} else who.affiliation)


def expected_chair(year: int, who: Person) -> Person:
    """Make a chair as the page of a year shows one."""
    return Person(who.name, None if year <= 2019 or year == 2022 else who.affiliation)


def facts_of(plan: Plan) -> Facts:
    """Return a sidecar that names page and year."""
    return Facts(url=f"https://clustercomp.example/{plan.year}/program/at_a_glance.html", year=plan.year)


@st.composite
def full_cases(draw: st.DrawFn, year: int) -> Case:
    """Draw everything that the page shows or hides, element by element."""
    plan = make_plan(draw(st.randoms(use_true_random=True)), year)
    return Case(
        extract_plain_text(render_page(plan)), tuple(expected_records(plan, Layout(True, True))), facts_of(plan)
    )


@st.composite
def main_cases(draw: st.DrawFn, year: int) -> Case:
    """Draw the visible content: titles once, neither authors nor abstracts."""
    plan = make_plan(draw(st.randoms(use_true_random=True)), year)
    text = extract_plain_text(render_page(plan), main_content=True)
    return Case(text, tuple(expected_records(plan, Layout(False, False))), facts_of(plan))


@st.composite
def traf_cases(draw: st.DrawFn, year: int) -> Case:
    """Draw text with titles twice and no blank lines; authors are often lost, in some years the abstracts with them."""
    plan = make_plan(draw(st.randoms(use_true_random=True)), year)
    authors = draw(st.booleans())
    bodies = draw(st.booleans()) if 2021 <= year <= 2023 else True
    text = render_traf(plan, authors=authors, bodies=bodies)
    return Case(text, tuple(expected_records(plan, Layout(authors, bodies))), facts_of(plan))


@st.composite
def html_cases(draw: st.DrawFn, year: int) -> Case:
    """Draw the page itself, written in one of many ways."""
    rng = draw(st.randoms(use_true_random=True))
    plan = make_plan(rng, year)
    return Case(disturb(rng, render_page(plan)), tuple(expected_records(plan, Layout(True, True))), facts_of(plan))


@st.composite
def by_date_cases(draw: st.DrawFn) -> Case:
    """Draw the page by date, with the dates of the conference above it or without."""
    rng = draw(st.randoms(use_true_random=True))
    plan = make_plan(rng, draw(st.sampled_from([2018, 2019])))
    dated = draw(st.booleans())
    page = render_by_date(plan, dated=dated)
    return Case(disturb(rng, page), tuple(expected_by_date(plan, dated=dated)), facts_of(plan))


@st.composite
def by_date_text_cases(draw: st.DrawFn) -> Case:
    """Draw the text of the page by date: all of it, or its visible content."""
    plan = make_plan(draw(st.randoms(use_true_random=True)), draw(st.sampled_from([2018, 2019])))
    dated, main = draw(st.booleans()), draw(st.booleans())
    text = extract_plain_text(render_by_date(plan, dated=dated), main_content=main)
    records = expected_by_date(plan, dated=dated)
    if main:
        records = (record._replace(abstract=None, session_description=None) for record in records)
    return Case(text, tuple(records), facts_of(plan))


def expected_by_date(plan: Plan, *, dated: bool) -> Iterator[Record]:
    """Yield the records of the page by date: chairs with affiliations, and no times where it names no date."""
    sittings = [
        (day, hour, sitting, paper)
        for day in plan.days
        for hour in day.hours
        for sitting in hour.sittings
        for paper in sitting.papers or (None,)
    ]
    for (_, _, sitting, paper), record in zip(sittings, expected_records(plan, Layout(True, True)), strict=True):
        chair, about, slots, notes = sitting.chair, None, record.slots, record.notes
        if paper and sitting.speaker:
            about = biography_of(paper)
        if not dated:
            slots = (Slot(room=sitting.room),) if sitting.room else None
            notes = tuple(sorted({*notes, "year_unknown"} - {"time_is_session"}))
        yield record._replace(
            chairs=(Person(chair.name, chair.affiliation),) if chair else None,
            session_description=about,
            slots=slots,
            notes=notes,
        )


# Of 2019 the visible content alone prints titles once above bare names: nothing tells sessions from talks there.
LAYOUTS: Final[dict[str, st.SearchStrategy[Case]]] = {
    f"{name}_{year}": cases(year)
    for year in YEARS
    for name, cases in (("html", html_cases), ("full", full_cases), ("main", main_cases), ("traf", traf_cases))
    if (name, year) != ("main", 2019)
} | {"by_date": by_date_cases(), "by_date_text": by_date_text_cases()}
