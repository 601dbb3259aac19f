"""Forms of lines: each code with its example, and lines that are easily mistaken."""

import pytest

from parsers.easychair.grammar import FORMS, SURE, TABLE, Traits, clocked_form, facts_of, form_of, read, set_off

CLOCKED = {"BRK": True, "INT": True, "TIM": False, "TIX": False}


@pytest.mark.parametrize(("code", "line"), FORMS.items(), ids=list(FORMS))
def test_example_has_its_code(code: str, line: str) -> None:
    """Every example in the table of forms has the form it illustrates."""
    found = clocked_form(line, is_session=CLOCKED[code]) if code in CLOCKED else form_of(line)
    assert found == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Chairs: A Study of Kitchens and Their Users", "CHA"),  # a title if names stand above it
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
    """Lines whose form is easily mistaken."""
    assert form_of(line) == code


def test_blank_lines_are_part_of_weak_forms() -> None:
    """A title depends on blank lines above and below; a label has the same form anywhere."""
    assert [set_off("TTL", above=above, below=True) for above in (False, True)] == ["TTL", "TTL="]
    assert set_off("TTL", above=True, below=False) == "TTL^"
    assert {set_off(form, above=True, below=True) for form in SURE} == SURE


def test_traits_make_exceptions_dear() -> None:
    """If nearly all authors have places, a name without one is not sure to be an author."""
    talk = ["TIM", "AFF", "TTL"]
    assert facts_of(talk * 9) == Traits(authors=True, places=True)
    assert facts_of(talk * 2) == Traits()
    odd = read(["INT", *talk * 9, "TIM", "NAM", "AFF", "TTL"], facts_of(talk * 9))[-3]
    assert (odd.state and odd.state.name, odd.other, odd.is_sure) == ("T.bare", "left out", False)


def test_traits_hold_for_nearly_all_talks() -> None:
    """Traits hold for nearly all talks: extractors drop all authors or none, conferences print all places or none."""
    assert facts_of(["TIM", "TTL", "ABS"] * 9) == Traits(nobody=True, abstracts=True)
    assert facts_of([*["TIM", "TTL"] * 9, *["TIM", "NMS", "TTL"]]).nobody
    assert not facts_of([*["TIM", "TTL"] * 8, *["TIM", "NMS", "TTL"]]).nobody
    assert facts_of([*["TIM", "NMS", "TTL"] * 9, *["TIM", "AFF", "TTL"]]) == Traits(authors=True, nowhere=True)
    assert facts_of(["CHL", "NAM"] * 3) == Traits(chairs_nowhere=True)
    assert facts_of(["CHL", "AFF"] * 3) == Traits(chairs=True)


def test_every_form_has_a_place() -> None:
    """A form that no state takes would be unexplained on every page."""
    taken = {form[:3] for forms in TABLE.takes for form in forms}
    assert taken - set(FORMS) == {"AGN", "AUT"}  # agenda items and lone authors: found by context
    assert set(FORMS) - taken == {"CLK", "LBL"}  # left unexplained
