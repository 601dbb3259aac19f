"""The exit codes of docs/commands.md: the same mistake ends with the same code in every command."""

import argparse
import re
from pathlib import Path

import pytest

from pipeline.__main__ import main, make_parser
from pipeline.base.settings import Settings
from pipeline.publishing.swap import exclusive
from tests.conftest import ROOT
from tests.support.manifests import load_manifest
from tests.support.toy import TOYS, Desk

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"]}

GOOD = {
    "refresh": "refresh",
    "replay": "replay",
    "read": "read",
    "parse": "parse raw/fair/a.txt",
    "init": "init place",
    "sources": "sources",
    "status": "status --max-age 1h",
    "verify": "verify out",
    "quarantine": "quarantine",
    "changes": "changes",
    "show": "show",
    "search": "search hay",
    "site": "site",
    "files": "files",
    "explain": "explain fair:e/hay",
    "export": "export csv -o face",
    "completion": "completion bash",
}
"""One good call of each command; ``fetch`` needs a site, ``new`` writes a source, and both have tests of their own."""

MISTAKES = {
    "a source that is not there": [
        "refresh barn",
        "fetch barn --config sources.toml",
        "replay barn",
        "read barn",
        "parse raw/fair/a.txt --source barn",
        "status barn",
        "quarantine barn",
        "changes barn",
        "files barn",
        "search hay --source barn",
        "export csv --source barn",
    ],
    "a raw root that is not there": [
        f"{each} --raw nowhere" for each in ("refresh", "fetch", "replay", "read", "sources", "explain fair:e/hay")
    ],
    "a configuration that is not there": [
        f"{each} --config nowhere"
        for each in ("refresh", "fetch", "replay", "read", "sources", "sources --check", "explain fair:e/hay")
    ],
    "a mistake in the configuration": [
        f"{each} --config bad.toml"
        for each in ("refresh", "fetch", "replay", "read", "sources", "sources --check", "explain fair:e/hay")
    ],
    "an out root in the raw root": [f"{each} --out raw/out" for each in ("refresh", "fetch", "replay", "read")],
    "an out root that is a file": [f"{each} --out bad.toml" for each in ("refresh", "replay", "read")],
    "a file or folder that is not there": [
        "parse nowhere",
        "parse raw/fair/a.txt --name b.txt",
        "new orchard --from nowhere --into checkout",
        "new orchard --from nowhere.html --into checkout",
        "new orchard --from folder.html --into checkout",
        "init raw/fair/a.txt",
        "explain raw/fair/z.txt:1",
        "export csv -o nowhere/face",
    ],
    "a name that is not there": [
        "explain fair:e/rye",
        "explain raw/fair/a.txt:9",
        "export csv --event Fair",
        "quarantine --reason nonsense",
        "files --since 20260101T000000Z-00000000",
    ],
    "options that exclude each other": [
        "replay --json --publish",
        "sources --check --example",
        "sources --example --json",
    ],
    "a value that makes no sense": [
        "refresh --keep 0",
        "replay --keep 0",
        "refresh --keep many",
        "refresh --engine threads",
        "replay --engine threads",
        "read --engine threads",
        "read --shard 3/2",
        "replay --since yesterday",
        "changes --since yesterday",
        "status --max-age soon",
        "verify out --max-age soon",
        "export csv --day soon",
        "export face",
        "completion cash",
    ],
    "an option that is not there": [f"{each} --nonsense" for each in (*GOOD.values(), "fetch", "new")],
}

NOTHING = [
    "status",
    "status --json",
    "quarantine",
    "changes",
    "files",
    "explain fair:e/hay",
    "export csv",
    "verify out",
    "replay",
]
DAMAGED = [each for each in NOTHING if each != "replay"]


@pytest.fixture(autouse=True)
def in_the_desk(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run where ``./raw`` and ``./out`` are those of the desk, with a dump and a configuration that is broken."""
    for name in ("CONSPECTUS_RAW", "CONSPECTUS_OUT", "CONSPECTUS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    desk.put("fair/a.txt", HAY)
    Path("bad.toml").write_text("[nonsense]")
    Path("folder.html").mkdir()
    Path("checkout/parsers").mkdir(parents=True)


def code_of(line: str) -> int:
    """Run a command, its arguments as one line, and return the code that it ends with."""
    try:
        return main(line.split(), TOYS)
    except SystemExit as ended:  # of a line that is no command
        return int(ended.code or 0)


def commands() -> list[str]:
    """Return the names of all commands."""
    (action,) = (each for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction))
    return list(action.choices)


def test_the_table_has_every_code() -> None:
    """As the documentation has them."""
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == ["0", "1", "2", "3", "130"]


def test_good_commands_end_with_0(desk: Desk) -> None:
    """Every command, after a good refresh."""
    desk.run()
    assert {name: code_of(line) for name, line in GOOD.items()} == dict.fromkeys(GOOD, 0)
    assert {*GOOD, "fetch", "new"} == set(commands())


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_end_with_2(desk: Desk, capsys: pytest.CaptureFixture[str], mistake: str) -> None:
    """In every command that can meet it; the dataset stays as it was, and nothing is answered."""
    desk.run()
    before = load_manifest(desk.out)
    assert {line: code_of(line) for line in MISTAKES[mistake]} == dict.fromkeys(MISTAKES[mistake], 2)
    assert (load_manifest(desk.out), capsys.readouterr().out) == (before, "")


def test_nothing_published_ends_with_1() -> None:
    """In every command that asks for what is published."""
    assert {line: code_of(line) for line in NOTHING} == dict.fromkeys(NOTHING, 1)


def test_a_damaged_dataset_ends_with_1(desk: Desk) -> None:
    """The same where its manifest cannot be read."""
    desk.run()
    (desk.out / "latest" / "manifest.json").write_text("{")
    assert {line: code_of(line) for line in DAMAGED} == dict.fromkeys(DAMAGED, 1)


def test_red_data_end_with_1(desk: Desk) -> None:
    """A dump that cannot be used, a source that failed."""
    desk.put("news/a.txt", "x")
    lines = ["refresh", "refresh --json", "parse raw/news/a.txt", "status", "status news", "replay"]
    assert {line: code_of(line) for line in lines} == dict.fromkeys(lines, 1)
    assert code_of("status fair") == 0


def test_another_run_ends_with_3(desk: Desk) -> None:
    """For the command that does not wait for it."""
    with exclusive(Settings(desk.raw, desk.out)):
        assert code_of("refresh --no-wait") == 3


@pytest.mark.parametrize("name", commands())
def test_stopped_commands_end_with_130(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command, with one line, also while its module is loaded."""

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pipeline.__main__.resolve_name", stop)
    assert code_of({**GOOD, "new": "new orchard --from nowhere"}.get(name, name)) == 130
    assert capsys.readouterr().err == "conspectus: stopped\n"
