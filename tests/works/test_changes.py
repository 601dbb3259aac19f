"""What became of works since the snapshot before."""

import polars as pl
import pytest

from pipeline.works.changes import changed_works, lost_works
from schemas.tables import conditions, polars_schema
from schemas.works import WORK_CHANGES, WORK_MEMBERS, WORKS


def members(works: dict[str, str]) -> pl.DataFrame:
    """Return the members of works, given the records of each, between blanks."""
    rows = [(f"work:s:{work}", f"s:{record}") for work, records in works.items() for record in records.split()]
    named = pl.DataFrame(rows, schema=["work_id", "record_id"], orient="row").with_columns(
        source=pl.lit("s"), levels=pl.lit([], pl.List(pl.String))
    )
    return named.match_to_schema(polars_schema(WORK_MEMBERS), missing_columns="insert")


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ({"a": "a b"}, {"a": "a b"}, []),
        ({}, {"a": "a b"}, []),
        ({"a": "a"}, {}, []),
        ({"a": "a", "b": "b"}, {"a": "a b"}, [("a", "merged", "a b", "", "")]),
        ({"a": "a", "b": "b"}, {"a": "a b c"}, [("a", "merged", "a b", "c", "")]),
        ({"a": "a b"}, {"a": "a", "b": "b"}, [("a", "split", "a", "", "b"), ("b", "split", "a", "", "a")]),
        ({"a": "a"}, {"a": "a b"}, [("a", "grown", "a", "b", "")]),
        ({"a": "a c"}, {"a": "a b"}, [("a", "grown", "a", "b", "c")]),
        ({"a": "a b"}, {"a": "a"}, [("a", "shrunk", "a", "", "b")]),
        ({"a": "a b"}, {"b": "b"}, [("b", "shrunk", "a", "", "a")]),
        ({"a": "a b"}, {"b": "a b"}, [("b", "renamed", "a", "", "")]),
        ({"a": "a b", "c": "c d"}, {"a": "a", "b": "b c d"}, [
            ("a", "split", "a", "", "b"), ("b", "merged", "a c", "", "a"),
        ]),
    ],
)  # fmt: skip
def test_changes(before: dict[str, str], now: dict[str, str], expected: list[tuple[str, ...]]) -> None:
    """Of several changes the first one is told; records that are new and records that left are named."""
    works = pl.DataFrame({"work_id": [f"work:s:{work}" for work in now]}, schema={"work_id": pl.String})
    titled = works.with_columns(title="work_id").match_to_schema(polars_schema(WORKS), missing_columns="insert")
    found = changed_works(members(before), members(now), titled)
    shown = [
        (work[7:], change, *(" ".join(each.rpartition(":")[2] for each in ids) for ids in lists))
        for work, change, _, *lists in found.iter_rows()
    ]
    assert shown == expected
    assert found.select(conditions(WORK_CHANGES)).row(0) == (True,) * len(conditions(WORK_CHANGES))


def test_works_that_are_lost() -> None:
    """A work is lost if all its records are gone; one whose records are of another work by now is not."""
    before = members({"a": "a b", "c": "c d", "e": "e", "f": "f g"})
    assert lost_works(before, members({"a": "a b e", "f": "g", "h": "h"})).to_list() == ["work:s:c"]
