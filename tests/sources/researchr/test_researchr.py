"""What a researchr page says of itself beside its records."""

from pathlib import Path

import pytest

from parsers._ledger.document import Document, Facts
from parsers._registry import sources
from pipeline.reading.declared import find_other_event
from pipeline.reading.parse import parse_items
from schemas.items import Record

PROGRAMME = Path(__file__).parent / "fixtures" / "programme.html"


def test_programme_of_another_event() -> None:
    """The title names the event, so the page of another one is told."""

    def told(event: str) -> str | None:
        document = Document.from_bytes("fair/a.html", PROGRAMME.read_bytes(), Facts(event=event))
        parse_items(sources()["researchr"], document)
        return find_other_event(document)

    assert told("JAM 2026") is None
    assert told("Bread Days 2026") == (
        "the programme of 'Bread Days 2026' was asked for, the page calls it 'Program - JAM 2026'"
    )


EVENT = '<tr data-slot-id="5f1c-1" class="hidable">'
ZONE = "<strong>Eastern Time (US &amp; Canada)</strong>"
LINK = '<a class="publication-link" href="https://doi.org/10.1234/jam.1"><span></span> DOI</a>'


def read(old: str, new: str) -> tuple[list[Record], list[str]]:
    """Return the records of the programme with another piece of markup, and what was not understood."""
    page = PROGRAMME.read_text(encoding="utf-8")
    assert old in page
    parsed = parse_items(sources()["researchr"], Document.from_bytes("fair/a.html", page.replace(old, new).encode()))
    return list(parsed.records), [each.text for each in parsed.rejects]


@pytest.mark.parametrize(
    ("label", "menu", "zone"),
    [
        ("Eastern Time (US &amp;Canada)", "", "America/New_York"),
        ("(GMT-04:00)  EASTERN TIME (US&amp;Canada)", "", "America/New_York"),
        ("Pacific Time US &amp; Canada", "", "America/Los_Angeles"),
        (
            "Chihuahua, Mazatlan",
            '<option value="America/Mazatlan" MINUTES>(GMT-06:00) Chihuahua,Mazatlan',
            "America/Mazatlan",
        ),
        ("UTC-5", '<option value="America/Bogota" selected MINUTES>(GMT-05:00) Bogota', "America/Bogota"),
        ("UTC-5", '<option value="" selected MINUTES>', None),
        ("UTC-5", '<option value="America/Bogota" MINUTES>(GMT-05:00) Bogota', None),
        ("Athens", '<option value="America/Bogota" selected MINUTES>(GMT-05:00) Bogota', "Europe/Athens"),
    ],
)
def test_zones(label: str, menu: str, zone: str | None) -> None:
    """A label is known by its letters, or by the menu of the page; else the choice in that menu counts."""
    menu = f'<div class="modal"><select>{menu.replace("MINUTES", "data-utc-minute-offset=1")}</option></select></div>'
    records, unread = read(ZONE, f"<strong>{label}</strong>{menu}")
    assert {each.timezone for each in records if each.slots} == {zone}
    assert unread == ([] if zone else [label])


@pytest.mark.parametrize(
    ("links", "doi"),
    [
        ([("https://doi.org/10.1234/jam.1", "DOI")], "10.1234/jam.1"),
        ([("http://dx.doi.org/10.1234/JAM.1", "Link to publication DOI")], "10.1234/jam.1"),
        ([("https://archive.example/2019/https://doi.org/10.1234/jam%2E1", " doi ")], "10.1234/jam.1"),
        ([("https://pots.example/doi/abs/10.1234/jam.1?x=1", "DOI")], "10.1234/jam.1"),
        ([("https://pots.example/doi/abs/10.1234/jam.1", "Link to publication")], "10.1234/jam.1"),
        ([("https://doi.org/10.1234/jam.1", "DOI"), ("https://doi.org/10.1234/jam.2", "DOI")], None),
        ([("https://doi.org/10.1234/data.1", "Media Attached")], None),
        ([("https://pots.example/jam", "DOI")], None),
        ([("https://doi.org/10.1234/jam.doi.org/10.1234/jam.1", "DOI")], None),
    ],
)
def test_dois(links: list[tuple[str, str]], doi: str | None) -> None:
    """The link to a publication gives its DOI, whatever the resolver; two of them give none."""
    records, _ = read(LINK, "".join(f'<a class="publication-link" href="{url}">{text}</a>' for url, text in links))
    assert records[0].doi == doi
    assert [each.url for each in (records[0].links or ())[: len(links)]] == [url for url, _ in links]


@pytest.mark.parametrize(
    "cut", ["</table><table>", "</table></div><table class='table'>", "</table></div></div><table>"]
)
def test_a_session_that_is_cut(cut: str) -> None:
    """An event with a time that stands in no session has none, and that is told."""
    row = '<tr data-slot-id="5f1c-2" class="hidable">'
    records, _ = read(row, cut + row)
    (lost,) = (each for each in records if each.title == "Lids")
    assert (lost.slots, lost.session_title, lost.notes) == (None, None, ("field_unread", "heading_unread"))


def test_a_session_that_is_cut_before_its_events() -> None:
    """Its record says that the events after it may be its own."""
    records, _ = read(EVENT, "</table><table>" + EVENT)
    assert {each.title: each.notes for each in records if each.kind == "session"} == {"Jams": ("heading_unread",)}


@pytest.mark.parametrize(("tracks", "track"), [("Fruit", "Fruit"), ("Fruit</a> <a>Pots", None)])
def test_the_track_of_an_event_that_prints_none(tracks: str, track: str | None) -> None:
    """It is that of the session, if that has one."""
    own = '<div class="prog-track">Fruit</div>'
    page = PROGRAMME.read_text(encoding="utf-8").replace('<a class="text-muted">Fruit</a>', f"<a>{tracks}</a>")
    parsed = parse_items(sources()["researchr"], Document.from_bytes("fair/a.html", page.replace(own, "").encode()))
    assert [each.track for each in parsed.records if each.title == "Less Sugar"] == [track]


@pytest.mark.parametrize(
    ("old", "new", "unread"),
    [
        ('Ada Quill</a><span class="prog-aff"> Mole Lab</span>', "Ada Quill<span> Mole Lab</span></a>", "Mole Lab"),
        ('<div class="prog-track">Fruit</div>', '<div class="prog-track">Fruit<p>Bo Ferns</p></div>', "Bo Ferns"),
    ],
)
def test_an_end_tag_that_is_lost(old: str, new: str, unread: str) -> None:
    """A name or track does not take in what stands behind it, which is told."""
    records, texts = read(old, new)
    names = {person.name for each in records for person in each.authors or ()}
    assert (names, {each.track for each in records}, unread in texts) == ({"Ada Quill", "Bo Ferns"}, {"Fruit"}, True)
