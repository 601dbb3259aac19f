"""The pages of a programme: content, validity, safety, and which of them are rebuilt."""

import json
import re
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import icalendar
import pytest
from lxml import html

from pipeline.base.settings import Settings, SiteSettings
from pipeline.publishing import sites
from pipeline.publishing.sites import PAGES, publish_site
from pipeline.publishing.store import latest_snapshot
from pipeline.site.build import make_sections
from pipeline.site.listing import MOST
from pipeline.site.model import HUES, as_told, days_of
from pipeline.site.news import MOST as NEWS
from pipeline.site.news import remember
from pipeline.viewing.selection import Selection
from tests.export.shelf import Shelf, person, record, slot, talk
from tests.support.hostile import ADDRESSES, TEXTS
from tests.support.toy import Desk

SESSION: dict[str, Any] = {"session_title": "Grass", "chairs": [person("Cleo Dike")]}
AT = [datetime(2026, 8, 3, hour) for hour in range(24)]
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"


def build(shelf: Shelf, keep: int = 14, **chosen: Any) -> Path:
    """Build the site of the newest snapshot; return its folder."""
    snapshot = latest_snapshot(shelf.out)
    assert snapshot is not None
    memory, _ = remember(shelf.out, snapshot)
    settings = Settings(shelf.out, shelf.out)
    sections = make_sections(Selection(snapshot), SiteSettings(**chosen), settings, memory=memory)
    return publish_site(shelf.out, snapshot.id, sections, keep).folder


def page(folder: Path, pattern: str) -> Any:
    """Return the only page of a site that matches a pattern."""
    (file,) = folder.glob(pattern)
    return html.parse(str(file)).getroot()


def text_of(element: Any) -> str:
    """Return the text of an element in one line."""
    return " ".join(element.text_content().split())


def put(shelf: Shelf) -> None:
    """Publish a programme with a session, parallel rooms, an item without a time, and a listing."""
    grass = {"session_title": "Grass", "session_code": "1", "chairs": [person("Cleo Dike")], "track": "Track 2"}
    shelf.put(
        talk(
            "hay",
            slots=[slot(AT[9], AT[10], "Hall")],
            authors=[person("Ida Pome", "Harbour U.")],
            doi="10.1234/x",
            **grass,
        ),
        talk(
            "oat",
            title="Oats in $n^2$",
            slots=[slot(AT[10], AT[11], "Hall")],
            notes=["cancelled"],
            line_start=2,
            **grass,
        ),
        talk("bar", title="Barley", slots=[slot(AT[9], None, "Bar")], kind="keynote", abstract="A.\nB.", line_start=3),
        talk("tba", title="To Be Placed", slots=None),
        record("x", source="barn", title="Listed", listed_on=AT[0].date()),
    )


