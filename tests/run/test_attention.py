"""Nights that are green but not quiet: what moved, what a person should look at; what newer code may not take away."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from parsers._contract import Source
from pipeline.base.settings import Settings
from pipeline.base.signals import SIGNALS, GuardBook, Guards, Policy
from pipeline.merging.normalize import Normalized, merge
from pipeline.run.refresh import refresh
from pipeline.run.summary import as_lines, looks, messages
from schemas.items import Item, Record
from tests.support.manifests import load_manifest
from tests.support.said import Said, plain, steps
from tests.support.signs import told_of
from tests.support.toy import FAIR, NEWS, TOYS, Desk
from tests.support.toy import parse as parse_toy

pytestmark = pytest.mark.usefixtures("in_the_desk")

AMBER = "fair/page-20260702T0300Z.txt: 7 of 10 known records start at another time, have another id or are gone"


def programme(hour: int = 9, moved: int = 0, **more: Any) -> list[dict[str, Any]]:
    """Return ten talks, the first of them at another hour."""
    return [
        {"title": f"Slicing Bread {n}", "event": "E", "start": f"2026-05-04T{11 if n < moved else hour:02}:00", **more}
        for n in range(10)
    ]


def move(desk: Desk) -> None:
    """Publish a programme; then let six talks of it move, one get another title and two be new."""
    desk.put("fair/page-20260701T0300Z.txt", *programme())
    desk.run("fair")
    later = programme(moved=6)
    later[9] = {**later[9], "title": "Slicing Breads 9"}
    more = [{"title": f"Baking {n}", "event": "E"} for n in range(2)]
    desk.put("fair/page-20260702T0300Z.txt", *later, *more)


def test_a_programme_that_moves(desk: Desk) -> None:
    """It is published, counted and pointed at, with the next command; the run is good."""
    move(desk)
    result = desk.run("fair")
    assert (result.good, looks(result)) == (True, [f"attention: fair: {AMBER}"])
    assert as_lines(result)[1].startswith("source: fair, status: ok, dumps: 1, records: 12 (+2, 6 moved, 1 retitled), ")
    assert steps(result) == ["next: conspectus changes fair"]
    block = load_manifest(desk.out)["sources"]["fair"]
    assert (block["changes"], block["attention"]) == ({"new": 2, "gone": 0, "moved": 6, "retitled": 1}, [AMBER])


def test_the_night_after(desk: Desk) -> None:
    """Nothing is new: nothing has moved any more."""
    move(desk)
    desk.run("fair")
    result = desk.run("fair")
    assert (looks(result), messages(result), steps(result)) == ([], [], [])
    block = load_manifest(desk.out)["sources"]["fair"]
    assert (block["changes"], block["attention"]) == (None, [])


def test_changes_name_the_old_id(desk: Desk) -> None:
    """The record under another title stands there as removed, added and retitled."""
    move(desk)
    desk.run("fair")
    rows = pl.read_parquet(desk.out / "latest" / "changes.parquet").filter(pl.col("title").str.contains("9"))
    assert rows.sort("change").select("record_id", "change").rows() == [
        ("fair:e/slicing-breads-9", "added"),
        ("fair:e/slicing-bread-9", "removed"),
        ("fair:e/slicing-breads-9", "retitled"),
    ]
    (values,) = rows.filter(pl.col("change") == "retitled")["values"].to_list()
    assert values == [{"column": "record_id", "before": "fair:e/slicing-bread-9", "after": "fair:e/slicing-breads-9"}]


def test_a_line_that_may_be_a_day(desk: Desk) -> None:
    """File, number and text of the line are told, and the command that shows it with those around it."""
    talk = {"title": "Hay", "event": "E", "start": "2026-05-04T09:00"}
    desk.put("fair/2026/a.txt", talk, "Day 2 (5/5)", {**talk, "title": "Rye"})
    result = desk.run("fair")
    unread = "line 2, 'Day 2 (5/5)', looks like a day and was not read: records below without times: 1"
    assert (result.good, looks(result)) == (True, [f"attention: fair: fair/2026/a.txt: {unread}"])
    assert steps(result) == ["next: conspectus explain raw/fair/2026/a.txt:2"]


@pytest.mark.parametrize(
    ("guards", "amber", "warned"),
    [
        (Guards(), ["unread", "displaced"], 0),
        (Guards(unread=Policy.OFF), ["displaced"], 0),
        (Guards(displaced=Policy.OFF, unread=Policy.WARN), [], 1),
        (Guards(drop=Policy.LOOK, displaced=Policy.OFF), ["drop", "unread"], 0),
    ],
)
def test_what_follows_from_a_signal_is_a_setting(desk: Desk, guards: Guards, amber: list[str], warned: int) -> None:
    """Each can be told, noted or off; what a guard would reject is published if it only asks to look."""
    desk.put("fair/page-20260701T0300Z.txt", *programme())
    desk.run("fair")
    fewer = programme(moved=5)[: 5 if guards.drop is Policy.LOOK else 10]
    desk.put("fair/page-20260702T0300Z.txt", *fewer[:-1], "Day 2 (5/5)", fewer[-1])
    result = refresh(Settings(desk.raw, desk.out, guards=GuardBook(guards)), TOYS, ["fair"])
    (outcome,) = result.outcomes
    assert (result.good, outcome.signals) == (True, sorted(amber, key=list(SIGNALS).index))
    assert sum(line.startswith("warning: ") for line in messages(result)) == warned


def test_a_quiet_night_is_not_silent(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for the source and the next command, exit code 0; as JSON lists."""
    move(desk)
    quiet = Said(capsys, "refresh", "--quiet")
    assert (quiet.code, quiet.out) == (0, [f"attention: fair: {AMBER}", "next: conspectus changes fair"])
    desk.put("fair/page-20260703T0300Z.txt", *programme())
    said = json.loads("\n".join(Said(capsys, "refresh", "--json").out))
    fair = said["sources"]["fair"]
    assert (said["good"], fair["changes"]["moved"], fair["signals"], list(map(plain, said["next"]))) == (
        True,
        6,
        ["displaced"],
        ["next: conspectus changes fair"],
    )
    (status,) = map(json.loads, ["\n".join(Said(capsys, "status", "--json").out)])
    assert status["sources"]["fair"]["attention"] == fair["attention"]


