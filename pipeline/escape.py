"""Makes a text safe to stand in one line of a message: names of files and texts of dumps can hold anything.

What a message says does not belong here.
"""

import re
from typing import Final

_HARMFUL: Final = re.compile(
    r"""
      [\x00-\x1f\x7f-\x9f]              # control characters: line ends, and what begins the sequences of terminals
    | [\u2028\u2029]                    # line ends of Unicode
    | [\u202a-\u202e\u2066-\u2069]      # what turns the order of the text behind it around
    | [\ud800-\udfff]                   # no characters: how Python carries the bytes of a name that is not UTF-8
    """,
    re.VERBOSE,
)


def in_one_line(text: str) -> str:
    """Return a text with all that could break or change a line of output written as an escape."""
    return _HARMFUL.sub(_escape, text)


def is_utf8(name: str) -> bool:
    """True if the name of a file, as Python has it, is UTF-8: no other can stand in a table or in JSON."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _escape(found: re.Match[str]) -> str:
    """Write a character as Python does, and a byte that is no character as a byte."""
    number = ord(found[0])
    return f"\\x{number - 0xDC00:02x}" if 0xDC80 <= number <= 0xDCFF else ascii(found[0])[1:-1]
