"""Guards: what each one checks, the effect of its policy, and the fate of a rejected capture."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from parsers._ledger.document import Document
from parsers._web.web import Web, follow_nothing
from pipeline.base.settings import Settings
from pipeline.base.signals import (
    GUARD_NAMES,
    OF_CAPTURES,
    REASONS_OF,
    SIGNALS,
    GuardBook,
    Guards,
    LossPolicy,
    Policy,
    Sign,
)
from pipeline.guarding.checks import CHECKS, Case, judge
from pipeline.guarding.comparison import Comparison
from pipeline.merging.outcome import Status
from pipeline.reading.challenge import find_challenge
from pipeline.reading.measure import Measure
from pipeline.run.refresh import Result, refresh
from pipeline.run.summary import messages
from schemas.vocabulary import REASONS
from tests.support.toy import FAIR, Desk

FULL = Measure(
    format="f", records=40, titles=40, papers=40, authors=40, abstracts=40, lines=400, listed_on="2026-01-01", ids="a"
)
LOG = replace(FULL, log=True)
DAY = 'captured_at = 2026-01-{:02}T03:00:00Z\nurl = "https://fair.example/p"\n{}'


def names(signs: Iterable[Sign]) -> list[str]:
    """Return the guards among signs."""
    return [sign.signal for sign in signs if sign.does is not Policy.LOOK]


def alarms(now: Measure, *past: Measure, **settings: Any) -> list[str]:
    """Return the names of the guards that raise an alarm."""
    return names(judge(Case(now, past), Guards(**settings)))


def talks(*titles: str, **more: object) -> list[dict[str, object]]:
    """Make talks with these titles."""
    return [{"title": title, "event": "E", **more} for title in titles]


def put_day(desk: Desk, day: int, *lines: str | dict[str, Any], source: str = "fair", accept: str = "") -> None:
    """Write a capture of the one page of a source."""
    desk.put(f"{source}/{day:02}.txt", *lines, sidecar=DAY.format(day, accept))


def run(desk: Desk, *names: str, **settings: Any) -> Result:
    """Refresh with the given guard settings."""
    return refresh(Settings(desk.raw, desk.out, guards=GuardBook(Guards(**settings))), desk.known, names)


# Single guards


def test_a_page_like_the_one_before_raises_no_alarm() -> None:
    """A capture like the one before raises no alarm, and neither does a first one."""
    assert (alarms(FULL, FULL), alarms(LOG, LOG), alarms(FULL)) == ([], [], [])


@pytest.mark.parametrize(
    ("now", "before", "expected"),
    [
        (Measure(challenge="a captcha"), FULL, ["challenge", "drop"]),
        (replace(FULL, challenge="a captcha"), FULL, []),
        (Measure(format="f"), None, ["empty"]),
        (Measure(format="f", says_empty=True), FULL, ["drop"]),
        (Measure(format="f", says_empty=True, log=True), LOG, []),
        (replace(FULL, declared=51, found=40), None, ["declared"]),
        (replace(FULL, declared=50, found=40), None, []),
        (replace(FULL, declared=2, found=1), None, []),
        (replace(FULL, declared=10, found=40), None, []),
        (replace(FULL, records=27), FULL, ["drop"]),
        (replace(FULL, records=28), FULL, []),
        (replace(FULL, records=80, titles=80), FULL, []),
        (Measure(format="f", records=1), Measure(format="f", records=2), []),
        (Measure(format="f", records=2), Measure(format="f", records=4), ["drop"]),
        (replace(LOG, records=4), LOG, []),
        (replace(LOG, records=3), LOG, ["drop"]),
        (replace(LOG, records=3, declared=3, found=3, complete=True), LOG, []),
        (replace(FULL, records=3, declared=3, found=3, complete=True), FULL, ["drop"]),
        (replace(FULL, unexplained=201), None, ["unexplained"]),
        (replace(FULL, unexplained=200), None, []),
        (replace(FULL, unexplained=100, rejected=101), None, ["unexplained"]),
        (replace(FULL, rejected=200), None, []),
        (replace(FULL, held=41), None, ["unexplained"]),
        (replace(FULL, held=40), None, []),
        (Measure(format="f", records=1, lines=3, held=2), None, ["unexplained"]),
        (Measure(format="f", says_empty=True, held=1), None, []),
        (replace(FULL, lines=5, unexplained=5), None, []),
        (replace(FULL, lines=6, unexplained=4), None, ["unexplained"]),
        (replace(FULL, other="the list of another day"), None, ["asked"]),
        (replace(FULL, language="de"), replace(FULL, language="en"), ["language"]),
        (replace(FULL, language="en"), replace(FULL, language="en"), []),
        (replace(FULL, language="de"), FULL, []),
        (FULL, replace(FULL, language="en"), []),
        (replace(FULL, foreign=8, garbled=4), None, ["garbled"]),
        (replace(FULL, foreign=9, garbled=4), None, []),
        (replace(FULL, foreign=3, garbled=3), None, []),
        (replace(FULL, records=10, foreign=3, garbled=3), None, ["garbled"]),
        (replace(FULL, records=4, foreign=2, garbled=2), None, []),
        (replace(LOG, listed_on="2026-01-02"), LOG, ["stale"]),
        (replace(FULL, listed_on="2026-01-02"), FULL, []),
        (replace(LOG, listed_on="2026-01-02", ids="b"), LOG, []),
        (replace(LOG, listed_on="2025-12-31"), LOG, []),
        (replace(LOG, listed_on=None), LOG, []),
        (replace(FULL, fingerprint="x"), replace(FULL, fingerprint="y"), ["layout"]),
        (replace(FULL, fingerprint="x"), FULL, []),
        (replace(FULL, fingerprint="x", format="g"), replace(FULL, fingerprint="y"), []),
    ],
)
def test_what_a_guard_sees(now: Measure, before: Measure | None, expected: list[str]) -> None:
    """Each limit is tried from both sides, together with cases that must not raise an alarm."""
    assert alarms(now, *filter(None, [before])) == expected


def test_a_stale_listing_after_a_part_of_it() -> None:
    """A listing that repeats the day before yesterday is stale, even if yesterday's capture was only a part."""
    part = replace(LOG, records=20, titles=20, papers=20, authors=20, abstracts=20, ids="part")
    assert alarms(replace(LOG, listed_on="2026-01-02"), LOG, part) == ["stale"]


