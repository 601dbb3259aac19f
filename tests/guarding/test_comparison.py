"""A capture compared with the one before: which known records lost values, were spoilt or shifted."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import polars as pl
import pytest

from pipeline.guarding.comparison import Comparison, compare, compare_capture
from pipeline.reading.frames import RECORD_TYPES
from tests.support.signs import failing, looks_at

NINE = datetime(2026, 5, 4, 9)
TEN = datetime(2026, 5, 4, 10)


def people(*names: str) -> list[dict[str, str]]:
    """Return people by their names."""
    return [{"name": name} for name in names]


def talk(number: int, **fields: Any) -> dict[str, Any]:
    """Return one of a series of talks, with other values for some of its columns."""
    return {
        "record_id": f"fair:e/talk-{number}",
        "kind": "paper",
        "title": f"Slicing Bread Number {number}",
        "authors": people(f"Ada Quill{number}"),
        "chairs": people(f"Bo Ferns{number}"),
        "room": f"Hall {number}",
        "starts_at": NINE,
        "notes": [],
    } | fields


def frame(*rows: dict[str, Any]) -> pl.DataFrame:
    """Return a frame of records."""
    return pl.DataFrame([{name: row.get(name) for name in RECORD_TYPES} for row in rows], RECORD_TYPES)


TALKS = [talk(number) for number in range(20)]


@pytest.mark.parametrize(
    ("moved", "of", "told"),
    [(3, 6, True), (3, 7, False), (2, 3, False), (3, 3, True), (5, 20, True), (4, 20, False), (5, 51, False)],
)
def test_how_many_changes_need_attention(moved: int, of: int, *, told: bool) -> None:
    """Attention is asked for at a tenth and at least five records; of few records, at half and at least three."""
    now = [talk(number, **({"starts_at": NINE.replace(hour=13)} if number < moved else {})) for number in range(of)]
    before = [talk(number) for number in range(of)]
    assert bool(looks_at(compare(frame(*before), frame(*now)))) is told


def changed(count: int, change: Callable[[int], dict[str, Any]], of: int = 20) -> Comparison:
    """Compare talks with themselves after a change of the first few."""
    now = [talk(number, **(change(number) if number < count else {})) for number in range(of)]
    return compare(frame(*TALKS[:of]), frame(*now))


@pytest.mark.parametrize(
    ("count", "of", "change", "expected"),
    [
        (0, 20, {}, []),
        (4, 20, {"room": None}, []),
        (5, 20, {"room": None}, ["lost"]),
        (3, 3, {"room": None}, []),
        (4, 4, {"room": None}, ["lost"]),
        (5, 20, {"chairs": None}, ["lost"]),
        (5, 20, {"starts_at": None}, ["lost"]),
        (5, 20, {"notes": ["time_is_session"]}, ["lost"]),
        (20, 20, {"starts_at": TEN}, []),
        (20, 20, {"room": "Annex"}, []),
        (20, 20, {"engagement": 7, "line_start": 3, "notes": ["abstract_missing"]}, []),
    ],
)
def test_what_is_lost(count: int, of: int, change: dict[str, Any], expected: list[str]) -> None:
    """An alarm takes five known records and a fifth of those with a value, or all of four."""
    assert [*failing(changed(count, lambda _: change, of))] == expected


def test_growth_is_no_loss() -> None:
    """New posters with only a title lower every share, but no known record has lost a value."""
    posters = [talk(number, authors=None, chairs=None, room=None, starts_at=None) for number in range(20, 60)]
    found = compare(frame(*TALKS), frame(*TALKS, *posters))
    assert (failing(found), found.known, found.new, found.gone) == ({}, 20, 40, 0)


def test_a_message_names_column_counts_and_examples() -> None:
    """The message gives the column, the counts and examples."""
    assert failing(changed(6, lambda _: {"room": None}))["lost"] == (
        "room: 6 of 20 known records have lost it, such as 'Slicing Bread Number 0', 'Slicing Bread Number 1', "
        "'Slicing Bread Number 2' .."
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda n: {"title": f"Talk: Slicing Bread Number {n}"}, ["spoilt"]),
        (lambda n: {"title": f"Slicing Bread Number {n} Notes: {n} pages"}, ["spoilt"]),
        (lambda n: {"title": f"★ Slicing Bread Number {n}"}, ["spoilt"]),
        (lambda n: {"title": f"{'ABCDE'[n]}: Slicing Bread Number {n}"}, []),
        (lambda n: {"chairs": people(f"led by Bo Ferns{n}")}, ["spoilt"]),
        (lambda n: {"room": f"Room: Hall {n}"}, ["spoilt"]),
        (lambda n: {"authors": people(f"Ada Quill{n}", "Cy Oak")}, []),
    ],
)
def test_what_is_spoilt(change: Callable[[int], dict[str, Any]], expected: list[str]) -> None:
    """The same words added to five old texts spoil them, even if other text follows."""
    assert [*failing(changed(5, change))] == expected


def test_a_room_that_is_renamed() -> None:
    """A renamed room is one change, however many talks it holds, even all."""
    before, now = ([talk(n, room=room) for n in range(8)] for room in ("Workshop", "OIO Workshop"))
    others = [talk(n) for n in range(8, 12)]
    for more in (others, ()):
        assert failing(compare(frame(*before, *more), frame(*now, *more))) == {}


def test_what_has_shifted() -> None:
    """Names that move from their column into titles have shifted; chairs who become authors have not."""
    into_titles = changed(5, lambda n: {"chairs": None, "title": f"Slicing Bread Number {n} Chair Bo Ferns{n}"})
    to_authors = changed(5, lambda n: {"chairs": people("Cy Oak"), "authors": people(f"Ada Quill{n}", f"Bo Ferns{n}")})
    assert ([*failing(into_titles)], failing(to_authors)) == (["lost", "spoilt", "shifted"], {})
    assert failing(into_titles)["shifted"].startswith("5 values of other columns now stand in title, such as 'Bo Ferns")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"record_id": "other"}, (1, 0, 0)),
        ({"record_id": "other", "starts_at": TEN}, (1, 1, 0)),
        ({"record_id": "other", "title": "Slicing Breads Number 0"}, (1, 0, 1)),
        ({"record_id": "other", "title": "Slicing Bread Number 0, Revisited"}, (1, 0, 1)),
        ({"record_id": "other", "title": None}, (1, 0, 1)),
        ({"record_id": "other", "title": "Baking"}, (0, 0, 0)),
        ({"record_id": "other", "kind": "keynote"}, (0, 0, 0)),
        ({"record_id": "other", "title": "Slicing Breads Number 0", "starts_at": TEN, "authors": None}, (0, 0, 0)),
    ],
)
def test_pairs_of_records_with_other_ids(fields: dict[str, Any], expected: tuple[int, int, int]) -> None:
    """Paired one to one within a kind: by equal title, else by a similar or missing one with equal slot or authors."""
    found = compare(frame(talk(0)), frame(talk(0, **fields)))
    assert (found.known, found.moved, len(found.retitled)) == expected
    assert (found.new, found.gone) == (1 - found.known, 1 - found.known)


def test_each_record_has_one_partner() -> None:
    """Two sessions with nearly the same title are not mixed up."""
    before = [talk(1, title="Workshop Sessions I"), talk(2, title="Workshop Sessions II")]
    now = [talk(3, title="Workshop Sessions I"), talk(4, title="Workshop Sessions II")]
    found = compare(frame(*before), frame(*now))
    assert (found.known, found.new, found.gone, found.retitled) == (2, 0, 0, ())


def listing(first: int, **fields: Any) -> pl.DataFrame:
    """Return the entries of one day; all of them are new on that day."""
    new = [talk(n, comments=f"{n} pages", listing_section="new", **fields) for n in range(first, first + 12)]
    cross = [talk(n, listing_section="cross") for n in range(first + 12, first + 15)]
    return frame(*new, *cross)


def test_sections_of_a_listing() -> None:
    """A column that a whole section had on the last days and lacks today is lost, even if all ids are new."""
    past = [listing(100), listing(200), listing(300)]
    bare = listing(400).with_columns(comments=pl.lit(None, pl.String))
    half = listing(500).with_columns(comments=pl.when(pl.int_range(pl.len()) % 2 == 0).then("comments"))
    found = [failing(compare_capture(past, now, log=True)) for now in (listing(400), half, bare)]
    assert found == [{}, {}, {"lost": "comments: 0% of the records in the section new have it, 100% before"}]
    assert failing(compare_capture([*past, half], bare, log=True)) == {}
    assert failing(compare_capture(past, bare, log=False)) == {}


ADA = {"name": "Ada Quill", "affiliation": "Oat College"}


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ({}, {"title": "SLICING BREAD"}, "of 30 known records have other values: title in 8"),
        ({"authors": [ADA]}, {"authors": people("Ada Quill")}, "of 30 known records have other values: authors in 8"),
        ({"authors": people("Ada Quill")}, {"authors": [ADA, *people("Cy Oak")]}, None),
        ({"ends_at": TEN}, {"ends_at": NINE}, "of 30 known records have other values: ends_at in 8"),
        ({"ends_at": NINE}, {"starts_at": TEN, "ends_at": TEN}, None),
        ({}, {"abstract": "Oats."}, None),
        ({"keywords": ["oats"]}, {"keywords": ["rye"]}, "of 30 known records have other values: keywords in 8"),
    ],
)
def test_what_is_rewritten(before: dict[str, Any], now: dict[str, Any], expected: str | None) -> None:
    """A quarter of the known records have other values; added or completed people are growth, not a change."""
    many, few = (
        compare(
            frame(*(talk(n, **before) for n in range(30))),
            frame(*(talk(n, **(before if n >= count else before | now)) for n in range(30))),
        )
        for count in (8, 7)
    )
    assert (many.found.get("rewritten"), "rewritten" in few.found) == (expected, False)


def test_text_that_was_decoded_wrongly() -> None:
    """Twice encoded text is noticed, as after a database migration of the site; a different spelling is not."""
    quell = [{"name": "Ada Quéll", "affiliation": "Café Lab"}]
    before = [talk(n, authors=quell, abstract="Bread – sliced", session_title="Jam") for n in range(60)]
    for column, text, expected in (
        ("abstract", "Bread â€“ sliced", 5),
        ("abstract", "Bread Ã¢â‚¬â€œ sliced", 5),
        ("abstract", "Bread ? sliced", 5),
        ("abstract", "Bread &ndash; sliced", 5),
        ("authors", people("Ada QuÃ©ll"), 5),
        ("authors", people("Ada Qu?ll"), 5),
        ("room", "Â Hall", 0),
        ("session_title", "Â Jam", 5),
        ("authors", [{"name": "Ada Quéll", "affiliation": "CafÃ© Lab"}], 5),
        ("authors", people("Ada Quell"), 0),
        ("abstract", "Bread - sliced", 0),
    ):
        found = compare(
            frame(*before), frame(*(row | ({column: text} if n < 5 else {}) for n, row in enumerate(before)))
        )
        assert found.garbled == expected
        told = ["5 known records have text that was decoded wrongly, such as 'Ã©', '?' or '&eacute;'"]
        assert looks_at(found, log=True) == (told if expected else [])


def test_ids_that_change() -> None:
    """The same talks under other ids are neither new nor gone, but attention is asked for the ids."""
    found = changed(6, lambda n: {"record_id": f"fair:other-{n}"})
    told = [looks_at(found, log=log) for log in (False, True)]
    assert (found.new, found.gone, found.moved, found.rekeyed) == (0, 0, 0, 6)
    assert told == [
        ["6 of 20 known records start at another time, have another id or are gone"],
        ["6 of 20 known records have another id"],
    ]


def test_talks_with_one_title() -> None:
    """Talks with the same title are paired by their slots, in whatever order the page lists them."""
    before, now = (
        [
            talk(
                n, record_id=f"fair:{prefix}-{n}", title="Lightning Talks", authors=None, starts_at=NINE.replace(hour=n)
            )
            for n in order
        ]
        for prefix, order in (("a", range(8)), ("b", range(7, -1, -1)))
    )
    found = compare(frame(*before), frame(*now))
    assert (found.moved, found.rekeyed, failing(found)) == (0, 8, {})


@pytest.mark.parametrize(
    ("count", "of", "change", "expected"),
    [
        (4, 30, lambda _: {"room": None}, []),
        (5, 30, lambda _: {"room": None}, ["room: 5 of 30 known records have lost it"]),
        (3, 3, lambda _: {"chairs": None}, ["chairs: 3 of 3 known records have lost it"]),
        (4, 30, lambda n: {"title": f"Slicing\xad Bread Number {n}"}, []),
        (5, 30, lambda n: {"title": f"Slicing\xad Bread Number {n}"}, ["5 of 30 known records have the same words"]),
        (5, 30, lambda n: {"title": f"“Slicing Bread” Number {n}"}, ["5 of 30 known records have the same words"]),
        (5, 30, lambda n: {"title": f"Slicing Bread Numbers {n}"}, []),
        (
            5,
            30,
            lambda _: {"title": "Slicing…"},
            ["5 of 30 known records have only a part of a text, such as 'Slicing…'"],
        ),
        (
            5,
            30,
            lambda n: {"chairs": people(f"Bo Fer{'...' * (n < 5)}")},
            ["5 of 30 known records have only a part"],
        ),
        (5, 30, lambda _: {"title": "Slicing Bread"}, ["5 of 30 known records have only a part of a text"]),
        (5, 30, lambda _: {"title": "Slicing Br"}, []),
        (
            5,
            30,
            lambda n: {"authors": people(f"Quill{n}", "Ada")},
            ["5 of 30 known records have only a part of a text"],
        ),
        (5, 30, lambda n: {"title": f"Slicing Bread Number {n}..."}, ["5 of 30 known records have the same words"]),
        (5, 60, lambda _: {"title": "Slicing…"}, []),
    ],
)
def test_attention(count: int, of: int, change: Callable[[int], dict[str, Any]], expected: list[str]) -> None:
    """Fewer lost values than an alarm needs, the same words with other punctuation, and truncated texts."""
    before = [talk(number) for number in range(of)]
    now = [row | (change(number) if number < count else {}) for number, row in enumerate(before)]
    found = compare(frame(*before), frame(*now))
    told = looks_at(found)
    assert (failing(found), [each.startswith(words) for each, words in zip(told, expected, strict=True)]) == (
        {},
        [True] * len(expected),
    )


def test_changes_of_several_columns_add_up() -> None:
    """Changes of several columns are added up: together they are a tenth, though no single one is."""
    now = [talk(n, **({"room": None} if n < 3 else {})) for n in range(18)]
    told = [
        looks_at(compare(frame(*TALKS), frame(*now[:end])), log=log)
        for end, log in ((18, False), (18, True), (20, False))
    ]
    assert told[0] == ["5 of 20 known records start at another time, have another id, lost a value or are gone"]
    assert told[1] == []


def test_titles_that_end_early() -> None:
    """A title cut after two or more whole words is paired with the old one, though nothing else is known."""

    def bare(title: str) -> dict[str, Any]:
        return talk(0, record_id=f"fair:{title}", title=title, authors=None, starts_at=None, room=None)

    before = frame(bare("Slicing Bread by Hand"), bare("Baking"), bare("Milling Oats"))
    for title, known in (("Slicing Bread", 1), ("Slicing", 0), ("Slicing Br", 0), ("Milling Oats Again", 0)):
        found = compare(before, frame(bare(title)))
        assert (found.known, found.gone, len(found.retitled)) == (known, 3 - known, known)


def test_records_without_titles_are_found_by_the_letters_of_their_abstracts() -> None:
    """Records without title, whose ids come from their abstracts, are paired by the letters of the abstracts."""
    before, now = (
        [
            talk(
                n,
                record_id=f"fair:{mark}{n}",
                title=None,
                authors=None,
                starts_at=None,
                abstract=f"{mark}Loaf {'x' * n}",
            )
            for n in range(20)
        ]
        for mark in ("", "> ")
    )
    found = compare(frame(*before), frame(*now))
    assert (found.known, found.new, found.rekeyed) == (20, 0, 20)


def test_what_authors_lose() -> None:
    """Affiliations and addresses are compared as columns are: a tenth of the records without them is told."""
    before = [
        talk(n, authors=[{"name": "Ada Quill", "affiliation": "Mill", "url": f"https://m/{n}"}]) for n in range(40)
    ]
    now = [talk(n, authors=people("Ada Quill") if n < 5 else row["authors"]) for n, row in enumerate(before)]
    found = compare(frame(*before), frame(*now))
    such_as = ", ".join(f"'Slicing Bread Number {n}'" for n in range(3))
    told = f"5 of 40 known records have lost it, such as {such_as} .."
    assert (failing(found), found.found.get("thinned")) == (
        {},
        f"affiliation of authors: {told}; url of authors: {told}",
    )


def test_ids_that_a_source_does_not_go_by() -> None:
    """Some tools print new ids every night: that is no news while the records have the ids of this dataset."""
    found = changed(20, lambda n: {"native_id": f"later-{n}"})
    assert (found.found.get("rewritten"), looks_at(found)) == (None, [])


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ("Ada Medvidović", "Ada Medvidovi?", True),
        ("Why Öre?", "Why ?re?", True),
        ("Öre – why", "Öre ? why", False),
        ("Bread…", "Bread?", False),
        ("Why", "Why?", False),
        ("Öre?", "?re?", True),
        ("Öre", "Ore?", False),
    ],
)
def test_letters_that_are_lost(before: str, now: str, *, expected: bool) -> None:
    """One name whose letters have become question marks is told: that is how the page was written."""
    found = compare(frame(*TALKS, talk(77, presenter=before)), frame(*TALKS, talk(77, presenter=now)))
    told = f"letters beyond ASCII have become question marks, such as in {now!r}"
    assert looks_at(found) == ([told] if expected else [])


def test_a_day_that_is_gone() -> None:
    """Records that now stand on the day before, at the same time, were below a heading that nobody has read."""
    tuesday = NINE.replace(day=5)
    before = [*TALKS, talk(50, starts_at=tuesday), talk(51, starts_at=tuesday.replace(hour=11))]
    early = [*TALKS, talk(50), talk(51, starts_at=NINE.replace(hour=11))]
    told = "2 known records of 2026-05-05 now start at the same time of other days, and none is left on it"
    assert looks_at(compare(frame(*before), frame(*early))) == [told]
    for now in (
        [*early, talk(52, starts_at=tuesday)],  # the day is there
        [*TALKS, before[-2] | {"starts_at": TEN}, early[-1]],  # one of them moves to another time
        early[:-1],  # one of them alone
    ):
        assert looks_at(compare(frame(*before), frame(*now))) == []


def test_addresses_that_move_within_a_record() -> None:
    """An address that was a link and is now that of the record is not lost; one that is nowhere is."""
    before = [talk(n, links=[{"url": f"https://mill/{n}", "title": None, "rel": "related"}]) for n in range(20)]
    for url, lost in (("https://mill/{}", False), ("https://other/{}", True)):
        now = [row | {"links": None, "url": url.format(n)} for n, row in enumerate(before)]
        assert ("lost" in failing(compare(frame(*before), frame(*now)))) is lost


def test_values_that_say_nothing_of_a_record() -> None:
    """The address of the page, the same in all records, can go, and ids that their source does not go by."""
    before = [talk(n, url="https://mill/", native_id=str(n)) for n in range(20)]
    assert failing(compare(frame(*before), frame(*(talk(n) for n in range(20))))) == {}


@pytest.mark.parametrize(
    ("hours", "count", "expected"),
    [
        (1, 20, "20 known records start 1:00:00 later than before"),
        (-2, 20, "20 known records start 2:00:00 earlier than before"),
        (1, 19, None),
        (0.5, 20, None),
    ],
)
def test_records_that_move_alike(hours: float, count: int, expected: str | None) -> None:
    """Twenty records that start later by the same hours are told, however many others stay."""
    later = NINE.replace(hour=9 + int(hours // 1), minute=30 if hours % 1 else 0)
    before = [talk(n) for n in range(300)]
    now = [talk(n, starts_at=later) if n < count else row for n, row in enumerate(before)]
    assert looks_at(compare(frame(*before), frame(*now))) == ([expected] if expected else [])


def test_ids_that_are_swapped() -> None:
    """Events of one title that change their ids among them have not moved."""
    tours = [talk(n, title="Tour of the Mill", starts_at=NINE.replace(day=1 + n)) for n in range(10)]
    turned = [row | {"record_id": tours[n - 1]["record_id"]} for n, row in enumerate(tours)]
    assert compare(frame(*tours), frame(*turned)).moved == 0
    late = [row | {"starts_at": row["starts_at"].replace(hour=12)} for row in turned]
    assert compare(frame(*tours), frame(*late)).moved == 10


def test_rooms_that_are_gone() -> None:
    """Rooms that are gone with twenty records are told, though these are few of all."""
    before = [talk(n, room="Oven" if n < 15 else "Mill" if n < 20 else f"Hall {n}") for n in range(300)]
    told = "20 known records are gone with their rooms: 'Mill', 'Oven'"
    assert looks_at(compare(frame(*before), frame(*before[20:]))) == [told]
    for now in (before[19:], [*before[20:], talk(999, room="Oven")]):
        assert looks_at(compare(frame(*before), frame(*now))) == []


def test_titles_with_a_new_label() -> None:
    """Records whose titles have gained a word or two before them are the same ones."""
    now = [talk(n + 50, title=f"[open space] Slicing Bread Number {n}", authors=None, room=None) for n in range(20)]
    found = compare(frame(*TALKS), frame(*now))
    back = compare(frame(*now), frame(*TALKS))
    for each in (found, back):
        assert (each.known, each.new, each.gone, len(each.retitled)) == (20, 0, 0, 20)


def test_other_marks_are_no_other_values() -> None:
    """A column whose texts differ in case or marks alone is not told as rewritten."""
    before, marked, other = (
        frame(*(talk(n, journal_ref=text) for n in range(20)))
        for text in ("Proceedings of The Mill", "Proceedings of the Mill", "Journal of Mills")
    )
    assert ["rewritten" in compare(before, now).found for now in (marked, other)] == [False, True]


def test_titles_with_signs_that_nobody_sees() -> None:
    """Records whose titles and abstracts have gained soft hyphens are the same ones, and their texts are told."""
    texts = [f"{word} bread is sliced while it is warm. " * 8 for word in ("Rye", "Oat", "Hay", "Bran", "Corn", "Malt")]
    before = [
        talk(n, title=f"Slicing Number {n}", abstract=text, authors=None, starts_at=None)
        for n, text in enumerate(texts)
    ]
    now = [
        row
        | {"record_id": f"fair:e/other-{n}", "title": f"Slic\u00ading Number {n}"}
        | {"abstract": texts[n].replace("bread", "br\u00adead")}
        for n, row in enumerate(before)
    ]
    found = compare(frame(*before), frame(*now))
    assert (found.known, found.new, found.gone, "remarked" in found.found) == (6, 0, 0, True)
