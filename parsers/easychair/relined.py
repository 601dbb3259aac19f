"""Dumps whose lines are put together anew before ``text`` reads them, and what its findings mean for the dump itself.

How the new lines are made does not belong here (``cells``, ``scattered``).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from parsers._contract import Document, DumpError
from parsers._lines import Boilerplate, LineClass, Lines
from parsers._renditions import NewLine
from parsers.easychair import text as program
from parsers.easychair.marks import BOILERPLATE
from schemas.items import Declared, Item, Record, Reject


def is_program(document: Document, lines: Iterable[NewLine]) -> bool:
    """Say whether the new lines read as a Smart Program, as other pages have tables and times too."""
    return program.recognise(_relined(document, lines))


def parse_relined(
    document: Document, lines: Sequence[NewLine], boilerplate: Boilerplate = BOILERPLATE
) -> Iterator[Item]:
    """Yield the records and rejects of new lines, with the numbers of the dump, whose lines are claimed accordingly.

    ``boilerplate`` is what a dump of this kind has beside that of all others. Raises ``DumpError``: declined for a page
    of the source that holds no programme.
    """
    inner = _relined(document, lines)
    shared = Counter(number for line in lines if line.text.strip() for number in line.numbers)
    rejected: set[int] = set()
    try:
        for item in program.parse(inner):
            if isinstance(item, Reject):
                rejected.update(range(item.line_start or 0, (item.line_end or 0) + 1))
            yield _renumbered(item, lines, document.lines, shared)
    except DumpError as error:
        raise document.error(document.lines.first_text_line, error.reason, error.expected) from error
    for place, line in enumerate(lines, 1):
        rule = inner.lines.rule_of(place)
        if line.numbers and (reading := inner.lines.reading_of(place)) is not None:
            document.lines.tell(line.numbers[0], reading)
        shown = line.text if len(line.numbers) == 1 else None
        for number in line.numbers if rule is not None else ():
            if rule is not None and rule.line_class is not LineClass.BOILERPLATE:
                document.lines.claim(number, rule)
            elif not document.lines.claim_boilerplate(number, BOILERPLATE, shown=shown):
                document.lines.claim_boilerplate(number, boilerplate)
        is_unread = rule is None and place not in rejected and bool(line.text.strip())
        if is_unread and any(shared[number] > 1 for number in line.numbers):
            # Other pieces of the line are claimed: it would not be told that this one is not.
            yield Reject(line.numbers[0], line.numbers[-1], line.text, "unexplained_line", "no rule claimed this piece")


def _relined(document: Document, lines: Iterable[NewLine]) -> Document:
    """Return the document with the new lines."""
    whole = "\n".join(line.text for line in lines)
    return replace(document, text=whole, lines=Lines(whole))


def _renumbered(item: Item, lines: Sequence[NewLine], printed: Lines, shared: Mapping[int, int]) -> Item:
    """Give an item the numbers of the dump, and a reject the text that stands there; of shared lines its own pieces."""
    if isinstance(item, Declared):
        return replace(item, line=min(lines[item.line - 1].numbers, default=item.line))
    start, end = item.line_start, item.line_end
    if start is None or end is None:
        return item
    numbers = [number for line in lines[start - 1 : end] for number in line.numbers]
    first, last = min(numbers, default=start), max(numbers, default=end)
    if isinstance(item, Record):
        linked = (line.native_id for line in lines[start - 1 : end] if line.native_id)
        return item._replace(line_start=first, line_end=last, native_id=next(linked, item.native_id))
    own = any(shared[number] > 1 for number in numbers)
    text = "\n".join(line.text for line in lines[start - 1 : end]) if own else printed.text(first, last)
    return replace(item, line_start=first, line_end=last, text=text)
