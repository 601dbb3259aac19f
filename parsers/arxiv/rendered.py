r"""Pages whose lines a program fills up to a width, as terminal browsers do: entries indented or not, links numbered.

Invented lines; a line ends where the next word has no room, otherwise the break is one of the page::

       [1] arXiv:2507.00001 [pdf, other]              [12][1] [13]arXiv:2507.00001 [[14]pdf, [15]other]
              Title: Foam in Large Tanks That Nobody Has Ever Seen, Neither in
              Mole-Harbour nor Elsewhere
              Ada Quill, Bo Ferns
              Subjects: Fluid Dynamics (physics.flu-dyn); Distributed, Parallel,
              and Cluster Computing (cs.DC)

              We fill tanks ...

The meaning of the lines does not belong here.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

from parsers.arxiv.authors import begins_names

_PROBED: Final = 100_000  # characters within which a page has at least one entry
_WIDEST: Final = 160  # columns: 80 unless the program was told otherwise
_NARROWEST: Final = 60
_FEWEST_FULL: Final = 3
_MOST_OPEN: Final = 10  # at most this many lines per full line
_LINES_OF_TITLE: Final = 10  # at most
_ANY_TITLE = re.compile(r"^(?P<indent> {0,16})Title: ", re.MULTILINE)
_TITLE: Final = "Title:"
_AUTHORS: Final = "Authors:"
_GLUED = re.compile(r"[^\s(\[{](?:Comments|Subjects):")
_LABEL = re.compile(r"(?:Title|Authors|Comments|Journal-ref|Subjects):(?:\s|$)")  # 'DOI:' may be in a comment
_HEAD = re.compile(r"\[\d+\]")
_HEADING = re.compile(
    r"-$|(?:- )?\[\d+\] {0,2}arXiv:|(?:New|Cross|Replacement)(?:-list)?s?(?: submissions)? (?:\(showing|for )"
)
_BEGINS = re.compile(rf"\s*(?:\[\d+\]|{_LABEL.pattern}|{_HEADING.pattern})")
_BELOW_BLANK: Final = "\n\nTitle:"  # as Markdown has it (``wrapped``)
_NUMBERED_HEAD = re.compile(r"^ {0,8}(?:\[\d+\])?\[\d+\]\s{1,4}\[\d+\] ?arXiv:", re.MULTILINE)
_LINK_NUMBER = re.compile(r"\[\d+\](?=[^\s\]),.;:]| arXiv:)")

Line = tuple[int, str]
"""Number and text of a line, with its indentation."""


def is_numbered(dump: str) -> bool:
    """True if each link has a number before it."""
    return _NUMBERED_HEAD.search(dump, 0, _PROBED) is not None


def is_rendered(dump: str) -> bool:
    """True if lines are filled up to a width: entries are indented, or no blank line precedes a title."""
    title = _ANY_TITLE.search(dump, 0, _PROBED)
    if title is None or (not title["indent"] and _BELOW_BLANK in dump[max(0, title.start() - 2) : title.end()]):
        return False
    lines = [line.rstrip() for line in dump.split("\n")]
    width = _width_of(lines)
    if not _NARROWEST <= width <= _WIDEST:
        return False
    inside = [line for line in lines if line.startswith(title["indent"]) and line]
    full = sum(_is_full(line, next_, width) and not _BEGINS.match(next_) for line, next_ in pairwise(inside))
    return full >= max(_FEWEST_FULL, len(inside) // _MOST_OPEN)


def without_numbers(line: str) -> str:
    """Return a line without the numbers of its links."""
    return _LINK_NUMBER.sub("", line)


def join_filled(lines: Sequence[Line]) -> Iterator[tuple[int, int, str]]:
    """Yield the paragraphs of the lines: numbers of the first and the last line, and the text.

    Blank lines and changes of indentation separate them; so does a line that has room for the next word.
    """
    width = _width_of([line for _, line in lines])
    labels_authors = any(line.lstrip().startswith(_AUTHORS) for _, line in lines)
    for _, group in groupby(enumerate(lines), lambda item: (item[1][0] - item[0], _indent_of(item[1][1]))):
        run = [line for _, line in group]
        start = 0
        for place in range(1, len(run) + 1):
            if place == len(run) or not _goes_on(run, start, place, width, labels_authors=labels_authors):
                yield run[start][0], run[place - 1][0], " ".join(line.strip() for _, line in run[start:place])
                start = place


def _goes_on(run: Sequence[Line], start: int, place: int, width: int, *, labels_authors: bool) -> bool:
    """True if the line at ``place`` continues the paragraph that begins at ``start``."""
    line, text = run[place - 1][1], run[place][1].strip()
    if _LABEL.match(text) or _HEADING.match(text) or not _is_full(line, text, width):
        return False
    if line.endswith("]") and _HEAD.match(run[start][1].strip()):
        return False  # it ends in the bracket of formats
    if labels_authors or not run[start][1].strip().startswith(_TITLE):
        return True
    if _LINK_NUMBER.match(text):
        return False  # authors are links, titles are not
    above = (line for _, line in run[start : min(place, start + _LINES_OF_TITLE)])
    # where labels are glued to titles, so are authors
    return any(map(_GLUED.search, above)) or not _begin_authors(run, place, width)


def _begin_authors(run: Sequence[Line], place: int, width: int) -> bool:
    """True if the lines from ``place`` to the next label are the authors alone, without a rest of the title."""
    following = [run[place][1]]
    for _, other in run[place + 1 : place + _LINES_OF_TITLE]:
        if _LABEL.match(other.strip()):
            break
        if not _is_full(following[-1], other, width):
            return False  # the authors begin there
        following.append(other)
    return begins_names(" ".join(map(str.strip, following)).partition(",")[0])


def _is_full(line: str, next_: str, width: int) -> bool:
    """True if a line has no room for the first word of the next line."""
    word = next_.split(maxsplit=1)
    return bool(word) and len(line.rstrip()) + 1 + len(word[0]) > width


def _width_of(lines: Sequence[str]) -> int:
    """Return the length of the longest line that could have been wrapped."""
    return max((len(line) for line in map(str.rstrip, lines) if " " in line.strip()), default=0)


def _indent_of(line: str) -> int:
    """Return the number of spaces before a line."""
    return len(line) - len(line.lstrip())
