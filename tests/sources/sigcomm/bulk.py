"""A programme of any length as YAML: days, sessions and talks in one list."""

from collections.abc import Iterator
from datetime import date, timedelta

from tests.support.bulk import Bulk, Words


def entry(kind: str, title: str, **more: str) -> str:
    """Return an entry of the list."""
    values = {"time": "", "room": "", "title": title, "authors": "", "bio": "", "photo": "", **more}
    return f"- type: {kind}\n" + "".join(f"  {key}: '{value}'\n" for key, value in values.items())


def days() -> Iterator[str]:
    """Yield each day, with eight sessions of four talks."""
    words, day = Words(), date(2025, 1, 1)
    yield "---\n"
    while True:
        day = day + timedelta(days=1) if day < date(2025, 12, 31) else date(2025, 1, 1)
        parts = [entry("day", "", time=f"{day:%A, %B} {day.day}, {day.year}")]
        for hour in range(9, 17):
            suffix = f"{hour:02}:00 - {hour + 1:02}:00"
            parts.append(entry("session", words.title(), time=suffix, room=f"{words.word().title()} Hall"))
            for _ in range(4):
                people = f"{', '.join(words.names())} (Mole Lab)"
                parts.append(entry("talk", words.title(), authors=people, abstract=words.paragraph(600)))
        yield "".join(parts)


BULK = {"program": Bulk(days, ".yml")}
