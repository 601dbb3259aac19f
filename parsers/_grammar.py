"""A programme's grammar as a table of states, and the cheapest reading of its lines by that table.

A row of the table is a state: a place in the programme and the role that a line has there. It says which forms of
lines the state takes, at which price, and which states may follow:

    S.title  title  COD0 TTL1   > S.room0 S.chair0 S.talk4 any4 end0
    S.room   room   ROO0 NAM1   > S.chair0 S.talk0 any0 end0

A row goes on below where it is indented. One without a role is a list of what other rows name by it (``any4``), and
where a reading may begin (``begin``); ``end`` is where it may end. In a row of several places (``S,K.talk``) names
without a place are of the row's own; a place that has no such state has no such way.

Prices: 0 the form says so, 1 it fits, 4 it is odd, 9 as dear as leaving the line out, which is always possible; of
equal readings the one that leaves a line out wins.

What a line looks like (its form), what a table says and what becomes of the roles does not belong here: that is each
source's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

LEFT_OUT: Final = 9
"""The price of leaving a line out."""

NO_ROLE: Final = "left out"

MARGIN: Final = 4
"""A line whose next best role costs less than this more is not used: what it is cannot be told."""

_BEAM: Final = LEFT_OUT + MARGIN
"""Readings dearer than the cheapest by this much are not followed: no margin that counts is as large."""

_FEW: Final = 16
"""So few readings are all followed: to choose among them takes longer."""

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
    """How a line was read: its state, None where it is left out; its price; the next best role, and how much dearer.

    ``other`` is ``NO_ROLE`` where the next best is to leave the line out, and None where nothing comes close.
    """

    state: State | None
    price: int
    other: str | None
    margin: int | None

    @property
    def is_sure(self) -> bool:
        """Say whether no other role comes close."""
        return self.margin is None or self.margin >= MARGIN


class TableError(Exception):
    """A row of a table cannot be read: names the row and what was expected."""


@dataclass(frozen=True)
class Table:
    """States with the forms that they take and what may follow them.

    ``takes`` maps forms to prices, ``follows`` lists states with prices, ``ends`` is the price of ending there or None.
    Lines of the forms in ``sure`` are twice as dear to leave out: they say what they are.
    """

    states: tuple[State, ...]
    takes: tuple[Mapping[str, int], ...]
    follows: tuple[tuple[tuple[int, int], ...], ...]
    ends: tuple[int | None, ...]
    sure: frozenset[str] = frozenset()

    @classmethod
    def of(cls, rows: str, sure: frozenset[str] = frozenset()) -> Table:
        """Read the rows of a table. Raises ``TableError`` for a row of another form, or that names an unknown state."""
        return replace(_Rows(rows).table, sure=sure)

    def dearer(self, prices: Mapping[str, int]) -> Table:
        """Return the table with some states dearer, by role (``talk``) or by name (``S.once``)."""
        extra = [prices.get(state.name, prices.get(state.role, 0)) for state in self.states]
        takes = tuple(
            {form: price + more for form, price in forms.items()} if more else forms
            for forms, more in zip(self.takes, extra, strict=True)
        )
        return replace(self, takes=takes)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The places of the states by name."""
        return {state.name: place for place, state in enumerate(self.states)}

    @cached_property
    def _enders(self) -> frozenset[int]:
        """The states in which a reading may end."""
        return frozenset(state for state, end in enumerate(self.ends) if end is not None)

    @cached_property
    def _ways(self) -> dict[str, dict[int, tuple[tuple[int, int], ...]]]:
        """Where a line of a form may lead from a state, each at its price; filled as pages ask."""
        return {}

    def _ways_from(self, state: int, form: str) -> tuple[tuple[int, int], ...]:
        """Work out to which states a line of a form may lead from another, with their prices."""
        ways = tuple(
            (after, price + taken)
            for after, price in self.follows[state]
            if (taken := self.takes[after].get(form)) is not None
        )
        self._ways.setdefault(form, {})[state] = ways
        return ways

    def _left_out(self, form: str) -> int:
        """Return what it costs to leave out a line of a form."""
        return 2 * LEFT_OUT if form in self.sure else LEFT_OUT

    def price(self, forms: Sequence[str], begin: str = "begin") -> int:
        """Return what the cheapest reading of a slot's lines costs."""
        return self._best_end(self._forward(forms, begin)[-1].costs)[0]

    def prices(self, forms: Sequence[str], begin: str = "begin") -> list[int]:
        """Return what the cheapest reading of the first lines costs, for each number of them from none to all."""
        return [self._best_end(column.costs)[0] for column in self._forward(forms, begin)]

    def path(self, forms: Sequence[str], begin: str = "begin") -> tuple[int, list[str]]:
        """Return what the cheapest reading of a slot's lines costs, and the names of its states."""
        columns = self._forward(forms, begin)
        total, state = self._best_end(columns[-1].costs)
        names = []
        for column in reversed(columns):
            if (before := column.came.get(state)) is not None:
                names.append(self.states[state].name)
                state = before
        return total, names

    def read(self, forms: Sequence[str], begin: str = "begin") -> list[Step]:
        """Read the lines of a slot: the cheapest way through the table from a row that says where one may begin."""
        columns = self._forward(forms, begin)
        total, state = self._best_end(columns[-1].costs)
        behind = self._backward(forms, columns)
        steps: list[Step] = []
        for place in range(len(forms), 0, -1):
            column, above = columns[place], columns[place - 1]
            before = column.came.get(state)
            cost, used = column.costs[state], None if before is None else self.states[state]
            state = state if before is None else before
            left = self._left_out(forms[place - 1])
            other, dearest = self._next_best(column, above, behind[place], used.role if used else None, left)
            steps.append(Step(used, cost - above.costs[state], other, dearest - total if other else None))
        return steps[::-1]

    def _forward(self, forms: Sequence[str], begin: str) -> list[_Column]:
        """Return, for each number of lines, what the cheapest way to each state costs."""
        costs = {self._numbers[begin]: 0}
        columns = [_Column(costs, {}, {})]
        for form in forms:
            known = self._ways.get(form, {})
            taken: dict[int, int] = {}
            came: dict[int, int] = {}
            for state, cost in costs.items():
                ways = known.get(state)
                for after, price in self._ways_from(state, form) if ways is None else ways:
                    total = cost + price
                    if after not in taken or total < taken[after]:
                        taken[after], came[after] = total, state
            before, costs = costs, dict(taken)
            left = self._left_out(form)
            for state, cost in before.items():
                total = cost + left
                if state not in costs or total <= costs[state]:
                    costs[state] = total
                    came.pop(state, None)
            # A reading that cannot end here drives none out that can: the way from there to an end may not be printed.
            if len(costs) > _FEW:
                most = min(cost for state, cost in costs.items() if state in self._enders) + _BEAM
                costs = {state: cost for state, cost in costs.items() if cost <= most}
            columns.append(_Column(costs, came, taken))
        return columns

    def _backward(self, forms: Sequence[str], columns: Sequence[_Column]) -> list[dict[int, int]]:
        """Return, for each number of lines, what the cheapest way from each state to the end costs."""
        ends = self.ends
        after = {state: end for state in columns[-1].costs if (end := ends[state]) is not None}
        behind = [after]
        for place in range(len(forms) - 1, -1, -1):
            known, left = self._ways[forms[place]], self._left_out(forms[place])
            here: dict[int, int] = {}
            for state in columns[place].costs:
                best = after[state] + left if state in after else _NOWHERE
                for following, price in known[state]:
                    if following in after and after[following] + price < best:
                        best = after[following] + price
                if best < _NOWHERE:
                    here[state] = best
            behind.append(here)
            after = here
        return behind[::-1]

    def _best_end(self, costs: Mapping[int, int]) -> tuple[int, int]:
        """Return what the cheapest reading costs, and the state in which it ends."""
        return min(
            ((cost + end, state) for state, cost in costs.items() if (end := self.ends[state]) is not None),
            default=(_NOWHERE, 0),
        )

    def _next_best(
        self, column: _Column, above: _Column, behind: Mapping[int, int], role: str | None, left: int
    ) -> tuple[str | None, int]:
        """Return the role that a line has in the cheapest reading in which it has another, and what that costs."""
        best: tuple[int, str | None] = (_NOWHERE, None)
        for state, cost in column.taken.items():
            if state in behind and cost + behind[state] < best[0] and (other := self.states[state].role) != role:
                best = cost + behind[state], other
        if role is not None:
            for state, cost in above.costs.items():
                if state in behind and cost + left + behind[state] < best[0]:
                    best = cost + left + behind[state], NO_ROLE
        return best[1], best[0]


