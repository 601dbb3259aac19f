"""The real dumps are parsed exactly as people read them: every field of every record, against a manual ground truth.

The dumps are not part of the repository; the ground truth has facts about them, and texts as hashes only.
"""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Outcome
from pipeline.run.refresh import preview
from tests.support.goldens import plain

TRUTHS = {file.parent.name: file for file in sorted(Path(__file__).parent.glob("*/real_truth.json"))}
CHECKED = frozenset(
    "native_id kind title authors presenter event session_code session_title track session_description chairs slots "
    "listed_on published_on listing_section arxiv_id doi url categories comments journal_ref report_no formats "
    "keywords engagement summary".split()
)
COMPUTED = {"abstract_missing", "authors_missing", "title_missing"}


@cache
def outcome_of(raw: Path, source: str) -> Outcome:
    """Run the stages of one source over the real dumps, without publishing."""
    return preview(Settings(raw, raw / "nowhere"), sources(), source)


def truth_of(source: str) -> dict[str, Any]:
    """Read the truth of a source."""
    truth: dict[str, Any] = json.loads(TRUTHS[source].read_text(encoding="utf-8"))
    return truth


def found_records(outcome: Outcome, keys: set[str]) -> list[dict[str, Any]]:
    """Return the records in the form of the truth: texts hashed, nulls left out, computed notes and ids left out."""
    assert outcome.records is not None
    return [in_form(row, keys) for row in outcome.records.sort("line_start").iter_rows(named=True)]


def in_form(row: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    """Bring one published row into the form of the truth."""
    abstract = row.pop("abstract")
    if abstract is not None:
        row["abstract_sha256"] = sha256(abstract.encode()).hexdigest()
        row["abstract_paragraphs"] = abstract.count("\n\n") + 1
    row["notes"] = sorted(set(row["notes"]) - COMPUTED)
    for person in (*(row["authors"] or ()), *(row["chairs"] or ())):
        del person["country_code"]
    kept = {name: plain(value) for name, value in row.items() if name in keys and value is not None}
    return dict(sorted(kept.items()))


def in_order(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of a truth with sorted keys."""
    return [dict(sorted(record.items())) for record in truth["records"]]


@pytest.mark.real
@pytest.mark.parametrize("source", TRUTHS)
def test_every_field(real_raw: Path, source: str) -> None:
    """Every record of the real dump has exactly the values that a reader finds."""
    truth = truth_of(source)
    keys = {"notes", "abstract_sha256", "abstract_paragraphs"}.union(*truth["records"], CHECKED)
    assert found_records(outcome_of(real_raw, source), keys) == in_order(truth)


@pytest.mark.real
@pytest.mark.parametrize("source", TRUTHS)
def test_dump_is_the_one_that_was_read(real_raw: Path, source: str) -> None:
    """The truth speaks of these bytes."""
    truth = truth_of(source)
    assert sha256((real_raw / truth["dump"]).read_bytes()).hexdigest() == truth["sha256"]


@pytest.mark.real
@pytest.mark.parametrize("source", TRUTHS)
def test_every_line_is_explained(real_raw: Path, source: str) -> None:
    """Every non-blank line of the real dump is a record, a heading or named boilerplate; nothing is in quarantine."""
    outcome = outcome_of(real_raw, source)
    counted = sum(outcome.readings[0].by_class.values())
    assert (counted, outcome.unexplained, outcome.quarantine.height) == (truth_of(source)["lines"], 0, 0)
