"""Invented papers with everything that some form of a listing prints, and the records that come of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import permutations, product

from hypothesis import strategies as st

from schemas.items import Person, Record
from tests.layouts import Case, pick

DAY = date(2026, 2, 4)
SECTIONS = ("new", "cross", "replacement")

GIVEN = "Ada Bo Zoë Jean-Luc Ömer J. A.B. Wan-Lu Helgi Łukasz D.-K.".split()
FAMILY = "Quill|Ferns|van Oort|de la Mole|McReed|O'Tide|Stone-Wick|Jurič|Harbour Jr.|Ng|Żak".split("|")
WORDS = "Foam Tanks Water Bubbles Queues Cranes Ships Harbours Deltas Banks Maps Tides Quays Locks Reeds".split()
LINKS = ("of", "for", "in", "and the", "under", "without", "via")
SUBJECTS = (
    ("Fluid Dynamics", "physics.flu-dyn"),
    ("Distributed, Parallel, and Cluster Computing", "cs.DC"),
    ("High Energy Physics - Theory", "hep-th"),
    ("Optimization and Control", "math.OC"),
    ("Disordered Systems and Neural Networks", "cond-mat.dis-nn"),
)
SENTENCES = (
    "We fill tanks of growing size with foam and measure how long the bubbles live (n = 40, p < 0.1).",
    "Walls matter more than we thought, and the largest tank behaves like no other: it sings.",
    "The order of the ships is changed by at most $k$ places; see arXiv:2601.00009 for the proof.",
    "All recordings, with the code that reads them, are at this https URL.",
    "Title pages and Comments: sections of old maps are read with a single moving reference, too.",
)


@dataclass(frozen=True)
class Paper:
    """One invented paper, with everything that some layout prints."""

    number: int
    arxiv_id: str
    section: str
    title: str
    authors: tuple[Person, ...]
    comments: str | None
    journal_ref: str | None
    subjects: tuple[tuple[str, str], ...]
    formats: tuple[str, ...]
    paragraphs: tuple[str, ...]

    @property
    def names(self) -> str:
        """The author line."""
        return ", ".join(person.name for person in self.authors)

    @property
    def head(self) -> str:
        """The head without its number."""
        marker = {"new": "", "cross": "(cross-list from hep-th) ", "replacement": "(replaced) "}[self.section]
        return f"arXiv:{self.arxiv_id} {marker}[{', '.join(self.formats)}]"

    @property
    def labelled(self) -> list[tuple[str, str]]:
        """The labelled fields below the authors, in the order of the page."""
        subjects = "; ".join(f"{name} ({code})" for name, code in self.subjects)
        fields = (("Comments", self.comments), ("Journal-ref", self.journal_ref), ("Subjects", subjects))
        return [(label, value) for label, value in fields if value]

    @property
    def glued(self) -> str:
        """The labelled fields glued to each other."""
        return "".join(f"{label}: {value}" for label, value in self.labelled)

    def record(self, **changes: object) -> Record:
        """Return the record of everything but what ``changes`` says."""
        whole = Record(
            line_start=None,
            line_end=None,
            title=self.title,
            abstract="\n\n".join(self.paragraphs),
            authors=self.authors,
            listed_on=DAY,
            listing_section=self.section,
            arxiv_id=self.arxiv_id,
            url=f"https://arxiv.org/abs/{self.arxiv_id}",
            categories=tuple(code for _, code in self.subjects),
            comments=self.comments,
            journal_ref=self.journal_ref,
            formats=self.formats,
        )
        return whole._replace(**changes)  # type: ignore[arg-type]


def titles() -> st.SearchStrategy[str]:
    """Return titles with colons, formulas, questions and small words."""
    words = st.sampled_from(WORDS)
    leads = st.sampled_from(("", "Foam: ", "The $k$ ", "2D "))
    ends = st.sampled_from(("", "?", " at Scale", " (v2)", ", and $n^2$ More", ": A Study", " on FPGA", " 2025"))
    return st.builds("{}{} {} {}{}".format, leads, words, st.sampled_from(LINKS), words, ends)


# Everything that is drawn often is put together once, so that it takes one draw.
PEOPLE = tuple(Person(f"{given} {family}") for given, family in product(GIVEN, FAMILY))
PARAGRAPHS = tuple(" ".join(chosen) for size in (1, 2, 3) for chosen in product(SENTENCES, repeat=size))
CHOSEN_SUBJECTS = tuple(chosen for size in (1, 2, 3) for chosen in permutations(SUBJECTS, size))


def people(least: int) -> st.SearchStrategy[tuple[Person, ...]]:
    """Return author lists whose names have two words or more."""
    return st.lists(pick(PEOPLE), min_size=least, max_size=8).map(tuple)


def papers(number: int, least_authors: int) -> st.SearchStrategy[Paper]:
    """Return the paper that stands at ``number`` of a page."""
    identifier = st.sampled_from(
        (f"2602.{number:05d}", f"0704.{number:04d}", f"math/{510000 + number:07d}", f"hep-th/{9701000 + number}")
    )
    return st.builds(
        Paper,
        st.just(number),
        identifier,
        st.sampled_from(SECTIONS),
        titles(),
        people(least_authors),
        st.sampled_from((None, "8 pages, 2 figures", "see this https URL", "Talk at FOAM'25. Part 2: the tanks")),
        st.sampled_from((None, "J. Foam 12 (2025) 1-8", "Maps of the R\\'{\\i}o, 2019")),
        pick(CHOSEN_SUBJECTS),
        st.sampled_from((("pdf", "html", "other"), ("pdf", "ps", "other"), ("pdf",), ("pdf", "other"))),
        st.lists(pick(PARAGRAPHS), min_size=1, max_size=3).map(tuple),
    )


@cache
def drawn_pages(least_authors: int) -> st.SearchStrategy[list[Paper]]:
    """Return up to five papers in the order of their sections; one strategy serves all layouts."""
    each = [papers(number, least_authors) for number in range(1, 6)]
    return st.one_of([st.tuples(*each[:size]) for size in range(1, 6)]).map(in_order)


def pages(render: Callable[[Sequence[Paper]], Case], least_authors: int = 1) -> st.SearchStrategy[Case]:
    """Return pages of a layout."""
    return drawn_pages(least_authors).map(render)


def in_order(page: Iterable[Paper]) -> list[Paper]:
    """Bring the papers of a page into the order of their sections and number them again."""
    ordered = sorted(page, key=lambda paper: SECTIONS.index(paper.section))
    return [replace(paper, number=number) for number, paper in enumerate(ordered, 1)]


def in_sections(page: Sequence[Paper]) -> list[tuple[str, list[Paper]]]:
    """Return the sections of a page that have papers."""
    return [
        (section, found) for section in SECTIONS if (found := [paper for paper in page if paper.section == section])
    ]
