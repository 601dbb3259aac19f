"""The line ledger: hands out the lines of a text and remembers which rule claimed each one.

A parser reads ``lines[number]`` and claims what it understands; ``account`` then reports the unclaimed lines, so that
no parser has to remember to do so. Boilerplate can only be claimed through a named whole-line pattern. Line numbers are
1-based, as in an editor. The meaning of a line does not belong here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import compress
from typing import Final, NamedTuple

from schemas.items import Reject

_OTHER_BLANKS: Final = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_BYTE_ORDER: Final = re.compile("^\ufeff", re.MULTILINE)


class LineClass(StrEnum):
    """The class of a non-blank line. ``REJECTED`` lines go to quarantine with the item they belong to."""

    RECORD = "record"
    HEADING = "heading"
    BOILERPLATE = "boilerplate"
    REJECTED = "rejected"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True, eq=False)  # rules are counted a million times: comparing by identity is fast
class Rule:
    """A named reason to claim a line; each is made once, as a constant of its module.

    ``level`` orders headings: a heading governs what follows, up to the next heading of the same or a lower level (1
    page, 2 day, 3 slot, 4 session, 5 detail of a session such as room or chair; 0 governs nothing). ``left_out`` is a
    fact of a record that no column holds.
    """

    name: str
    line_class: LineClass
    level: int = 0
    left_out: bool = False

    @property
    def publishes(self) -> bool:
        """True if what it claims stands in records: no page title, nothing that governs nothing or is left out."""
        return not self.left_out and publishes(self.line_class, self.level)


def publishes(line_class: LineClass, level: int) -> bool:
    """True if text of a class stands in records; that of headings from the level of days on."""
    return line_class is LineClass.RECORD or (line_class is LineClass.HEADING and level > 1)


def record_rule(name: str) -> Rule:
    """Make a rule for lines that belong to a record."""
    return Rule(name, LineClass.RECORD)


def left_out_rule(name: str) -> Rule:
    """Make a rule for a fact of a record that no column holds."""
    return Rule(name, LineClass.RECORD, left_out=True)


def heading_rule(name: str, level: int) -> Rule:
    """Make a rule for lines that govern the records after them (see ``Rule.level``)."""
    return Rule(name, LineClass.HEADING, level)


class Boilerplate:
    """Named whole-line patterns for lines that carry no data, tried in order."""

    def __init__(self, patterns: Mapping[str, str]) -> None:
        """``patterns`` maps a name in snake_case to a regular expression that must match the whole line, stripped."""
        self._rules = {name: Rule(name, LineClass.BOILERPLATE) for name in patterns}
        self._pattern = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items()))

    def rule(self, line: str) -> Rule | None:
        """Return the rule whose pattern matches the whole line, or None."""
        found = self._pattern.fullmatch(line.strip())
        return self._rules[found.lastgroup] if found and found.lastgroup else None


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive lines of one kind, 1-based and inclusive, with their text; ``dump`` as in ``Reject``."""

    line_start: int
    line_end: int
    text: str
    dump: str | None = None


class Classification(NamedTuple):
    """How a line was read where a grammar weighed several readings: form, role, price, and the next best role."""

    form: str  # a code of the source's table of forms
    role: str  # the role that was chosen
    price: int  # of the chosen role
    other: str | None  # the next best role
    margin: int | None  # the additional cost of the next best role


@dataclass(frozen=True, slots=True)
class Place:
    """One thing that a ledger accounts for: a line with text, a piece of visible text of a page, or a key with a value.

    ``number`` is that of the line, 1-based, None beyond the lines that libxml2 counts; in data that of the item, 0
    around the items. ``rule`` names what claimed it, None if unclaimed; ``level`` is that of a heading's rule.
    """

    number: int | None
    line_class: LineClass
    rule: str | None
    reading: Classification | None
    text: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class Accounting:
    """Where every non-blank line went: counts by class and by boilerplate pattern, and the unexplained lines.

    ``rest`` is what the ledger itself could not read: the text after the last complete item of a cut document.
    """

    lines: int
    by_class: Mapping[str, int]
    by_boilerplate: Mapping[str, int]
    unexplained: tuple[Span, ...]
    rest: tuple[Reject, ...] = ()

    def joined(self, other: Accounting, dump: str) -> Accounting:
        """Return the account with that of a companion, whose path is ``dump``."""
        return Accounting(
            self.lines + other.lines,
            Counter(self.by_class) + Counter(other.by_class),
            Counter(self.by_boilerplate) + Counter(other.by_boilerplate),
            (*self.unexplained, *(replace(each, dump=dump) for each in other.unexplained)),
            (*self.rest, *(replace(each, dump=dump) for each in other.rest)),
        )


