"""Schedules with one event, as JSON and as XML."""

import json
from html import escape

from parsers._ledger.document import Document


def as_json(**fields: str) -> Document:
    """Return a schedule as JSON whose event has these values."""
    day = {"date": "2026-06-17", "rooms": {"Mill": [fields]}}
    written = {"schedule": {"conference": {"title": "JAM 2026", "days": [day]}}}
    return Document.from_bytes("pretalx/a.json", json.dumps(written).encode())


def as_xml(**fields: str) -> Document:
    """Return a schedule as XML whose event has these values; an id or guid is an attribute."""
    named = "".join(f' {name}="{escape(fields.pop(name))}"' for name in ("id", "guid") if name in fields)
    inside = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in fields.items())
    return Document.from_bytes(
        "pretalx/a.xml",
        "<schedule><conference><title>JAM 2026</title></conference>"
        f'<day date="2026-06-17"><room name="Mill"><event{named}>{inside}</event></room></day></schedule>'.encode(),
    )
