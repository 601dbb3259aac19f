"""One record from several sightings: repeats in a dump, dumps of a page, units, notes, shared titles, order."""

import re
import unicodedata
from dataclasses import replace
from datetime import datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._contract import Family, PageKind, Source
from parsers._ledger.document import Document, Facts
from pipeline.merging.normalize import sorted_codes
from pipeline.reading.cleaning import lines, one_line, paragraphs
from pipeline.reading.frames import record_frame
from pipeline.reading.identity import slug
from pipeline.reading.occurrences import merge_occurrences
from schemas.items import Person, Record, Slot
from tests.support.toy import Desk

TOY = Source("news", "Toy", 1, Family.LISTING, PageKind.LOG, ())
FAIR = Source("fair", "Toy", 1, Family.PROGRAMME, PageKind.STATE, ())

NINE = {"start": "2025-01-01T09:00", "end": "2025-01-01T10:00", "room": "Hall"}
ELEVEN = {"start": "2025-01-01T11:00", "end": "2025-01-01T12:00", "room": "Hall"}
COFFEE = {"title": "Coffee Break", "kind": "break", "event": "E"}


def test_repeats_in_one_dump_are_one_record_with_every_slot(desk: Desk) -> None:
    """A tutorial printed in two slots is one record, its slots in time order, with two sightings."""
    desk.put("fair/a.txt", {"title": "Hay", "kind": "tutorial", **ELEVEN}, {"title": "Hay", "kind": "tutorial", **NINE})
    desk.run()
    record = desk.table("records", "fair").row(0, named=True)
    assert [slot["starts_at"].hour for slot in record["slots"]] == [9, 11]
    assert (record["starts_at"], record["line_start"]) == (datetime(2025, 1, 1, 9), 1)
    assert desk.table("sightings", "fair")["rank"].to_list() == [1, 2]


def test_a_break_of_every_day_is_a_record_of_its_own(desk: Desk) -> None:
    """Five coffee breaks on five days are five records."""
    desk.put("fair/a.txt", *({**COFFEE, "start": f"2025-01-0{day}T10:00"} for day in range(1, 6)))
    desk.run()
    assert desk.table("records", "fair")["record_id"].to_list() == [
        f"fair:e/2025-01-0{day}T10:00/coffee-break" for day in range(1, 6)
    ]


def test_breaks_without_a_year_are_all_kept(desk: Desk) -> None:
    """Without a known start repeats cannot be told apart: each gets a number."""
    desk.put("fair/a.txt", *([COFFEE] * 3))
    desk.run()
    assert desk.table("records", "fair")["record_id"].to_list() == [
        "fair:e/undated/coffee-break",
        "fair:e/undated/coffee-break/2",
        "fair:e/undated/coffee-break/3",
    ]


def test_papers_that_share_a_title_are_told_apart_by_their_first_author(desk: Desk) -> None:
    """Two papers with equal titles and other authors are two records with note key_shared, also across dumps."""
    desk.put("fair/a.txt", {"title": "Hay", "authors": ["Ann"]}, {"title": "Hay", "authors": ["Bo"]})
    desk.put("fair/b.txt", {"title": "Hay", "authors": ["Ann"], "comments": "c"})
    desk.run()
    records = desk.table("records", "fair")
    assert records["record_id"].to_list() == ["fair:unknown-event/hay/ann", "fair:unknown-event/hay/bo"]
    assert [note in notes for note, notes in zip(["key_shared"] * 2, records["notes"].to_list(), strict=True)] == [
        True
    ] * 2
    assert records["comments"].to_list() == ["c", None]


@pytest.mark.parametrize("last", ["c", "0"])
def test_papers_that_share_a_title_and_a_first_author(desk: Desk, last: str) -> None:
    """A dump with only one of them names it by all authors, as soon as one dump could not tell them by the first."""
    desk.put("fair/a.txt", {"title": "Hay", "authors": ["Ann"]}, {"title": "Hay", "authors": ["Bo"]})
    desk.put("fair/b.txt", *({"title": "Hay", "authors": ["Ann", other]} for other in ("Cy", "Di")))
    desk.put(f"fair/{last}.txt", {"title": "Hay", "authors": ["Ann", "Cy"], "comments": "c"})
    desk.run()
    records = desk.table("records", "fair").filter(pl.col("comments") == "c")
    assert records["record_id"].to_list() == ["fair:unknown-event/hay/ann-cy"]


