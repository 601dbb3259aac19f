"""The line ledger: claims, boilerplate, and that every non-blank line is counted once."""

import pytest

from parsers._ledger.lines import Accounting, Boilerplate, LineClass, Lines, Rule, Span, heading_rule, record_rule

TITLE = record_rule("title")
DAY = heading_rule("day", 2)


def facts(rule: Rule | None) -> tuple[str, LineClass, int] | None:
    """Return the fields of a rule, since rules compare by identity."""
    return (rule.name, rule.line_class, rule.level) if rule else None


MENU = Boilerplate({"menu": "Home|Contact", "rule": "-{3,}", "ticket": r"Ticket (\d+)"})


def claimed(text: str, claims: dict[int, Rule]) -> Lines:
    """Make the ledger of a text with some lines claimed."""
    lines = Lines(text)
    for number, rule in claims.items():
        lines.claim(number, rule)
    return lines


def test_lines_are_numbered_from_one() -> None:
    """The first line is line 1 and ``last`` is the last one, also if a line feed ends it."""
    lines = Lines("a\nb\n")
    assert (lines[1], lines[2], lines[3], lines.last) == ("a", "b", "", 3)


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\f", "\v", "\x1c", "\r"])
def test_only_a_line_feed_ends_a_line(mark: str) -> None:
    """Other characters that count as line breaks elsewhere stay within a line, so line numbers match an editor."""
    lines = Lines(f"a{mark}b\nc")
    assert (lines[1], lines[2], lines.last) == (f"a{mark}b", "c", 2)


def test_texts_are_stripped_and_never_blank() -> None:
    """Iteration gives number and stripped text of the non-blank lines; both ends are inclusive."""
    lines = Lines(" a \n\n\u00a0\t\f\n\u2028b\nc\nd")
    assert (list(lines.texts()), list(lines.texts(4, 5))) == (
        [(1, "a"), (4, "b"), (5, "c"), (6, "d")],
        [(4, "b"), (5, "c")],
    )


def test_blanks_are_plain() -> None:
    """A parser sees plain spaces for every kind of blank; quoted text keeps the original ones."""
    text = "\ufeffa\u00a0b\u2009c\u202fd\te\u3000"
    lines = Lines(text)
    assert (lines[1], list(lines.texts()), lines.text(1, 1)) == (" a b c d\te ", [(1, "a b c d\te")], text)


def test_text_of_a_span_stands_as_in_the_dump() -> None:
    """Lines are joined with nothing stripped, both ends included."""
    assert Lines("a\n b \n\nc\nd").text(2, 4) == " b \n\nc"


@pytest.mark.parametrize(("text", "line"), [("\n \n\tx\ny", 3), ("x", 1), ("", 1), ("\n\n", 1)])
def test_first_text_line(text: str, line: int) -> None:
    """The first line that is not blank; line 1 where there is none."""
    assert Lines(text).first_text_line == line


def test_the_first_claim_of_a_line_stands() -> None:
    """No later claim of any kind takes a line from its owner."""
    lines = claimed("Home\nx", {1: TITLE})
    lines.claim(1, DAY)
    lines.claim_span(1, 2, DAY)
    lines.claim_boilerplate(1, MENU)
    assert (lines.rule_of(1), lines.rule_of(2)) == (TITLE, DAY)


def test_a_span_is_claimed_from_end_to_end() -> None:
    """Both ends of a claimed span are inclusive; what lies outside stays free."""
    lines = Lines("a\nb\nc\nd")
    lines.claim_span(2, 3, TITLE)
    assert [lines.rule_of(number) for number in range(1, 5)] == [None, TITLE, TITLE, None]


def test_boilerplate_is_never_claimed_without_its_pattern() -> None:
    """Claiming a line directly by a boilerplate rule is an error: only its pattern may claim."""
    lines = Lines("a\nb")
    with pytest.raises(ValueError, match="line 2: boilerplate is claimed by its pattern only"):
        lines.claim(2, Rule("menu", LineClass.BOILERPLATE))
    assert lines.rule_of(2) is None


