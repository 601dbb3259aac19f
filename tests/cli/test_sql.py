"""``sql``: a query of the newest snapshot, as a table, JSON or CSV; without a query what can be asked."""

import json

import pytest

from tests.support.said import Said
from tests.support.toy import Desk

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def farm(desk: Desk, in_the_desk: None) -> Desk:
    """Publish a talk."""
    desk.put(
        "fair/a.txt", {"title": "Hay", "start": "2026-05-01T09:00", "end": "2026-05-01T10:00", "keywords": ["dry"]}
    )
    desk.run()
    return desk


def test_a_query(capsys: Capture) -> None:
    """Rows are a table; an end of line in a text does not break it."""
    said = Said(capsys, "sql", "SELECT title, starts_at FROM records")
    assert [line for line in said.out if "Hay" in line] == ["\u2502 Hay   \u2506 2026-05-01 09:00:00 \u2502"]


def test_json_and_csv(capsys: Capture) -> None:
    """Times are ISO; lists are lists in JSON, and JSON in CSV, whatever a column is called."""
    asked = "SELECT title, starts_at, keywords, 1 AS slots FROM records"
    row = {"title": "Hay", "starts_at": "2026-05-01T09:00:00", "keywords": ["dry"], "slots": 1}
    assert json.loads(Said(capsys, "sql", asked, "--json").out[0]) == row
    assert Said(capsys, "sql", asked, "--csv").out[1] == 'Hay,2026-05-01T09:00:00,"[""dry""]",1'


def test_what_can_be_asked(capsys: Capture) -> None:
    """Without a query each view is a line with its columns, and an example."""
    said = Said(capsys, "sql")
    assert [line for line in said.out if line.startswith("slots")] == [
        "slots: record_id, source, event, starts_at, ends_at, room"
    ]
    assert said.err[0].endswith("conspectus sql 'SELECT source, count(*) FROM records GROUP BY ALL'")


def test_a_query_that_is_refused(capsys: Capture) -> None:
    """The command fails with what DuckDB says."""
    said = Said(capsys, "sql", "SELECT * FROM cows")
    assert (said.code, said.err[0][:35]) == (1, "failed: SQL: Catalog Error: Table w")
