"""Five invented sites as they are night after night: a pure function of a seed, an address and a night.

``Site.sheets`` says what each page shows, ``write`` prints it as its site does. A fault can so change what a page
shows before it is printed, or the printed page; both are in ``benchmarks.fault_kinds``.

``arxiv``      the newest announcement and a page for each day to catch up with; none at weekends
``hf_daily``   a list for each day, which is complete only the night after
``alphaxiv``   a feed of two pages; a paper stays on it for eight nights
``easychair``  an index page and three day pages; the programme changes a little most nights
``pretalx``    a schedule as JSON, which changes likewise
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache
from html import escape
from itertools import groupby
from random import Random
from typing import Any, Final

FIRST: Final = date(2026, 1, 7)
"""The first night."""

BEFORE: Final = 12
"""Days before the first night that the sites know."""

SATURDAY: Final = 5
STAYS: Final = 8
FEED_PAGE: Final = 20
TALK: Final = timedelta(minutes=20)

HOSTS: Final = {
    "alphaxiv": "feed.example",
    "arxiv": "listing.example",
    "easychair": "programs.example",
    "hf_daily": "papers.example",
    "pretalx": "schedule.example",
}
TAGGED: Final = frozenset(("alphaxiv", "easychair", "hf_daily", "pretalx"))
"""The sites that send an etag with each page."""

FOLDER: Final = f"{HOSTS['easychair']}/smart-program/CRUMB2026"
SCHEDULE: Final = f"{HOSTS['pretalx']}/jam/schedule.json"

CONFIG: Final = f"""\
contact = "ann@fair.example"
[[alphaxiv]]
base = "https://{HOSTS["alphaxiv"]}"
topics = ["cs.DC"]
[[arxiv]]
base = "https://{HOSTS["arxiv"]}"
category = "cs.DC"
listings = ["new", "catchup"]
days = 3
[[easychair]]
url = "https://{FOLDER}/index.html"
timezone = "Europe/Oslo"
event = "CRUMB 2026"
year = 2026
[[hf_daily]]
base = "https://{HOSTS["hf_daily"]}"
days = 3
[[pretalx]]
url = "https://{SCHEDULE}"
"""

GIVEN: Final = "Ada|Bo|Zoë|Ömer|Łukasz|Óscar|Miwako|Mary Ann|Cai|Ines|Noé|Jürgen".split("|")
FAMILY: Final = "Quill|Fern|Ångström|Juric|van Oort|Żak|Özil|Nwosu|Grané|Núñez|Harbour|Tide|Vell|Wexley".split("|")
ADJECTIVES: Final = "Slow|Early|Große|Distributed|Calm|Sparse|Salted|Naïve|Elastic|Hollow|Warm|Tidal|Quiet".split("|")
THINGS: Final = (
    "Foam|Cranes|Ships|Deltas|Maps|Queues|Tanks|Locks|Ovens|Crumbs|Toast & Jam|Quays|Bubbles|Meshes|Logs|Kettles"
).split("|")
LINKS: Final = ("for", "under", "without", "near", "beyond", "across", "among")
ROOMS: Final = ("Great Hall", "Chart Room", "Quay 2", "Lecture Hall B")
SECTIONS: Final = ("New", "Cross", "Replacement")


@dataclass(frozen=True, slots=True)
class Item:
    """A paper or a talk; ``part`` is its section or session, with the times, the room and the chair of that."""

    number: str
    title: str
    people: tuple[str, ...]
    abstract: str
    part: str = ""
    room: str = ""
    chair: str = ""
    begins: datetime | None = None
    starts: datetime | None = None


@dataclass(frozen=True, slots=True)
class WebSheet:
    """What a page shows: its items and how many it declares, its day if it is of one, the name of category or event.

    ``kind`` says how it is printed; ``place`` is the number of a page of the feed; ``linked`` are the days that an
    index links to.
    """

    kind: str
    name: str
    items: tuple[Item, ...]
    total: int
    day: date | None = None
    place: int = 0
    linked: tuple[date, ...] = ()

    def showing(self, items: Sequence[Item], *, honest: bool = False) -> "WebSheet":
        """Return a page with other items, which declares as many as before, or those that it shows if it is honest."""
        return replace(self, items=tuple(items), total=len(items) if honest else self.total)


@dataclass
class Site:
    """The sites of a seed; those of ``other`` are of another category and of other events."""

    seed: int
    other: bool = False
    programmes: dict[str, list[tuple[Item, ...]]] = field(default_factory=dict)
    known: dict[tuple[str, date], dict[str, WebSheet]] = field(default_factory=dict)
    days: dict[tuple[str, date], tuple[Item, ...]] = field(default_factory=dict)

    def random(self, *names: object) -> Random:
        """Return the dice for something, the same every time."""
        return Random(f"{self.seed} {self.other} {names}")  # noqa: S311  # seeded, no secret

    def sheets(self, source: str, night: date) -> dict[str, WebSheet]:
        """Return what each page of a source shows at night, by address."""
        pages: dict[str, Callable[[date], Iterator[tuple[str, WebSheet]]]] = {
            "alphaxiv": self.feed,
            "arxiv": self.listings,
            "easychair": self.program,
            "hf_daily": self.lists,
            "pretalx": self.schedule,
        }
        if (source, night) not in self.known:
            self.known[source, night] = dict(pages[source](night))
        return self.known[source, night]

    def listings(self, night: date) -> Iterator[tuple[str, WebSheet]]:
        """Yield the newest announcement and the days to catch up with."""
        name = "Combinatorics" if self.other else "Distributed, Parallel, and Cluster Computing"
        days = [FIRST - timedelta(days=BEFORE) + timedelta(days=count) for count in range((night - FIRST).days + 13)]
        for day in days:
            items = self.announced(day)
            yield f"{HOSTS['arxiv']}/catchup/cs.DC/{day}?abs=True", WebSheet("catchup", name, items, len(items), day)
        newest = max(day for day in days if self.announced(day))
        items = self.announced(newest)
        yield f"{HOSTS['arxiv']}/list/cs.DC/new?skip=0&show=2000", WebSheet("new", name, items, len(items), newest)

    def announced(self, day: date) -> tuple[Item, ...]:
        """Return the papers announced on a day: none at weekends and on some holidays."""
        if ("arxiv", day) not in self.days:
            self.days["arxiv", day] = self.make_announcement(day)
        return self.days["arxiv", day]

    def make_announcement(self, day: date) -> tuple[Item, ...]:
        """Make the papers of an announcement: new ones, cross-lists, replacements."""
        random = self.random("announced", day)
        if day.weekday() >= SATURDAY or random.random() < 0.06:
            return ()
        sizes = (random.randint(5, 9), random.randint(1, 3), random.randint(1, 3))
        parts = [part for part, size in zip(SECTIONS, sizes, strict=True) for _ in range(size)]
        return tuple(
            self.paper(f"{day:%y%m}.{day:%d}{100 + place:03}", random, part) for place, part in enumerate(parts)
        )

    def lists(self, night: date) -> Iterator[tuple[str, WebSheet]]:
        """Yield the list of each day; that of today has only begun."""
        for count in range((night - FIRST).days + 13):
            day = FIRST - timedelta(days=BEFORE) + timedelta(days=count)
            items = self.listed(day)
            shown = items[: len(items) // 3] if day == night else items
            address = f"{HOSTS['hf_daily']}/api/daily_papers?date={day}&limit=100"
            yield address, WebSheet("list", "", shown, len(shown), day)

    def listed(self, day: date) -> tuple[Item, ...]:
        """Return the papers of the list of a day: few or none at weekends."""
        if ("hf_daily", day) not in self.days:
            random = self.random("listed", day)
            size = random.randint(8, 14) if day.weekday() < SATURDAY else random.randint(0, 3)
            numbers = [f"{day:%y%m}.{day:%d}{500 + place:03}" for place in range(size)]
            self.days["hf_daily", day] = tuple(self.paper(number, random) for number in numbers)
        return self.days["hf_daily", day]

    def feed(self, night: date) -> Iterator[tuple[str, WebSheet]]:
        """Yield the pages of the feed: three new papers each night, hot ones first."""
        days = [night - timedelta(days=age) for age in range(STAYS)]
        items = [
            self.paper(f"{day:%y%m}.{day:%d}{900 + place:03}", self.random("hot", day, place))
            for day in days
            for place in range(3)
        ]
        self.random("order", night).shuffle(items)
        for place in range(2):
            asked = f"pageNum={place}&pageSize={FEED_PAGE}&sort=Hot&interval=7+Days&topics=%5B%22cs.DC%22%5D"
            shown = tuple(items[place * FEED_PAGE : (place + 1) * FEED_PAGE])
            address = f"{HOSTS['alphaxiv']}/papers/v3/feed?{asked}"
            yield address, WebSheet("feed", "", shown, len(items), place=place)

    def program(self, night: date) -> Iterator[tuple[str, WebSheet]]:
        """Yield the index page of the programme and its day pages."""
        name = "RUSK2026: AN INVENTED MEETING ON RYE" if self.other else "CRUMB2026: AN INVENTED CONFERENCE ON TOAST"
        items = self.talks("easychair", night)
        days = tuple(sorted({item.begins.date() for item in items if item.begins}))
        yield f"{FOLDER}/index.html", WebSheet("index", name, items, len(items), linked=days)
        for day in days:
            shown = tuple(item for item in items if item.begins and item.begins.date() == day)
            yield f"{FOLDER}/{day}.html", WebSheet("day", name, shown, len(shown), day)

    def schedule(self, night: date) -> Iterator[tuple[str, WebSheet]]:
        """Yield the schedule."""
        items = self.talks("pretalx", night)
        yield SCHEDULE, WebSheet("schedule", "RuskConf 2026" if self.other else "JamConf 2026", items, len(items))

    def talks(self, source: str, night: date) -> tuple[Item, ...]:
        """Return a programme as it is at night."""
        states = self.programmes.setdefault(source, [self.first_programme(source)])
        count = (night - FIRST).days + BEFORE
        while len(states) <= count:
            states.append(self.edited(states[-1], self.random("edited", source, len(states))))
        return states[count]

    def first_programme(self, source: str) -> tuple[Item, ...]:
        """Return a programme of three days with four sessions of three talks each."""
        random = self.random("programme", source)
        days = [datetime(2026, 6, 17 + count, 9) for count in range(3)]
        items = []
        for number in range(12):
            begins = days[number // 4] + timedelta(minutes=120 * (number % 4))
            part, room = f"Session {number + 1}: {make_title(random)}", random.choice(ROOMS)
            chair = make_name(random)
            for place in range(3):
                paper = self.paper(f"{100 * (number + 1) + place}", random, part)
                items.append(replace(paper, room=room, chair=chair, begins=begins, starts=begins + place * TALK))
        return tuple(items)

    def edited(self, items: tuple[Item, ...], random: Random) -> tuple[Item, ...]:
        """Return a programme a night later: often as it was, else with one or two small changes."""
        for _ in range(random.choice((0, 0, 1, 1, 2))):
            items = random.choice((move_room, swap, add, drop, retitle, add_author))(self, items, random)
        return items

    def paper(self, number: str, random: Random, part: str = "") -> Item:
        """Return a paper with people."""
        title = make_title(random)
        people = tuple(dict.fromkeys(make_name(random) for _ in range(random.randint(1, 4))))
        measured = " ".join(random.choice(THINGS).lower() for _ in range(6))
        text = f"We look at {title.lower()} and measure {measured}. The effect on {random.choice(THINGS)} is naïve."
        return Item(number, title, people, f"{text} We repeat it {random.randint(2, 900)} times.", part)


def make_title(random: Random) -> str:
    """Return a title; there are so many that hardly any comes twice."""
    first, second, third = random.sample(THINGS, 3)
    named = f"{random.choice(ADJECTIVES)} {first} {random.choice(LINKS)} {random.choice(ADJECTIVES)} {second}"
    return f"{named} {random.choice(LINKS)} {third}"


def make_name(random: Random) -> str:
    """Return a first and a last name."""
    return f"{random.choice(GIVEN)} {random.choice(FAMILY)}"


def of_one(items: Sequence[Item], random: Random) -> list[Item]:
    """Return the talks of one session."""
    part = random.choice(items).part
    return [item for item in items if item.part == part]


def move_room(_site: Site, items: tuple[Item, ...], random: Random) -> tuple[Item, ...]:
    """Move a session to another room."""
    part, room = random.choice(items).part, random.choice(ROOMS)
    return tuple(replace(item, room=room) if item.part == part else item for item in items)


def swap(_site: Site, items: tuple[Item, ...], random: Random) -> tuple[Item, ...]:
    """Let the first two talks of a session change places."""
    session = of_one(items, random)
    if len(session) < 2:
        return items
    one, two = session[:2]
    changed = {one.number: replace(two, starts=one.starts), two.number: replace(one, starts=two.starts)}
    return tuple(changed.get(item.number, item) for item in items)


def add(site: Site, items: tuple[Item, ...], random: Random) -> tuple[Item, ...]:
    """Add a talk to a session of less than four."""
    session = of_one(items, random)
    last = session[-1]
    if len(session) > 3 or last.starts is None:
        return items
    paper = site.paper(f"{10_000 + random.randrange(80_000)}", random, last.part)
    new = replace(paper, room=last.room, chair=last.chair, begins=last.begins, starts=last.starts + TALK)
    place = items.index(last) + 1
    return (*items[:place], new, *items[place:])


def drop(_site: Site, items: tuple[Item, ...], random: Random) -> tuple[Item, ...]:
    """Drop the last talk of a session of more than two."""
    session = of_one(items, random)
    return tuple(item for item in items if item != session[-1]) if len(session) > 2 else items


def retitle(_site: Site, items: tuple[Item, ...], random: Random) -> tuple[Item, ...]:
    """Give a talk another title."""
    chosen, title = random.choice(items), make_title(random)
    return tuple(replace(item, title=title) if item == chosen else item for item in items)


def add_author(_site: Site, items: tuple[Item, ...], random: Random) -> tuple[Item, ...]:
    """Give a talk one more author."""
    chosen, name = random.choice(items), make_name(random)
    people = (*chosen.people, *({name} - set(chosen.people)))
    return tuple(replace(item, people=people) if item == chosen else item for item in items)


@cache
def write(sheet: WebSheet) -> str:
    """Print a page as its site does."""
    return WRITERS[sheet.kind](sheet)


def write_listing(sheet: WebSheet) -> str:
    """Print the page of an announcement, the newest one or one to catch up with."""
    assert sheet.day is not None  # noqa: S101  # every listing is of a day
    if sheet.kind == "new":
        top = (
            f"<h1>{sheet.name}</h1><h3>Showing new listings for {sheet.day:%A}, {sheet.day.day} {sheet.day:%B %Y}</h3>"
        )
        top += f"<div class='paging'>Total of {sheet.total} entries</div>"
        none = "<p>No updates today.</p>"
    else:
        day = f"{sheet.day:%a}, {sheet.day:%d %b %Y}"
        top = f"<h1>Catchup results for {sheet.name} on {day}</h1>"
        top += f"<p>Total of {sheet.total} entries for {day}</p>" if sheet.total else ""
        none = f"<p>No updates for {day}</p>"
    entries, place = "", 0
    left_out = sheet.total - len(sheet.items)
    for part, found in groupby(sheet.items, lambda item: item.part):
        items = list(found)
        declared = len(items) + (left_out if part == SECTIONS[0] else 0)
        entries += f"<dl id='articles'>\n<h3>{part} submissions (showing {declared} of {declared} entries)</h3>"
        for item in items:
            place += 1
            entries += write_entry(item, place)
        entries += "\n</dl>"
    return (
        f"<!DOCTYPE html>\n<html lang='en'><head><title>{sheet.name}</title><meta charset='utf-8'></head><body>"
        "<header><a href='/'>Skip to main content</a></header><div id='content'><div id='dlpage'>\n"
        f"{top}\n{entries or none}\n</div></div><footer>About Help Contact</footer></body></html>\n"
    )


def write_entry(item: Item, place: int) -> str:
    """Print an entry of a listing; replacements bear the mark of one."""
    names = ", ".join(f'<a href="https://listing.example/search/?query=Q">{escape(name)}</a>' for name in item.people)
    mark = {"Cross": " (cross-list from cs.NI)", "Replacement": " (replaced)"}.get(item.part, "")
    return (
        f'\n<dt><a name=\'item{place}\'>[{place}]</a> <a href ="/abs/{item.number}" title="Abstract" '
        f'id="{item.number}">\narXiv:{item.number}\n</a>{mark} [<a href="/pdf/{item.number}" title="Download PDF" '
        f"id=\"pdf-{item.number}\">pdf</a>]</dt>\n<dd><div class='meta'><div class='list-title mathjax'>"
        f"<span class='descriptor'>Title:</span> {escape(item.title)}</div>\n<div class='list-authors'>{names}</div>\n"
        "<div class='list-subjects'><span class='descriptor'>Subjects:</span> <span class=\"primary-subject\">"
        "Distributed, Parallel, and Cluster Computing (cs.DC)</span></div>\n"
        f"<p class='mathjax'>{escape(item.abstract)}</p></div></dd>"
    )


def write_list(sheet: WebSheet) -> str:
    """Print the list of a day."""
    assert sheet.day is not None  # noqa: S101  # every list is of a day
    return dump([make_entry(item, sheet.day) for item in sheet.items])


def make_entry(item: Item, day: date) -> dict[str, Any]:
    """Return an entry of the list of a day."""
    published = day - timedelta(days=1)
    return {
        "paper": {
            "id": item.number,
            "authors": [{"_id": f"{place}", "name": name, "hidden": False} for place, name in enumerate(item.people)],
            "publishedAt": f"{published}T10:00:00.000Z",
            "submittedOnDailyAt": f"{day}T00:00:00.000Z",
            "title": item.title,
            "summary": item.abstract,
            "upvotes": len(item.title),
        },
        "publishedAt": f"{published}T20:00:00.000Z",
        "title": item.title,
        "summary": item.abstract,
        "numComments": 0,
    }


def write_feed(sheet: WebSheet) -> str:
    """Print a page of the feed."""
    page = {"pageNum": sheet.place, "pageSize": FEED_PAGE, "totalPages": 2, "totalCount": sheet.total}
    return dump({"papers": [make_paper(item) for item in sheet.items], "page": page})


def make_paper(item: Item) -> dict[str, Any]:
    """Return a paper of the feed."""
    group = f"0190aaaa-0000-7000-8000-00000{item.number.replace('.', '')[:7]}"
    day = f"20{item.number[:2]}-{item.number[2:4]}-{item.number[5:7]}"
    return {
        "id": group,
        "paper_group_id": group,
        "universal_paper_id": item.number,
        "title": item.title,
        "abstract": item.abstract,
        "paper_summary": None,
        "metrics": {"visits_count": {"all": 3, "last_7_days": 2}, "total_votes": 1, "public_total_votes": 4},
        "first_publication_date": f"{day}T10:00:00.000Z",
        "publication_date": f"{day}T10:00:00.000Z",
        "topics": ["Computer Science", "cs.DC"],
        "authors": list(item.people),
    }


def write_index(sheet: WebSheet) -> str:
    """Print the index page of a programme."""
    links = "".join(f'<p><a class="program_days" href="{day}.html">{print_day(day)}</a></p>' for day in sheet.linked)
    body = ""
    for day, found in groupby(sheet.items, lambda item: item.begins.date() if item.begins else None):
        heading = f'<div class="date">{print_day(day)}</div>' if day else ""
        body += (
            f'{heading}<p>View this program: <a href="{day}.html">with abstracts</a></p>'
            if day in sheet.linked
            else heading
        )
        body += write_sessions(list(found), abstracts=False)
    return write_program(sheet, "PROGRAM", f"<p>Days: </p>{links}{body}")


def write_day(sheet: WebSheet) -> str:
    """Print the page of a day of a programme."""
    assert sheet.day is not None  # noqa: S101  # as its name says
    days = '<div class="days">Days: <a href="index.html"><div class="all_days">all days</div></a></div>'
    body = days + write_sessions(sheet.items, abstracts=True)
    return write_program(sheet, f"PROGRAM FOR {print_day(sheet.day).upper()}", body)


def print_day(day: date) -> str:
    """Return a day as a programme prints it."""
    return f"{day:%A}, {day:%B} {day.day}th"


def write_program(sheet: WebSheet, title: str, body: str) -> str:
    """Print a page of a programme around its sessions."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Program</title></head><body>'
        f'<div id="title">{sheet.name}</div><div id="main_menu"><a href="index.html">PROGRAM</a></div>'
        f'<div id="pagetitle">{title}</div>{body}\n<div id="disclaimer"><a href="d">Disclaimer</a> | Powered by '
        '<a href="e">EasyChair Smart Program</a></div></body></html>\n'
    )


