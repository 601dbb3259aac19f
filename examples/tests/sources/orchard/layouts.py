"""Invented listings of the orchard: what must come out of each is made beside its text."""

from hypothesis import strategies as st

from schemas.items import Person, Record
from tests.support.layouts import Case

TITLES = st.lists(st.sampled_from(("Pruning of Branches", "Grafting by Night", "Frost: a Survey")), min_size=1)
NAMES = st.lists(st.sampled_from(("Ida Pome", "Ole Quince", "Uma van Reed")), min_size=1, max_size=4)


def text(titles: list[str], names: list[str]) -> Case:
    """Render talks that all have the same authors."""
    people = tuple(map(Person, names))
    records = tuple(Record(line_start=None, line_end=None, title=title, authors=people) for title in titles)
    return Case("\n".join(f"Talk: {title}\nby {', '.join(names)}\n" for title in titles), records)


LAYOUTS = {"text": st.builds(text, TITLES, NAMES)}
