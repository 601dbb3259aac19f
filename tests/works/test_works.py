"""Which records are one work, and which only look so."""

from datetime import date, datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.works import candidates
from pipeline.works.candidates import MOST, make_keys
from pipeline.works.features import make_features
from pipeline.works.forced import Forced
from pipeline.works.rules import RULES as TABLE
from pipeline.works.works import compare, find_works
from schemas.tables import conditions, polars_schema
from schemas.works import LEVELS, RULES, WORK_MEMBERS, WORK_REVIEWS, WORKS
from tests.works.made import ADA, BO, CY, DOT, TITLE, records

ABSTRACT = (
    "We boil less sugar in each pot and find that the jam keeps for longer than anybody in the kitchen had thought."
)
SLIP = "Less suger in every pot of jam"
JULY, NEXT_YEAR = date(2026, 7, 1), date(2027, 6, 1)


def joined_by(first: dict[str, Any], second: dict[str, Any]) -> str | None:
    """Return the rule that joins two records; None if they are two works."""
    rules = find_works(records(first, second)).members["rule"].to_list()
    return rules[0] if rules[0] == rules[1] else "different rules"


def asked_by(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    """Return the rules by which a person is asked whether two records are one work."""
    return find_works(records(first, second)).reviews["rule"].to_list()


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        (
            {"arxiv_id": "2605.00001", "title": "Old"},
            {"arxiv_id": "2605.00001", "title": "New", "authors": (CY,)},
            "id",
        ),
        ({"doi": "10.1234/x"}, {"doi": "10.1234/x", "title": "Other"}, "id"),
        ({"other_ids": ["acl:P1"]}, {"other_ids": ["acl:P1", "dblp:conf/x"], "title": "Other"}, "id"),
        ({}, {}, "title"),
        ({}, {"title": "LESS {SUGAR} in every pot of jam.", "authors": ("A. Quill", "Quill, Cy")}, "title"),
        ({}, {"authors": ("Quill A", "Bo Ferns Jr.", CY, DOT)}, "title"),
        ({"event": "Jam 2026"}, {"arxiv_id": "2401.00001"}, "title"),
        ({}, {"title": SLIP}, "near_title"),
        ({}, {"title": "Lesssugar ineverypot ofjam"}, "near_title"),
        ({}, {"title": "The less sugar in every pot, the jam"}, "near_title"),
        ({"title": "Sugar (Panel): yes or no"}, {"title": "Sugar: yes or no, panel"}, "near_title"),
        ({}, {"title": "Less Sugar in Each Pot: A Study", "subtitle": None}, None),
        ({"title": "Potsdam"}, {"title": "Potsdam"}, None),
        ({"title": "Sugarless pots: less sugar"}, {"title": "Sugarless Pots"}, "subtitle"),
        ({"title": "Sugarless pots", "subtitle": "Less sugar"}, {"title": "Sugarless Pots"}, "subtitle"),
        (
            {"title": "Jam sugar", "abstract": ABSTRACT},
            {"title": "Jam without sugar", "abstract": ABSTRACT},
            "abstract",
        ),
        ({"abstract": ABSTRACT, "authors": None}, {"abstract": ABSTRACT}, "abstract"),
    ],
)
def test_one_work(first: dict[str, Any], second: dict[str, Any], rule: str | None) -> None:
    """The first rule that holds joins two records; a short title alone never does."""
    assert joined_by(first, second) == rule


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ({"kind": "tutorial", "event": "Jam 2025"}, {"kind": "tutorial", "event": "Jam 2026"}, ["version"]),
        ({"title": f"{TITLE}, Part I"}, {"title": f"{TITLE}, Part II"}, ["words"]),
        ({}, {"title": f"Erratum: {TITLE}"}, ["version"]),
        ({}, {"title": f"Demo: {TITLE}"}, ["version"]),
        ({}, {"kind": "tutorial"}, ["version"]),
        ({"title": "Third workshop on pots"}, {"title": "Proceedings: third workshop on pots"}, ["version"]),
        ({"event": "Jam 2025"}, {"arxiv_id": "2901.00001"}, ["version"]),
        ({}, {"authors": (CY, DOT)}, ["title_alone"]),
        ({}, {"authors": None}, ["title_alone"]),
        ({"authors": (ADA, CY, DOT)}, {"authors": (ADA, BO, "Eve Tarn")}, ["title_alone"]),
        ({"title": "Opening Remarks"}, {"title": "Opening Remarks"}, ["serial"]),
        ({"title": "Editorial"}, {"title": "Editorial", "authors": (CY,)}, []),
        ({"title": "Panel"}, {"title": "Panel", "authors": None}, []),
        ({}, {"title": "Less sugar in every pot of honey and tin"}, ["words"]),
        ({"arxiv_id": "2605.00001"}, {"arxiv_id": "2605.00002"}, []),
        ({"source": "fair", "event": "Jam 2026"}, {"source": "fair", "event": "Jam 2026"}, []),
        ({"title": "Sugar One", "abstract": ABSTRACT}, {"title": "Jam Two", "abstract": ABSTRACT}, ["abstract_alone"]),
        (
            {"title": "Sugar for all: session 1", "abstract": ABSTRACT},
            {"title": "Sugar for all: session 2", "abstract": ABSTRACT},
            ["abstract_alone"],
        ),
        ({"source": "fair", "dump": "fair/a.txt"}, {"source": "fair", "dump": "fair/a.txt"}, []),
        ({"title": None}, {"title": None}, []),
    ],
)  # fmt: skip
def test_two_works(first: dict[str, Any], second: dict[str, Any], asked: list[str]) -> None:
    """What looks the same and is not stays apart; a person is asked where it may be."""
    assert (joined_by(first, second), asked_by(first, second)) == (None, asked)