@pytest.mark.parametrize(("asked", "expected"), [("true", "amber"), ("false", None)])
def test_a_notification_if_asked_for(
    desk: Desk, capsys: pytest.CaptureFixture[str], tmp_path: Path, asked: str, expected: str | None
) -> None:
    """``attention`` in the settings asks for it; the hook is told that the run is amber."""
    hook = f'command = ["sh", "-c", "echo $CONSPECTUS_STATUS > {tmp_path}/told"]'
    (tmp_path / "sources.toml").write_text(f"[notify]\n{hook}\nattention = {asked}\n")
    move(desk)
    Said(capsys, "refresh")
    told = tmp_path / "told"
    assert (told.read_text().strip() if told.exists() else None) == expected


def test_a_page_in_another_format(desk: Desk) -> None:
    """Its records cannot be compared with those before: published, and said."""
    other = replace(FAIR.formats[0], name="other", recognise=lambda document: "Oat" in document.text)
    desk.known = {"fair": replace(FAIR, formats=(other, *FAIR.formats)), "news": NEWS}
    desk.put("fair/page-20260701T0300Z.txt", *programme())
    desk.run("fair")
    desk.put("fair/page-20260702T0300Z.txt", *programme(), {"title": "Oat", "event": "E"})
    assert looks(desk.run("fair")) == [
        "attention: fair: fair/page-20260702T0300Z.txt: the page is now other, before json lines: "
        "its records were not compared with those before"
    ]


def test_values_that_are_lost(desk: Desk) -> None:
    """A capture whose known records lose a value is not published; the row names column, counts and examples."""
    desk.put("fair/page-20260701T0300Z.txt", *programme(room="Oven"))
    desk.run("fair")
    desk.put("fair/page-20260702T0300Z.txt", *programme())
    result = desk.run("fair")
    assert (result.good, desk.table("records", "fair")["room"].unique().to_list()) == (False, ["Oven"])
    (row,) = desk.table("quarantine", "fair").rows(named=True)
    assert (row["reason"], row["detail"].split(",")[0]) == (
        "guard_lost",
        "room: 10 of 10 known records have lost it",
    )


