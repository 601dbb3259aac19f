"""Cleans texts the same way for every source: Unicode NFC, one space for every run of white space.

Most texts are already clean and are only checked. An empty result is None. White space is as Unicode defines it, which
leaves out four separators that Python adds. Byte order marks, which some programs leave in front of or inside a text,
are removed, as is what turns the direction of a text around; control characters become blanks: in a terminal either
could show something else than what is there.
"""

import re
from collections.abc import Iterable
from typing import Final
from unicodedata import is_normalized, normalize

from pipeline.base.escape import TURNS

LOST: Final = ("\ufffd", "\\ufffd", "\\uFFFD")
"""What stands for a character that is lost, as a dump may print it."""

_MARK: Final = "\ufeff"
_IN_LINE: Final = r"\t\x0b-\r \x85\xa0\u1680\u2000-\u200a\u2028\u202f\u205f\u3000"
_CONTROL: Final = re.compile(rf"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f{TURNS}]")
_ESCAPED: Final = re.compile(r"\\u(?:00[01789]|20[26])", re.IGNORECASE)  # how JSON may print one of them
_TURN: Final = re.compile(f"[{TURNS}]")
_BLANKS: Final = re.compile(rf"[{_IN_LINE}\n\u2029]+")
_BLANKS_IN_LINE: Final = re.compile(rf"[{_IN_LINE}\u2029]+")
_BLANK_LINES: Final = re.compile(rf"\n[{_IN_LINE}\u2029]*\n[{_IN_LINE}\n\u2029]*|\u2029")


def one_line(text: str) -> str | None:
    """Clean a text into one line."""
    if text and text.isprintable() and _is_normal(text) and " ".join(text.split()) == text:
        return text
    return _BLANKS.sub(" ", _normal(text)).strip(" ") or None


def lines(text: str) -> str | None:
    """Clean a text line by line, dropping empty lines."""
    return _joined("\n", _BLANKS_IN_LINE.sub(" ", _normal(text)).split("\n"))


def paragraphs(text: str) -> str | None:
    """Clean a text paragraph by paragraph, separating them by one blank line."""
    parts = text.split("\n\n")
    if _is_normal(text) and all(part and part.isprintable() and " ".join(part.split()) == part for part in parts):
        return text
    return _joined("\n\n", _BLANK_LINES.split(_normal(text)))


def may_have_controls(text: str) -> bool:
    """True if a text has control characters or turns of direction, or JSON escapes that may be some."""
    return _CONTROL.search(text) is not None or _ESCAPED.search(text) is not None


def has_controls(texts: Iterable[str]) -> bool:
    """True if cleaning takes a control character or a turn of direction out of one of these texts."""
    return any(_CONTROL.search(text) for text in texts)


def _is_normal(text: str) -> bool:
    """True if a text is in Unicode NFC, without byte order marks."""
    return text.isascii() or (_MARK not in text and is_normalized("NFC", text))


def _normal(text: str) -> str:
    """Convert a text to Unicode NFC, without byte order marks, control characters and turns of direction."""
    return normalize("NFC", _CONTROL.sub(" ", _TURN.sub("", text.replace(_MARK, ""))))


def _joined(between: str, parts: Iterable[str]) -> str | None:
    """Clean each part into one line and join those that are not empty."""
    return between.join(filter(None, map(one_line, parts))) or None
