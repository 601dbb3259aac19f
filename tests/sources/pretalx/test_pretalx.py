"""Which XML is a schedule of a conference."""

import pytest

from parsers._ledger.document import Document
from parsers.pretalx import recognise_xml


@pytest.mark.parametrize(
    ("markup", "is_ours"),
    [
        ("<conference></conference><day date='2026-06-17'></day>", True),
        ("<day date='2026-06-17'><room name='Mill'><event id='1'></event></room></day>", True),
        ("<day date='2026-06-17'><entry id='1'><room>Mill</room></entry></day>", False),
        ("<bus line='7'><stop>Mill</stop></bus>", False),
        ("<day>Monday</day><opens>9:00</opens>", False),
        ("<event date='2026-06-17'>Market</event>", False),
    ],
)
def test_a_schedule_of_a_conference(markup: str, *, is_ours: bool) -> None:
    """Buses and shops have schedules, too: one of a conference names it, or has events in days."""
    document = Document.from_bytes("pretalx/a.xml", f"<schedule>{markup}</schedule>".encode())
    assert recognise_xml(document) is is_ours
