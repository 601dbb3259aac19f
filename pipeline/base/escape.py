"""Makes texts safe for a line of a message, or for an export: file names and dump texts can contain anything."""

import codecs
import json
import re
from typing import Any, Final

TURNS: Final = r"\u202a-\u202e\u2066-\u2069"
"""What turns the order of the text behind it around, within a set of a regular expression."""
_HARMFUL: Final = re.compile(
    rf"""
      [\x00-\x1f\x7f-\x9f]              # control characters: line ends, and what begins the sequences of terminals
    | [\u2028\u2029]                    # line ends of Unicode
    | [{TURNS}]
    | [\ud800-\udfff]                   # no characters: how Python carries the bytes of a name that is not UTF-8
    """,
    re.VERBOSE,
)

_TURN: Final = re.compile(f"[{TURNS}]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


ESCAPED: Final = "conspectus.escaped"
"""Name of the error handler of streams that writes what their encoding lacks as JSON does: data stay valid."""


def harmless(value: Any) -> Any:  # noqa: ANN401  # whatever a column holds
    """Return a value whose texts have no turns of direction, and blanks for controls other than white space."""
    match value:
        case str():
            if value.isprintable():  # most are, and this is told fastest
                return value
            return _CONTROLS.sub(" ", _TURN.sub("", value))
        case list():
            return list(map(harmless, value))
        case dict():
            return {key: harmless(each) for key, each in value.items()}
    return value


def in_one_line(text: str) -> str:
    """Escape all characters of a text that could break or alter a line of output."""
    return _HARMFUL.sub(_escape, text)


def is_utf8(name: str) -> bool:
    """True if a file name is valid UTF-8: others cannot be stored in a table or in JSON."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _escape_as_json(error: UnicodeError) -> tuple[str, int]:
    """Return the JSON escapes of what an encoding lacks, and where to go on. Raises the error of other problems."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(ESCAPED, _escape_as_json)


def _escape(found: re.Match[str]) -> str:
    """Return the Python escape of a character, or the hex escape of an undecodable byte."""
    number = ord(found[0])
    return f"\\x{number - 0xDC00:02x}" if 0xDC80 <= number <= 0xDCFF else ascii(found[0])[1:-1]
