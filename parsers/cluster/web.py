"""The pages of CLUSTER to fetch: the programme page of a year, whose address changes every year."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from parsers._ledger.document import Document
from parsers._web.layout import markup_layout
from parsers._web.web import Request, Web, Window, as_name, check_address, check_text, follow_nothing, stem_of

_PARTS: Final = (
    ".section-title",
    ".timeslot",
    ".program-session",
    ".session-title",
    ".slot-title",
    ".slot-wrapper",
    ".session-entry",
    ".session-date",
    ".session-time",
    ".slot-entry",
)


@dataclass(frozen=True, slots=True)
class YearTarget:
    """One year: the address of a page with its programme, its time zone, and its name if it is not CLUSTER."""

    year: int
    url: str
    timezone: str
    event: str | None = None

    def __post_init__(self) -> None:
        """Raise ``TargetError`` for an invalid value."""
        check_address("url", self.url)
        check_text("event", self.event)


def requests(target: YearTarget, _window: Window) -> Iterator[Request]:
    """Yield the programme page."""
    facts: dict[str, str | int] = {"timezone": target.timezone, "year": target.year}
    if target.event is not None:
        facts["event"] = target.event
    folder = as_name(target.event or str(target.year))
    yield Request(f"{folder}/{stem_of(target.url)}", target.url, ".html", facts)


def fingerprint(document: Document) -> str:
    """Return the fingerprint of the layout of a programme page, at a glance or by date."""
    return markup_layout(document.page.root, _PARTS)


_EXAMPLE: Final = """\
# IEEE CLUSTER: a programme by the URL of its page, at a glance or by date.
[[cluster]]
year = 2026
url = "https://cluster.example/2026/at_a_glance.html"
timezone = "America/Chicago"
event = "LANTERN 2026"              # if its name is not CLUSTER
"""

WEB: Final = Web(YearTarget, requests, follow_nothing, fingerprint, example=_EXAMPLE)
