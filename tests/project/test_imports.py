"""The import table of the project: which room may import which, and which third parties."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from parsers._registry import sources
from tests.conftest import ROOT

pytestmark = pytest.mark.untraced

ALLOWED = {
    "schemas": {"schemas", "pandera", "polars"},
    "parsers": {"schemas", "parsers", "cssselect", "icalendar", "lxml", "pyparsing", "yaml"},
    "pipeline": set(
        "schemas parsers pipeline polars pandera httpx apprise rich filelock zstandard icalendar bibtexparser numpy "
        "jinja2 latex2mathml markupsafe pagefind_bin pylatexenc distributed protego psutil pycountry pydantic shtab "
        "stamina duckdb".split()
    ),
    "flows.py": {"pipeline", "parsers", "prefect", "pydantic"},
}
CONTRACT_OF_PARSERS = {
    f"parsers._{name}"
    for name in (
        "contract registry ledger.bundle ledger.document ledger.lines web.web "
        "words.dates words.identifiers words.people words.text".split()
    )
}
DRAFTING = {"lxml", "parsers._ledger.elements"}  # looks at pages as parsers do
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


def allowed_in(file: Path) -> set[str]:
    """Return the rooms and libraries that a file may import."""
    return ALLOWED[room_of(file)] | (DRAFTING if file.parent.name == "drafting" else set())


def offenders(files: Iterable[Path], wrong: Callable[[Path], Iterable[str]]) -> dict[str, list[str]]:
    """Return what is wrong in which files, by their paths below the root; files without faults are left out."""
    found = {file.relative_to(ROOT).as_posix(): sorted(wrong(file)) for file in files}
    return {path: names for path, names in found.items() if names}


def test_rooms_import_only_what_they_may() -> None:
    """A room imports the rooms and libraries of the table, nothing else."""
    assert len(FILES) > len(ALLOWED)
    assert offenders(FILES, lambda file: {name.split(".")[0] for name in imports(file)} - allowed_in(file)) == {}


def test_only_the_contract_of_the_parsers_is_known() -> None:
    """The pipeline and the flows know the registry and the contract of the parsers, not the sources."""
    files = [file for file in FILES if room_of(file) in {"pipeline", "flows.py"}]

    def unknown(file: Path) -> set[str]:
        known = CONTRACT_OF_PARSERS | (DRAFTING if file.parent.name == "drafting" else set())
        return {name for name in imports(file) if name.startswith("parsers")} - known

    assert offenders(files, unknown) == {}


def test_parsers_know_only_items_and_themselves() -> None:
    """A parser imports the items, the shared helpers and its own package; never another source."""

    def strangers(file: Path) -> set[str]:
        own = f"parsers.{file.relative_to(ROOT / 'parsers').parts[0].removesuffix('.py')}"
        ours = {name for name in imports(file) if name.startswith(("parsers.", "schemas"))}
        return {name for name in ours if not name.startswith(("parsers._", "schemas.items", own))}

    assert offenders((ROOT / "parsers").rglob("*.py"), strangers) == {}


def test_parsers_load_no_data_library() -> None:
    """Importing the parsers loads neither polars nor pandera nor prefect; the failure names the source that does."""
    code = f"""
import sys
from parsers._registry import find_source
for source in {sorted(sources())}:
    find_source(source)
    assert not (loaded := {{"polars", "pandera", "prefect"}} & sys.modules.keys()), (source, loaded)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def texts_in(file: Path) -> list[str]:
    """Return the words of the string literals of a file that are one word, or several joined by slashes."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [word for text in texts if re.fullmatch(r"[\w/]+", text) for word in text.split("/")]


def test_no_source_is_named_outside_its_own_folder() -> None:
    """No string literal of the pipeline, the schemas and the flows is the name of a source.

    A name that also occurs there as an ordinary word, identifier or code is allowed.
    """
    files = [file for file in FILES if room_of(file) in {"pipeline", "schemas", "flows.py"}]
    words = Counter(word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8")))
    texts = Counter(word for file in files if file.stem != "vocabulary" for word in texts_in(file))
    named = {name for name in sources() if 0 < texts[name] == words[name]}
    assert offenders(files, lambda file: named.intersection(texts_in(file))) == {}


def test_common_tests_import_no_source() -> None:
    """Common tests ask for sources by name instead of importing them."""
    rooms = tuple(f"{room}.{name}" for room in ("parsers", "tests.sources") for name in sources())

    def imported(file: Path) -> set[str]:
        return {name for name in imports(file) if f"{name}.".startswith(tuple(f"{room}." for room in rooms))}

    files = [file for file in (ROOT / "tests").rglob("*.py") if file.parent.name not in sources()]
    assert offenders(files, imported) == {}
