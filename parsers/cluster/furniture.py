"""What stands on these pages and is no part of a programme: links, menus, marks, awards, types of sessions.

    Overview | By Date | By Room          Back to Top          Copyright 2031 IEEE Lantern
    Best Paper Award                      between the title and the authors of a talk
    Plenary, Paper                        the type of a session, in years that print it

Each is a pattern of a whole line. In which places an award or a type is meant does not belong here.
"""

from __future__ import annotations

from typing import Final

from parsers._dates import CLOCK, DASH, WEEKDAY
from parsers._lines import Furniture

_VIEW: Final = r"(?:Overview|At a Glance|By Date|By Event Type|By Room|Author Index)"
_TYPE: Final = r"(?:Break|Plenary|Paper|Poster|Workshop|Tutorial|Keynote|Panel|Invited|Social|Other)"
SESSION_TYPE: Final = rf"{_TYPE}(?:, {_TYPE})*"
_SITE: Final = r"Home|At a Glance|Committees?|Organi[sz]ation|Sponsors|Venue|Travel|Skip to (?:main )?content"

FURNITURE: Final = Furniture(
    {
        "column": r"\|+",
        "views": rf"{_VIEW}(?: ?\| ?{_VIEW})*",
        "back_to_top": r"(?i:(?:back|return) to top(?: button)?|top)",
        "award": r"Best (?:Student |Short )?Papers?(?: (?:Award|Candidate|Finalist|Nominee|Runner[- ]Up)){0,2}",
        "session_type": SESSION_TYPE,
        "copyright": r"(?i:(?:copyright\s*)?(?:©|\(c\)|copyright)\s*(?:19|20)\d\d\b.{0,120}|©.{0,120})",
        "menu_entry": r"[•◦▪‣·] ?\w[^.]{0,60}",
        "site_menu": rf"{_SITE}|(?i:program(?:me)?(?: at a glance)?)|Call for \w+(?: \w+)?",
    }
)

# The list of links in front of the entries of a page by date, and what entries are sorted under.
LINKS: Final = Furniture(
    {
        "slot_link": rf"(?i:(?:{WEEKDAY})[.,]? *(?:{CLOCK} ?{DASH} ?{CLOCK})?|{CLOCK} ?{DASH} ?{CLOCK})",
        "separator": r"[|•·-]+",
    }
)


def is_award(text: str) -> bool:
    """Say whether a line of a talk's head is an award."""
    rule = FURNITURE.rule(text) if text.startswith("Best ") else None
    return rule is not None and rule.name == "award"
