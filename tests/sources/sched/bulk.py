"""Sessions of any number as CSV."""

from collections.abc import Iterator
from typing import Final

from tests.support.bulk import Bulk, Words

_COLUMNS: Final = "event_key,active,name,event_start,event_end,event_type,description,venue,id,speakers,moderators"


def rows() -> Iterator[str]:
    """Yield each row, behind the names of the columns."""
    words = Words()
    yield f"{_COLUMNS}\n"
    while True:
        title, number = words.title(), next(words.number)
        day, minute = f"2025-11-{1 + number % 28:02}", number // 28 % 60
        begins, ends = f"{day} 09:{minute:02}:00", f"{day} 10:{minute:02}:00"
        cells = (number, "Y", title, begins, ends, "Talk", words.paragraph(600), f"{words.word().title()} Hall")
        people = (", ".join(words.names()), words.name())
        yield ",".join(f'"{cell}"' for cell in (*cells, f"s{number}", *people)) + "\n"


BULK = {"csv": Bulk(rows, ".csv")}
