"""Patterns of text formats that take quadratic time: known, and to be mended when those formats are next worked on."""

from typing import Final

KNOWN: Final = (
    "parsers.cluster.cells:_LABEL",
    "parsers.cluster.elements:_SEPARATOR",
    "parsers.cluster.entries:_GLUED",
    "parsers.cluster.filled:_OWN",
    "parsers.cluster.filled:_STRUCK",
    "parsers.cluster.filled:_STRUCK_CHAIR",
    "parsers.cluster.glued:_AGENDA",
    "parsers.cluster.glued_pieces:CHAIR",
    "parsers.cluster.glued_pieces:_ABSTRACT",
    "parsers.cluster.grids:_AWARD",
    "parsers.cluster.headings:_CHAIR",
    "parsers.cluster.headings:_CODE_BEHIND",
    "parsers.cluster.lists:_TYPED_TAG",
    "parsers.cluster.names:BETWEEN_NAMES",
    "parsers.cluster.names:_INNERMOST",
    "parsers.cluster.numbered:_AUTHORS",
    "parsers.cluster.numbered:_TALK",
    "parsers.cluster.people:_GROUP_MARKS",
    "parsers.cluster.people:_SLASH",
    "parsers.cluster.talks:_SENTENCE_END",
    "parsers.cluster.timetable:_TWO_CELLS",
    "parsers.cluster.timetable_cells:_CANCELLED",
)