def write_sessions(items: Sequence[Item], *, abstracts: bool) -> str:
    """Print the sessions of a day."""
    text = ""
    for part, found in groupby(items, lambda item: item.part):
        talks = list(found)
        first = talks[0]
        times = f"{first.begins:%H:%M}-{first.begins + 4 * TALK:%H:%M}" if first.begins and first.starts else ""
        text += (
            f'\n<div class="session"><a name="session:{first.number}"><div class="heading">'
            f'<span class="interval">{times}</span> <span class="title">{escape(part)}</span></div></a>'
            f'<div class="session_chair"><div class="chair_word">Chair: </div><div class="chair_names">'
            f'<a class="person" href="person1.html">{first.chair}</a></div></div><div class="room">'
            f'<span class="room_word">Location: </span><span class="room_name">{first.room}</span></div>'
            f'<table class="talks">{"".join(write_talk(talk, abstracts=abstracts) for talk in talks)}</table></div>'
        )
    return text


def write_talk(item: Item, *, abstracts: bool) -> str:
    """Print a talk; an index page links to its abstract."""
    links = [f'<a class="person" href="person1.html">{name}</a>' for name in item.people]
    names = " and ".join(filter(None, (", ".join(links[:-1]), *links[-1:])))
    link = f' (<a href="{item.begins:%Y-%m-%d}.html#talk:{item.number}">abstract</a>)' if item.begins else ""
    text = (
        f'<div class="abstract"><p>ABSTRACT. {escape(item.abstract)}</p></div>' if abstracts and item.abstract else ""
    )
    time = f"{item.starts:%H:%M}" if item.starts else ""
    return (
        f'\n<tr class="talk"><td class="time">{time}</td><td><a name="talk:{item.number}"><div class="authors">{names}'
        f'</div></a><div class="title">{escape(item.title)}{"" if abstracts else link}</div>{text}</td></tr>'
    )


