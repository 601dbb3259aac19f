"""Which sections and pages a site has: programmes, listings, feeds, search, the first page and that of the night.

The key of a page is a hash of everything that it shows, with the templates: a page with the same key is not made again
(``pipeline.publishing.sites``).
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache, cached_property, partial
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from typing import Any, Final

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined, Template, select_autoescape

from pipeline.base.escape import harmless
from pipeline.base.settings import Settings, SiteSettings
from pipeline.export.ics import SHOWN, fold, make_event, make_head, make_zones
from pipeline.publishing.captures import captures_of, owners_of
from pipeline.publishing.chain import older_than
from pipeline.publishing.feeds import FeedEntry, FeedMemory
from pipeline.publishing.runs import Run
from pipeline.publishing.sites import SitePage, SiteSection
from pipeline.publishing.store import Snapshot
from pipeline.reading.cache import pages_hash
from pipeline.site.feeds import FEEDS_FOLDER, FeedBook
from pipeline.site.formulas import typeset
from pipeline.site.listing import folder_of_listing, listing_pages
from pipeline.site.model import (
    Past,
    ProgrammeView,
    PublishedChange,
    affiliation_of,
    affiliations_of,
    day_name,
    days_of,
    first_time,
    folder_of,
    has_own_time,
    moment_of,
    paragraphs,
    person_id,
    safe_link,
    short_day,
    source_feed,
    span_of,
    view_of,
)
from pipeline.site.news import in_feed, in_sum
from pipeline.site.night import hash_of, is_good, night_of
from pipeline.site.other_listings import OtherListings, other_listings_of
from pipeline.site.search import SearchBook
from pipeline.viewing.history import History, changes_of, load_history
from pipeline.viewing.programmes import Programme, frames_of, listings_of, scan_listed
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.texts import heading_of, label_of, name_of, names_of, people
from pipeline.viewing.timetable import Timetable, day_of
from schemas.vocabulary import NOTES

ASSETS: Final = ("style.css", "site.js")
CHANGES_SHOWN: Final = ("changed", "moved", "retitled")
"""Kinds of change that the page of a record tells."""

Slotted = tuple[Row, int, Row]
"""A record, the place of a slot among its slots with a start, and the slot."""

_OF_PAGES: Final = (".html", ".xml", ".css", ".js")  # templates and assets


def make_sections(
    selection: Selection,
    settings: SiteSettings,
    run: Settings,
    runs: Sequence[Run] = (),
    memory: FeedMemory | None = None,
) -> list[SiteSection]:
    """Return the sections of the site of a snapshot and of the runs. Raises ``StoreError`` if a file is damaged.

    ``run`` has the settings of these, whose roots stand in commands. ``memory`` has the news of programmes and
    listings, which are feeds too where the site has an address.
    """
    selection.verify_files()
    past = load_past(selection)
    history = load_history(selection, SHOWN)
    lost: dict[tuple[str, str | None], list[Slotted]] = defaultdict(list)
    for row, place, slot in history.lost():
        lost[row["source"], row["event"]].append((row, place, slot))
    also = other_listings_of(selection)
    memory = memory or FeedMemory(selection.snapshot.id, ())
    news = memory.by_feed()
    across = _SharedPages(selection, settings, memory)
    sections, index = [], []
    for source in selection.sources():
        captures = _captures(selection, source)
        seen = pl.read_parquet(selection.files(source, "sightings"), glob=False)
        for programme, frame in frames_of(selection, source):
            sightings = seen.join(frame.select("record_id"), on="record_id", how="semi")
            own = {each: past[each] for each in frame["record_id"] if each in past}
            listed = {each: also[each] for each in frame["record_id"] if each in also}
            gone = lost.get(_key_of(programme), [])
            folder = folder_of(programme)
            told = news.get(folder, ())
            chapter = _ProgrammePages(settings, programme, frame, sightings, own, told, listed, gone, history, captures)
            sections.append(SiteSection(folder, chapter.key, chapter.pages))
            index.append((programme, folder, not captures.invented.isdisjoint(frame["dump"].unique())))
            across.add_programme(programme, frame, chapter.key)
    listings = listings_of(selection)
    for listing in listings:
        section = _Listing(settings, listing.source, selection, across.add_listing(listing.source))
        sections.append(SiteSection(folder_of_listing(listing.source), section.key, section.pages))
    index.sort(key=lambda each: each[0].begins or date.min, reverse=True)
    own_pages = {each.source: folder_of_listing(each.source) for each in listings}
    shown = {"programmes": index, "listings": [(each, own_pages[each.source]) for each in listings]}
    shown |= across.tell(own_pages)
    return [_root(selection.snapshot, settings, shown, run, runs), *sections, *across.sections()]


class _SharedPages:
    """What is made of programmes and listings together: the news of the first page, the feeds, the search."""

    def __init__(self, selection: Selection, settings: SiteSettings, memory: FeedMemory) -> None:
        """Begin with nothing but the entries of the feeds."""
        self._selection, self._settings = selection, settings
        entries = tuple(each for each in memory.entries if each.snapshot == selection.snapshot.id)
        self._new = FeedMemory(memory.begun, (), entries).by_feed()
        self._news: dict[str, tuple[str, str, str]] = {}  # by the folder of a programme or listing
        self._book = FeedBook(memory, settings.url) if settings.url else None
        self._search = SearchBook() if settings.search else None

    def add_programme(self, programme: Programme, frame: pl.DataFrame, key: str) -> None:
        """Add the records of a programme; ``key`` is that of its pages."""
        folder = folder_of(programme)
        if folder in self._new:
            self._news[folder] = programme.name, f"{folder}/changes.html", in_sum(self._new[folder])
        if self._book:
            self._book.add_programme(folder, programme.name, frame)
        if self._search:
            self._search.add_programme(programme.source, programme.begins, folder, key, frame)

    def add_listing(self, source: str) -> list[tuple[str, str]]:
        """Add the listed records of a source; return their categories, each with the name of its feed."""
        folder, listed = folder_of_listing(source), scan_listed(self._selection, source)
        new = self._new.get(source_feed(source), ())
        papers = [each for each in new if self._news.keys().isdisjoint(each.feeds)]
        if len(papers) < len(new):  # how many more of the source there are says nothing of its papers then
            papers = [each for each in papers if each.change != "more"]
        if papers:
            self._news[folder] = source, f"{folder}/index.html", in_sum(papers)
        if self._search:
            self._search.add_listing(source, folder, listed.collect())
        return self._book.add_listing(self._selection, source, folder) if self._book else []

    def tell(self, listings: Mapping[str, str]) -> dict[str, Any]:
        """Return what the first page and that of the search show; ``listings`` are the folders of the sources."""
        sources = []
        if self._book and self._selection.event is None:
            sources = self._selection.sources()
            for source in sources:
                self._book.add_source(source, f"{listings[source]}/index.html" if source in listings else "index.html")
        indexes = self._search.names if self._search else []
        feeds = [(each, source_feed(each)) for each in sources]
        return {"news": list(self._news.values()), "feeds": feeds, "indexes": indexes}

    def sections(self) -> Iterator[SiteSection]:
        """Yield the sections of the feeds and of the search."""
        if self._book:
            yield _feeds(self._settings, self._book)
        if self._search:
            yield from self._search.sections(partial(_digest, _code()))


def _feeds(settings: SiteSettings, book: FeedBook) -> SiteSection:
    """Return the section of the feeds."""
    pages = []
    for feed in book.feeds:
        lines = book.lines(feed)
        shown = {"feed": feed, "lines": lines, "updated": book.updated(lines)}
        path = f"{FEEDS_FOLDER}/{feed.name}.xml"
        make = partial(_render, "feed.xml", settings, path, **shown)
        pages.append(SitePage(_digest(_code(), settings, shown), [f"{feed.name}.xml"], partial(_alone, make)))
    return SiteSection(FEEDS_FOLDER, _digest(*(each.key for each in pages)), lambda: pages)


def _alone(make: Callable[[], bytes]) -> list[bytes]:
    """Return the bytes of the only file of a page."""
    return [make()]


def _root(
    snapshot: Snapshot, settings: SiteSettings, shown: Mapping[str, object], run: Settings, runs: Sequence[Run]
) -> SiteSection:
    """Return the section of the first page, of the page of the night, and of what all pages use."""
    told = {**shown, "snapshot": snapshot.id, "made_at": snapshot.made_at}
    pages = [SitePage(_digest(_code()), ASSETS, lambda: [_asset(name) for name in ASSETS])]
    pages.append(
        SitePage(
            _digest(_code(), settings, told),
            ["index.html"],
            lambda: [_render("index.html", settings, ".", **told)],
        )
    )
    if settings.search:
        key = _digest(_code(), settings, shown["indexes"])
        make = partial(_render, "search.html", settings, "search.html", indexes=shown["indexes"])
        pages.append(SitePage(key, ["search.html", "search.js"], lambda: [make(), _asset("search.js")]))
    night = night_of(snapshot, runs, run, raw=settings.raw)
    key = _digest(_code(), settings, snapshot.id, night)
    pages.append(SitePage(key, ["night.html"], lambda: [_night(snapshot, settings, night)]))
    return SiteSection(".", _digest(*(each.key for each in pages)), lambda: pages)


def _night(snapshot: Snapshot, settings: SiteSettings, night: Mapping[str, Any]) -> bytes:
    """Return the page of the night, with style and script within."""
    style, script = (_asset(name).decode() for name in ("style.css", "night.js"))
    hashes = {"style": style, "style_hash": hash_of(style), "script": script, "script_hash": hash_of(script)}
    return _render("night.html", settings, "night.html", snapshot=snapshot, **hashes, **night)


@dataclass(frozen=True)
class _Listing:
    """The listed records of a source, from which the pages of its days are made."""

    settings: SiteSettings
    source: str
    selection: Selection
    categories: Sequence[tuple[str, str]] = ()

    @property
    def key(self) -> str:
        """A hash of all that the pages show: the published files, of which none is read if they are the same."""
        snapshot = self.selection.snapshot
        hashes = [snapshot.files[path]["sha256"] for path in snapshot.pieces("records", self.source).values()]
        return _digest(_code(), self.settings, hashes)

    def pages(self) -> Iterator[SitePage]:
        """Yield the pages: that of the days, and those of each day."""
        pages = list(listing_pages(scan_listed(self.selection, self.source).collect()))
        yield SitePage(
            self.key, ["index.html"], lambda: [self._page("listing.html", "", pages=pages, categories=self.categories)]
        )
        for newer, page, older in zip([None, *pages[:-1]], pages, [*pages[1:], None], strict=True):
            neighbours = [each and (each.name, each.parts) for each in (newer, older)]
            key = _digest(_code(), self.settings, page.name, page.parts, page.digest, neighbours)
            shown = {"page": page, "newer": newer, "older": older}
            yield SitePage(key, [f"{page.name}.html"], partial(self._pages, page.name, **shown))

    def _pages(self, name: str, **shown: object) -> list[bytes]:
        """Return a page of a day."""
        return [self._page("listed.html", f"{name}.html", **shown)]

    def _page(self, template: str, name: str, **shown: object) -> bytes:
        """Return a page of the listing."""
        path = f"{folder_of_listing(self.source)}/{name}"
        return _render(template, self.settings, path, source=self.source, feed=source_feed(self.source), **shown)


@dataclass(frozen=True)
class _ProgrammePages:
    """A programme with everything from which its pages are made."""

    settings: SiteSettings
    programme: Programme
    frame: pl.DataFrame
    sightings: pl.DataFrame
    past: Past
    news: Sequence[FeedEntry]
    also: OtherListings
    lost: Sequence[Slotted]
    history: History
    captures: "_Captures"

    @cached_property
    def key(self) -> str:
        """A hash of all that the pages show."""
        revisions = [self.history.revisions.get(each, 0) for each in self.frame["record_id"]]
        dumps = sorted(self.frame["dump"].unique())
        about = (self.captures.pages, self.captures.times)
        read = [(dump, dump in self.captures.invented, *(each.get(dump) for each in about)) for dump in dumps]
        frames = (self.frame.write_ndjson(), self.sightings.write_ndjson())
        return _digest(_code(), self.settings, *frames, self.past, self.news, self.also, self.lost, revisions, read)

    def pages(self) -> Iterator[SitePage]:
        """Yield the pages: the timetable with its calendars, the picks, and one for each record."""
        rows = list(map(harmless, self.frame.iter_rows(named=True)))
        view = view_of(self.programme, rows, self.captures.invented, self.past, self.news)
        events = {row["record_id"]: self._events(row) for row in rows}
        days = sorted({day_of(slot["starts_at"]) for row in rows for _, slot in _slots(row)})
        calendars = ["event.ics", *(f"day-{day}.ics" for day in days)] if days else []
        yield SitePage(self.key, ["index.html", *calendars], lambda: self._index(view, events))
        if view.is_big:
            yield SitePage(self.key, ["items.js", *(file for *_, file in view.parts)], lambda: self._parts(view))
        yield SitePage(self.key, ["picks.html"], lambda: [self._picks(view, events)])
        for name in ("people", "papers", "changes"):
            if getattr(view, name):
                yield SitePage(self.key, [f"{name}.html"], partial(self._whole, f"{name}.html", view))
        sightings = defaultdict(list)
        for seen in self.sightings.iter_rows(named=True):
            sightings[seen["record_id"]].append(harmless(seen))
        shown = (view.name, view.is_invented, bool(view.people), bool(view.papers), view.is_big)
        about = _digest(_code(), self.settings, *shown)
        for row in rows:
            name, own = view.file(row), sightings[row["record_id"]]
            page = self.captures.pages.get(row["dump"])
            taken = self.captures.times.get(row["dump"])
            neighbours = [
                each and (view.file(each), label_of(each)) for each in view.neighbours.get(row["record_id"], ())
            ]
            told = (self.past.get(row["record_id"]), self.also.get(row["record_id"]))
            key = _digest(about, row, own, page, taken, neighbours, *told, events[row["record_id"]])
            kinds = [f"{name}.html", *([f"{name}.ics"] if events[row["record_id"]] else [])]
            yield SitePage(key, kinds, partial(self._record_page, view, row, own, events[row["record_id"]]))

    def _events(self, row: Row) -> list[tuple[Any, str]]:
        """Return the calendar events of a record as text, each with its day."""
        revision = self.history.revisions.get(row["record_id"], 0)
        cancelled = "cancelled" in row["notes"]
        return [(day_of(placed[1]["starts_at"]), _event(row, placed, revision, cancelled)) for placed in _slots(row)]

    def _index(self, view: ProgrammeView, events: Mapping[str, list[tuple[Any, str]]]) -> list[bytes]:
        """Return the timetable, the calendar of all days, also with what is gone, and that of each day."""
        (page,) = self._days(view) if view.is_big else [self._timetable(view, view.timetable)]
        every = [each for row in view.rows for each in events[row["record_id"]]]
        gone = [
            _event(row, (place, slot), self.history.revisions.get(row["record_id"], 0), True)
            for row, place, slot in self.lost
        ]
        pairs = [(row["timezone"], slot) for row in view.rows for _, slot in _slots(row)]
        pairs += [(row["timezone"], slot) for row, _, slot in self.lost]
        zones = make_zones(pairs).decode()
        days = sorted({day for day, _ in every})
        texts = [[*(text for _, text in every), *gone]] if days else []
        texts += [[text for each, text in every if each == day] for day in days]
        return [page, *(_calendar(view.name, zones, each) for each in texts)]

    def _days(self, view: ProgrammeView) -> list[bytes]:
        """Return the page of a big programme that lists its days and finds in all of them."""
        return [_render("days.html", self.settings, f"{view.folder}/", view=view, items=True, part=None)]

    def _parts(self, view: ProgrammeView) -> list[bytes]:
        """Return the items of a big programme as a script, the pages of its days, and that of what has no time."""
        data = f"globalThis.items = {json.dumps(view.items())};\n".encode()
        whole, names = view.timetable, [name for name, *_ in view.parts]
        tables = [replace(whole, days=(day,), untimed=()) for day in whole.days]
        tables += [replace(whole, days=())] if whole.untimed else []
        return [data, *(self._timetable(view, *each) for each in zip(tables, names, strict=True))]

    def _timetable(self, view: ProgrammeView, table: Timetable, part: str | None = None) -> bytes:
        """Return a page with the days of a timetable; ``part`` is what it shows of a big programme."""
        shown = {"days": table.days, "untimed": table.untimed, "part": part, "items": False}
        return _render("programme.html", self.settings, f"{view.folder}/", view=view, **shown)

    def _whole(self, template: str, view: ProgrammeView) -> list[bytes]:
        """Return a page that shows the programme as a whole."""
        return [_render(template, self.settings, f"{view.folder}/", view=view)]

    def _picks(self, view: ProgrammeView, events: Mapping[str, list[tuple[Any, str]]]) -> bytes:
        """Return the page of picks, with the calendar text of each record."""
        zones = make_zones((row["timezone"], slot) for row in view.rows for _, slot in _slots(row)).decode()
        items = {
            view.ids[row["record_id"]]: {
                "title": label_of(row),
                "at": min((moment_of(slot["starts_at"]) for _, slot in _slots(row)), default=""),
                "when": [f"{day_name(slot['starts_at'].date())}, {slot['starts_at']:%H:%M}" for _, slot in _slots(row)],
                "room": next((slot["room"] for _, slot in _slots(row) if slot["room"]), ""),
                "page": f"{view.file(row)}.html",
                "ics": "".join(text for _, text in events[row["record_id"]]),
            }
            for row in view.rows
        }
        head = b"".join(map(fold, make_head(f"My picks of {view.name}"))).decode() + zones
        data = {"head": head, "tail": fold("END:VCALENDAR").decode(), "items": items}
        return _render("picks.html", self.settings, f"{view.folder}/picks.html", view=view, data=data)

    def _record_page(
        self, view: ProgrammeView, row: Row, sightings: Sequence[Row], events: Sequence[tuple[Any, str]]
    ) -> list[bytes]:
        """Return the page of a record, and its calendar if it has a time."""
        past = self.past.get(row["record_id"], ())
        page = self.captures.pages.get(row["dump"])
        more = {
            "row": row,
            "sightings": sightings,
            "page": page,
            "captured_at": self.captures.times.get(row["dump"]),
            "neighbours": view.neighbours.get(row["record_id"], (None, None)),
            "past": past,
            "also": self.also.get(row["record_id"], ()),
            "has_calendar": bool(events),
            "notes": NOTES,
        }
        made = _render("talk.html", self.settings, f"{view.folder}/{view.file(row)}.html", view=view, **more)
        if not events:
            return [made]
        zones = make_zones((row["timezone"], slot) for _, slot in _slots(row)).decode()
        return [made, _calendar(name_of(row), zones, [text for _, text in events])]


def load_past(selection: Selection) -> dict[str, list[PublishedChange]]:
    """Return the changes of each record that the kept snapshots tell, newest first."""
    found: dict[str, list[PublishedChange]] = defaultdict(list)
    snapshot = selection.snapshot
    for each in (snapshot, *older_than(snapshot)):
        if each is not snapshot and not each.agrees("changes.parquet"):
            continue
        told = changes_of(each).filter(pl.col("change").is_in(CHANGES_SHOWN))
        for row in map(harmless, told.iter_rows(named=True)):
            values = tuple((value["column"], value["before"], value["after"]) for value in row["values"] or ())
            found[row["record_id"]].append(PublishedChange(each.made_at.date(), row["change"], values))
    return dict(found)


def _key_of(programme: Programme) -> tuple[str, str | None]:
    """Return source and event of a programme; what a page without an event no longer has is not known."""
    return (programme.source, programme.event or "\n")


@dataclass(frozen=True, slots=True)
class _Captures:
    """What the captures of a source say: which dumps are specimens, and the page of each and when it was captured."""

    invented: frozenset[str]
    pages: Mapping[str, str]
    times: Mapping[str, datetime | None]


def _captures(selection: Selection, source: str) -> _Captures:
    """Read the captures of a source."""
    table = captures_of(selection.snapshot, source)
    pages, invented = dict(table.select("dump", "page").iter_rows()), set(table.filter(pl.col("specimen"))["dump"])
    times = dict(table.select("dump", "captured_at").iter_rows())
    for path, dump in owners_of(table).items():
        pages[path], times[path] = pages[dump], times[dump]
        invented |= {path} if dump in invented else set()
    return _Captures(frozenset(invented), pages, times)


def _slots(row: Row) -> list[tuple[int, Row]]:
    """Return the slots of a record that have a start, each with its place among them."""
    return list(enumerate((slot for slot in row["slots"] or () if slot["starts_at"]), 1))


def _event(row: Row, placed: tuple[int, Row], revision: int, cancelled: bool) -> str:  # as made
    """Return the calendar text of a slot."""
    return b"".join(map(fold, make_event(row, placed, revision, cancelled=cancelled))).decode()


def _calendar(name: str, zones: str, events: Iterable[str]) -> bytes:
    """Return a calendar."""
    head = map(fold, make_head(name))
    return b"".join(chain(head, [zones.encode()], (each.encode() for each in events), [fold("END:VCALENDAR")]))


def _digest(*parts: object) -> str:
    """Return a hash of values, by what they print as: no sets, whose order differs."""
    return sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]


@cache
def _code() -> str:
    """Return a hash of code, templates and assets: pages of another version are made anew."""
    package = files("pipeline.site")
    found = [*package.joinpath("templates").iterdir(), *package.joinpath("assets").iterdir()]
    texts = ((each.name, each.read_text("utf-8")) for each in found if each.name.endswith(_OF_PAGES))
    return _digest([pages_hash(), sorted(texts)])


def _asset(name: str) -> bytes:
    """Return a style sheet or script."""
    return files("pipeline.site").joinpath("assets", name).read_bytes()


def _render(template: str, settings: SiteSettings, path: str, **shown: object) -> bytes:
    """Return a page of the site; ``path`` is its address below the root."""
    root = "../" * path.count("/")
    made = _template(template).render(site=settings, root=root, path="" if path == "." else path, **shown)
    return made.encode("utf-8")


@cache
def _template(name: str) -> Template:
    """Return a template."""
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    """Return the environment of the templates: everything printed is escaped, and a missing name is an error."""
    environment = Environment(
        loader=PackageLoader("pipeline.site"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        auto_reload=False,  # or each page asks the disk whether its templates have changed
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "day": day_name,
        "days": days_of,
        "first_time": first_time,
        "good": is_good,
        "heading": heading_of,
        "in_feed": in_feed,
        "instant": lambda moment: f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        "label": label_of,
        "link": safe_link,
        "moment": moment_of,
        "names": names_of,
        "own": has_own_time,
        "paragraphs": paragraphs,
        "people": people,
        "short_day": short_day,
        "person_id": person_id,
        "affiliation": affiliation_of,
        "affiliations": affiliations_of,
        "span": lambda block, day: span_of(block.start, block.end, day),
        "typeset": typeset,
    }
    return environment