def test_null_is_no_key() -> None:
    """Records without title, abstract and ids have nothing in common: a hash of null would equal another one."""
    empty = {"title": None, "authors": None}
    made = records(empty, empty, empty)
    features = make_features(made)
    assert (find_works(made).works.height, make_keys(features).height) == (3, 0)
    assert features["edition"].to_list() == [None, None, None]


def test_two_equally_good_partners_are_none() -> None:
    """If two talks of one source fit, neither is joined, and a person is asked about both."""
    works = find_works(records({}, {"source": "fair", "event": "Jam"}, {"source": "fair", "event": "Jam"}))
    asked = works.reviews.select("record_id", "partner", "rule").rows()
    assert set(asked) >= {("fair:1", "s0:0", "ambiguous"), ("fair:2", "s0:0", "ambiguous")}
    assert ("s0:0" in works.members.drop_nulls("rule")["record_id"].to_list()) is False


def test_partners_that_are_one_work_are_one() -> None:
    """A list that has a paper twice is no reason to doubt: its records are joined with one another, too."""
    works = find_works(records({}, {"source": "hay"}, {"source": "hay"}))
    assert (works.works["records"].to_list(), works.reviews.height) == ([3], 0)


def test_the_better_of_two_partners_is_joined() -> None:
    """A title that is the same is better than one that is near."""
    near = {"source": "fair", "event": "Jam", "title": SLIP}
    works = find_works(records({}, {"source": "fair", "event": "Jam"}, near))
    members = dict(works.members.select("record_id", "work_id").rows())
    assert members["s0:0"] == members["fair:1"] != members["fair:2"]
    assert works.reviews.select("record_id", "rule").rows() == [("fair:2", "ambiguous")]


def test_an_id_is_never_overruled_by_titles() -> None:
    """Two arXiv ids are two works, also if a third record has the title of both."""
    first, second = {"arxiv_id": "2605.00001"}, {"arxiv_id": "2605.00002"}
    works = find_works(records(first, second, {"event": "Jam 2026"}))
    alone = works.works.filter(pl.col("arxiv_id").is_not_null()).select("arxiv_id").to_series().to_list()
    assert (sorted(alone), works.works.height) == (["2605.00001", "2605.00002"], 2)
    assert works.reviews["why"].drop_nulls().to_list() == ["two arXiv ids"]


