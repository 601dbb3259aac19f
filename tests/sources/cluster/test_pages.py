"""What is particular to the pages in HTML: they agree with their text renderings and with each other."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from resiliparse.extract.html2text import extract_plain_text

from parsers._contract import Family
from parsers._ledger.document import Document, DumpError, Facts
from parsers.cluster import SOURCE
from pipeline.reading.identity import record_key
from schemas.items import Record
from tests.sources.cluster.layouts import YEARS, facts_of, make_plan
from tests.sources.cluster.markup import disturb, render_by_date
from tests.sources.cluster.programme import Plan, render_page, render_traf
from tests.support.helpers import parse_document, parse_text

SENTINEL = "zzqx sentinel 4711"
# What a rendering may lack or say of what it lacks; lines are others in every form.
NOT_COMPARED = {"line_start", "line_end", "notes"}
RENDERINGS: dict[str, Callable[[Plan], str]] = {
    "full": lambda plan: extract_plain_text(render_page(plan)),
    "main": lambda plan: extract_plain_text(render_page(plan), main_content=True),
    "traf": lambda plan: render_traf(plan, authors=False, bodies=True),
}
# Of 2019 the visible content alone prints titles once above bare names: nothing tells sessions from talks there.
PRINTED = [(year, name) for year in YEARS for name in RENDERINGS if (year, name) != (2019, "main")]
LOST = {"full": set[str](), "main": {"authors"}, "traf": {"authors"}}
PAGE = (
    '<table id="program-table"><tr><td><h2 class="section-title">Tuesday September 2nd</h2>'
    '<div class="timeslot"><h3 class="session-time">9:30-11:00</h3>{}</div></td></tr></table>'
)
SESSION = '<div class="program-session"><div class="session-title">Session (1) Stores</div>{}</div>'
TALK = (
    '<div class="slot-wrapper"><span class="ttip_object_info">{}</span><div class="info_link_object_info">'
    '<b id="t_title">{}</b><div class="author-names">Ann One</div>Abstract<blockquote>{}</blockquote></div></div>'
)


def random_of(seed: int) -> Random:
    """Return the source of an invented programme."""
    return Random(seed)  # noqa: S311  # not for secrets


def carried_by_both(page: Record, text: Record, lost: set[str]) -> tuple[dict[str, object], dict[str, object]]:
    """Return the fields that both records carry; ``lost`` are those that only another place of the text supplies."""
    names = [name for name in Record._fields if name not in NOT_COMPARED | lost]
    shared = [name for name in names if getattr(page, name) is not None and getattr(text, name) is not None]
    return {name: getattr(page, name) for name in shared}, {name: getattr(text, name) for name in shared}


def records_of(page: str, facts: Facts | None = None) -> tuple[Record, ...]:
    """Parse a page."""
    return parse_text("cluster", page, facts=facts or Facts(year=2025, event="LANTERN 2025")).records


def paper_keys(page: str, facts: Facts) -> set[str | None]:
    """Return the identities of the talks of a page."""
    return {record_key(Family.PROGRAMME, record) for record in records_of(page, facts) if record.authors}


@pytest.mark.parametrize(("year", "rendering"), PRINTED)
@given(seed=st.integers(0, 999))
def test_page_agrees_with_its_text(year: int, rendering: str, seed: int) -> None:
    """A page and each text rendering of it give the same records, equal wherever both carry a field."""
    plan = make_plan(random_of(seed), year)
    page = records_of(render_page(plan), facts_of(plan))
    text = records_of(RENDERINGS[rendering](plan), facts_of(plan))
    pairs = [carried_by_both(*pair, LOST[rendering]) for pair in zip(page, text, strict=True)]
    assert [of_text for _, of_text in pairs] == [of_page for of_page, _ in pairs]


@pytest.mark.parametrize("year", [2018, 2019])
@pytest.mark.parametrize("dated", [True, False])
@given(seed=st.integers(0, 999))
def test_by_date_has_the_same_papers(year: int, dated: bool, seed: int) -> None:
    """The talks of the page by date are those of the programme at a glance, whether their dates are known or not."""
    plan = make_plan(random_of(seed), year)
    by_date = render_by_date(plan, dated=dated)
    assert paper_keys(by_date, facts_of(plan)) == paper_keys(render_page(plan), facts_of(plan))


@given(seed=st.integers(0, 999), cut=st.floats(0, 1), kind=st.sampled_from(["glance", "by_date"]))
def test_cut_anywhere(seed: int, cut: float, kind: str) -> None:
    """A page that ends anywhere gives records, or is refused; no other error."""
    plan = make_plan(random_of(seed), 2018)
    page = disturb(random_of(seed), render_page(plan) if kind == "glance" else render_by_date(plan, dated=True))
    document = Document.from_bytes("test/page.html", page[: int(len(page) * cut) + 1].encode(), facts_of(plan))
    assert outcome_of(document) in {"records", "not_this_source", "declined", "empty_result", "malformed"}


def outcome_of(document: Document) -> str:
    """Name what came of a document: records, or the reason for which it was refused."""
    try:
        return "records" if parse_document(SOURCE, document).records else "nothing"
    except DumpError as error:
        return error.reason


@given(seed=st.integers(0, 999), place=st.floats(0, 1), year=st.sampled_from(YEARS))
def test_sentinel_ends_in_one_place(seed: int, place: float, year: int) -> None:
    """Text that means nothing, put between any two tags of the table, ends in quarantine or in one record's text."""
    plan = make_plan(random_of(seed), year)
    page = render_page(plan)
    gaps = [at for at in range(page.index("<td>") + 4, page.index("</table>") - 9) if page[at - 1 : at + 1] == ">\n"]
    at = gaps[int(place * (len(gaps) - 1))]
    parsed = parse_text("cluster", f"{page[:at]}<p>{SENTINEL}</p>{page[at:]}", facts=facts_of(plan))
    held = sum(SENTINEL in reject.text for reject in parsed.rejects)
    fields_with = {f"{name}: {value}" for name, value in absorbing(parsed.records)}
    assert held + len(fields_with) == 1


