"""The output of commands with --json, validated against docs/schemas; empty results; missing ages."""

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]  # ships no types

from parsers._registry import sources
from schemas.tables import CHANGES, QUARANTINE
from tests.conftest import ROOT
from tests.support.manifests import load_manifest, put_manifest
from tests.support.said import Said, plain
from tests.support.toy import Desk

pytestmark = pytest.mark.usefixtures("in_the_desk")

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"]}
SCHEMAS = ROOT / "docs" / "schemas"


def schema_of(command: str) -> dict[str, Any]:
    """Return the schema of what a command prints."""
    loaded: dict[str, Any] = json.loads((SCHEMAS / f"{command}.schema.json").read_text(encoding="utf-8"))
    return loaded


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[Any]]:
    """Run a command with ``--json``; return its exit code and its objects, which hold to the schema and no more."""
    said = Said(capsys, *arguments, "--json")
    objects = [json.loads(line) for line in said.out]
    validator = Draft202012Validator(schema_of(arguments[0]), format_checker=FormatChecker())
    assert [error.message for each in objects for error in validator.iter_errors(each)] == []
    return said.code, objects


@pytest.mark.parametrize("file", sorted(SCHEMAS.iterdir()), ids=lambda file: file.name)
def test_schemas_are_such(file: Path) -> None:
    """Each is a JSON Schema, and the documentation names it."""
    Draft202012Validator.check_schema(json.loads(file.read_text(encoding="utf-8")))
    assert f"(schemas/{file.name})" in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", [QUARANTINE, CHANGES], ids=lambda table: table.name)
def test_schemas_of_rows_have_the_columns(table: Any) -> None:
    """The schema has the declared columns in their order."""
    schema = schema_of(table.name)
    assert list(schema["properties"]) == schema["required"] == list(table.columns)


def test_refresh_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The object has each source, unclaimed files, messages and next commands."""
    desk.put("fair/a.txt", HAY, "junk")
    code, (good,) = printed(capsys, "refresh", "--quiet")
    desk.put("fair/b.txt", "x")
    desk.put("barn/a.txt", "x")
    red_code, (red,) = printed(capsys, "refresh")
    assert (code, good["good"], good["new"], good["next"]) == (0, True, True, [])
    assert good["sources"]["fair"] | {"seconds": 0} == {
        "changes": None,
        "attention": [],
        "signals": [],
        "status": "ok",
        "error": None,
        "dumps": 1,
        "records": 1,
        "quarantined": 1,
        "reasons": {"unexplained_line": 1},
        "lines": {"record": 1, "unexplained": 1},
        "seconds": 0,
    }
    assert (red_code, red["good"], red["sources"]["fair"]["status"], list(red["unclaimed"])) == (
        1,
        False,
        "partial",
        ["barn/a.txt"],
    )
    assert (red["messages"][0][:7], plain(red["next"][-2])) == (
        "failed:",
        "next: conspectus parse raw/fair/b.txt --lines",
    )


def test_a_refresh_that_publishes_nothing_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The object has the reason."""
    code, (said,) = printed(capsys, "refresh")
    assert (code, said["good"], said["dataset"]) == (1, False, None)
    assert said["error"] == f"nothing to publish: expected dumps below {desk.raw}, found none"


def test_status_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The object has state, age and counts of each source; it is empty if nothing is published."""
    nothing, (empty,) = printed(capsys, "status")
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", "x", "y")
    desk.run()
    code, (said,) = printed(capsys, "status")
    alone, (fair,) = printed(capsys, "status", "fair", "--max-age", "1h")
    assert (nothing, empty["good"], empty["dataset"], empty["sources"]) == (1, False, None, {})
    assert (code, said["good"], said["dataset"]) == (1, False, str((desk.out / "latest").resolve()))
    news = said["sources"]["news"]
    assert (news["status"], news["age_seconds"], news["records"]) == ("failed", None, 0)
    assert (alone, fair["good"], fair["sources"]["fair"]["stale"], list(fair["sources"])) == (0, True, False, ["fair"])


def test_files_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The object has all files with hashes, or those that differ since a snapshot."""
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", HAY)
    first = desk.run().publication.folder
    desk.put("fair/a.txt", HAY, {"title": "Rye"})
    desk.run()
    _, (whole,) = printed(capsys, "files")
    _, (fair,) = printed(capsys, "files", "fair")
    _, (new,) = printed(capsys, "files", "--since", first.name)
    assert {path: block["sha256"] for path, block in whole["files"].items()} == {
        path: sha256(data).hexdigest() for path, data in desk.data().items()
    }
    assert list(fair["files"]) == [path for path in whole["files"] if "fair" in path]
    assert (new["since"], list(new["files"]), new["gone"]) == (
        first.name,
        ["captures/fair.parquet", "json/fair.ndjson", "parquet/fair.parquet", "sightings/fair.parquet"],
        [],
    )