@pytest.mark.parametrize(
    ("first", "second", "joins"),
    [
        ("10.1234/x", "10.1234/y", False),
        ("10.1234/x", "10.1101/y", True),
        ("10.31219/x", "10.1101/y", False),
        (None, "10.1234/y", True),
    ],
)
def test_dois_of_one_kind_contradict(first: str | None, second: str, joins: bool) -> None:
    """A paper has one DOI of its publisher and one of a preprint."""
    assert find_works(records({"doi": first}, {"doi": second})).works.height == (1 if joins else 2)


def test_two_talks_of_a_programme_are_two_works() -> None:
    """A record that fits two talks of one programme by different rules joins the one that fits better."""
    talk = {"source": "fair", "event": "Jam 2026"}
    works = find_works(
        records(talk, {**talk, "title": "Less sugar"}, {"title": "Other", "doi": "10.1/x"}, {"doi": "10.1/x"})
    )
    assert sorted(works.works["records"].to_list()) == [1, 3]


def test_an_undated_record_joins_no_two_years() -> None:
    """A tutorial of each year has one title: a list without years tells of one of them at most."""
    talks = ({"kind": "tutorial", "event": f"Jam {year}"} for year in (2025, 2026))
    works = find_works(records(*talks, {"kind": "tutorial"}))
    assert sorted(works.works["records"].to_list()) == [1, 2]
    assert works.reviews.filter(pl.col("why").is_not_null())["why"].to_list() == ["two years"]


def test_an_id_joins_two_years() -> None:
    """A paper of a journal may be given as a talk in a later year."""
    works = find_works(
        records({"doi": "10.1/x", "event": "Jam 2024"}, {"doi": "10.1/x", "event": "Jam 2026"}, {"doi": "10.1/x"})
    )
    assert works.works["records"].to_list() == [3]


def test_an_id_is_never_ambiguous() -> None:
    """Of a talk and its poster with one DOI one is the partner; two of one programme are never one work."""
    talk = {"source": "fair", "event": "Jam 2026", "doi": "10.1/x", "title": "A talk"}
    works = find_works(records({"doi": "10.1/x", "title": "A paper"}, talk, {**talk, "title": "A poster"}))
    assert sorted(works.works["records"].to_list()) == [1, 2]
    assert works.reviews["rule"].to_list() == ["refused"]


def test_the_oldest_record_names_the_work() -> None:
    """It is the one with the oldest printed day, of which the month of an arXiv id is one."""
    talk = {"event": "Jam 2026", "starts_at": datetime(2026, 6, 1, 9)}
    works = find_works(records(talk, {"arxiv_id": "2605.00001", "listed_on": NEXT_YEAR}, {"published_on": JULY}))
    assert works.works.select("work_id", "first_on", "records").rows() == [("work:s1:1", date(2026, 5, 1), 3)]


def test_a_record_alone_is_a_work() -> None:
    """It has no rule; what is no paper, keynote or tutorial is none."""
    works = find_works(records({}, {"kind": "break"}))
    assert works.members.select("work_id", "record_id", "rule").rows() == [("work:s0:0", "s0:0", None)]


def test_evidence() -> None:
    """A member says by which rule, with which record, by what key, and on what both agree."""
    member = find_works(records({}, {})).members.row(0, named=True)
    assert member == {
        "work_id": "work:s0:0", "record_id": "s0:0", "source": "s0", "rule": "title", "partner": "s1:1", "key": "title",
        "score": 1.0, "levels": ["same_title", "alike_words", "same_authors"],
    }  # fmt: skip


def test_a_key_of_too_many_records_joins_none() -> None:
    """What more than the most share tells nothing; below the limit it is a key."""
    many = [{"title": TITLE, "authors": (f"Ada Q{chr(98 + number % 20)}{number}rst",)} for number in range(MOST)]
    same = find_works(records(*many, {"authors": ("Zoe Zrst",)}))
    assert same.reviews.height == 0
    assert find_works(records(*many[: MOST - 1], {"authors": ("Zoe Zrst",)})).reviews.height > 0


# Forced pairs


def test_a_person_joins_two_records() -> None:
    """Whatever their titles; the rule says so."""
    forced = Forced({("s0:0", "s1:1"): "the same talk"}, {})
    works = find_works(records({}, {"title": "Jam", "authors": (CY,)}), forced)
    assert works.members["rule"].to_list() == ["forced", "forced"]


