"""Invented papers with everything that some form of a listing prints, and the records that come of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import permutations

from hypothesis import strategies as st

from schemas.items import Person, Record
from tests.support.invented import paragraphs, people, titles
from tests.support.layouts import Case, pick

DAY = date(2026, 2, 4)
SECTIONS = ("new", "cross", "replacement")

MARKERS = {"new": "", "cross": "(cross-list from hep-th) ", "replacement": "(replaced) "}
MODERN = {"new": "New submissions", "cross": "Cross submissions", "replacement": "Replacement submissions"}
OLDER = {"new": "New submissions", "cross": "Cross-lists", "replacement": "Replacements"}
SUBJECTS = (
    ("Fluid Dynamics", "physics.flu-dyn"),
    ("Distributed, Parallel, and Cluster Computing", "cs.DC"),
    ("High Energy Physics - Theory", "hep-th"),
    ("Optimization and Control", "math.OC"),
    ("Disordered Systems and Neural Networks", "cond-mat.dis-nn"),
)
UNPRINTED = r"\[this|v\. d\.|李|I/O$"
"""Of the invented texts and names what no page of the site holds, or glued to a title so that nobody can tell."""
CHOSEN_SUBJECTS = tuple(chosen for size in (1, 2, 3) for chosen in permutations(SUBJECTS, size))


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
        return f"arXiv:{self.arxiv_id} {MARKERS[self.section]}[{', '.join(self.formats)}]"

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
        titles(UNPRINTED),
        people(least_authors, 8, UNPRINTED),
        st.sampled_from((None, "8 pages, 2 figures", "see this https URL", "Talk at FOAM'25. Part 2: the tanks")),
        st.sampled_from((None, "J. Foam 12 (2025) 1-8", "Maps of the R\\'{\\i}o, 2019")),
        pick(CHOSEN_SUBJECTS),
        st.sampled_from((("pdf", "html", "other"), ("pdf", "ps", "other"), ("pdf",), ("pdf", "other"))),
        paragraphs(1, 3, UNPRINTED),
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


def unreplaced(page: Sequence[Paper]) -> list[Paper]:
    """Return the papers that a page without replacements shows."""
    return [paper for paper in page if paper.section != "replacement"] or [replace(page[0], section="new")]
