"""Temporary folders: those left by killed processes are deleted, and nothing else."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.base.disk import temporary_folder
from pipeline.base.known_files import KnownFiles
from pipeline.base.settings import Settings
from pipeline.run.plan import make_plan
from pipeline.run.session import RunSession
from pipeline.workers.engines import Inline
from tests.conftest import ROOT
from tests.support.toy import TOYS, Desk

DEAD = 999_999_999
"""The number of no process."""

HOLD = """
import sys, time
from pathlib import Path
from pipeline.base.disk import temporary_folder
with temporary_folder("toy-", Path(sys.argv[1])) as folder:
    (Path(folder) / "entry").write_text("x")
    print(Path(folder).name, flush=True)
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
            assert names(tmp_path) == sorted([left, Path(own).name])
        process.kill()
    assert names(tmp_path) == [left]
    with temporary_folder("toy-", tmp_path) as own:
        assert names(tmp_path) == [Path(own).name]
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


def test_a_run_sweeps(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders of killed runs are gone once a run needs one, which goes with the run."""
    (folder := tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    (folder / f"conspectus-{DEAD}-left").mkdir()
    (folder / f"conspectus-{DEAD}-left" / "entry").touch()
    files = KnownFiles(desk.out)
    session = RunSession(make_plan(Settings(desk.raw, desk.out), TOYS, files), files, Inline(TOYS))
    assert [Path(session.folder.name).name] == names(folder)
    del session
    gc.collect()
    assert names(folder) == []
