"""Patterns of text formats that take quadratic time: known, and to be mended when those formats are next worked on."""

from typing import Final

KNOWN: Final = (
    "parsers.easychair.chrome:_OTHER_PAGE",
    "parsers.easychair.headings:_TITLE",
    "parsers.easychair.names:_LINE_JOINT",
    "parsers.easychair.names:_MARKED",
    "parsers.easychair.names:_NEXT_MARK",
)
