"""What a line of a programme looks like: the examples of the table of forms, and hard lines of real pages."""

import inspect
import re
from collections.abc import Iterator

import pytest

from parsers._grammar.states import StateTable
from parsers.cluster import by_date_text, forms, glance, html, older_layouts
from parsers.cluster.forms import FORMS, form_of, forms_of

BESIDE = {
    "PAI": ["Offloaded stores", "Offloaded stores"],
    "AGN": ["Offloaded stores", "Offloaded stores"],
    "REP": ["Welcome Reception", "Reception"],
}
"""Codes that neighbours give: the lines of which the first, or the last, has the code."""
OF_PAGE = "CMN"
"""The code that the whole page gives."""
ALONE = {code: text for code, text in FORMS.items() if code not in {*BESIDE, OF_PAGE}}
TABLES = {
    "glance": glance.TABLE,
    "by_date": by_date_text.ENTRIES,
    "2014": older_layouts.TIMETABLE,
    "2015": older_layouts.GRIDS,
    "2017": older_layouts.LISTS,
}

LINES = {
    "COD": (
        "Session I: best papers (Areas 1 and 2)",
        "Paper session II: Quays and Ropes",
        "Track A: HPC Applications",
        "Workshop sessions II",
        "K1: Keynote-1",
        "Best Paper Finalists",
        "Networks (Session II)",
    ),
    "TAG": ("[Tutorial] Small Files (agenda)", "Tutorial: Small Files in Modern C++", "[Workshop] SMALL 2031"),
    "KEY": ("Keynote: Ada Quill, Orb Lab, Norwick", "Keynote II", "Welcome and Keynote I"),
    "PAN": ("Panel Discussion",),
    "CER": ("LANTERN 2031 Opening", "Welcome: Ada Quill and Bea Sorn", "Welcome and Registration", "Closing Session"),
    "ITM": (
        "Break",
        "Lunch",
        "Registration",
        "Student Networking Lunch",
        "Conference Banquet",
        "Networking Dinner — Sail Loft of Norwick",
        "Drinks Reception & Self-Guided Tours, Sail Gallery",
    ),
    "PST": ("Poster Presentations",),
    "TMB": ("Dinner: 19:00", "Reception: 18:00-19:00"),
    "TYP": ("Workshop", "Other", "Paper", "Poster"),
    "AWD": ("Best Paper",),
    "CHA": ("Chair: Bea Sorn, Orb Lab", "Session Chair: Bea Sorn", "Moderator: Bea Sorn (Norwick)"),
    "PPL": ("Panelists:", "Speakers: Ann One, Bo Two"),
    "ABS": ("Abstract Abstract",),
    "BIO": ("Bio:", "Biography Biography"),
    "TBA": ("TBD",),
    "BRA": ("(Lunch box is provided for attendee)",),
    "SPK": ("TPC report (Bea Sorn, TPC Co-Chair, Orb Lab)",),
    "ROO": ("Reception Hall", "International Conference Room Room 401/402", "HS13", "Foyer", "Assembly Hall"),
    # two words that may be a name
    "NAM": ("Bing Xie", "Binrui Li", "J.-P. O'Shea", "W. Pepper Mats", "Pentland East", "Di Wu"),
    "PER": ("Ann One (U. Lantern)", "Ada Quill, Orb Lab, Norwick"),
    "LST": (
        "ANN ONE, BO TWO, and CY THREE (Plum)",
        "Ann One (Plum); Bo Two, Cy Three, and Di Four (Orb Lab); and Ed Five (Plum)",
        "Wei Liu, W. Pepper Mats, Fay Six",
    ),
    "SUR": ("Du, Wang, Wu, Wang, Liu, Zhou, Li", "Sun, Xu, N. Toosi"),
    "SEN": ("This session is scheduled to start at 9:30.", "Registration required - limited seats. (Register here)"),
    # two words that are no name
    "TTS": ("MPI Collectives", "Exploring Ropes", "The Miller's Tale", "When Ropes Break"),
    "TTQ": (
        "Be SMART, Save I/O: A Store for Small Files",
        "Are We There Yet? Predicting Waits",
        "Room for Two: Packing Jobs",
        "Student session: First Steps",
    ),
    "TTL": ("Hall of Mirrors with Ropes", "Harbour lights"),
    "ODD": ("tcTide: A Fast Library",),
    "ONE": ("Gulls",),
}