def test_a_source_that_prints_ids_is_keyed_by_them() -> None:
    """An item with an id is keyed by it alone; one without an id has the usual key of a programme."""
    source = Source("plan", "Plan", 1, Family.PROGRAMME, PageKind.STATE, (), prints_ids=True)
    hay = Record(1, 1, native_id="7-A", event="E 1", title="Hay", authors=(Person("Ann"),))
    straw = hay._replace(native_id="8", authors=(Person("Bo"),))
    coffee = Record(3, 3, kind="break", native_id="9", event="E 1", title="Coffee")
    nameless = Record(4, 4, kind="paper", event="E 1", title="Hay")
    found = merge_occurrences(source, [hay, straw, hay._replace(title="Hay!"), coffee, coffee, nameless])
    assert list(found.records) == ["plan:e-1/7-a", "plan:e-1/8", "plan:e-1/9", "plan:e-1/hay"]
    assert (len(found.occurrences), found.shared) == (6, {})
    listing = replace(source, family=Family.LISTING)
    assert list(merge_occurrences(listing, [hay, coffee]).records) == ["plan:7-a", "plan:9"]


def at(day: int, hour: int, room: str | None = None) -> tuple[Slot, ...]:
    """Return the slots of an item that is on once."""
    return (Slot(datetime(2026, 6, day, hour), room=room),)


@pytest.mark.parametrize(
    ("other", "key", "note"),
    [
        ({"title": "Rye & Oat"}, "7/rye-oat", "id_repeated"),
        ({"subtitle": "In jars"}, "7/in-jars", "id_repeated"),
        ({"authors": (Person("Bo"),)}, "7/bo", "id_repeated"),
        ({"abstract": "On rye."}, "7/2026-06-17T10:00", "id_repeated"),
        ({"description": "On rye.", "native_id": None}, "hay/2026-06-17T10:00", "key_shared"),
        ({"summary": "On rye.", "native_id": None, "slots": None}, "hay/undated", "key_shared"),
        ({"title": "Hay!", "abstract": None}, None, None),
        ({"authors": None, "summary": None}, None, None),
    ],
)
def test_an_item_with_the_key_of_another_one(other: dict[str, Any], key: str | None, note: str | None) -> None:
    """It is another record if its title, people or texts differ, and the first one keeps its id; else one more slot."""
    source = Source("plan", "Plan", 1, Family.PROGRAMME, PageKind.STATE, (), prints_ids=True)
    hay = Record(1, 1, native_id="7", event="E", title="Hay", subtitle="In tins", authors=(Person("Ann"),))
    hay = hay._replace(abstract="On hay.", description="Of hay.", summary="Hay.", slots=at(17, 9))
    if "native_id" in other:
        hay = hay._replace(native_id=None)
    found = merge_occurrences(source, [hay, hay._replace(**{"slots": at(17, 10), **other})]).records
    first = f"plan:e/{hay.native_id or 'hay'}"
    slots = [each.slots for each in found.values()]
    assert list(found) == [first, *((f"plan:e/{key}",) if key else ())]
    assert slots == ([at(17, 9), other.get("slots", at(17, 10))] if key else [(*at(17, 9), *at(17, 10))])
    assert {each.notes for each in found.values()} == {(note,) if note else ()}


def test_several_items_with_one_key() -> None:
    """Those that are printed alike are one; one without what tells them apart, or at the same hour, is by itself."""
    keynote = Record(1, 1, kind="keynote", title="Keynote", event="E", slots=at(17, 9))
    texts = ["On hay.", "On rye.", "On hay.", None, "On oat."]
    slots = [at(17, 9), at(18, 9), at(19, 9), at(20, 9), at(18, 9)]
    items = [keynote._replace(description=text, slots=slot) for text, slot in zip(texts, slots, strict=True)]
    found = merge_occurrences(FAIR, items).records
    assert {key.removeprefix("fair:e/keynote"): len(each.slots or ()) for key, each in found.items()} == {
        "": 2,
        "/2026-06-18T09:00": 1,
        "/2026-06-20T09:00": 1,
        "/2026-06-18T09:00/2": 1,
    }


