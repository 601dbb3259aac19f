"""Fetching: what reaches the archive and what does not, politeness, and that every fault becomes one line."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from threading import current_thread
from typing import Any

import pytest
from filelock import FileLock

from parsers._contract import Asked
from parsers._web.web import Request, Web, Window
from pipeline.base.settings import UsageError
from pipeline.fetching.fetch import Fetched
from pipeline.fetching.polite import Visitor
from pipeline.fetching.request import FetchError, Manners, Outside
from pipeline.publishing.captures import CAPTURE_TYPES, capture_frame
from pipeline.publishing.files import block_of
from pipeline.raw.capture_log import FetchStatus
from pipeline.raw.inventory import take_inventory
from schemas.tables import CONTRACT_VERSION
from tests.support.manifests import put_manifest, source_block
from tests.support.sites import (
    NIGHT,
    SHOP,
    Nights,
    Reply,
    Sites,
    Stall,
    ask_stall,
    follow_stall,
    quickly,
    redirect,
    serving,
)

DAY = Stall("https://fair.example/day.txt")
PAGE = "fair.example/day.txt"
FIRST = "fair/day/20261121T030000Z.txt"


@pytest.fixture(scope="module")
def server() -> Iterator[Sites]:
    """Serve for all tests of this file."""
    with serving() as sites:
        yield sites


@pytest.fixture
def sites(server: Sites) -> Sites:
    """Return the sites without pages."""
    server.pages.clear()
    server.asked.clear()
    return server


@pytest.fixture
def nights(tmp_path: Path, sites: Sites, monkeypatch: pytest.MonkeyPatch) -> Nights:
    """Fetch into a raw root of the test's own; nobody waits for another attempt."""
    behave(monkeypatch)
    return Nights(tmp_path / "raw", sites)


def behave(monkeypatch: pytest.MonkeyPatch, **change: Any) -> None:
    """Change the manners of a test."""
    monkeypatch.setattr("pipeline.fetching.fetch.make_manners", quickly(change))


def log(nights: Nights, key: str = "day") -> list[dict[str, Any]]:
    """Return the capture log of a page."""
    return [json.loads(line) for line in (nights.raw / "fair" / key / "captures.ndjson").read_text().splitlines()]


def errors(fetched: Fetched) -> list[str | None]:
    """Return the error of every page, None for one that is good."""
    return [page.error for page in fetched.pages]


def outcomes(fetched: Fetched) -> list[str]:
    """Return how every page ended."""
    return [page.outcome.value for page in fetched.pages]


# What is kept


def test_a_page_is_kept_as_it_came(nights: Nights) -> None:
    """Bytes, sidecar and log; the request says who asks."""
    nights.sites.put(PAGE, Reply("häy", headers={"ETag": '"1"', "Content-Type": "text/plain"}))
    fetched = nights.fetch(replace(DAY, facts={"event": "FAIR"}))
    agent = nights.sites.asked[-1][1]["User-Agent"]
    assert (fetched.good, outcomes(fetched), nights.captures()) == (True, ["new"], {FIRST: "häy".encode()})
    assert fetched.lines() == ["fetched: fair, new: 1, unchanged: 0, not modified: 0, failed: 0"]
    assert (agent.startswith("conspectus/"), agent.endswith(" (+ann@fair.example)")) == (True, True)
    assert [(line["outcome"], line["file"], line["status"]) for line in log(nights)] == [
        ("new", "20261121T030000Z.txt", 200)
    ]


def test_packed_pages_are_kept_unpacked(nights: Nights) -> None:
    """The archive holds what the page says, not how it travelled."""
    nights.sites.put(PAGE, Reply("hay" * 9999).packed())
    nights.fetch(DAY)
    assert nights.captures() == {FIRST: b"hay" * 9999}


def test_pages_packed_in_parts(nights: Nights) -> None:
    """Several packed parts are one body; zeros behind them are padding."""
    parts = b"".join(gzip.compress(text) for text in (b"hay ", b"", b"rye")) + b"\0" * 100
    nights.sites.put(PAGE, Reply(parts, headers={"Content-Encoding": "gzip"}))
    nights.fetch(DAY)
    assert nights.captures() == {FIRST: b"hay rye"}


def test_an_empty_page(nights: Nights) -> None:
    """It is kept as it came: that nothing stands in it is for the next stage to tell."""
    nights.sites.put(PAGE, Reply("", headers={"Content-Encoding": "gzip"}))
    assert (outcomes(nights.fetch(DAY))[0], nights.captures()) == ("new", {FIRST: b""})