class Lines:
    """The lines of a text, 1-based, each with at most one claim; the first claim wins."""

    def __init__(self, text: str) -> None:
        """``text`` has line feeds as line ends; other Unicode line breaks stay inside their line."""
        self._text = text

    @cached_property
    def _printed(self) -> list[str]:
        """The lines as in the dump, after an empty one so that numbers begin with 1."""
        return ["", *self._text.split("\n")]

    @cached_property
    def _lines(self) -> list[str]:
        """The lines with plain spaces for all other kinds; split when a parser first asks for one."""
        text = self._text
        if text.isascii():
            return self._printed
        for blank in _OTHER_BLANKS:  # one by one, in a tenth of the time of a pattern
            text = text.replace(blank, " ")
        if "\ufeff" in text:
            text = _BYTE_ORDER.sub(" ", text)
        return self._printed if text == self._text else ["", *text.split("\n")]

    @cached_property
    def _claims(self) -> list[Rule | None]:
        """The rule that claimed each line."""
        return [None] * len(self._lines)

    @cached_property
    def _readings(self) -> dict[int, Classification]:
        """How lines were read, as far as stored."""
        return {}

    def __getitem__(self, number: int) -> str:
        """Return line ``number`` (1-based) without its line end; no-break and other spaces become plain ones."""
        return self._lines[number]

    @property
    def last(self) -> int:
        """The number of the last line."""
        return len(self._lines) - 1

    @property
    def first_text_line(self) -> int:
        """The number of the first line that is not blank."""
        text = self._text  # not split: parsers of pages and data need no other lines
        blank = len(text) - len(text.lstrip())
        return text.count("\n", 0, blank) + 1 if blank < len(text) else 1

    def texts(self, start: int = 1, end: int | None = None) -> Iterator[tuple[int, str]]:
        """Yield number and stripped text of each non-blank line from ``start`` to ``end``, both inclusive."""
        for number in range(start, (self.last if end is None else end) + 1):
            if text := self._lines[number].strip():
                yield number, text

    def text(self, start: int, end: int) -> str:
        """Return the lines from ``start`` to ``end``, both inclusive, joined as in the dump."""
        return "\n".join(self._printed[start : end + 1])

    def claim(self, number: int, rule: Rule) -> None:
        """Claim one line. Raises ``ValueError`` for a boilerplate rule: those go through ``claim_boilerplate``."""
        if rule.line_class is LineClass.BOILERPLATE:
            raise ValueError(f"line {number}: boilerplate is claimed by its pattern only")
        if self._claims[number] is None:
            self._claims[number] = rule

    def claim_span(self, start: int, end: int, rule: Rule) -> None:
        """Claim every unclaimed line from ``start`` to ``end``, both inclusive."""
        for number in range(start, end + 1):
            self.claim(number, rule)

    def take_back(self, start: int, end: int, rule: Rule) -> None:
        """Claim the lines of an item that turned out not to be one, over any earlier claim."""
        self._claims[start : end + 1] = [rule] * (end + 1 - start)

    def claim_boilerplate(
        self, number: int, boilerplate: Boilerplate, end: int | None = None, shown: str | None = None
    ) -> bool:
        """Claim the line and return True if one of the named patterns matches the whole of it.

        With ``end``, the last line of a wrapped paragraph, the whole paragraph must match; with ``shown``, the line
        without what an extractor added, that may match instead.
        """
        numbers = range(number, (end or number) + 1)
        rule = boilerplate.rule(" ".join(self._lines[each].strip() for each in numbers) if end else self._lines[number])
        if rule is None and shown is not None and shown != self._lines[number].strip():
            rule = boilerplate.rule(shown)
        if rule is not None:
            self._claims[number : numbers.stop] = [self._claims[each] or rule for each in numbers]
        return rule is not None

    def claimed_texts(self) -> Iterator[str]:
        """Yield the lines that belong to records and headings."""
        publishing = {rule for rule in self.rules() if rule.publishes}
        return compress(self._lines, [rule in publishing for rule in self._claims])

    def claimed_pieces(self, words: Collection[str]) -> Iterator[str]:
        """Yield those of these texts that hold one of the words."""
        return (text for text in self.claimed_texts() if any(word in text for word in words))

    def rules(self) -> set[Rule]:
        """Return the rules that have claimed a line."""
        return {rule for rule in set(self._claims) if rule is not None}

    def rule_of(self, number: int) -> Rule | None:
        """Return the rule that claimed the line, None if unclaimed."""
        return self._claims[number]

    def tell(self, number: int, reading: Classification) -> None:
        """Store how a line was read, for ``parse --lines`` and ``explain``; it claims nothing. The last call wins."""
        self._readings[number] = reading

    def reading_of(self, number: int) -> Classification | None:
        """Return how the line was read, None if not stored."""
        return self._readings.get(number)

    def places(self) -> Iterator[Place]:
        """Yield every non-blank line, with its indentation and its claim; for people: ``account`` counts."""
        for number, _ in self.texts():
            yield make_place(number, self._claims[number], self.reading_of(number), self._printed[number].rstrip())

    def account(self) -> Accounting:
        """Count every non-blank line once and collect the unclaimed ones, consecutive lines together."""
        claims: Counter[Rule | None] = Counter()
        runs: list[list[int]] = []
        for number, _ in self.texts():
            rule = self._claims[number]
            claims[rule] += 1
            if rule is None and runs and runs[-1][-1] == number - 1:
                runs[-1].append(number)
            elif rule is None:
                runs.append([number])
        return sum_up(claims, (Span(run[0], run[-1], self.text(run[0], run[-1])) for run in runs))


def make_place(number: int | None, rule: Rule | None, reading: Classification | None, text: str) -> Place:
    """Make the place of a text that a rule claimed, or that is unclaimed."""
    if rule is None:
        return Place(number, LineClass.UNEXPLAINED, None, reading, text)
    return Place(number, rule.line_class, rule.name, reading, text, rule.level)


def place_of_reject(number: int | None, reject: Reject) -> Place:
    """Make the place of a whole reject: an item, or the rest of a cut document."""
    return Place(number, LineClass.REJECTED, reject.reason, None, reject.text)


def sum_up(claims: Mapping[Rule | None, int], unexplained: Iterable[Span]) -> Accounting:
    """Turn counts by rule, None for unclaimed lines, into the account of a document."""
    classes: Counter[str] = Counter()
    boilerplate: Counter[str] = Counter()
    for rule, number in claims.items():
        classes[rule.line_class if rule else LineClass.UNEXPLAINED] += number
        if rule is not None and rule.line_class is LineClass.BOILERPLATE:
            boilerplate[rule.name] += number
    return Accounting(sum(claims.values()), dict(classes), dict(boilerplate), tuple(unexplained))
