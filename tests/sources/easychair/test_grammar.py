"""Forms of lines: each code by its example, and lines that are easily taken for another form."""

import pytest

from parsers.easychair.grammar import FORMS, SURE, TABLE, Traits, clocked_form, facts_of, form_of, read, set_off

CLOCKED = {"BRK": True, "INT": True, "TIM": False, "TIX": False}


@pytest.mark.parametrize(("code", "line"), FORMS.items(), ids=list(FORMS))
def test_example_has_its_code(code: str, line: str) -> None:
    """The table of forms is its own documentation: every example is of its form."""
    found = clocked_form(line, is_session=CLOCKED[code]) if code in CLOCKED else form_of(line)
    assert found == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Chairs: A Study of Kitchens and Their Users", "CHA"),  # a title where names stand above it
        ("To further investigate AA(m) convergence, we look at linear methods.", "PRO"),
        ("B. Two (X)", "AFU"),
        ("A. One (X, Norland) and B. Two (Y, Esteria)", "AFF"),
        ("Anna Vell 0001 (X, Norland)", "AFN"),
        ("Capping Power Without Capping Patience", "NAM"),
        ("12 of the 14 loaves were good, and the other two were not.", "PRO"),
        ("ABSTRACT. Abstract to follow", "ABP"),
        ("Results", "SEC"),
        ("https://oven.example/1", "LAB"),
    ],
)
def test_hard_lines(line: str, code: str) -> None:
    """Lines of real kinds that one rule takes for another."""
    assert form_of(line) == code


def test_blank_lines_are_part_of_weak_forms() -> None:
    """A title may be set off above, or above and below; a label says what it is in any place."""
    assert [set_off("TTL", above=above, below=True) for above in (False, True)] == ["TTL", "TTL="]
    assert set_off("TTL", above=True, below=False) == "TTL^"
    assert {set_off(form, above=True, below=True) for form in SURE} == SURE


def test_facts_make_what_lacks_them_dear() -> None:
    """Where nearly all authors have places, a name without one is left out with its next best reading told."""
    talk = ["TIM", "AFF", "TTL"]
    assert facts_of(talk * 9) == Traits(authors=True, places=True)
    assert facts_of(talk * 2) == Traits()
    odd = read(["INT", *talk * 9, "TIM", "NAM", "AFF", "TTL"], facts_of(talk * 9))[-3]
    assert (odd.state and odd.state.name, odd.other, odd.is_sure) == ("T.bare", "left out", False)


def test_facts_are_those_of_nearly_all_talks() -> None:
    """An extractor drops all authors or none, and a conference prints the places of all authors or of none."""
    assert facts_of(["TIM", "TTL", "ABS"] * 9) == Traits(nobody=True, abstracts=True)
    assert facts_of([*["TIM", "TTL"] * 9, *["TIM", "NMS", "TTL"]]).nobody
    assert not facts_of([*["TIM", "TTL"] * 8, *["TIM", "NMS", "TTL"]]).nobody
    assert facts_of([*["TIM", "NMS", "TTL"] * 9, *["TIM", "AFF", "TTL"]]) == Traits(authors=True, nowhere=True)
    assert facts_of(["CHL", "NAM"] * 3) == Traits(chairs_nowhere=True)
    assert facts_of(["CHL", "AFF"] * 3) == Traits(chairs=True)


def test_every_form_has_a_place() -> None:
    """A form that no state takes would be told as unexplained on every page."""
    taken = {form[:3] for forms in TABLE.takes for form in forms}
    assert taken - set(FORMS) == {"AGN", "AUT"}  # a point of an agenda, names above their presenter: not by its text
    assert set(FORMS) - taken == {"CLK", "LBL"}  # which are told
