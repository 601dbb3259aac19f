"""What Hugging Face prints of invented papers."""

from collections.abc import Callable, Sequence
from datetime import date, datetime

from hypothesis import strategies as st

from parsers._ledger.document import Facts
from tests.support.invented import Paper, papers
from tests.support.layouts import Case

CAPTURED = datetime(2025, 11, 12, 8, 0)
FACTS = Facts(captured_at=CAPTURED)
LISTED_ON = date(2025, 11, 10)
ORGANISATIONS = ("MoleLab Mole Lab", "harbour-ai Harbour", "THQ Tide Headquarters of the North")


def pages(render: Callable[[Sequence[Paper]], Case]) -> st.SearchStrategy[Case]:
    """Return pages of up to six papers."""
    return papers(1, 6, CAPTURED.date()).map(render)


def printed_day(day: date) -> str:
    """Print a day as cards do: with the year only if it is not the year of capture."""
    return f"{day:%b} {day.day}" + (f", {day.year}" if day.year != CAPTURED.year else "")


def footer(paper: Paper) -> str:
    """Print the footer below an abstract."""
    return f"  • {paper.size % 900 + 1} authors" if paper.size % 2 else ORGANISATIONS[paper.size // 2 % 3]
