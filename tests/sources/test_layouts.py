"""Invented programmes and listings, rendered to every layout of their source, parse back to equal records."""

from hypothesis import given
from hypothesis import strategies as st

from schemas.items import Record
from tests.support.goldens import differences, plain
from tests.support.helpers import parse_text
from tests.support.of_sources import each_of, part


def without_lines(records: tuple[Record, ...]) -> list[Record]:
    """Take the line numbers off: a generated case does not know them."""
    return [record._replace(line_start=None, line_end=None) for record in records]


@each_of("layouts", "LAYOUTS")
@given(data=st.data())
def test_layout_parses_back(source: str, key: str, data: st.DataObject) -> None:
    """Records come out as they went in, nothing is rejected, no line is left unexplained."""
    case = data.draw(part(source, "layouts").LAYOUTS[key])
    parsed = parse_text(source, case.text, facts=case.facts)
    found = without_lines(parsed.records)
    assert parsed.rejects == ()
    assert "\n".join(differences(plain(case.records), plain(found))) == ""
    assert found == list(case.records)
