"""What a researchr page says of itself beside its records."""

from pathlib import Path

from parsers._ledger.document import Document, Facts
from parsers._registry import sources
from pipeline.reading.declared import find_other_event
from pipeline.reading.parse import parse_items

PROGRAMME = Path(__file__).parent / "fixtures" / "programme.html"


def test_programme_of_another_event() -> None:
    """The title names the event, so the page of another one is told."""

    def told(event: str) -> str | None:
        document = Document.from_bytes("fair/a.html", PROGRAMME.read_bytes(), Facts(event=event))
        parse_items(sources()["researchr"], document)
        return find_other_event(document)

    assert told("JAM 2026") is None
    assert told("Bread Days 2026") == (
        "the programme of 'Bread Days 2026' was asked for, the page calls it 'Program - JAM 2026'"
    )
