"""A programme's grammar as a state table, and the cheapest reading of its lines by that table.

A row of the table is a state: a place in the programme and the role that a line has there. It lists the forms of lines
that the state takes, at which price, and the states that may follow:

    S.title  title  COD0 TTL1   > S.room0 S.chair0 S.talk4 any4 end0
    S.room   room   ROO0 NAM1   > S.chair0 S.talk0 any0 end0

An indented line continues the row above. A row without a role is a list that other rows refer to by name (``any4``), or
lists where a reading may begin (``begin``); ``end`` is where it may end. In a row of several places (``S,K.talk``) a
name without a place means the row's own place; where a place has no such state, that way is left out.

Prices: 0 the form says so, 1 it fits, 4 it is odd, 9 the same as leaving the line out, which is always possible; of
equal readings the one that leaves a line out wins.

The forms of lines, the rows of a table and the use of the roles do not belong here: they are each source's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

LEFT_OUT: Final = 9
"""The price of leaving a line out."""

NO_ROLE: Final = "left out"

MARGIN: Final = 4
"""A line is not used if its next best role costs less than this much more: it is ambiguous."""

_BEAM: Final = LEFT_OUT + MARGIN
"""Readings that cost this much more than the cheapest are dropped: no margin that counts is as large."""

_KEPT: Final = 10_000
"""The most columns of a table that are cached; a page has some hundreds."""

_NOWHERE: Final = 1_000_000
_COMMENT: Final = re.compile(r"#.*")
_CONTINUED: Final = re.compile(r"\n[ \t]+")
_DIGITS: Final = "0123456789"
_END: Final = "end"


class State(NamedTuple):
    """A state of a table: its name, such as ``S.title``, and the role that a line has in it."""

    name: str
    role: str


class Step(NamedTuple):
    """How a line was read: its state (None if left out), its price, the next best role and its additional cost.

    ``other`` is ``NO_ROLE`` if the next best is to leave the line out, and None if nothing comes close.
    """

    state: State | None
    price: int
    other: str | None
    margin: int | None

    @property
    def is_sure(self) -> bool:
        """True if no other role comes close."""
        return self.margin is None or self.margin >= MARGIN


class StateTableError(Exception):
    """A row of a table is invalid: names the row and what was expected."""


@dataclass(frozen=True)
class StateTable:
    """The states, the forms that they take, and the states that may follow.

    ``takes`` maps forms to prices, ``follows`` lists states with prices, ``ends`` is the price of ending there or None.
    Leaving out a line whose form is in ``sure`` costs twice as much: such a form is unmistakable.
    """

    states: tuple[State, ...]
    takes: tuple[Mapping[str, int], ...]
    follows: tuple[tuple[tuple[int, int], ...], ...]
    ends: tuple[int | None, ...]
    sure: frozenset[str] = frozenset()

    @classmethod
    def of(cls, rows: str, sure: frozenset[str] = frozenset()) -> StateTable:
        """Read the rows of a table. Raises ``StateTableError`` for an invalid row or an unknown state."""
        return replace(_Rows(rows).table, sure=sure)

    def dearer(self, prices: Mapping[str, int]) -> StateTable:
        """Return the table with higher prices for some states, by role (``talk``) or by name (``S.once``)."""
        extra = [prices.get(state.name, prices.get(state.role, 0)) for state in self.states]
        takes = tuple(
            {form: price + more for form, price in forms.items()} if more else forms
            for forms, more in zip(self.takes, extra, strict=True)
        )
        return replace(self, takes=takes)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The numbers of the states by name."""
        return {state.name: place for place, state in enumerate(self.states)}

    @cached_property
    def _enders(self) -> frozenset[int]:
        """The states in which a reading may end."""
        return frozenset(state for state, end in enumerate(self.ends) if end is not None)

    @cached_property
    def _ways(self) -> dict[str, dict[int, tuple[tuple[int, int], ...]]]:
        """The states that a line of a form may lead to from a state, with prices; filled on demand."""
        return {}

    @cached_property
    def _columns(self) -> dict[tuple[tuple[int, int], ...], _Column]:
        """Cache of columns by their costs: pages repeat themselves, so what follows each is worked out once."""
        return {}

    @cached_property
    def _rests(self) -> dict[tuple[tuple[int, int], ...], _Rest]:
        """Cache of the costs from a line to the end, in the same way."""
        return {}

    def _ways_from(self, states: Iterable[int], form: str) -> dict[int, tuple[tuple[int, int], ...]]:
        """Return the states, with prices, that a line of a form may lead to, by state; at least for ``states``."""
        ways = self._ways.setdefault(form, {})
        for state in states:
            if state not in ways:
                ways[state] = tuple(
                    (after, price + taken)
                    for after, price in self.follows[state]
                    if (taken := self.takes[after].get(form)) is not None
                )
        return ways

    def _left_out(self, form: str) -> int:
        """Return the price of leaving out a line of a form."""
        return 2 * LEFT_OUT if form in self.sure else LEFT_OUT

    def price(self, forms: Sequence[str], begin: str = "begin") -> int:
        """Return the price of the cheapest reading of a slot's lines."""
        return self.prices(forms, begin)[-1]

    def prices(self, forms: Sequence[str], begin: str = "begin") -> list[int]:
        """Return the price of the cheapest reading of the first n lines, for each n from none to all."""
        ways = self._forward(forms, begin)
        so_far = accumulate((way.more for way in ways), initial=0)
        columns = [self._begin(begin), *(way.column for way in ways)]
        return [cost + self._best_end(column)[0] for cost, column in zip(so_far, columns, strict=True)]

    def path(self, forms: Sequence[str], begin: str = "begin") -> tuple[int, list[str]]:
        """Return the price of the cheapest reading of a slot's lines, and the names of its states."""
        ways = self._forward(forms, begin)
        total, state = self._best_end(ways[-1].column if ways else self._begin(begin))
        names = []
        for way in reversed(ways):
            total += way.more
            if (before := way.came.get(state)) is not None:
                names.append(self.states[state].name)
                state = before
        return total, names

    def read(self, forms: Sequence[str], begin: str = "begin") -> list[Step]:
        """Read the lines of a slot: the cheapest way through the table, from the row ``begin``."""
        ways = self._forward(forms, begin)
        if not ways:
            return []
        last = ways[-1].column
        state = self._best_end(last)[1]
        rest = self._rest({state: end for state in last.costs if (end := self.ends[state]) is not None})
        steps: list[Step] = []
        for way in reversed(ways):
            if (found := rest.steps.get((way, state))) is None:
                found = rest.steps[way, state] = self._step(way, rest, state)
            step, state = found
            steps.append(step)
            if (above := rest.above.get(way)) is None:
                above = rest.above[way] = self._backward(way, rest)
            rest = above
        return steps[::-1]

    def _begin(self, begin: str) -> _Column:
        """Return the first column, above all lines."""
        return self._column({self._numbers[begin]: 0})

    def _forward(self, forms: Sequence[str], begin: str) -> list[_Way]:
        """Return, for each line, the costs of the cheapest ways to the states below it."""
        if len(self._columns) + len(self._rests) > _KEPT:
            self._columns.clear()
            self._rests.clear()
        column = self._begin(begin)
        ways = []
        for form in forms:
            if (way := column.below.get(form)) is None:
                way = column.below[form] = self._below(column, form)
            ways.append(way)
            column = way.column
        return ways

    def _below(self, above: _Column, form: str) -> _Way:
        """Work out where a line of a form leads from the states above it."""
        way = _Way(above, form)
        taken, came = way.taken, way.came
        ways = self._ways_from(above.costs, form)
        for state, cost in above.costs.items():
            for after, price in ways[state]:
                total = cost + price
                if after not in taken or total < taken[after]:
                    taken[after], came[after] = total, state
        costs = dict(taken)
        left = self._left_out(form)
        for state, cost in above.costs.items():
            total = cost + left
            if state not in costs or total <= costs[state]:
                costs[state] = total
                came.pop(state, None)
        # A reading that cannot end here must not displace one that can: the lines that would let it end may be missing.
        most = min(cost for state, cost in costs.items() if state in self._enders) + _BEAM
        way.more = more = min(costs.values())
        way.column = self._column({state: cost - more for state, cost in costs.items() if cost <= most})
        return way

    def _backward(self, way: _Way, rest: _Rest) -> _Rest:
        """Work out the costs of the cheapest ways to the end from the states above a line."""
        after, left = rest.costs, self._left_out(way.form)
        here: dict[int, int] = {}
        ways = self._ways[way.form]
        for state in way.above.costs:
            best = after[state] + left if state in after else _NOWHERE
            for following, price in ways[state]:
                if following in after and after[following] + price < best:
                    best = after[following] + price
            if best < _NOWHERE:
                here[state] = best
        return self._rest(here)

    def _column(self, costs: dict[int, int]) -> _Column:
        """Return the cached column of these costs."""
        return self._columns.setdefault(tuple(costs.items()), _Column(costs))

    def _rest(self, costs: dict[int, int]) -> _Rest:
        """Return the cached costs to the end, counted from the cheapest."""
        least = min(costs.values())
        over = {state: cost - least for state, cost in costs.items()}
        return self._rests.setdefault(tuple(over.items()), _Rest(over))

    def _best_end(self, column: _Column) -> tuple[int, int]:
        """Return the price of the cheapest reading, and the state in which it ends."""
        return min(
            ((cost + end, state) for state, cost in column.costs.items() if (end := self.ends[state]) is not None),
            default=(_NOWHERE, 0),
        )

    def _step(self, way: _Way, rest: _Rest, state: int) -> tuple[Step, int]:
        """Return how the line that leads to a state of the cheapest reading was read, and the state above it."""
        before = way.came.get(state)
        role = None if before is None else self.states[state].role
        total = way.more + way.column.costs[state]  # costs above are counted from the cheapest state
        best, other = self._next_best(way, rest, role)
        step = Step(
            None if before is None else self.states[state],
            total - way.above.costs[state if before is None else before],
            other,
            best - total - rest.costs[state] if other else None,
        )
        return step, state if before is None else before

    def _next_best(self, way: _Way, rest: _Rest, role: str | None) -> tuple[int, str | None]:
        """Return the price of the cheapest reading in which a line has another role, and that role."""
        behind = rest.costs
        best: tuple[int, str | None] = (_NOWHERE, None)
        for state, cost in way.taken.items():
            if state in behind and cost + behind[state] < best[0] and (other := self.states[state].role) != role:
                best = cost + behind[state], other
        if role is not None:
            left = self._left_out(way.form)
            for state, cost in way.above.costs.items():
                if state in behind and cost + left + behind[state] < best[0]:
                    best = cost + left + behind[state], NO_ROLE
        return best


