"""Invented arXiv listings, rendered as the extractors print them, with the records that must come out.

Each renderer loses what its extractor loses; the expected record is made from the same loss, never by the parser.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from hypothesis import strategies as st

from schemas.items import Person, Record
from tests.layouts import Case

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
        return replace(whole, **changes)  # type: ignore[arg-type]


def titles() -> st.SearchStrategy[str]:
    """Return titles with colons, formulas, questions and small words."""
    phrase = st.builds(
        lambda a, link, b: f"{a} {link} {b}", st.sampled_from(WORDS), st.sampled_from(LINKS), st.sampled_from(WORDS)
    )
    ends = st.sampled_from(("", "?", " at Scale", " (v2)", ", and $n^2$ More", ": A Study", " on FPGA", " 2025"))
    return st.builds(
        lambda lead, rest, end: f"{lead}{rest}{end}", st.sampled_from(("", "Foam: ", "The $k$ ", "2D ")), phrase, ends
    )


def people(least: int) -> st.SearchStrategy[tuple[Person, ...]]:
    """Return author lists whose names have two words or more."""
    name = st.builds(lambda given, family: Person(f"{given} {family}"), st.sampled_from(GIVEN), st.sampled_from(FAMILY))
    return st.lists(name, min_size=least, max_size=8).map(tuple)


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
        st.lists(st.sampled_from(SUBJECTS), min_size=1, max_size=3, unique=True).map(tuple),
        st.sampled_from((("pdf", "html", "other"), ("pdf", "ps", "other"), ("pdf",), ("pdf", "other"))),
        st.lists(
            st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3).map(" ".join), min_size=1, max_size=3
        ).map(tuple),
    )


def pages(render: Callable[[Sequence[Paper]], Case], least_authors: int = 1) -> st.SearchStrategy[Case]:
    """Return pages of up to five papers in the order of their sections."""
    return st.integers(1, 5).flatmap(
        lambda size: st.tuples(*(papers(number, least_authors) for number in range(1, size + 1))).map(
            lambda page: render(in_order(page))
        )
    )


def in_order(page: Iterable[Paper]) -> list[Paper]:
    """Bring the papers of a page into the order of their sections and number them again."""
    ordered = sorted(page, key=lambda paper: SECTIONS.index(paper.section))
    return [replace(paper, number=number) for number, paper in enumerate(ordered, 1)]


def in_sections(page: Sequence[Paper]) -> list[tuple[str, list[Paper]]]:
    """Return the sections of a page that have papers."""
    return [
        (section, found) for section in SECTIONS if (found := [paper for paper in page if paper.section == section])
    ]


MODERN = {"new": "New submissions", "cross": "Cross submissions", "replacement": "Replacement submissions"}
OLDER = {"new": "New submissions", "cross": "Cross-lists", "replacement": "Replacements"}
TOP = ["Fluid Dynamics", "", "See recent articles", "", "Showing new listings for Wednesday, 4 February 2026", ""]


def counted(section: str, found: Sequence[Paper]) -> str:
    """Return the heading of a section on the current page."""
    return f"{MODERN[section]} (showing {len(found)} of {len(found)} entries)"


def body(paper: Paper, *, names: str | None, abstract: bool = True) -> list[str]:
    """Return the lines of a paper below its head, each field on its own line."""
    lines = [f"Title: {paper.title}", *([names] if names else [])]
    lines += [f"{label}: {value}" for label, value in paper.labelled]
    return lines + (["", *paper.paragraphs, ""] if abstract else [])


def every_element(page: Sequence[Paper]) -> Case:
    """Render the page of a day, every visible text."""
    lines = [*TOP, f"Total of {len(page)} entries", ""]
    for section, found in in_sections(page):
        lines += [counted(section, found), ""]
        for paper in found:
            lines += [f"[{paper.number}] {paper.head}", *body(paper, names=paper.names)]
    return Case(
        "\n".join([*lines, f"Total of {len(page)} entries", "  • About", "  • Help"]), tuple(p.record() for p in page)
    )


def main_content(page: Sequence[Paper]) -> Case:
    """Render the page of a day without the lines that consist of links."""
    lines = list(TOP)
    for section, found in in_sections(page):
        lines += [counted(section, found), ""]
        for paper in found:
            lines += [f"[{paper.number}] {paper.head}", *body(paper, names=None)]
    return Case("\n".join(lines), tuple(p.record(authors=None) for p in page))


def older(page: Sequence[Paper]) -> Case:
    """Render the older page of a day: labels for authors, days in the headings, no abstracts of replacements."""
    lines = ["Fluid Dynamics", "", "New submissions", "", f"[ total of {len(page)} entries: 1-{len(page)} ]", ""]
    records = []
    for section, found in in_sections(page):
        lines += [f"{OLDER[section]} for Wed, 4 Feb 26", ""]
        for paper in found:
            has_abstract = section != "replacement"
            lines += [
                f"[{paper.number}]  {paper.head}",
                *body(paper, names=f"Authors: {paper.names}", abstract=has_abstract),
            ]
            records.append(paper.record() if has_abstract else paper.record(abstract=None))
    return Case("\n".join(lines), tuple(records))


def recent(page: Sequence[Paper]) -> Case:
    """Render the page of recent days: no abstracts, no replacements, days with counts."""
    page = [paper for paper in page if paper.section != "replacement"] or [replace(page[0], section="new")]
    lines = ["Fluid Dynamics", "", "Authors and titles for recent submissions", "", "  • Wed, 4 Feb 2026", ""]
    lines += ["Total of 90 entries : 1-50 51-90", "", f"Wed, 4 Feb 2026 (showing first {len(page)} of 80 entries )", ""]
    for paper in page:
        lines += [f"[{paper.number}] {paper.head}", *body(paper, names=paper.names, abstract=False)]
    return Case("\n".join(lines), tuple(p.record(abstract=None) for p in page))


def month(page: Sequence[Paper]) -> Case:
    """Render the page of a month: no abstracts, no days."""
    page = [paper for paper in page if paper.section != "replacement"] or [replace(page[0], section="new")]
    lines = ["Fluid Dynamics", "", "Authors and titles for February 2026 ", "", f"Total of {len(page)} entries"]
    for paper in page:
        lines += [f"[{paper.number}] {paper.head}", *body(paper, names=paper.names, abstract=False)]
    return Case("\n".join(lines), tuple(p.record(abstract=None, listed_on=None) for p in page))


def glued(page: Sequence[Paper], *, with_authors: bool) -> Case:
    """Render main content with glued labels; a head continues the last line of an abstract with paragraphs."""
    lines = ["Fluid Dynamics", "See recent articles", "Showing new listings for Wednesday, 4 February 2026"]
    sections = in_sections(page)
    for section, found in sections:
        for place, paper in enumerate(found):
            head = f"- [{paper.number}] {paper.head}"
            if place and len(found[place - 1].paragraphs) > 1:
                lines[-1] += f" {head}"
            else:
                lines.append(head)
            lines += ["-", f"Title: {paper.title}{paper.names if with_authors else ''}{paper.glued}", *paper.paragraphs]
        if section != sections[-1][0]:
            lines.append(counted(section, found))
    kept = {} if with_authors else {"authors": None}
    return Case("\n".join(lines), tuple(p.record(**kept) for p in page))


def on_title_line(page: Sequence[Paper], *, joint: str, bullet: str) -> Case:
    """Render glued labels with the abstract on the same line, directly or after ``joint``."""
    lines = ["Fluid Dynamics", "See recent articles", "Showing new listings for Wednesday, 4 February 2026"]
    for section, found in in_sections(page):
        for paper in found:
            first, *rest = paper.paragraphs
            lines += [f"{bullet}[{paper.number}] {paper.head}", "- "]
            lines += [f"      Title: {paper.title}{paper.glued}{joint}{first}", *rest, *(["-"] if not bullet else [])]
        lines.append(counted(section, found))
    return Case("\n".join(lines), tuple(p.record(authors=None) for p in page))


def markdown(page: Sequence[Paper]) -> Case:
    """Render Markdown: headings with marks, links with addresses, a blank line between blocks."""
    lines = ["# Fluid Dynamics", "", "See [recent](/list/recent) articles", ""]
    lines += ["### Showing new listings for Wednesday, 4 February 2026", ""]
    for section, found in in_sections(page):
        lines += [f"### {counted(section, found)}", ""]
        for paper in found:
            marker = {"new": "", "cross": "(cross-list from hep-th) ", "replacement": "(replaced) "}[section]
            formats = ", ".join(f'[{name}](/{name}/{paper.arxiv_id} "Download")' for name in paper.formats)
            link = f'[ arXiv:{paper.arxiv_id} ](/abs/{paper.arxiv_id} "Abstract")'
            names = ", ".join(
                f"[{person.name}](https://example.org/?q={number})" for number, person in enumerate(paper.authors)
            )
            lines += [
                f"[{paper.number}] {link} {marker}[{formats}] ",
                "    ",
                "",
                f"Title: {paper.title} ",
                "",
                names,
                "",
            ]
            for label, value in paper.labelled:
                lines += [
                    f"{label}: {value.replace('this https URL', '[this https URL](https://example.org/foam)')}",
                    "",
                ]
            lines += ["  \n".join(paper.paragraphs), ""]
    return Case("\n".join(lines), tuple(p.record() for p in page))


def ids_lost(page: Sequence[Paper]) -> Case:
    """Render a mirror's page that has kept the numbers and lost the identifiers."""
    lines = []
    for section, found in in_sections(page):
        lines += [f"### {OLDER[section]} for Wed, 4 Feb 26", ""]
        for paper in found:
            lines += [f"[{paper.number}]", "", *body(paper, names=None)]
    return Case("\n".join(lines), tuple(p.record(authors=None, arxiv_id=None, url=None, formats=None) for p in page))


def titles_only(page: Sequence[Paper]) -> Case:
    """Render a mirror's page whose entries begin at the title, without headings."""
    lines = [line for paper in page for line in body(paper, names=None)]
    lost = dict.fromkeys(("authors", "arxiv_id", "url", "formats", "listed_on", "listing_section"))
    return Case("\n".join(lines), tuple(p.record(**lost) for p in page))


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    "every_element": pages(every_element),
    "main_content": pages(main_content),
    "older": pages(older),
    "recent": pages(recent),
    "month": pages(month),
    "glued_without_authors": pages(lambda page: glued(page, with_authors=False)),
    "glued_with_authors": pages(lambda page: glued(page, with_authors=True), least_authors=2),
    "abstract_glued": pages(lambda page: on_title_line(page, joint="", bullet="")),
    "abstract_after_blank": pages(lambda page: on_title_line(page, joint=" ", bullet="- ")),
    "markdown": pages(markdown),
    "ids_lost": pages(ids_lost),
    "titles_only": pages(titles_only),
}
