"""Decodes bytes to text, strictly: byte order mark, charset label, UTF-8, Windows-1252; nothing is replaced or ignored.

Line ends become single line feeds. A label counts in markup only. If it names a single-byte charset, UTF-8 is tried
first: such a charset never fails, not even on a UTF-8 page with a wrong label.
"""

import codecs
import re
from dataclasses import dataclass
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LABEL: Final = re.compile(rb"""(?:charset|encoding)\s*+=\s*+(?:["']\s*+)?(?P<name>[\w.:-]{2,40})""", re.IGNORECASE)
_LABELLED: Final = 4096
# Labels that browsers read as Windows-1252, which is what such pages mean.
_LATIN: Final = frozenset({"iso8859-1", "ascii", "cp1252"})
# Python also knows codecs that no page is written in ("hex", "undefined"). Nor UTF-16 or UTF-32: the label could be
# read as bytes.
_CHARSETS: Final = re.compile(r"utf-8|iso8859|iso2022|cp\d|koi8|mac-|gb|hz|big5|euc_|shift_jis|johab|tis-620")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why bytes are not text: 1-based line, a code of ``REASONS``, what was expected."""

    line: int
    reason: str
    expected: str


def decode(data: bytes) -> tuple[str, str, Problem | None]:
    """Return the text, the name of the encoding used, and the problem if there is one (the text is then empty)."""
    candidates = [name for mark, name in _MARKS if data.startswith(mark)][:1] or _without_mark(data)
    failure = None
    for encoding in candidates:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            failure, tried = error, encoding
            if _is_cut(error):
                break
        else:
            failure = None
            break
    if failure is not None:
        line = len(_LINE_END.split(failure.object[: failure.start].decode(tried)))
        place = failure.start + len(data) - len(failure.object)  # the codec may have removed a byte order mark
        found = f"0x{data[place]:02x} at byte {place}"
        expected = f"expected text in {' or '.join(candidates)}, found {found}: {failure.reason}"
        return "", "", Problem(line, "decode_error", expected)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return "", "", Problem(line, "nul_byte", "expected text, found a NUL byte; the file is binary or damaged")
    if not text or text.isspace():
        return "", "", Problem(1, "empty_dump", "expected text, found an empty file")
    return text, encoding, None


def _is_cut(error: UnicodeDecodeError) -> bool:
    """True if this is UTF-8 that ends inside a character: in any other encoding all of it would be garbled.

    If that is its only non-ASCII character, it may as well be Windows-1252 that ends with an accent.
    """
    return error.reason == "unexpected end of data" and not error.object[: error.start].isascii()


def _without_mark(data: bytes) -> list[str]:
    """Return the encodings to try, in order, for data without a byte order mark."""
    head = data[:_LABELLED]
    found = _LABEL.search(head) if head.lstrip().startswith(b"<") else None
    label = _charset(found["name"].decode("ascii")) if found else "utf-8"
    single_byte = label.startswith(("iso8859", "cp125", "koi8", "mac"))
    order = ["utf-8", label, "cp1252"] if single_byte else [label, "utf-8", "cp1252"]
    return list(dict.fromkeys(order))


def _charset(label: str) -> str:
    """Return Python's name for the charset of a label; UTF-8 if the label names none."""
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return "utf-8"
    return name if _CHARSETS.match(name) and name not in _LATIN else "utf-8"
