"""Material for generated dumps: invented people, titles, texts, rooms, items and papers, for all sources.

The pools contain everything that was once hard to parse: odd names, letters of other scripts, titles with colons,
formulas and brackets. Values that are drawn often are combined in advance, so that each takes one draw. With
``without`` a source leaves out what its pages cannot print, or print ambiguously; rendering does not belong here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import product
from random import Random

from hypothesis import strategies as st

from schemas.items import Person
from tests.support.layouts import pick

_GIVEN = (
    "Ada|Bo|Zoë|Jean-Luc|Ömer|J.|A.B.|Wan-Lu|Łukasz|D.-K.|Óscar|Miwako|J.-P.|Boris T.|Ngoc-Hoa|Mary Ann|R. J.|李明|李"
)
_FAMILY = (
    "Quill|van Oort|de la Mole|McReed|O'Tide|Stone-Wick|Jurič|Harbour Jr.|Ng|Żak|Özil|Vance-Lee|Nwosu|Grané|Pain"
    "|van der Toast|Núñez Ryebread|Ōmori|Ångström|v. d. Tide|Fern"
)
NAMES = tuple(f"{given} {family}" for given, family in product(_GIVEN.split("|"), _FAMILY.split("|")))
PLACES = tuple(
    "Quill Institute|Norwick|University of Plum|Moor University (MU)|Department of Bread, Halden Labs|CNRS, Quay"
    "|Institut du Pain - Site Nord, Inria|Crumb co. ltd.|Institute of Tides (IoT), Harbour"
    "|Toast Foundation (Northern Institute for Baking Research)|School (A) of Rye, Harbour City, Esteria".split("|")
)
COUNTRIES = ("Norland", "Esteria", "United Vantia", "South Moor")
ROOMS = ("Great Hall", "Room 401/402", "Chart Room", "Lecture Hall B", "Room B (second floor)", "Aula: North")

_LEADS = ("", "", "Foam: ", "The $k$ ", "2D ", "FairTide: ", "Nsys2Map: ")
_WORDS = (
    "Foam Tanks Water Bubbles Queues Cranes Ships Harbours Deltas Maps Meshes Logs I/O C++ 3D nsys2prv $O(n)$".split()
)
_LINKS = ("of", "for", "in", "and the", "under", "without", "via", "Backfilling")
_ENDS = (
    "",
    "",
    "?",
    "!",
    " at Scale",
    " (v2)",
    ", and $n^2$ More",
    ": A Study",
    " on FPGA",
    " 2025",
    " with $k$ Locks",
    ": Bubbles Are All You Need",
)
_HARD = (
    "Toasters at scale|breadfast: A Library for Slicing Loaves|Baking with Patience (Short talks)|Sourdough"
    "|Crumbs: What Remains [Podium]|Moving 1.2 Tb of Dough in a Second|Is Rye the New Wheat?|Maps & \\emph{Deltas}"
    "|A Note on Butter and Its Limits.|Kneading \\dough{}: A $2^n$ Approach"
    "|Slow Ovens, Fast Bakers, and the People Between|Chairs: A Study of Kitchen Boilerplate and Its Users"
).split("|")
_FIXED = Random(17)  # noqa: S311  # the same titles and paragraphs every time
TITLES = (
    *(_HARD * 10),
    *("{}{} {} {}{}".format(*map(_FIXED.choice, (_LEADS, _WORDS, _LINKS, _WORDS, _ENDS))) for _ in range(300)),
    *(" ".join(_FIXED.choices(_WORDS, k=size)) + end for size in range(2, 10) for end in _ENDS),
)

SENTENCES = (
    "We fill tanks of growing size with foam and measure how long the bubbles live (n = 40, p < 0.1).",
    "Walls matter more than we thought, and the largest tank behaves like no other: it sings.",
    "The order of the ships is changed by at most $k$ places, which saves an hour (see Table 2).",
    "Old maps (1,204 of them) are aligned with a reference of O(1010)\\mathcal{O}(10^{10}) points.",
    "On three machines the visible cost falls from 7.2% to 0.4%, and a restart takes seconds, rm and all.",
    "Can a toaster know when to stop? This paper says that it can, given \\textit{time}, *by many*.",
    "Users ask for more nodes than they need, and then wait for all of them, see arXiv:2601.00009!",
)
SHORT = (
    "All recordings, with the code that reads them, are at this https URL.",
    "The code is open.",
    "Code is at https://example.org/foam",
    "It is told at [this https URL](this https URL).",
)
"""Sentences that follow others."""
STARTS = (
    "12 of the 14 loaves were done in time; the other two were not (see the appendix).",
    "10:30 is when the oven opens, and every step of this schedule follows from that.",
    "1) Gaps are planned once an hour. 2) A gap that nobody uses is given back early.",
    "Title pages and Comments: sections of old maps are read with a single moving reference, too.",
)
"""Sentences that look like something else at the beginning of a line."""


def leave_out(pool: Sequence[str], without: str) -> tuple[str, ...]:
    """Return the texts of a pool that a pattern does not match."""
    return tuple(text for text in pool if not without or re.search(without, text) is None)


def titles(without: str = "") -> st.SearchStrategy[str]:
    """Return titles."""
    return pick(leave_out(TITLES, without))


def names(least: int, most: int, without: str = "") -> st.SearchStrategy[tuple[str, ...]]:
    """Return names of people."""
    return st.lists(pick(leave_out(NAMES, without)), min_size=least, max_size=most).map(tuple)


def people(least: int, most: int, without: str = "") -> st.SearchStrategy[tuple[Person, ...]]:
    """Return people with only a name."""
    return names(least, most, without).map(lambda chosen: tuple(map(Person, chosen)))


def members(least: int, most: int, without: str = "") -> st.SearchStrategy[tuple[Person, ...]]:
    """Return people with affiliation and country."""
    chosen = leave_out(NAMES, without)

    def member(number: int) -> Person:
        rest, name = divmod(number, len(chosen))
        return Person(chosen[name], PLACES[rest % len(PLACES)], COUNTRIES[rest // len(PLACES)])

    every = st.integers(0, len(chosen) * len(PLACES) * len(COUNTRIES) - 1).map(member)
    return st.lists(every, min_size=least, max_size=most).map(tuple)


@cache
def make_paragraphs(without: str = "") -> tuple[str, ...]:
    """Return paragraphs of one to four sentences."""
    chance = Random(18)  # noqa: S311
    firsts = leave_out((*SENTENCES, *STARTS), without)
    every = (*firsts, *leave_out(SHORT, without))
    chosen = (
        " ".join([chance.choice(firsts), *chance.choices(every, k=size)]) for size in (0, 1, 2, 3) for _ in range(100)
    )
    return tuple(dict.fromkeys(chosen))


def paragraphs(least: int, most: int, without: str = "") -> st.SearchStrategy[tuple[str, ...]]:
    """Return the paragraphs of an abstract."""
    return st.lists(pick(make_paragraphs(without)), min_size=least, max_size=most).map(tuple)


@dataclass(frozen=True)
class Paper:
    """A paper of a listing; ``size`` is any other number that a page prints."""

    title: str
    abstract: str
    people: tuple[str, ...]
    published_on: date
    votes: int
    comments: int = 0
    size: int = 1
    topics: tuple[str, ...] = ()


def papers(least: int, most: int, last_day: date, without: str = "") -> st.SearchStrategy[list[Paper]]:
    """Return the papers of a page."""
    each = st.builds(
        Paper,
        titles(without),
        pick(make_paragraphs(without)),
        names(1, 5),
        st.dates(date(1992, 1, 1), last_day),
        st.one_of(st.integers(0, 2000), st.integers(0, 2_000_000)),
        st.integers(0, 2000),
        st.integers(0, 2000),
        st.lists(
            st.sampled_from(("Computer Science", "cs.AI", "cs.DC", "foam", "large-tanks")), max_size=4, unique=True
        ).map(tuple),
    )
    return st.lists(each, min_size=least, max_size=most)
