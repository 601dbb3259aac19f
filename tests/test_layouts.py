"""Invented programmes and listings, rendered to every text layout of their source, parse back to equal records."""

from importlib import import_module
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._registry import sources
from schemas.items import Record
from tests.helpers import parse_text
from tests.layouts import Case


def layouts_of(source: str) -> dict[str, st.SearchStrategy[Case]]:
    """Return the layout generators of a source; none where it has no such module."""
    name = f"tests.sources.{source}.layouts"
    found: dict[str, st.SearchStrategy[Case]] = import_module(name).LAYOUTS if find_spec(name) else {}
    return found


LAYOUTS = [(source, layout, cases) for source in sources() for layout, cases in layouts_of(source).items()]


def without_lines(records: tuple[Record, ...]) -> list[Record]:
    """Take the line numbers off: a generated case does not know them."""
    return [record._replace(line_start=None, line_end=None) for record in records]


@pytest.mark.parametrize(("source", "strategy"), [pytest.param(s, g, id=f"{s}-{name}") for s, name, g in LAYOUTS])
@given(data=st.data())
def test_layout_parses_back(source: str, strategy: st.SearchStrategy[Case], data: st.DataObject) -> None:
    """Records come out as they went in, nothing is rejected, no line is left unexplained."""
    case = data.draw(strategy)
    parsed = parse_text(source, case.text, facts=case.facts)
    assert (list(parsed.rejects), without_lines(parsed.records)) == ([], list(case.records))


@pytest.mark.parametrize("source", sorted(sources()))
def test_every_source_has_layouts(source: str) -> None:
    """A source without layout generators would pass by testing nothing: see the README, adding a source."""
    assert layouts_of(source) != {}
