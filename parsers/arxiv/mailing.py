r"""The daily mail of arXiv and its listing files: raw text between rules.

Invented mail; crosses follow ``%-%-``, replacements ``%%--%%--`` (these without abstract), the end is ``%%%---``::

    Date: Fri, 17 Mar 23 00:51:30 GMT
    Subject: physics.flu-dyn daily Subj-class mailing 2000065 1
     received from  Wed 15 Mar 23 18:00:00 GMT  to  Thu 16 Mar 23 18:00:00 GMT
    ------------------------------------------------------------------------------
    \\
    arXiv:2303.00001 (*cross-listing*)
    Date: Thu, 16 Mar 2023 00:55:52 GMT   (1252kb,D)

    Title: Foam in Tanks of a Size
      Never Seen Before
    Authors: Ada Quill, Bo Ferns and Cy Mole
    Categories: physics.flu-dyn cs.DC
    Comments: 8 pages
    \\
      We fill tanks with foam and
    measure.
    \\ ( https://arxiv.org/abs/2303.00001 ,  1252kb)

Old files begin an item with ``Paper: hep-th/9204001`` or ``Paper (*cross-listing*): ...``; files of a week have days
between bars, ``/* Fri, 3 Mar 2023 */``, files of a month have none; neither has abstracts. TeX accents and codes stay
unchanged. A program may have stripped all indentation. Turning an item into a record does not belong here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from parsers._grammar.renditions import is_full
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, Lines, heading_rule, record_rule
from parsers._words.dates import MONTH, full_year, make_date, month_number
from parsers.arxiv.categories import CATEGORY_NAMES
from parsers.arxiv.items import ARXIV_ID, Entry, make_record, pick_codes
from schemas.items import Declared, Item, Reject

EXPECTS: Final = (
    r"a mailing of arXiv, with items that begin with '\\' and 'arXiv:2507.00001' or 'Paper: hep-th/9701001'"
)

_ENTRY = record_rule("entry")
_MAILED = heading_rule("mailing_date", 1)
_DAY = heading_rule("day", 2)
_COUNTED = heading_rule("counted_subject", 0)
_SECTION = heading_rule("section_rule", 2)
_PAGE_TITLE = heading_rule("page_title", 0)
_PROBED: Final = 200_000  # characters that ``recognise`` checks
_CROSS: Final = r"\(\*cross-listing\*\)"
_ANY_ITEM = re.compile(rf"^\\\\[ \t]*\n(?:arXiv:|Paper(?: {_CROSS})?: ?){ARXIV_ID}", re.MULTILINE)
_BEGINS = re.compile(
    rf"(?:arXiv:|Paper\s*+(?:(?P<early>{_CROSS})\s*+)?:\s*)(?P<id>{ARXIV_ID})(?:v\d+)?(?:\s*+(?P<cross>{_CROSS}))?\s*+"
)
_DAY_MARK = re.compile(rf"/\*\s+[A-Z][a-z]{{2}},?\s+(?P<day>\d{{1,2}})\s+(?P<month>{MONTH})\s+(?P<year>\d{{4}})\s+\*/")
_COUNTED_SUBJECT = re.compile(r"Subject: \S+ daily (?P<new>\d{1,6}) new \+ (?P<cross>\d{1,6}) cross(?:es)? received")
_BAR: Final = "\\\\"
_DATED = re.compile(
    rf"(?P<what>Date|replaced with revised version|(?:figures|part) added)(?: \(revised[^)]{{0,20}}\))?:?\s+"
    rf"(?:[A-Z][a-z]{{2}},?\s+)?(?P<day>\d{{1,2}})\s+(?P<month>{MONTH})\s+(?P<year>\d{{4}}|\d{{2}})\b.{{0,100}}"
)
_FIELD = re.compile(
    r"(?P<label>Title|Authors?|Categories|Subj-class|Comments?|Report-no|MSC-class|ACM-class|Journal-ref|DOI|License"
    r"|Proxy|From|Notes)\s?:\s*(?P<value>.*)"
)
_LABELS: Final = {"Author": "Authors", "Comment": "Comments"}
_BRACKET = re.compile(r"([()])")
_AND = re.compile(r"(?:,|(?<!\s))\s++(?:and|&)\s+")
_WIDTH: Final = 60  # surely reached with the next word: mails are wrapped just below 80
_SECOND: Final = re.compile(r" {1,4}\S")  # continues a field, or begins a paragraph
_ENDS = re.compile(r"\\\\ \(.{0,300}\)?")
_END_MARK: Final = f"\n{_BAR} ("
_INDENTED: Final = "\n  "  # continues a field or begins a paragraph; a program may have stripped all indentation
_RULES: Final = ("-----", "%-%-", "%%--%%", "%%%---")
_SECTION_RULES: Final = (("%%%---", None), ("%%--%%", "replacement"), ("%-%-", "cross"))
BOILERPLATE: Final = Boilerplate(
    {
        "rule": r"-{20,}|={20,}",
        "bar": r"\\\\",
        "mail_header": (
            r"(?i:From|To|Cc|Subject|Reply-To|Message-Id|Return-Path|Sender|Delivered-To|Received|Precedence|MIME-Version"
            r"|(?:Authentication|ARC|Content|DKIM|List|X)-[\w-]+):.{0,300}"
        ),
        "received_at": r"[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} [\d:]{8} [+-]\d{4}(?: \([A-Z]{1,5}\))?",
        "submissions_to": r"Submissions to:.{0,200}",
        "received_from": r"received from\s++.{5,60}\s++to\s++.{5,60}",
        "received_as_of": r"Papers received as of .{10,40}",
        "how_to_get": r"get \d[^\n]{0,40}, e\.g\., returns multiple papers\.",
        "how_to_get_abstracts": (
            r"\((?:abstracts alone may be retrieved via|To retrieve abstracts without full papers, use),?"
            r" e\.g\..{0,60}\)"
        ),
        "comments_to": r"Send any comments regarding submissions directly to submitter\.",
        "archives_at": r"Archives at \S{1,100}",
        "mail_commands": r"(?:To unsubscribe, )?e-mail To: \S{1,100}, Subject: \w{1,30}",
        "help": r"(?:For (?:general information|subscribe options|help|more information)|send mail to|Use).{0,300}",
        "help_rest": r"keyword subject classification\), see \S{1,100}",
    }
)


@dataclass(slots=True)
class _Block:
    """The lines of one item, from ``arXiv:`` to its end mark, with its section.

    ``is_flush``: no line of the mail is indented; ``has_abstracts``: it has the marks that end abstracts.
    """

    head: re.Match[str]
    start: int
    section: str | None
    is_flush: bool
    has_abstracts: bool
    lines: list[tuple[int, str]] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """True if a field may continue although nothing is indented: there is no bar directly above."""
        return self.is_flush and bool(self.lines) and self.lines[-1][1].strip() != _BAR

    @property
    def in_abstract(self) -> bool:
        """True if the last line belongs to the abstract: an identifier below it is a citation and begins no item."""
        texts = [text.rstrip() for _, text in self.lines]
        return _BAR in texts and texts[-1] != _BAR


@dataclass(slots=True)
class _PartialItem:
    """The parts of one item read so far; ``stray`` is the first line that is neither field nor continuation.

    If ``is_flush``, no line is indented: a line that is not a field continues the one above if that is full, and an
    abstract is one paragraph, if the mail ``has_abstracts``.
    """

    is_flush: bool = False
    has_abstracts: bool = True
    fields: dict[str, list[str]] = field(default_factory=dict)
    paragraphs: list[list[str]] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    submitted: date | None = None
    replaced: bool = False
    stray: int | None = None

    def read(self, lines: Sequence[tuple[int, str]]) -> None:
        """Read the lines below the head: dates and fields, and the abstract after a bar."""
        label, above, in_abstract = "", "", False
        for number, line in lines:
            if line.rstrip() == _BAR:
                in_abstract = True
            elif in_abstract and (self.paragraphs or self._begins_abstract(line)):
                self._take_abstract(line)
            elif in_abstract:
                self.stray = self.stray or number
                continue
            elif found := _FIELD.match(line):
                label = _LABELS.get(found["label"], found["label"])
                self.fields.setdefault(label, []).append(found["value"].strip())
            elif label and (_SECOND.match(line) or (self.is_flush and is_full(above, line, _WIDTH))):
                self.fields[label].append(line.strip())
            elif not self._take_date(line):
                self.stray = self.stray or number
                continue
            above = line
            self.own.append(number)

    def value(self, label: str) -> str:
        """Return the value of a field on one line."""
        return " ".join(" ".join(self.fields.get(label, ())).split())

    def _take_date(self, line: str) -> bool:
        """Read the date line of the submission, or of a revision."""
        found = _DATED.fullmatch(line.strip())
        if found is None:
            return False
        if found["what"] != "Date":
            self.replaced = True
        elif self.submitted is None and "(revised" not in line[:14]:
            self.submitted = _day_of_line(found)
        return True

    def _begins_abstract(self, line: str) -> bool:
        """True if a line can be the first of the abstract."""
        return self.has_abstracts if self.is_flush else _SECOND.match(line) is not None

    def _take_abstract(self, line: str) -> None:
        """Add a line of the abstract: an indented one begins a paragraph."""
        if not self.paragraphs or _SECOND.match(line):
            self.paragraphs.append([])
        self.paragraphs[-1].append(" ".join(line.split()))


def recognise(document: Document) -> bool:
    """True if the text has items that begin with a bar and an identifier."""
    probe = document.text[:_PROBED]
    return not probe.lstrip().startswith("<") and _ANY_ITEM.search(probe) is not None  # markup has escapes


def parse(document: Document) -> Iterator[Item]:
    """Yield the items in the order of the mail, and the totals in its subject."""
    lines = document.lines
    block: _Block | None = None
    section: str | None = None
    mailed: date | None = None
    is_flush, has_abstracts = _INDENTED not in document.text, _END_MARK in document.text
    for number, text in lines.texts():
        begins = _BEGINS.fullmatch(text) if text[0] in "aP" else None
        if block is not None and begins and (lines[number][0] == " " or block.is_open):
            begins = None  # a continued field that cites an identifier
        if block is not None and (text.startswith(_RULES) or (begins and not block.in_abstract)):
            yield _read(document, block, mailed)
            block = None
        if block is not None:
            block.lines.append((number, lines[number]))
            if text[0] == "\\" and _ENDS.fullmatch(text):
                yield _read(document, block, mailed)
                block = None
        elif begins:
            block = _Block(begins, number, section, is_flush, has_abstracts)
        elif text.startswith("%"):
            section = _claim_section(lines, number, text, section)
        elif found := _DAY_MARK.fullmatch(text) or _date_of_mail(text):
            mailed = _day_of_line(found)
            lines.claim(number, _MAILED if text[0] == "D" else _DAY)
        else:
            yield from _read_page_line(lines, number, text)
    if block is not None:
        yield _read(document, block, mailed)


def _date_of_mail(text: str) -> re.Match[str] | None:
    """Match the header with the date of the mail."""
    found = _DATED.fullmatch(text) if text.startswith("Date") else None
    return found if found and found["what"] == "Date" else None


def _claim_section(lines: Lines, number: int, text: str, section: str | None) -> str | None:
    """Claim a rule of percent signs and return the section that follows it."""
    for start, follows in _SECTION_RULES:
        if text.startswith(start) and not text.strip("%-"):
            lines.claim(number, _SECTION)
            return follows
    return section


def _read_page_line(lines: Lines, number: int, text: str) -> Iterator[Declared]:
    """Claim a line outside the items if it is boilerplate, a category name or a count of items, which is yielded."""
    if text in CATEGORY_NAMES:
        lines.claim(number, _PAGE_TITLE)
    elif found := _COUNTED_SUBJECT.fullmatch(text):
        lines.claim(number, _COUNTED)
        yield Declared(number, int(found["new"]), "new")
        yield Declared(number, int(found["cross"]), "cross")
    else:
        lines.claim_boilerplate(number, BOILERPLATE)


def _read(document: Document, block: _Block, mailed: date | None) -> Item:
    """Read one item: a record, or a reject with its lines."""
    lines = block.lines
    ended = bool(lines) and _ENDS.fullmatch(lines[-1][1].strip()) is not None
    # without the end mark, the last bar may open the next item, whose head is below
    while lines and not ended and lines[-1][1].strip() == _BAR:
        document.lines.claim_boilerplate(lines.pop()[0], BOILERPLATE)
    reading = _PartialItem(is_flush=block.is_flush, has_abstracts=block.has_abstracts)
    reading.read(lines[:-1] if ended else lines)
    last = lines[-1][0] if lines else block.start
    missing = next((label for label in ("Title", "Authors", "Categories") if not reading.value(label)), None)
    if missing is not None or reading.stray is not None:
        detail = (
            f"expected a line '{missing}: ..'"
            if missing
            else "expected fields and, after a separator line, the abstract"
        )
        text = document.lines.text(block.start, last)
        return Reject(block.start, last, text, "incomplete_item", f"{detail} below the identifier")
    for number in (block.start, *reading.own, last):
        document.lines.claim(number, _ENTRY)
    return make_record(_entry(block, reading, last, mailed))


def _entry(block: _Block, reading: _PartialItem, last: int, mailed: date | None) -> Entry:
    """Combine the head, the rules and the lines of one item."""
    head, section = block.head, block.section
    section = "cross" if head["cross"] or head["early"] else "replacement" if reading.replaced else section or "new"
    return Entry(
        line_start=block.start,
        line_end=last,
        title=reading.value("Title"),
        fields={
            "Authors": _part_names(reading.value("Authors")),
            **{label: reading.value(label) for label in ("Comments", "Journal-ref", "Report-no", "DOI")},
        },
        paragraphs=tuple(" ".join(paragraph) for paragraph in reading.paragraphs),
        arxiv_id=head["id"],
        section=section,
        listed_on=mailed,
        published_on=reading.submitted,
        categories=pick_codes(reading.value("Categories").split()),
    )


def _day_of_line(found: re.Match[str]) -> date | None:
    """Return the day of a date line."""
    return make_date(full_year(found["year"]), month_number(found["month"]), int(found["day"]))


def _part_names(printed: str) -> str:
    """Return the author line with nothing but commas between names: ``and`` outside brackets becomes one."""
    if " and " not in printed and " & " not in printed:
        return printed
    pieces, depth = [], 0
    for piece in _BRACKET.split(printed):
        depth = max(0, depth + (piece == "(") - (piece == ")"))
        pieces.append(piece if depth else _AND.sub(", ", piece))
    return "".join(pieces)
