"""Programmes of any size, for the benchmarks: a day of endless parallel sessions."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.bulk import Words


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
    """Yield the page itself; no end tag of the table is needed, and what is open nests no deeper with its size."""
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


BULK: Final[dict[str, Callable[[], Iterator[str]]]] = {"traf": traf, "full": full, "html": html}
