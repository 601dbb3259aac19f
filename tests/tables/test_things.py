"""Tables over data: paths, fields, joins, what is left out, and the account of every key."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from parsers._ledger.data import Data
from parsers._ledger.document import Document, Facts
from parsers._ledger.fields import FieldError
from parsers._tables.made import read_data
from parsers._tables.path_tables import compile_things
from parsers._tables.paths import DataFile, PathError, Walk, parse_path
from parsers._tables.selectors import TableError
from parsers._tables.things import ThingReader
from schemas.items import Link, Person, Record, Reject
from tests.support.cost import LIMIT, growth

KINDS = ("paper", "break", "keynote", "session")
TALK = '[talk]\nat = "talks[]"\ntitle = "t"\n'


def things(table: str, data: object) -> ThingReader:
    """Read things of data."""
    text = json.dumps(data)
    return ThingReader(Walk({"": DataFile(Data(text))}, len(text)), compile_things(table, KINDS))


def records(table: str, data: object, form: str = "json", facts: Facts | None = None) -> list[Record]:
    """Return the records of data."""
    text = data if isinstance(data, str) else json.dumps(data)
    document = Document.from_bytes("x/a", text.encode(), facts or Facts(event="JAM 2026", year=2026))
    found = list(read_data(document, compile_things(table, KINDS), form))
    assert not any(isinstance(each, Reject) for each in found)
    return [each for each in found if isinstance(each, Record)]


def unread(table: str, data: object) -> list[str]:
    """Return what of data nobody has claimed."""
    return left_by(things(table, data))


def left_by(reader: ThingReader) -> list[str]:
    """Return what a reader has left unclaimed."""
    assert reader.walk.root.file is not None
    return [span.text for span in reader.walk.root.file.data.account().unexplained]


AT_A_SECOND = datetime(2026, 6, 9, 10, 13, 20, tzinfo=UTC)
ADA, BO = Person("Ada Quill"), Person("Bo Ferns")


@pytest.mark.parametrize(
    ("row", "talk", "value"),
    [
        ('room = "slot.room"', {"slot": {"room": "Pot"}}, "Pot"),
        ('room = ["hall", "slot.room"]', {"slot": {"room": "Pot"}}, "Pot"),
        ('room = ["hall", "slot.room"]', {"hall": "Jar", "slot": {"room": "Pot"}}, "Jar"),
        ('room = "hall"', {"hall": 7}, None),
        ('room = "hall"', {"hall": {"name": "Pot"}}, None),
        ('room = { at = "halls[]", joint = " / " }', {"halls": ["Pot", "Jar", "Pot"]}, "Pot / Jar"),
        ('room = "halls[]"', {"halls": ["Pot", "Jar"]}, None),
        ('room = "hall"', {"hall": "https://jam.example/call"}, None),
        ('room = { at = "hall", nothing = ["TBA", "."] }', {"hall": " tba "}, None),
        ('track = ["track.en", "track.de", "track"]', {"track": {"en": "Fruit", "de": "Obst"}}, "Fruit"),
        ('track = ["track.en", "track"]', {"track": "Fruit"}, "Fruit"),
        ('type = { at = "type", html = true }', {"type": "Q&amp;A <b>now</b>"}, "Q&A now"),
        ('session = { at = "s", cut = ["."] }', {"s": "Slow Jams."}, "Slow Jams"),
        ('session = { at = "s", cut = ["####: ", " ###"] }', {"s": "2026: Jams 001"}, "Jams"),
        ('url = { at = "id", base = "https://jam.example/?id=" }', {"id": "a7"}, "https://jam.example/?id=a7"),
        ('url = { at = "u", base = "https://jam.example" }', {"u": "/a7"}, "https://jam.example/a7"),
        ('url = { at = "u", base = "https://jam.example" }', {"u": "https://o.example/"}, "https://o.example/"),
        ('id = "id"', {"id": 12}, "12"),
        (
            'starts = { at = "s", as = "milliseconds" }',
            {"s": 1781000000000},
            datetime(2026, 6, 9, 10, 13, 20, tzinfo=UTC),
        ),
        ('people = { at = "p[]", name = "n" }', {"p": ["ABCDEF"]}, None),
        (
            'people = { at = "p", beside = "a" }',
            {"p": "Ada Quill", "a": "Mole Lab"},
            (Person("Ada Quill", "Mole Lab"),),
        ),
        ('people = { at = "p[]", as = "people" }', {"p": ["Ada Quill, Bo Ferns"]}, (ADA, BO)),
        ('starts = "s"', {"s": "2026-06-17 9:30"}, None),
        ('starts = "s"', {"s": "2026-06-17 09:30:00"}, datetime(2026, 6, 17, 9, 30)),
        ('starts = "s"', {"s": "2026-06-17"}, date(2026, 6, 17)),
        ('starts = "s"', {"s": "9:30 am"}, "9:30 am"),
        ('starts = "s"', {"s": "soon"}, None),
        ('published = { at = "p", as = "milliseconds" }', {"p": 1781000000000}, date(2026, 6, 9)),
        ('published = "p"', {"p": "2026-06-17T09:30:00Z"}, date(2026, 6, 17)),
        ('day = { at = "d", words = { Friday = "2026-06-19" } }', {"d": "friday"}, (2026, 6, 19)),
        ('keywords = "k[;]"', {"k": "jam; pots"}, ("jam", "pots")),
        ('keywords = "k[]"', {"k": ["jam", "pots", "jam"]}, ("jam", "pots")),
        ('people = "p"', {"p": "Ada Quill and Bo Ferns"}, (ADA, BO)),
        ('people = "p"', {"p": "Why do Caches Fail"}, None),
        ('people = "p[|]"', {"p": "Ada Quill* | Bo Ferns"}, (ADA, BO)),
        ('people = "p[][ and ]"', {"p": ["Ada Quill and Bo Ferns"]}, (ADA, BO)),
        ('people = { at = "p", as = "name" }', {"p": "Group of Nine"}, (Person("Group of Nine"),)),
        ('people = { at = "p[|]", as = "names" }', {"p": "Ada Quill, Bo Ferns"}, (ADA, BO)),
        (
            'people = { at = "p[|]", as = "names" }',
            {"p": "Ada Quill|Ferns Tarn, Bo Lee"},
            (ADA, Person("Ferns Tarn, Bo Lee")),
        ),
        ('people = { at = "p[|]", as = "names" }', {"p": "Group of Nine"}, (Person("Group of Nine"),)),
        ('people = { at = "p[|]", as = "names" }', {"p": "Ada Quill, BA; Bo Ferns, PhD"}, None),
        ('people = "p"', {"p": "Ada Quill\u200b, Bo Ferns"}, (ADA, BO)),
        ('people = { at = "p[]", name = ["n", "f"] }', {"p": [{"n": "a@jam.example", "f": "a@jam.example"}]}, None),
        ('people = { at = "p[?]", name = "n" }', {"p": {"n": "Ada Quill"}}, (ADA,)),
        ('people = { at = "p[?]", name = "n" }', {"p": [{"n": "Ada Quill"}, {"n": "Bo Ferns"}]}, (ADA, BO)),
        ('people = { at = "p[]", name = ["n", "f l"] }', {"p": [{"f": "Ada", "l": "Quill"}]}, (ADA,)),
        ('people = { at = "p[]", name = "n", cut = [" ####"] }', {"p": [{"n": "Ada Quill 0042"}]}, (ADA,)),
        (
            'people = { at = "p[]", name = "n", place = ["a", "b"] }',
            {"p": [{"n": "Bo", "b": "Tarn"}]},
            (Person("Bo", "Tarn"),),
        ),
        (
            'people = { at = "p[]", beside = "a[]" }',
            {"p": ["Ada", "Bo"], "a": ["X", ""]},
            (Person("Ada", "X"), Person("Bo")),
        ),
        ('people = { at = "p[]", beside = "a[]" }', {"p": ["Ada", "Bo"], "a": ["X"]}, (Person("Ada"), Person("Bo"))),
        (
            'links = { at = "l[]", url = "u", title = "t" }',
            {"l": [{"u": "https://o.example", "t": "Jam"}]},
            (Link("https://o.example", "Jam"),),
        ),
        ('links = "l"', {"l": "/a.pdf"}, None),
    ],
)
def test_fields(row: str, talk: dict[str, Any], value: object) -> None:
    """A field is read by the first of its paths that has a value; what cannot be read is told and noted."""
    reader = things(TALK + row, {"talks": [{"t": "Foam", **talk}]})
    (thing,) = reader.things
    found = thing[row.partition(" ")[0]]
    told = "".join(left_by(reader))
    assert (found.year, found.month, found.day) == value if row.startswith("day") else found == value
    assert (value is not None or "TBA" in row) == (not told and not thing.doubts) or "beside" in row


AROUND = {
    "days": [
        {
            "date": "2026-06-17",
            "halls": [{"name": "Pot", "talks": [{"t": "Foam", "s": "9:00"}, {"t": "Broth", "s": "10:00"}]}],
        },
        {"date": "2026-06-18", "halls": [{"name": "Jar", "talks": [{"t": "Lids", "s": "9:30"}]}]},
    ]
}
NESTED = """
[day]
at = "days[]"
day = "date"
[slot]
at = "days[].halls[]"
room = "name"
[talk]
at = "days[].halls[].talks[]"
title = "t"
starts = "s"
"""


@pytest.mark.parametrize(
    "table",
    [
        NESTED,
        '[talk]\nat = "days[].halls[].talks[]"\ntitle = "t"\nstarts = "s"\nroom = "^.name"\nday = "^^.date"\n',
        '[talk]\nat = "days{}[].halls[].talks[]"\ntitle = "t"\nstarts = "s"\nroom = "^.name"\nday = "^^.date"\n',
    ],
)
def test_what_is_around(table: str) -> None:
    """A thing has the day and the room of the things around it, or reads their keys itself."""
    data = {"days": {"all": AROUND["days"]}} if "{}" in table else AROUND
    found = [(record.title, record.slots) for record in records(table, data)]
    assert [(title, slots and (slots[0].starts_at, slots[0].room)) for title, slots in found] == [
        ("Foam", (datetime(2026, 6, 17, 9), "Pot")),
        ("Broth", (datetime(2026, 6, 17, 10), "Pot")),
        ("Lids", (datetime(2026, 6, 18, 9, 30), "Jar")),
    ]


JOINS: dict[str, tuple[dict[str, Any], str]] = {
    "a list": ({"people": [{"id": 1, "n": "Ada Quill"}, {"id": 2, "n": "Bo Ferns"}]}, 'at = "people[]"'),
    "text for a number": ({"people": [{"id": "1", "n": "Ada Quill"}, {"id": "2", "n": "Bo Ferns"}]}, 'at = "people[]"'),
    "by the key": ({"people": {"1": {"n": "Ada Quill"}, "2": {"n": "Bo Ferns"}}}, 'at = "people{}"\nkey = "@key"'),
    "by a pattern": (
        {"people": [{"id": "Cook 1", "n": "Ada Quill"}, {"id": "Cook 2", "n": "Bo Ferns"}]},
        'at = "people[]"\npattern = "Cook {}"',
    ),
    "by one of two patterns": (
        {"people": [{"id": "Cook 1", "n": "Ada Quill"}, {"id": "Chef 2", "n": "Bo Ferns"}]},
        'at = "people[]"\npattern = ["Cook {}", "Chef {}"]',
    ),
    "by the place": ({"people": [{"n": "Ada Quill"}, {"n": "Bo Ferns"}]}, 'at = "people[]"\nkey = "@place"'),
}


@pytest.mark.parametrize("name", JOINS)
def test_joins(name: str) -> None:
    """What is named by an id is read where it is listed, and each key of it is accounted for."""
    listed, rows = JOINS[name]
    table = f'[lists.cooks]\n{rows}\n{TALK}people = {{ at = "who[]>cooks", name = "n" }}\n'
    data = {"talks": [{"t": "Foam", "who": [1, 2]}, {"t": "Broth", "who": [2]}], **listed}
    reader = things(table, data)
    assert [thing["people"] for thing in reader.things] == [(ADA, BO), (BO,)]
    assert left_by(reader) == []


COOKS = '[lists.cooks]\nat = "people[]"\n' + TALK + 'people = { at = "who[]>cooks", name = "n" }\n'


@pytest.mark.parametrize(
    ("people", "told"),
    [
        ([{"id": 1, "n": "Ada"}, {"id": 3, "n": "Cy"}], ['{"id": 3, "n": "Cy"}']),
        ([{"id": 2, "n": "Bo"}], ['{"id": 2, "n": "Bo"}', '{"who": [1]}']),
        ([{"id": 1, "n": "Ada"}, {"id": 1, "n": "Cy"}], ['{"n": "Ada"}', '{"who": [1]}']),
    ],
)
def test_joins_that_fail(people: list[dict[str, Any]], told: list[str]) -> None:
    """An id that nothing has, or two have, is told, and so is what nobody names."""
    found = unread(COOKS, {"talks": [{"t": "Foam", "who": [1]}], "people": people})
    assert all(each in "\n".join(found) for each in told)


def test_an_id_that_may_be_elsewhere() -> None:
    """With a question mark an id that the list does not have means nothing."""
    table = (
        '[lists.tracks]\nat = "groups[][title=Track].items[]"\n[page]\nignored = ["groups[].items"]\n'
        + TALK
        + 'track = "tags[]>tracks?.name"\n'
    )
    data = {
        "talks": [{"t": "Foam", "tags": [1, 9]}],
        "groups": [{"title": "Track", "items": [{"id": 1, "name": "Fruit"}]}, {"title": "Level", "items": [{"id": 9}]}],
    }
    reader = things(table, data)
    assert ([thing["track"] for thing in reader.things if thing.table.name == "talk"], unread(table, data)) == (
        ["Fruit"],
        ['{"title": "Level"}'],
    )


def test_things_that_are_named() -> None:
    """The talks of a session are those whose ids it has; the objects around the id are around the talk."""
    table = """
