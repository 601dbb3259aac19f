"""The benchmark of growth: its texts are of their formats, and as long as they are asked for."""

from pathlib import Path

import pytest

from benchmarks.growth import NONE, Growing, cases, models, repeat
from parsers._ledger.document import Document
from parsers._registry import sources
from tests.support.of_sources import facts_of

pytestmark = pytest.mark.untraced

SIZE = 20_000


def format_of_repeated(name: str, file: Path) -> str:
    """Return the format of a dump that is repeated until it is long."""
    text = repeat(file.read_text(encoding="utf-8"), file.suffix, SIZE)
    document = Document.from_bytes(f"x/{file.name}", text.encode(), facts_of(file))
    return sources()[name.split(maxsplit=1)[0]].recognise(document).name


def test_a_repeated_dump_stays_of_its_format() -> None:
    """What is measured is read, not refused."""
    found = {name: format_of_repeated(name, file) for name, file in models()}
    assert found == {name: name.split()[1] for name in found}


def test_every_source_has_a_text() -> None:
    """At least one of its formats has a specimen or a fixture that can be repeated."""
    assert {name.split()[0] for name, _ in models()} == set(sources())


def length(case: Growing) -> int:
    """Return how long a text becomes."""
    return len(case.grow(SIZE))


def test_texts_grow_as_asked() -> None:
    """Each has about the size that it is asked for, so that a ratio means something."""
    small = {case.name: length(case) for case in cases() if case.name.startswith("none")}
    assert {name: size for name, size in small.items() if not SIZE / 2 < size < 2 * SIZE} == {}
    assert len(small) == len(NONE)
