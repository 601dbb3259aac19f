"""The benchmark of damages: its kinds are seeded and apply to something, its verdicts are right in plain cases."""

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from benchmarks.damage import BY_NAME, Work, make_work, reform
from benchmarks.damages import FORMS, KINDS, Kind, Sheet
from benchmarks.verdicts import SIGNS, Judged, Read, form_of, read
from pipeline.raw.dump import Dump
from pipeline.raw.inventory import take_inventory
from tests.conftest import ROOT

pytestmark = pytest.mark.untraced

TABLE = "Tuesday | Room A | Jam\n| 09:00 | Jam | Ada Quill, Bo Ferns Moss, Cy Grove Hill |\n"
"""What no specimen has: cells between bars."""

PLAIN = Kind("by hand", "a case of this test", lambda page, _: page.text)


@cache
def dumps() -> tuple[Dump, ...]:
    """Return the specimens."""
    found = take_inventory(ROOT / "raw", [file.name for file in (ROOT / "raw").iterdir()]).dumps
    return tuple(dump for source in sorted(found) for dump in found[source])


@cache
def page(source: str) -> tuple[Dump, Read]:
    """Return the specimen of a source, and what it gives."""
    (dump,) = [dump for dump in dumps() if dump.source == source]
    return dump, read(dump, dump.file.read_bytes())


@cache
def pages() -> tuple[Sheet, ...]:
    """Return the specimens as pages to damage, and a text with a table."""
    texts = [Sheet(dump.file.read_text(encoding="utf-8"), form_of(dump), "Other\npage\n") for dump in dumps()]
    return *texts, Sheet(TABLE, "text")


def apply(kind: Kind, seed: int) -> list[str | bytes | None]:
    """Apply one kind of damage to every page."""
    return [kind.damage(page, Random(seed)) for page in pages()]  # noqa: S311  # seeded, no secret


@pytest.mark.parametrize("kind", BY_NAME.values(), ids=lambda kind: kind.name)
def test_kinds(kind: Kind) -> None:
    """The same seed gives the same damage, and at least one page changes."""
    first, again = apply(kind, 7), apply(kind, 7)
    changed = [made is not None and made != page.text for page, made in zip(pages(), first, strict=True)]
    assert (first == again, any(changed)) == (True, True)


def test_names() -> None:
    """Names are unique, and the forms that are no kind are used for nights only."""
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert len(BY_NAME) - len(KINDS) == sum(kind not in KINDS for kind in FORMS)


def judge(source: str, old: str, new: str, allows: str) -> Judged:
    """Replace a text in a specimen and judge the new reading."""
    dump, before = page(source)
    return Judged(replace(PLAIN, allows=allows), before, read(dump, before.text.replace(old, new, 1).encode()))


@pytest.mark.parametrize(
    ("source", "old", "new", "allows", "verdict"),
    [
        pytest.param("cluster", "Wednesday", "\nWednesday", "", "same", id="a blank line"),
        pytest.param("cluster", "One slow node", "One quick node", "other", "faithful", id="another word"),
        pytest.param("cluster", "One slow node", "One quick node", "", "silent", id="another word that is not allowed"),
        pytest.param("cluster", "One slow node", "One sl\x07ow node", "", "noted", id="a control character"),
        pytest.param("cluster", "Tuesday September 22nd", "Tuesday September 32nd", "", "told", id="no such day"),
        pytest.param("pretalx", '"schedule"', '"schedules"', "", "told", id="refused"),
        pytest.param("cluster", "Pier 4", "Advertisement: mugs", "", "told", id="a line nobody reads"),
    ],
)
def test_verdicts(source: str, old: str, new: str, allows: str, verdict: str) -> None:
    """Clear cases get the right verdict."""
    assert judge(source, old, new, allows).verdict == verdict


def test_signs_of_damage() -> None:
    """A room that was never on the page is foreign text; a printed record that is missing is dropped."""
    _, before = page("cluster")
    strange = replace(before, rows=({**before.rows[0], "room": ("Mugs",)}, *before.rows[1:]))
    cases = [Judged(PLAIN, before, after) for after in (strange, replace(before, rows=before.rows[1:]))]
    found = [(case.verdict, [name for name, has in SIGNS.items() if has(case)]) for case in cases]
    assert found == [("silent", ["dropped", "foreign text"]), ("silent", ["dropped"])]


def test_the_other_page_is_of_the_same_source() -> None:
    """The other page is another specimen of the source in the same form, if there is one."""
    work = make_work(dumps(), [kind.name for kind in KINDS], range(1), 1)
    several = Counter((each.source, each.file.suffix) for each in dumps())
    assert [each.other and each.other.source for each in work] == [
        each.source if several[each.source, each.file.suffix] > 1 else None for each in dumps()
    ]


def test_nights() -> None:
    """A field lost everywhere is refused by a guard, with a next step; other line ends change nothing."""
    dump, before = page("pretalx")
    results = reform(Work(dump, None, ("keys_lost", "crlf"), range(3), 1))
    (lost, *_) = (each for each in results if not isinstance(each, str) and each.kind == "keys_lost" and each.counts)
    (plain,) = (each for each in results if not isinstance(each, str) and each.kind == "crlf")
    assert (lost.light, lost.records, lost.lines[0][:5]) == ("red", len(before.rows), "red: ")
    assert (plain.light, plain.altered, plain.counts, plain.lines) == ("green", 0, False, ())


def test_nights_of_a_page_that_is_refused() -> None:
    """If the undamaged page is refused, there is nothing to compare with."""
    dump, _ = page("pretalx")
    bad = replace(dump, source="cluster", path="cluster/jam.json")
    assert isinstance(reform(Work(bad, None, ("crlf",), range(1), 1)), str)
