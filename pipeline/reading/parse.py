"""Runs a source's parser over one document and closes its ledger: every line ends in exactly one class.

Merging the items belongs to ``pipeline.merging.normalize``, the layout of a source to its parser.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from parsers._contract import Source
from parsers._ledger.document import Document
from parsers._ledger.lines import Accounting, LineClass, Rule
from pipeline.base.signals import Sign
from pipeline.reading.conservation import UNPUBLISHED, find_unpublished
from pipeline.reading.doubts import with_doubts
from pipeline.reading.unread import without_unread_headings
from schemas.items import Declared, Record, Reject
from schemas.vocabulary import KINDS, NOTES

UNEXPLAINED: Final = "unexplained_line"
CUT: Final = "cut"
NO_ITEMS: Final = frozenset({UNEXPLAINED, UNPUBLISHED, CUT})
"""Reasons of lines that are held back by themselves, not as items."""
_CELL: Final = re.compile(r"\|\s*\d{1,2}:\d{2}\s*\|")
_MOST_LABELS: Final = {"title": 1, "session_title": 1, "presenter": 1, "abstract": 2}
"""How often one label may appear in a field: a field with more has swallowed neighbouring items."""
_LONGEST: Final = {"title": 1000, "session_title": 1000, "presenter": 1000}
_LONGEST_NAME: Final = 400


@dataclass(frozen=True, slots=True)
class Parsed:
    """The result of parsing one document: its format, its items in page order, and the account of its lines.

    ``signs`` tell of lines that were not read and took something from the records below them, and of odd values.
    """

    format: str
    records: tuple[Record, ...]
    rejects: tuple[Reject, ...]
    declared: tuple[Declared, ...]
    accounting: Accounting
    signs: tuple[Sign, ...] = ()

    @property
    def says_empty(self) -> bool:
        """True if the page declares a total of zero."""
        return any(total.count == 0 for total in self.declared)


def parse_items(source: Source, document: Document) -> Parsed:
    """Parse ``document`` as a dump of ``source``, even if empty; unexplained lines become rejects.

    Raises ``DumpError`` where the document as a whole cannot be used: not of this source, refused by its parser, or
    without the structure around its items that the parser expects.
    """
    format_ = source.recognise(document)
    records: list[Record] = []
    rejects: list[Reject] = []
    declared: list[Declared] = []
    for item in format_.items(document):
        match item:
            case Record():
                if (fault := find_invalid(item) or find_overfull(item, source.labels)) is None:
                    records.append(item)
                else:
                    rejects.append(_take_back(document, item, fault))
            case Reject():
                rejects.append(item)
            case Declared():
                declared.append(item)
    for reject in rejects:
        _claim(document, reject)
    items = len(records) + len(rejects)
    accounting = document.account()
    unexplained = (
        Reject(span.line_start, span.line_end, span.text, UNEXPLAINED, "no rule claimed it", span.dump)
        for span in accounting.unexplained
    )
    rejects += [*accounting.rest, *unexplained]
    if not any(reject.reason == CUT for reject in rejects):
        rejects += format_.find_cut(document, declared, items)  # it claims nothing: its line is that of an item
    if not format_.keyed:
        rejects += find_unpublished(source, document, records, rejects)
    records, unread = without_unread_headings(document, records, rejects)
    records, doubts = with_doubts(records)
    return Parsed(format_.name, tuple(records), tuple(rejects), tuple(declared), accounting, (*unread, *doubts))


def find_invalid(record: Record) -> str | None:
    """Return a message on a bad value of a column that every record must have; None if there is none.

    Others cost the value alone (``pipeline.reading.canonical``).
    """
    if record.kind not in KINDS:
        return f"kind: expected one of {', '.join(sorted(KINDS))}, found {record.kind}"
    if unknown := sorted(set(record.notes) - NOTES.keys()):
        return f"notes: expected codes that are declared, found {', '.join(unknown)}"
    return None


def find_overfull(record: Record, labels: Sequence[str]) -> str | None:
    """Return a message on a field of a record that holds more than one value can; None if there is none.

    One line of a dump may hold a whole page: claimed as one title or abstract, none of it would be unexplained.
    ``labels`` are those of the source.
    """
    for field, most in _MOST_LABELS.items():
        text: str | None = getattr(record, field)
        if text is None:
            continue
        if len(text) > _LONGEST.get(field, len(text)):
            return f"{field}: expected at most {_LONGEST[field]} characters, found {len(text)}"
        for label in labels:
            if (count := text.count(label)) > most:
                return f"{field}: expected at most {most} of {label!r}, found {count}"
        if "|" in text and (count := len(_CELL.findall(text))) > most:
            return f"{field}: expected at most {most} of '| HH:MM |', found {count}"
    for people in (record.authors, record.chairs):
        for person in people or ():
            if len(person.name) > _LONGEST_NAME:
                return f"name: expected at most {_LONGEST_NAME} characters, found {len(person.name)}"
    return None


def _take_back(document: Document, record: Record, fault: str) -> Reject:
    """Turn a record into a reject; its text is that of its lines, or for HTML, XML and JSON its title and abstract."""
    start, end = record.line_start, record.line_end
    if document.reads_lines and start is not None and end is not None:
        text = document.lines.text(start, end)
        document.lines.take_back(start, end, Rule("invalid_value", LineClass.REJECTED))
    else:
        text = "\n".join(filter(None, (record.title, record.abstract)))
    return Reject(start, end, text, "invalid_value", fault, record.dump)


def _claim(document: Document, reject: Reject) -> None:
    """Claim the lines of a rejected item, so that they are quarantined once, with the item.

    The parser itself claims the elements of a page and the items of data: line numbers do not identify them.
    """
    if document.reads_lines and reject.line_start is not None and reject.line_end is not None:
        rule = Rule(reject.reason, LineClass.REJECTED)
        document.lines.claim_span(reject.line_start, reject.line_end, rule)