def sample(*names: str) -> str:
    """Return a sample of ids made of the given names."""
    return "".join(f"{name:0>8}" for name in sorted(names))


@pytest.mark.parametrize(
    ("now", "before", "expected"),
    [
        (sample("a", "b", "c", "d", "e"), sample("a", "b", "c", "d"), ["stale"]),
        (sample("a", "b", "c", "d", "e"), sample("a", "b", "c", "x"), []),
        (sample("a", "b", "c"), sample(*"abcdefghijklmnopqrstuvwxyz"), ["stale"]),
        (sample("a", "b"), sample("a", "b"), []),
        (sample("a", "b", "c"), "", []),
        (sample(*(f"{n:02}" for n in range(0, 64, 2))), sample(*(f"{n:02}" for n in range(32))), ["stale"]),
        (sample(*(f"{n:02}" for n in range(0, 96, 3))), sample(*(f"{n:02}" for n in range(0, 64, 2))), []),
        (sample(*(f"{n:02}" for n in range(32))), sample(*(f"{n:02}" for n in range(1, 33))), ["stale"]),
    ],
)
def test_a_listing_with_most_entries_of_an_earlier_one(now: str, before: str, expected: list[str]) -> None:
    """Stale if four fifths of three or more entries repeat; samples are compared as far as both reach."""
    new = replace(LOG, listed_on="2026-01-02", ids="b", day_ids=now)
    assert alarms(new, replace(LOG, day_ids=before)) == expected


def test_another_page_with_the_entries_of_an_earlier_one() -> None:
    """With one page per day, a listing that repeats another page is stale; one repeated record is not enough."""
    new, old = replace(LOG, listed_on="2026-01-02", day_ids=sample("a", "b", "c")), replace(LOG, day_ids=sample(*"abc"))
    cases = Case(new, of_source=[old]), Case(new, of_source=[replace(old, day_ids=sample("a"))])
    found = [judge(case, Guards()) for case in cases]
    assert [[alarm.detail for alarm in each] for each in found] == [
        ["the listing of 2026-01-02 repeats records of 2026-01-01"],
        [],
    ]


