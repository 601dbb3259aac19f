"""Which XML is a schedule of a conference."""

import pytest

from parsers._ledger.document import Document
from parsers.pretalx import parse_xml, recognise_xml
from schemas.items import Record


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


@pytest.mark.parametrize(
    ("base", "printed", "address"),
    [
        ("<base_url>https://jam.example/2026/</base_url>", "events/7.html", "https://jam.example/2026/events/7.html"),
        ("<base_url>https://jam.example/2026/</base_url>", "/media/7.pdf", "https://jam.example/media/7.pdf"),
        ("<base_url>https://jam.example/2026/</base_url>", "www.mill.example/7", "www.mill.example/7"),
        ("<base_url>https://jam.example/2026/</base_url>", "7.html", "7.html"),
        ("", "events/7.html", "events/7.html"),
        ("", "https://mill.example/7", "https://mill.example/7"),
    ],
)
def test_relative_addresses(base: str, printed: str, address: str) -> None:
    """A path is absolute by the address that the schedule prints for its site; nothing else is guessed."""
    event = (
        f"<event id='7'><title>Foam</title><url>{printed}</url><links><link href='{printed}'>a</link></links></event>"
    )
    markup = f"<schedule><conference><title>E</title>{base}</conference><day date='2026-06-17'>{event}</day></schedule>"
    (record,) = parse_xml(Document.from_bytes("pretalx/a.xml", markup.encode()))
    assert isinstance(record, Record)
    assert (record.url, [link.url for link in record.links or ()]) == (address, [address])