def absorbing(records: tuple[Record, ...]) -> list[tuple[str, object]]:
    """Return the fields that hold the sentinel, each value once however many talks of a session share it."""
    return [(name, value) for record in records for name, value in record._asdict().items() if SENTINEL in str(value)]


def test_next_title_is_no_abstract() -> None:
    """An abstract that is missing stays missing, also where its end tag is."""
    talks = TALK.format("Small Files", "Small Files", "") + TALK.format("Cold Stores", "Cold Stores", "We store.")
    page = PAGE.format(SESSION.format(talks.replace("</blockquote></div></div>", "", 1)))
    found = [(record.title, record.abstract) for record in records_of(page)]
    assert found == [("Small Files", None), ("Cold Stores", "We store.")]


def test_too_deep_a_page_is_refused() -> None:
    """A page that nests deeper than the reader goes is refused as a whole: the rest of it would be lost."""
    page = PAGE.format('<div class="program-session"><div class="session-title">Lunch</div>' * 400)
    with pytest.raises(DumpError, match="malformed"):
        records_of(page)


@pytest.mark.untraced
@pytest.mark.parametrize("filler", ["(", " ", "A, ", "and ", "[", "x. ", "Session 1: ", "- ", "<br>", "<i></i>"])
def test_long_text_is_read_in_bounded_time(filler: str) -> None:
    """Endless text, in whatever part, is read in linear time."""
    endless = "A" + filler * (60_000 // len(filler)) + "z"
    parts = [
        f'<div class="{name}">{endless}</div>' for name in ("session-chair", "room-name", "session-type", "slot-title")
    ]
    talk = TALK.format(endless, "Small Files", endless).replace("Ann One", endless)
    page = PAGE.format(
        SESSION.format(TALK.format("Small Files", "Small Files", ""))
        + SESSION.format("".join([*parts, talk]))
        + f'<h3 class="session-time">{endless}</h3>'
    )
    assert parse_text("cluster", page, facts=Facts(year=2025)).format == "html"


def test_address_of_a_title() -> None:
    """A title that is a link gives the record its address; other links and relative ones do not."""
    linked = '<a href="{}">Small Files</a>'
    talks = "".join(
        TALK.format(title, "Small Files", "")
        for title in (linked.format("https://lantern.example/p1"), linked.format("p1.html"), "Small Files")
    )
    found = [record.url for record in records_of(PAGE.format(SESSION.format(talks)))]
    assert found == ["https://lantern.example/p1", None, None]


@pytest.mark.parametrize(
    ("title", "points"),
    [
        ("Opening Session", "Welcome (Bea Sorn, Plum)\nTPC report (Cal Tern, Quay)"),
        ("Opening Session<br>Welcome (Bea Sorn, Plum)<br>TPC report (Cal Tern, Quay)", None),
    ],
)
def test_programme_points(title: str, points: str | None) -> None:
    """Lines of an opening that hide nothing are its programme points, in whatever element they stand."""
    slots = "".join(f"{line}<br>" for line in (points or "").split("\n"))
    session = SESSION.replace("Session (1) Stores", title).format(f'<div class="slot-title">{slots}</div>')
    (record,) = records_of(PAGE.format(session))
    assert (record.title, record.session_description) == (
        "Opening Session",
        "Welcome (Bea Sorn, Plum)\nTPC report (Cal Tern, Quay)",
    )
