"""The examples of docs/library.md run as they stand, on the specimens."""

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.conftest import ROOT

GUIDE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^## (.+?)\n\n```python\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, specimens: Path, published: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work where ``raw`` has the specimens and ``out`` what is made of them."""
    (tmp_path / "raw").symlink_to(specimens)
    (tmp_path / "out").symlink_to(published)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(example: str) -> dict[str, Any]:
    """Run an example and return its names."""
    names: dict[str, Any] = {}
    exec(compile(dict(EXAMPLES)[example], f"docs/library.md, {example}", "exec"), names)  # noqa: S102  # our own example
    return names


@pytest.mark.usefixtures("folder")
def test_the_dataset() -> None:
    """Frames and SQL give what the specimens hold."""
    found = run("The dataset")
    assert (found["papers"].height > 5, found["hall"].height > 0, found["moved"].height) == (True, True, 0)
    assert max(map(len, found["both"]["sources"].to_list())) > 1


@pytest.mark.usefixtures("folder")
def test_a_dump(capsys: pytest.CaptureFixture[str]) -> None:
    """It is read, and would be published."""
    found = run("A dump")["found"]
    assert capsys.readouterr().out == f"cluster {found.format} None\n"
    assert isinstance(found.account, pl.DataFrame)


def test_a_refresh(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One source is refreshed, into an out root of its own."""
    (folder / "out").unlink()
    assert run("A refresh")["result"].good
    assert capsys.readouterr().out.startswith("True ")