def test_items_of_one_hour_in_two_rooms() -> None:
    """With texts of their own they are two records; without, one that is in both rooms."""
    posters = Record(1, 1, kind="poster_session", title="Posters", event="E", description="A", slots=at(17, 9, "A"))
    other = posters._replace(slots=at(17, 9, "B"))
    found = merge_occurrences(FAIR, [posters, other._replace(description="B")]).records
    alike = merge_occurrences(FAIR, [posters, other]).records
    assert [each.slots for each in found.values()] == [at(17, 9, "A"), at(17, 9, "B")]
    assert [each.slots for each in alike.values()] == [(*at(17, 9, "A"), *at(17, 9, "B"))]


def test_a_listing_that_prints_a_paper_again_has_it_once() -> None:
    """A listing prints one paper again with another text or title: it stays one, and the other title is told."""
    source = Source("plan", "Plan", 1, Family.LISTING, PageKind.LOG, ())
    hay = Record(1, 1, arxiv_id="2607.00001", title="Hay", abstract="On hay.")
    found = merge_occurrences(source, [hay, hay._replace(title="Rye", abstract="On rye.")])
    (record,), (reject,) = found.records.values(), found.rejects
    assert (record.title, record.abstract, record.notes) == ("Hay", "On hay.", ("id_repeated",))
    assert (reject.reason, "'title': 'Rye'" in reject.text) == ("id_repeated", True)


def test_the_zone_of_the_sidecar_wins_over_that_of_the_page() -> None:
    """The sidecar's zone wins over the page's; a record without a time has none."""
    at = (Slot(datetime(2025, 1, 1, 9)),)
    items = [Record(1, 1, title="Hay", slots=at, timezone="Europe/Oslo"), Record(2, 2, title="Rye", timezone="UTC")]
    merged = merge_occurrences(TOY, items)
    zones = [
        record_frame(TOY, Document.from_bytes("news/a.txt", b"x", facts), merged)["timezone"].to_list()
        for facts in (Facts(), Facts(timezone="Europe/Rome"))
    ]
    assert zones == [["Europe/Oslo", None], ["Europe/Rome", None]]


def test_papers_that_share_title_and_first_author_are_told_apart_by_all_authors(desk: Desk) -> None:
    """If the first authors are equal too, all authors are compared."""
    desk.put("fair/a.txt", {"title": "Hay", "authors": ["Ann", "Bo"]}, {"title": "Hay", "authors": ["Ann", "Cy"]})
    desk.run()
    assert desk.table("records", "fair")["record_id"].to_list() == [
        "fair:unknown-event/hay/ann-bo",
        "fair:unknown-event/hay/ann-cy",
    ]


def test_the_newest_sighting_wins_and_older_ones_fill(desk: Desk) -> None:
    """The newest dump wins, older ones fill the gaps, and each sighting names the fields it supplied."""
    paper = {"arxiv_id": "2501.00001"}
    desk.put("news/a.txt", {**paper, "title": "Old", "comments": "kept", "listed_on": "2025-01-01"})
    desk.put("news/b.txt", {**paper, "title": "New", "listed_on": "2025-01-02"})
    desk.run()
    record = desk.table("records", "news").row(0, named=True)
    assert (record["title"], record["comments"], record["dump"]) == ("New", "kept", "news/b.txt")
    fields = dict(desk.table("sightings", "news").select("dump", "fields").iter_rows())
    assert fields == {"news/a.txt": ["comments"], "news/b.txt": ["arxiv_id", "listed_on", "title"]}


def test_a_repeat_in_one_dump_fills_and_overwrites_nothing(desk: Desk) -> None:
    """In one dump the first printing wins; the second fills the gaps, and its sighting names only those fields."""
    first = {"arxiv_id": "2501.00001", "title": "Hay", "comments": "first"}
    desk.put("news/a.txt", first, {"arxiv_id": "2501.00001", "comments": "second", "report_no": "R-1"})
    desk.run()
    record = desk.table("records", "news").row(0, named=True)
    assert (record["comments"], record["report_no"]) == ("first", "R-1")
    assert desk.table("sightings", "news")["fields"].to_list() == [["arxiv_id", "comments", "title"], ["report_no"]]


