"""Invented arXiv listings, as the extractors print them, with the records that must come out.

Each renderer loses what its extractor loses; the expected record is made from the same loss, never by the parser.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from textwrap import wrap

from hypothesis import strategies as st
from resiliparse.extract.html2text import extract_plain_text

from tests.sources.arxiv import feeds, markup
from tests.sources.arxiv.papers import MARKERS, MODERN, OLDER, Paper, in_sections, pages
from tests.support.layouts import Case, First, Hand

TOP = ["Fluid Dynamics", "", "See recent articles", "", "Showing new listings for Wednesday, 4 February 2026", ""]


def counted(section: str, found: Sequence[Paper]) -> str:
    """Return the heading of a section on the current page."""
    return f"{MODERN[section]} (showing {len(found)} of {len(found)} entries)"


def body(paper: Paper, *, names: str | None, abstract: bool = True) -> list[str]:
    """Return the lines of a paper below its head, each field on its own line."""
    lines = [f"Title: {paper.title}", *([names] if names else [])]
    lines += [f"{label}: {value}" for label, value in paper.labelled]
    return lines + (["", *paper.paragraphs, ""] if abstract else [])


def extracted(render: Callable[[Sequence[Paper], Hand], Case], *, main: bool = False) -> st.SearchStrategy[Case]:
    """Return what the extractor leaves of pages: every visible text, or the main content without lines of links."""

    def make(page: Sequence[Paper]) -> Case:
        case = render(page, Hand(First(), steady=True))
        records = tuple(record._replace(authors=None) if main else record for record in case.records)
        return replace(case, text=extract_plain_text(case.text, main_content=main), records=records)

    return pages(make)


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
            formats = ", ".join(f'[{name}](/{name}/{paper.arxiv_id} "Download")' for name in paper.formats)
            link = f'[ arXiv:{paper.arxiv_id} ](/abs/{paper.arxiv_id} "Abstract")'
            names = ", ".join(
                f"[{person.name}](https://example.org/?q={number})" for number, person in enumerate(paper.authors)
            )
            lines += [
                f"[{paper.number}] {link} {MARKERS[section]}[{formats}] ",
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


def markdown_wrapped(page: Sequence[Paper]) -> Case:
    """Render Markdown wrapped at a width: lines end at blanks, and inside words that have a hyphen."""
    case, lines = markdown(page), list[str]()
    for line in case.text.split("\n"):
        lines += wrap(line, 78, break_long_words=False) or [""]
        lines[-1] += "  " if line.endswith("  ") and line.strip() else ""
    return replace(case, text="\n".join(lines))


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
    "every_element": extracted(markup.new_page),
    "main_content": extracted(markup.new_page, main=True),
    "older": extracted(markup.older_new_page),
    "recent": extracted(markup.recent_page),
    "month": extracted(markup.month_page),
    "glued_without_authors": pages(lambda page: glued(page, with_authors=False)),
    "glued_with_authors": pages(lambda page: glued(page, with_authors=True), least_authors=2),
    "abstract_glued": pages(lambda page: on_title_line(page, joint="", bullet="")),
    "abstract_after_blank": pages(lambda page: on_title_line(page, joint=" ", bullet="- ")),
    "markdown": pages(markdown),
    "markdown_wrapped": pages(markdown_wrapped),
    "ids_lost": pages(ids_lost),
    "titles_only": pages(titles_only),
    **markup.LAYOUTS,
    **feeds.LAYOUTS,
}
