"""Invented programmes of the meadow: what must come out of each is made beside its text."""

from datetime import datetime

from hypothesis import strategies as st

from parsers._ledger.document import Facts
from schemas.items import Person, Record, Slot
from tests.support.layouts import Case

TITLES = st.lists(st.sampled_from(("Hay in Tanks", "Clover by Moonlight", "Frost: a Survey")), min_size=1)
NAMES = st.lists(st.sampled_from(("Bo Ferns", "Cy Moss", "Uma van Reed")), min_size=1, max_size=4)


def text(titles: list[str], names: list[str]) -> Case:
    """Render a session whose talks all have the same people; the facts are those of a sidecar."""
    slot = Slot(datetime(2026, 6, 17, 9), datetime(2026, 6, 17, 10, 30), "Barn")
    records = tuple(
        Record(
            line_start=None,
            line_end=None,
            title=title,
            kind="paper",
            authors=tuple(map(Person, names)),
            event="Meadow Days 2026",
            session_title="Hay",
            slots=(slot,),
            notes=("time_is_session",),
        )
        for title in titles
    )
    talks = "".join(f"- {title} ({', '.join(names)})\n" for title in titles)
    page = f"Meadow Days\n\nWednesday, June 17th\n09:00 - 10:30 Hay [Barn]\n{talks}"
    return Case(page, records, Facts(event="Meadow Days 2026", year=2026))


LAYOUTS = {"text": st.builds(text, TITLES, NAMES)}
