"""Whose programme a page is: the title of the page, and the edition that its records bear.

    IEEE Cluster 2031 Program        page title: series and year
    IEEE LANTERN 2031 Program        a sister conference's page in the same layout: its own name, never CLUSTER

The folder of a dump says nothing: sister conferences' pages may lie there too.
"""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from parsers._contract import Document
from parsers._years import Year, event_of

PAGE_TITLE: Final = re.compile(
    r"(?P<event>\S.{0,80}?\s(?P<year>(?:19|20)\d\d))\s+(?:\w+\s+)?Program(?:me)?(?: at a Glance)?"
)

_SERIES: Final = "CLUSTER"
_SERIES_EDITION: Final = re.compile(r"\b(?:CLUSTER|Cluster)\s?(?:19|20)\d\d\b")
_SERIES_PATH: Final = re.compile(r"(?<![a-z])(?:ieee)?cluster(?![a-z])|clustercomp", re.IGNORECASE)
_TITLE_LENGTH: Final = 80


def name_edition(
    document: Document, printed: str | None, titles: Iterable[str], year: Year
) -> tuple[str | None, tuple[str, ...]]:
    """Return the edition: CLUSTER's only where page title, address, file name or one of ``titles`` names that series.

    The page title is lost in most dumps, so that even where it stands the edition is series and year.
    """
    if printed is not None and not _SERIES_EDITION.search(printed):
        return event_of(document, printed, None, year)
    own = printed is not None or _named_by_address(document) or any(_names_series(title) for title in titles)
    return event_of(document, None, _SERIES if own else None, year)


def _named_by_address(document: Document) -> bool:
    """Say whether the address or the file name is the series' own."""
    parts = PurePosixPath(document.path).parts
    below_source = "/".join(parts[1:] or parts)
    return any(_SERIES_PATH.search(address) for address in (below_source, document.facts.url or ""))


def _names_series(text: str) -> bool:
    """Say whether a short line that is no sentence names an edition of the series."""
    return len(text) <= _TITLE_LENGTH and text[-1] not in ".!?" and _SERIES_EDITION.search(text) is not None
