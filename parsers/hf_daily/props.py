"""The entries in the data of a page: the lists that hold them, and their day. No single entry here.

Invented, as far as it is read::

    {"dateString": "2026-03-02", "periodType": "day", "query": {}, "isTrending": false, "dailyPapers": [{..}, ...]}
    {"date": "2024-06-11T00:00:00.000Z", "dailyPapers": [{..}, ...], "nextDate": "..", "prevDate": ".."}       (2024)
    {"dateString": "2026-07-30", "query": {"q": "foam"}, "dailyPapers": [], "searchResults": [{..}, ...]}

The day is that of the listing only on the page of a day: search results and trending papers were listed on some other
day, if ever.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from parsers._ledger.fields import FieldError, shown
from parsers.hf_daily.items import iso_day

LISTS: Final = ("dailyPapers", "searchResults")
_DAYS: Final = ("dateString", "date")


def list_entries(props: object) -> list[Any]:
    """Return the entries of the data. Raises ``FieldError`` if there is no list of them."""
    found = [props[name] for name in LISTS if name in props] if isinstance(props, dict) else []
    if not found or not all(isinstance(entries, list) for entries in found):
        raise FieldError(f"found {shown(props)}")
    return [entry for entries in found for entry in entries]


def day_of(props: Mapping[str, Any]) -> date | None:
    """Return the day that the page lists; None if it shows a week, a month, search results, or trends."""
    query = props.get("query")
    searched = props.get("searchResults") or (query.get("q") if isinstance(query, dict) else query)
    if props.get("periodType") not in (None, "day") or searched or props.get("isTrending"):
        return None
    return next((day for name in _DAYS if (day := iso_day(props.get(name)))), None)