[lists.papers]
at = "papers{}"
key = "@key"
[session]
at = "sessions[]"
title = "name"
room = "hall"
[talk]
at = "sessions[].slots[].paper>papers"
title = "t"
starts = "^.at"
day = "^^.date"
"""
    slots = [{"paper": "p1", "at": "9:00"}, {"paper": "p2", "at": "9:30"}]
    data = {
        "sessions": [{"name": "Slow Jams", "hall": "Pot", "date": "2026-06-17", "slots": slots}],
        "papers": {"p1": {"t": "Foam"}, "p2": {"t": "Broth"}},
    }
    found = [(each.title, each.session_title, each.slots and each.slots[0]) for each in records(table, data)]
    assert [(title, session, slot and (slot.starts_at, slot.room)) for title, session, slot in found] == [
        ("Foam", "Slow Jams", (datetime(2026, 6, 17, 9), "Pot")),
        ("Broth", "Slow Jams", (datetime(2026, 6, 17, 9, 30), "Pot")),
    ]
    assert unread(table, data) == []


def test_a_talk_in_several_sessions() -> None:
    """A talk that names what it is within has a record for each, with the time of that."""
    table = """
[lists.calendar]
at = "calendar[]"
key = "title"
[session]
at = "calendar[]"
title = "title"
starts = "start"
[talk]
at = "papers[]"
title = "t"
within = "session[|]>calendar"
"""
    calendar = [{"title": f"Session {each}", "start": f"2026-06-17T{each}:00"} for each in ("09", "11")]
    data = {"papers": [{"t": "Foam", "session": "Session 09|Session 11"}], "calendar": calendar}
    found = [
        (each.title, each.session_title, each.slots and each.slots[0].starts_at, each.notes)
        for each in records(table, data)
    ]
    assert found == [
        ("Foam", f"Session {hour}", datetime(2026, 6, 17, int(hour)), ("time_is_session",)) for hour in ("09", "11")
    ]


WITHIN = """
[lists.ids]
at = "sessions[]"
key = "id"
nothing = ["#", "Row ##"]
[session]
at = "sessions[]"
title = "name"
[talk]
at = "papers[]"
title = "t"
within = "s>ids"
"""


@pytest.mark.parametrize(("name", "session"), [("1", None), ("Row 12", None), ("a1", "Pots"), ("12", "Pots")])
def test_numbers_of_rows_are_no_ids(name: str, session: str | None) -> None:
    """What a list names by a key of a shape that means nothing, such as the number of a row, is named by nothing."""
    data = {
        "papers": [{"t": "Foam", "s": name}],
        "sessions": [{"id": name, "name": "Pots"}, {"id": "b", "name": "Jars"}],
    }
    reader = things(WITHIN, data)
    talk = reader.things[-1]
    assert talk.inside is None if session is None else talk.inside and talk.inside["title"] == session
    assert (f'{{"s": "{name}"}}' in left_by(reader)) == (session is None)


def test_a_list_of_nothing_loses_no_ids() -> None:
    """Where no session has a list of its talks, the id of a talk is not said to be of none; it is read as its id."""
    table = WITHIN.replace('key = "id"', 'key = "papers[]"').replace('title = "t"', 'title = "t"\nid = "s"')
    sessions = [{"name": "Pots"}]
    assert left_by(things(table, {"papers": [{"t": "Foam", "s": "a"}], "sessions": sessions})) == []
    sessions.append({"name": "Jars", "papers": ["b"]})  # type: ignore[dict-item]  # any JSON
    assert left_by(things(table, {"papers": [{"t": "Foam", "s": "a"}], "sessions": sessions})) != []


@pytest.mark.parametrize("people", [[], [{"uid": "a", "n": "Ada Quill"}]])
def test_people_of_a_list_without_ids_are_lost(people: list[Any]) -> None:
    """A list that is empty, or names its ids otherwise, is no reason to drop people without a word."""
    table = f'{TALK}people = "p[]>people.n"\n[lists.people]\nat = "people[]"\n'
    reader = things(table, {"talks": [{"t": "Foam", "p": ["a"]}], "people": people})
    assert '{"p": ["a"]}' in left_by(reader)
    assert len(reader.walk.lost) == 1


@pytest.mark.parametrize(
    ("row", "people", "doubts"),
    [
        ('"p[]"', ["Ada Quill", "x@jam.example"], {"field_unread"}),
        ('{ at = "p[]", name = ["n", "f l"] }', [{"n": "x@jam.example", "f": "Ada", "l": "Quill"}], set()),
        ('{ at = "p[]", name = "n" }', [{"n": "Ada Quill"}, {"n": "x@jam.example"}], {"field_unread"}),
    ],
)
def test_an_address_of_mail_is_no_name(row: str, people: list[Any], doubts: set[str]) -> None:
    """Where an address of mail stands for a name, another way gives the name, or nobody is named, and it is said."""
    reader = things(f"{TALK}people = {row}\n", {"talks": [{"t": "Foam", "p": people}]})
    assert [(thing["people"], thing.doubts) for thing in reader.things] == [((ADA,), doubts)]
    assert "@jam.example" in "".join(left_by(reader))


def test_conditions_with_stars() -> None:
    """A star in the value of a condition stands for any text, in any case."""
    data = {"talks": [{"t": "Foam", "k": "Our Track of Jam"}, {"t": "Broth", "k": "Level"}, {"t": "Lids"}]}
    table = TALK.replace("talks[]", "talks[][k=*track*]")
    assert [thing["title"] for thing in things(table, data).things] == ["Foam"]
    assert [thing["title"] for thing in things(table.replace("=*", "!=*"), data).things] == ["Broth", "Lids"]


def test_affiliations_beside_a_list_in_one_text() -> None:
    """Nobody knows whose the affiliations beside a list are that stands where one name should: they are told."""
    table = TALK + 'people = { at = "p[|]", as = "names", beside = "a[|]" }\n'
    assert unread(table, {"talks": [{"t": "Foam", "p": "Ada Quill, Bo Ferns", "a": "Mole Lab"}]}) == [
        '{"a": "Mole Lab"}'
    ]


def test_sessions_that_list_their_talks() -> None:
    """A talk is within each session that has its id; a session whose ids nothing has is told, and so is one of them."""
    table = """