def test_a_page_that_did_not_change(nights: Nights) -> None:
    """With a mark it is asked for on condition, without one its bytes are compared: no second copy either way."""
    nights.sites.put(PAGE, Reply("hay", headers={"ETag": '"1"'}))
    nights.sites.put("fair.example/b.txt", "rye")
    nights.fetch(DAY, Stall("https://fair.example/b.txt", "b"))
    nights.next_night()
    fetched = nights.fetch(DAY, Stall("https://fair.example/b.txt", "b"))
    assert (outcomes(fetched), len(nights.captures())) == (["not_modified", "unchanged"], 2)
    assert [line["etag"] for line in log(nights)] == ['"1"', '"1"']


@pytest.mark.parametrize("mark", ["ETag", "Last-Modified"])
def test_conditions_hold_for_many_nights(nights: Nights, mark: str) -> None:
    """An answer that nothing changed does not lose the mark."""
    nights.sites.put(PAGE, Reply("hay", headers={mark: "Fri, 20 Nov 2026 10:00:00 GMT"}))
    ended = [outcomes(nights.fetch(DAY)) for _ in range(4)]
    nights.sites.put(PAGE, Reply("rye", headers={mark: "Sat, 21 Nov 2026 10:00:00 GMT"}))
    assert [*ended, outcomes(nights.fetch(DAY))] == [["new"], *[["not_modified"]] * 3, ["new"]]


def test_a_site_that_says_for_ever_that_nothing_changed(nights: Nights) -> None:
    """A week after the page was last sent whole it is asked for without conditions."""
    nights.sites.put(PAGE, Reply("hay", headers={"ETag": '"1"'}))
    nights.fetch(DAY)
    nights.sites.put(PAGE, Reply("rye", headers={"ETag": '"1"'}))
    ended = []
    for nights.clock.night in (1, 6, 7, 8, 14):
        ended += outcomes(nights.fetch(DAY))
    assert ended == ["not_modified", "not_modified", "new", "not_modified", "unchanged"]


def test_the_list_of_a_day_that_is_over(nights: Nights) -> None:
    """It is asked for whole once more, two days later: what a site says has not changed may have only begun."""
    first = nights.clock.now().date()
    dated = replace(SHOP, asked=lambda facts: Asked(first if facts.url == DAY.url else None))
    nights.sites.put(PAGE, Reply("hay", headers={"ETag": '"1"'}))
    ended = []
    for nights.clock.night in range(5):
        ended += outcomes(nights.fetch(DAY, source=dated))
    assert ended == ["new", "not_modified", "unchanged", "not_modified", "not_modified"]


@pytest.mark.parametrize(
    ("dump", "expected"),
    [
        ({"error": "cut"}, "new"),
        ({"error": None, "records": 3, "doubted": True}, "new"),
        ({"error": None, "records": 3}, "not_modified"),
    ],
)
def test_what_was_not_believed_is_asked_for_whole(nights: Nights, dump: dict[str, Any], expected: str) -> None:
    """A site has one mark for a page and for the half of it that arrived."""
    publish(nights, dump)
    nights.sites.put(PAGE, Reply("ha", headers={"ETag": '"1"'}))
    nights.fetch(DAY)
    nights.sites.put(PAGE, Reply("hay", headers={"ETag": '"1"'}))
    nights.next_night()
    assert outcomes(nights.fetch(DAY)) == [expected]


def test_what_was_not_believed_a_week_ago(nights: Nights) -> None:
    """The site may confirm it again: a page that always needs attention is not sent whole every night."""
    publish(nights, {"error": None, "records": 3, "doubted": True})
    nights.sites.put(PAGE, Reply("hay", headers={"ETag": '"1"'}))
    ended = []
    for nights.clock.night in (0, 1, 6, 7, 12, 13):
        ended += outcomes(nights.fetch(DAY))
    assert ended == ["new", "unchanged", "unchanged", "not_modified", "not_modified", "unchanged"]


def test_a_challenge_page_is_kept(nights: Nights) -> None:
    """It came with status 200: whether it is the page is for others to judge."""
    nights.sites.put(PAGE, "<title>Are you human?</title>")
    assert (nights.fetch(DAY).good, nights.captures()) == (True, {FIRST: b"<title>Are you human?</title>"})


