"""The project as a whole: what the README says is generated, and nothing names a machine or a package host."""

import re
import subprocess
from pathlib import Path

import pytest

from schemas.describe import markdown_codes, markdown_table
from schemas.tables import RECORDS
from tests.conftest import ROOT

LOCKS = sorted(ROOT.glob("requirements*.lock"))
MARKS = (
    "<!-- columns: generated from schemas/tables.py, checked by tests/test_project.py -->\n",
    "<!-- end of columns -->",
)

CODES = (
    "<!-- codes: generated from schemas/vocabulary.py, checked by tests/test_project.py -->\n",
    "<!-- end of codes -->",
)


def tracked() -> list[Path]:
    """Return the files of the repository."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    return [ROOT / name for name in listed.stdout.splitlines()]


def between(text: str, start: str, end: str) -> str:
    """Return what stands between two marks."""
    return text.split(start, 1)[1].split(end, 1)[0]


def test_readme_lists_the_columns_as_declared() -> None:
    """The table of columns in the README is the one that the declaration gives."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert between(readme, *MARKS) == markdown_table(RECORDS) + "\n"


def test_readme_lists_the_codes_as_declared() -> None:
    """The table of codes in the README is the one of the closed lists."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert between(readme, *CODES) == markdown_codes() + "\n"


def test_readme_shows_the_examples() -> None:
    """The sources of the README are the files that ``make examples`` runs."""
    shown = between((ROOT / "README.md").read_text(encoding="utf-8"), "## Adding a source", "## The rooms")
    blocks = re.findall(r"(?<=```python\n).*?(?=```)", shown, re.DOTALL)
    files = sorted((ROOT / "examples" / "parsers").glob("*.py"))
    assert sorted(blocks) == sorted(file.read_text(encoding="utf-8") for file in files)


def test_lock_pins_versions_and_hashes_only() -> None:
    """Every entry of a lock file is a name with one version, perhaps where it holds, and the hashes of its files."""
    text = re.sub(r"(?m)^#.*\n", "", "".join(lock.read_text(encoding="utf-8") for lock in LOCKS))
    entry = r"[a-z0-9._\[\]-]+==[A-Za-z0-9.+!-]+(?: ; [^\\\n]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n"
    assert re.sub(entry, "", text) == ""


@pytest.mark.parametrize(
    "pattern", [r"(^|[^\w.])/(home|root|work|usr/local)/", r"pypi\.org|files\.pythonhosted|/simple/"]
)
def test_no_file_names_a_machine_or_a_package_host(pattern: str) -> None:
    """No path of a machine and no address of a package index stands in any file."""
    files = [file for file in tracked() if file.is_file() and file.name != Path(__file__).name]
    found = [file.name for file in files if re.search(pattern.encode(), file.read_bytes())]
    assert found == []
