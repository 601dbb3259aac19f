"""Invented answers of the lighthouse: what must come out of each is made beside its data."""

import json
from datetime import date

from hypothesis import strategies as st

from schemas.items import Person, Record
from tests.support.layouts import Case

PEOPLE = st.sampled_from((Person("Ada Quill"), Person("Bo Ferns", "Mole Lab"), Person("Cy Moss", "Quay")))
TALKS = st.lists(
    st.tuples(
        st.sampled_from(("Foam in Tanks", "Maps & Deltas")),
        st.integers(1, 99),
        st.lists(PEOPLE, max_size=3).map(tuple),
        st.none() | st.dates(date(2000, 1, 1), date(2100, 1, 1)),
    ),
    min_size=1,
)


def data(talks: list[tuple[str, int, tuple[Person, ...], date | None]]) -> Case:
    """Render a list of talks."""
    values, records = [], []
    for title, key, people, day in talks:
        authors = [{"name": person.name, "at": person.affiliation} for person in people]
        values.append({"key": key, "title": title, "day": day and day.isoformat(), "authors": authors})
        records.append(Record(None, None, title=title, native_id=str(key), authors=people or None, published_on=day))
    return Case(json.dumps({"lighthouse": 1, "count": len(talks), "talks": values}), tuple(records))


LAYOUTS = {"json": st.builds(data, TALKS)}