[lists.sessions]
at = "sessions{}"
key = "papers[]"
[session]
at = "sessions{}"
title = "name"
[talk]
at = "papers[]"
id = "id"
title = "t"
within = "id>sessions?"
"""
    named = {
        "a": {"name": "Pots", "papers": [1, 2]},
        "b": {"name": "Jars", "papers": [2, 9]},
        "c": {"name": "Demos", "papers": [7, 8]},
    }
    data = {"papers": [{"id": 1, "t": "Foam"}, {"id": 2, "t": "Broth"}, {"id": 3, "t": "Lids"}], "sessions": named}
    reader = things(table, data)
    talks = [each for each in reader.things if each.table.name == "talk"]
    assert [(each["title"], each.inside and each.inside["title"]) for each in talks] == [
        ("Foam", "Pots"),
        ("Broth", "Pots"),
        ("Broth", "Jars"),
        ("Lids", None),
    ]
    assert [reject.detail for reject in reader.rejects] == ["item 3: papers: expected talks, found [7, 8]"]
    assert left_by(reader) == ['{"papers": [2, 9]}']


def test_the_rest() -> None:
    """A table of the rest has what no table before it has, and nothing names."""
    table = """
[lists.papers]
at = "papers[]"
[talk]
at = "program[].id>papers"
title = "t"
[item]
at = "papers[]"
rest = true
title = "t"
id = "id"
kind = "paper"
"""
    data = {"program": [{"id": 2}], "papers": [{"id": 1, "t": "Foam"}, {"id": 2, "t": "Broth"}]}
    swapped = table.replace("[talk]", "[z]").replace("[item]", "[talk]").replace("[z]", "[item]")
    for each in (swapped.replace("[talk]", "[[talk]]"), swapped):
        assert [record.title for record in records(each, data)] == ["Broth", "Foam"]


FLAT = """
[day]
at = "[][type=day]"
flat = true
day = "date"
[session]
at = "[][type=session]"
flat = true
title = "t"
room = "hall"
[talk]
at = "[][type=talk]"
title = "t"
starts = "s"
"""


def test_entries_that_own_what_follows() -> None:
    """In a flat list a talk is of the day and the session before it; a day ends the session of another one."""
    data = [
        {"type": "day", "date": "2026-06-17"},
        {"type": "session", "t": "Pots", "hall": "Copper"},
        {"type": "talk", "t": "Foam", "s": "9:00"},
        {"type": "talk", "t": "Broth", "s": "9:30"},
        {"type": "day", "date": "2026-06-18"},
        {"type": "talk", "t": "Lids", "s": "10:00"},
    ]
    found = [(each.title, each.session_title, each.slots and each.slots[0]) for each in records(FLAT, data)]
    assert [(title, session, slot and (slot.starts_at, slot.room)) for title, session, slot in found] == [
        ("Foam", "Pots", (datetime(2026, 6, 17, 9), "Copper")),
        ("Broth", "Pots", (datetime(2026, 6, 17, 9, 30), "Copper")),
        ("Lids", None, (datetime(2026, 6, 18, 10), None)),
    ]


A_ROW_EACH = """
[session]
at = "[]"
title = "group"
room = "hall"
same = "group"
[talk]
at = "[]"
within = "."
title = "t"
people = { at = "who", as = "name", beside = "lab" }
abstract = "a"
same = ["no", "t"]
"""


def test_several_rows_of_a_talk() -> None:
    """Rows with the same values are one talk, also of one session; its people are those of all rows."""
    rows = (
        "group,hall,no,t,who,lab,a",
        "Jams,Pot,1,Less Sugar,Ada Quill,Mole Lab,We boil.",
        "Jams,Pot,1,Less Sugar,Bo Ferns,,",
        "Jams,Pot,2,Less Sugar,Ada Quill,Mole Lab,",
        "Jams,Pot,1,Less Sugar,Ada Quill,Mole Lab,We boil.",
        "Jars,Jar,1,Less Sugar,Cy Ode,,",
        "Jars,Jar,,Less Sugar,Eve Oar,,",
        "Jars,Jar,,Less Sugar,Dee Tarn,,",
    )
    found = records(A_ROW_EACH, "\n".join(rows), "csv")
    shown = [
        (each.session_title, each.line_start, each.line_end, [one.name for one in each.authors or ()]) for each in found
    ]
    assert shown == [
        ("Jams", 2, 5, ["Ada Quill", "Bo Ferns"]),
        ("Jams", 4, 4, ["Ada Quill"]),
        ("Jars", 6, 6, ["Cy Ode"]),
        ("Jars", 7, 7, ["Eve Oar"]),
        ("Jars", 8, 8, ["Dee Tarn"]),
    ]
    assert [each.abstract for each in found] == ["We boil.", None, None, None, None]
    assert [slot.room for each in found for slot in each.slots or ()] == ["Pot", "Pot", "Jar", "Jar", "Jar"]


def test_rows_of_a_talk_that_differ() -> None:
    """What a row says otherwise than the first one is told, and noted; what the first one lacks it gives."""
    table = TALK + 'room = "r"\nabstract = "a"\nkeywords = "k"\nsame = "t"\n'
    talk = {"t": "Foam", "r": "Pot", "k": "jam"}
    reader = things(table, {"talks": [talk, {**talk, "r": "Jar", "a": "We boil.", "k": "pots"}]})
    (thing,) = reader.things
    assert (thing.values, thing.doubts, thing.lines) == (
        {"title": "Foam", "room": "Pot", "abstract": "We boil.", "keywords": ("jam", "pots")},
        {"field_unread"},
        (1, 2),
    )
    assert left_by(reader) == ['{"r": "Jar"}']


def test_rows_of_a_talk_in_several_sessions() -> None:
    """What a row adds to a talk in one session, the same talk in another one does not get."""
    table = (
        '[lists.s]\nat = "s[]"\nkey = "n"\n[session]\nat = "s[]"\ntitle = "n"\n'
        + TALK
        + 'room = "r"\npeople = { at = "p", as = "name" }\nsame = "t"\nwithin = "ss[]>s"\n'
    )
    rows = [{"t": "Foam", "p": "Ada Quill", "ss": ["A", "B"]}, {"t": "Foam", "p": "Bo Ferns", "r": "Pot", "ss": ["A"]}]
    reader = things(table, {"s": [{"n": "A"}, {"n": "B"}], "talks": rows})
    talks = [(each["room"], len(each["people"])) for each in reader.things if each.table.name == "talk"]
    assert talks == [("Pot", 2), (None, 1)]


def test_times_of_two_rows() -> None:
    """The day of one row and the end of another are no slot; a person named with an affiliation is listed once."""
    table = TALK + 'day = "d"\nstarts = "s"\nends = "e"\npeople = { at = "p", as = "name", beside = "l" }\nsame = "t"\n'
    rows = [
        {"t": "Foam", "d": "2026-06-01", "s": "10:00", "p": "Ada Quill", "l": "Mole Lab"},
        {"t": "Foam", "d": "2026-06-02", "e": "13:00", "p": "Ada Quill"},
    ]
    (thing,) = things(table, {"talks": rows}).things
    assert (thing["ends"], thing.doubts, len(thing["people"])) == (None, {"field_unread"}, 1)


def test_days_that_are_lists() -> None:
    """A list is around what is in it, as an object is; hours of a clock of twelve are not before the first one."""
    table = """