def test_what_is_kept_is_found_by_a_refresh(nights: Nights) -> None:
    """Dumps with their page and facts, nothing unknown: neither logs nor locks."""
    nights.sites.put(PAGE, "hay")
    nights.fetch(replace(DAY, facts={"event": "FAIR", "timezone": "Europe/Oslo", "year": 2026}))
    inventory = take_inventory(nights.raw, ["fair"])
    (dump,) = inventory.dumps["fair"]
    facts = dump.facts
    assert (dict(inventory.unknown), dump.problem, dump.page) == ({}, None, DAY.url)
    assert (facts.event, facts.timezone, facts.year, facts.captured_at) == (
        "FAIR",
        "Europe/Oslo",
        2026,
        NIGHT.replace(tzinfo=None),
    )


def publish(nights: Nights, dump: dict[str, Any], damage: str = "") -> None:
    """Let the last refresh have said something of the first capture."""
    snapshot = nights.raw.parent / "out" / "latest"
    snapshot.mkdir(parents=True)
    row = {"source": "fair", "dump": FIRST, "page": FIRST, "facts": "{}", "feeds": not dump.get("error"), **dump}
    (snapshot / "captures").mkdir()
    capture_frame([dict.fromkeys(CAPTURE_TYPES) | row]).write_parquet(snapshot / "captures" / "fair.parquet")
    files = {"captures/fair.parquet": block_of(snapshot / "captures" / "fair.parquet", 1)}
    put_manifest(snapshot, {"contract_version": CONTRACT_VERSION, "files": files, "sources": {"fair": source_block()}})
    with (snapshot / "manifest.json").open("a") as opened:
        opened.write(damage)


def windows_of(nights: Nights, dump: dict[str, Any], *fetched: int, damage: str = "") -> list[dict[str, datetime]]:
    """Return which captures count on some nights, if the last refresh said this of the first of them."""
    windows: list[Window] = []

    def ask(target: Stall, window: Window) -> Iterator[Request]:
        windows.append(window)
        return ask_stall(target, window)

    publish(nights, dump, damage)
    nights.sites.put(PAGE, "hay")
    for nights.clock.night in fetched:
        assert nights.fetch(DAY, source=replace(SHOP, web=Web(Stall, ask, follow_stall, lambda _: ""))).good
    assert {window.asked for window in windows[1:]} == {frozenset({"day"})}
    return [dict(window.captured) for window in windows]


@pytest.mark.parametrize(("damage", "expected"), [("", {}), ("}", {"day": NIGHT})])
def test_what_was_not_believed_is_still_due(nights: Nights, damage: str, expected: dict[str, datetime]) -> None:
    """A capture that the last refresh could not use counts as none; without a word of a refresh each counts."""
    assert windows_of(nights, {"error": "a captcha"}, 0, 1, damage=damage) == [{}, expected]


def test_an_empty_answer_settles_no_day(nights: Nights) -> None:
    """It counts as a capture only if the page is still empty a week after it was first seen so."""
    empty = {"error": None, "records": 0, "says_empty": True}
    week = {"day": NIGHT + timedelta(days=7)}
    assert windows_of(nights, empty, 0, 6, 7, 8) == [{}, {}, {}, week]


@pytest.mark.parametrize(
    ("doubt", "days"),
    [
        ({}, [{"day": NIGHT + timedelta(days=day)} for day in (0, 6, 7)]),
        ({"doubted": True}, [{}, {}, {"day": NIGHT + timedelta(days=7)}]),
        ({"repeated_by": FIRST}, [{}, {}, {"day": NIGHT + timedelta(days=7)}]),
    ],
)
def test_a_doubted_capture_settles_no_day(
    nights: Nights, doubt: dict[str, Any], days: list[dict[str, datetime]]
) -> None:
    """What a person was told to look at is asked for again, for a week; so is what turned out to be another day's."""
    assert windows_of(nights, {"error": None, "records": 3, **doubt}, 0, 6, 7, 8) == [{}, *days]


@pytest.mark.parametrize(("night", "late"), [(1, []), (-1, ["2026-11-20T03:00:00Z"])])
def test_a_clock_that_was_set_back(nights: Nights, night: int, late: list[str]) -> None:
    """It is told, since the days in between are not asked for; the pages are fetched all the same."""
    nights.sites.put(PAGE, "hay")
    assert nights.fetch(DAY).good
    nights.clock.night = night
    fetched = nights.fetch(DAY)
    assert fetched.failures == [
        f"fair: day: captured at 2026-11-21T03:00:00Z, but the clock says {now}: expected a clock that is right"
        for now in late
    ]
    assert [page.outcome for page in fetched.pages if page.url] == [FetchStatus.UNCHANGED]


# Where a page leads