@pytest.mark.parametrize(
    ("line", "name"),
    [("Home", "menu"), ("  Contact\t", "menu"), ("----", "rule"), ("Ticket 12", "ticket")],
)
def test_boilerplate_is_known_by_a_pattern_of_the_whole_line(line: str, name: str) -> None:
    """A line that one of the patterns matches whole is claimed under that pattern's name."""
    lines = Lines(line)
    assert (lines.claim_boilerplate(1, MENU), facts(lines.rule_of(1))) == (True, (name, LineClass.BOILERPLATE, 0))


@pytest.mark.parametrize("line", ["Home page", "My Home", "HomeContact", "--", "Ticket 12b", "home", ""])
def test_a_part_of_a_line_is_no_boilerplate(line: str) -> None:
    """A pattern must match the whole line."""
    lines = Lines(line)
    assert (lines.claim_boilerplate(1, MENU), lines.rule_of(1)) == (False, None)


def test_the_first_matching_boilerplate_pattern_names_the_line() -> None:
    """Patterns are tried in their order."""
    found = Boilerplate({"narrow": "ab", "wide": ".*"})
    assert (facts(found.rule("ab")), facts(found.rule("ba"))) == (
        ("narrow", LineClass.BOILERPLATE, 0),
        ("wide", LineClass.BOILERPLATE, 0),
    )


def test_boilerplate_that_another_rule_owns_still_matches() -> None:
    """The result says that the line matches; its owner stays the same."""
    lines = claimed("Home", {1: TITLE})
    assert (lines.claim_boilerplate(1, MENU), lines.rule_of(1)) == (True, TITLE)


def test_boilerplate_of_several_lines_matches_as_a_whole() -> None:
    """A paragraph that was wrapped is claimed where a pattern matches all of it, and only then."""
    menu = Boilerplate({"menu": "See the home page"})
    lines = Lines("See the home\n  page\nSee the home")
    assert (lines.claim_boilerplate(1, menu, 2), lines.claim_boilerplate(3, menu, 3)) == (True, False)
    assert [facts(lines.rule_of(number)) for number in (1, 2, 3)] == [("menu", LineClass.BOILERPLATE, 0)] * 2 + [None]


def test_rules_say_class_and_level() -> None:
    """A record rule has level 0; a heading rule has the given level."""
    assert (facts(record_rule("a")), facts(heading_rule("b", 3))) == (
        ("a", LineClass.RECORD, 0),
        ("b", LineClass.HEADING, 3),
    )


def test_account_counts_every_line_that_is_not_blank_once() -> None:
    """Each non-blank line is in exactly one class; blank lines are not counted; boilerplate is counted by pattern."""
    lines = claimed(
        "t\n\nd\nx\nHome\n---\nContact\nr", {1: TITLE, 2: TITLE, 3: DAY, 8: Rule("cut", LineClass.REJECTED)}
    )
    for number in (5, 6, 7):
        lines.claim_boilerplate(number, MENU)
    assert lines.account() == Accounting(
        lines=7,
        by_class={"record": 1, "heading": 1, "boilerplate": 3, "rejected": 1, "unexplained": 1},
        by_boilerplate={"menu": 2, "rule": 1},
        unexplained=(Span(4, 4, "x"),),
    )


def test_neighbouring_unexplained_lines_are_one_span() -> None:
    """Adjacent unexplained lines form one span; a blank line or one of another class splits it."""
    lines = claimed(" a\nb \n\nc\nt\nd", {5: TITLE})
    assert lines.account().unexplained == (Span(1, 2, " a\nb "), Span(4, 4, "c"), Span(6, 6, "d"))


def test_an_unclaimed_text_is_unexplained_whole() -> None:
    """Without claims the whole text is unexplained."""
    assert Lines("a\nb").account() == Accounting(2, {"unexplained": 2}, {}, (Span(1, 2, "a\nb"),))


def test_a_blank_text_has_nothing_to_account_for() -> None:
    """Blank lines belong to no class."""
    assert Lines("\n \n").account() == Accounting(0, {}, {}, ())
