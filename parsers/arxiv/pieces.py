r"""Texts in pieces: joins the lines of a dump that are one line of the page.

Invented lines. Main content with links has each head in parts, with or without blank lines between them::

    - [\[1\]]
        [arXiv:2507.00001](/abs/2507.00001)
      (replaced)
        [[pdf](/pdf/2507.00001), [other](/format/2507.00001)]

Extractors that print each text node on its own line separate labels, too, and some even links and commas (Markdown
marks the first line of an entry by a colon, ``:   Title:``)::

    [1]
    arXiv:2507.00001
    [pdf, other]
    Title:
      Foam in Large Tanks
    Ada Quill
    ,
    Bo Ferns
    Subjects:
    Fluid Dynamics (physics.flu-dyn)

Iterating over the joined lines does not belong here (``wrapped``).
"""

import re
from collections import Counter
from typing import Final

from parsers.arxiv.items import ARXIV_ID

_PROBED: Final = 100_000  # characters within which a page has at least one entry
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


def has_parted_heads(dump: str) -> bool:
    """True if numbers of entries are on separate lines, apart from identifiers and formats."""
    return _PARTED_SIGN in dump and _PARTED_HEAD.search(dump) is not None


def has_bare_labels(dump: str) -> bool:
    """True if most labels are on separate lines, apart from their values: a wrapped one can be so by chance."""
    probe = dump[:_PROBED]
    if not any(sign in probe for sign in _LABEL_SIGNS):
        return False
    found = Counter((line["label"], line["value"] is None) for line in _LABEL_LINE.finditer(probe))
    return any(found[label, True] > found[label, False] for label in ("Title", "Authors"))


def is_in_head(text: str, more: str) -> bool:
    """True if a line continues the incomplete head of an entry, which ends in the bracket of formats."""
    if _BARE_NUMBER.fullmatch(text):
        return more.lstrip("[ ").startswith("arXiv:")
    return more != "-" and _OPEN_HEAD.fullmatch(text) is not None and _BEGINS_LABEL.match(more) is None


def belong_together(text: str, more: str) -> bool:
    """True if a line continues the one above, in a text that has labels on separate lines."""
    if _LABEL_ALONE.fullmatch(text):
        return True
    if _BEGINS_LABEL.match(more):
        return False
    if text[0] in "[-" and is_in_head(text, more):
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


def is_value(text: str) -> bool:
    """True if a line is a label with typed text, which the page may break and then indents by two spaces."""
    return _TYPED.match(text) is not None


def join_pieces(text: str, more: str) -> str:
    """Join two pieces of a line with a space, unless the second begins with closing punctuation."""
    return text + more if more[0] in _SIGNS_BEHIND else f"{text} {more}"


def plain_piece(line: str) -> str:
    """Return a line without the colon by which Markdown marks a definition."""
    return _DEFINITION.sub("", line, count=1) if line[0] == ":" else line
