"""The faults of a site: what it answers instead of a page, one kind after another.

A kind gets the ``Scene``, which is a page on a night, and returns the wrong answer: a ``Reply``, a text, or what the
page shows instead. None means that the kind does not apply to this page.
"""

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from itertools import groupby
from random import Random
from typing import Final

from benchmarks.fault_sites import HOSTS, Item, Site, WebSheet, dump, write
from tests.support.sites import Reply, redirect

SILENT: Final = {"X-Silent": "yes"}
"""The header of an answer that never comes: the way to the server makes it a timeout, so that nobody waits."""

OLDER: Final = timedelta(days=9)

_LOGIN: Final = (
    "<!DOCTYPE html><html lang='en'><head><title>Log in</title></head><body><h1>Log in</h1><form method='post'>"
    "<input name='user'><input type='password' name='password'><button>Log in</button></form></body></html>"
)
_HOME: Final = (
    "<!DOCTYPE html><html lang='en'><head><title>Welcome</title></head><body><h1>Welcome</h1>"
    "<p>Papers, programmes and more, every day.</p><a href='/about'>About us</a></body></html>"
)
_CAPTCHA: Final = (
    "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>"
    "<p>Please verify you are a human to see this page.</p><div class='g-recaptcha'></div></body></html>"
)
_REPAIRS: Final = (
    "<!DOCTYPE html><html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1></body></html>"
)
_GERMAN: Final = {
    'lang="en"': 'lang="de"',
    "lang='en'": "lang='de'",
    "Showing new listings for": "Neue Einträge vom",
    "Catchup results for": "Nachgeholt:",
    "Total of": "Insgesamt",
    "Title:": "Titel:",
    "Subjects:": "Gebiete:",
    "New submissions": "Neu eingereicht",
    "PROGRAM FOR": "PROGRAMM FÜR",
    "Chair: ": "Leitung: ",
    "Location: ": "Ort: ",
    "ABSTRACT. ": "KURZFASSUNG. ",
    "Wednesday": "Mittwoch",
    "WEDNESDAY": "MITTWOCH",
    "Thursday": "Donnerstag",
    "THURSDAY": "DONNERSTAG",
    "Friday": "Freitag",
    "FRIDAY": "FREITAG",
    "June": "Juni",
    "JUNE": "JUNI",
}
_KEYS: Final = re.compile(r'"(title|authors|persons|summary|abstract|date)":')


@dataclass(frozen=True, slots=True)
class Scene:
    """A page on a night: its site and another one, what it shows, how many nights the fault is old, and dice."""

    site: Site
    other: Site
    source: str
    night: date
    age: int
    address: str
    sheet: WebSheet
    random: Random

    @property
    def text(self) -> str:
        """The page as it should be."""
        return write(self.sheet)

    @property
    def is_html(self) -> bool:
        """True if the page should be HTML."""
        return self.text.startswith("<")

    def sheet_at(self, night: date) -> WebSheet | None:
        """Return what the page showed on another night."""
        return self.site.sheets(self.source, night).get(self.address)

    def sheet_of(self, day: date) -> WebSheet | None:
        """Return what the page of the same kind for another day shows."""
        sheets = self.site.sheets(self.source, self.night).values()
        return next((sheet for sheet in sheets if (sheet.kind, sheet.day) == (self.sheet.kind, day)), None)


