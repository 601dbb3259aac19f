"""The benchmark of faulty nights: sites are read completely, kinds are seeded and apply, verdicts are right."""

from datetime import timedelta
from functools import cache
from random import Random

import pytest

from benchmarks.fault_kinds import KINDS, FaultKind, Scene, spoil
from benchmarks.fault_sites import FIRST, HOSTS, Site
from benchmarks.faults import FaultRun, compare, run_nights
from tests.support.sites import Reply

pytestmark = pytest.mark.untraced

BY_NAME = {kind.name: kind for kind in KINDS}
NIGHT = FIRST + timedelta(days=14)


@cache
def scenes() -> tuple[Scene, ...]:
    """Return all pages of a night."""
    site, other = Site(3), Site(3, other=True)
    return tuple(
        Scene(site, other, source, NIGHT, 0, address, sheet, Random(4))  # noqa: S311  # seeded, no secret
        for source in HOSTS
        for address, sheet in site.sheets(source, NIGHT).items()
    )


def apply(kind: FaultKind) -> list[Reply | None]:
    """Apply one kind of fault to every page."""
    for scene in scenes():
        scene.random.seed(5)
    return [spoil(kind, scene) for scene in scenes()]


def pass_nights(*names: str) -> FaultRun:
    """Run six nights with these kinds of faults."""
    return run_nights(3, 6, [BY_NAME[name] for name in names])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.clock], ids=lambda kind: kind.name)
def test_kinds(kind: FaultKind) -> None:
    """The same seed gives the same fault, and each kind applies to some page."""
    first, again = apply(kind), apply(kind)
    assert (first == again, any(first)) == (True, True)


def test_names() -> None:
    """Each kind has a name of its own."""
    assert len(BY_NAME) == len(KINDS)


def test_nights_without_faults() -> None:
    """Without faults nothing fails, and the result is as if everything were read at once."""
    run = pass_nights()
    assert (run.cases, run.final, run.causeless, run.amber) == ([], [], [], [])


def test_faults_that_are_told() -> None:
    """Errors and captchas make a night red, and no record is lost."""
    run = pass_nights("error_500", "captcha")
    assert ({case.verdict for case in run.cases}, run.final, run.causeless) == ({"red"}, [], [])


def test_comparison() -> None:
    """Records are lost, wrong or extra."""
    should = {"a": {"title": "A"}, "b": {"title": "Bread of Rye"}, "c": {"title": "C"}}
    found = {"b": {"title": "Bread of Wheat"}, "c": {"title": "C"}, "d": {"title": "D"}}
    assert list(compare(should, found)) == [
        ("a", "lost", ""),
        ("b", "wrong", " title: 'Bread of Rye' -> 'Bread of Wheat'"),
        ("d", "extra", " 'D'"),
    ]
