"""Every fixture of every source parses to its golden file."""

from collections import Counter
from pathlib import Path

import pytest

from parsers._ledger.document import Document, DumpError, Facts
from parsers._registry import sources
from pipeline.reading.parse import parse_items
from tests.support.goldens import check_golden, describe
from tests.support.helpers import parse_document
from tests.support.of_sources import ROOT, SUFFIXES, each_source, facts_of

FIXTURES = [
    file
    for source in sources()
    for file in sorted((ROOT / "tests" / "sources" / source / "fixtures").glob("*"))
    if file.suffix in SUFFIXES and not file.name.endswith(".golden.json")
]


def outcome(file: Path) -> dict[str, object]:
    """Parse a fixture as the pipeline would; a document that cannot be used gives its error."""
    source = sources()[file.parent.parent.name]
    facts: Facts = facts_of(file)
    try:
        document = Document.from_bytes(f"{source.name}/{file.name}", file.read_bytes(), facts)
        return describe(parse_document(source, document))
    except DumpError as error:
        return {"line": error.line, "reason": error.reason, "expected": error.expected}


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.parent.name}-{file.stem}")
def test_fixture(file: Path) -> None:
    """A fixture gives the items of its golden file."""
    check_golden(file.with_name(f"{file.stem}.golden.json"), outcome(file))


def counted(file: Path) -> tuple[Counter[str], Counter[str]]:
    """Return the classes of a fixture, as its ledger counts and as it tells them; empty where it is refused."""
    source = sources()[file.parent.parent.name]
    try:
        document = Document.from_bytes(f"{source.name}/{file.name}", file.read_bytes(), facts_of(file))
        accounting = parse_items(source, document).accounting
    except DumpError:
        return Counter(), Counter()
    return Counter(accounting.by_class), Counter(each.line_class for each in document.places())


@each_source()
def test_ledgers_tell_what_they_count(source: str) -> None:
    """The ledger lists as many places of each class as its account counts."""
    found = {file.name: counted(file) for file in FIXTURES if file.parent.parent.name == source}
    assert {name: told for name, (_, told) in found.items()} == {
        name: by_class for name, (by_class, _) in found.items()
    }
