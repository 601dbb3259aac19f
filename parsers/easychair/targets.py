"""Text dumps that print the target of each link in brackets behind it, as extractors do on request.

```
09:00-10:00 Session 2A: Slicing                     09:00-10:00 Session 2A: Slicing
 ()                                                 Chair:
Chair:                                              Anna Vell (Quill Institute, Norland)
Anna Vell (person1.html) (Quill Institute, Norland)
```

The targets that a Smart Program has are left out, as on the right, which ``text`` reads. What a link to anything else
says stays part of its text.
"""

import re
from collections.abc import Iterator
from typing import Final

from parsers._contract import Document
from parsers._lines import Boilerplate, Lines
from parsers._renditions import NewLine
from parsers.easychair.relined import is_program, parse_relined
from schemas.items import Item

EXPECTS: Final = "a Smart Program as text with the targets of its links: 'Anna Vell (person1.html)'"

_NAME: Final = r"(?:[\w-]{1,60}-)?(?:\d{4}-\d\d-\d\d|index)|talk_[a-z]{1,20}_index|(?:person|room)\d+"
_PAGE: Final = rf"(?:[^()\s]{{0,300}}/)?(?:{_NAME})\.html(?:#[\w:]{{0,40}})?"
_SITE: Final = r"https?://(?:www\.)?easychair\.org/?(?:disclaimer\.cgi)?"
_TARGET: Final = re.compile(rf" ?\((?:{_PAGE}|#\d{{4}}-\d\d-\d\d|{_SITE})\)")
_PERSON: Final = re.compile(r"[^\s\]] \([^()\s]{0,300}person\d+\.html\)")
_ALONE: Final = Boilerplate({"link_target": rf"\((?:{_PAGE})?\)"})


def recognise(document: Document) -> bool:
    """Say whether the target of the link of a person stands behind a name."""
    found = ".html)" in document.text and _PERSON.search(document.text) is not None
    return found and is_program(document, _without_targets(document.lines))


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of the page.

    Raises ``DumpError``: declined for a page of the source that holds no programme.
    """
    lines = document.lines
    yield from parse_relined(document, list(_without_targets(lines)))
    for number, _ in lines.texts():
        lines.claim_boilerplate(number, _ALONE)


def _without_targets(lines: Lines) -> Iterator[NewLine]:
    """Yield the lines without targets; one that is nothing else is left out."""
    for number in range(1, lines.last + 1):
        line = lines[number]
        if _ALONE.rule(line) is None:
            text = _TARGET.sub("", line) if "(" in line else line
            yield NewLine((number,), text) if text.strip() else NewLine()
