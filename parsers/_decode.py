"""From bytes to text, strictly: byte order mark, else UTF-8, else Windows-1252; nothing is replaced or ignored.

Line ends become single line feeds. The charset labels inside a page do not belong here.
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
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why bytes are not text: 1-based line, a code of ``REASONS``, what was expected."""

    line: int
    reason: str
    expected: str


def decode(data: bytes) -> tuple[str, str, Problem | None]:
    """Return the text, the name of the encoding used, and the problem if there is one (the text is then empty)."""
    candidates = [name for mark, name in _MARKS if data.startswith(mark)][:1] or ["utf-8", "cp1252"]
    text = ""
    for encoding in candidates:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            failure = error
            continue
        break
    else:
        line = len(_LINE_END.split(failure.object[: failure.start].decode(encoding)))
        return "", "", Problem(line, "decode_error", f"expected text in {' or '.join(candidates)}: {failure.reason}")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return "", "", Problem(line, "nul_byte", "expected text, found a NUL byte: a binary or damaged file")
    if not text.strip():
        return "", "", Problem(1, "empty_dump", "expected text, found an empty file")
    return text, encoding, None