def write_schedule(sheet: WebSheet) -> str:
    """Print a schedule."""
    days: list[dict[str, Any]] = []
    for day, found in groupby(sheet.items, lambda item: item.begins.date() if item.begins else None):
        rooms: dict[str, list[dict[str, Any]]] = {}
        for item in found:
            rooms.setdefault(item.room, []).append(make_event(item))
        days.append({"index": len(days) + 1, "date": f"{day}", "day_start": f"{day}T04:00:00+02:00", "rooms": rooms})
    conference = {"acronym": "jam26", "title": sheet.name, "time_zone_name": "Europe/Oslo", "days": days}
    return dump({"schedule": {"version": "1.2", "conference": conference}})


def make_event(item: Item) -> dict[str, Any]:
    """Return an event of a schedule."""
    times = {"date": f"{item.starts.isoformat()}+02:00", "start": f"{item.starts:%H:%M}"} if item.starts else {}
    return {
        "guid": f"9a1c0000-0000-4000-8000-{item.number:0>12}",
        "id": int(item.number),
        **times,
        "duration": "00:20",
        "room": item.room,
        "url": f"https://jam.example/{item.number}",
        "title": item.title,
        "subtitle": "",
        "track": item.part,
        "type": "Talk",
        "language": "en",
        "abstract": item.abstract,
        "description": "",
        "persons": [{"id": place, "public_name": name} for place, name in enumerate(item.people, 1)],
        "links": [],
        "attachments": [],
    }


def dump(value: object) -> str:
    """Return JSON as the interfaces write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


WRITERS: Final[dict[str, Callable[[WebSheet], str]]] = {
    "catchup": write_listing,
    "day": write_day,
    "feed": write_feed,
    "index": write_index,
    "list": write_list,
    "new": write_listing,
    "schedule": write_schedule,
}
