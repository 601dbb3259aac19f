"""Programmes of any size, for the benchmarks: a day of endless parallel sessions."""

from collections.abc import Iterator
from typing import Final

from tests.support.bulk import Bulk, Words

_TOP: Final = "FJORD 2026: 9TH CONFERENCE ON COLD WATER\nPROGRAM FOR WEDNESDAY, JUNE 17TH\nDays:\nall days\n\n"
_PAGE: Final = (
    '<!DOCTYPE html><html style="display:none"><head><script>var key = "pd:FJORD2026:2026-06-17";</script></head><body>'
    '<div id="title">FJORD 2026: 9TH CONFERENCE ON COLD WATER</div>'
    '<div id="pagetitle">PROGRAM FOR WEDNESDAY, JUNE 17TH</div><div class="days">Days: <a href="index.html">'
    '<div class="all_days">all days</div></a></div>\n'
)
_WEEK: Final = tuple(f"{day}, June {number}th" for number, day in enumerate(("Monday", "Tuesday", "Wednesday"), 15))
_TIMES: Final = ("11:00", "11:20", "11:40", "12:00")


def main_affiliations() -> Iterator[str]:
    """Yield sessions of four talks, each author on a line with affiliation."""
    words = Words()
    yield _TOP
    while True:
        yield f"11:00-12:30 Session {next(words.number)}A: Track 2.1: {words.title()}\n"
        for time in _TIMES:
            people = "\n".join(f"{name} ({words.place()})" for name in words.names())
            yield f"{time}\n{people}\n{words.title()}\n\nABSTRACT. {words.paragraph()}\n\n"


def full_names() -> Iterator[str]:
    """Yield sessions of four talks, the authors on one line, with chair, room and presenter."""
    words = Words()
    yield _TOP
    while True:
        yield f"11:00-12:30 Session {next(words.number)}A: {words.title()}\nChair:\n{words.name()}\nLocation: Room B\n"
        for time in _TIMES:
            *first, last = words.names()
            people = f"{', '.join(first)} and {last}"
            yield f"{time}\n{people}\n{words.title()}\nPRESENTER: {last}\n\nABSTRACT. {words.paragraph()}\n\n"


def table() -> Iterator[str]:
    """Yield talks as cells of a table, without sessions and authors."""
    words = Words()
    yield "View: session overviewtalk overview\n"
    while True:
        yield f"|11:00\n{words.title()}\nSPEAKER: {words.name()}\nABSTRACT. {words.paragraph()}\n"


def html_day() -> Iterator[str]:
    """Yield sessions of four talks as markup."""
    words = Words()
    yield _PAGE
    while True:
        heading = f"Session {next(words.number)}A: {words.title()}"
        yield (
            f'<div class="session"><a name="session:{next(words.number)}"><div class="heading">'
            f'<span class="interval">11:00-12:30</span> <span class="title">{heading}</span></div></a>'
            '<div class="session_chair"><div class="chair_word">Chair: </div>'
            f'<div class="chair_names">{link(words.name())}</div></div><div class="room"><a href="room3.html">'
            '<span class="room_word">Location: </span><span class="room_name">Room B</span></a></div>'
            f'<table class="talks">{"".join(html_talk(words, time) for time in _TIMES)}</table></div>\n'
        )


def html_talk(words: Words, time: str) -> str:
    """Return the row of a talk."""
    *first, last = (link(name) for name in words.names())
    return (
        f'<tr class="talk"><td class="time">{time}</td><td><a name="talk:{next(words.number)}"><div class="authors">'
        f'{", ".join(first)} and {last}</div></a><div class="title">{words.title()}</div>'
        f'<div class="presenter">PRESENTER: {last}</div>'
        f'<div class="abstract"><p>ABSTRACT. {words.paragraph(700)}</p><p>{words.paragraph(500)}</p></div></td></tr>\n'
    )


def link(name: str) -> str:
    """Return a linked name."""
    return f'<a class="person" href="person{len(name)}.html">{name}</a>'


def html_week() -> Iterator[str]:
    """Yield the days of a week on one page, with abstracts: sessions of four talks, each author with affiliation."""
    return days_of_week(abstracts=True)


def html_index() -> Iterator[str]:
    """Yield the same as an index page: links in place of abstracts, so little else than names and places."""
    return days_of_week(abstracts=False)


def days_of_week(*, abstracts: bool) -> Iterator[str]:
    """Yield days one below the other, as on a page of all days."""
    words = Words()
    yield (
        "<!DOCTYPE html><html><head><title>Page</title></head><body>"
        '<div id="title">FJORD 2026: 9TH CONFERENCE ON COLD WATER</div><div id="pagetitle">PROGRAM</div>\n'
    )
    while True:
        for day in _WEEK:
            yield (
                f'<div class="date">{day}</div>\n<p>View this program: <a href="d.html">with abstracts</a>'
                '<a href="s.html">session overview</a><a>talk overview</a></p>\n'
                f"{''.join(week_session(words, abstracts=abstracts) for _ in range(12))}"
            )


def week_session(words: Words, *, abstracts: bool) -> str:
    """Return a session of a page of all days."""
    heading = f"Session {next(words.number)}A: {words.title()}"
    talks = "".join(week_talk(words, time, abstracts=abstracts) for time in _TIMES)
    return (
        f'<div class="session"><a name="session:{next(words.number)}"><div class="heading">'
        f'<span class="interval">11:00-12:30</span> <span class="title">{heading}</span></div></a>\n'
        '<div class="room"><span class="room_word">Location: </span><span class="room_name">Room B</span></div>\n'
        f'<table class="talks">{talks}</table></div>\n'
    )


def week_talk(words: Words, time: str, *, abstracts: bool) -> str:
    """Return the row of a talk, with its abstract or a link to it."""
    people = "<br/>\n".join(f"{link(name)} ({words.place()})" for name in words.names())
    number = next(words.number)
    there = f'<span style="font-weight:normal"> (<a href="2026-06-17.html#talk:{number}">abstract</a>)</span></div>'
    here = f'</div><div class="abstract"><p>ABSTRACT. {words.paragraph(700)}</p><p>{words.paragraph(500)}</p></div>'
    return (
        f'<tr class="talk"><td class="time">{time}</td><td><a name="talk:{number}"><div class="authors">{people}</div>'
        f'</a>\n<div class="title">{words.title()}{here if abstracts else there}</td></tr>\n'
    )


BULK: Final[dict[str, Bulk]] = {
    "main_affiliations": Bulk(main_affiliations),
    "full_names": Bulk(full_names),
    "table": Bulk(table),
    "html_day": Bulk(html_day, ".html", bottom="</body></html>"),
    "html_week": Bulk(html_week, ".html", bottom="</body></html>"),
    "html_index": Bulk(html_index, ".html", bottom="</body></html>"),
}