def test_a_person_tells_two_records_apart() -> None:
    """Also where a third one would join them; nobody is asked again about the pair."""
    forced = Forced({}, {("s0:0", "s1:1"): "two talks"})
    works = find_works(records({}, {}, {}), forced)
    assert sorted(works.works["records"].to_list()) == [1, 2]
    assert works.reviews.select("rule", "why").rows() == [("refused", "told apart by a person")]


def test_forced_records_that_are_gone_are_named() -> None:
    """A pair of which one record is withdrawn does nothing, and is told."""
    works = find_works(records({}, {}), Forced({("s0:0", "s9:9"): "x"}, {}))
    assert (works.unknown, works.works.height) == (("s9:9",), 1)


# What holds of all

SOME = st.fixed_dictionaries(
    {
        "source": st.sampled_from(("fair", "hay", "news")),
        "title": st.sampled_from((TITLE, f"{TITLE}: a study", SLIP, "Sugarless pots", "Panel", None)),
        "authors": st.sampled_from(((ADA, BO), (BO, CY), (ADA,), None)),
        "event": st.sampled_from((None, None, "Jam 2026", "Jam 2027")),
        "arxiv_id": st.sampled_from((None, None, "2605.00001", "2605.00002")),
        "doi": st.sampled_from((None, None, "10.1234/x", "10.1234/y")),
        "abstract": st.sampled_from((None, ABSTRACT)),
    }
)  # fmt: skip


@given(st.lists(SOME, max_size=9), st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(given_records: list[dict[str, Any]], random: Any) -> None:
    """The same archive in another order gives the same tables."""
    made = records(*given_records)
    places = list(range(made.height))
    random.shuffle(places)
    one, other = find_works(made), find_works(made[places])
    assert one.works.equals(other.works)
    assert one.members.equals(other.members)
    assert one.reviews.equals(other.reviews)


def test_the_number_of_buckets_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair that shares keys of several buckets is told by the same one: a large archive is joined in buckets."""
    features = make_features(records(*3 * [{"abstract": ABSTRACT, "doi": "10.1234/x"}]))
    found = []
    for most in (200_000, 0):
        monkeypatch.setattr(candidates, "_KEYS_OF_ONE_BUCKET", most)
        found.append(compare(features).decided)
    assert found[0].height == 3
    assert found[0].equals(found[1])


@given(st.lists(SOME, max_size=9))
def test_the_tables_are_as_declared(given_records: list[dict[str, Any]]) -> None:
    """Each record is of one work, no work contradicts itself, and all checks of the tables hold."""
    made = records(*given_records)
    works = find_works(made)
    found = {WORKS: works.works, WORK_MEMBERS: works.members, WORK_REVIEWS: works.reviews}
    assert [table.name for table, frame in found.items() if frame.schema != polars_schema(table)] == []
    assert [table.name for table, frame in found.items() if not all(frame.select(conditions(table)).row(0))] == []
    assert works.members["record_id"].sort().to_list() == made["record_id"].sort().to_list()
    facts = works.members.join(made.select("record_id", "arxiv_id", "doi"), on="record_id").group_by("work_id")
    several = facts.agg(pl.col("arxiv_id", "doi").drop_nulls().n_unique()).filter(
        pl.max_horizontal("arxiv_id", "doi") > 1
    )
    assert several.rows() == []


def test_features_of_a_record_do_not_depend_on_others() -> None:
    """So that those of an unchanged data file can be kept."""
    made = records({}, {"arxiv_id": "2605.00001", "abstract": ABSTRACT}, {"title": "Panel", "event": "Jam 2026"})
    alone = pl.concat([make_features(made[place : place + 1]) for place in range(made.height)])
    assert alone.sort("record_id").equals(make_features(made))


def test_every_rule_and_level_is_declared() -> None:
    """The codes of the tables are those of the rules."""
    assert [*("forced",), *(rule.name for rule in TABLE), "ambiguous", "refused"] == list(RULES)
    assert {"same_title", "same_authors"} <= LEVELS.keys()
