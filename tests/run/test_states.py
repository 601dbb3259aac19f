"""An archive that changes in every way it can: what a night publishes is what one merge of everything would.

A few short histories are tried; ``HYPOTHESIS_PROFILE=deep`` tries a thousand. ``tests.support.archive_states`` says
what is right.
"""

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from pipeline.base.signals import Guards, Policy
from tests.support.archive_states import BAD, EVENTS, PATHS, TITLES, Capture, World
from tests.support.depth import sample

pytestmark = pytest.mark.untraced

GOOD_ADDRESS = "https://fair.example/1"
PAGES = sorted(PATHS)
GUARDS = Guards(unexplained_from=3, lost=Policy.OFF, spoilt=Policy.OFF, shifted=Policy.OFF, stale=Policy.OFF)
"""Those that compare records are off: a replay does not apply them to newer code, as a night does."""


def optional(**choices: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Return dictionaries with some of these keys."""
    return st.fixed_dictionaries({}, optional=choices)


ITEMS = st.builds(
    lambda title, rest: json.dumps({"title": title, **rest}),
    st.sampled_from(TITLES),
    optional(
        authors=st.sampled_from([["Ann"], ["Bob"], ["Ann", "Cy"]]),
        abstract=st.sampled_from(["Short.", "A little longer."]),
        url=st.sampled_from([GOOD_ADDRESS, BAD]),
        room=st.sampled_from(["A", "B"]),
        start=st.sampled_from(["01-01T09:00", "01-02T09:00"]),
        event=st.sampled_from(EVENTS),
        listed_on=st.sampled_from(["2026-01-01", "2026-01-02", "2026-01-03"]),
    ),
)
LINES = st.builds(
    lambda items, junk: (*items, *junk),
    st.lists(ITEMS, min_size=1, max_size=4),
    st.lists(st.sampled_from(["junk", "noise"]), max_size=3),
)
SIDECARS = optional(
    event=st.sampled_from(EVENTS), year=st.sampled_from([2025, 2027]), accept=st.just(["drop", "unexplained"])
).map(lambda told: tuple(sorted(told.items())))
Step = Callable[[World], object]
MORE = st.sampled_from([True, True, False])
"""True where another change follows before the night."""


class Nights(RuleBasedStateMachine):
    """Changes, each followed by another one or by a night."""

    def __init__(self) -> None:
        """Begin with an empty folder."""
        super().__init__()
        self.folder = Path(mkdtemp())
        self.world = World(self.folder, guards=GUARDS)

    def teardown(self) -> None:
        """Delete the folder."""
        shutil.rmtree(self.folder)

    def finish(self, more: bool) -> None:
        """Pass a night, unless more changes come first."""
        if not more:
            faults = self.world.pass_night()
            assert faults == [], "\n".join(faults)

    def choose(self, data: st.DataObject) -> str:
        """Draw one of the captures."""
        return data.draw(st.sampled_from(sorted(self.world.captures)))

    def change(self, path: str, *lines: str) -> None:
        """Replace the bytes of a capture."""
        self.world.put(path, replace(self.world.captures[path], lines=lines))

    @initialize(programme=LINES, listing=LINES)
    def begin(self, programme: tuple[str, ...], listing: tuple[str, ...]) -> None:
        """Begin with a capture of each source."""
        self.world.put(PATHS["fair/a"][1], Capture(programme))
        self.world.put(PATHS["news/c"][1], Capture(listing))
        self.finish(more=False)

    @rule(page=st.sampled_from(PAGES), late=st.booleans(), lines=LINES, sidecar=SIDECARS, more=MORE)
    def add(self, page: str, late: bool, lines: tuple[str, ...], sidecar: Any, more: bool) -> None:
        """Add a capture, newer than all of its page or older than the newest."""
        there = [number for number, path in enumerate(PATHS[page]) if path in self.world.captures]
        newest = max(there, default=0)
        free = (
            [path for path in PATHS[page][:newest] if path not in self.world.captures][::-1]
            if late
            else PATHS[page][newest + 1 :]
        )
        if free:
            self.world.put(free[0], Capture(lines, sidecar))
        self.finish(more)

    @rule(data=st.data(), lines=LINES, more=MORE)
    def replace_bytes(self, data: st.DataObject, lines: tuple[str, ...], more: bool) -> None:
        """Replace the bytes of a capture in place."""
        self.change(self.choose(data), *lines)
        self.finish(more)

    @rule(data=st.data(), more=MORE)
    def remove(self, data: st.DataObject, more: bool) -> None:
        """Withdraw a capture, but not the last one of a source."""
        path = self.choose(data)
        if sum(each.startswith(path[:4]) for each in self.world.captures) > 1:
            self.world.remove(path)
        self.finish(more)

    @rule(data=st.data(), sidecar=SIDECARS, more=MORE)
    def edit_sidecar(self, data: st.DataObject, sidecar: Any, more: bool) -> None:
        """Say something else in a sidecar: event, year, what is accepted."""
        path = self.choose(data)
        self.world.put(path, replace(self.world.captures[path], sidecar=sidecar))
        self.finish(more)

    @rule(data=st.data(), bad=st.booleans(), more=MORE)
    def hold_back_or_free(self, data: st.DataObject, bad: bool, more: bool) -> None:
        """Let the records of a capture fail validation, or let them pass."""
        path = self.choose(data)
        old, new = (BAD, GOOD_ADDRESS)[:: -1 if bad else 1]
        self.change(path, *(line.replace(json.dumps(old), json.dumps(new)) for line in self.world.captures[path].lines))
        self.finish(more)

    @rule(data=st.data(), title=st.sampled_from(TITLES), more=MORE)
    def print_twice(self, data: st.DataObject, title: str, more: bool) -> None:
        """Print one title twice, with different authors."""
        path = self.choose(data)
        twice = (json.dumps({"title": title, "authors": [name], "event": EVENTS[0]}) for name in ("Ann", "Bob"))
        self.change(path, *self.world.captures[path].lines, *twice)
        self.finish(more)

    @rule(data=st.data(), more=MORE)
    def break_or_mend(self, data: st.DataObject, more: bool) -> None:
        """Let the parser fail, or succeed again."""
        path = self.choose(data)
        lines = self.world.captures[path].lines
        self.change(path, *(lines[:-1] if lines[-1] == "break" else (*lines, "break")))
        self.finish(more)

    @rule(limit=st.sampled_from([0.0, 0.3, 0.5, 1.0]), drop=st.sampled_from([0.3, 0.9]), more=MORE)
    def change_limits(self, limit: float, drop: float, more: bool) -> None:
        """Make the guards stricter or laxer."""
        self.world.guards = replace(self.world.guards, unexplained_limit=limit, drop_limit=drop)
        self.finish(more)

    @rule(more=MORE)
    def change_code(self, more: bool) -> None:
        """Read and merge with newer code."""
        self.world.code += 1
        self.finish(more)

    @rule(tables=st.booleans(), more=MORE)
    def lose_cache(self, tables: bool, more: bool) -> None:
        """Lose the entries of the cache, or the tables beside them."""
        self.world.forget(tables=tables)
        self.finish(more)

    @precondition(lambda self: self.world.latest is not None)
    @rule(number=st.integers(0, 20), more=MORE)
    def damage(self, number: int, more: bool) -> None:
        """Damage a published file."""
        self.world.damage(number)
        self.finish(more)

    @rule(steps=st.integers(0, 60))
    def kill(self, steps: int) -> None:
        """Kill a run between two steps."""
        self.world.die(steps)
        self.finish(more=False)


def put(path: str, *items: dict[str, Any] | str, **sidecar: Any) -> Step:
    """Add or replace a capture."""
    lines = tuple(item if isinstance(item, str) else json.dumps(item) for item in items)
    return lambda world: world.put(path, Capture(lines, tuple(sidecar.items())))


def remove(path: str) -> Step:
    """Withdraw a capture."""
    return lambda world: world.remove(path)


def play(world: World, steps: Iterable[Step]) -> list[str]:
    """Take the steps, pass a night after each, and return the faults of all."""
    faults = []
    for number, step in enumerate(steps):
        step(world)
        faults += [f"step {number}: {fault}" for fault in world.pass_night()]
    return faults


def both(programme: Iterable[Step], listing: Iterable[Step]) -> list[Step]:
    """Take the steps of two histories side by side: one of each before a night."""

    def take(world: World, steps: Iterable[Step | None]) -> None:
        for step in filter(None, steps):
            step(world)

    return [partial(take, steps=steps) for steps in zip_longest(programme, listing)]


A, B = PATHS["fair/a"], PATHS["fair/b"]
C, D = PATHS["news/c"], PATHS["news/d"]
HAY: dict[str, Any] = {"title": "Hay", "authors": ["Ann"]}
BOB: dict[str, Any] = {"title": "Hay", "authors": ["Bob"]}
RYE: dict[str, Any] = {"title": "Rye"}
JAM = {"event": EVENTS[0]}
CUTS = [{"title": title, "event": event} for title in TITLES for event in EVENTS]
"""Records before each of which a file may begin."""

PROGRAMME: dict[str, tuple[Step, ...]] = {
    "a newer capture takes the place of one with other events": (
        put(A[0], *CUTS),
        put(A[1], {"title": "Rye", **JAM}),
        put(A[2], {"title": "Hay", "event": EVENTS[1]}),
        remove(A[2]),
        remove(A[1]),
    ),
    "two papers come to share a title, and no longer do": (
        put(B[0], {**HAY, **JAM}, RYE),
        put(A[1], {**HAY, **JAM}, {**BOB, **JAM}),
        put(A[2], {**BOB, **JAM}),
        remove(B[0]),
    ),
    "a sidecar names another event and another year": (
        put(A[1], {**HAY, "start": "01-01T09:00"}, RYE, event=EVENTS[0], year=2025),
        put(B[0], {**HAY, **JAM}, {"title": "Oat", "event": EVENTS[1]}),
        put(A[1], {**HAY, "start": "01-01T09:00"}, RYE, event=EVENTS[1], year=2027),
    ),
    "a refused capture is accepted": (
        put(A[1], *CUTS),
        put(A[2], HAY),
        put(A[2], HAY, accept=["drop"]),
        put(A[3], HAY, RYE),
    ),
    "a capture fails beside another": (
        put(A[0], {**HAY, **JAM}, {**BOB, **JAM}),
        put(B[0], {**HAY, **JAM}),
        put(A[0], "break"),
        put(B[0], {**RYE, **JAM}),
        put(A[0], {**RYE, **JAM}),
    ),
}
LISTING: dict[str, tuple[Step, ...]] = {
    "a capture that filled a record is withdrawn": (
        put(C[1], {**HAY, "url": GOOD_ADDRESS}, *CUTS),
        put(D[0], {"title": "HAY", "abstract": "Late."}),
        remove(C[1]),
        remove(C[0]),
    ),
    "a record is held back by one of two captures": (
        put(D[2], {**HAY, "url": BAD}),
        put(D[1], {"title": "Oat"}),
        remove(D[2]),
        put(C[0], {**HAY, "url": BAD}, RYE),
        put(C[0], {**HAY, "url": GOOD_ADDRESS}, RYE),
    ),
    "what a file began with is gone": (
        put(C[1], *CUTS),
        put(C[1], HAY, RYE),
        put(C[1], *CUTS[::-1]),
        remove(C[1]),
    ),
    "a capture comes late, between and before those that are there": (
        put(C[4], {**HAY, "listed_on": "2026-01-02"}),
        put(C[2], {**BOB, "abstract": "Old.", "listed_on": "2026-01-03"}),
        put(C[1], {**HAY, "url": GOOD_ADDRESS}),
        put(D[0], {"title": "hay", "listed_on": "2026-01-01"}),
    ),
    "a capture fails, and others come and go": (
        put(D[0], {"title": "HAY"}, RYE),
        put(C[0], "break"),
        put(C[1], {"title": "Oat"}),
        remove(D[0]),
        put(C[0], HAY),
    ),
}
OF_BOTH: dict[str, tuple[Step, ...]] = {
    "tables and entries are lost": (
        lambda world: world.forget(tables=True),
        lambda world: world.forget(tables=False),
        remove(C[0]),
    ),
    "files are damaged": tuple(partial(World.damage, number=number) for number in range(0, 30, 5)),
    "newer code reads and merges, and is taken back": (
        lambda world: setattr(world, "code", 2),
        put(C[1], RYE),
        lambda world: setattr(world, "code", 1),
    ),
}


@pytest.mark.parametrize(("programme", "listing"), sample([*zip(PROGRAMME, LISTING, strict=True)], 3))
def test_histories(programme: str, listing: str, tmp_path: Path) -> None:
    """Short histories of a programme, and of a listing beside it, in which a merge of too few records goes wrong."""
    world = World(tmp_path, guards=GUARDS)
    world.put(A[0], Capture((json.dumps(RYE),)))
    begin = put(C[0], {**HAY, "abstract": "The first."}, RYE)
    assert play(world, [begin, *both(PROGRAMME[programme], LISTING[listing])]) == []


@pytest.mark.parametrize("name", sample([*OF_BOTH], 2, 1))
def test_histories_of_the_out_root_and_the_code(name: str, tmp_path: Path) -> None:
    """What is lost, damaged or made by other code concerns every record of a table."""
    world = World(tmp_path, guards=GUARDS)
    world.put(A[0], Capture(tuple(map(json.dumps, CUTS))))
    world.put(C[1], Capture((json.dumps(HAY),)))
    assert play(world, [put(C[0], *CUTS), *OF_BOTH[name]]) == []


@pytest.mark.hypothesis
def test_a_night_is_what_one_merge_would_make() -> None:
    """After every night the files are those of merging at once all that feeds the sources, and the changes add up."""
    run_state_machine_as_test(Nights, settings=settings(stateful_step_count=15, phases=[Phase.generate]))