@pytest.mark.parametrize(
    ("now", "before", "expected"),
    [(sample(*"abcdefgh"), sample(*"abc"), ["stale"]), (sample(*"abcdefgh"), sample(*"ab"), [])],
)
def test_a_listing_with_all_entries_of_a_day_that_had_only_begun(now: str, before: str, expected: list[str]) -> None:
    """A list that repeats all records of a day captured early is stale; two records are too few to tell."""
    new, old = replace(LOG, listed_on="2026-01-02", ids="b", day_ids=now), replace(LOG, day_ids=before)
    assert names(judge(Case(new, of_source=[old]), Guards())) == expected


@pytest.mark.parametrize(("ids", "records", "expected"), [("a", 40, ["stale"]), ("b", 40, []), ("a", 2, [])])
def test_a_part_of_a_list_that_repeats_another(ids: str, records: int, expected: list[str]) -> None:
    """A second page of a feed that shows the first again is stale; two records are too few to tell."""
    now, first = replace(LOG, listed_on=None, records=records), replace(LOG, listed_on=None, ids=ids)
    assert names(judge(Case(now, parts=[first]), Guards())) == expected


@pytest.mark.parametrize(("before", "expected"), [("en", ["language"]), ("de", []), (None, [])])
def test_the_first_page_of_a_day_in_another_language(before: str | None, expected: list[str]) -> None:
    """The language is compared with that of other days' pages."""
    case = Case(replace(LOG, language="de"), of_source=[replace(LOG, language=before, listed_on=None, ids="b")])
    assert names(judge(case, Guards())) == expected


@pytest.mark.parametrize(
    ("compared", "expected"),
    [
        (Comparison(known=40), []),
        (Comparison(known=30, gone=10, new=10), []),
        (Comparison(known=5, gone=35, new=35), ["language"]),
        (Comparison(known=40, found={"rewritten": "of 40 known records have other values: title in 40"}), ["language"]),
        (Comparison(known=40, retitled=tuple((f"a{number}", f"b{number}") for number in range(30))), ["language"]),
    ],
)
def test_a_label_that_was_put_right(compared: Comparison, expected: list[str]) -> None:
    """A page whose records stay as they were is in the language that it was in, whatever it says now."""
    case = Case(replace(FULL, language="en-GB"), [replace(FULL, language="pt-PT")], compared=compared)
    assert names(judge(case, Guards())) == expected


@pytest.mark.parametrize(
    ("now", "before", "compared", "expected"),
    [
        (FULL, FULL, Comparison(known=4, gone=36, new=40), ["replaced"]),
        (FULL, FULL, Comparison(known=5, gone=35, new=40), []),
        (FULL, FULL, Comparison(gone=9, new=40), []),
        (FULL, FULL, Comparison(gone=40, new=40, is_over=True), []),
        (FULL, replace(FULL, other_year="the title says 2025"), Comparison(gone=40, new=40), []),
        (LOG, LOG, Comparison(gone=40, new=40), []),
        (replace(FULL, other_year="the title says 2025"), FULL, Comparison(known=40), ["other_year"]),
    ],
)
def test_another_programme(now: Measure, before: Measure, compared: Comparison, expected: list[str]) -> None:
    """A programme whose known records are gone before its days are over is another one; so is one of another year."""
    now, before = (replace(each, listed_on=None) for each in (now, before))
    assert names(judge(Case(now, [before], compared=compared), Guards())) == expected


def test_last_years_programme_at_this_years_address(desk: Desk) -> None:
    """It is not published over the right one; a sidecar can accept it."""
    last, this = ([f"{year}-06-17T{hour}:00" for hour in range(10, 14)] for year in (2025, 2026))
    put_day(desk, 2, *(talks("Rye", start=start)[0] for start in this), accept="year = 2026\n")
    assert desk.run("fair").good
    put_day(desk, 3, *(talks("Hay", start=start)[0] for start in last), accept="year = 2026\n")
    again = desk.run("fair").outcomes[0].error
    told = "the programme of 2026 was asked for, 4 of 4 records have dates of other years, such as 2025-06-17"
    assert f"guard_other_year: {told}" in (again or "")
    assert desk.titles("fair") == ["Rye"]
    put_day(desk, 3, *(talks("Hay", start=start)[0] for start in last), accept='year = 2026\naccept = ["other_year"]\n')
    assert (desk.run("fair").good, desk.titles("fair")) == (True, ["Hay"])


