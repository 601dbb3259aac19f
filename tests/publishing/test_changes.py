"""The change feed: records added, changed, moved and removed, with old and new values as text."""

from datetime import datetime
from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from pipeline.publishing.changes import CHANGE_TYPES, find_changes
from pipeline.reading.frames import RECORD_TYPES

NINE, TEN = datetime(2025, 1, 1, 9), datetime(2025, 1, 1, 10)


def records(*given_rows: dict[str, Any]) -> pl.DataFrame:
    """Return a frame of records of an invented source."""
    rows = [{**dict.fromkeys(RECORD_TYPES.names()), "source": "fair", "notes": [], **row} for row in given_rows]
    return pl.DataFrame(rows, schema=RECORD_TYPES)


def talk(start: datetime | None, room: str | None, **more: Any) -> dict[str, Any]:
    """Return the columns of a talk that is held once."""
    slots = [{"starts_at": start, "ends_at": None, "room": room}] if start or room else None
    return {"record_id": "fair:a", "title": "Hay", "starts_at": start, "room": room, "slots": slots, **more}


def told(before: pl.DataFrame | None, after: pl.DataFrame | None) -> list[tuple[str, str, dict[str, tuple[Any, Any]]]]:
    """Return id, change and values of each row."""
    return [
        (row["record_id"], row["change"], {v["column"]: (v["before"], v["after"]) for v in row["values"] or ()})
        for row in find_changes(before, after).iter_rows(named=True)
    ]


def test_added_and_removed_records_have_no_values() -> None:
    """What only one side has is told by its id and title."""
    found = find_changes(records({"record_id": "fair:a", "title": "Hay"}), records({"record_id": "fair:b"}))
    assert found.rows() == [
        ("fair:a", "fair", "removed", None, "Hay", None),
        ("fair:b", "fair", "added", None, None, None),
    ]


def test_a_changed_column_is_told_with_both_values() -> None:
    """Texts as they are, lists as JSON, null as null."""
    ann, bob = (
        {"name": name, "affiliation": None, "country": None, "country_code": None, "url": None}
        for name in ("Änn", 'B"b')
    )
    before = records({"record_id": "fair:a", "title": "Hay", "authors": [ann], "engagement": 7})
    after = records({"record_id": "fair:a", "title": 'Hay, "dry"', "authors": [bob], "abstract": "New."})
    assert told(before, after) == [
        (
            "fair:a",
            "changed",
            {
                "title": ("Hay", 'Hay, "dry"'),
                "abstract": (None, "New."),
                "authors": (
                    '[{"name":"Änn","affiliation":null,"country":null,"country_code":null,"url":null}]',
                    '[{"name":"B\\"b","affiliation":null,"country":null,"country_code":null,"url":null}]',
                ),
                "engagement": ("7", None),
            },
        )
    ]


def test_a_talk_that_moved_room_or_time_reads_as_moved() -> None:
    """Also where something else changed with it; times are told as ISO writes them."""
    found = told(records(talk(NINE, "R")), records(talk(TEN, "Q", abstract="New.")))
    assert [(change, values["starts_at"], values["room"]) for _, change, values in found] == [
        ("moved", ("2025-01-01T09:00:00", "2025-01-01T10:00:00"), ("R", "Q"))
    ]


def test_a_talk_that_gets_its_first_time_is_changed() -> None:
    """Nothing moves from nowhere."""
    assert [row[1] for row in told(records(talk(None, None)), records(talk(NINE, "R")))] == ["changed"]


def test_where_a_record_was_seen_is_no_change() -> None:
    """Dump, line and parser say where, not what."""
    seen = {"dump": "fair/b.txt", "dump_sha256": "b", "line_start": 9, "line_end": 9, "parser": "fair@2"}
    assert told(records(talk(NINE, "R")), records(talk(NINE, "R", **seen))) == []


def test_a_source_that_one_side_does_not_have() -> None:
    """None stands for no rows, on either side and on both."""
    one = records({"record_id": "fair:a"})
    assert [told(None, one)[0][1], told(one, None)[0][1], told(None, None)] == ["added", "removed", []]


STATES = st.dictionaries(
    st.sampled_from("abcd"), st.tuples(st.sampled_from(["Hay", "Rye", None]), st.none() | st.text())
)


def frame(state: dict[str, tuple[str | None, str | None]]) -> pl.DataFrame:
    """Return the records of a state: id to title and abstract."""
    rows = [{"record_id": f"fair:{key}", "title": title, "abstract": text} for key, (title, text) in state.items()]
    return records(*rows)


@given(before=STATES, after=STATES)
def test_changes_lead_from_one_state_to_the_other(
    before: dict[str, tuple[str | None, str | None]], after: dict[str, tuple[str | None, str | None]]
) -> None:
    """Applied to the state before, they give the state after."""
    found = find_changes(frame(before), frame(after))
    gone = {row["record_id"][5:] for row in found.filter(change="removed").iter_rows(named=True)}
    new = {
        row["record_id"][5:]: after[row["record_id"][5:]] for row in found.filter(change="added").iter_rows(named=True)
    }
    other = {
        row["record_id"][5:]: {value["column"]: value["after"] for value in row["values"]}
        for row in found.filter(change="changed").iter_rows(named=True)
    }
    kept = {
        key: (other.get(key, {}).get("title", title), other.get(key, {}).get("abstract", text))
        for key, (title, text) in before.items()
        if key not in gone
    }
    assert ({**kept, **new}, found.schema) == (after, CHANGE_TYPES)
