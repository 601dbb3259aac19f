"""Text dumps that have kept the heads of entries alone: identifiers, formats, the days below or above them."""

from datetime import date

import pytest

from parsers._ledger.document import Document, DumpError
from parsers.arxiv import SOURCE
from pipeline.reading.declared import check_declared
from pipeline.reading.parse import Parsed
from tests.support.helpers import parse_document

PLAIN = """Fluid Dynamics
Total of 3 entries
- [1] arXiv:2602.00001 [pdf, html, other]
- [2] arXiv:hep-th/9901001 (cross-list from hep-th) [pdf, other]
Fri, 6 Feb 2026 (showing 2 of 2 entries )
- [3] arXiv:2602.00003 (replaced) [pdf]
Thu, 5 Feb 2026 (showing 1 of 1 entries )
Total of 3 entries
"""
ESCAPED = PLAIN.replace("[", "\\[").replace("]", "\\]").replace("\nFri", "\n\n### Fri").replace("\nThu", "\n\n### Thu")
LINKED = r"""Fluid Dynamics
- [\[1\]]
          [arXiv:2602.00001](/abs/2602.00001)
        [[pdf](/pdf/2602.00001), [html](/html/2602.00001v1), [other](/format/2602.00001)]
- [\[2\]]
          [arXiv:hep-th/9901001](/abs/hep-th/9901001) (cross-list from hep-th)
        [[pdf](/pdf/hep-th/9901001), [other](/format/hep-th/9901001)]
Fri, 6 Feb 2026 (showing 2 of 2 entries )
- [\[3\]]
          [arXiv:2602.00003](/abs/2602.00003) (replaced)
        [[pdf](/pdf/2602.00003)]
Thu, 5 Feb 2026 (showing 1 of 1 entries )
"""
ABOVE = """Fri, 6 Feb 2026 (showing 2 of 2 entries )
[1] arXiv:2602.00001 [pdf, html, other]
[2] arXiv:hep-th/9901001 (cross-list from hep-th) [pdf, other]
Thu, 5 Feb 2026 (showing 1 of 1 entries )
[3] arXiv:2602.00003 (replaced) [pdf]
"""


def parse(text: str) -> Parsed:
    """Parse a text as an arXiv dump."""
    return parse_document(SOURCE, Document.from_bytes("arxiv/dump.txt", text.encode()))


@pytest.mark.parametrize("text", [PLAIN, ESCAPED, LINKED, ABOVE])
def test_heads_are_records_of_their_day(text: str) -> None:
    """Each head is a record without a title, listed on the day that stands below its entries, or above them all."""
    parsed = parse(text)
    found = [(each.arxiv_id, each.title, each.listing_section, each.listed_on) for each in parsed.records]
    assert (found, parsed.rejects) == (
        [
            ("2602.00001", None, "new", date(2026, 2, 6)),
            ("hep-th/9901001", None, "cross", date(2026, 2, 6)),
            ("2602.00003", None, "replacement", date(2026, 2, 5)),
        ],
        (),
    )


@pytest.mark.parametrize(("shown", "mismatches"), [(1, 0), (2, 1)])
def test_a_day_declares_its_entries(shown: int, mismatches: int) -> None:
    """The number that stands with a day is held against the heads of that day."""
    text = PLAIN.replace("showing 1 of 1", f"showing {shown} of {shown}")
    document = Document.from_bytes("arxiv/dump.txt", text.encode())
    parsed = parse_document(SOURCE, document)
    assert len(check_declared(document, parsed.records, parsed.declared)) == mismatches


def test_heads_below_the_last_day_have_none() -> None:
    """Where the dump has lost the last day, nothing says when its entries were listed."""
    parsed = parse(PLAIN.partition("Thu, ")[0])
    assert [each.listed_on for each in parsed.records] == [date(2026, 2, 6), date(2026, 2, 6), None]


def test_heads_below_an_empty_day_are_not_of_it() -> None:
    """A day without entries governs none: where days stand below their entries, the one of the last is lost."""
    empty = "Wed, 4 Feb 2026\nNo updates for this time period.\n- [4] arXiv:2602.00004 [pdf]\n"
    parsed = parse(PLAIN.replace("Total of 3 entries\n", "") + empty)
    assert [each.listed_on for each in parsed.records[-2:]] == [date(2026, 2, 5), None]


def test_a_day_that_does_not_exist() -> None:
    """Its heading is a reject, its entries have no day and say why."""
    parsed = parse(PLAIN.replace("Thu, 5 Feb", "Thu, 31 Feb"))
    assert ([each.reason for each in parsed.rejects], parsed.records[-1].listed_on, parsed.records[-1].notes) == (
        ["date_invalid"],
        None,
        ("date_invalid",),
    )


def test_a_list_of_references_is_no_listing() -> None:
    """Identifiers without formats can stand below any text: the dump is refused."""
    with pytest.raises(DumpError, match=r"expected a line 'Title: \.\.' in each entry, or heads such as"):
        parse("We cite:\n[1] arXiv:2602.00001\n[2]  arXiv:2602.00002, see there\n[3] arXiv:2602.00003 [cited below]\n")


@pytest.mark.parametrize(("bracket", "formats"), [("[ps, other]", ("ps", "other")), ("[other]", ("other",))])
def test_any_format_will_do(bracket: str, formats: tuple[str, ...]) -> None:
    """A paper without a PDF, as those of old or withdrawn ones, is listed too."""
    assert parse(PLAIN.replace("[pdf]", bracket)).records[-1].formats == formats


def test_a_line_among_heads_is_not_lost() -> None:
    """What is no head, heading or boilerplate is unexplained."""
    parsed = parse(PLAIN.replace("- [3]", "Foam for sale\n- [3]"))
    assert [(each.line_start, each.reason) for each in parsed.rejects] == [(6, "unexplained_line")]
