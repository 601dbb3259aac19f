"""Temporary folders: those left by killed processes are deleted, and nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.base.disk import temporary_folder
from pipeline.workers.engines import open_engine
from tests.conftest import ROOT
from tests.support.toy import TOYS

DEAD = 999_999_999
"""The number of no process."""

HOLD = """
import sys, time
from pathlib import Path
from pipeline.base.disk import temporary_folder
with temporary_folder("toy-", Path(sys.argv[1])) as folder:
    (folder / "entry").write_text("x")
    print(folder.name, flush=True)
    time.sleep(60)
"""


def names(folder: Path) -> list[str]:
    """Return what is in a folder, sorted."""
    return sorted(path.name for path in folder.iterdir())


def test_a_process_that_is_killed(tmp_path: Path) -> None:
    """Its folder stays as long as it lives; after that the next one deletes it."""
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        left = process.stdout.readline().strip()
        with temporary_folder("toy-", tmp_path) as own:
            assert names(tmp_path) == sorted([left, own.name])
        process.kill()
    assert names(tmp_path) == [left]
    with temporary_folder("toy-", tmp_path) as own:
        assert names(tmp_path) == [own.name]
    assert names(tmp_path) == []


def test_what_is_not_ours_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept: folders with other names, links, files, and folders of running processes or of other users."""
    kept = [f"toy-{DEAD}", f"mytoy-{DEAD}-a", f"toy-{os.getppid()}-a", "toy-x-a", f"toy-{DEAD}-a.b", f"toy-{10**30}-a"]
    for name in kept:
        (tmp_path / name).mkdir()
    (tmp_path / f"toy-{DEAD}-file").touch()
    (tmp_path / f"toy-{DEAD}-link").symlink_to(tmp_path / kept[0], target_is_directory=True)
    before = names(tmp_path)
    (tmp_path / f"toy-{DEAD}-left").mkdir()
    with monkeypatch.context() as patched, temporary_folder("other-", tmp_path):
        patched.setattr(os, "geteuid", lambda: 12345)
        with temporary_folder("toy-", tmp_path):
            assert (tmp_path / f"toy-{DEAD}-left").exists()
    with temporary_folder("toy-", tmp_path), temporary_folder("toy-", tmp_path):
        pass
    assert names(tmp_path) == before


def test_a_run_sweeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders of killed runs are gone once the next one has begun."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / f"conspectus-{DEAD}-left").mkdir()
    (tmp_path / f"conspectus-{DEAD}-left" / "entry").touch()
    with open_engine("inline", TOYS) as engine:
        assert engine.spare is not None
        assert names(tmp_path) == [engine.spare.name]
