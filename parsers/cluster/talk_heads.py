"""Where the talks of an entry by date begin: the lines right above a label are the head of one.

    Offloaded stores          title
    Best Paper                award
    Ann One, and Bo Two       authors
    Abstract                  the label, unless it opens another text of the talk above
    We describe a store.      a text: no head

What the head and the texts become does not belong here (``entries``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from parsers.cluster.boilerplate import is_award
from parsers.cluster.headings import PLACEHOLDER
from parsers.cluster.lines import Line
from parsers.cluster.names import looks_like_names, reads_as_authors
from parsers.cluster.wording import is_prose

LABEL: Final = re.compile(r"(?P<label>Abstract|Biography|Bio)(?:\s*(?P=label))?\s*:?", re.IGNORECASE)
_ENDS_SENTENCE: Final = re.compile(r"[.!:;…][)\]\"'”’»]?$")


def heads(block: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield where the head of each talk begins and where its first label stands."""
    over = 0  # below the label of the talk before
    for at, line in enumerate(block):
        label = LABEL.fullmatch(line.text)
        if label is None:
            continue
        head = head_of_talk(block[over:at])
        titled = len(head) > 1
        if titled or (head and not (over and _opens_more(block[over - 1], line))):
            yield at - len(head), at
        over = at + 1


def _opens_more(above: Line, label: Line) -> bool:
    """Say whether a label opens another text of the same talk: the abstract below the biography, or its label again."""
    if above.text.lower() == label.text.lower():
        return True
    return above.text.lower().startswith("bio") and label.text.lower().startswith("abstract")


def head_of_talk(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines right above a label that are the head of a talk: title, award, authors."""
    at = len(lines)
    if not at or _is_text(lines[at - 1]):
        return ()
    at -= 1
    if not looks_like_names(lines[at].text):
        return lines[at:]  # a title without authors
    while at and is_award(lines[at - 1].text):
        at -= 1
    return lines[at - 1 :] if at and not _is_text(lines[at - 1]) else lines[at:]


def _is_text(line: Line) -> bool:
    """Say whether a line is a paragraph or a placeholder rather than a title or an author list."""
    text = line.text
    if PLACEHOLDER.fullmatch(text) or (is_prose(text) and not reads_as_authors(text)):
        return True
    return _ENDS_SENTENCE.search(text) is not None and not looks_like_names(text)
