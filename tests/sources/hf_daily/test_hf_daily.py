"""Special cases of Hugging Face papers as text: days without a year, footers, hostile input."""

from datetime import date, datetime

import pytest

from parsers._ledger.document import Document, DumpError, Facts
from parsers.hf_daily import SOURCE
from parsers.hf_daily.items import read_day
from pipeline.reading.parse import Parsed
from tests.support.helpers import parse_document, parse_text

TOP = "Daily Papers\nbyAK and the research community\n"
ABSTRACT = "We fill tanks of growing size with foam and measure how long all of the bubbles live."
LONG = 400_000


def parse(text: str, facts: Facts | None = None) -> Parsed:
    """Parse a text as a dump of Hugging Face papers."""
    return parse_document(SOURCE, Document.from_bytes("hf_daily/dump.txt", text.encode(), facts))


@pytest.mark.parametrize(
    ("printed", "facts", "day"),
    [
        ("Jul 1, 2019", Facts(), date(2019, 7, 1)),
        ("Sep 26", Facts(), None),
        ("Sep 26", Facts(captured_at=datetime(2025, 9, 26)), date(2025, 9, 26)),
        ("Sep 27", Facts(captured_at=datetime(2025, 9, 26)), date(2024, 9, 27)),
        ("Feb 29", Facts(captured_at=datetime(2027, 1, 1)), date(2024, 2, 29)),
        ("Sep 26", Facts(year=2024), date(2024, 9, 26)),
        ("Feb 30", Facts(year=2024), None),
        ("Feb 30, 2024", Facts(), None),
        ("soon", Facts(year=2024), None),
    ],
)
def test_day_without_year(printed: str, facts: Facts, day: date | None) -> None:
    """The printed year, else the latest one not after the capture, else the sidecar's."""
    assert read_day(printed, facts) == day


def test_day_of_the_capture_is_no_listing_day() -> None:
    """The day above a search is the day of the search, not of the papers."""
    parsed = parse(f"{TOP}Jul 30\nFoam\n{ABSTRACT}\n", Facts(year=2025))
    assert [(record.listed_on, record.published_on) for record in parsed.records] == [(None, None)]


def test_day_above_the_cards_is_the_listing_day() -> None:
    """The day above the cards of a daily page is the day of the listing."""
    parsed = parse("Daily Papers\nAug 1\nSubmitted by quill\n24\nFoam\n·\n", Facts(year=2025))
    assert [record.listed_on for record in parsed.records] == [date(2025, 8, 1)]


@pytest.mark.parametrize(
    ("wrapped", "title"),
    [("Fine-\nTuning Foam", "Fine-Tuning Foam"), ("Foam\nTuning", "Foam Tuning"), ("Two-\nor More", "Two- or More")],
)
def test_linked_title_on_two_lines(wrapped: str, title: str) -> None:
    """A title on two lines is joined, without a blank after the hyphen of a word."""
    parsed = parse(f"### [Foam](/papers/2508.00001)\n\n### [{wrapped}](/papers/2508.00002)\n")
    assert [record.title for record in parsed.records] == ["Foam", title]


def test_organisation_is_no_title() -> None:
    """The line between an abstract and its dot is an organisation, and the next title keeps its abstract."""
    parsed = parse(f"{TOP}Foam\n{ABSTRACT}\nMoleLab Mole Lab\n·\nSep 3 4\nCranes\n{ABSTRACT}\n")
    assert ([record.title for record in parsed.records], parsed.rejects) == (["Foam", "Cranes"], ())


def test_comments_are_not_upvotes() -> None:
    """The number after the authors counts comments, not votes."""
    parsed = parse("Submitted by quill\nFoam\n  • ·\n    5 authors\n3\n")
    assert [(record.title, record.engagement) for record in parsed.records] == [("Foam", None)]


def test_lost_card_mark_leaves_the_card_before_alone() -> None:
    """A card whose 'Submitted by' is lost does not change the card before it."""
    parsed = parse("Submitted by quill\n24\nFoam\n·\n5 authors\n3\n8\nCranes\n·\n2 authors\n")
    assert [(record.title, record.engagement, record.line_end) for record in parsed.records] == [("Foam", 24, 6)]


def test_submitters_only() -> None:
    """An extraction with nothing but submitters is refused with a clear message."""
    with pytest.raises(DumpError, match="dropped all titles"):
        parse("Submitted by quill\nSubmitted by ferns\n")


def test_title_of_several_sentences() -> None:
    """A title like a short abstract is a title if an abstract follows directly."""
    title = "Is foam a liquid or not? On the life of bubbles in tanks that are very large. Part 2 of a long report"
    parsed = parse(f"{TOP}Foam\n{ABSTRACT}\n{title}\n{ABSTRACT}\nCranes\n{ABSTRACT}\n")
    assert ([record.title for record in parsed.records], parsed.rejects) == (["Foam", title, "Cranes"], ())


@pytest.mark.parametrize("stray", ["24", "%%%", "1,204"])
def test_line_without_letters_is_no_title(stray: str) -> None:
    """A line without letters between title and abstract is rejected, and the title stays."""
    parsed = parse(f"{TOP}Foam\n{stray}\n{ABSTRACT}\n7\n{ABSTRACT}\n")
    assert ([record.title for record in parsed.records], [reject.text for reject in parsed.rejects]) == (
        ["Foam", "7"],
        [stray],
    )


@pytest.mark.parametrize(
    ("card", "title", "upvotes"),
    [
        ("Submitted by quill\n-\nFoam\n·\n5 authors", "Foam", None),
        ("Submitted by\nquill\n-\nFoam\n·\n5 authors", "Foam", None),
        ("Submitted by quill\n24\nFoam\nMoleLab Mole Lab\n·\n5 authors\n3", "Foam", 24),
        ("Submitted by quill\n24\nFoam\nMoleLab Mole Lab\n5 authors", "Foam", 24),
        ("Submitted by quill - Foam · 5 authors", "Foam", None),
    ],
)
def test_card_of_a_day(card: str, title: str, upvotes: int | None) -> None:
    """A hyphen stands where nobody voted, an organisation may stand between title and dot; neither is a title."""
    parsed = parse(f"Daily Papers\n{card}\nSubmitted by bo\n1\nCranes\n·\n")
    found = [(record.title, record.engagement) for record in parsed.records]
    assert (found, parsed.rejects) == ([(title, upvotes), ("Cranes", 1)], ())


def test_organisation_without_dot_is_told() -> None:
    """A line below a title that no dot follows is left unexplained."""
    parsed = parse("Submitted by quill\n24\nFoam\nMoleLab Mole Lab\nSubmitted by bo\n1\nCranes\n·\n")
    assert [reject.text for reject in parsed.rejects] == ["MoleLab Mole Lab"]


@pytest.mark.parametrize(
    "banner", ["SubscribeDaily Papers", "= Daily Papers =", "SubscribeGet trending papers in your email inbox!"]
)
def test_a_banner_glued_to_its_button_is_no_title(banner: str) -> None:
    """A banner below the first submitter, glued to a button or made a heading, is no title."""
    text = f"Submitted by\n\nmole\n{banner}\nby AK and the research community\n24\n\nFoam in Tanks\n"
    assert [record.title for record in parse_text("hf_daily", text).records] == ["Foam in Tanks"]
