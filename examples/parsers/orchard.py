"""The listing of the Orchard workshop, as text.

Talk: Pruning of Branches
by Ida Pome, Ole Quince
-- orchard.example
"""

import re
from collections.abc import Iterator

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, record_rule
from schemas.items import Item, Person, Record, Reject

TITLE = re.compile(r"Talk: (?P<title>\S.*)")
AUTHORS = re.compile(r"by (?P<names>\S.*)")
BOILERPLATE = Boilerplate({"signature": r"-- \S+"})
TALK = record_rule("talk")


def recognise(document: Document) -> bool:
    """True if any line opens a talk: looks at the content alone and claims nothing."""
    return any(TITLE.fullmatch(text) for _, text in document.lines.texts())


def parse(document: Document) -> Iterator[Item]:
    """Yield a record a talk; a talk without its line of authors is a reject, and parsing goes on."""
    lines = document.lines
    for number, text in lines.texts():
        title = TITLE.fullmatch(text)
        if title is None:
            lines.claim_boilerplate(number, BOILERPLATE)
            continue
        authors = AUTHORS.fullmatch(lines[number + 1].strip()) if number < lines.last else None
        if authors is None:
            yield Reject(number, number, text, "incomplete_item", "expected a line 'by ...' after the title")
            continue
        lines.claim_span(number, number + 1, TALK)
        people = tuple(Person(name.strip()) for name in authors["names"].split(","))
        yield Record(line_start=number, line_end=number + 1, title=title["title"], authors=people)


SOURCE = Source(
    name="orchard",
    title="Orchard workshop",
    version=1,
    family=Family.LISTING,
    page=PageKind.LOG,
    formats=(Format("text", "lines 'Talk: ...'", recognise, parse),),
)
