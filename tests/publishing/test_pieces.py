"""The files of a table: cut by its rows alone, so that a change of some groups gives what cutting all anew gives."""

from collections.abc import Mapping
from functools import partial

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parsers._contract import Family
from pipeline.publishing import pieces
from pipeline.publishing.pieces import (
    FIRST,
    cut_parts,
    group_of,
    group_of_id,
    groups_of,
    is_of,
    lines_of,
    path_of,
    replace_groups,
    source_of,
)

GROUPS = [f"e{number}" for number in range(40)]
BEGINNINGS = [group for group in GROUPS if pieces._begins_file(group, 3)]
"""One in eight: the groups at which a file of a programme begins."""

Tables = Mapping[str, int]
"""The groups of a table, each with a version of its rows."""


def table(groups: Tables) -> pl.DataFrame:
    """Return a table with two rows for each group."""
    rows = [(f"fair:{group}/{key}", version) for group, version in groups.items() for key in "ab"]
    return pl.DataFrame(rows, schema={"record_id": pl.String, "version": pl.Int64}, orient="row")


def cut(groups: Tables) -> dict[str, pl.DataFrame]:
    """Return the files of a whole table."""
    return dict(replace_groups({}, None, table(groups), "records", Family.PROGRAMME).written)


def changed(before: Tables, after: Tables) -> tuple[dict[str, pl.DataFrame], set[str]]:
    """Return the files of a table after a change of the groups that differ, and where those begin that were read."""
    touched = {group for group in {*before, *after} if before.get(group) != after.get(group)}
    read: set[str] = set()

    def load(begins: str, rows: pl.DataFrame) -> pl.DataFrame:
        read.add(begins)
        return rows

    files = cut(before)
    old = {begins: partial(load, begins, rows) for begins, rows in files.items()}
    new = table({group: after[group] for group in touched & after.keys()})
    found = replace_groups(old, touched, new, "records", Family.PROGRAMME)
    return {**found.written, **{begins: files[begins] for begins in found.kept}}, read


tables = st.dictionaries(st.sampled_from(GROUPS), st.integers(0, 1), max_size=20)


@given(tables, st.integers(1, 9))
def test_a_table_in_parts(groups: Tables, size: int) -> None:
    """A table that comes part after part is cut as a whole one is."""
    ordered = sorted(groups)
    parts = [table({group: groups[group] for group in ordered[at : at + size]}) for at in range(0, len(ordered), size)]
    found = dict(cut_parts(parts or [table({})], "records", Family.PROGRAMME))
    assert {begins: rows.rows() for begins, rows in found.items()} == {
        begins: rows.rows() for begins, rows in cut(groups).items()
    }


@given(tables, tables)
@example({BEGINNINGS[0]: 0}, {})
@example({"e0": 0, BEGINNINGS[1]: 0}, {BEGINNINGS[1]: 0})
@example({"e0": 0, BEGINNINGS[1]: 0, "e39": 0}, {"e0": 0, "e39": 0})
@settings(max_examples=150, deadline=None)
def test_a_change_gives_what_cutting_anew_gives(before: Tables, after: Tables) -> None:
    """Whatever comes, goes and changes: beginnings of files too, and the lowest group."""
    found, _ = changed(before, after)
    assert {begins: rows.rows() for begins, rows in found.items()} == {
        begins: rows.rows() for begins, rows in cut(after).items()
    }


def test_only_the_files_around_a_change_are_read() -> None:
    """The others are not opened, and stay."""
    before = dict.fromkeys(GROUPS, 0)
    files = sorted(cut(before))
    inside = next(group for group in GROUPS if files[2] < group < files[3])
    assert (len(files) > 4, changed(before, before | {inside: 1})[1]) == (True, {files[2]})
    assert changed(before, {group: 0 for group in GROUPS if group != files[3]})[1] == {files[2], files[3]}


def test_a_file_without_its_beginning_ends() -> None:
    """Its rows then belong to the file before it."""
    before = dict.fromkeys(GROUPS, 0)
    gone = sorted(cut(before))[3]
    found, _ = changed(before, {group: 0 for group in GROUPS if group != gone})
    assert (gone in found, FIRST in found) == (False, True)


@pytest.mark.parametrize(
    ("record_id", "group"),
    [
        ("arxiv:2507.07120", "2507.07120"),
        ("cluster:ieee-cluster-2025/hay/ann", "ieee-cluster-2025"),
        ("news:hay/ann", "hay"),
    ],
)
def test_the_group_of_a_record(record_id: str, group: str) -> None:
    """Its key in a listing, its event in a programme, whatever the first author of a shared title added."""
    assert groups_of(pl.DataFrame({"record_id": [record_id]})) == {group}


def test_the_group_of_a_row_about_a_dump() -> None:
    """The dump; rows about a source as a whole come first."""
    rows = pl.DataFrame({"dump": ["fair/a.txt", None]})
    assert rows.select(group_of("quarantine")).to_series().to_list() == ["fair/a.txt", FIRST]


def test_names_of_files() -> None:
    """Lower-case ASCII that tells source, beginning and hash; the first file of a table has the name of its source."""
    assert [path_of("records", "fair"), lines_of("records", "fair"), lines_of("sightings", "fair")] == [
        "parquet/fair.parquet",
        "json/fair.ndjson",
        None,
    ]
    assert path_of("sightings", "fair", "Émile & Söhne 2026") == "sightings/fair.emile-sohne-2026-ff47d147.parquet"
    assert path_of("captures", "fair", "fair/day/20260101T0300Z.html").startswith("captures/fair.20260101t0300z-html-")
    nameless = path_of("records", "fair", "会议")
    assert [len(nameless), source_of(path_of("records", "hf_daily", "2507")), is_of(nameless, "records", "fair")] == [
        len("parquet/fair.00000000.parquet"),
        "hf_daily",
        True,
    ]


@given(st.lists(st.text("ab:/-", max_size=6), max_size=6))
def test_the_group_of_an_id(ids: list[str]) -> None:
    """One id at a time has the group that it has in a table."""
    table = pl.DataFrame({"record_id": ids}, schema={"record_id": pl.String})
    assert table.select(group_of("records")).to_series().to_list() == [group_of_id(each) for each in ids]
