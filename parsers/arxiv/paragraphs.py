r"""Paragraphs of a text dump: its lines, joined again where an extractor wrapped text or took lines apart.

Invented lines. Markdown programs wrap unless told not to, and put a blank line between paragraphs; a line that had room
for the next word tears its paragraph, whose text keeps the line break there (``TORN``)::

    [1] [ arXiv:2507.00001 ](/abs/2507.00001 "Abstract") [[pdf](/pdf/2507.00001
    "Download PDF"), [other](/format/2507.00001 "Other formats")]

    Title: Foam in Large Tanks That Nobody Has Ever Seen, Neither in Mole-
    Harbour nor Elsewhere

Terminal browsers fill their lines, too, but go on with the next paragraph on the next line, indented or not; they may
number the links. A line ends where the next word has no room, otherwise the break is one of the page::

       [1] arXiv:2507.00001 [pdf, other]              [12][1] [13]arXiv:2507.00001 [[14]pdf, [15]other]
              Title: Foam in Large Tanks That Nobody Has Ever Seen, Neither in
              Mole-Harbour nor Elsewhere
              Ada Quill, Bo Ferns
              Subjects: Fluid Dynamics (physics.flu-dyn); Distributed, Parallel,
              and Cluster Computing (cs.DC)

Main content with links has each head in parts, with or without blank lines between them. Programs that print each text
node on its own line separate labels, too, and some even links and commas (Markdown marks the first line of an entry by
a colon, ``:   Title:``)::

    - [\[1\]]                                                          [1]
        [arXiv:2507.00001](/abs/2507.00001)                            arXiv:2507.00001
      (replaced)                                                       [pdf, other]
        [[pdf](/pdf/2507.00001), [other](/format/2507.00001)]          Title:
                                                                         Foam in Large Tanks
                                                                       Ada Quill
                                                                       ,
                                                                       Bo Ferns

The meaning of the paragraphs does not belong here.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Final

from parsers._grammar.renditions import is_full, joined
from parsers._ledger.lines import Boilerplate, Lines, Rule
from parsers.arxiv.authors import begins_names
from parsers.arxiv.items import ARXIV_ID

TORN: Final = "\n"
"""In the text of a paragraph: the end of a line that is not full."""

_PROBED: Final = 100_000  # characters within which a page has at least one entry
_LONGEST: Final = 100_000  # characters of a paragraph: thousands of authors
_WIDEST: Final = 160  # columns, if a program was told so

_WIDTH: Final = 80  # of Markdown, or less
_MOST_LONGER: Final = 20  # one in this many lines may be longer: text that begins like a list is not wrapped
_FEWEST_FULL: Final = (2, 3)  # two in three: lists and links have their own lines
_SURELY_ROOM: Final = 0.8  # share of the width: programs count invisible characters in some lines
_TITLE_LINE: Final = "\nTitle:"
_END_OF_SENTENCE = re.compile(r"[.?!][)\"”»]?\s*$")
_BULLET = re.compile(r"\s*(?:[*+-]|\d+\.) ")
_HARD_BREAK: Final = "  "  # at the end of a line: a line break of the page

_NARROWEST: Final = 60  # columns of a terminal
_FEWEST_FILLED: Final = 3
_MOST_OPEN: Final = 10  # at most this many lines per filled line
_LINES_OF_TITLE: Final = 10  # at most
_LONGEST_TITLE: Final = 1_000  # characters, with what is glued to it
_ANY_TITLE = re.compile(r"^(?P<indent> {0,16})Title: ", re.MULTILINE)
_BELOW_BLANK: Final = "\n\nTitle:"  # as Markdown has it
_ANY_AUTHORS = re.compile(r"^ *Authors:", re.MULTILINE)
_NUMBERED_HEAD = re.compile(r"^ {0,8}(?:\[\d+\])?\[\d+\]\s{1,4}\[\d+\] ?arXiv:", re.MULTILINE)
_LINK_NUMBER = re.compile(r"\[\d+\](?=[^\s\]),.;:]| arXiv:)")
_GLUED = re.compile(r"[^\s(\[{](?:Comments|Subjects):")
_FIELD = re.compile(r"(?:Title|Authors|Comments|Journal-ref|Subjects):(?:\s|$)")  # 'DOI:' may be in a comment
_ENTRY_OR_HEADING = re.compile(
    r"-$|(?:- )?\[\d+\] {0,2}arXiv:|(?:New|Cross|Replacement)(?:-list)?s?(?: submissions)? (?:\(showing|for )"
)
_NUMBER_FIRST = re.compile(r"\[\d+\]")

_LONGEST_OF_PIECES: Final = 8_000  # characters of a line joined from pieces
_PARTED_SIGN: Final = "[\\["
_PARTED_HEAD = re.compile(r"^(?:- )?\[\\\[\d+\\\]\][ \t]*$", re.MULTILINE)
_LABEL_SIGNS: Final = ("Title:\n", "Title: \n", "Authors:\n", "Authors: \n")
_LABEL: Final = r"(?:Title|Authors|Comments|Journal-ref|Report-no|DOI|Subjects):"
_LABEL_LINE = re.compile(r"^(?::[ \t]+|[ \t]+)?(?P<label>Title|Authors):[ \t]*(?P<value>\S)?", re.MULTILINE)
_NUMBER: Final = r"(?:- )?\[?\\?\[\d+\\?\]\]?(?:\([^()\s]*\))?"
_BARE_NUMBER = re.compile(_NUMBER)
_OPEN_HEAD = re.compile(rf"{_NUMBER}\s*\[? ?arXiv:.{{0,400}}(?<!\])")
_TYPED = re.compile(r"(?:Title|Comments|Journal-ref|Report-no): \S")
_BEGINS_LABEL = re.compile(_LABEL)
_LABEL_ALONE = re.compile(rf"{_LABEL}|\[ ?(?:total of|showing) .{{0,60}}:|Showing up to .{{0,40}}:")
_DEFINITION = re.compile(r":\s{2,8}(?=\S)")
_LINK_TEXT: Final = rf"(?:this https? URL|arXiv:{ARXIV_ID}|10\.\d{{4,9}}/\S+)"
_IS_LINK = re.compile(_LINK_TEXT)
_ENDS_IN_LINK = re.compile(rf"(?:^|\s){_LINK_TEXT}$")
_SIGNS_BEHIND: Final = ",;.:)"
_TEAM_ENDS: Final = ("Collaboration:", "collaboration:", " The")
_JOINTS: Final = (",", ";", "|")


class Paragraphs:
    """The paragraphs of a text, each by the number of its first line; without wrapping, each line is one."""

    def __init__(self, text: str, lines: Lines) -> None:
        """``lines`` are those of ``text``; their claims are made through this object."""
        self._lines = lines
        self._ends: dict[int, int] = {}
        self._is_numbered = _NUMBERED_HEAD.search(text, 0, _PROBED) is not None
        self._columns = _columns_of(text)
        self._labels_authors = _ANY_AUTHORS.search(text) is not None
        is_of_terminal = self._columns > 0 or self._is_numbered
        self._is_in_pieces = not is_of_terminal and _has_bare_labels(text)
        self._width = 0 if is_of_terminal or self._is_in_pieces else _width_of(text)
        self.has_parted_heads = has_parted_heads(text)

    def texts(self) -> Iterator[tuple[int, str]]:
        """Yield number and stripped text of each paragraph that is not blank."""
        lines = self._lines.texts()
        if self._columns:
            lines = self._joined(lines, self._fills, lambda _, text, more: f"{text} {more}")
        elif self._width:
            lines = self._joined(lines, self._wraps, self._join_wrapped)
        elif self._is_in_pieces:
            pieces = ((number, _plain_piece(line)) for number, line in lines)
            lines = self._joined(pieces, self._is_piece, _join_pieces)
        elif self.has_parted_heads and not self._is_numbered:
            lines = self._joined(lines, lambda _start, text, _, more: _is_in_head(text, more), _join_pieces)
        if self._is_numbered:
            lines = ((number, _LINK_NUMBER.sub("", text).strip()) for number, text in lines)
        return lines

    def end_of(self, number: int) -> int:
        """Return the last line of the paragraph that begins with line ``number``."""
        return self._ends.get(number, number)

    def text(self, start: int, end: int) -> str:
        """Return the lines of the paragraphs from ``start`` to ``end``, both inclusive, as in the dump."""
        return self._lines.text(start, self.end_of(end))

    def claim(self, number: int, rule: Rule) -> None:
        """Claim the lines of a paragraph."""
        self._lines.claim_span(number, self.end_of(number), rule)

    def claim_boilerplate(self, number: int, boilerplate: Boilerplate, shown: str) -> bool:
        """Claim the lines of a paragraph and return True if one of the patterns matches the whole of it.

        ``shown`` is the paragraph as the page shows it, without links and escapes.
        """
        return self._lines.claim_boilerplate(number, boilerplate, self.end_of(number), shown)

    def _joined(
        self,
        lines: Iterable[tuple[int, str]],
        goes_on: Callable[[int, str, int, str], bool],
        join: Callable[[int, str, str], str],
    ) -> Iterator[tuple[int, str]]:
        """Yield number and text of each paragraph, and remember where it ends.

        ``goes_on`` gets first line and text of the paragraph so far, and number and text of the line below; ``join``
        gets the same without the first line.
        """
        start, text = 0, ""
        for number, more in lines:
            if start and len(text) < _LONGEST and goes_on(start, text, number, more):
                text = join(number, text, more)
                self._ends[start] = number
                continue
            if start:
                yield start, text
            start, text = number, more
        if start:
            yield start, text

    def _wraps(self, start: int, _text: str, number: int, _more: str) -> bool:
        """True if a line of Markdown continues the paragraph above it: a list item ends at the next bullet."""
        if number != self.end_of(start) + 1 or self._lines[number - 1].endswith(_HARD_BREAK):
            return False
        return _BULLET.match(self._lines[number]) is None or _BULLET.match(self._lines[start]) is None

    def _join_wrapped(self, number: int, text: str, more: str) -> str:
        """Join two lines of Markdown; links may be kept whole."""
        has_link = "](" in self._lines[number - 1] or "[" in more
        is_whole = has_link or is_full(self._lines[number - 1], more, int(self._width * _SURELY_ROOM))
        return joined(text, more) if is_whole else f"{text}{TORN}{more}"

    def _fills(self, start: int, text: str, number: int, more: str) -> bool:
        """True if a line in a terminal continues the paragraph above it."""
        above = self._lines[number - 1]
        if not self._is_below(number) or not is_full(above, more, self._columns) or _FIELD.match(more):
            return False
        if _ENTRY_OR_HEADING.match(more) or (above.rstrip().endswith("]") and _NUMBER_FIRST.match(text)):
            return False  # the head of an entry ends in the bracket of formats
        if self._labels_authors or not text.startswith("Title:"):
            return True
        if _LINK_NUMBER.match(more):
            return False  # authors are links, titles are not
        # where labels are glued to titles, so are authors
        return _GLUED.search(text, 0, _LONGEST_TITLE) is not None or not self._begin_authors(number)

    def _is_below(self, number: int) -> bool:
        """True if a line is indented like the one above it: neither is blank."""
        above, line = self._lines[number - 1], self._lines[number]
        return bool(above.strip() and line.strip()) and _indent_of(above) == _indent_of(line)

    def _begin_authors(self, number: int) -> bool:
        """True if the lines from one to the next label are the authors alone, without a rest of the title."""
        text = self._lines[number].strip()
        for below in range(number + 1, min(number + _LINES_OF_TITLE, self._lines.last + 1)):
            more = self._lines[below].strip()
            if not self._is_below(below) or _FIELD.match(more):
                break
            if not is_full(self._lines[below - 1], more, self._columns):
                return False  # the authors begin there
            text = f"{text} {more}"
        return begins_names(text.partition(",")[0])

    def _is_piece(self, start: int, text: str, number: int, more: str) -> bool:
        """True if a line continues the one above, in a text with labels on separate lines; blank lines may be between.

        A label with typed text continues in lines that are indented by two spaces.
        """
        if len(text) >= _LONGEST_OF_PIECES:
            return False
        is_indented = number == self.end_of(start) + 1 and self._lines[number].startswith("  ")
        return _belong_together(text, more) or (is_indented and _TYPED.match(text) is not None)


def _width_of(text: str) -> int:
    """Return the width at which Markdown is wrapped, 0 if it is not.

    It is wrapped if every title begins a paragraph and hardly any line is long. If lines are longer than usual, two in
    three of those with a line below must be full, and not the end of a sentence: paragraphs may be of one length.
    """
    titles = text.count(_TITLE_LINE)
    if not titles or text.count("\n" + _TITLE_LINE) != titles:
        return 0
    lines = text.split("\n")
    lengths = sorted(len(line) for line in lines if " " in line.strip() and "](" not in line)  # links may be kept whole
    width = lengths[-1 - len(lengths) // _MOST_LONGER] if lengths else 0
    if width <= _WIDTH:
        return width
    runs = [pair for pair in pairwise(lines) if pair[0] and pair[1].strip()]
    full = sum(is_full(line, below, width) and not _END_OF_SENTENCE.search(line) for line, below in runs)
    is_wrapped = width <= _WIDEST and full * _FEWEST_FULL[1] >= len(runs) * _FEWEST_FULL[0]
    return width if is_wrapped else 0


def _columns_of(text: str) -> int:
    """Return the columns of the terminal whose lines a text fills, 0 if it is for none.

    Its entries are indented, or no blank line precedes a title; a tenth of the lines has no room for the next word.
    """
    title = _ANY_TITLE.search(text, 0, _PROBED)
    if title is None or (not title["indent"] and _BELOW_BLANK in text[max(0, title.start() - 2) : title.end()]):
        return 0
    lines = [line.rstrip() for line in text.split("\n")]
    columns = max((len(line) for line in lines if " " in line.strip()), default=0)
    if not _NARROWEST <= columns <= _WIDEST:
        return 0
    inside = [line for line in lines if line.startswith(title["indent"]) and line]
    full = sum(is_full(line, below, columns) and not _begins_line(below.strip()) for line, below in pairwise(inside))
    return columns if full >= max(_FEWEST_FILLED, len(inside) // _MOST_OPEN) else 0


def _begins_line(text: str) -> bool:
    """True if a text is the first line of an entry, a field or a heading."""
    return any(pattern.match(text) for pattern in (_NUMBER_FIRST, _FIELD, _ENTRY_OR_HEADING))


def _indent_of(line: str) -> int:
    """Return the number of spaces before a line."""
    return len(line) - len(line.lstrip())


def has_parted_heads(text: str) -> bool:
    """True if numbers of entries are on separate lines, apart from identifiers and formats."""
    return _PARTED_SIGN in text and _PARTED_HEAD.search(text) is not None


def _has_bare_labels(text: str) -> bool:
    """True if most labels are on separate lines, apart from their values: a wrapped one can be so by chance."""
    probe = text[:_PROBED]
    if not any(sign in probe for sign in _LABEL_SIGNS):
        return False
    found = Counter((line["label"], line["value"] is None) for line in _LABEL_LINE.finditer(probe))
    return any(found[label, True] > found[label, False] for label in ("Title", "Authors"))


def _is_in_head(text: str, more: str) -> bool:
    """True if a line continues the incomplete head of an entry, which ends in the bracket of formats."""
    if _BARE_NUMBER.fullmatch(text):
        return more.lstrip("[ ").startswith("arXiv:")
    return more != "-" and _OPEN_HEAD.fullmatch(text) is not None and _BEGINS_LABEL.match(more) is None


def _belong_together(text: str, more: str) -> bool:
    """True if a line continues the one above, in a text that has labels on separate lines."""
    if _LABEL_ALONE.fullmatch(text):
        return True
    if _BEGINS_LABEL.match(more):
        return False
    if text[0] in "[-" and _is_in_head(text, more):
        return True
    if text[-1] in _JOINTS or more.startswith(_JOINTS) or (more == "]" and text[0] == "["):
        return True
    if (
        more == ":" or f" {text}".endswith(_TEAM_ENDS) or (more[0] == "(" and text[-1].isalpha())
    ):  # in a list of authors
        return True
    return _IS_LINK.fullmatch(more) is not None or (
        not more[0].isupper() and _ENDS_IN_LINK.search(text[-40:]) is not None
    )


def _join_pieces(_number: int, text: str, more: str) -> str:
    """Join two pieces of a line with a space, unless the second begins with closing punctuation."""
    return text + more if more[0] in _SIGNS_BEHIND else f"{text} {more}"


def _plain_piece(line: str) -> str:
    """Return a line without the colon by which Markdown marks a definition."""
    return _DEFINITION.sub("", line, count=1) if line[0] == ":" else line