[day]
at = "days{}"
day = { at = "@key", words = { friday = "2026-06-19", saturday = "2026-06-20" } }
[session]
at = "days{}[]"
title = "t"
times = { at = "time", after = "07:00" }
"""
    data = {"days": {"friday": [{"t": "Jam Prize", "time": "11:30-1:00"}], "saturday": [{"t": "Lids", "time": "2:00"}]}}
    found = [record.slots and record.slots[0] for record in records(table, data)]
    assert [slot and (slot.starts_at, slot.ends_at) for slot in found] == [
        (datetime(2026, 6, 19, 11, 30), datetime(2026, 6, 19, 13)),
        (datetime(2026, 6, 20, 14), None),
    ]


def test_the_column_of_a_row() -> None:
    """The place of a talk in its row is that of its track."""
    table = """
[lists.papers]
at = "papers{}"
key = "@key"
[talk]
at = "grid.rows[].cells[]>papers"
title = "t"
room = "^^.tracks[@place].name"
"""
    data = {
        "grid": {"tracks": [{"name": "Pot"}, {"name": "Jar"}], "rows": [{"cells": [1, 2, 3]}, {"cells": ["", 4]}]},
        "papers": {str(each): {"t": f"Foam {each}"} for each in range(1, 5)},
    }
    found = {record.title: record.slots and record.slots[0].room for record in records(table, data)}
    assert found == {"Foam 1": "Pot", "Foam 2": "Jar", "Foam 3": None, "Foam 4": "Jar"}


def test_a_field_in_several_forms() -> None:
    """The first form that gives a value counts; a text like a word with stars means nothing."""
    table = (
        TALK
        + """
