"""Every fixture of every source parses to its golden file."""

from pathlib import Path

import pytest

from parsers._contract import Document, DumpError, Facts
from parsers._registry import sources
from pipeline.parse import parse_document
from pipeline.sidecar import read_facts
from tests.goldens import check_golden, describe
from tests.of_sources import ROOT, SUFFIXES, names

FIXTURES = [
    file
    for source in names()
    for file in sorted((ROOT / "tests" / "sources" / source / "fixtures").glob("*"))
    if file.suffix in SUFFIXES and not file.name.endswith(".golden.json")
]


def outcome(file: Path) -> dict[str, object]:
    """Parse a fixture as the pipeline would; a document that cannot be used gives its error."""
    source = sources()[file.parent.parent.name]
    facts: Facts = read_facts(file)
    try:
        document = Document.from_bytes(f"{source.name}/{file.name}", file.read_bytes(), facts)
        return describe(parse_document(source, document))
    except DumpError as error:
        return {"line": error.line, "reason": error.reason, "expected": error.expected}


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: f"{file.parent.parent.name}-{file.stem}")
def test_fixture(file: Path) -> None:
    """A fixture gives the items of its golden file."""
    check_golden(file.with_name(f"{file.stem}.golden.json"), outcome(file))