def test_pages_are_followed(nights: Nights) -> None:
    """Each once, though several lead there, and from where a page came after it moved."""
    nights.sites.put(PAGE, redirect("/2026/day.txt"))
    nights.sites.put("fair.example/2026/day.txt", "next a.txt\nnext b.txt")
    nights.sites.put("fair.example/2026/a.txt", "next b.txt\nnext a.txt")
    nights.sites.put("fair.example/2026/b.txt", "hay")
    fetched = nights.fetch(DAY)
    assert ([page.key for page in fetched.pages], fetched.good) == (["day", "more/a.txt", "more/b.txt"], True)


def test_pages_keep_the_host_that_was_named(nights: Nights) -> None:
    """Where a site redirects to another host of its own today, its pages are still those of yesterday."""
    nights.sites.put(PAGE, redirect("https://www.fair.example/day.txt"))
    nights.sites.put("www.fair.example/day.txt", "next a.txt\nnext https://m.fair.example/b.txt")
    nights.sites.put("fair.example/a.txt", redirect("https://www.fair.example/a.txt"))
    nights.sites.put("www.fair.example/a.txt", "hay")
    nights.sites.put("m.fair.example/b.txt", "rye")
    fetched = nights.fetch(DAY)
    assert [(page.url, page.error) for page in fetched.pages] == [
        (DAY.url, None),
        ("https://fair.example/a.txt", None),
        ("https://m.fair.example/b.txt", None),
    ]


def test_an_unchanged_page_leads_on(nights: Nights) -> None:
    """The pages behind it may have changed: they are asked for, told by the archived one."""
    nights.sites.put(PAGE, Reply("next a.txt", headers={"ETag": '"1"'}))
    nights.sites.put("fair.example/a.txt", "hay")
    nights.fetch(DAY)
    nights.sites.put("fair.example/a.txt", "rye")
    nights.next_night()
    assert outcomes(nights.fetch(DAY)) == ["not_modified", "new"]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("next https://barn.example/x", "leads to another site: https://barn.example/x"),
        ("next file:///etc/hosts", "leads to 'file:/etc/hosts', which is not a web page"),
        ("next http://fair.example/x", "leads from https to http://fair.example/x"),
        ("break", "ZeroDivisionError: a defect"),
        ("\0", "fair/day/20261121T030000Z.txt:1: nul_byte: expected text, found a NUL byte"),
    ],
)
def test_a_page_that_leads_nowhere(nights: Nights, body: str, error: str) -> None:
    """The page is kept; that it cannot be followed is a failure."""
    nights.sites.put(PAGE, body)
    fetched = nights.fetch(DAY)
    assert (outcomes(fetched), len(nights.captures())) == (["new", "failed"], 1)
    assert fetched.failures[0].startswith(f"fair: {DAY.url}: the links of the page could not be read: {error}")