def test_a_timetable(shelf: Shelf) -> None:
    """Rooms, times, sessions and people; untimed items stand below; the parts have table roles."""
    put(shelf)
    found = page(build(shelf), "fjord-2026-*/index.html")
    (table,) = found.iter("table")
    assert [text_of(cell) for cell in table.iter("th")] == ["Time", "Hall", "Bar", "09:00"]
    assert [text_of(cell) for cell in table.iter("td")] == [
        "09:00–11:00 Hall 1: Grass Track 2 Chaired by Cleo Dike 09:00 Hay Ida Pome 10:00 Oats in n2 cancelled",
        "09:00 no end given Bar keynote Barley",
    ]
    assert text_of(found.xpath("//section")[-1]) == "No time given To Be Placed"
    roles = {"table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "td": "cell"}
    assert {each.tag: each.get("role") for each in table.iter() if each.tag in roles} == roles
    assert "Times are local to the venue" in text_of(found)


def test_colours(shelf: Shelf) -> None:
    """A track has a colour of its own, on a block, or on talks where these differ; it is named beside, once."""
    grass = {"session_title": "Grass", "slots": [slot(AT[9], AT[10], "Hall")]}
    shelf.put(
        talk("hay", track="Fodder", **grass),
        talk("oat", title="Oats", track="Grain", **grass | {"slots": [slot(AT[10], AT[11], "Hall")]}),
        talk("bar", title="Barley", track="Grain", slots=[slot(AT[9], AT[10], "Bar")]),
        talk("tea", title="Tea", kind="break", slots=[slot(AT[12], AT[13])]),
    )
    found = page(build(shelf), "fjord-2026-*/index.html")
    blocks = [(each.get("class"), text_of(each)) for each in found.xpath("//div[contains(@class, 'block')]")]
    assert blocks == [
        ("block hue-1", "09:00–10:00 Bar Grain Barley"),
        ("block", "09:00–11:00 Hall Grass 09:00 Hay Fodder 10:00 Oats Grain"),
        ("block pause", "12:00–13:00 Fjord break Tea"),
    ]
    assert [each.get("class") for each in found.xpath("//div[@data-id]")] == [
        "talk",
        "talk hue-0",
        "talk hue-1",
        "talk",
    ]
    shelf.put(
        talk("hay", slots=[slot(AT[9], AT[10])]),
        talk("key", kind="keynote", slots=[slot(AT[10])]),
        stamp="20260802T000000Z",
    )
    kinds = page(build(shelf), "fjord-2026-*/index.html")
    assert kinds.xpath("//div[starts-with(@class, 'block')]/@class") == ["block hue-1", "block hue-0"]


def test_each_colour_is_in_the_style_sheet(shelf: Shelf) -> None:
    """As many tracks as there are colours have different ones; the next one begins again."""
    tracks = [f"T {number:02}" for number in range(HUES + 1)]
    shelf.put(*(talk(name, title=name, track=name, slots=[slot(AT[9], AT[10], name)]) for name in tracks))
    folder = build(shelf)
    blocks = page(folder, "fjord-2026-*/index.html").xpath("//div[starts-with(@class, 'block')]/@class")
    style = (folder / "style.css").read_text("utf-8")
    assert sorted(blocks) == sorted(f"block hue-{number % HUES}" for number in range(HUES + 1))
    colours = re.findall(r"^\.(hue-\d+) \{ --hue: (#[0-9a-f]{6}); \}$", style, re.MULTILINE)
    assert ([name for name, _ in colours], len(dict(map(reversed, colours)))) == (
        [f"hue-{n}" for n in range(HUES)],
        HUES,
    )


def test_a_talk(shelf: Shelf) -> None:
    """The page of a record has fields, session, calendar and provenance."""
    put(shelf)
    folder = build(shelf)
    found = page(folder, "fjord-2026-*/hay-*.html")
    told = {text_of(term): text_of(term.getnext()) for term in found.iter("dt")}
    assert told == {
        "When": "Monday 3 August 2026, 09:00–10:00, Hall",
        "Session": "1: Grass, chaired by Cleo Dike",
        "Track": "Track 2",
        "DOI": "10.1234/x",
        "Record": "fair:hay",
        "Read from": "line 1 of fair/a.txt, by fair@1",
        "Fields of fair/a.txt": "none",
    }
    assert [text_of(each) for each in found.iter("li")] == ["Ida Pome Harbour U."]
    assert text_of(found.find(".//nav[@class='beside']")) == "Next: Oats in n2"
    after = page(folder, "fjord-2026-*/oats-*.html")
    assert text_of(after.find(".//nav[@class='beside']")) == "Before: Hay"
    keynote = page(folder, "fjord-2026-*/barley-*.html")
    assert [text_of(each) for each in keynote.xpath("//article/p")][:4] == ["keynote", "Calendar entry", "A.", "B."]
    (unplaced,) = folder.glob("fjord-2026-*/to-be-placed-*.html")
    assert not unplaced.with_suffix(".ics").exists()


def test_the_first_page(shelf: Shelf) -> None:
    """It lists programmes and listings with days; a page without an event says where to name it."""
    put(shelf)
    said = text_of(page(build(shelf, title="Our programmes"), "index.html").find(".//main"))
    assert said.startswith("Our programmes Programmes FJORD 2026 Monday 3 August 2026 4 items from fair Listings")
    assert "barn 1 record, the newest of Monday 3 August 2026" in said
    shelf.put(record("p", slots=[slot()], dump="fair/a.html"), stamp="20260802T000000Z")
    folder = build(shelf)
    assert 'event = "…" in the sidecar of fair/a.html' in text_of(page(folder, "fair-a-html-*/index.html"))
    assert "What changed on Sunday 2 August 2026 fair/a.html: 1 new" in text_of(
        page(folder, "index.html").find(".//main")
    )


def test_people_and_papers(shelf: Shelf) -> None:
    """An index of people by the last word of a name, chairs once a session, and one of papers by title."""
    shelf.put(
        talk("hay", authors=[person("Ida Pome", "Harbour U."), person("Bo Ash")], slots=[slot(AT[9])], **SESSION),
        talk("oat", title="Oats", authors=[person("IDA  POME")], slots=[slot(AT[10])], **SESSION),
        talk("bar", title="Barley", kind="keynote", presenter="Ann Zed"),
    )
    folder = build(shelf)
    found = page(folder, "fjord-2026-*/people.html")
    assert [text_of(each) for each in found.xpath("//ul[@class='index']/li")] == [
        "Bo Ash Hay Mon 03 August 09:00, Fjord",
        "Cleo Dike chair Grass Mon 03 August 09:00, Fjord",
        "Ida Pome Harbour U. Hay Mon 03 August 09:00, Fjord Oats Mon 03 August 10:00, Fjord",
        "Ann Zed presenter Barley Mon 03 August 09:00, Fjord",
    ]
    papers = page(folder, "fjord-2026-*/papers.html")
    assert [text_of(each.find("a")) for each in papers.xpath("//ul[@class='index']/li")] == ["Hay", "Oats"]


def test_what_a_reader_may_look_for(shelf: Shelf) -> None:
    """An item has its kind, track and the places of its people; the choices are those of the programme."""
    shelf.put(
        talk("hay", authors=[person("Ida Pome", "Harbour U.")], track="Fields", slots=[slot(AT[9], AT[10], "Hall")]),
        talk("oat", title="Oats", kind="keynote", track="Barns", slots=[slot(AT[9], AT[10], "Bar")]),
    )
    found = page(build(shelf), "fjord-2026-*/index.html")
    data = {text_of(each.find("a")): dict(each.attrib) for each in found.xpath("//div[@class='talk']")}
    assert [data["Hay"][name] for name in ("data-kind", "data-track", "data-more")] == ["paper", "Fields", "Harbour U."]
    choices = {each.get("name"): each.xpath("option/@value") for each in found.iter("select")}
    assert choices == {"track": ["", "Barns", "Fields"], "kind": ["", "keynote", "paper"], "room": ["", "Hall", "Bar"]}


def test_a_listing(shelf: Shelf) -> None:
    """A page for each day, in parts, with sections in their order; what has no day comes last."""
    day = AT[0].date()
    rows = [record(f"n{number:03}", source="barn", title=f"N {number}", listed_on=day) for number in range(MOST)]
    rows += [
        record("new", source="barn", title="New", listed_on=day, listing_section="new", abstract="Fresh.", url="https://a.example/"),
        record("old", source="barn", title="Old", published_on=day - timedelta(days=1)),
        record("none", source="barn", title="None"),
    ]  # fmt: skip
    shelf.put(*rows)
    folder = build(shelf) / "listing-barn"
    days = [text_of(each) for each in page(folder, "index.html").xpath("//ul[@class='index']/li")]
    assert days == [
        "Monday 3 August 2026, part 1 200 records",
        "Monday 3 August 2026, part 2 1 record",
        "Sunday 2 August 2026 1 record",
        "All 1 record",
    ]
    first = page(folder, "2026-08-03.html")
    entries = first.xpath("//article")
    assert (len(entries), text_of(entries[0].find("h3")), entries[0].find("h3/a").get("href")) == (
        MOST,
        "New",
        "https://a.example/",
    )
    assert first.xpath("//h2/text()") == ["New", "Other"]
    assert first.xpath("//a[@rel]/@href") == ["2026-08-03-2.html"]
    assert page(folder, "undated.html").xpath("//a[@rel]/@href") == ["2026-08-02.html"]


def test_a_day_that_has_not_changed_is_shared(shelf: Shelf) -> None:
    """A new day is written, the pages of other days are the same files but for those beside it."""
    days = [AT[0].date() + timedelta(days=number) for number in range(4)]
    rows = [record(f"r{day}", source="barn", title=str(day), listed_on=day) for day in days]
    shelf.put(*rows[:3])
    first = build(shelf)
    shelf.put(*rows, stamp="20260802T000000Z")
    second = build(shelf)
    names = {file.name for file in (first / "listing-barn").iterdir()}
    same = {name for name in names if (first / "listing-barn" / name).samefile(second / "listing-barn" / name)}
    assert names - same == {"index.html", f"{days[2]}.html"}


def test_an_address(shelf: Shelf) -> None:
    """Search engines are kept out by default; the canonical address is that of the page."""
    put(shelf)
    hidden = page(build(shelf), "index.html")
    shown = page(build(shelf, url="https://there.example/p", index=True), "fjord-2026-*/hay-*.html")
    assert [hidden.xpath("//meta[@name='robots']/@content"), shown.xpath("//meta[@name='robots']")] == [["noindex"], []]
    (address,) = shown.xpath("//link[@rel='canonical']/@href")
    assert re.fullmatch(r"https://there\.example/p/fjord-2026-[0-9a-f]{8}/hay-[0-9a-f]{8}\.html", address)


def test_calendars(shelf: Shelf) -> None:
    """An event, a day and a talk have the calendars of ``export ics``; the event's shows removed talks as cancelled."""
    put(shelf)
    shelf.put(
        talk("hay", slots=[slot(AT[9], AT[10], "Hall"), slot(datetime(2026, 8, 4, 9), None)], timezone="Europe/Oslo"),
        stamp="20260802T000000Z",
    )
    folder = build(shelf)
    files = sorted(file.name for file in folder.glob("fjord-2026-*/*.ics"))
    assert files[:3] == ["day-2026-08-03.ics", "day-2026-08-04.ics", "event.ics"]
    read = {file.name: icalendar.Calendar.from_ical(file.read_bytes()) for file in folder.glob("fjord-2026-*/*.ics")}
    events = {name: [str(each["STATUS"]) for each in found.events] for name, found in read.items()}
    assert events["event.ics"] == ["CONFIRMED", "CONFIRMED", "CANCELLED", "CANCELLED"]
    assert (events["day-2026-08-04.ics"], len(events[files[3]])) == (["CONFIRMED"], 2)
    exported = shelf.export("ics", event="FJORD 2026")
    assert (next(folder.glob("fjord-2026-*/event.ics"))).read_bytes().decode() == exported


def test_picks(shelf: Shelf) -> None:
    """The page of picks holds a calendar for each record."""
    put(shelf)
    found = page(build(shelf), "fjord-2026-*/picks.html")
    (script,) = found.xpath("//script[@type='application/json']")
    data = json.loads(script.text)
    whole = icalendar.Calendar.from_ical(
        data["head"] + "".join(each["ics"] for each in data["items"].values()) + data["tail"]
    )
    assert sorted(str(each["SUMMARY"]) for each in whole.events) == ["Barley", "Hay", "Oats in $n^2$"]
    assert {each["title"] for each in data["items"].values()} == {"Barley", "Hay", "Oats in $n^2$", "To Be Placed"}
    times = {each["title"]: each["at"] for each in data["items"].values()}  # by which the page puts them in order
    assert (times["Hay"], times["To Be Placed"]) == ("2026-08-03T09:00", "")


def test_what_moved(shelf: Shelf) -> None:
    """The timetable shows the old time and room of a moved item; its own page has the history."""
    shelf.put(talk("hay", slots=[slot(AT[9], AT[10], "Hall")]))
    shelf.put(talk("hay", slots=[slot(AT[11], AT[12], "Bar")]), stamp="20260802T000000Z")
    folder = build(shelf)
    assert "moved was Mon 03 August 09:00 Hall" in text_of(page(folder, "fjord-2026-*/index.html"))
    was, now = ("Monday 3 August 2026, 09:00–10:00, Hall", "Monday 3 August 2026, 11:00–12:00, Bar")
    assert f"Sunday 2 August 2026: moved slots: {was} → {now}" in text_of(page(folder, "fjord-2026-*/hay-*.html"))


@pytest.mark.parametrize(
    ("column", "text", "told"),
    [
        ("title", "[Hay]", "[Hay]"),
        ("title", None, "–"),
        ("authors", '[{"name":"Ida Pome"},{"name":"Cleo Dike"}]', "Ida Pome, Cleo Dike"),
        ("chairs", "[]", "nobody"),
        ("keywords", '["hay","straw"]', "hay, straw"),
        ("notes", "[]", "–"),
        ("links", '[{"rel":"slides","url":"https://x.example/a","title":null}]', "https://x.example/a"),
        ("starts_at", "2026-08-03T09:00:00", "Mon 03 August 09:00"),
        ("slots", "[]", "no time given"),
        ("slots", '[{"starts_at":null,"ends_at":null,"room":"Hall"}]', "no time given, Hall"),
    ],
)  # fmt: skip
def test_the_value_of_a_change(column: str, text: str | None, told: str) -> None:
    """People, times and lists are words, not the JSON of the change feed."""
    assert as_told(column, text) == told


def test_all_changes_of_a_programme(shelf: Shelf) -> None:
    """A page tells the entries of the feed by day, also without an address; the first page leads there."""
    hay, rye = (talk(name, title=name.capitalize(), slots=[slot(AT[9], AT[10], "Hall")]) for name in ("hay", "rye"))
    shelf.put(hay, rye)
    moved = rye | {"slots": [slot(AT[11], AT[12], "Bar")]}
    shelf.put(hay | {"authors": [person("Ida Pome")]}, moved, talk("oat", title="Oats"), stamp="20260802T000000Z")
    other = talk("c", title="C", event="OTHER 2026"), talk("d", title="D", event="OTHER 2026")
    shelf.put(
        hay | {"authors": [person("Ida Pome")]}, moved | {"notes": ["cancelled"]}, *other, stamp="20260803T000000Z"
    )
    folder = build(shelf)
    found = page(folder, "fjord-2026-*/changes.html")
    assert [text_of(each) for each in found.iter("h2")] == ["Monday 3 August 2026", "Sunday 2 August 2026"]
    assert [text_of(each) for each in found.xpath("//ul[@class='plain']/li")] == [
        "Withdrawn: Oats",
        "Cancelled: Rye",
        "Moved: Rye was: Monday 3 August 2026, 09:00–10:00, Hall now: Monday 3 August 2026, 11:00–12:00, Bar",
        "Other people: Hay was: nobody now: Ida Pome",
        "Added: Oats",
    ]
    assert [len(each.findall("a")) for each in found.xpath("//ul[@class='plain']/li")] == [0, 1, 1, 1, 0]
    assert page(folder, "fjord-2026-*/index.html").xpath("//main//a[@href='changes.html']")
    first = page(folder, "index.html")
    assert text_of(first.find(".//h2")) == "What changed on Monday 3 August 2026"
    news = [text_of(each) for each in first.xpath("//main/ul[1]/li")]
    assert news == ["FJORD 2026: 1 withdrawn, 1 cancelled", "OTHER 2026: new"]


def test_news_of_a_programme_and_a_listing(shelf: Shelf) -> None:
    """More talks than a feed has are no news of the papers of their source."""
    paper = record("x", title="X", listed_on=date(2026, 8, 1))
    shelf.put(paper, talk("a", title="A"), talk("b", title="B", event="FJORD 2025"))
    talks = [talk(f"n{number}", title=f"N {number}") for number in range(NEWS + 10)]
    shelf.put(paper, talk("a", title="A"), talk("b", title="B", event="FJORD 2025"), *talks, stamp="20260802T000000Z")
    news = [text_of(each) for each in page(build(shelf), "index.html").xpath("//main/ul[1]/li")]
    assert news == ["FJORD 2026: 50 new, and 10 more changes"]


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        (date(2026, 9, 2), date(2026, 9, 2), "Wednesday 2 September 2026"),
        (date(2026, 9, 2), date(2026, 9, 5), "2 to 5 September 2026"),
        (date(2026, 8, 30), date(2026, 9, 2), "30 August to 2 September 2026"),
        (date(2026, 12, 30), date(2027, 1, 2), "30 December 2026 to 2 January 2027"),
    ],
)
def test_the_days_of_a_programme(first: date, last: date, told: str) -> None:
    """Month and year are said once where they are the same."""
    assert days_of(first, last) == told


