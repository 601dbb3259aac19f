"""Programmes of any size, for the benchmarks: a day of endless parallel sessions."""

from collections.abc import Iterator
from typing import Final

from tests.support.bulk import Bulk, Words


def sessions(join: str, *, twice: bool, body: bool) -> Iterator[str]:
    """Yield sessions of three talks, lines joined by ``join``; titles twice and talks with a body, or not."""
    words = Words()
    yield join.join(["Wednesday September 3rd", "11:30-13:00", ""])
    while True:
        head = f"Session ({next(words.number)}) {words.title()}"
        yield join.join([head, "Great Hall", f"Chair: {words.name()} (Norwick)", ""])
        for _ in range(3):
            title = words.title()
            authors = ", ".join(f"{name} (Orb Lab)" for name in words.names())
            rest = [authors, "Abstract", words.paragraph()] if body else []
            yield join.join([title, *([title] if twice else []), *rest, ""])


def traf() -> Iterator[str]:
    """Yield the layout without blank lines, titles twice."""
    return sessions("\n", twice=True, body=True)


def full() -> Iterator[str]:
    """Yield the layout with blank lines, titles twice."""
    return sessions("\n\n", twice=True, body=True)


def html() -> Iterator[str]:
    """Yield the page itself: a table of one cell, which has the sessions of all rooms."""
    words = Words()
    yield (
        "<!DOCTYPE html><html><head><title>IEEE Cluster 2025 Program</title></head><body>"
        '<table id="program-table"><tr><td><h2 class="section-title">Wednesday September 3rd</h2><hr/>\n'
        '<div class="timeslot"><h3 class="session-time">11:30-13:00</h3>\n'
    )
    while True:
        head = f"Session ({next(words.number)}) {words.title()}"
        yield (
            f'<div class="program-session"><div class="session-title">{head}</div>\n'
            '<div class="room-name">Great Hall</div>\n'
            f'<div class="session-chair">Chair: {words.name()} (Norwick)</div>\n'
        )
        for _ in range(3):
            yield html_talk(words)
        yield '<div class="hr"><hr/></div></div>\n'


def html_talk(words: Words) -> str:
    """Render one talk: the title twice, and what a click opens."""
    title = words.title()
    authors = ", ".join(f"{name} (Orb Lab)" for name in words.names())
    return (
        f'<div class="slot-title"><div class="slot-wrapper"><span class="ttip_object_info_very_wide">\n{title}\n'
        '<i class="fa fa-caret-right"></i></span>\n<div class="info_link_object_info" style="display: none;">'
        f'<b id="t_title">\n{title}\n</b><hr/><div><div class="author-names">\n{authors}\n</div>\n'
        f"<div><div>Abstract<blockquote><p>{words.paragraph()}</p></blockquote></div></div></div></div></div></div>\n"
    )


def by_date() -> Iterator[str]:
    """Yield the entries of the page by date."""
    words = Words()
    yield (
        "<!DOCTYPE html><html><head><title>IEEE Cluster 2018 Program</title></head><body>"
        "<p>Norwick, September 10-13, 2018</p>"
        '<span class="page-title">IEEE Cluster 2018 Program</span><div class="entries">\n'
    )
    while True:
        yield (
            '<div class="session-entry"><span class="session-date">Wednesday</span> '
            '<span class="session-time">10:30am-12:00pm</span><br/><span class="room-name">Quay</span><br/>'
            '<span class="session-event-type">Paper</span>\n'
            f'<div class="session-title">Paper session {next(words.number)}: {words.title()}</div>'
            f'<div class="session-chair">Chair: {words.name()} (Norwick)</div>\n'
            f"{''.join(by_date_talk(words) for _ in range(3))}"
            '<div class="hr"><hr/></div></div>\n'
        )


def by_date_talk(words: Words) -> str:
    """Render one talk of the page by date."""
    authors = "; ".join(f"{name} (Orb Lab)" for name in words.names())
    return (
        f'<div class="slot-entry"><div class="slot-title">{words.title()}</div>'
        f'<div class="slot-authors">{authors}</div>\n<div><a href="#x">Abstract</a>'
        f'<div style="display: none;"><b>Abstract</b><p>{words.paragraph()}</p></div></div></div>\n'
    )


BULK: Final[dict[str, Bulk]] = {
    "traf": Bulk(traf),
    "full": Bulk(full),
    "html": Bulk(html, ".html", bottom="</div></td></tr></table></body></html>"),
    "html_by_date": Bulk(by_date, ".html", bottom="</div></body></html>"),
}