def test_a_later_listing_day_wins_in_one_dump(desk: Desk) -> None:
    """If a page shows a paper under two days, the printing of the later day wins, wherever it stands."""
    desk.put(
        "news/a.txt",
        {"arxiv_id": "2501.00001", "title": "Old", "listed_on": "2025-01-01"},
        {"arxiv_id": "2501.00001", "title": "New", "listed_on": "2025-01-02"},
    )
    desk.run()
    record = desk.table("records", "news").row(0, named=True)
    assert (record["title"], str(record["listed_on"]), record["line_start"]) == ("New", "2025-01-02", 1)


def test_undated_dumps_are_ordered_by_path(desk: Desk) -> None:
    """Without listing date and capture time the dump with the last path counts as newest."""
    desk.put("news/a.txt", {"arxiv_id": "2501.00001", "title": "A"})
    desk.put("news/b.txt", {"arxiv_id": "2501.00001", "title": "B"})
    desk.run()
    assert desk.table("records", "news")["dump"].to_list() == ["news/b.txt"]


@pytest.mark.parametrize("gap", ["\n\n", "\n \n", "\n\t\n\n \n", " \n\n "])
def test_paragraphs_are_one_blank_line_apart(desk: Desk, gap: str) -> None:
    """Blank lines between paragraphs may hold blanks; one empty line is left."""
    desk.put("news/a.txt", {"title": "Hay", "abstract": f"one{gap}two"})
    desk.run()
    assert desk.table("records", "news")["abstract"].to_list() == ["one\n\ntwo"]


def test_units_are_filled_whole(desk: Desk) -> None:
    """The newest dump prints a start without a room: the older room belongs to another time and is not taken."""
    desk.put("fair/a.txt", {"title": "Hay", **NINE}, sidecar="captured_at = 2025-01-01T00:00:00Z")
    desk.put("fair/b.txt", {"title": "Hay", "start": "2025-01-02T09:00"}, sidecar="captured_at = 2025-01-02T00:00:00Z")
    desk.run()
    record = desk.table("records", "fair").row(0, named=True)
    assert (record["starts_at"], record["ends_at"], record["room"]) == (datetime(2025, 1, 2, 9), None, None)


def test_notes_follow_the_unit_that_they_speak_of(desk: Desk) -> None:
    """A note about times comes from the sighting that gave the times; other notes come from the newest."""
    timed = {"title": "Hay", **NINE, "notes": ["end_inferred"]}
    desk.put("fair/a.txt", timed, sidecar="captured_at = 2025-01-01T00:00:00Z")
    untimed = {"title": "Hay", "authors": ["Ann"], "notes": ["authors_cut", "cancelled"]}
    desk.put("fair/b.txt", untimed, sidecar="captured_at = 2025-01-02T00:00:00Z")
    desk.run()
    notes = desk.table("records", "fair")["notes"].to_list()[0]
    assert notes == ["abstract_missing", "authors_cut", "cancelled", "end_inferred"]


def test_only_the_newest_capture_of_a_state_page_counts(desk: Desk) -> None:
    """A talk missing from the newest capture of a programme page is not in the records."""
    desk.put("fair/day/20250101T000000Z.txt", {"title": "Hay"}, {"title": "Straw"})
    desk.put("fair/day/20250102T000000Z.txt", {"title": "Hay"})
    desk.run()
    assert desk.titles("fair") == ["Hay"]


def test_every_capture_of_a_log_page_counts(desk: Desk) -> None:
    """A paper missing from today's listing stays."""
    desk.put("news/day/20250101T000000Z.txt", {"title": "Hay"}, {"title": "Straw"})
    desk.put("news/day/20250102T000000Z.txt", {"title": "Hay"})
    desk.run()
    assert desk.titles("news") == ["Hay", "Straw"]


def test_captures_of_one_url_are_one_page(desk: Desk) -> None:
    """The sidecar's url says which files are captures of the same page."""
    desk.put("fair/x.txt", {"title": "Hay"}, sidecar='url = "https://e.example/p"\ncaptured_at = 2025-01-01T00:00:00Z')
    desk.put("fair/y.txt", {"title": "Rye"}, sidecar='url = "https://e.example/p"\ncaptured_at = 2024-01-01T00:00:00Z')
    desk.run()
    assert desk.titles("fair") == ["Hay"]


