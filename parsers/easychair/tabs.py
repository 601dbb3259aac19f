r"""Text dumps whose table cells are joined by tabs, as browsers copy them: the time stands before the authors.

```
11:00-12:00 Session 2A: Slicing             11:00-12:00 Session 2A: Slicing
11:00\tAnna Vell and B. Wexley              11:00
Slicing at scale                            Anna Vell and B. Wexley
PRESENTER: B. Wexley                        Slicing at scale
                                            PRESENTER: B. Wexley
```

The time is put on a line of its own, as on the right, which ``text`` reads.
"""

import re
from collections.abc import Iterator
from typing import Final

from parsers._contract import Document
from parsers._lines import Lines
from parsers._renditions import NewLine
from parsers.easychair.relined import is_program, parse_relined
from schemas.items import Item

EXPECTS: Final = "a Smart Program as text with a tab between the time of a talk and its authors"

_JOINED: Final = re.compile(r"\s*(?P<time>\d{1,2}:\d{2}) ?\t\s*(?P<rest>\S(?!.*(?:ABSTRACT\.|SPEAKER:|PRESENTER:)).*)")
_ALONE: Final = re.compile(r"\s*\d{1,2}:\d{2}\s*")
_LOOKED_AT: Final = 600
"""How many lines ``recognise`` reads."""


def recognise(document: Document) -> bool:
    """Say whether more times in the first lines have a tab behind them than stand alone."""
    lines = [text for _, text in document.lines.texts(1, min(document.lines.last, _LOOKED_AT))]
    joined = sum(map(bool, map(_JOINED.fullmatch, lines)))
    return joined > sum(map(bool, map(_ALONE.fullmatch, lines))) and is_program(document, _part(document.lines))


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of the page.

    Raises ``DumpError``: declined for a page of the source that holds no programme.
    """
    return parse_relined(document, list(_part(document.lines)))


def _part(lines: Lines) -> Iterator[NewLine]:
    """Yield the lines, each time apart from what follows its tab."""
    for number in range(1, lines.last + 1):
        found = _JOINED.fullmatch(lines[number])
        if found is not None:
            yield from (NewLine((number,), found["time"]), NewLine((number,), found["rest"]))
        else:
            yield NewLine((number,), lines[number]) if lines[number].strip() else NewLine()
