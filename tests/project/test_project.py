"""The project as a whole: docs match the declarations and the code, and no file names a machine or a package host."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.base.signals import REASONS_OF, SIGNALS
from pipeline.run.refresh import refresh
from schemas.describe import markdown_codes, markdown_table
from schemas.tables import RECORDS
from schemas.vocabulary import REASONS
from tests.conftest import ROOT

LOCKS = [*sorted(ROOT.glob("requirements*.lock")), ROOT / "tests" / "interop" / "interop.lock"]
COLUMNS = ROOT / "docs" / "columns.md"
MARKS = (
    "<!-- columns: generated from schemas/tables.py, checked by tests/project/test_project.py -->\n",
    "<!-- end of columns -->",
)

CODES = (
    "<!-- codes: generated from schemas/vocabulary.py, checked by tests/project/test_project.py -->\n",
    "<!-- end of codes -->",
)


SIGNS = (
    "<!-- signals: generated from pipeline/base/signals.py, checked by tests/project/test_project.py -->\n",
    "<!-- end of signals -->",
)


def tracked() -> list[Path]:
    """Return the files of the repository."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    return [ROOT / name for name in listed.stdout.splitlines()]


def between(text: str, start: str, end: str) -> str:
    """Return what stands between two marks."""
    return text.split(start, 1)[1].split(end, 1)[0]


def test_docs_list_the_columns_as_declared() -> None:
    """The table of columns in the documentation equals the generated one."""
    text = COLUMNS.read_text(encoding="utf-8")
    assert between(text, *MARKS) == markdown_table(RECORDS) + "\n"


def test_docs_list_the_codes_as_declared() -> None:
    """The table of codes in the documentation equals the generated one."""
    text = COLUMNS.read_text(encoding="utf-8")
    assert between(text, *CODES) == markdown_codes() + "\n"


def test_docs_list_the_signals_as_declared() -> None:
    """The table of signals in the documentation equals the declared one."""
    head = ["| signal | what it tells | compares | by default | next |", "|---|---|---|---|---|"]
    rows = []
    for each in SIGNALS.values():
        says = each.says or REASONS[REASONS_OF[each.name]]
        cells = (f"`{each.name}`", says, each.compares.value, each.does.value, f"`{each.then.value.split()[0]}`")
        rows.append(f"| {' | '.join(cells)} |")
    text = (ROOT / "docs" / "signals.md").read_text(encoding="utf-8")
    assert between(text, *SIGNS).splitlines() == [*head, *rows]


def test_docs_show_the_examples() -> None:
    """The sources that the documentation shows are the files that ``make examples`` runs, and one of the systems."""
    pages = (ROOT / "docs" / "contributing").glob("source-of-*.md")
    shown = "".join(page.read_text(encoding="utf-8") for page in pages)
    blocks = re.findall(r"```(?:python|toml)\n(.*?)```", shown, re.DOTALL)
    files = [*(ROOT / "examples" / "parsers").glob("*.py"), ROOT / "parsers" / "systems" / "sched.toml"]
    assert sorted(blocks) == sorted(file.read_text(encoding="utf-8") for file in files)


def test_the_record_of_the_readme_comes_out(tmp_path: Path) -> None:
    """The record shown in the README is a row of the dataset made from the specimens."""
    shown = json.loads(between((ROOT / "README.md").read_text(encoding="utf-8"), "```json\n", "```"))
    result = refresh(Settings(ROOT / "raw", tmp_path / "out"), sources(), [shown["source"]])
    rows = (result.publication.folder / "json" / f"{shown['source']}.ndjson").read_text(encoding="utf-8").splitlines()
    (row,) = [row for row in map(json.loads, rows) if row["record_id"] == shown["record_id"]]
    assert {name: row[name] for name in shown} == shown


def test_every_link_of_the_docs_leads_somewhere() -> None:
    """Files that the README and the documentation link to are there."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    pages += (ROOT / "docs" / "contributing").glob("*.md")
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", page.read_text(encoding="utf-8"))
    ]
    assert [f"{page.name}: {link}" for page, link in links if not (page.parent / link).exists()] == []


def test_cleaning_leaves_the_dataset() -> None:
    """``make clean`` deletes what can be rebuilt; the published dataset with its history cannot."""
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nclean:\n\t")[2].partition("\n")[0]
    assert (recipe.split()[:2], {"out", "$(OUT)", "raw"} & set(recipe.split())) == (["rm", "-rf"], set())


def test_lock_pins_versions_and_hashes_only() -> None:
    """Every entry of a lock file is a name with one version, possibly a marker, and hashes."""
    text = re.sub(r"(?m)^#.*\n", "", "".join(lock.read_text(encoding="utf-8") for lock in LOCKS))
    entry = r"[a-z0-9._\[\]-]+==[A-Za-z0-9.+!-]+(?: ; [^\\\n]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n"
    assert re.sub(entry, "", text) == ""


def missing_of(lock: str, *extras: str) -> list[str]:
    """Return what the project and some of its extras need, and a lock file lacks or has in another version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(each for name in extras for each in project["optional-dependencies"][name])]
    entries = re.findall(r"(?m)^([\w.-]+)(?:\[[^\]]*\])?==([\w.+!-]+)", (ROOT / lock).read_text(encoding="utf-8"))
    locked = {canonicalize_name(name): version for name, version in entries}
    needs = [(locked.get(canonicalize_name(each.name)), each) for each in map(Requirement, wanted)]
    return sorted(str(each) for version, each in needs if version is None or version not in each.specifier)


@pytest.mark.parametrize(
    ("lock", "extras"),
    [
        ("requirements.lock", ["build"]),
        ("requirements-dask.lock", ["build", "dask"]),
        ("requirements-site.lock", ["build", "site"]),
        ("requirements-dev.lock", ["build", "dask", "dev", "site", "sql"]),
    ],
)
def test_locks_have_what_the_project_needs(lock: str, extras: list[str]) -> None:
    """Every dependency and those of the extras that a lock is for are in it; if not, ``make lock`` was forgotten."""
    assert missing_of(lock, *extras) == []


@pytest.mark.parametrize(
    "pattern", [r"(^|[^\w.])/(home|root|work|usr/local)/", r"pypi\.org|files\.pythonhosted|/simple/"]
)
def test_no_file_names_a_machine_or_a_package_host(pattern: str) -> None:
    """No file contains the path of a machine or the address of a package index."""
    files = [file for file in tracked() if file.is_file() and file.name != Path(__file__).name]
    found = [file.name for file in files if re.search(pattern.encode(), file.read_bytes())]
    assert found == []