people = [{ at = "full", as = "people" }, { at = "short[|]", beside = "labs[|]" }]
room = { at = ["hall", "where"], nothing = ["*.html*", "tb*"] }
"""
    )
    data = {
        "talks": [
            {
                "t": "Foam",
                "full": "Ada Quill (Mole Lab)",
                "short": "A. Quill",
                "labs": "Mole",
                "hall": "x.html?a",
                "where": "Pot",
            },
            {"t": "Broth", "short": "Bo Ferns|Ada Quill", "labs": "Fern House|Mole Lab", "hall": "TBA"},
        ]
    }
    reader = things(table, data)
    assert [(each["people"], each["room"]) for each in reader.things] == [
        ((Person("Ada Quill", "Mole Lab"),), "Pot"),
        ((Person("Bo Ferns", "Fern House"), Person("Ada Quill", "Mole Lab")), None),
    ]
    assert left_by(reader) == []


@pytest.mark.parametrize(
    ("row", "name", "value"),
    [
        ('type = { is = "Poster" }', "type", "Poster"),
        ('type = [{ at = "type" }, { is = "Poster" }]', "type", "Poster"),
        ('people = { is = "Ada Quill (Mole Lab)" }', "people", (Person("Ada Quill", "Mole Lab"),)),
        ('keywords = { is = "jam" }', "keywords", ("jam",)),
        ('starts = { is = "2026-06-17T09:30" }', "starts", datetime(2026, 6, 17, 9, 30)),
    ],
)
def test_what_the_data_do_not_print(row: str, name: str, value: object) -> None:
    """A row may have a value that the data do not print, alone or where no other form gives one."""
    assert things(TALK + row, {"talks": [{"t": "Foam"}]}).things[0][name] == value


@pytest.mark.parametrize(
    ("row", "talk"),
    [
        ('people = { at = "p[;]", as = "people" }', {"p": "Ada Quill (Mole Lab); who knows (Fern House)"}),
        ('people = { at = "p[]", as = "people" }', {"p": ["Ada Quill", "who knows"]}),
        ('people = { at = "p[]", name = "n" }', {"p": [{"n": "Ada Quill"}, "Bo Ferns"]}),
        ('keywords = "p[]"', {"p": ["jam", 7]}),
    ],
)
def test_a_list_of_which_a_part_cannot_be_read(row: str, talk: dict[str, Any]) -> None:
    """The others are kept; the list is told whole, and a note says so."""
    reader = things(TALK + row, {"talks": [{"t": "Foam", **talk}]})
    (found,) = reader.things
    assert (len(found["people"] or found["keywords"]), found.doubts) == (1, {"field_unread"})
    assert left_by(reader) == [json.dumps(talk)]


def test_a_text_of_several_fields() -> None:
    """The first pattern that fits fills its holes; a text that none fits is read as it is."""
    table = TALK.replace('title = "t"', """title = { at = "t", patterns = ['{type} "{title}" ({people})'] }""")
    table += 'room = { at = "r", html = true, patterns = ["{room} Chair: {chairs}"] }\ntype = "k"\n'
    data = {
        "talks": [
            {"t": 'Plenary "On Jam" (Ada Quill)', "r": "Pot<br/>Chair: Bo Ferns", "k": "x"},
            {"t": 'Plenary "On Lids" (7 of 9)', "r": "Jar<br/>Notice: closed", "k": "y"},
        ]
    }
    reader = things(table, data)
    assert [[each[name] for name in ("title", "people", "room", "chairs", "type")] for each in reader.things] == [
        ["On Jam", (ADA,), "Pot", (BO,), "Plenary"],
        ['Plenary "On Lids" (7 of 9)', None, None, None, "y"],
    ]
    assert left_by(reader) == ['{"r": "Jar<br/>Notice: closed"}']


def test_what_begins_behind_its_owner() -> None:
    """A talk that begins when the session before it has ended is not in it."""
    table = FLAT.replace('room = "hall"', 'times = "s"').replace('starts = "s"', 'times = "s"')
    data = [
        {"type": "day", "date": "2026-06-17"},
        {"type": "session", "t": "Pots", "s": "9:00-10:00"},
        {"type": "talk", "t": "Foam", "s": "9:30-10:00"},
        {"type": "talk", "t": "Jam Prize", "s": "10:00-11:00"},
    ]
    found = [(each.title, each.session_title) for each in records(table, data)]
    assert found == [("Foam", "Pots"), ("Jam Prize", None)]


def test_what_is_left_out() -> None:
    """Things with a value are left out, with what the table knows of them; unknown keys of theirs are told."""
    table = '[talk]\nat = "talks[][state!=withdrawn]"\ntitle = "t"\npeople = { at = "p[]", name = "n" }\n'
    gone = {"t": "Broth", "state": "Withdrawn", "p": [{"n": "Ada", "x": 1}], "zz": 2}
    data = {"talks": [{"t": "Foam", "state": "here"}, gone, {"t": "Lids"}]}
    assert [record.title for record in records(table, data)] == ["Foam", "Lids"]
    assert unread(table, data) == ['{"zz": 2}\n{"x": 1}']


def test_kinds_by_a_value() -> None:
    """A value names the kind; others leave it to the words of the title."""
    table = TALK + 'kind = { at = "k", break = ["pause", "rest"], keynote = "big" }\n'
    data = {"talks": [{"t": "Foam", "k": kind} for kind in ("Pause", "big", "other")] + [{"t": "Lunch Break"}]}
    assert [record.kind for record in records(table, data)] == ["break", "keynote", "paper", "break"]


@pytest.mark.parametrize(
    ("zone", "row", "wall", "notes"),
    [
        (None, "", "2026-06-17 09:30", ()),
        ("Europe/Oslo", "", "2026-06-17 09:30", ()),
        ("America/New_York", "", "2026-06-17 03:30", ("zone_converted",)),
        (None, 'zone = "zone"\n', "2026-06-17 10:30", ("zone_converted",)),
    ],
)
def test_offsets(zone: str | None, row: str, wall: str, notes: tuple[str, ...]) -> None:
    """Times with an offset are those of the zone of the sidecar or the data, else as they are printed."""
    table = TALK + row + 'starts = "s"\nends = "e"\n'
    talk = {"t": "Foam", "s": "2026-06-17T09:30:00+02:00", "e": "2026-06-17T09:30:00+02:00", "zone": "Europe/Athens"}
    (record,) = records(table, {"talks": [talk]}, facts=Facts(event="JAM 2026", timezone=zone))
    assert record.slots is not None
    assert (str(record.slots[0].starts_at)[:16], record.notes) == (wall, notes)


def test_a_range_with_a_duration_and_a_day_of_its_own() -> None:
    """Day and time stand in two keys; an end may be a duration, or on a day of its own."""
    table = TALK + 'day = "d"\nstarts = "s"\nends = "e"\nend_day = "f"\nduration = "n"\n'
    talks: list[dict[str, Any]] = [
        {"s": "22:00", "e": "01:00", "f": "2026-06-18"},
        {"s": "10:00", "n": 45},
        {"s": "3:00", "e": "4:30 pm"},
    ]
    found = records(
        table, {"talks": [{"t": f"Foam {place}", "d": "2026-06-17", **each} for place, each in enumerate(talks)]}
    )
    assert [str(slot.ends_at)[5:16] for record in found for slot in record.slots or ()] == [
        "06-18 01:00",
        "06-17 10:45",
        "06-17 16:30",
    ]


def test_every_key_is_accounted_for() -> None:
    """What no path reads is told, wherever it stands; ignored keys are not needed."""
    table = '[page]\nignored = ["version", "meta.host"]\n' + TALK + 'ignored = ["x", "slot.y"]\n'
    data = {"version": 1, "meta": {"host": "a", "port": 2}, "talks": [{"t": "Foam", "x": 1, "slot": {"y": 1, "z": 2}}]}
    assert unread(table, data) == ['{"port": 2}', '{"z": 2}']


@pytest.mark.parametrize("odd", [4711, "x", [1]])
def test_what_is_no_object(odd: object) -> None:
    """An element of a list of things that is no object is told."""
    reader = things('[talk]\nat = "talks[][state!=gone]"\ntitle = "t"\n', {"talks": [{"t": "Foam"}, odd]})
    assert [each.detail for each in reader.rejects] == [f"expected an object, found {json.dumps(odd)}"]


@pytest.mark.parametrize(
    ("talks", "titles", "rejects"),
    [
        (None, ["Jams"], 0),
        ([], ["Jams"], 0),
        ("x", [], 1),
        (["x"], [], 2),
        ([{"n": 1}], [], 2),
        ([{"t": "Less Sugar"}, {"n": 1}], ["Less Sugar"], 1),
    ],
)
def test_a_session_without_talks(talks: object, titles: list[str], rejects: int) -> None:
    """It is a record itself, but not where something that is no talk stands in their place."""
    table = '[session]\nat = "sessions[]"\ntitle = "t"\n[talk]\nat = "sessions[].talks[]"\ntitle = "t"\nignored = "n"\n'
    text = json.dumps({"sessions": [{"t": "Jams", "talks": talks}]})
    document = Document.from_bytes("x/a", text.encode(), Facts(event="JAM 2026", year=2026))
    found = list(read_data(document, compile_things(table, KINDS), "json"))
    assert [each.title for each in found if isinstance(each, Record)] == titles
    assert sum(isinstance(each, Reject) for each in found) == rejects


def test_a_thing_without_a_title() -> None:
    """It is a reject, and the next one is read."""
    reader = things(TALK, {"talks": [{"t": " "}, {"t": 7}, {"t": "Foam"}]})
    assert [(each.reason, each.line_start) for each in reader.rejects] == [
        ("incomplete_item", 1),
        ("incomplete_item", 2),
    ]
    assert [thing["title"] for thing in reader.things] == ["Foam"]


def test_a_record_twice() -> None:
    """What a view lists in several places without a difference is one record."""
    assert len(records(TALK, {"talks": [{"t": "Foam"}, {"t": "Foam"}]})) == 1


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("days[[", "expected a path such as days\\[\\].talks\\[\\].title, found '\\[\\['"),
        ("a" * 1001, "expected a path of at most 1000 characters, found 1001"),
        ("a" + "[]" * 60, "expected a path of at most 50 steps, found 61"),
        ("@jam", "found '@jam'"),
        ("Nr.", "expected a key behind each dot, found 'Nr.': quotes name a key with dots"),
        ("talks[]..room", "expected a key behind each dot"),
        ("a[b", "found '\\[b'"),
    ],
)
def test_paths_that_are_wrong(path: str, said: str) -> None:
    """The error shows where the path stops making sense."""
    with pytest.raises(PathError, match=said):
        parse_path(path)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("", "expected a table session, talk or item, found none"),
        ("[talk", "expected valid TOML"),
        ('[talks]\nat = "a"', "expected the tables .* found 'talks'; did you mean 'talk'"),
        ('[talk]\nat = "a[]"', r"\[talk\]: expected a row title"),
        ('[talk]\ntitle = "a"', r"\[talk\] at: expected a text or a list of them, found null"),
        (TALK + 'titles = "a"', r"\[talk\]: expected its rows .* found 'titles'"),
        (TALK + "room = 7", r"\[talk\] room: expected a path or .* found 7"),
        (
            TALK + 'room = { at = "a", ass = "b" }',
            r"\[talk\] room: expected its parts .* found 'ass'; did you mean 'as'",
        ),
        (TALK + 'room = { at = "a", as = "b" }', r"\[talk\] room: as: expected nothing: it is read in one way"),
        (
            TALK + 'people = { at = "a", as = "b" }',
            r"\[talk\] people: as: expected one of people, name, shared_place",
        ),
        (TALK + 'people = "a[]>cooks"', r"expected a list, of , found 'cooks'"),
        (TALK + 'kind = "jam"', r"\[talk\] kind: expected one of paper, break"),
        (TALK + 'kind = { at = "a", jam = "b" }', r"\[talk\] kind: expected the kinds paper, .* found 'jam'"),
        (
            TALK + 'room = { at = "a", beside = "b" }',
            r"\[talk\] room: beside: only a row people or chairs has this part",
        ),
        (
            TALK + 'people = { at = "a", place = "b" }',
            r"\[talk\] people: place: expected a part name, too: .* 'beside'",
        ),
        (TALK + 'duration = { is = "long" }', r"\[talk\] duration: is: expected a valid value, found 'long'"),
        (TALK + 'links = { is = "https://jam.example/" }', r"\[talk\] links: is: expected a valid value"),
        (TALK + 'type = { is = "Poster", at = "a" }', r"\[talk\] type: expected its parts is, as, found 'at'"),
        (TALK + 'room = { at = "a", base = 7 }', r"\[talk\] room: base: expected a text, found 7"),
        (TALK + 'room = { at = "a", words = 7 }', r"\[talk\] room: words: expected what words mean"),
        (TALK + 'room = { at = "a", after = "07:00" }', r"\[talk\] room: after: expected a time of day"),
        (TALK + 'times = { at = "a", after = "noon" }', r"\[talk\] times: after: expected a time of day"),
        (TALK + 'room = { at = "a", patterns = ["{room}{}"] }', r"\[talk\] room: patterns: expected words between"),
        (TALK + 'room = { at = "a", patterns = ["{jam}"] }', r"\[talk\] room: patterns: expected fields"),
        (TALK + '[files]\na = "*"', r"\[files\]: a: expected the name of a file"),
        (TALK + f"room = {['a'] * 51}", r"\[talk\] room: expected one to 50 paths, found 51"),
        ("talk = [7]", r"\[talk\]: expected rows such as at"),
        (TALK + "[lists]\ncooks = 7", r"\[lists.cooks\]: expected rows such as at"),
        (TALK + "lists = 7", "expected"),
        (TALK + '[lists.cooks]\nat = "a"\npattern = "b"', r"\[lists.cooks\] pattern: expected a text with one hole"),
        (TALK + '[lists.cooks]\nat = "a"\npattern = 7', r"\[lists.cooks\] pattern: expected a text or a list"),
        (TALK + '[lists.cooks]\nat = "a"\nnothing = 7', r"\[lists.cooks\] nothing: expected a text or a list"),
        ("[[talk]]\n" * 201, "expected at most 200 of these tables, found 201"),
        (TALK + "".join(f'row{each} = "a"\n' for each in range(200)), "expected at most 200 rows, found 202"),
        ("# " + "x" * 100_000, "expected at most 100000 characters"),
    ],
)
def test_tables_that_are_wrong(table: str, said: str) -> None:
    """The error names table, row, and what was expected."""
    with pytest.raises(TableError, match=said):
        compile_things(table, KINDS)


LISTING = """
[lists.sessions]
at = "s[]"
key = "papers[]"
[session]
at = "s[]"
title = "n"
[talk]
at = "talks[]"
title = "t"
within = "id>sessions?"
"""

HOSTILE: dict[str, tuple[str, Callable[[int], object]]] = {
    "a join of many by many": (
        COOKS,
        lambda size: {
            "talks": [{"t": f"T{n}", "who": [n]} for n in range(size)],
            "people": [{"id": n, "n": "Al"} for n in range(size)],
        },
    ),
    "one thing named by all": (
        COOKS,
        lambda size: {"talks": [{"t": f"T{n}", "who": [1]} for n in range(size)], "people": [{"id": 1, "n": "Al"}]},
    ),
    "rows of one talk": (
        TALK + 'people = { at = "p", as = "name" }\nsame = "t"\n',
        lambda size: {"talks": [{"t": "Foam", "p": f"Al {n}"} for n in range(size)]},
    ),
    "talks of one session": (
        '[session]\nat = "s[]"\ntitle = "t"\n[talk]\nat = "s[].k[]"\ntitle = "t"\n',
        lambda size: {"s": [{"t": "S", "k": [{"t": f"T{n}"} for n in range(size)]}]},
    ),
    "sessions that list their talks": (
        LISTING,
        lambda size: {
            "talks": [{"t": f"T{n}", "id": n} for n in range(size)],
            "s": [{"n": f"S{n}", "papers": [n, -n - 1]} for n in range(size)],
        },
    ),
    "sessions whose talks nothing has": (
        LISTING,
        lambda size: {"talks": [], "s": [{"n": f"S{n}", "papers": [n]} for n in range(size)]},
    ),
    "one id of many": (
        COOKS,
        lambda size: {"talks": [{"t": "T", "who": [1]}], "people": [{"id": 1, "n": f"Al {n}"} for n in range(size)]},
    ),
    "entries that own what follows": (
        FLAT,
        lambda size: [{"type": ("session", "talk")[n % 2], "t": f"T{n}"} for n in range(size)],
    ),
    "talks that nothing is around": (TALK, lambda size: {"talks": [{"t": f"T{n}"} for n in range(size)]}),
    "keys of one object": (TALK, lambda size: {"talks": [{"t": "T", **{f"k{n}": n for n in range(size)}}]}),
    "people of one talk": (
        TALK + 'people = { at = "p[]", name = "n", beside = "a[]" }\n',
        lambda size: {"talks": [{"t": "T", "p": [{"n": f"Al {n}"} for n in range(size)], "a": ["x"] * size}]},
    ),
}


@pytest.mark.untraced
@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_in_proportion(name: str) -> None:
    """Reading takes linear time."""
    table, make = HOSTILE[name]

    def read(size: int) -> None:
        text = json.dumps(make(size))
        document = Document.from_bytes("x/a", text.encode(), Facts(event="JAM 2026", year=2026))
        list(read_data(document, compile_things(table, KINDS), "json"))

    assert growth(read, 500) < LIMIT


@pytest.mark.untraced
def test_time_of_a_join_with_another_file() -> None:
    """A dump and a companion of as many rows are joined in linear time, both accounts included."""
    table = """