def test_hostile_texts(shelf: Shelf) -> None:
    """Hostile texts are escaped, hostile addresses are not linked, and file names are plain."""
    rows = [
        talk(
            f"h{number}", title=text, abstract=text, authors=[{**person(text, text), "url": ADDRESSES[0]}], track=text,
            session_title=text, url=ADDRESSES[number % len(ADDRESSES)], slots=[slot(room=text)], event="<b>Fair</b>",
            links=[{"rel": "slides", "url": each, "title": text} for each in ADDRESSES],
        )
        for number, text in enumerate(TEXTS)
    ]  # fmt: skip
    shelf.put(*rows)
    folder = build(shelf)
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert [file for file in files if not re.fullmatch(r"[a-z0-9-]{1,69}\.(html|ics|css|js|json)", file.name)] == []
    for file in (file for file in files if file.suffix == ".html" and file.name != "night.html"):
        found = html.parse(str(file)).getroot()
        scripts = [each.get("src") or each.get("type") for each in found.iter("script")]
        assert set(scripts) <= {"site.js", "../site.js", "application/json"}
        assert list(found.iter("img", "svg", "iframe", "style", "b")) == []
        attributes = [name for each in found.iter() if isinstance(each.tag, str) for name in each.attrib]
        assert [name for name in attributes if name.startswith("on") or name == "style"] == []
        schemes = {link.partition(":")[0] for each in found.iter("a") if ":" in (link := each.get("href"))}
        assert schemes <= {"https"}
        assert "\u202e" not in text_of(found)