def lines() -> Iterator[tuple[str, str]]:
    """Yield the hard lines with their codes."""
    return ((code, text) for code, texts in LINES.items() for text in texts)


@pytest.mark.parametrize(("code", "text"), ALONE.items())
def test_example_has_its_code(code: str, text: str) -> None:
    """The line that stands beside a code in the table of forms is of that form."""
    assert form_of(text) == code


@pytest.mark.parametrize(("code", "texts"), BESIDE.items())
def test_example_has_its_code_beside_another_line(code: str, texts: list[str]) -> None:
    """Two lines of the same words say what both are."""
    assert (FORMS[code] in texts, code in forms_of(texts)) == (True, True)


def test_short_text_of_several_slots() -> None:
    """A short text that stands in several slots is a room or a person."""
    assert forms_of([FORMS[OF_PAGE]], common=frozenset({FORMS[OF_PAGE]})) == [OF_PAGE]


@pytest.mark.parametrize(("code", "text"), list(lines()))
def test_hard_line(code: str, text: str) -> None:
    """What real pages print is of the form that a reader would say."""
    assert form_of(text) == code


@pytest.mark.parametrize(
    ("texts", "codes"),
    [
        (["Small Ropes", "Ann One (Plum)", "Small Ropes"], ["PAI", "PER", "AGN"]),
        (["Harbour lights", "Abstract", "Harbour lights"], ["TTL", "ABS", "TTL"]),
        (["Lunch", "Lunch"], ["ITM", "ITM"]),
        (["Welcome Reception", "Reception", "Welcome Reception"], ["ITM", "REP", "REP"]),
    ],
)
def test_lines_beside_each_other(texts: list[str], codes: list[str]) -> None:
    """A text that stands twice is the title of a talk, also with a line between; an item that stands twice is none."""
    assert forms_of(texts) == codes


def test_forms_of_markup_stay() -> None:
    """What a class says is not asked again."""
    assert forms_of(["Harbour lights", "Harbour lights"], [".talk", ".again"]) == [".talk", ".again"]


def codes_of(table: StateTable) -> set[str]:
    """Return all codes that a table takes."""
    return {code for taken in table.takes for code in taken}


def test_table_takes_known_codes() -> None:
    """Every code of the table at a glance has an example; one of markup is given there."""
    given = set(re.findall(r'"(\.[a-z]+)"', inspect.getsource(html)))
    assert codes_of(glance.TABLE) - FORMS.keys() - given == set()


@pytest.mark.parametrize("name", TABLES)
def test_tables_hold_no_names(name: str) -> None:
    """Tables hold codes, states and roles: no word of a page stands in them."""
    table = TABLES[name]
    words = {*codes_of(table), *(word for state in table.states for word in state if word)}
    code = re.compile(r"[A-Z]{3}|\.[a-z]+|(?:[A-Z]\.)?[a-z]+\d?")
    assert {word for word in words if not code.fullmatch(word)} == set()


def test_forms_hold_no_names() -> None:
    """Capitalised words in the patterns of forms are what rooms, papers and parts of programmes are called anywhere."""
    patterns = [
        re.sub(r"\s#\s.*", "", value.pattern) for value in vars(forms).values() if isinstance(value, re.Pattern)
    ]
    known = set(
        """Best Candidates Finalists Nominees Paper Short Student Amphitheat Atrium Auditorium Aula Ballroom Break
        Event Floor Foyer Hall Invited Keynote Lobby Lounge Online Other Panel Plenary Poster Registration Room Rooms
        Salon Social Suite Talk Theat Tutorial Workshop Zoom""".split()
    )
    assert {word for pattern in patterns for word in re.findall(r"[A-Z][a-z]{3,}", pattern)} - known == set()
