"""Invented alphaXiv feeds as text, with the records that must come out."""

from collections.abc import Sequence

from hypothesis import strategies as st

from schemas.items import Record
from tests.layouts import Case

SENTENCES = (
    "We fill tanks of growing size with foam and measure how long the bubbles live.",
    "A group at Mole Harbour shows that walls matter more than was thought *by many*.",
    "Old maps (1,204 of them) are aligned with a reference of O(1010)\\mathcal{O}(10^{10}) points.",
    "All recordings are at [this https URL](this https URL).",
)


def cards() -> st.SearchStrategy[tuple[str, int | None]]:
    """Return a text and the count below it, if any."""
    text = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6).map(" ".join)
    return st.tuples(text, st.one_of(st.none(), st.integers(0, 2_000_000)))


def render(topic: str, page: Sequence[tuple[str, int | None]], end: str) -> Case:
    """Render a feed: topic, texts with counts, closing line."""
    lines = [topic]
    for text, count in page:
        lines += [text] if count is None else [text, f"{count:,}"]
    records = tuple(
        Record(line_start=None, line_end=None, abstract=text, engagement=count, notes=("abstract_or_summary",))
        for text, count in page
    )
    return Case("\n".join([*lines, *([end] if end else [])]), records)


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    "text": st.builds(
        render,
        st.sampled_from(("fluid-dynamics", "machine-learning-2", "computer-science-and-game-theory")),
        st.lists(cards(), min_size=2, max_size=8),
        st.just("There are no more papers matching your filters at the moment."),
    )
}