def test_the_file_of_the_last_capture_is_gone(desk: Desk) -> None:
    """What was published of it stands in."""
    file = desk.put("fair/page-20260701T0300Z.txt", *programme(room="Oven"))
    desk.run("fair")
    file.unlink()
    desk.put("fair/page-20260702T0300Z.txt", *programme())
    assert desk.run("fair").outcomes[0].readings[0].by_reason == {"guard_lost": 1}


def test_an_archive_judges_as_its_nights_did(desk: Desk) -> None:
    """One run over all captures rejects the ones that were rejected night by night."""
    pages = [programme(room="Oven"), programme(), programme(room="Oven"), programme(room="Mill")]
    for day, page in enumerate(pages, 1):
        desk.put(f"fair/page-2026070{day}T0300Z.txt", *page)
        desk.run("fair")
    data = desk.data()
    desk.out = desk.out.with_name("anew")
    desk.run("fair")
    assert desk.data() == data


def deaf(source: Source, version: int) -> Source:
    """Return a source whose newer parser reads no rooms."""

    def without_room(item: Item) -> Item:
        return item._replace(slots=None) if isinstance(item, Record) else item

    form = replace(source.formats[0], parse=lambda document: map(without_room, parse_toy(document)))
    return replace(source, version=version, formats=(form,))


@pytest.mark.parametrize(
    ("sidecar", "guards", "expected"),
    [
        ("", Guards(), False),
        ('accept = ["coverage"]', Guards(), True),
        ("", Guards(lost=Policy.WARN), True),
        ("", Guards(coverage=Policy.OFF), True),
    ],
)
def test_a_loss_that_is_overruled(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, sidecar: str, guards: Guards, expected: bool
) -> None:
    """What a person has accepted or allowed is no fault of newer code either."""
    desk.put("fair/page-20260701T0300Z.txt", *programme(room="Oven"))
    desk.run("fair")
    monkeypatch.setattr("pipeline.reading.cache.reading_hash", lambda _: "newer")
    desk.put("fair/page-20260702T0300Z.txt", *programme(), sidecar=sidecar)
    result = refresh(Settings(desk.raw, desk.out, guards=GuardBook(guards)), TOYS, ["fair"])
    assert (result.good, desk.table("records", "fair")["room"].is_null().all()) == (expected, expected)


def test_a_listing_with_a_page_for_each_day(desk: Desk) -> None:
    """No page has an earlier capture: it is compared with those of the days before, not with other pages."""

    def listing(day: int, **more: Any) -> list[dict[str, Any]]:
        return [{"title": f"Oats {day} {n}", "authors": [f"Ada {n}"], **more} for n in range(10)]

    for day in range(1, 5):
        desk.put(f"news/oats-{day}.txt", *listing(day, room="Oven"))
    assert desk.run("news").good
    desk.put("news/oats-5.txt", *listing(5))
    desk.put("news/rye-5.txt", *listing(6))
    failed = desk.run("news").outcomes[0].quarantine["detail"].to_list()
    assert failed == ["room: 0% of the records have it, 100% before"]


def test_a_dump_that_is_removed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes its values with it: that is no reason to refuse the others, but a person should know."""
    desk.put("news/a.txt", *programme())
    dump = desk.put("news/b.txt", *programme(room="Oven"))
    desk.run("news")
    assert desk.table("records", "news")["room"].to_list() == ["Oven"] * 10
    monkeypatch.setattr("pipeline.reading.cache.reading_hash", lambda _: "newer")
    dump.unlink()
    result = desk.run("news")
    assert (result.good, desk.table("records", "news")["room"].to_list()) == (True, [None] * 10)
    assert looks(result)[0].startswith("attention: news: newer code or tables, or dumps that were removed: room: ")


def test_newer_code_that_merges_less(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is judged as code that reads less, and page by page: of all pages together one is a small share."""
    for page in range(9):
        talks = programme(room="Oven")
        desk.put(f"news/{'abcdefghi'[page]}.txt", *({**each, "title": f"{page} {each['title']}"} for each in talks))
    desk.run("news")

    def lose(*given: Any) -> Normalized:
        merged = merge(*given)
        room = pl.when(pl.col("dump") != "news/c.txt").then(pl.col("room")).alias("room")
        return replace(merged, records=merged.records.with_columns(room))

    monkeypatch.setattr("pipeline.run.merge.merge", lose)
    monkeypatch.setattr("pipeline.run.job.merging_hash", lambda: "newer")
    (outcome,) = desk.run("news").outcomes
    told = "newer code, or another table.toml, reads less than is published: room: 10 of 10 known records have lost it"
    assert (outcome.error or "").startswith(f"news: {told}, such as ")
    assert desk.table("records", "news")["room"].null_count() == 0