Wrong = Reply | str | bytes | WebSheet | None


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault: its name, what it is, how to make it, and on how many nights it lasts at least.

    A kind that turns the ``clock`` applies to all sources, by so many days.
    """

    name: str
    says: str
    make: Callable[[Scene], Wrong]
    lasts: int = 1
    clock: int = 0


def always(reply: Reply) -> Callable[[Scene], Wrong]:
    """Return a fault that is the same answer to every request."""
    return lambda _: reply


def instead(text: str) -> Callable[[Scene], Wrong]:
    """Return a fault that is another page with status 200."""
    return lambda _: Reply(text, headers={"Content-Type": "text/html"})


# Answers


def empty(scene: Scene) -> Wrong:
    """Say that there is nothing, as the site says it."""
    return scene.sheet.showing((), honest=True) if scene.sheet.items else None


def empty_after_failure(scene: Scene) -> Wrong:
    """Fail for a night, then say that there is nothing."""
    return empty(scene) if scene.age else Reply(status=503)


def stuck_tag(scene: Scene) -> Wrong:
    """Send an etag that stays the same while the page changes."""
    return Reply(scene.text, headers={"ETag": '"stuck"'})


def error_object(_scene: Scene) -> Wrong:
    """Answer with an error as JSON, but with status 200."""
    return Reply(dump({"error": "Internal error", "status": 500}), headers={"Content-Type": "application/json"})


def other_form(scene: Scene) -> Wrong:
    """Answer with a page of HTML in place of JSON, and with JSON in place of HTML."""
    if scene.is_html:
        return Reply(dump({"title": scene.sheet.name, "papers": []}), headers={"Content-Type": "application/json"})
    rows = "".join(f"<li><a href='/papers/{item.number}'>{item.title}</a></li>" for item in scene.sheet.items)
    return Reply(f"<!DOCTYPE html><html><body><ul>{rows}</ul></body></html>", headers={"Content-Type": "text/html"})


def broken_gzip(scene: Scene) -> Wrong:
    """Damage some bytes in the middle of the packed page."""
    packed = bytearray(gzip.compress(scene.text.encode(), mtime=0))
    for place in range(len(packed) // 2, min(len(packed) // 2 + 8, len(packed) - 8)):
        packed[place] ^= 0x55
    return Reply(bytes(packed), headers={"Content-Encoding": "gzip"})


def too_long(scene: Scene) -> Wrong:
    """Declare more bytes than are sent."""
    return Reply(scene.text, length=len(scene.text.encode()) + 500)


# Other pages


def other_day(scene: Scene) -> Wrong:
    """Show the list of the day before, or of the last one that had a list."""
    for back in range(1, 6):
        if scene.sheet.day and (sheet := scene.sheet_of(scene.sheet.day - timedelta(days=back))) and sheet.items:
            return sheet
    return None


def newest(scene: Scene) -> Wrong:
    """Show the newest list, whatever was asked for."""
    for back in range(6):
        if scene.sheet.day and (sheet := scene.sheet_of(scene.night - timedelta(days=back))) and sheet.items:
            return sheet if sheet != scene.sheet else None
    return None


def redated(scene: Scene) -> Wrong:
    """Show the list of the day before, with the date of the day."""
    found = other_day(scene)
    return replace(found, day=scene.sheet.day) if isinstance(found, WebSheet) and scene.sheet.kind != "day" else None


def older(scene: Scene) -> Wrong:
    """Show what the page showed nine nights before; a list of a day, what it showed on its first night."""
    sheet = scene.sheet_at(scene.sheet.day or scene.night if scene.sheet.kind == "list" else scene.night - OLDER)
    return sheet if sheet != scene.sheet else None


def last_night(scene: Scene) -> Wrong:
    """Show what the page showed the night before."""
    sheet = scene.sheet_at(scene.night - timedelta(days=1))
    return sheet if sheet != scene.sheet else None


def of_other(scene: Scene) -> Wrong:
    """Show the page of another category or event at the same address."""
    if not scene.sheet.name:
        return None
    return scene.other.sheets(scene.source, scene.night).get(scene.address)


def repeated(scene: Scene) -> Wrong:
    """Show the first page of a feed again as the second."""
    first = next(iter(scene.site.sheets(scene.source, scene.night).values()))
    return first if scene.sheet.kind == "feed" and scene.sheet.place else None


# Parts of pages


def cut_at_byte(scene: Scene) -> Wrong:
    """End the page anywhere, without a word in the headers."""
    data = scene.text.encode()
    return data[: scene.random.randint(len(data) // 5, len(data) * 9 // 10)]


def cut_at_element(scene: Scene) -> Wrong:
    """End the page behind an entry, a talk or an object."""
    ends = [found.end() for found in re.finditer(r"</dd>|</tr>|\},", scene.text)]
    return scene.text[: scene.random.choice(ends)] if len(ends) > 2 else None


def cut_at_section(scene: Scene) -> Wrong:
    """End the page before a section or a session."""
    starts = [found.start() for found in re.finditer(r"<dl |\n<div class=\"session\">", scene.text)][1:]
    return scene.text[: scene.random.choice(starts)] if starts else None


def half(scene: Scene, *, honest: bool) -> Wrong:
    """Show half of the items in a complete page, with the totals of all or with its own."""
    size = len(scene.sheet.items)
    return scene.sheet.showing(scene.sheet.items[: size // 2], honest=honest) if size > 3 else None


def without_section(scene: Scene) -> Wrong:
    """Leave out a section or a session."""
    parts = [part for part, _ in groupby(scene.sheet.items, lambda item: item.part) if part]
    left_out = scene.random.choice(parts) if len(parts) > 1 else None
    return scene.sheet.showing([item for item in scene.sheet.items if item.part != left_out]) if left_out else None


def without_day(scene: Scene) -> Wrong:
    """Leave out a day of a programme, and the link to its page."""
    days = sorted({item.begins.date() for item in scene.sheet.items if item.begins})
    if len(days) < 2:
        return None
    left_out = scene.random.choice(days)
    kept = [item for item in scene.sheet.items if item.begins is None or item.begins.date() != left_out]
    return replace(scene.sheet.showing(kept), linked=tuple(day for day in scene.sheet.linked if day != left_out))


def without_links(scene: Scene) -> Wrong:
    """Leave out the links to the day pages."""
    return re.sub(r' href="2026-[^"]*"', "", scene.text) if scene.sheet.linked else None


# Values


def each(change: Callable[[Item], Item]) -> Callable[[Scene], Wrong]:
    """Return a fault that changes every item in the same way."""

    def make(scene: Scene) -> Wrong:
        changed = scene.sheet.showing([change(item) for item in scene.sheet.items])
        return changed if changed != scene.sheet else None

    return make


def shifted(scene: Scene) -> Wrong:
    """Show each title beside the item behind its own."""
    items = scene.sheet.items
    titles = [item.title for item in (*items[-1:], *items[:-1])]
    return scene.sheet.showing([replace(item, title=title) for item, title in zip(items, titles, strict=True)]) or None


def same_title(scene: Scene) -> Wrong:
    """Show one title for all items."""
    title = scene.sheet.items[0].title if len(scene.sheet.items) > 1 else ""
    return scene.sheet.showing([replace(item, title=title) for item in scene.sheet.items]) if title else None


def twice(scene: Scene) -> Wrong:
    """Show every item twice."""
    return scene.sheet.showing([item for item in scene.sheet.items for _ in range(2)]) if scene.sheet.items else None


def wrong_total(scene: Scene) -> Wrong:
    """Declare seven items more than are shown."""
    changed = replace(scene.sheet, total=scene.sheet.total + 7)
    return changed if scene.sheet.items and write(changed) != scene.text else None


def later(days: int, hours: int) -> Callable[[Item], Item]:
    """Return a change of all times."""
    span = timedelta(days=days, hours=hours)
    return lambda item: replace(
        item, begins=item.begins and item.begins + span, starts=item.starts and item.starts + span
    )


def teaser(item: Item) -> Item:
    """Cut an abstract after some words."""
    return replace(item, abstract=f"{item.abstract[:60]}...")


def initials(item: Item) -> Item:
    """Print only the first letter of first names."""
    return replace(item, people=tuple(f"{name[0]}. {name.split()[-1]}" for name in item.people))


# Text


def german(scene: Scene) -> Wrong:
    """Print labels and days in German."""
    text = scene.text
    for word, other in _GERMAN.items():
        text = text.replace(word, other)
    return text if scene.is_html and scene.sheet.items else None


def mangled(scene: Scene) -> Wrong:
    """Read UTF-8 as Latin-1 and encode it again."""
    wrong = scene.text.encode().decode("latin-1")
    return wrong if wrong != scene.text else None


def in_latin(scene: Scene) -> Wrong:
    """Send the page in Windows-1252 without saying so."""
    wrong = scene.text.encode("cp1252", errors="replace")
    return wrong if wrong != scene.text.encode() else None


def renamed(scene: Scene) -> Wrong:
    """Give other names to classes or keys."""
    if scene.is_html:
        return re.sub(r"class=(['\"])(?=[a-z])", r"class=\1new-", scene.text)
    return _KEYS.sub(lambda found: f'"{found[1]}_v2":', scene.text)


def escaped(scene: Scene) -> Wrong:
    """Escape what is escaped already."""
    wrong = scene.text.replace("&amp;", "&amp;amp;") if scene.is_html else scene.text.replace(" & ", " &amp; ")
    return wrong if wrong != scene.text else None


def with_controls(scene: Scene) -> Wrong:
    """Strew control characters into titles."""
    marks = ("\x00", "\x0b", "\x1b", "\x7f")

    def strew(item: Item) -> Item:
        return replace(item, title=item.title.replace(" ", f"{scene.random.choice(marks)} ", 1))

    sheet = scene.sheet.showing([strew(item) for item in scene.sheet.items])
    text = write(sheet)
    if not scene.is_html and scene.random.random() < 0.5:  # raw, which is not JSON any more
        text = re.sub(r"\\u00(0[0b]|1b|7f)", lambda found: chr(int(found[1], 16)), text)
    return text if scene.sheet.items else None


def marked(scene: Scene) -> Wrong:
    """Begin with a byte order mark."""
    return b"\xef\xbb\xbf" + scene.text.encode()


def wrapped(scene: Scene) -> Wrong:
    """Put the JSON inside another object, as a new version of an interface does."""
    return None if scene.is_html else dump({"version": 2, "result": json.loads(scene.text)})


def clean(scene: Scene) -> Wrong:
    """Show the page as it should be."""
    return scene.text


def turn(**values: object) -> Callable[[Scene], Wrong]:
    """Return a fault that gives all items the same values."""
    return each(partial(_with, values))


def _with(values: dict[str, object], item: Item) -> Item:
    """Return an item with other values."""
    return replace(item, **values)  # type: ignore[arg-type]  # the values fit their fields


EXTRA: Final = {f"{host}{path}": text for host in HOSTS.values() for path, text in (("/login", _LOGIN), ("/", _HOME))}
"""Pages to which faults redirect."""

KINDS: Final = (
    FaultKind("error_500", "status 500", always(Reply(status=500))),
    FaultKind("unavailable", "status 503 with Retry-After", always(Reply(status=503, headers={"Retry-After": "2"}))),
    FaultKind("too_many", "status 429", always(Reply(status=429))),
    FaultKind("not_found", "status 404", always(Reply("Not found", 404))),
    FaultKind("forbidden", "status 403", always(Reply("Forbidden", 403))),
    FaultKind("timeout", "no answer", always(Reply(headers=SILENT))),
    FaultKind("dropped", "the connection ends without an answer", always(Reply(drop=True))),
    FaultKind("to_login", "redirected to a login page", always(redirect("/login"))),
    FaultKind("to_home", "redirected to the home page", always(redirect("/"))),
    FaultKind("to_other_host", "redirected to another host", always(redirect("https://parked.example/"))),
    FaultKind("captcha", "a captcha with status 200", instead(_CAPTCHA)),
    FaultKind("maintenance", "a maintenance page with status 200", instead(_REPAIRS)),
    FaultKind("login", "a login page with status 200", instead(_LOGIN)),
    FaultKind("empty_body", "no bytes with status 200", always(Reply())),
    FaultKind("empty", "an empty list, 'no updates', no sessions", empty),
    FaultKind("empty_after_503", "status 503, the night after an empty list", empty_after_failure, lasts=2),
    FaultKind("always_304", "status 304 to every request", always(Reply(status=304))),
    FaultKind("stuck_etag", "an etag that stays while the page changes", stuck_tag, lasts=3),
    FaultKind("error_object", "an error as JSON with status 200", error_object),
    FaultKind("other_form", "HTML in place of JSON, JSON in place of HTML", other_form),
    FaultKind("broken_gzip", "damaged gzip", broken_gzip),
    FaultKind("length_too_long", "Content-Length is too long", too_long),
    FaultKind(
        "wrong_type", "a wrong content type", lambda scene: Reply(scene.text, headers={"Content-Type": "image/png"})
    ),
    FaultKind("other_day", "the list of the day before for the day asked", other_day),
    FaultKind("newest_for_all", "the newest list for every day", newest),
    FaultKind("redated", "the list of the day before with the date of the day", redated),
    FaultKind("older", "an older version of the page", older),
    FaultKind("last_night", "the page of the night before", last_night),
    FaultKind("of_other", "another category, another event", of_other),
    FaultKind("feed_repeats", "the second page of the feed repeats the first", repeated),
    FaultKind("cut_byte", "cut at a byte", cut_at_byte),
    FaultKind("cut_element", "cut behind an element", cut_at_element),
    FaultKind("cut_section", "cut before a section", cut_at_section),
    FaultKind("half", "half of the items, totals of all", partial(half, honest=False)),
    FaultKind("half_honest", "half of the items, totals to match", partial(half, honest=True)),
    FaultKind("no_section", "a section or session is missing", without_section),
    FaultKind("no_day", "a day of the programme and its link are missing", without_day),
    FaultKind("no_day_links", "an index without links to its days", without_links),
    FaultKind("no_times", "times are missing", turn(starts=None)),
    FaultKind("no_names", "names are missing", turn(people=())),
    FaultKind("no_abstracts", "abstracts are missing", turn(abstract="")),
    FaultKind("teasers", "abstracts end after some words", each(teaser)),
    FaultKind("initials", "first names are initials", each(initials)),
    FaultKind("first_author", "only the first author", each(lambda item: replace(item, people=item.people[:1]))),
    FaultKind("title_twice", "each title is printed twice", each(lambda i: replace(i, title=f"{i.title} {i.title}"))),
    FaultKind("title_shifted", "each title stands at the next item", shifted),
    FaultKind("one_title", "all items have the same title", same_title),
    FaultKind("upper_case", "titles in capitals", each(lambda item: replace(item, title=item.title.upper()))),
    FaultKind("items_twice", "every item twice", twice),
    FaultKind("wrong_total", "a total that does not match", wrong_total),
    FaultKind("two_hours_off", "all times in another zone", each(later(0, -2))),
    FaultKind("last_year", "the days of last year", each(later(-364, 0))),
    FaultKind("german", "the page in another language", german),
    FaultKind("mangled", "UTF-8 read as Latin-1 and encoded again", mangled),
    FaultKind("undeclared_1252", "Windows-1252 without a word", in_latin),
    FaultKind("renamed", "classes or keys have other names", renamed),
    FaultKind("wrapped", "JSON inside another object", wrapped),
    FaultKind("escaped_twice", "escaped twice", escaped),
    FaultKind("controls", "NUL and control characters", with_controls),
    FaultKind("bom", "a byte order mark", marked),
    FaultKind("clock_back", "the clock is set back by nine days", clean, clock=-9),
)


def spoil(kind: FaultKind, scene: Scene) -> Reply | None:
    """Return the wrong answer to a request; None if the kind does not apply or changes nothing."""
    made = kind.make(scene)
    if isinstance(made, WebSheet):
        made = write(made)
    if made is None or made == scene.text:
        return None
    return made if isinstance(made, Reply) else Reply(made)