def test_texts_are_cleaned_alike_for_every_source(desk: Desk) -> None:
    """Unicode NFC, one blank for a run of white space, one blank line between paragraphs; what is empty is null."""
    desk.put("news/a.txt", {"title": " Cafe\u0301\u00a0 au\nlait ", "abstract": "a  b\nc\n \n\n d ", "comments": " \t"})
    desk.run()
    record = desk.table("records", "news").row(0, named=True)
    assert (record["title"], record["abstract"], record["comments"]) == ("Caf\u00e9 au lait", "a b c\n\nd", None)


def test_an_item_without_identity_is_quarantined(desk: Desk) -> None:
    """An item without id, title and text is held back with its other fields."""
    desk.put("news/a.txt", {"title": "Hay"}, {"comments": "only this"})
    desk.run()
    row = desk.table("quarantine", "news").row(0, named=True)
    assert (row["reason"], row["line_start"], "only this" in row["text"]) == ("incomplete_item", 2, True)


def test_slug_keeps_every_script() -> None:
    """Slugs keep letters of every script, fold case and width, and fall back to a hash."""
    assert [slug("Ärger: ΣΊΣΥΦΟΣ_2"), slug("計算 機"), len(slug("!!!"))] == ["ärger-σίσυφοσ-2", "計算-機", 16]


# Cleaning of texts


def fold_all(kind: str, text: str) -> str | None:
    """Clean a text naively, with every step."""
    text = unicodedata.normalize("NFC", text.replace("\ufeff", ""))
    if kind == "one_line":
        text = re.sub(r"\s+", " ", text)
    elif kind == "lines":
        text = re.sub(r" ?\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text))
    else:
        text = re.sub(r"[^\S\u2029]+", " ", re.sub(r"\n[^\S\n]*\n\s*", "\u2029", text))
        text = re.sub(r" ?\u2029\s*", "\n\n", text)
    return text.strip() or None


@pytest.mark.parametrize("kind", ["one_line", "lines", "paragraphs"])
@given(st.text(st.sampled_from("  \n\n\r\u00a0\u2009\u2029\u3000aZe\u00e9\u0301\u2013\u212b\u4e2d\ufeff"), max_size=12))
def test_skipping_clean_texts_changes_nothing(kind: str, text: str) -> None:
    """Skipping texts that need no cleaning gives the same result as cleaning all of them."""
    assert {"one_line": one_line, "lines": lines, "paragraphs": paragraphs}[kind](text) == fold_all(kind, text)


def test_a_byte_order_mark_is_no_part_of_a_title() -> None:
    """It is removed wherever it stands; a title of nothing else is null."""
    assert [one_line(text) for text in ("\ufeffHay", "Hay \ufeff", "Ha\ufeffy", "\ufeff")] == ["Hay"] * 3 + [None]


@given(st.lists(st.none() | st.lists(st.sampled_from(["a", " a\tb", " ", ""]), max_size=3).map(tuple), max_size=5))
def test_lists_of_texts(keywords: list[tuple[str, ...] | None]) -> None:
    """Each text of a list becomes one line; blank ones are dropped, and an empty list is null."""
    records = [
        Record(line_start=None, line_end=None, title=str(number), keywords=each, notes=("cancelled",))
        for number, each in enumerate(keywords)
    ]
    frame = record_frame(TOY, Document.from_bytes("news/a", b"x"), merge_occurrences(TOY, records))
    expected = [tuple(" ".join(text.split()) for text in each or () if text.strip()) or None for each in keywords]
    assert [each and tuple(each) for each in frame["keywords"].to_list()] == expected
    assert frame["notes"].to_list() == [["cancelled"]] * len(keywords)


def test_codes_that_repeat_are_sorted_once() -> None:
    """Rows with the same codes get the same sorted list without repeats; no codes give an empty list."""
    words = pl.Series("notes", ["b a", "", "a a", "b a"])
    assert sorted_codes(words).to_list() == [["a", "b"], [], ["a"], ["a", "b"]]
