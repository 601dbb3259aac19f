"""Papers of any number as CSV, and beside them the calendar with their sessions as JSON."""

import json
from collections.abc import Iterator
from typing import Final

from tests.support.bulk import Bulk, Words

_SESSIONS: Final = 500


def papers() -> Iterator[str]:
    """Yield each paper, behind the names of the columns."""
    words = Words()
    yield "UID,title,authors,abstract,keywords,session,paper_type,pdf_url\n"
    while True:
        title, number = words.title(), next(words.number)
        people, keywords = "|".join(words.names()), f"{words.word()}|{words.word()}"
        cells = (number, title, people, words.paragraph(600), keywords, f"Session {number % _SESSIONS}", "Long", "")
        yield ",".join(f'"{cell}"' for cell in cells) + "\n"


def calendar() -> str:
    """Return the sessions."""
    words = Words()
    found = []
    for number in range(_SESSIONS):
        day, hour = f"2025-11-{1 + number % 28:02}", 8 + number // 28 % 12
        times = {"start": f"{day}T{hour:02}:00:00", "end": f"{day}T{hour:02}:50:00"}
        room = f"{words.word().title()} Hall"
        found.append({"title": f"Session {number}", **times, "location": room, "calendarId": "session"})
    return json.dumps(found)


BULK = {"papers": Bulk(papers, ".csv", beside={"main_calendar.json": calendar()})}