def test_every_page_is_whole(shelf: Shelf) -> None:
    """Each page has policy, title, language, one main heading and unique ids, and no broken links."""
    put(shelf)
    folder = build(shelf)
    pages = [file for file in folder.rglob("*.html") if file.name != "night.html"]
    assert len(pages) == 11
    for file in pages:
        found = html.parse(str(file)).getroot()
        (policy,) = found.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        ids = found.xpath("//@id")
        assert (policy, len(found.xpath("//h1")), len(ids)) == (POLICY, 1, len(set(ids)))
        assert found.get("lang") == "en"
        assert found.findtext(".//title").strip()
        for link in [*found.xpath("//@href"), *found.xpath("//@src")]:
            if "://" not in link:
                target, _, anchor = link.partition("#")
                there = html.parse(str(file.parent / target)).getroot() if target.endswith(".html") else found
                assert (file.parent / target).exists(), link
                assert not anchor or there.xpath("//*[@id=$id]", id=anchor), link


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG."""

    def light(colour: str) -> float:
        full = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
        parts = [int(full[place : place + 2], 16) / 255 for place in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast(shelf: Shelf) -> None:
    """Every text colour has a contrast of at least 4.5 on every background, light, dark and in print."""
    put(shelf)
    style = (build(shelf) / "style.css").read_text()
    schemes = [dict(re.findall(r"--(\w+): (#[0-9a-f]+)", found)) for found in re.findall(r":root \{[^}]+\}", style)]
    pairs = [
        (scheme[ink], scheme[ground])
        for scheme in schemes
        for ink in ("ink", "soft", "link", "flag")
        for ground in ("paper", "card", "mark")
    ]
    assert (len(pairs), [pair for pair in pairs if contrast(*pair) < 4.5]) == (36, [])


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Return the content of the files of a site by path."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_same_snapshot_gives_the_same_bytes(shelf: Shelf, tmp_path: Path) -> None:
    """Building again from nothing gives the same bytes; building the same snapshot twice writes nothing."""
    put(shelf)
    first = build(shelf)
    held = bytes_of(first)
    (shelf.out / "site").unlink()
    first.rename(tmp_path / "aside")
    assert bytes_of(build(shelf)) == held
    inodes = {file: file.stat().st_ino for file in first.rglob("*")}
    build(shelf)
    assert {file: file.stat().st_ino for file in first.rglob("*")} == inodes


def test_what_has_not_changed_is_shared(shelf: Shelf) -> None:
    """Pages of unchanged records and programmes are hard links, and the result equals a first build."""
    rows = [talk("hay"), talk("rye", title="Rye"), talk("c", title="C", event="OTHER 2026")]
    shelf.put(*rows)
    first = build(shelf)
    shelf.put(rows[0], talk("rye", title="Rye", abstract="New."), rows[2], stamp="20260802T000000Z")
    second = build(shelf)
    same = {
        file.relative_to(second).as_posix()
        for file in second.rglob("*.html")
        if (before := first / file.relative_to(second)).exists() and before.stat().st_ino == file.stat().st_ino
    }
    assert {re.sub(r"-[0-9a-f]{8}", "", name) for name in same} == {
        "fjord-2026/hay.html",
        "other-2026/index.html",
        "other-2026/papers.html",
        "other-2026/picks.html",
        "other-2026/c.html",
    }
    held = bytes_of(second)
    (shelf.out / "site").unlink()
    second.rename(shelf.out / "sites" / ".aside")
    assert bytes_of(build(shelf)) == held


def test_a_site_that_is_damaged_is_made_anew(shelf: Shelf) -> None:
    """If pages or the list of pages are damaged, the next build is complete."""
    put(shelf)
    first = build(shelf)
    held = bytes_of(first)
    next(first.glob("*/hay-*.html")).unlink()
    shelf.put(talk("hay", title="Hay Two"), stamp="20260802T000000Z")
    second = build(shelf)
    assert len(list(second.glob("*/hay-two-*.html"))) == 1
    (second / PAGES).unlink()
    (second / PAGES).write_text("[]")
    assert (build(shelf) / PAGES).read_bytes() != b"[]"
    assert held


def test_old_sites_go(shelf: Shelf) -> None:
    """``keep`` sites stay, leftovers of killed builds are deleted, and a folder in place of the link is moved aside."""
    (shelf.out / "sites" / ".new-20260101T000000Z-00000000").mkdir(parents=True)
    (shelf.out / "site").mkdir()
    for day in (1, 2, 3, 4):
        shelf.put(talk("hay", title=f"Hay {day}"), stamp=f"2026080{day}T000000Z")
        build(shelf, keep=2)
    assert sorted(path.name[:8] for path in (shelf.out / "sites").iterdir()) == ["20260803", "20260804"]
    assert (shelf.out / "site.aside-1").is_dir()
    assert (shelf.out / "site" / "index.html").exists()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_full_disk(shelf: Shelf, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """If writing fails or is interrupted at any file, the old site stays and the next build succeeds."""
    put(shelf)
    first = build(shelf)
    held = bytes_of(first)
    shelf.put(talk("hay", title="Other"), talk("bar", title="Barley"), stamp="20260802T000000Z")
    left = [0]

    def write(file: Path, data: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            file.write_bytes(data[: len(data) // 2])
            raise error
        file.write_bytes(data)

    for written in range(100):
        left[0] = written
        with monkeypatch.context() as patch:
            patch.setattr(sites, "_write", write)
            try:
                build(shelf)
                break
            except (OSError, KeyboardInterrupt):
                assert (shelf.out / "site").resolve() == first
    assert written > 5
    assert (bytes_of(first), (shelf.out / "site").resolve() != first) == (held, True)


def test_the_page_that_was_read(tmp_path: Path) -> None:
    """A talk links the address in the sidecar; pages of a specimen say that it is invented."""
    desk = Desk(tmp_path)
    desk.put("fair/a.txt", {"title": "Hay", "event": "FJORD 2026", "start": "2026-08-03T09:00"})
    (desk.raw / "fair" / "a.txt.meta.toml").write_text('url = "https://fjord.example/day"\nspecimen = true\n')
    desk.run()
    shelf = Shelf(tmp_path)
    shelf.out = desk.out
    folder = build(shelf)
    assert "https://fjord.example/day" in page(folder, "fjord-2026-*/hay-*.html").xpath("//dd/a/@href")
    assert "This is an invented example" in text_of(page(folder, "fjord-2026-*/index.html"))
    assert "An invented example" in text_of(page(folder, "index.html"))