class _Column:
    """The states that the lines so far may lead to, each with its cost above the cheapest.

    ``below`` maps a form to the way of a line of that form from here; filled on demand.
    """

    __slots__ = ("below", "costs")

    def __init__(self, costs: dict[int, int]) -> None:
        self.costs = costs
        self.below: dict[str, _Way] = {}


class _Way:
    """A line of a form below a column, and the column that it leads to, whose cheapest state costs ``more``.

    ``taken`` maps each state that takes the line to its cost, ``came`` maps a state to the one before it. A state
    without an entry in ``came`` was there before: the line is left out.
    """

    __slots__ = ("above", "came", "column", "form", "more", "taken")

    def __init__(self, above: _Column, form: str) -> None:
        self.above, self.form = above, form
        self.column, self.more = above, 0  # until it is worked out
        self.came: dict[int, int] = {}
        self.taken: dict[int, int] = {}


class _Rest:
    """The cost from each state to the end by the lines below, counted from the cheapest.

    ``above`` caches the same above a line, ``steps`` how a line that leads to a state was read; filled on demand.
    """

    __slots__ = ("above", "costs", "steps")

    def __init__(self, costs: dict[int, int]) -> None:
        self.costs = costs
        self.above: dict[_Way, _Rest] = {}
        self.steps: dict[tuple[_Way, int], tuple[Step, int]] = {}


