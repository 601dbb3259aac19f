"""Decodes bytes to text: byte order mark, charset label, UTF-8, Windows-1252; nothing is replaced without a word.

Line ends become single line feeds. A label counts in markup only. If it names a single-byte charset, UTF-8 is tried
first: such a charset hardly ever fails, not even on a UTF-8 page with a wrong label.

By these rules alone, one damaged byte would garble all letters of a page. So where the page names its encoding, or the
rest of it shows that it is the right one, the places that do not fit are marked by U+FFFD instead, and each is told.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NEVER_MARKED: Final = ("utf-16", "utf-32", "iso2022", "hz")  # a lost byte changes the meaning of those behind it
_LABEL: Final = re.compile(rb"""(?:charset|encoding)\s*+=\s*+(?:["']\s*+)?(?P<name>[\w.:-]{2,40})""", re.IGNORECASE)
_LABELLED: Final = 4096
# Labels that browsers read as Windows-1252, which is what such pages mean.
_LATIN: Final = frozenset({"iso8859-1", "ascii", "cp1252"})
# Python also knows codecs that no page is written in ("hex", "undefined"). Nor UTF-16 or UTF-32: the label could be
# read as bytes.
_CHARSETS: Final = re.compile(r"utf-8|iso8859|iso2022|cp\d|koi8|mac-|gb|hz|big5|euc_|shift_jis|johab|tis-620")
_SINGLE_BYTE: Final = ("iso8859", "cp125", "koi8", "mac")
# XML without a label, objects of JSON and calendars are UTF-8 by definition.
_UTF_8: Final = re.compile(rb"""\s*+(?:<\?xml\b|\[?\s*+\{\s*+["}]|BEGIN:VCALENDAR)""", re.IGNORECASE)
_CALENDAR: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*+BEGIN:VCALENDAR", re.IGNORECASE)
# Lines of a calendar are folded between octets, which may be those of one character (RFC 5545, 3.1).
_FOLDED: Final = re.compile(rb"([\xc2-\xf4][\x80-\xbf]*+)(\r?\n[ \t])([\x80-\xbf]++)")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_ESCAPED: Final = "surrogateescape"
_DAMAGED: Final = re.compile("[\udc80-\udcff]+")  # what that handler makes of bytes that do not fit
_SURE: Final = 4  # a labelled page may have so many damaged bytes for each character of several bytes
_MOST: Final = 100
_AROUND: Final = 100  # characters


@dataclass(frozen=True, slots=True)
class Problem:
    """Why bytes are not text: 1-based line, a code of ``REASONS``, what was expected, the text around them."""

    line: int
    reason: str
    expected: str
    around: str = ""


def decode(data: bytes) -> tuple[str, str, tuple[Problem, ...]]:
    """Return the text, the name of the encoding used, and the places that are damaged, where the text has U+FFFD.

    If the bytes are no text at all, the text is empty and the problem says why.
    """
    if _CALENDAR.match(data):
        data = _FOLDED.sub(rb"\1\3\2", data)
    text, encoding, problems = _decode(data)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        problem = Problem(line, "nul_byte", "expected text, found a NUL byte; the file is binary or damaged")
        return "", "", (problem,)
    if encoding and (not text or text.isspace()):
        return "", "", (Problem(1, "empty_dump", "expected text, found an empty file"),)
    return text, encoding, problems


def _decode(data: bytes) -> tuple[str, str, tuple[Problem, ...]]:
    """Decode data in the first encoding that fits: without damage, or with the damage that this encoding may have."""
    encodings, named = _encodings(data)
    wide = [name for name in encodings if not name.startswith(_SINGLE_BYTE)]
    failures = []
    for encoding in wide:
        try:
            return data.decode(encoding), encoding, ()
        except UnicodeDecodeError as error:
            failures.append((error, encoding))
            if _is_cut(error):
                return "", "", (_failure(data, *failures[-1], encodings),)
    for encoding in wide:
        if (text := _with_damage(data, encoding, is_named=encoding == named)) is not None:
            return _DAMAGED.sub("\ufffd", text), encoding, tuple(_find_damage(data, text, encoding))
    for encoding in encodings[len(wide) :]:
        try:
            return data.decode(encoding), encoding, ()
        except UnicodeDecodeError as error:
            failures.append((error, encoding))
    failure = next((each for each in failures if each[1] == named), failures[-1])
    return "", "", (_failure(data, *failure, encodings),)


def _with_damage(data: bytes, encoding: str, *, is_named: bool) -> str | None:
    """Decode data with surrogates for each byte that does not fit; None if the encoding is hardly the right one.

    Text of another encoding is full of such bytes and has few characters of several bytes by chance.
    """
    if encoding.startswith(_NEVER_MARKED) or b"\0" in data:  # binary files are refused for their NUL bytes
        return None
    try:
        text = data.decode(encoding, _ESCAPED)
    except UnicodeDecodeError:  # this handler leaves bytes of ASCII
        return None
    damaged = len(text) - len(_DAMAGED.sub("", text))
    fitting = len(text) - len(text.encode("ascii", "ignore")) - damaged
    return text if damaged <= (max(1, _SURE * fitting) if is_named else fitting) else None


def _find_damage(data: bytes, text: str, encoding: str) -> Iterator[Problem]:
    """Yield where bytes do not fit; of more than a hundred places the last one has the number of the others."""
    line, place, end = 1, len(codecs.BOM_UTF8) if encoding == "utf-8-sig" else 0, 0
    count = sum(1 for _ in _DAMAGED.finditer(text))
    for number, each in enumerate(islice(_DAMAGED.finditer(text), _MOST), 1):
        between = text[end : each.start()]
        line += len(_LINE_END.findall(between))
        place += len(between.encode(encoding.removesuffix("-sig"), _ESCAPED))
        others = f", and {count - _MOST} more such places" if number == _MOST < count else ""
        expected = f"{_expected(data, place, encoding)}{others}: U+FFFD stands for it"
        before, behind = text[max(0, each.start() - _AROUND) : each.start()], text[each.end() : each.end() + _AROUND]
        around = f"{_LINE_END.split(before)[-1]}\ufffd{_LINE_END.split(behind)[0]}"
        yield Problem(line, "decode_error", expected, _DAMAGED.sub("\ufffd", around))
        place += len(each[0])
        end = each.end()


def _failure(data: bytes, error: UnicodeDecodeError, encoding: str, encodings: list[str]) -> Problem:
    """Return the problem of data that no encoding fits, by the error in one of them."""
    line = len(_LINE_END.split(error.object[: error.start].decode(encoding)))
    place = error.start + len(data) - len(error.object)  # the codec may have removed a byte order mark
    return Problem(line, "decode_error", f"{_expected(data, place, ' or '.join(encodings))}: {error.reason}")


def _expected(data: bytes, place: int, encoding: str) -> str:
    """Return what was expected at a place, counted from 0."""
    return f"expected text in {encoding}, found 0x{data[place]:02x} at byte {place}"


def _is_cut(error: UnicodeDecodeError) -> bool:
    """True if this is UTF-8 that ends inside a character: in any other encoding all of it would be garbled.

    If that is its only non-ASCII character, it may as well be Windows-1252 that ends with an accent.
    """
    return error.reason == "unexpected end of data" and not error.object[: error.start].isascii()


def _encodings(data: bytes) -> tuple[list[str], str | None]:
    """Return the encodings to try, in order, those of single bytes last, and the one that the data names."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return [name], name
    head = data[:_LABELLED]
    found = _LABEL.search(head) if head.lstrip().startswith(b"<") else None
    named = _charset(found["name"].decode("ascii")) if found else "utf-8" if _UTF_8.match(head) else None
    label = named or "utf-8"
    order = ["utf-8", label, "cp1252"] if label.startswith(_SINGLE_BYTE) else [label, "utf-8", "cp1252"]
    return list(dict.fromkeys(order)), named


def _charset(label: str) -> str | None:
    """Return Python's name for the charset of a label; None if it names none, or the one that is tried last."""
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return None
    return name if _CHARSETS.match(name) and name not in _LATIN else None