DAY_LIST = replace(LOG, asked="2026-01-01")
EMPTY = Measure(format="f", says_empty=True, log=True)


@pytest.mark.parametrize(
    ("now", "past", "expected"),
    [
        (replace(DAY_LIST, records=27), [DAY_LIST], "the list of 2026-01-01 has 27 records, down from 40"),
        (replace(EMPTY, asked="2026-01-01"), [DAY_LIST], "the list of 2026-01-01 has 0 records, down from 40"),
        (replace(DAY_LIST, records=28), [DAY_LIST], None),
        (replace(DAY_LIST, records=1), [], None),
        (replace(LOG, records=5), [LOG], None),
        (EMPTY, [LOG] * 7, "the page is empty, which it was in none of its last captures"),
        (EMPTY, [LOG] * 6, None),
        (EMPTY, [EMPTY, *[LOG] * 6], None),
        (LOG, [EMPTY, *[LOG] * 6], None),
        (EMPTY, [EMPTY, *[LOG] * 7], "the page is empty, which it was in none of its last captures"),
    ],
)
def test_a_list_that_is_short(now: Measure, past: list[Measure], expected: str | None) -> None:
    """A day's list that lost a third, or a feed that is empty for the first time, is reported but not refused."""
    case = Case(now, past)
    signs = judge(case, Guards())
    assert [(sign.signal, sign.does, sign.detail.partition(":")[0]) for sign in signs] == (
        [("short_list", Policy.LOOK, expected)] if expected else []
    )


def test_limits_are_settings() -> None:
    """With a lower limit the same capture raises an alarm."""
    less = replace(FULL, records=36)
    assert (alarms(less, FULL), alarms(less, FULL, drop_limit=0.05)) == ([], ["drop"])


def test_policies() -> None:
    """FAIL, LOOK and WARN give a sign; OFF and an accepted guard do not."""
    half = Case(replace(FULL, records=20), [FULL])
    found = [
        judge(half, Guards(drop=Policy.WARN)),
        judge(half, Guards(drop=Policy.LOOK)),
        judge(half, Guards()),
        judge(half, Guards(drop=Policy.OFF)),
        judge(half, Guards(), ("drop",)),
    ]
    told = "20 records, down from 40 in the last good capture"
    does = [Policy.WARN, Policy.LOOK, Policy.FAIL]
    assert found == [*((Sign("drop", told, each),) for each in does), (), ()]


def test_the_old_name_of_a_guard() -> None:
    """``coverage`` in settings and sidecars means ``lost``; its limits are accepted and ignored."""
    case = Case(FULL, [FULL], compared=Comparison(found={"lost": "room: 5 of 9"}))
    old = Guards(coverage=Policy.OFF, coverage_limit=0.1, coverage_from=3)
    assert [names(judge(case, *given)) for given in ((Guards(),), (old,), (Guards(), ["coverage"]))] == [
        ["lost"],
        [],
        [],
    ]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"drop_limit": 1.5}, "drop_limit = 1.5: expected a share from 0 to 1"),
        ({"coverage_from": -1}, "coverage_from = -1: expected 0 or more"),
        ({"drop": "maybe"}, "drop = 'maybe': expected one of fail, look, warn, off"),
        ({"displaced": "fail"}, "displaced = 'fail': expected one of look, warn, off"),
    ],
)
def test_settings_that_make_no_sense(setting: dict[str, Any], message: str) -> None:
    """The message names the key."""
    with pytest.raises(ValueError, match=message):
        Guards(**setting)


def test_a_source_can_have_settings_of_its_own() -> None:
    """Other sources keep the default."""
    own = Guards(drop=Policy.OFF)
    book = GuardBook(Guards(), {"fair": own})
    assert (book.of("fair"), book.of("news")) == (own, Guards())


