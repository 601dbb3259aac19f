"""Runs a source's parser over one document and closes its ledger: every line ends in exactly one class.

What the items become does not belong here (``pipeline.normalize``), nor what any source looks like.
"""

from dataclasses import dataclass

from parsers._contract import Document, Source
from parsers._lines import Accounting, LineClass, Rule
from schemas.items import Declared, Record, Reject


@dataclass(frozen=True, slots=True)
class Parsed:
    """What one document gave: the recognised format, its items in page order, and the account of its lines."""

    format: str
    records: tuple[Record, ...]
    rejects: tuple[Reject, ...]
    declared: tuple[Declared, ...]
    accounting: Accounting

    @property
    def says_empty(self) -> bool:
        """Whether the page declares of something that there is none of it."""
        return any(total.count == 0 for total in self.declared)


def parse_document(source: Source, document: Document) -> Parsed:
    """Parse ``document`` as a dump of ``source`` that has something in it.

    Raises ``DumpError`` as ``parse_items`` does, and where nothing came out although the page does not say that it is
    empty.
    """
    parsed = parse_items(source, document)
    if not parsed.records and not parsed.says_empty:
        expected = f"recognised as {parsed.format}, but no record came out and the page does not say that it is empty"
        raise document.error(document.lines.first_text_line, "empty_result", expected)
    return parsed


def parse_items(source: Source, document: Document) -> Parsed:
    """Parse ``document`` as a dump of ``source``, be it empty; unexplained lines come out as rejects too.

    Raises ``DumpError`` where the document as a whole cannot be used: not of this source, or refused by its parser.
    """
    format_ = source.recognise(document)
    records: list[Record] = []
    rejects: list[Reject] = []
    declared: list[Declared] = []
    for item in format_.parse(document):
        match item:
            case Record():
                records.append(item)
            case Reject():
                rejects.append(item)
            case Declared():
                declared.append(item)
    for reject in rejects:
        _claim(document, reject)
    accounting = document.account()
    unexplained = (
        Reject(span.line_start, span.line_end, span.text, "unexplained_line", "no rule claimed it")
        for span in accounting.unexplained
    )
    return Parsed(format_.name, tuple(records), (*rejects, *accounting.rest, *unexplained), tuple(declared), accounting)


def _claim(document: Document, reject: Reject) -> None:
    """Claim the lines of a rejected item: they stand in quarantine with it, not a second time on their own.

    Elements of a page and items of data are claimed by the parser itself: a line number does not name them.
    """
    if document.reads_lines and reject.line_start is not None and reject.line_end is not None:
        rule = Rule(reject.reason, LineClass.REJECTED)
        document.lines.claim_span(reject.line_start, reject.line_end, rule)