def test_pages_without_an_end(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    """A calendar that always has a next page is left at some page, and that is told."""
    monkeypatch.setattr("pipeline.fetching.fetch.MOST_PAGES", 3)
    nights.sites.put(PAGE, "next 1.txt")
    nights.sites.put("fair.example/1.txt", "next 2.txt")
    nights.sites.put("fair.example/2.txt", "next 3.txt")
    assert errors(nights.fetch(DAY)) == [
        None,
        None,
        None,
        "not fetched: one target leads to more than 3 pages",
    ]


def test_two_addresses_for_one_folder(nights: Nights) -> None:
    """The second is refused: its captures would be taken for those of the first."""
    nights.sites.put(PAGE, "hay")
    fetched = nights.fetch(DAY, DAY, Stall("https://barn.example/day.txt"))
    assert errors(fetched) == [None, "the folder day is already used by https://fair.example/day.txt"]


def test_a_source_that_cannot_ask(nights: Nights) -> None:
    """A defect in the requests of one target costs that target."""
    nights.sites.put(PAGE, "hay")
    fetched = nights.fetch("no target", replace(DAY, key="../day"), DAY)
    assert outcomes(fetched) == ["failed", "failed", "new"]
    assert fetched.failures[0].startswith("fair: 'no target': no requests: AttributeError")


# Faults: each ends as one line, and the next target is fetched


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply("gone", 404), "404 Not Found"),
        (Reply("no", 403), "403 Forbidden"),
        (Reply("part", 206), "206 Partial Content"),
        (Reply(status=204), "204 No Content"),
        (Reply(status=304), "304 Not Modified"),
        (Reply("down", 503), "503 Service Unavailable"),
        (Reply("hay", length=9), "RemoteProtocolError: peer closed connection without sending complete message body"),
        (
            Reply("hay", headers={"Content-Encoding": "br"}),
            "expected a body compressed with gzip or uncompressed, found br",
        ),
        (Reply("hay", headers={"Content-Encoding": "gzip"}), "expected a body compressed with gzip: "),
        (
            replace(Reply("hay").packed(), length=15, body=Reply("hay").packed().body[:15]),
            "the compressed body is truncated",
        ),
        (Reply("x" * 2000), "expected at most 0.000976562 MiB, found more"),
        (Reply("x" * 2_000_000).packed(), "expected at most 0.000976562 MiB, found more"),
        (Reply("x", length=10**15), "expected at most 0.000976562 MiB, found more"),
        (Reply(drop=True), "RemoteProtocolError: Server disconnected without sending a response."),
        (Reply(status=302), "302 Found"),
        (redirect(DAY.url), f"redirect loop: {DAY.url}"),
        (redirect("https://barn.example/"), "302: leads to another site: https://barn.example/"),
        (redirect("https://fair.example.evil.example/"), "302: leads to another site: https://fair.example.evil"),
        (redirect("https://fair.example:8443/", 308), "308: leads to another site: https://fair.example:8443/"),
        (redirect("http://fair.example/x"), "302: leads from https to http://fair.example/x"),
        (redirect("http://127.0.0.1/"), "302: leads from https to http://127.0.0.1/"),
        (redirect("https://127.0.0.1/"), "302: leads to another site: https://127.0.0.1/"),
        (redirect("https://inner.fair.example/"), "302: leads to a private address: https://inner.fair.example/"),
        (redirect("https://ann@fair.example/"), "302: leads to 'https://ann@fair.example/', which is not a web page"),
        (
            redirect("https://fair.example:x/"),
            "RemoteProtocolError: Invalid URL in location header: Invalid port: 'x'.",
        ),
        (redirect("gopher://fair.example/"), "302: leads to 'gopher://fair.example/', which is not a web page"),
    ],
)
def test_a_fault(nights: Nights, monkeypatch: pytest.MonkeyPatch, reply: Reply, error: str) -> None:
    """It is told in one line, in the result, to who watches and in the log; nothing is kept; the next page comes."""
    behave(monkeypatch, max_bytes=1024, attempts=2)
    nights.numbers["inner.fair.example"] = "10.0.0.7"
    nights.sites.put(PAGE, reply)
    nights.sites.put("barn.example/b.txt", "rye")
    fetched = nights.fetch(DAY, Stall("https://barn.example/b.txt", "b"))
    (failure,) = fetched.failures
    assert (outcomes(fetched), list(nights.captures())) == (["failed", "new"], ["fair/b/20261121T030000Z.txt"])
    assert failure.startswith(f"fair: {DAY.url}: {error}")
    assert [line for line in nights.said if line.startswith("failed")] == [f"failed: {failure}"]
    assert [f"fair: {DAY.url}: {line['error']}" for line in log(nights)] == [failure]
    assert fetched.lines() == [
        f"failed: {failure}",
        "fetched: fair, new: 1, unchanged: 0, not modified: 0, failed: 1",
    ]


@pytest.mark.parametrize(
    ("reply", "limit", "error"),
    [
        (Reply("hay" * 99, pause=0.02), {"deadline": 0.5}, "took more than 0.5 s"),
        (Reply("hay", pause=0.02, head=True), {"deadline": 0.5}, "took more than 0.5 s"),
        (Reply("hay", pause=2.0), {"reading": 0.5}, "no data for 0.5 s"),
    ],
    ids=["slow body", "slow headers", "silence"],
)
def test_a_slow_site(
    nights: Nights, monkeypatch: pytest.MonkeyPatch, reply: Reply, limit: dict[str, float], error: str
) -> None:
    """A byte now and then is no answer: the time for a page has an end, and so has that for the next byte."""
    behave(monkeypatch, attempts=1, **limit)
    nights.sites.put(PAGE, reply)
    assert (errors(nights.fetch(DAY)), nights.captures()) == ([error], {})


def test_a_failure_leaves_what_was_kept(nights: Nights) -> None:
    """The good capture stays the newest, and conditions are still those of it."""
    nights.sites.put(PAGE, Reply("hay", headers={"ETag": '"1"'}), Reply("", 500, {"ETag": '"2"'}))
    nights.fetch(DAY)
    nights.next_night()
    nights.fetch(DAY)
    nights.sites.put(PAGE, Reply("hay", headers={"ETag": '"1"'}))
    nights.next_night()
    assert (outcomes(nights.fetch(DAY)), list(nights.captures())) == (["not_modified"], [FIRST])