[files]
rooms = "rooms.json"
[lists.rooms]
at = "rooms[]"
[session]
at = "rooms[]"
title = "n"
ignored = ["id"]
[talk]
at = "dump[]"
within = "room>rooms"
title = "t"
"""

    def read(size: int) -> None:
        rows = "t,room\n" + "".join(f"T{n},{n}\n" for n in range(size))
        rooms = json.dumps([{"id": n, "n": f"S{n}"} for n in range(size)])
        beside = Document.from_bytes("x/rooms.json", rooms.encode())
        document = replace(Document.from_bytes("x/a.csv", rows.encode()), companions=(beside,))
        assert len(list(read_data(document, compile_things(table, KINDS), "csv"))) == size
        document.account()

    assert growth(read, 500) < LIMIT


@pytest.mark.untraced
def test_a_join_that_multiplies() -> None:
    """A path that would lead to more things than the data can mean is an error, at once."""
    table = '[lists.all]\nat = "all[]"\n[talk]\nat = "x[]>all.more[]"\ntitle = "."\n'
    data = {"x": [1] * 3_000, "all": [{"id": 1, "more": ["a"] * 3_000}]}
    with pytest.raises(FieldError, match="steps through the data, found more"):
        things(table, data)
    talks, sessions = ([{name: f"{each}", "id": 1} for each in range(1_500)] for name in ("t", "n"))
    with pytest.raises(FieldError, match="steps through the data, found more"):
        things(LISTING, {"talks": talks, "s": [{**each, "papers": [1]} for each in sessions]})
