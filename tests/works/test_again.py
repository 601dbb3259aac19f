"""Comparing again, by what was compared before, finds what comparing everything does."""

from typing import Any

import polars as pl
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from pipeline.works import candidates, rules
from pipeline.works.features import make_features
from pipeline.works.forced import Forced
from pipeline.works.works import ComparedRecords, compare, compare_again, settle
from tests.support.depth import is_deep
from tests.works.made import ADA, BO, CY, DOT, TITLE, records

FEW = 3
"""Records that a key may have: so few that a history crosses it in both directions."""

KEYS = [f"k{number}" for number in range(9)]
SLIP = "Less suger in every pot of jam"
FIELDS = {
    "title": st.sampled_from((TITLE, TITLE, SLIP, "Pots and pans: less sugar in every pot of jam", "Boiling by ear")),
    "authors": st.sampled_from(((ADA, BO), (ADA, BO), (BO, CY), None)),
    "source": st.sampled_from(("one", "two", "three")),
    "event": st.sampled_from((None, None, "Jam 2026")),
    "arxiv_id": st.sampled_from((None, None, "2605.00001")),
    "doi": st.sampled_from((None, None, None, "10.1234/x")),
}


class Nights(RuleBasedStateMachine):
    """Records come, change, are renamed and go; people decide; each night is compared by the night before."""

    def __init__(self) -> None:
        """Begin without records."""
        super().__init__()
        self.known: dict[str, dict[str, Any]] = {}
        self.decided: tuple[dict[tuple[str, str], str], dict[tuple[str, str], str]] = ({}, {})
        self.compared: ComparedRecords | None = None

    @initialize(given=st.dictionaries(st.sampled_from(KEYS), st.fixed_dictionaries(FIELDS), max_size=6))
    def begin(self, given: dict[str, dict[str, Any]]) -> None:
        """Know some records."""
        self.known = given

    @rule(key=st.sampled_from(KEYS), row=st.fixed_dictionaries(FIELDS))
    def put(self, key: str, row: dict[str, Any]) -> None:
        """Add a record, or print it otherwise."""
        self.known[key] = row

    @rule(row=st.fixed_dictionaries(FIELDS))
    def flood(self, row: dict[str, Any]) -> None:
        """Add so many records alike that their keys have too many."""
        self.known |= {key: {**row, "source": f"s{key}", "event": None} for key in KEYS[:FEW]}

    @rule(key=st.sampled_from(KEYS))
    def withdraw(self, key: str) -> None:
        """Take a record away."""
        self.known.pop(key, None)

    @rule(key=st.sampled_from(KEYS), other=st.sampled_from(KEYS))
    def rename(self, key: str, other: str) -> None:
        """Give a record the id of another one, or a new one."""
        if key in self.known:
            self.known[other] = self.known.pop(key)

    @rule(pair=st.tuples(st.sampled_from(KEYS), st.sampled_from(KEYS)), is_same=st.booleans())
    def decide(self, pair: tuple[str, str], is_same: bool) -> None:
        """Let a person decide on two records; the newest decision counts alone."""
        first, second = sorted(f"x:{key}" for key in pair)
        if first != second:
            self.decided = ({(first, second): "why"}, {}) if is_same else ({}, {(first, second): "why"})

    @invariant()
    def is_as_if_everything_were_compared(self) -> None:
        """All tables are those of a full comparison, row for row."""
        rows = [{**row, "record_id": f"x:{key}"} for key, row in sorted(self.known.items())]
        made = records(*rows)
        features = make_features(made)
        whole = compare(features)
        again = whole if self.compared is None else compare_again(features, self.compared)
        assert again.features.equals(whole.features)
        assert again.decided.equals(whole.decided)
        forced = Forced(*self.decided)
        one, other = settle(again, made, forced), settle(whole, made, forced)
        assert all(getattr(one, name).equals(getattr(other, name)) for name in ("works", "members", "reviews"))
        self.compared = again


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a key have few records."""
    monkeypatch.setattr(candidates, "MOST", FEW)


@pytest.mark.untraced
@pytest.mark.usefixtures("few")
def test_nights() -> None:
    """Whatever changes in whatever order."""
    run_state_machine_as_test(Nights, settings=settings(max_examples=1000 if is_deep() else 8, stateful_step_count=12))


def test_only_what_may_differ_is_decided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many records of which one is new, the pairs of the others are not."""
    rows = [{"title": f"{TITLE} with sort {number // 2}", "record_id": f"x:{number}"} for number in range(40)]
    before = compare(make_features(records(*rows)))
    seen = list[int]()

    def decide(features: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
        seen.append(pairs.height)
        return rules.decide(features, pairs)

    monkeypatch.setattr("pipeline.works.works.decide", decide)
    more = records(*rows, {"title": "Boiling pots by ear alone", "authors": (CY, DOT), "record_id": "x:new"})
    found = compare_again(make_features(more), before)
    assert (sum(seen), found.decided.height) == (0, before.decided.height)