class _Rows:
    """Reads the rows of a table."""

    def __init__(self, rows: str) -> None:
        """Read the rows: first the names of all states, then the states that may follow each."""
        read = [
            " ".join(row.split()) for row in _CONTINUED.sub(" ", _COMMENT.sub("", rows)).splitlines() if row.strip()
        ]
        split = [self._split(row) for row in read]
        self._names: dict[str, int] = {}
        for names, *_ in split:
            for name in names:
                if name in self._names:
                    raise StateTableError(f"a second row for {name!r}")
                self._names[name] = len(self._names)
        self._own = {name.rpartition(".")[2] for name in self._names}
        self._lists = {names[0]: after for names, role, _, after in split if not role}
        states, takes, follows, ends = [], [], [], []
        for names, role, forms, after in split:
            for name in names:
                found, end = self._following(name.rpartition(".")[0], after)
                states.append(State(name, role))
                takes.append(dict(map(self._priced, forms)))
                follows.append(tuple(found.items()))
                ends.append(end if role else 0)
        self.table = StateTable(tuple(states), tuple(takes), tuple(follows), tuple(ends))

    def _split(self, row: str) -> tuple[list[str], str, list[str], list[str]]:
        """Split a row into the names of its states, its role, its forms and what follows."""
        head, arrow, after = row.partition(">")
        name, role, *forms = [*head.split(), "", ""]
        if not arrow:
            raise StateTableError(f"expected '>' and what may follow: {row}")
        forms = [form for form in forms if form]
        places, dot, own = name.rpartition(".")
        return ([f"{place}.{own}" for place in places.split(",")] if dot else [name]), role, forms, after.split()

    def _priced(self, text: str) -> tuple[str, int]:
        """Split ``TTL1`` into name and price."""
        name = text.rstrip(_DIGITS)
        if name == text:
            raise StateTableError(f"expected a name and its price, such as 'TTL1': {text}")
        return name, int(text[len(name) :])

    def _following(self, place: str, after: Iterable[str]) -> tuple[dict[int, int], int | None]:
        """Return the states that may follow, with prices, and the price of ending there; the lower price wins."""
        found: dict[int, int] = {}
        end: int | None = None
        for name, price in map(self._priced, after):
            full = name if "." in name else f"{place}.{name}"
            if name == _END:
                end = price if end is None else min(price, end)
            elif name in self._lists:
                states, last = self._following(place, self._lists[name])
                for state, more in states.items():
                    found[state] = min(price + more, found.get(state, price + more))
                end = end if last is None else last + price if end is None else min(end, last + price)
            elif full in self._names:
                found[self._names[full]] = min(price, found.get(self._names[full], price))
            elif "." in name or name not in self._own:
                raise StateTableError(f"no row for {full!r}")
        return found, end
