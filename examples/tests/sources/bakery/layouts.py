"""Invented programmes of the bakery: what must come out of each is made beside its page."""

from datetime import date, datetime, time
from html import escape

from hypothesis import strategies as st

from schemas.items import Person, Record, Slot
from tests.support.layouts import Case

TALKS = st.lists(
    st.tuples(
        st.sampled_from(("Foam in Tanks", "Bread & Butter", "Queues <of> Cranes")),
        st.lists(st.sampled_from(("Ada Quill", "Bo Ferns", "Cy O'Moss")), max_size=3),
        st.none() | st.times(time(8), time(18)).map(lambda clock: clock.replace(second=0, microsecond=0)),
    ),
    min_size=1,
)


def html(day: date, talks: list[tuple[str, list[str], time | None]]) -> Case:
    """Render the talks of one day."""
    items, records = [], []
    for title, names, clock in talks:
        people = "".join(f"<i>{escape(name)}</i> " for name in names)
        items.append(f"<li><b>{escape(title)}</b> {people}{f'<time>{clock:%H:%M}</time>' if clock else ''}</li>")
        slots = (Slot(datetime.combine(day, clock)),) if clock else None
        records.append(Record(None, None, title=title, authors=tuple(map(Person, names)) or None, slots=slots))
    head = "<html><head><title>Bakery Days</title></head>"
    return Case(f"{head}<body><h2>{day}</h2><ul>{''.join(items)}</ul></body></html>", tuple(records))


LAYOUTS = {"html": st.builds(html, st.dates(date(2000, 1, 1), date(2030, 1, 1)), TALKS)}
