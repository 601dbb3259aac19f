"""The contract keeps its promise: a minor version only adds to it, and the version number tells."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schemas.tables import CONTRACT_VERSION
from tests.conftest import ROOT
from tests.support.contract import Contract, declared_contract, needed, raised

RELEASED: Contract = json.loads((Path(__file__).parent / "goldens" / "contract-1.0.json").read_text(encoding="utf-8"))
ORDER = ("none", "minor", "major")


def changed(change: Callable[[Contract], Any]) -> Contract:
    """Return the released contract with one change."""
    contract = copy.deepcopy(RELEASED)
    change(contract)
    return contract


def move_first(fields: Contract) -> None:
    """Move the first entry to the end."""
    name = next(iter(fields))
    fields[name] = fields.pop(name)


def test_the_version_says_what_changed_since_it_was_released() -> None:
    """Columns and codes may be added with a minor version; anything else raises the major one.

    The golden file is that of the last release: it is replaced at a release, never to make this test pass.
    """
    asked = needed(RELEASED, declared_contract())
    assert ORDER.index(raised(RELEASED["version"], CONTRACT_VERSION)) >= ORDER.index(asked)


def test_the_contract_in_words_is_of_this_version() -> None:
    """docs/contract.md names the current version and says what it added."""
    text = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
    assert text.startswith(f"# The dataset contract, version {CONTRACT_VERSION}\n")
    assert f"\n- {CONTRACT_VERSION}: " in text


def test_a_major_version_has_its_decision_written_down() -> None:
    """A major version breaks tools of others: docs/adr gives the reason and names the version."""
    majors = range(2, int(CONTRACT_VERSION.split(".", maxsplit=1)[0]) + 1)
    decisions = "\n".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "docs" / "adr").glob("*.md")))
    assert [major for major in majors if f"contract version {major}" not in decisions] == []


@pytest.mark.parametrize(
    ("step", "change"),
    [
        ("none", lambda contract: contract),
        ("minor", lambda contract: contract["tables"]["records"].update(extra={"type": "String", "null": True})),
        ("major", lambda contract: contract["tables"]["records"].update(extra={"type": "String", "null": False})),
        ("minor", lambda contract: contract["tables"]["records"]["authors"]["type"][0].update(orcid="String")),
        ("major", lambda contract: contract["tables"]["records"]["authors"]["type"][0].pop("country")),
        ("major", lambda contract: contract["tables"]["records"].pop("doi")),
        ("major", lambda contract: contract["tables"]["records"]["title"].update(null=False)),
        ("major", lambda contract: contract["tables"]["records"]["title"].update(type="Int64")),
        ("major", lambda contract: contract["tables"]["records"]["formats"].update(type="String")),
        ("major", lambda contract: contract["tables"].pop("sightings")),
        ("major", lambda contract: move_first(contract["tables"]["records"])),
        ("major", lambda contract: move_first(contract["tables"]["records"]["authors"]["type"][0])),
        ("major", lambda contract: contract["files"].update(records="records")),
        ("minor", lambda contract: contract["files"].update(links="links")),
        ("minor", lambda contract: contract["tables"].update(links={})),
        ("minor", lambda contract: contract["lists"]["KINDS"].append("demo")),
        ("major", lambda contract: contract["lists"]["KINDS"].remove("paper")),
    ],
)
def test_what_a_change_asks_of_the_version(step: str, change: Callable[[Contract], Any]) -> None:
    """A new nullable column, struct field, table or code is minor; a removal or a change is major."""
    assert needed(RELEASED, changed(change)) == step


@pytest.mark.parametrize(
    ("before", "after", "part"),
    [("1.0", "1.0", "none"), ("1.0", "1.1", "minor"), ("1.9", "2.0", "major"), ("1.2", "1.1", "none")],
)
def test_which_part_was_raised(before: str, after: str, part: str) -> None:
    """A lower version raises nothing."""
    assert raised(before, after) == part
