"""The engine that reads lines by a table of states: the cheapest path, its margins, and invalid tables."""

import re

import pytest

from parsers._grammar.states import LEFT_OUT, MARGIN, NO_ROLE, StateTable, StateTableError

ROWS = """
begin                               > any0
any                                 > S.title0
S.title  title  COD0 TTL1           > room0 talk1 any0 end0   # a comment
S.room   room   ROO0 TTL4           > talk0 any0 end0
S,K.talk talk   TTL0 SEN4           > talk0 any0 end0
"""
TABLE = StateTable.of(ROWS)


def names(forms: list[str], table: StateTable = TABLE) -> list[str]:
    """Return the states of the cheapest reading, with a dash for each line left out."""
    return [step.state.name if step.state else "-" for step in table.read(forms)]


def test_cheapest_way_through_the_table() -> None:
    """The cheapest of all paths is taken."""
    assert names(["COD", "ROO", "TTL", "COD"]) == ["S.title", "S.room", "S.talk", "S.title"]


def test_each_step_has_its_price() -> None:
    """A step costs the price of entering its state plus that of the form in that state."""
    assert [step.price for step in TABLE.read(["COD", "TTL", "SEN"])] == [0, 1, 4]


def test_what_no_state_takes_is_left_out() -> None:
    """A line whose form no state takes is left out, and the lines around it are read as if it were not there."""
    assert names(["COD", "???", "ROO", "???", "TTL"]) == ["S.title", "-", "S.room", "-", "S.talk"]


def test_all_can_be_left_out() -> None:
    """Where nothing fits, every line is left out, at nine each."""
    assert [(step.state, step.price) for step in TABLE.read(["???", "???"])] == [(None, LEFT_OUT)] * 2


def test_of_equal_readings_the_one_that_leaves_out_wins() -> None:
    """A line that costs as much to take as to leave out is left out."""
    assert names(["COD", "TTL"], TABLE.dearer({"S.talk": 8, "S.room": 8, "S.title": 8})) == ["S.title", "-"]


def test_margin_is_what_the_next_best_role_costs_more() -> None:
    """Reading the line as a talk costs the same as reading it as a title: the margin is 0, so it is not sure."""
    step = TABLE.read(["COD", "TTL"])[1]
    assert ({step.state and step.state.role, step.other}, step.margin, step.is_sure) == ({"talk", "title"}, 0, False)


def test_nothing_close_is_sure() -> None:
    """If the only alternative is to leave the line out, the margin is the price of doing that."""
    step = TABLE.read(["COD", "ROO"])[1]
    assert (step.other, step.margin, step.is_sure) == (NO_ROLE, LEFT_OUT, True)


def test_price_is_that_of_the_reading() -> None:
    """The price of a slot is the sum of its steps."""
    forms = ["COD", "TTL", "SEN", "???"]
    assert TABLE.price(forms) == sum(step.price for step in TABLE.read(forms)) == 14


def test_path_names_the_states() -> None:
    """``path`` returns the states of the cheapest reading without lines left out, and no margins."""
    assert TABLE.path(["COD", "???", "ROO"]) == (LEFT_OUT, ["S.room", "S.title"])


def test_dearer_by_role() -> None:
    """``dearer`` returns a table with higher prices for a role; the original is unchanged."""
    assert (TABLE.dearer({"room": 3}).price(["COD", "ROO"]), TABLE.price(["COD", "ROO"])) == (3, 0)


def test_empty_slot_costs_nothing() -> None:
    """A slot without lines has no steps and no price."""
    assert (TABLE.read([]), TABLE.price([])) == ([], 0)


def test_margin_of_a_long_slot_is_found_at_its_begin() -> None:
    """The margin of the first line is found across a slot of five hundred lines."""
    steps = TABLE.read(["COD", *["TTL"] * 500])
    assert (steps[0].is_sure, steps[0].margin is None or steps[0].margin >= MARGIN) == (True, True)


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("S.title title TTL0", "expected '>'"),
        ("begin > S.title0\nS.title title TTL > end0", "expected a name and its price"),
        ("begin > S.title0\nS.title title TTL0 > lost0", "no row for 'S.lost'"),
        ("begin > T.title0\nS.title title TTL0 > end0", "no row for 'T.title'"),
        ("begin > S.title0\nS.title title TTL0 > end0\nS.title title COD0 > end0", "a second row for 'S.title'"),
    ],
)
def test_rows_that_cannot_be_read(rows: str, problem: str) -> None:
    """A wrong form, an unknown state and a state with two rows are each an error that names the row."""
    with pytest.raises(StateTableError, match=re.escape(problem)):
        StateTable.of(rows)
