"""A workplace for the nightly refresh: what ``conspectus init`` writes works as it stands and replaces nothing."""

import shlex
import sys
from pathlib import Path

import pytest

from parsers._registry import sources
from pipeline.__main__ import main
from pipeline.cli import init
from pipeline.config import load_config


def test_a_workplace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Configuration, units and cron line are written with the paths of the folder."""
    folder = tmp_path / "my place"
    assert main(["init", str(folder)]) == 0
    written = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    units = {f"systemd/conspectus{name}" for name in (".service", ".timer", "-audit.service", "-audit.timer")}
    assert written == {"sources.toml", "conspectus.cron", *units}
    assert load_config(folder / "sources.toml", sources()).targets == {}
    _, nightly, weekly = (folder / "conspectus.cron").read_text(encoding="utf-8").splitlines()
    assert shlex.split(nightly.replace("--fetch", "--audit"))[5:] == shlex.split(weekly)[5:]
    assert shlex.split(nightly)[5:] == [
        *shlex.split(init._program()),
        "refresh",
        "--fetch",
        "--quiet",
        "--raw",
        f"{folder}/raw",
        "--out",
        f"{folder}/out",
        "--config",
        f"{folder}/sources.toml",
    ]
    service, audit = ((folder / f"systemd/conspectus{name}.service").read_text("utf-8") for name in ("", "-audit"))
    assert (f"ReadWritePaths='{folder}'\n" in service, "refresh --audit --quiet" in audit) == (True, True)
    (step,) = steps_in(capsys)
    assert (step[:3], "--config" in step) == (["add", "URL", "--raw"], True)
    page = init.specimens() / "researchr" / "jam-2026.html"
    assert main([*step[:1], str(page), *step[2:]]) == 0


def steps_in(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """Return the arguments of the next steps that were printed."""
    lines = capsys.readouterr().out.splitlines()
    return [shlex.split(line)[2:] for line in lines if line.startswith("next: ")]


def test_nothing_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Existing files are kept; missing ones are added."""
    (tmp_path / "sources.toml").write_text("# mine\n", encoding="utf-8")
    assert main(["init", str(tmp_path)]) == 0
    assert (tmp_path / "sources.toml").read_text(encoding="utf-8") == "# mine\n"
    assert f"kept: {tmp_path}/sources.toml\n" in capsys.readouterr().out


def test_specimens_come_along(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The invented dumps are copied once, each with its sidecar."""
    assert main(["init", str(tmp_path), "--specimens"]) == 0
    files = {file.relative_to(tmp_path / "raw") for file in (tmp_path / "raw").rglob("*") if file.is_file()}
    assert files == {file.relative_to(init.specimens()) for file in init.specimens().rglob("*") if file.is_file()}
    assert {file.parts[0] for file in files} == set(sources())
    capsys.readouterr()
    assert main(["init", str(tmp_path), "--specimens"]) == 0
    assert "raw/" not in capsys.readouterr().out.split("next:")[0]


def test_where_the_program_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program is looked for beside Python; packaged specimens are preferred to those of a checkout."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert init._program() == f"{tmp_path}/python -m pipeline"
    (tmp_path / "conspectus").touch()
    assert init._program() == f"{tmp_path}/conspectus"
    monkeypatch.setattr(init, "_ROOT", tmp_path)
    (tmp_path / "specimens").mkdir()
    assert init.specimens() == tmp_path / "specimens"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """``--version`` prints the versions of the package and the contract."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == "conspectus 0.1.0, dataset contract 2.2\n"
