"""Invented pages of Hugging Face papers, as extractors print them, with the expected records."""

from collections.abc import Sequence

from hypothesis import strategies as st

from schemas.items import Record
from tests.sources.hf_daily import data
from tests.sources.hf_daily.papers import FACTS, LISTED_ON, footer, pages, printed_day
from tests.support.invented import Paper
from tests.support.layouts import Case

SEARCH_TOP = ["new", "", "Get trending papers in your email inbox!", "", "Subscribe", "", "Daily Papers", ""]
SEARCH_TOP += ["byAK and the research community", "", "Nov 12", ""]
DAILY_TOP = ["Hugging Face", "  • Models", "  • Docs", "", "Daily Papers", "", "by AK and the research community", ""]
DAILY_TOP += ["Submit a paper", "Nov 10"]


def record(paper: Paper, **fields: object) -> Record:
    """Return the record with a title and the other fields that the layout prints."""
    return Record(line_start=None, line_end=None, title=paper.title, **fields)  # type: ignore[arg-type]


def search_plain(page: Sequence[Paper]) -> Case:
    """Render a search: title and abstract, blank lines between."""
    lines = SEARCH_TOP + [line for paper in page for line in (paper.title, "", paper.abstract, "")]
    return Case("\n".join(lines), tuple(record(p, abstract=p.abstract) for p in page))


def search_with_footers(page: Sequence[Paper]) -> Case:
    """Render a search with a footer below each abstract."""
    lines = list(SEARCH_TOP)
    for paper in page:
        comments = f" {paper.comments}" if paper.comments else ""
        lines += [
            paper.title,
            "",
            paper.abstract,
            "",
            footer(paper),
            "·",
            f"{printed_day(paper.published_on)}{comments}",
            "",
        ]
    records = tuple(record(p, abstract=p.abstract, published_on=p.published_on) for p in page)
    return Case("\n".join(lines), records, FACTS)


def search_glued_button(page: Sequence[Paper]) -> Case:
    """Render a search without blank lines, the button glued to the first title."""
    lines = ["Get trending papers in your email inbox once a day!", "Get trending papers in your email inbox!"]
    lines += [line for paper in page for line in (paper.title, paper.abstract)]
    lines[2] = f"Subscribe{lines[2]}"
    return Case("\n".join(lines), tuple(record(p, abstract=p.abstract) for p in page))


def daily(page: Sequence[Paper]) -> Case:
    """Render all visible text of the page of a day."""
    lines = list(DAILY_TOP)
    for number, paper in enumerate(page):
        login = ["Submitted by", f"user-{number}"] if number % 2 else [f"Submitted by user.{number}"]
        lines += [*login, f"{paper.votes:,}", "", paper.title, "", "  • ·", f"    {paper.size} authors"]
        lines += [str(paper.comments)] if paper.comments else []
    records = tuple(record(p, listed_on=LISTED_ON, engagement=p.votes) for p in page)
    return Case("\n".join(lines), records, FACTS)


def daily_one_line(page: Sequence[Paper]) -> Case:
    """Render the page of a day with one line per card."""
    lines = ["Daily Papers", "Nov 10"]
    for paper in page:
        comments = f" {paper.comments}" if paper.comments else ""
        lines.append(f"Submitted by quill {paper.votes} {paper.title} · {paper.size} authors{comments}")
    records = tuple(record(p, listed_on=LISTED_ON, engagement=p.votes) for p in page)
    return Case("\n".join(lines), records, FACTS)


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    "search_plain": pages(search_plain),
    "search_with_footers": pages(search_with_footers),
    "search_glued_button": pages(search_glued_button),
    "daily": pages(daily),
    "daily_one_line": pages(daily_one_line),
    "api_2024": pages(data.api_2024),
    "api_2026": pages(data.api_2026),
    "api_wrapped": pages(data.api_wrapped),
    "api_taken_out": pages(data.api_taken_out),
    "api_flat": pages(data.api_flat),
    "api_literals": pages(data.api_literals),
    "page_with_data": pages(data.page_with_data),
    "page_with_cards": pages(data.page_with_cards),
}