def test_the_table_of_signals() -> None:
    """Each signal of a capture has a check, in the order of the table, unless the reading tells it."""
    assert list(CHECKS) == [name for name in OF_CAPTURES if name not in {"unread", "odd", "cancelled", "empty_day"}]
    assert set(REASONS_OF.values()) <= set(REASONS)
    assert {Guards().policy(name) for name in GUARD_NAMES} == {Policy.FAIL, Policy.WARN}
    assert {name for name, signal in SIGNALS.items() if not signal.says} == set(GUARD_NAMES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<title>Just a moment...</title><script>x</script>", "a challenge of the site's protection"),
        ("Just a moment...\nfair.example", "a challenge of the site's protection"),
        ('<div class="g-recaptcha" data-sitekey="k"></div>', "a captcha"),
        ("Please verify you are a human", "a captcha"),
        ("Complete the CAPTCHA below", "a captcha"),
        ("captcha", "a captcha"),
        ("Our systems have detected unusual traffic from your network", "a refusal of automated requests"),
        ("# Access denied\n", "a refusal of automated requests"),
        ("<title>Before you continue</title>", "a consent form"),
        ("<form><input name='p' type='password'></form>", "a login form"),
        ("Please sign in to continue", "a login form"),
        ("The programme has moved to another page.", None),
        ("Talk: Robots that ask whether you dance", None),
        ("<p>captcha</p>" + "Words of a real page. " * 400, None),
        ("", None),
    ],
)
def test_pages_that_stand_before_a_page(text: str, expected: str | None) -> None:
    """Challenge pages are recognised by their markers; a long page is not one."""
    assert find_challenge(text) == expected


# What follows an alarm


def test_half_a_programme_is_not_published(desk: Desk) -> None:
    """The last good capture stays published, one quarantine row gives the reason, and every run is red."""
    put_day(desk, 1, *talks("Hay", "Rye", "Oat", "Bran"))
    desk.run("fair")
    put_day(desk, 2, *talks("Hay", "Rye"))
    first, second = desk.run("fair"), desk.run("fair")
    row = desk.table("quarantine", "fair").row(0, named=True)
    assert (first.good, second.good, desk.titles("fair")) == (False, False, ["Bran", "Hay", "Oat", "Rye"])
    assert (row["dump"], row["stage"], row["reason"]) == ("fair/02.txt", "validate", "guard_drop")
    assert (row["detail"], row["text"][:16]) == ("2 records, down from 4 in the last good capture", '{"title": "Hay",')
    assert messages(second)[0] == "failed: fair/02.txt:1: guard_drop: 2 records, down from 4 in the last good capture"


def test_a_first_capture_with_more_rejected_items_than_records(desk: Desk) -> None:
    """A first capture with more rejected items than records fails, though there is nothing to compare it with."""
    put_day(desk, 1, *talks("Hay"), '{"cut', '{"off')
    result = desk.run("fair")
    detail = "2 of 3 items were rejected, expected at most 50%"
    assert (result.outcomes[0].status, detail in messages(result)[0]) == (Status.FAILED, True)
    put_day(desk, 1, *talks("Hay"), '{"cut', '{"off', accept='accept = ["unexplained"]')
    assert (desk.run("fair").good, desk.titles("fair")) == (True, ["Hay"])


def test_a_page_in_one_file_keeps_its_rows(desk: Desk) -> None:
    """A file replaced by half of itself fails every night and its published rows stay, until a whole one comes."""
    desk.put("fair/a.txt", *talks("Hay", "Rye", "Oat", "Bran"))
    desk.run("fair")
    desk.put("fair/a.txt", *talks("Hay", "Rye"))
    half = [desk.run("fair").outcomes[0].status for _ in range(2)]
    kept = desk.titles("fair")
    desk.put("fair/a.txt", *talks("Hay", "Rye", "Oat", "Corn"))
    assert (half, kept, desk.run("fair").good) == ([Status.FAILED] * 2, ["Bran", "Hay", "Oat", "Rye"], True)
    assert desk.titles("fair") == ["Corn", "Hay", "Oat", "Rye"]


