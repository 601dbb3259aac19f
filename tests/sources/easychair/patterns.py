"""Patterns of text formats that take quadratic time: known, and to be mended when those formats are next worked on."""

from typing import Final

KNOWN: Final = (
    "parsers.easychair.html:_OTHER_PAGE",
    "parsers.easychair.headings:_TITLE",
    "parsers.easychair.pieces:_LINE_JOINT",
    "parsers.easychair.pieces:_MARKED",
    "parsers.easychair.pieces:_NEXT_MARK",
)
