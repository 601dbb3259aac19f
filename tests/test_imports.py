"""The import table of the project: which room may import which, and which third parties."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from parsers._registry import sources
from tests.conftest import ROOT

pytestmark = pytest.mark.untraced

ALLOWED = {
    "schemas": {"schemas", "pandera", "polars"},
    "parsers": {"schemas", "parsers", "lxml", "pyparsing"},
    "pipeline": set(
        "schemas parsers pipeline polars pandera httpx rich filelock zstandard icalendar bibtexparser pylatexenc "
        "distributed protego psutil pycountry pydantic stamina".split()
    ),
    "flows.py": {"pipeline", "parsers", "prefect", "flows"},
}
CONTRACT_OF_PARSERS = {"parsers._contract", "parsers._registry", "parsers._lines", "parsers._web"}
FILES = [file for room in ALLOWED for file in ([ROOT / room] if room.endswith(".py") else (ROOT / room).rglob("*.py"))]


@cache
def imports(file: Path) -> frozenset[str]:
    """Return the full names of the modules that a file imports, standard library left out."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" if node.module in ALLOWED else node.module for alias in node.names}
    return frozenset(name for name in found if name.split(".")[0] not in sys.stdlib_module_names)


def room_of(file: Path) -> str:
    """Return the room of a file: its top-level name."""
    return file.relative_to(ROOT).parts[0]


def name_of(file: Path) -> str:
    """Return a test id: the path below the root."""
    return file.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_room_imports_only_what_it_may(file: Path) -> None:
    """A room imports the rooms and libraries of the table, nothing else."""
    assert {name.split(".")[0] for name in imports(file)} - ALLOWED[room_of(file)] == set()


@pytest.mark.parametrize("file", [file for file in FILES if room_of(file) in {"pipeline", "flows.py"}], ids=name_of)
def test_only_the_contract_of_the_parsers_is_known(file: Path) -> None:
    """The pipeline and the flows know the registry and the contract of the parsers, not the sources."""
    assert {name for name in imports(file) if name.startswith("parsers")} <= CONTRACT_OF_PARSERS


@pytest.mark.parametrize("file", sorted((ROOT / "parsers").rglob("*.py")), ids=name_of)
def test_parsers_know_only_items_and_themselves(file: Path) -> None:
    """A parser imports the items, the shared helpers and its own package; never another source."""
    own = f"parsers.{file.relative_to(ROOT / 'parsers').parts[0].removesuffix('.py')}"
    ours = {name for name in imports(file) if name.startswith(("parsers.", "schemas"))}
    strangers = {name for name in ours if not name.startswith(("parsers._", "schemas.items", own))}
    assert strangers == set()


@pytest.mark.parametrize("source", sorted(sources()))
def test_parser_loads_no_data_library(source: str) -> None:
    """Importing a parser loads neither polars nor pandera nor prefect."""
    code = f"import sys, parsers.{source}; print({{'polars', 'pandera', 'prefect'}} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    "file",
    [
        *(file for file in FILES if room_of(file) in {"pipeline", "schemas", "flows.py"}),
        *sorted((ROOT / "tests").glob("*.py")),
    ],
    ids=name_of,
)
def test_no_source_is_named_outside_its_own_folder(file: Path) -> None:
    """Pipeline, schemas, flows and the common tests name no source."""
    assert set(re.findall(r"\w+", file.read_text(encoding="utf-8"))) & sources().keys() == set()
