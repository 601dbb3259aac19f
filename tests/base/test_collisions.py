"""Packages of other distributions with the names of ours: reported in one line, in the way or not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.__main__ import main
from pipeline.base.collisions import NAMES, check_packages, collisions
from tests.conftest import ROOT
from tests.support.said import Said
from tests.support.toy import Desk

APART = "install each in its own environment"


def put(folder: Path, file: str, text: str = "") -> Path:
    """Write the first file of a package, or a module."""
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(text)
    return folder / file


def run_in(folder: Path, *arguments: str, path: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run ``python -m pipeline`` in a folder, with our packages behind it."""
    command = [sys.executable, "-m", "pipeline", *arguments]
    environment = {**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{ROOT}"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_no_collision_here() -> None:
    """No warning where there is none to give."""
    check_packages()
    assert list(collisions()) == []


@pytest.mark.parametrize(("name", "arguments"), [("schemas", ["sources"]), ("parsers", ["--version"])])
def test_a_folder_with_a_package_of_its_own(tmp_path: Path, name: str, arguments: list[str]) -> None:
    """Exit code 2 and one line, which says what to do, instead of a traceback."""
    file = put(tmp_path, f"{name}/__init__.py")
    done = run_in(tmp_path, *arguments)
    expected = f"expected the package {name} of conspectus, found a different one"
    advice = "run it from another folder, or use the command conspectus"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"conspectus: {file}: {expected}: {advice}\n")


def test_a_package_before_ours(tmp_path: Path) -> None:
    """The same where it is installed and not in the working folder."""
    file = put(tmp_path / "lib", "schemas.py")
    done = run_in(tmp_path, "sources", path=tmp_path / "lib")
    expected = f"expected the package schemas of conspectus, found a different one: {APART}"
    assert (done.returncode, done.stderr) == (2, f"conspectus: {file}: {expected}\n")


def test_folders_that_are_no_packages(tmp_path: Path) -> None:
    """They are in nobody's way, and neither is a module that no command imports."""
    for name in NAMES:
        put(tmp_path, f"{name}/notes.txt")
    put(tmp_path, "flows.py")
    done = run_in(tmp_path, "sources")
    assert (done.returncode, done.stderr.count("\n"), "dumps are not listed" in done.stderr) == (0, 1, True)


@pytest.mark.parametrize("name", ["pipeline/__init__.py", "schemas/__init__.py", "parsers.py", "flows.py"])
def test_a_package_after_ours(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """One line on the error stream; the command does its work, and stays silent where it is to be quiet."""
    file = put(tmp_path / "lib", name)
    short = name.partition("/")[0].removesuffix(".py")
    put(tmp_path / "copy", name)
    put(tmp_path / "copy", "pipeline/base/collisions.py")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "lib"), str(tmp_path / "copy"), str(tmp_path / "gone")])
    desk.put("fair/a.txt", {"title": "Hay", "event": "E"})
    roots = ("--raw", desk.raw, "--out", desk.out)
    loud, quiet = Said(capsys, "sources", "--raw", desk.raw), Said(capsys, "refresh", "--quiet", *roots)
    told = f"warning: {file} is not part of conspectus, which also uses the name {short}: {APART}"
    assert (loud.code, loud.err) == (0, [told])
    assert (quiet.code, quiet.out, quiet.err) == (0, [], [])


def test_help_answers_at_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody looks for collisions then."""
    monkeypatch.setattr("pipeline.__main__.collisions", lambda: ["a warning"])
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert (ended.value.code, capsys.readouterr().err) == (0, "")
