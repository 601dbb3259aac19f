"""The scripts that let a shell complete the command line: what stands in them, and what the shells make of it."""

import argparse
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from parsers._registry import sources
from pipeline.__main__ import make_parser
from pipeline.export._format import format_titles
from schemas.vocabulary import REASONS
from tests.support.said import Said

SHELLS = ("bash", "zsh", "fish")

# What bash does at a tab, without a terminal. PATH leads nowhere: no program can be started, Python least of all.
BASH = r"""
PATH=/nowhere
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_shtab_conspectus
printf '%s\n' "${COMPREPLY[@]}"
"""


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    """Return the script for a shell."""
    said = Said(capsys, "completion", shell, known=sources())
    assert (said.code, said.err) == (0, [])
    return "\n".join([*said.out, ""])


def installed(shell: str) -> str:
    """Return the program of a shell; the test is skipped, and says so, where there is none."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed here: what it makes of its script is not tested")
    return program


def words_of_the_command_line() -> set[str]:
    """Return all commands and long options."""
    (commands,) = (each for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction))
    options = {option for each in commands.choices.values() for option in each._option_string_actions}
    return {*commands.choices, *(option.lstrip("-") for option in options if option.startswith("--"))}


@pytest.mark.parametrize("shell", SHELLS)
def test_all_that_can_be_typed_stands_in_the_script(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    """The script has all commands, options, sources, reasons, formats and shells."""
    words = set(re.findall(r"[\w-]+", script(capsys, shell).replace("--", " ").replace("-l ", " ")))
    assert {*words_of_the_command_line(), *sources(), *REASONS, *format_titles(), *SHELLS} - words == set()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_starts_no_program_of_ours(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    """Starting Python would take a third of a second at every tab."""
    assert re.search(r"python|[$(`]\(?\s*conspectus", script(capsys, shell)) is None


@pytest.mark.parametrize(("shell", "paths"), [("bash", "compgen"), ("zsh", "_files"), ("fish", "__fish_complete")])
def test_paths_are_completed(capsys: pytest.CaptureFixture[str], shell: str, paths: str) -> None:
    """Every argument that is a file, a page or a folder is completed as a path."""
    pattern = {
        "bash": r"^_shtab_conspectus_(parse_pos_0|explain_pos_0|new___from|refresh___raw)_COMPGEN=\w+$",
        "zsh": r'^  "(?::the dump|:a published|--from\[|--raw\[raw root).*_files(?: -/)?"$',
        "fish": r"_using (parse|explain|new|refresh)\b.*\(__fish_complete_\w+.*'(?:the dump|a pub|a saved|raw)",
    }[shell]
    text = script(capsys, shell)
    assert (len(set(re.findall(pattern, text, re.MULTILINE))) >= 4, paths in text) == (True, True)


def test_zsh_completes_every_one_of_several_sources(capsys: pytest.CaptureFixture[str]) -> None:
    """All remaining arguments are completed as sources, not only the first."""
    found = re.findall(r'"(.*):only these sources \(default\\: all\):\(', script(capsys, "zsh"))
    assert found == ["*"] * len(found)
    assert len(found) > 5


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_can_read_its_script(capsys: pytest.CaptureFixture[str], tmp_path: Path, shell: str) -> None:
    """The shell finds no syntax error."""
    file = tmp_path / "script"
    file.write_text(script(capsys, shell), encoding="utf-8")
    done = subprocess.run([installed(shell), "-n", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


TABS = [
    ("re", {"refresh", "replay", "read"}),
    ("export ", set(format_titles())),
    ("status ", set(sources())),
    ("status arxiv ", set(sources())),
    ("refresh --keep 3 ", set(sources())),
    ("refresh --quiet ", set(sources())),
    ("parse page.html --source ", set(sources())),
    ("quarantine --reason guard_d", {"guard_declared", "guard_drop"}),
    ("sources --ex", {"--example"}),
    ("new --family ", {"listing", "programme"}),
    ("parse pa", {"page.html"}),
    ("add pa", {"page.html"}),
    ("add page.html --source ", set(sources())),
    ("new orchard --from pa", {"page.html"}),
    ("explain pa", {"page.html"}),
    ("verify ", {"pen"}),
    ("completion ", set(SHELLS)),
]


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run in a folder with a page and a folder."""
    place = tmp_path / "place"
    (place / "pen").mkdir(parents=True)
    (place / "page.html").touch()
    monkeypatch.chdir(place)
    return tmp_path


@pytest.mark.parametrize(("line", "offered"), TABS)
def test_bash_completes(capsys: pytest.CaptureFixture[str], in_a_folder: Path, line: str, offered: set[str]) -> None:
    """The completion of bash offers exactly what can come next."""
    file = in_a_folder / "script"
    file.write_text(script(capsys, "bash"), encoding="utf-8")
    command = [installed("bash"), "-c", BASH, "bash", str(file), *f"conspectus {line}".split(" ")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (set(done.stdout.split()), done.stderr) == (offered, "")


@pytest.mark.parametrize(("line", "offered"), TABS)
def test_fish_completes(capsys: pytest.CaptureFixture[str], in_a_folder: Path, line: str, offered: set[str]) -> None:
    """The completion of fish offers the same as that of bash."""
    file = in_a_folder / "script"
    file.write_text(script(capsys, "fish"), encoding="utf-8")
    command = [installed("fish"), "--private", "-c", f"source {file}; complete -C 'conspectus {line}'"]
    done = subprocess.run(command, env={"HOME": str(in_a_folder)}, capture_output=True, text=True, check=False)
    assert {each.split("\t")[0].rstrip("/") for each in done.stdout.splitlines()} == offered
