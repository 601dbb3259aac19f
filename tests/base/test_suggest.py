"""Suggestions of similar names: the same in every command, and only for names that do not exist."""

from pathlib import Path

import pytest

from pipeline.__main__ import main
from pipeline.base.settings import UsageError
from pipeline.base.suggest import ask_for, check_names, closest, meant
from tests.support.toy import TOYS, Desk


@pytest.mark.parametrize(
    ("given", "near"), [("easychai", ["easychair"]), ("EASYCHAIR", ["easychair"]), ("zzz", []), ("", [])]
)
def test_the_closest_name(given: str, near: list[str]) -> None:
    """Case does not matter; a name that is far off gets no suggestion."""
    assert closest(given, ["arxiv", "easychair", "Cluster"]) == near


def test_guesses_in_a_message() -> None:
    """One name, several without repeats, or nothing at all."""
    assert [meant("clustr", ["Cluster"]), meant("x", ["Cluster"]), ask_for("aba")] == [
        "; did you mean Cluster?",
        "",
        "; did you mean a or b?",
    ]


def test_unknown_names() -> None:
    """The message lists all unknown names, then the known ones, then the suggestions; known names are no error."""
    check_names("no such source", ["fair"], ["fair"])
    with pytest.raises(UsageError) as told:
        check_names("no such source", ["nws", "fair", "fairs"], ["fair", "news"])
    assert str(told.value) == "no such source: fairs, nws; expected one of fair, news; did you mean fair or news?"


MISTYPED = {
    "refesh": "did you mean refresh?",
    "refresh --quite": "did you mean --quiet?",
    "parse raw/fair/a.txt --souce=fair": "did you mean --source?",
    "--versoin sources": "did you mean --version?",
    "new orchard --from raw/fair/a.txt --family listings": "did you mean listing?",
    "export icss": "did you mean ics?",
    "completion bsh": "did you mean bash?",
    "refresh fairs": "expected one of fair, news; did you mean fair?",
    "replay fairs": "expected one of fair, news; did you mean fair?",
    "read fairs": "expected one of fair, news; did you mean fair?",
    "fetch fairs --config sources.toml": "expected one of fair, news; did you mean fair?",
    "parse raw/fair/a.txt --source fairs": "expected one of fair, news; did you mean fair?",
    "status fairs": "expected one of fair; did you mean fair?",
    "quarantine fairs": "expected one of fair; did you mean fair?",
    "changes fairs": "expected one of fair; did you mean fair?",
    "quarantine --reason unexplained": "did you mean unexplained_line?",
    "export csv --source fairs": "expected one of fair; did you mean fair?",
    "export csv --event hay-2062": "expected one of Hay-2026; did you mean Hay-2026?",
    "explain fair:hay-2026/hai": "did you mean fair:hay-2026/hay?",
    "sources --check --config bad.toml": "guards; did you mean contact?",
}


@pytest.mark.parametrize("line", MISTYPED)
def test_mistyped_names_get_a_suggestion(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    """A mistyped command line ends with a suggestion and exit code 2."""
    monkeypatch.chdir(tmp_path)
    desk.put("fair/a.txt", {"title": "Hay", "event": "Hay-2026"})
    desk.run()
    Path("bad.toml").write_text("contakt = 1")
    try:
        code = main(line.split(), TOYS)
    except SystemExit as ended:
        code = int(ended.code or 0)
    said = capsys.readouterr()
    assert (code, said.out, said.err.strip().endswith(MISTYPED[line])) == (2, "", True)
