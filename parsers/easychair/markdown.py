r"""The Markdown that extractors leave in the text of a page: links, escapes, what marks headings and tables.

```
[11:00-12:00 Session 2A: Slicing \[hybrid\]]
Location: [Great Hall (1st floor)](room2.html)
| --- | --- |
| 11:00 | [Anna Vell](person1.html) (Moor University, Norland) and [B. Wexley](person2.html) Slicing at scale |
```

Which lines are talks does not belong here (``cells``).
"""

import re
from typing import Final

from parsers._dates import DASH, WEEKDAY
from parsers._lines import Boilerplate
from parsers.easychair.marks import DAY_LINK

_LABEL: Final = r"((?:\\.|[^\[\]\\]){0,500}+)"  # what ends it is no part of it: nothing is given back
_LINK: Final = re.compile(rf"\[{_LABEL}\]\(([^()\s]{{0,2000}})\)")
_PERSON: Final = re.compile(r"\[([^\[\]]{1,300})\]\([^()\s]{0,2000}person\d+\.html\)")
_PLACE: Final = re.compile(r"\s*(\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\))")
_JOINT: Final = re.compile(r"\s*,\s*(?:and\s+)?(?=\[)|\s+and\s+(?=\[)|\s+")
NOTHING_BEHIND: Final = frozenset({"", ",", "and"})
_IMAGE: Final = re.compile(r"!\[[^\[\]]{0,200}\]\([^()\s]{0,2000}\)|\[\]\([^()\s]{0,2000}\)")
_ESCAPED: Final = re.compile(r"\\([\[\]<>*_#|`~+.()-])")
_HEADING: Final = re.compile(
    rf"(?:#{{1,6}}\s+|\*\*)?\[?(?P<text>\d{{1,2}}:\d{{2}}{DASH}\d{{1,2}}:\d{{2}}(?:\\.|[^\\\[\]*])*)\]?(?:\*\*)?"
)
_RULER: Final = re.compile(r"\s*+\|?(?:\s*+(?::?-{3,}+:?\s*+)?\|)*+\s*+(?:-{3,}+\s*+)?")
"""The line below the first row of a table, or above it the row that it lacks."""

_DAYS: Final = r"(?:previous day|next day|all days)"
_VIEWS: Final = r"(?:with abstracts|session overview|talk overview|side by side with other conferences)"
_TARGET: Final = r"(?:\([^()\s]*\))?"
BOILERPLATE: Final = Boilerplate(
    {
        "views_markdown": rf"View(?: this program)?: ?(?:\[{_VIEWS}\]\([^()\s]*\)[ |]*)+",
        "menu_markdown": r"(?:\[[A-Z][A-Z &]{0,40}\]\([^()\s]*\)[ |]*)+",
        "reader_head": r"(?:Source URL|URL Source): \S+|(?:Markdown|Structured) Content:",
        "reader_title": rf"Title: Program for (?i:{WEEKDAY}), .{{0,40}}",
        "disclaimer_markdown": rf"(?=.*\w)(?:\[?Disclaimer\]?{_TARGET} ?)?(?:\\?\| ?)?"
        rf"(?:Powered by ?)?(?:\[?EasyChair Smart Program\]?{_TARGET})?",
        "days_markdown": rf"(?:Days: ?)?(?:\[(?:{_DAYS}|{DAY_LINK})\]\([^()\s]*\)[ |]*)+",
        "table_ruler": r"(?=.*(?:\||---))[|\s:-]+",
    }
)


def plain(line: str) -> str:
    """Return a line without its Markdown; that of a table without text is blank."""
    if line[:1] in "|-" and line[:1] and _RULER.fullmatch(line):
        return ""
    if "[" not in line and "\\" not in line and "**" not in line and not line.startswith("#"):
        return line
    text = _LINK.sub(r"\1", _IMAGE.sub("", line))
    heading = _HEADING.fullmatch(text.strip())
    return _ESCAPED.sub(r"\1", text if heading is None else heading["text"])


def unlink(text: str) -> str:
    """Return a text without links, images and escapes."""
    if "[" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def split_authors(text: str) -> tuple[list[str], str]:
    """Split the row of a talk into its authors, which are links, each with its place, and what is behind them.

    Brackets behind a name are its place where they name a country, or where another name follows: a title can begin
    with a bracket too.
    """
    people: list[str] = []
    at = 0
    while found := _PERSON.match(text, at):
        name, at = found[1], found.end()
        place = _PLACE.match(text, at)
        if place is not None and ("," in place[1] or text[_behind(text, place.end()) :].startswith("[")):
            name, at = f"{name} {place[1]}", place.end()
        people.append(unlink(name))
        at = _behind(text, at)
    return people, text[at:]


def is_view_link(text: str) -> bool:
    """Say whether a line is that of the links to the other views of the page."""
    return text.startswith("View") and BOILERPLATE.rule(text) is not None


def _behind(text: str, at: int) -> int:
    """Return where the joint of two people ends that stands at ``at``, if one does."""
    joint = _JOINT.match(text, at)
    return at if joint is None else joint.end()
