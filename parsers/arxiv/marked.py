r"""Links and escapes in text dumps: restores the plain lines of the page from a marked-up text.

Invented heads: Markdown; main content with escapes, or with links; and addresses in brackets::

    [1] [ arXiv:2507.00001 ](/abs/2507.00001 "Abstract") [[pdf](/pdf/2507.00001 "Download PDF")]
    \[1\] [arXiv:2507.00001](/abs/2507.00001 "Abstract") \[[pdf](/pdf/2507.00001 "Download PDF")\]
    - \[1\] arXiv:2507.00001 \[pdf\]
    [[1]][arXiv:2507.00001](/abs/2507.00001)[[pdf](/pdf/2507.00001)] -
    [1] () arXiv:2507.00001 (/abs/2507.00001) [pdf (/pdf/2507.00001)]

or a few tags, then with characters escaped as in markup: ``<p>We fill tanks of $x &lt; y$ ...</p>``.

The meaning of the lines does not belong here.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

from parsers.arxiv.paragraphs import TORN, Paragraphs

_PROBED: Final = 100_000  # characters within which a page with tags has one
_TAGS: Final = r"</?(?:p|br|h[1-6]|[uod]l|li|d[td]|table|t[rhd]|tbody|thead|pre|blockquote)>"
_TAG = re.compile(_TAGS)
_TAGGED = re.compile(r"^<(?:p|h[1-6]|[uod]l|table)>", re.MULTILINE)
_NUMBER: Final = r"\[?\\?\[\d+\\?\](?:\](?:\([^()\s]*\))?)?"  # may be a link, with escaped brackets
_LINKED_HEAD = re.compile(rf"^\s{{0,4}}(?:- )?{_NUMBER}\s{{0,4}}\[ ?arXiv:[^\]\n]{{1,40}}\]\(", re.MULTILINE)
_ESCAPED_HEAD = re.compile(r"^\s{0,4}(?:- )?(?:\\\[\d+\\\] arXiv:|arXiv:\S{1,40} [^\n]{0,40}\\\[pdf)", re.MULTILINE)
_HEAD_WITH_ADDRESS = re.compile(
    r"^(?:- )?\[\d+\][^\S\n]{1,4}(?:\(\)[^\S\n]{1,4})?arXiv:\S{1,20} \(\S{0,100}/abs/", re.MULTILINE
)
_ADDRESS = re.compile(r" {1,8}\((?:(?:https?:/)?[/#][^\s()]*)?\)")
_ESCAPED_FORMATS: Final = "\\[[pdf]("
_NUMBER_LINK = re.compile(r"^(?P<dash>(?:- )?)\[(?P<number>\\?\[\d+\\?\])\](?:\([^()\s]*\))?(?P<rest>.*)$")
_NUMBER_INSIDE = re.compile(r"(?<= )\[(\[\d+\])\](?=arXiv:)")  # of a head at the end of a line
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?=[^()\s]*[/:#?]|\))(?:[^()\s\\]|\\.|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
_TARGET = re.compile(r"\]\([^()]*\)|https?://\S+")
_BARE_UNDERSCORE = re.compile(r"(?<!\\)_")
_BEHIND_LINK = re.compile(r"(?<=\)) (?=(?:Comments|Journal-ref|Report-no|DOI|Subjects): )")  # a glued label
_LINK_AT_COLON = re.compile(r"(?<=:)(?=\[[^\[\]]*\]\()")  # the space between the two is lost
_LINK_AT_WORD = re.compile(
    r"(?<=[\w,;.:])(?=\[(?:this https? URL|arXiv:|10\.\d{4})[^\[\]]*\]\()"
)  # the same here, and after the link
_LINK_BEHIND = re.compile(r"(\[this https? URL\]\([^()\s]*\))(?=[(a-z])")
_AUTHOR_LINK: Final = "searchtype=author"
_BRACKET = re.compile(r"\([^()]*\)")
_BESIDE_AUTHORS = re.compile(r"(?:Authors:)?(?:[\s,;:&]++|(?:The|Jr|Sr|III?|IV)\b\.?|[^\W\d_A-Z]++\.?)*+")  # and others
_HEADING_MARK: Final = "\n### "
_ESCAPED = re.compile(r"^(\d*)\\(?=[-+.] )")
_DOUBLED = re.compile(r"(?<!\\)((?:\\\\)+)(?=[`*_{}\[\]()#+.!-])")  # a TeX backslash before a special character
_TYPED = re.compile(r"(?<!\\)(?:\\\\)*\\(?=[a-zA-Z])")  # an unescaped TeX backslash: letters are never escaped
_EVERY_ESCAPE = re.compile(r"\\(.)")
_ESCAPED_SIGN = re.compile(r"(?<!\\)((?:\\\\)*)\\(?=[*_`~\[\]<])")  # a backslash before one is doubled


def has_escaped_heads(text: str) -> bool:
    """True if heads of entries have escaped characters; a plain search first, since it is much faster."""
    return ("\\] arXiv:" in text or "\\[pdf" in text) and _ESCAPED_HEAD.search(text) is not None


def has_linked_heads(text: str) -> bool:
    """True if heads of entries are links."""
    return "](" in text and _LINKED_HEAD.search(text) is not None


def plain_texts(whole: str, paragraphs: Paragraphs) -> Iterator[tuple[int, str]]:
    """Yield number and text of each paragraph as the page shows it, without links and escapes."""
    is_escaped = _ESCAPED_FORMATS in whole or has_escaped_heads(whole)
    is_linked = _HEADING_MARK in whole or paragraphs.has_parted_heads or has_linked_heads(whole)
    if not is_escaped and not is_linked:
        has_tags = _TAGGED.search(whole, 0, _PROBED) is not None
        has_addresses = "/abs/" in whole and _HEAD_WITH_ADDRESS.search(whole) is not None
        for number, text in paragraphs.texts():
            plain = _ADDRESS.sub("", text) if has_addresses else text
            yield number, (unescape(_TAG.sub("", plain)).strip() if has_tags else plain) or text
        return
    signs = _ESCAPED_SIGN if is_escaped or _escapes_underscores(whole) else _DOUBLED
    bullet = next((bullet for bullet in (" -", "-") if f"]{bullet}\n" in whole), "")  # belongs to the next line
    escapes_all = is_escaped and "\\\\" in whole and _TYPED.search(whole) is None  # backslashes are escaped, too
    for number, text in paragraphs.texts():
        plain = text.removesuffix(bullet)
        if is_linked and "](" in plain:
            are_authors = plain.startswith(("Authors:", "[")) and _AUTHOR_LINK in plain
            torn = TORN if are_authors and not _links_every_author(plain) else ""
            if plain.startswith("Title:"):
                plain = _BEHIND_LINK.sub("", _LINK_AT_COLON.sub(" ", plain))
            plain = _LINK_BEHIND.sub(r"\1 ", _LINK_AT_WORD.sub(" ", plain))
            plain = _NUMBER_INSIDE.sub(r"\1", _LINK.sub(r"\1", _LINK.sub(r"\1", plain)).strip()) + torn
        plain = _NUMBER_LINK.sub(lambda head: head["dash"] + head["number"].replace("\\", "") + head["rest"], plain)
        if escapes_all:
            plain = _EVERY_ESCAPE.sub(r"\1", plain)
        elif "\\" in plain:
            plain = _ESCAPED.sub(r"\1", signs.sub(lambda run: run[1][::2], plain))
        yield number, plain or text


def _escapes_underscores(text: str) -> bool:
    """True if every underscore outside addresses has a backslash: the extractor escaped them."""
    return "\\_" in text and _BARE_UNDERSCORE.search(_TARGET.sub("", text)) is None


def _links_every_author(paragraph: str) -> bool:
    """True if no text beside author links and brackets can be a name or a stray line."""
    beside = _LINK.sub("", paragraph)
    return _BESIDE_AUTHORS.fullmatch(_BRACKET.sub("", _BRACKET.sub("", beside))) is not None