def test_a_page_among_others_keeps_its_rows(desk: Desk) -> None:
    """A failed page beside a good one keeps its rows and is still compared with them two nights later."""
    desk.put("fair/a.txt", *talks("Hay", "Rye", "Oat", "Bran"))
    desk.put("fair/b.txt", *talks("Corn"))
    desk.run("fair")
    desk.put("fair/a.txt", *talks("Hay", "Rye"))
    statuses = [desk.run("fair").outcomes[0].status for _ in range(3)]
    assert (statuses, desk.titles("fair")) == ([Status.PARTIAL] * 3, ["Bran", "Corn", "Hay", "Oat", "Rye"])


def test_a_person_accepts_an_alarm(desk: Desk) -> None:
    """The sidecar overrules the guard, and later captures are compared with the accepted one."""
    put_day(desk, 1, *talks("Hay", "Rye", "Oat", "Bran"))
    desk.run("fair")
    put_day(desk, 2, *talks("Hay", "Rye"))
    assert not desk.run("fair").good
    put_day(desk, 2, *talks("Hay", "Rye"), accept='accept = ["drop"]')
    assert (desk.run("fair").good, desk.titles("fair")) == (True, ["Hay", "Rye"])
    put_day(desk, 3, *talks("Hay", "Rye"))
    assert desk.run("fair").good


def test_a_warning_is_told_and_no_more(desk: Desk) -> None:
    """The capture is published and the run is good; messages and captures table name the alarm, even without news."""
    put_day(desk, 1, *talks("Hay", "Rye", "Oat", "Bran"))
    run(desk, "fair", drop="warn")
    put_day(desk, 2, *talks("Hay", "Rye"))
    result, again = run(desk, "fair", drop="warn"), run(desk, "fair", drop="warn")
    told = "drop: 2 records, down from 4 in the last good capture"
    assert (result.good, desk.titles("fair")) == (True, ["Hay", "Rye"])
    assert messages(result) == messages(again) == [f"warning: fair/02.txt: {told}"]
    assert desk.table("captures", "fair")["warnings"].to_list() == [[told]]


def test_an_empty_page_that_is_accepted(desk: Desk) -> None:
    """An accepted empty capture is no failure, and older captures of a log page stay."""
    put_day(desk, 1, *talks("Hay"), source="news")
    put_day(desk, 2, "total 3", source="news", accept='accept = ["empty", "declared"]')
    assert (desk.run("news").good, desk.titles("news")) == (True, ["Hay"])


def test_a_page_that_holds_less_than_it_declares(desk: Desk) -> None:
    """Half a listing is not published, and the wrong total is reported only once."""
    desk.put("news/a.txt", "total 4", *talks("Hay", "Rye"))
    assert (desk.run("news").good, desk.table("quarantine", "news")["reason"].to_list()) == (False, ["guard_declared"])


def test_a_captcha_is_called_one(desk: Desk) -> None:
    """A captcha page is reported as one, with the parser's reason in brackets."""
    desk.put("fair/a.txt", "Please verify you are a human")
    expected = "fair/a.txt:1: guard_challenge: the page shows a captcha instead of content (not_this_source)"
    assert (desk.run("fair").outcomes[0].error, run(desk, "fair", challenge="off").outcomes[0].error) == (
        expected,
        "fair/a.txt:1: not_this_source: expected json lines: JSON objects; it is a page that shows a captcha",
    )


def test_a_listing_of_today_with_the_entries_of_yesterday(desk: Desk) -> None:
    """A listing of today that repeats yesterday's is stale: the records keep yesterday's date."""
    put_day(desk, 1, *talks("Hay", "Rye", listed_on="2026-01-01"), source="news")
    put_day(desk, 2, *talks("Hay", "Rye", listed_on="2026-01-02"), source="news")
    put_day(desk, 3, *talks("Hay", "Oat", listed_on="2026-01-03"), source="news")
    result = desk.run("news")
    days = desk.table("records", "news").select("title", "listed_on").rows()
    assert {title: str(day) for title, day in days} == {"Hay": "2026-01-03", "Oat": "2026-01-03", "Rye": "2026-01-01"}
    assert desk.table("quarantine", "news")["reason"].to_list() == ["guard_stale"]
    assert not result.good


