"""Invented papers with everything that some layout of Hugging Face papers prints."""

from dataclasses import dataclass
from datetime import date, datetime

from hypothesis import strategies as st

from parsers._contract import Facts

CAPTURED = datetime(2025, 11, 12, 8, 0)
FACTS = Facts(captured_at=CAPTURED)
LISTED_ON = date(2025, 11, 10)

WORDS = "Foam Tanks Water Bubbles Queues Cranes Ships Harbours Deltas Banks Maps 3D nsys2prv".split()
ENDS = ("", "?", " at Scale", ": Bubbles Are All You Need", " (v2)", " with $k$ Locks", "!")
SENTENCES = (
    "We fill tanks of growing size with foam and measure how long the bubbles live, rm and all.",
    "Walls matter more than we thought, and the largest tank behaves like no other: it sings.",
    "The order of the ships is changed by at most $k$ places, which saves an hour a day (see Table 2).",
    "Code is at https://example.org/foam",
)
PEOPLE = ("Ada Quill", "Bo Fern", "Cai Ångström", "Dee O'Marsh", "K. v. d. Tide", "李 Wen")
ORGANISATIONS = ("MoleLab Mole Lab", "harbour-ai Harbour", "THQ Tide Headquarters of the North")


@dataclass(frozen=True)
class Paper:
    """One invented paper with everything that some layout prints."""

    title: str
    abstract: str
    footer: str
    printed_day: str
    published_on: date
    upvotes: int
    authors: int
    comments: int
    people: tuple[str, ...]


def days() -> st.SearchStrategy[tuple[str, date]]:
    """Return days as cards print them, the year only where it is not that of the capture."""
    day = st.dates(date(2018, 1, 1), CAPTURED.date())
    return day.map(lambda day: (f"{day:%b} {day.day}" + (f", {day.year}" if day.year != CAPTURED.year else ""), day))


def papers() -> st.SearchStrategy[Paper]:
    """Return one paper."""
    title = st.builds(
        lambda words, end: " ".join(words) + end,
        st.lists(st.sampled_from(WORDS), min_size=2, max_size=9),
        st.sampled_from(ENDS),
    )
    abstract = st.lists(st.sampled_from(SENTENCES[:3]), min_size=1, max_size=5).map(" ".join)
    ending = st.sampled_from(("", f" {SENTENCES[3]}"))
    footer = st.one_of(st.integers(1, 900).map(lambda count: f"  • {count} authors"), st.sampled_from(ORGANISATIONS))
    return st.builds(
        lambda title, abstract, ending, footer, day, people, counts: Paper(
            title, abstract + ending, footer, day[0], day[1], counts[0], counts[1], counts[2], people
        ),
        title,
        abstract,
        ending,
        footer,
        days(),
        st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=5).map(tuple),
        st.tuples(*(st.integers(0, 2000) for _ in range(3))),
    )