def test_an_age_of_nothing(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """``--max-age 0h`` makes everything stale."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    manifest = load_manifest(desk.out)
    moment = datetime.now(UTC) - timedelta(minutes=1)
    manifest["sources"]["fair"]["refreshed_at"] = moment.isoformat(timespec="seconds")
    put_manifest((desk.out / "latest").resolve(), manifest)
    said = Said(capsys, "status", "--max-age", "0h")
    code, (verdict,) = printed(capsys, "verify", "out", "--max-age", "0h")
    assert (said.code, said.err) == (1, ["stale: fair: expected data at most 0h 0m old, found 0h 1m"])
    assert (code, verdict["good"], verdict["problems"][0].split(":")[0]) == (1, False, "fair")


def test_verify_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A complete dataset has no problems."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    code, (said,) = printed(capsys, "verify", "out")
    assert (code, said["good"], said["records"], said["problems"]) == (0, True, 1, [])


def test_sources_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Each source has its formats, and its dumps with a format or a reason."""
    desk.put("fair/a.txt", HAY)
    desk.put("fair/b.txt", "x")
    code, (said,) = printed(capsys, "sources")
    fair, news = said["sources"]
    assert (code, fair["name"], fair["family"], news["dumps"]) == (0, "fair", "programme", [])
    assert fair["formats"] == [{"name": "json lines", "expects": "JSON objects"}]
    assert fair["dumps"] == [
        {"path": "fair/a.txt", "format": "json lines", "reason": None},
        {"path": "fair/b.txt", "format": None, "reason": "not_this_source"},
    ]


def test_what_is_to_be_fetched_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The object has the contact and the addresses by target."""
    (tmp_path / "raw").mkdir()
    (tmp_path / "sources.toml").write_text('contact = "somebody@example.org"\n')
    code, (said,) = printed(capsys, "sources", "--check")
    assert sources()
    assert (code, said["contact"], said["requests"]) == (0, "somebody@example.org", [])


def test_rows_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """``quarantine`` and ``changes`` print one object a line, also for one source."""
    desk.put("fair/a.txt", HAY, "junk")
    desk.run()
    desk.put("fair/a.txt", {**HAY, "abstract": "On hay."}, "junk")
    desk.put("news/a.txt", HAY)
    desk.run()
    (held,), (changed,) = printed(capsys, "quarantine")[1], printed(capsys, "changes", "fair")[1]
    assert (held["reason"], changed["columns"]) == ("unexplained_line", ["abstract", "notes"])


def test_a_record_explained_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The object has fields with their places, captures and history, of a record that is gone too; texts are whole."""
    long = "On hay. " * 20
    desk.put("fair/a-20260711T0300Z.txt", {**HAY, "abstract": "Hay."}, {**HAY, "title": "Rye"})
    desk.run()
    desk.put("fair/a-20260712T0300Z.txt", {**HAY, "abstract": long})
    desk.run()
    _, (hay,) = printed(capsys, "explain", "fair:e/hay")
    _, (rye,) = printed(capsys, "explain", "fair:e/rye")
    place = "fair/a-20260712T0300Z.txt:1"
    given = {"column": "abstract", "value": long.strip(), "place": place, "rule": "line"}
    (capture,) = hay["sightings"]
    (older,) = hay["beside"]
    change, first = hay["history"]
    assert (hay["what"], hay["title"], hay["published"], given in hay["fields"]) == ("record", "Hay", True, True)
    assert (capture["place"], "abstract" in capture["gave"], older["differs"]) == (place, True, {"abstract": "Hay."})
    assert (first["change"], change["change"], change["values"][0]["before"]) == ("added", "changed", "Hay.")
    assert (rye["record_id"], rye["published"]) == ("fair:e/rye", False)


def test_what_was_held_back_explained_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The object has its rows of the quarantine."""
    desk.put("fair/a.txt", {**HAY, "title": "Rye"})
    desk.put("fair/b.txt", {**HAY, "url": "no address"}, *["unread"] * 60)
    desk.run()
    _, (said,) = printed(capsys, "explain", "fair:e/hay")
    assert (said["what"], said["record_id"], said["rows"][0]["line_start"]) == ("held_back", "fair:e/hay", 1)


def test_a_line_explained_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The object has what claims the line, what it is part of now and as published, and why not."""
    desk.put("fair/a.txt", HAY, "junk")
    desk.run()
    desk.put("fair/b.txt", HAY)
    desk.put("barn/a.txt", "x")
    _, (record,) = printed(capsys, "explain", "fair/a.txt:1")
    _, (junk,) = printed(capsys, "explain", "fair/a.txt:2")
    _, (new,) = printed(capsys, "explain", "fair/b.txt:1")
    _, (strange,) = printed(capsys, "explain", "barn/a.txt:1")
    known = [{"record_id": "fair:e/hay", "line_start": 1, "line_end": 1}]
    assert (record["what"], record["dump"], record["line"]) == ("line", "fair/a.txt", 1)
    assert (record["now"], record["published"]) == ({"records": known, "held_back": []},) * 2
    assert [(each["class"], each["text"]) for each in junk["places"]] == [("unexplained", "junk")]
    assert [each["reason"] for each in junk["published"]["held_back"]] == ["unexplained_line"]
    assert (new["published"]["records"], new["unpublished"][:22]) == ([], "nothing from this dump")
    assert (strange["places"], strange["remarks"][0][:27]) == ([], "no source claims this file:")


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_empty_answers_say_so(desk: Desk, capsys: pytest.CaptureFixture[str], more: list[str]) -> None:
    """An empty answer prints a line on standard error, with exit code 0."""
    none = Said(capsys, "sources", *more)
    desk.put("fair/a.txt", HAY)
    desk.run()
    held = Said(capsys, "quarantine", *more)
    of_reason = Said(capsys, "quarantine", "fair", "--reason", "guard_drop", "--reason", "too_slow", *more)
    desk.put("fair/a.txt", HAY, "junk")
    desk.run()
    same = Said(capsys, "changes", *more)
    assert (none.code, none.err) == (0, [f"no dumps of these sources below {desk.raw}"])
    assert [(said.code, said.out, said.err) for said in (held, of_reason, same)] == [
        (0, [], ["nothing was held back"]),
        (0, [], ["nothing was held back of fair for guard_drop or too_slow"]),
        (0, [], ["no records changed"]),
    ]