def test_a_full_disk(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that cannot be written is a failure of that page."""

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    nights.sites.put(PAGE, "hay")
    monkeypatch.setattr("pipeline.raw.archive.write_new", refuse)
    first = nights.fetch(DAY)
    monkeypatch.setattr("pipeline.fetching.fetch.append", refuse)
    second = nights.fetch(DAY)
    expected = "could not be saved: [Errno 28] No space left on device"
    assert (errors(first), errors(second), nights.captures()) == ([expected], [expected], {})


def test_a_log_that_cannot_be_written(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    """The capture is kept; that the log does not say so is told, and the next run adds it."""
    nights.sites.put(PAGE, "hay")
    with monkeypatch.context() as patch:
        patch.setattr("pipeline.raw.capture_log.open_regular", lambda *_: (_ for _ in ()).throw(OSError(28, "full")))
        first = nights.fetch(DAY)
    second = nights.fetch(DAY)
    assert (errors(first), outcomes(second)) == (["could not be logged: [Errno 28] full"], ["unchanged"])
    assert [line["outcome"] for line in log(nights)] == ["new", "unchanged"]


def test_a_spoilt_sidecar(nights: Nights) -> None:
    """Nobody can tell what the newest capture is: a failure that names the reason."""
    nights.sites.put(PAGE, "hay")
    nights.fetch(DAY)
    (nights.raw / f"{FIRST}.meta.toml").write_text("what")
    told = f"fair: {DAY.url}: could not be saved: {nights.raw}/{FIRST}.meta.toml: expected valid TOML"
    assert nights.fetch(DAY).failures[0].startswith(told)


def test_a_source_whose_folder_is_a_file(nights: Nights) -> None:
    """The source fails in one line."""
    (nights.raw / "fair").write_text("x")
    (failure,) = nights.fetch(DAY).failures
    assert failure.startswith(f"fair: {nights.raw}/fair: [Errno 17] File exists")


def test_a_log_that_somebody_spoilt(nights: Nights) -> None:
    """A line without a moment counts as damaged: it is told, and made anew from the sidecar."""
    nights.sites.put(PAGE, "hay")
    nights.fetch(DAY)
    file = nights.raw / "fair" / "day" / "captures.ndjson"
    file.write_text(file.read_text().replace("2026-11-21T03", "yesterday"))
    fetched = nights.fetch(DAY)
    told = ["repaired: fair/day: added 20261121T030000Z.txt to the log", "repaired: fair/day: removed from the log: "]
    assert (fetched.good, [line["outcome"] for line in log(nights)]) == (True, ["new", "failed", "unchanged"])
    assert [said.partition("one line")[0] for said in nights.said if said.startswith("repaired")] == told


# Politeness


def test_requests_to_a_site_are_apart(nights: Nights) -> None:
    """By the pause of the source, also between its hosts; another site is not waited for."""
    for page in (PAGE, "www.fair.example/a.txt", "barn.example/b.txt"):
        nights.sites.put(page, "hay")
    nights.fetch(
        DAY, Stall("https://www.fair.example/a.txt", "a"), Stall("https://barn.example/b.txt", "b")
    )  # and robots.txt of each
    assert nights.clock.slept == [3.0, 3.0, 3.0, 3.0]


def test_robots_are_heeded(nights: Nights) -> None:
    """They are read once a host; what they forbid is not asked for, and their pause is kept."""
    nights.sites.put("fair.example/robots.txt", "User-agent: *\nDisallow: /secret\nCrawl-delay: 7\n")
    nights.sites.put(PAGE, "hay")
    fetched = nights.fetch(Stall("https://fair.example/secret.txt", "s"), DAY, replace(DAY, key="again"))
    assert errors(fetched) == ["not allowed by https://fair.example/robots.txt", None, None]
    assert [page for page, _ in nights.sites.asked] == ["fair.example/robots.txt", PAGE, PAGE]
    assert nights.clock.slept == [3.0, 7.0]


def test_robots_that_mean_us(nights: Nights) -> None:
    """Rules for this program go before those for all."""
    nights.sites.put(
        "fair.example/robots.txt",
        "User-agent: conspectus\nDisallow:\n\nUser-agent: *\nDisallow: /\nCrawl-delay: 9000\n",
    )
    nights.sites.put(PAGE, "hay")
    assert nights.fetch(DAY).good


def test_robots_of_the_place_to_which_a_page_moved(nights: Nights) -> None:
    """Each host has its own."""
    nights.sites.put(PAGE, redirect("https://www.fair.example/day.txt"))
    nights.sites.put("www.fair.example/robots.txt", "User-agent: *\nDisallow: /")
    assert errors(nights.fetch(DAY)) == ["not allowed by https://www.fair.example/robots.txt"]


@pytest.mark.parametrize("reply", [Reply("no", 404), Reply("no", 403), Reply("<html>", 200), Reply("\xff\0", 200)])
def test_no_robots(nights: Nights, reply: Reply) -> None:
    """Where there is none, or something else in its place, everything may be asked for."""
    nights.sites.put("fair.example/robots.txt", reply)
    nights.sites.put(PAGE, "hay")
    assert nights.fetch(DAY).good


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply("", 503), "503 Service Unavailable"),
        (Reply("", 429), "429 Too Many Requests"),
        (Reply(drop=True), "RemoteProtocolError: Server disconnected without sending a response."),
        (redirect("https://barn.example/"), "302: leads to another site: https://barn.example/"),
    ],
)
def test_robots_that_cannot_be_read(nights: Nights, reply: Reply, reason: str) -> None:
    """Nobody knows what is allowed: nothing is asked for, and the line says why."""
    nights.sites.put("fair.example/robots.txt", reply)
    (error,) = errors(nights.fetch(DAY))
    expected = f"not fetched: https://fair.example/robots.txt cannot be read: {reason}"
    assert (error, nights.sites.pages_asked()) == (expected, [])


def test_a_site_that_recovers(nights: Nights) -> None:
    """Twice 500, then the page: kept, and the attempts are told."""
    nights.sites.put(PAGE, Reply("", 500), Reply("", 500), Reply("hay"))
    fetched = nights.fetch(DAY)
    assert (fetched.good, nights.said) == (
        True,
        [f"fetching {DAY.url}", f"retrying, 2 of 4: {DAY.url}", f"retrying, 3 of 4: {DAY.url}"],
    )


@pytest.mark.parametrize(
    ("value", "waited"),
    [
        ("17", 17.0),
        ("0", 3.0),
        (format_datetime(NIGHT + timedelta(seconds=48), usegmt=True), 48.0),
        ("Sat, 21 Nov 2026 03:00:48 -0000", 48.0),
        ("Fri, 20 Nov 2026 03:00:00 GMT", 3.0),
        ("soon", 3.0),
        ("-5", 3.0),
    ],
)
def test_retry_after(nights: Nights, value: str, waited: float) -> None:
    """Seconds or a date: the site is left alone as long as it asks, and never less than the pause."""
    nights.sites.put(PAGE, Reply("", 429, {"Retry-After": value}), Reply("hay"))
    assert (nights.fetch(DAY).good, nights.clock.slept) == (True, [3.0, waited])


@pytest.mark.parametrize("value", ["301", "9" * 400, "Sat, 21 Nov 2026 09:00:00 GMT"])
def test_retry_after_a_long_time(nights: Nights, value: str) -> None:
    """Nobody waits that long: the page fails at once."""
    nights.sites.put(PAGE, Reply("", 429, {"Retry-After": value}))
    (error,) = errors(nights.fetch(DAY))
    assert (
        str(error).startswith("429 Too Many Requests: the site asks to wait "),
        len(nights.sites.pages_asked()),
    ) == (True, 1)


def test_waits_grow(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as long each time, with a random part, up to a limit."""
    slept: list[float] = []
    mine = current_thread()
    # The threads of the server sleep too, by the same function.
    monkeypatch.setattr(
        "tenacity.nap.time.sleep", lambda wait: slept.append(wait) if current_thread() is mine else None
    )
    behave(monkeypatch, backoff=2.0, attempts=7)
    nights.sites.put(PAGE, Reply("", 500))
    nights.fetch(DAY)
    least = [2.0, 4.0, 8.0, 16.0, 32.0, 60.0]
    assert [low <= wait <= min(low + 2.0, 60.0) for low, wait in zip(least, slept, strict=True)] == [True] * 6


def test_a_site_that_is_down_is_left_alone(nights: Nights) -> None:
    """After three pages that failed however often they were asked for, the others are not asked for."""
    targets = [Stall(f"https://fair.example/{number}.txt", str(number)) for number in range(5)]
    for number in range(5):
        nights.sites.put(f"fair.example/{number}.txt", Reply("", 503))
    found = errors(nights.fetch(*targets))
    assert found == [*["503 Service Unavailable"] * 3, *["not fetched: fair.example failed 3 times in a row"] * 2]


def test_pages_that_are_gone_are_no_reason_to_leave(nights: Nights) -> None:
    """A site that answers is not down."""
    targets = [Stall(f"https://fair.example/{number}.txt", str(number)) for number in range(5)]
    assert errors(nights.fetch(*targets)) == ["404 Not Found"] * 5


@pytest.mark.parametrize("target", ["https://www.fair.example/day.txt", "/x", "//fair.example:443/x", "?p=2#top"])
def test_redirects_within_the_site(nights: Nights, target: str) -> None:
    """The capture is of the address that was named, and says where it came from."""
    nights.sites.put(PAGE, redirect(target, 301))
    for page in ("www.fair.example/day.txt", "fair.example/x", f"{PAGE}?p=2"):
        nights.sites.put(page, "hay")
    nights.fetch(DAY)
    (sidecar,) = [line for line in (nights.raw / f"{FIRST}.meta.toml").read_text().splitlines() if "final" in line]
    assert (nights.captures(), sidecar.startswith('final_url = "https://')) == ({FIRST: b"hay"}, True)


@pytest.mark.parametrize(("hops", "good"), [(5, True), (6, False)])
def test_redirects_have_an_end(nights: Nights, hops: int, good: bool) -> None:
    """Five are followed."""
    nights.sites.put(PAGE, redirect("/0"))
    for hop in range(hops - 1):
        nights.sites.put(f"fair.example/{hop}", redirect(f"/{hop + 1}"))
    nights.sites.put(f"fair.example/{hops - 1}", "hay")
    assert errors(nights.fetch(DAY)) == [None if good else "more than 5 redirects"]


def test_no_cookies_are_kept(nights: Nights) -> None:
    """Every request stands alone: what comes back does not depend on what was asked before."""
    nights.sites.put(PAGE, Reply("hay", headers={"Set-Cookie": "a=1"}))
    nights.fetch(DAY, replace(DAY, key="again"))
    assert [headers.get("Cookie") for _, headers in nights.sites.asked] == [None] * 3


# Without any transport in between: the real network, on loopback


@pytest.fixture
def visit(sites: Sites, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visitor]:
    """Ask over real connections, in an environment whose proxy leads nowhere."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    visitor = Visitor(manners(), Outside())
    yield visitor
    visitor.close()


def manners() -> Manners:
    """Return manners for a visitor without a configuration."""
    return Manners("test/1", "ann@fair.example", attempts=1)


def test_loopback_is_reached_where_it_is_named(visit: Visitor, sites: Sites) -> None:
    """An address that somebody named may be private, and no proxy is asked for it."""
    sites.put("here/day.txt", "hay")
    assert visit.get(f"http://127.0.0.1:{sites.port}/day.txt", 0.0, {}).data == b"hay"


def test_a_private_address_that_nobody_named(sites: Sites) -> None:
    """A name that was looked up as public and then answers from inside is not listened to."""
    visitor = Visitor(manners(), Outside(look_up=lambda _: ["93.184.216.34"]))
    sites.put("here/day.txt", "hay")
    with pytest.raises(FetchError, match=r"answered from a private address: 127\.0\.0\.1"):
        visitor.get(f"http://127.0.0.1:{sites.port}/day.txt", 0.0, {})
    visitor.close()


def test_nobody_answers(visit: Visitor) -> None:
    """A port on which nobody listens."""
    with pytest.raises(FetchError, match="ConnectError"):
        visit.get("http://127.0.0.1:9/day.txt", 0.0, {})


# The run as a whole


def test_nobody_asks_without_a_name(nights: Nights) -> None:
    """Without a contact nothing is sent."""
    nights.sites.put(PAGE, "hay")
    with pytest.raises(UsageError, match=r"sources\.toml: contact: fetching requires an email address"):
        nights.fetch(DAY, contact=None)
    assert nights.sites.asked == []


def test_nothing_to_fetch(nights: Nights) -> None:
    """A source without targets is passed over; nobody needs a name for that."""
    assert (nights.fetch(contact=None), nights.fetch(DAY, source=replace(SHOP, web=None)).pages) == (Fetched(()), ())


def test_a_second_run_waits(nights: Nights) -> None:
    """Two runs never write into one archive at a time; the second says that it waits."""
    (nights.raw / "fair").mkdir()
    nights.sites.put(PAGE, "hay")
    held = FileLock(nights.raw / "fair" / ".fetch.lock")
    held.acquire()
    nights.watch = lambda said: nights.said.append(said) or held.release()  # type: ignore[func-returns-value]
    fetched = nights.fetch(DAY)
    assert (fetched.good, nights.said[0]) == (
        True,
        f"another run is fetching into {nights.raw / 'fair'}; waiting for it to finish",
    )
