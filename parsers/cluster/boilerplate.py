"""Lines of these pages that are not part of a programme: links, menus, marks, awards, types of sessions.

    Overview | By Date | By Room          Back to Top          Copyright 2031 IEEE Lantern
    Best Paper Award                      between the title and the authors of a talk
    Plenary, Paper                        the type of a session, in years that print it

Each is a whole-line pattern.
"""

from __future__ import annotations

from typing import Final

from parsers._ledger.lines import Boilerplate
from parsers._words.dates import CLOCK, DASH, WEEKDAY

_VIEW: Final = r"(?:Overview|At a Glance|By Date|By Event Type|By Room|Author Index)"
_TYPE: Final = (
    r"(?:Break|Plenary|Paper|Poster|Workshop|Tutorial|Keynote|Panel|Invited(?: Talk)?|Social(?: Event)?|Registration"
    r"|Other)"
)
SESSION_TYPE: Final = rf"{_TYPE}(?:, {_TYPE})*"
_DATE: Final = r"\d{4}-\d{1,2}-\d{1,2}"
_TIME: Final = r"\d{1,2}:\d{1,2}(?::\d{1,2})?"
_ZONE: Final = r"(?:\(?[A-Z]{2,5}\)?(?:[+-]\d{1,2}(?::\d{2})?)?|(?i:local|[\w/]+(?: [\w/]+)?(?= time)))"
_SITE: Final = r"Home|At a Glance|Committees?|Organi[sz]ation|Sponsors|Venue|Travel|Skip to (?:main )?content"

BOILERPLATE: Final = Boilerplate(
    {
        "column": r"\|+",
        "line_drawn": r"[_━─═=-]{5,}",
        "views": rf"{_VIEW}(?: ?\| ?{_VIEW})*",
        "back_to_top": r"(?i:(?:back|return) to top(?: button)?|top)",
        "back_to_page": r"(?i:(?:back|return) to (?:the )?(?:[\w-]+ ){0,4}(?:home|main|top) ?page)",
        "made_at": rf"(?i:(?:created|last (?:updated|modified|changed))(?: on)?:? *{_DATE}(?:[ T,]+{_TIME})?)",
        "time_zone": rf"(?i:all times (?:are |shown |given )*(?:in )?(?:the )?){_ZONE}"
        r"(?i: time(?: ?zone)?)?(?: \([A-Z]{2,5}\))?\.?",
        "end_mark": r"(?i:(?:the )?(?:conference|program(?:me)?|symposium|event) (?:ends|closes|adjourns)\.?)",
        "floor_plan": r"(?i:(?:(?:conference|hotel|venue|meeting|building|room|floor|cent(?:er|re)) ){1,3}"
        r"(?:layout|plan|map)s?)",
        "link_word": r"(?i:\[?(?:presentation |lecture )?(?:slides?|video|recording)s?\]?)",
        "address": r"https?://\S+",
        "award": r"Best (?:Student |Short )?Papers?(?: (?:Award|Candidate|Finalist|Nominee|Runner[- ]Up)){0,2}",
        "award_of_poster": r"(?:\d{1,3}\. )?\[(?=[^\[\]]*\b(?:Award|Best|Prize)\b)[^\[\]]{3,60}\]",
        "session_type": SESSION_TYPE,
        "copyright": r"(?i:(?:copyright\s*)?(?:©|\(c\)|copyright)\s*(?:19|20)\d\d\b.{0,120}|©.{0,120})",
        "menu_entry": r"[•◦▪‣·] ?\w[^.]{0,60}",
        "site_menu": rf"{_SITE}|(?i:program(?:me)?(?: at a glance)?)|Call for \w+(?: \w+)?",
    }
)

# The list of links before the entries of a page by date, with its separators.
LINKS: Final = Boilerplate(
    {
        "slot_link": rf"(?i:(?:{WEEKDAY})[.,]? *(?:{CLOCK} ?{DASH} ?{CLOCK})?|{CLOCK} ?{DASH} ?{CLOCK})",
        "separator": r"[|•·-]+",
    }
)

# Lines that are never part of a programme, and the beginnings of such lines in lower case.
_ANYWHERE: Final = frozenset(
    {
        "views",
        "link_word",
        "address",
        "back_to_top",
        "back_to_page",
        "copyright",
        "made_at",
        "time_zone",
        "end_mark",
        "floor_plan",
    }
)
_STARTS: Final = tuple(
    (
        "overview|slide|[slide|presentation slide|lecture slide|video|[video|recording|http|at a glance|by |author|"
        "back|return to|top|©|copyright|(c)|created|last |all times|the conference|the program|the symposium|"
        "the event|conference |program|symposium |event |hotel |venue |meeting |building |room |floor "
    ).split("|")
)
_LONGEST_START: Final = max(map(len, _STARTS))


def is_never_programme(text: str) -> bool:
    """True if a line is outside the programme wherever it is; awards and types are so only in certain places."""
    rule = BOILERPLATE.rule(text) if text[:_LONGEST_START].lower().startswith(_STARTS) else None
    return rule is not None and rule.name in _ANYWHERE


def is_award(text: str) -> bool:
    """True if a line in the head of a talk is an award."""
    rule = BOILERPLATE.rule(text) if text.startswith("Best ") else None
    return rule is not None and rule.name == "award"
