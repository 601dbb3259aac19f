"""Sessions of any number as JSON, whose people and rooms stand in lists of their own."""

import json
from collections.abc import Iterator
from typing import Any, Final

from tests.support.bulk import Bulk, Words

_PEOPLE: Final = 12
_ROOMS: Final = 3


def session(words: Words) -> dict[str, Any]:
    """Make a session, with every current key."""
    title, number = words.title(), next(words.number)
    day, minute = f"2025-11-{1 + number % 28:02}", number // 28 % 60
    return {
        "id": str(number),
        "title": title,
        "description": words.paragraph(600),
        "startsAt": f"{day}T09:{minute:02}:00",
        "endsAt": f"{day}T10:{minute:02}:00",
        "isServiceSession": False,
        "isPlenumSession": False,
        "speakers": [f"p{(number + place) % _PEOPLE}" for place in range(3)],
        "categoryItems": [],
        "questionAnswers": [],
        "roomId": number % _ROOMS,
        "liveUrl": None,
        "recordingUrl": None,
        "status": "Accepted",
        "isInformed": True,
        "isConfirmed": True,
    }


def sessions() -> Iterator[str]:
    """Yield each session."""
    words = Words()
    yield '{"sessions": ['
    while True:
        yield json.dumps(session(words))


def lists() -> str:
    """Return the lists behind the sessions."""
    words = Words()
    people = [{"id": f"p{number}", "fullName": words.name()} for number in range(_PEOPLE)]
    rooms = [{"id": number, "name": f"{words.word().title()} Hall", "sort": number} for number in range(_ROOMS)]
    text = json.dumps({"speakers": people, "questions": [], "categories": [], "rooms": rooms})
    return f"], {text[1:]}"


BULK = {"all": Bulk(sessions, ".json", ", ", lists())}