def test_a_page_of_today_with_the_entries_of_the_page_of_yesterday(desk: Desk) -> None:
    """With one page per day, a listing that repeats yesterday's is stale, also when all captures are read anew."""
    page = 'captured_at = 2026-01-0{0}T03:00:00Z\nurl = "https://news.example/{0}"\n'
    days = ("Hay", "Rye", "Oat", "Bran"), ("Hay", "Rye", "Oat", "Bran", "Fig")
    for day, titles in enumerate(days, 1):
        lines = talks(*titles, listed_on=f"2026-01-0{day}")
        desk.put(f"news/{day}.txt", *lines, sidecar=page.format(day))
        desk.run("news")
    night = desk.table("quarantine", "news")["reason"].to_list(), desk.titles("news")
    desk.out = desk.out.with_name("anew")
    desk.run("news")
    anew = desk.table("quarantine", "news")["reason"].to_list(), desk.titles("news")
    assert night == anew == (["guard_stale"], sorted(days[0]))


def test_a_failure_is_red_until_a_newer_capture_is_good(desk: Desk) -> None:
    """A bad capture of a log page makes runs red until a newer one is good; then it is only mentioned."""
    put_day(desk, 1, *talks("Hay"), source="news")
    put_day(desk, 2, "captcha", source="news")
    red = [desk.run("news").good for _ in range(2)]
    put_day(desk, 3, *talks("Rye"), source="news")
    green = [desk.run("news") for _ in range(2)]
    told = "failed before: 1 of the captures of news; newer captures of the same pages are good, or wait"
    assert (red, [result.good for result in green]) == ([False, False], [True, True])
    assert [messages(result) for result in green] == [[told], [told]]
    assert desk.table("quarantine", "news")["reason"].to_list() == ["guard_challenge"]


