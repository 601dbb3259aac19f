"""JSON Schemas of the JSON faces, written from the public descriptions of the formats; used by the tests alone.

``SCHEDULE``: the schedule JSON of frab and pretalx, as c3voc describes it for readers of schedules. ``CSL``: items of
CSL-JSON 1.0.2, with the types and variables that the face uses and nothing beside them.
"""

from typing import Any, Final

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
FILLED: Final[Schema] = {"type": "string", "minLength": 1}
MAYBE: Final[Schema] = {"type": ["string", "null"]}
GUID: Final[Schema] = {
    "type": "string",
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
}
DAY: Final[Schema] = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}
MOMENT: Final[Schema] = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([+-]\d{2}:\d{2})?$"}
LINK: Final[Schema] = {
    "type": "object",
    "required": ["title", "url"],
    "properties": {"title": FILLED, "url": {"type": "string", "pattern": "^https?://"}, "type": TEXT},
    "additionalProperties": False,
}


def closed(required: dict[str, Schema], **optional: Schema) -> Schema:
    """Make the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **optional},
        "additionalProperties": False,
    }


PERSON: Final = closed({"guid": GUID, "name": FILLED, "public_name": FILLED})
ENTRY: Final = closed(
    {
        "guid": GUID,
        "id": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
        "date": MOMENT,
        "start": {"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$"},
        "duration": {"type": "string", "pattern": r"^\d{2,}:[0-5]\d$"},
        "room": FILLED,
        "slug": {"type": "string", "pattern": "^[a-z0-9_-]+[a-z0-9]$"},
        "url": {"type": "string", "pattern": r"^(https?://\S+)?$"},
        "title": FILLED,
        "subtitle": MAYBE,
        "track": MAYBE,
        "type": FILLED,
        "language": TEXT,
        "abstract": MAYBE,
        "description": MAYBE,
        "persons": {"type": "array", "items": PERSON},
        "links": {"type": "array", "items": LINK},
        "attachments": {"type": "array", "items": LINK},
    }
)
CONFERENCE: Final = closed(
    {
        "acronym": {"type": "string", "pattern": "^[a-z0-9_-][a-z0-9_]{3,}(-2[0-9]{3}-[a-z]+)?$"},
        "title": FILLED,
        "start": DAY,
        "end": DAY,
        "daysCount": {"type": "integer", "minimum": 1},
        "timeslot_duration": {"type": "string", "pattern": r"^\d{2}:\d{2}$"},
        "time_zone_name": FILLED,
        "rooms": {"type": "array", "minItems": 1, "items": closed({"name": FILLED, "guid": GUID})},
        "days": {
            "type": "array",
            "minItems": 1,
            "items": closed(
                {
                    "index": {"type": "integer", "minimum": 1},
                    "date": DAY,
                    "day_start": MOMENT,
                    "day_end": MOMENT,
                    "rooms": {
                        "type": "object",
                        "minProperties": 1,
                        "additionalProperties": {"type": "array", "minItems": 1, "items": ENTRY},
                    },
                }
            ),
        },
    },
)
SCHEDULE: Final[Schema] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **closed({"schedule": closed({"version": FILLED, "conference": CONFERENCE})}),
}

NAME: Final[Schema] = {
    "oneOf": [closed({"literal": FILLED}), closed({"family": FILLED, "given": FILLED}, suffix=FILLED)],
}
DATE: Final = closed(
    {
        "date-parts": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "integer"}},
        }
    }
)
ITEM: Final = closed(
    {"id": FILLED, "type": {"enum": ["article", "paper-conference", "speech"]}},
    title=FILLED,
    author={"type": "array", "minItems": 1, "items": NAME},
    issued=DATE,
    DOI={"type": "string", "pattern": r"^10\.\d{4,9}/\S+$"},
    URL={"type": "string", "pattern": r"^https?://\S+$"},
    number={"type": "string", "pattern": "^arXiv:"},
    **dict.fromkeys(("genre", "container-title", "event-title", "publisher", "abstract", "keyword", "note"), FILLED),
)
CSL: Final[Schema] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "array",
    "minItems": 1,
    "items": ITEM,
}