def test_newer_code_that_reads_less(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The published rows stay, every night, until a person has seen the difference and publishes it."""
    desk.put("fair/page-20260701T0300Z.txt", *programme(room="Oven"))
    desk.run("fair")
    monkeypatch.setattr("pipeline.reading.cache.reading_hash", lambda _: "newer")
    newer = {**TOYS, "fair": deaf(FAIR, 2)}
    nights = [Said(capsys, "refresh", "fair", known=newer) for _ in range(2)]
    kept = desk.table("records", "fair")["room"].unique().to_list()
    replayed = Said(capsys, "replay", "fair", known=newer)
    published = Said(capsys, "replay", "fair", "--publish", known=newer)
    assert ([night.code for night in nights], kept, replayed.code, published.code) == ([1, 1], ["Oven"], 1, 0)
    assert "next: conspectus replay fair" in nights[1].out
    again = Said(capsys, "refresh", known=newer)
    assert (desk.table("records", "fair")["room"].to_list(), again.code) == ([None] * 10, 0)


def test_a_few_records_of_many(desk: Desk) -> None:
    """What a night changes is a share of all records that are known, not of those that it shows again."""
    desk.put("news/a.txt", *({"title": f"Oat {number}", "comments": "first"} for number in range(200)))
    desk.run("news")
    desk.put("news/b.txt", *({"title": f"Oat {number}", "comments": "second"} for number in range(20)))
    (outcome,) = desk.run("news").outcomes
    assert (outcome.changes, told_of(outcome)) == ({"new": 0, "gone": 0, "moved": 0, "retitled": 0}, ())


def doubtful(count: int, of: int = 20) -> list[dict[str, Any]]:
    """Return talks, some of them by names with a label."""
    return [
        {"title": f"Slicing Bread {n}", "event": "E", "authors": [f"Written by: Ada {n}" if n < count else "Ada Quill"]}
        for n in range(of)
    ]


def test_a_doubt_that_stays(desk: Desk) -> None:
    """Doubtful values are told once, not with each version of a page, and again where as many more are doubtful."""
    told = []
    for night, talks in enumerate([doubtful(6), doubtful(6, 21), doubtful(9, 21), doubtful(14, 21), doubtful(14, 22)]):
        desk.put(f"fair/page-2026070{night}T0300Z.txt" if night else "fair/page-20260630T0300Z.txt", *talks)
        found = "; ".join(looks(desk.run("fair"))).split("; ")
        told.append([line.rpartition(": ")[2] for line in found if "look like this" in line])
    assert told == [
        ["6 records have values that look like this"],
        [],
        [],
        ["14 records have values that look like this"],
        [],
    ]


def test_columns_that_a_site_fills_later(desk: Desk) -> None:
    """A listing captured within days may lack them; later their lack is a loss."""
    later = replace(NEWS, filled_later=("summary",))
    known = {**TOYS, "news": later}

    def night(day: int, taken: int, **more: str) -> bool:
        rows = [{"title": f"Foam {day} {n}", "listed_on": f"2026-06-{day:02}", **more} for n in range(12)]
        desk.put(f"news/list-202606{taken:02}T0300Z.txt", *rows)
        return refresh(Settings(desk.raw, desk.out), known, ["news"]).good

    filled = [night(day, day + 1, summary="Foam is light.") for day in (1, 2, 3)]
    assert (filled, night(4, 20), night(21, 22)) == ([True] * 3, False, True)
