"""What is asked of CLUSTER: the page of a year, and what makes a layout."""

from datetime import date
from functools import partial

import pytest

from parsers._web.web import Request, TargetError, Window, follow_nothing
from parsers.cluster.web import WEB, YearTarget
from tests.sources.cluster import site
from tests.support.helpers import fingerprint_of

fingerprint = partial(fingerprint_of, "cluster")

PAGE = site.page(*sorted(site.TITLES))


@pytest.mark.parametrize(
    ("event", "request_of_it"),
    [
        (None, Request("2026/at_a_glance", site.URL, ".html", {"timezone": "America/Chicago", "year": 2026})),
        (
            "SISTER 2026",
            Request(
                "SISTER-2026/at_a_glance",
                site.URL,
                ".html",
                {"timezone": "America/Chicago", "year": 2026, "event": "SISTER 2026"},
            ),
        ),
    ],
)
def test_the_page_of_a_year(event: str | None, request_of_it: Request) -> None:
    """The sidecar has year and time zone, which the page does not print; it leads nowhere."""
    target = YearTarget(2026, site.URL, "America/Chicago", event)
    assert (list(WEB.requests(target, Window(date(2026, 6, 1)))), WEB.follow) == ([request_of_it], follow_nothing)


@pytest.mark.parametrize(("given", "key"), [((2026, "x", "UTC"), "url"), ((2026, site.URL, "UTC", ""), "event")])
def test_mistakes_in_a_target(given: tuple[object, ...], key: str) -> None:
    """The key is named."""
    with pytest.raises(TargetError) as error:
        YearTarget(*given)  # type: ignore[arg-type]
    assert error.value.key == key


@pytest.mark.parametrize(
    "other",
    [
        site.page("Other Things"),
        PAGE.replace("</div>", "", 1),
        PAGE.replace('<div class="room-name">Great Hall</div>', ""),
    ],
)
def test_the_same_layout(other: str) -> None:
    """Other talks, an end tag that is lost, a room that is not printed: the same fingerprint."""
    assert (fingerprint(PAGE) != "", fingerprint(other)) == (True, fingerprint(PAGE))


@pytest.mark.parametrize("name", ["section-title", "timeslot", "program-session", "session-title", "slot-wrapper"])
def test_another_layout(name: str) -> None:
    """A part that is named otherwise: another fingerprint."""
    assert fingerprint(PAGE.replace(f'"{name}"', '"x"')) not in {"", fingerprint(PAGE)}
