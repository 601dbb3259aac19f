"""Patterns of text formats that take quadratic time: known, and to be mended when those formats are next worked on."""

from typing import Final

KNOWN: Final = (
    "parsers.cluster.headings:_CHAIR",
    "parsers.cluster.headings:_CODE_BEHIND",
    "parsers.cluster.people:_GROUP_MARKS",
    "parsers.cluster.people:_SLASH",
)
