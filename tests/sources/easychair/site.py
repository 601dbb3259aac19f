"""An invented Smart Program: an index page and its two day pages, one of which links to the other."""

from tests.support.sites import Sites

HOST = "programs.example"
FOLDER = f"{HOST}/smart-program/CRUMB2026"
STEADY = True
"""What is asked for is the same every day, and little."""
TARGETS = ({"url": f"https://{FOLDER}/index.html", "timezone": "Europe/Oslo", "event": "CRUMB 2026", "year": 2026},)
TITLES = frozenset({"Foam in Tanks", "Queues of Cranes", "Maps of Deltas"})

WEDNESDAY = ("2026-06-17", "WEDNESDAY, JUNE 17TH", ("Foam in Tanks", "Queues of Cranes"))
THURSDAY = ("2026-06-18", "THURSDAY, JUNE 18TH", ("Maps of Deltas",))

TOP = '<html><body><div id="title">CRUMB2026: AN INVENTED CONFERENCE ON TOAST</div>'


def session(titles: tuple[str, ...], *, day: str | None = None) -> str:
    """Return a session; on an index page (``day`` given) each title links to its abstract."""
    return (
        '<div class="session"><a name="session:1"><div class="heading"><span class="interval">09:00-10:30</span> '
        '<span class="title">Session 1: Slicing</span></div></a><table class="talks">'
        + "".join(talk(title, number, day) for number, title in enumerate(titles))
        + "</table></div>"
    )


def talk(title: str, number: int, day: str | None) -> str:
    """Return a talk, without its abstract on an index page."""
    link = f' (<a href="{day}.html#talk:{len(title)}">abstract</a>)'
    text = f'<div class="abstract"><p>ABSTRACT. We look at {title.lower()}.</p></div>'
    return (
        f'<tr class="talk"><td class="time">09:{number}0</td><td><a name="talk:{len(title)}"><div class="authors">'
        '<a class="person" href="person1.html">Anna Vell</a> and <a class="person" href="person2.html">Bo Wexley</a>'
        f'</div></a><div class="title">{title}{link if day else ""}</div>{"" if day else text}</td></tr>'
    )


def day_page(day: str, printed: str, titles: tuple[str, ...]) -> str:
    """Return the page of a day, with links to other pages."""
    return (
        f'{TOP}<div id="pagetitle">PROGRAM FOR {printed}</div><div class="days">Days: '
        '<a href="2026-06-18.html"><div class="next_day">next day</div></a>'
        '<a href="index.html"><div class="all_days">all days</div></a></div>'
        f'<p>View: <a href="bysession-{day}.html">session overview</a><a href="bytalk-{day}.html">talk overview</a></p>'
        f"{session(titles)}</body></html>"
    )


def index_page(*days: tuple[str, str, tuple[str, ...]]) -> str:
    """Return the index page: links to the days, to their overviews, and what they hold."""
    links = "".join(f'<a class="program_days" href="{day}.html">{printed.title()}</a>' for day, printed, _ in days)
    parts = "".join(
        f'<div class="date">{printed.title()}</div><p>View this program: <a href="{day}.html">with abstracts</a>'
        f'<a href="bysession-{day}.html">session overview</a><a href="bytalk-{day}.html">talk overview</a></p>'
        f"{session(titles, day=day)}"
        for day, printed, titles in days
    )
    return f'{TOP}<div id="pagetitle">PROGRAM</div><p>{links}</p>{parts}</body></html>'


def fill(sites: Sites) -> None:
    """Publish all pages."""
    sites.put(f"{FOLDER}/index.html", index_page(WEDNESDAY, THURSDAY))
    sites.put(f"{FOLDER}/2026-06-17.html", day_page(*WEDNESDAY))
    sites.put(f"{FOLDER}/2026-06-18.html", day_page(*THURSDAY))