class _Column(NamedTuple):
    """The states that the lines so far may lead to: what they cost, where each came from, what the last line cost.

    A state without an entry in ``came`` was there before: the line is left out.
    """

    costs: dict[int, int]
    came: dict[int, int]
    taken: dict[int, int]


class _Rows:
    """The rows of a table while they are read."""

    def __init__(self, rows: str) -> None:
        """Read the rows: first the names of all states, then what may follow each."""
        read = [
            " ".join(row.split()) for row in _CONTINUED.sub(" ", _COMMENT.sub("", rows)).splitlines() if row.strip()
        ]
        split = [self._split(row) for row in read]
        self._names: dict[str, int] = {}
        for names, *_ in split:
            for name in names:
                if name in self._names:
                    raise TableError(f"a second row for {name!r}")
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
        self.table = Table(tuple(states), tuple(takes), tuple(follows), tuple(ends))

    def _split(self, row: str) -> tuple[list[str], str, list[str], list[str]]:
        """Split a row into the names of its states, its role, its forms and what follows."""
        head, arrow, after = row.partition(">")
        name, role, *forms = [*head.split(), "", ""]
        if not arrow:
            raise TableError(f"expected '>' and what may follow: {row}")
        forms = [form for form in forms if form]
        places, dot, own = name.rpartition(".")
        return ([f"{place}.{own}" for place in places.split(",")] if dot else [name]), role, forms, after.split()

    def _priced(self, text: str) -> tuple[str, int]:
        """Split ``TTL1`` into name and price."""
        name = text.rstrip(_DIGITS)
        if name == text:
            raise TableError(f"expected a name and its price, such as 'TTL1': {text}")
        return name, int(text[len(name) :])

    def _following(self, place: str, after: Iterable[str]) -> tuple[dict[int, int], int | None]:
        """Return what may follow a state with prices, and the price of ending there; of two prices the lower one."""
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
                raise TableError(f"no row for {full!r}")
        return found, end
