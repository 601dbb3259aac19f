"""Units: columns that are taken together from one sighting when a record is seen more than once.

A room without its time, or a session title without its chairs, would mix two printings; every other column is a unit
by itself. The order of sightings belongs to ``pipeline.merging.normalize``.
"""

from typing import Final

from schemas.tables import RECORDS

TIME: Final = ("starts_at", "ends_at", "slots", "room", "timezone")
SESSION: Final = ("session_code", "session_title", "session_description", "track", "chairs")
LISTING: Final = ("listed_on", "listing_section")

FIXED: Final = frozenset(
    {"record_id", "source", "kind", "dump", "dump_sha256", "line_start", "line_end", "parser", "notes"}
)
"""Columns that describe the newest sighting itself and are never filled from another."""

_GROUPED: Final = frozenset((*TIME, *SESSION, *LISTING))
UNITS: Final = (
    TIME,
    SESSION,
    LISTING,
    *((name,) for name in RECORDS.columns if name not in _GROUPED and name not in FIXED),
)

NOTES_OF_UNIT: Final = {
    TIME: frozenset(
        {
            "date_invalid",
            "end_before_start",
            "end_inferred",
            "time_is_session",
            "weekday_disagrees",
            "year_inferred",
            "year_unknown",
            "zone_converted",
        }
    ),
    ("event",): frozenset({"event_inferred"}),
    ("authors",): frozenset({"authors_cut", "authors_uncertain", "authors_unordered", "bracket_unclosed"}),
    ("abstract",): frozenset({"abstract_or_summary", "abstract_placeholder"}),
}
"""Notes about a unit go with it; all others stay with the newest sighting."""