def test_a_layout_that_changed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout fingerprint is compared with that of the last good capture."""
    monkeypatch.setattr(Document, "reads_lines", False)  # only markup has a layout fingerprint
    put_day(desk, 1, *talks("Hay"))
    layout = "old"
    web = Web(object, lambda *_: iter(()), follow_nothing, lambda _: layout)
    desk.known = {"fair": replace(FAIR, web=web)}
    desk.run("fair")
    put_day(desk, 2, *talks("Hay", "Rye"))
    layout = "new"
    ((outcome,), *_) = (desk.run("fair").outcomes,)
    told = "the layout has changed: fingerprint new, old in the last good capture"
    assert [reading.signs for reading in outcome.readings] == [(Sign("layout", told, Policy.WARN),)]
    assert outcome.captures["warnings"].to_list() == [[f"layout: {told}"]]


# The order of captures


def test_an_archive_read_anew_gives_the_same(desk: Desk) -> None:
    """Each capture is judged by the last good one before it, whether read night by night or all at once."""
    for day, names in enumerate((("Hay", "Rye", "Oat", "Bran"), ("Hay", "Rye"), ("Hay",), ("Hay", "Rye", "Oat")), 1):
        put_day(desk, day, *talks(*names))
        desk.run("fair")
    put_day(desk, 5, *talks("Hay"))
    nights = desk.run("fair")
    told, rows = nights.outcomes[0].error, desk.titles("fair")
    desk.out.rename(desk.out.with_name("nights"))
    anew = desk.run("fair")
    assert (anew.outcomes[0].error, desk.titles("fair"), rows) == (told, rows, ["Hay", "Oat", "Rye"])
    assert [reading.dump.path for reading in anew.outcomes[0].readings] == ["fair/04.txt", "fair/05.txt"]


def test_a_capture_found_good_is_not_judged_again(desk: Desk) -> None:
    """An older capture that arrives later does not fail a published one."""
    put_day(desk, 2, *talks("Hay", "Rye"), source="news")
    desk.run("news")
    put_day(desk, 1, *talks(*(f"Oat {number}" for number in range(30))), source="news")
    assert (desk.run("news").good, len(desk.titles("news"))) == (True, 32)


def test_all_newer_captures_fail(desk: Desk) -> None:
    """The last good capture feeds the page; once its file is gone, the published rows do."""
    put_day(desk, 1, *talks("Hay", "Rye", "Oat", "Bran"))
    desk.run("fair")
    put_day(desk, 2, *talks("Hay"))
    put_day(desk, 3, "captcha")
    readings = desk.run("fair").outcomes[0].readings
    (desk.raw / "fair" / "01.txt").unlink()
    (desk.raw / "fair" / "01.txt.meta.toml").unlink()
    desk.run("fair")
    assert [reading.error is None for reading in readings] == [False, False]
    assert desk.titles("fair") == ["Bran", "Hay", "Oat", "Rye"]


# What is published of a capture whose records have lost values


def baked(night: int, roomless: int, *more: str, title: str = "Slicing Bread 9") -> list[dict[str, Any]]:
    """Return ten talks of a night, the first of them without their rooms, and more."""
    titles = [*(f"Slicing Bread {n}" for n in range(9)), title, *more]
    return [
        {
            "title": each,
            "event": "E",
            "authors": [f"Ada {n}"],
            "abstract": f"Night {night}",
            **({} if n < roomless else {"room": "Oven"}),
        }
        for n, each in enumerate(titles)
    ]


def rows_of(desk: Desk) -> dict[str, tuple[str | None, str | None]]:
    """Return the room and the abstract of each published record."""
    rows = desk.table("records", "fair").select("title", "room", "abstract").rows()
    return {title: (room, abstract) for title, *rest in rows for room, abstract in [rest]}


def test_unharmed_records_of_a_refused_page(desk: Desk) -> None:
    """By the setting they are published, night after night; the others stay, the run is red until a person accepts."""
    put_day(desk, 1, *baked(1, 0))
    run(desk)
    for night in (2, 3):
        put_day(desk, night, *baked(night, 7, f"Crust {night}", title="Slicing Breads 9"))
        result = run(desk, held=LossPolicy.PUBLISH_UNHARMED)
        assert (result.outcomes[0].status, result.outcomes[0].readings[-1].error) == (
            Status.PARTIAL,
            f"fair/{night:02}.txt:1: guard_lost: room: 7 of 10 known records have lost it, such as 'Slicing Bread 0', "
            "'Slicing Bread 1', 'Slicing Bread 2' ..; 3 records that lost nothing are published",
        )
        assert rows_of(desk) == {
            **{f"Slicing Bread {n}": ("Oven", "Night 1") for n in (*range(7), 9)},
            **{f"Slicing Bread {n}": ("Oven", f"Night {night}") for n in (7, 8)},
            f"Crust {night}": ("Oven", f"Night {night}"),
        }
    put_day(desk, 3, *baked(3, 7), accept='accept = ["lost"]\n')
    assert run(desk, held=LossPolicy.PUBLISH_UNHARMED).good
    assert rows_of(desk)["Slicing Bread 0"] == (None, "Night 3")


def test_other_faults_are_refused_whole(desk: Desk) -> None:
    """A page that is refused for more than lost values is not published in part, nor one without the setting."""
    put_day(desk, 1, *baked(1, 0))
    run(desk)
    put_day(desk, 2, *baked(2, 7, "Crust"))
    assert run(desk).outcomes[0].total == 10
    put_day(desk, 2, *baked(2, 7, "Crust"), *["crumb"] * 40)
    assert run(desk, held=LossPolicy.PUBLISH_UNHARMED).outcomes[0].total == 10


def test_a_file_that_is_replaced_is_refused_whole(desk: Desk) -> None:
    """Of a dump whose bytes are other ones the old ones are gone: it is not published in part."""
    put_day(desk, 1, *baked(1, 0))
    desk.put("fair/other.txt", *talks("Jam"))
    run(desk)
    put_day(desk, 1, *baked(2, 7, "Crust"))
    result = run(desk, held=LossPolicy.PUBLISH_UNHARMED)
    assert (result.outcomes[0].status, rows_of(desk)["Slicing Bread 8"]) == (Status.PARTIAL, ("Oven", "Night 1"))
    assert "are published" not in (result.outcomes[0].error or "")
    assert len(rows_of(desk)) == 11


def test_what_was_published_in_part_stays(desk: Desk) -> None:
    """A later capture that cannot be read takes nothing away."""
    put_day(desk, 1, *baked(1, 0))
    run(desk)
    put_day(desk, 2, *baked(2, 7, "Crust"))
    run(desk, held=LossPolicy.PUBLISH_UNHARMED)
    before = rows_of(desk)
    put_day(desk, 3, "crumb")
    run(desk, held=LossPolicy.PUBLISH_UNHARMED)
    assert ("Crust" in before, rows_of(desk)) == (True, before)
