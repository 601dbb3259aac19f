"""The exit codes of docs/commands.md: the same mistake ends with the same code and words in every command."""

import argparse
import json
import re
from pathlib import Path

import pytest

from pipeline.__main__ import main, make_parser
from pipeline.base.settings import Settings
from pipeline.publishing.lock import lock_out_root
from tests.conftest import ROOT
from tests.support.manifests import load_manifest
from tests.support.toy import TOYS, Desk

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"]}

GOOD = {
    "refresh": "refresh fair,news",
    "replay": "replay",
    "read": "read",
    "parse": "parse raw/fair/a.txt",
    "init": "init place",
    "sources": "sources",
    "status": "status fair,fair --max-age 1h --raw raw --config bad.toml",
    "verify": "verify out",
    "quarantine": "quarantine",
    "changes": "changes",
    "show": "show e/hay",
    "search": "search hay",
    "works": "works",
    "sql": "sql",
    "site": "site --raw nowhere",
    "files": "files",
    "explain": "explain fair:e/hay",
    "export": "export csv -o face",
    "completion": "completion bash",
}
"""One good call of each command; others have tests of their own, as they need a site, a page, a bad dump."""

ROOTED = ("refresh", "fetch", "replay", "read", "sources", "explain fair:e/hay")
CONFIGURED = (*ROOTED, "sources --check")
WRITING = ("refresh", "replay", "read")

MISTAKES: dict[str, dict[str, list[str]]] = {
    "a source that is not there": {
        "no such source: barn; expected one of fair, news": [
            "refresh barn",
            "fetch barn --config sources.toml",
            "replay barn",
            "read barn",
            "parse raw/fair/a.txt --source barn",
        ],
        "not published: news; expected one of fair": [
            "quarantine news",
            "changes news",
            "files news",
            "search hay --source news",
            "export csv --source news",
        ],
    },
    "a root without a name": {
        "expected a path behind --raw, found nothing": ["refresh --raw="],
        "expected a path behind --out, found nothing": ["status --out=", "refresh --out="],
    },
    "a raw root that is not there": {"/nowhere is not a folder": [f"{each} --raw nowhere" for each in ROOTED]},
    "a configuration that is not there": {"No such file": [f"{each} --config nowhere" for each in CONFIGURED]},
    "a mistake in the configuration": {"bad.toml: nonsense: ": [f"{each} --config bad.toml" for each in CONFIGURED]},
    "an out root in the raw root": {"outside the raw root": [f"{each} --out raw/out" for each in (*WRITING, "fetch")]},
    "an out root that is a file": {"expected a writable out root": [f"{each} --out bad.toml" for each in WRITING]},
    "a file or folder that is not there": {
        "nowhere: expected a file, found none": ["parse nowhere"],
        "raw: expected a file, found a folder": ["parse raw"],
        "nowhere.html: expected a file, found none": ["new orchard --from nowhere.html --into checkout"],
        "folder.html: expected a file, found a folder": ["new orchard --from folder.html --into checkout"],
        "examples: expected an example whose dump ends in .txt": ["new orchard --from hay.txt --into checkout"],
        ".: expected a checkout of conspectus, found no folder parsers/": ["new orchard --from hay.txt"],
        "a.txt: expected a folder, found a file": ["init raw/fair/a.txt"],
        "expected a dump below": ["explain raw/fair/z.txt:1"],
        "expected a file to write in an existing folder": ["export csv -o nowhere/face"],
    },
    "a name that is not there": {
        "no such record or line: fair:e/rye; did you mean fair:e/hay?": ["explain fair:e/rye"],
        "expected a line number from 1 to 1, found 9": ["explain raw/fair/a.txt:9"],
        "no such event: Fair; expected one of E": ["export csv --event Fair", "site --event Fair"],
        "no such event, source or record: fiar; did you mean fair?\nnext: conspectus search fiar --": ["show fiar"],
        "no such event, source or record: fair:e/rye\nnext: conspectus search 'e rye' --": ["show fair:e/rye"],
        "expected EVENT|SOURCE|RECORD_ID, found nothing; leave it out to see what there is": ["show "],
        "expected FILE:LINE, found a file; what became of its lines:\nnext: conspectus parse /": [
            "explain raw/fair/a.txt",
            "explain fair/a.txt",
        ],
        "no such record or line: hay seed; expected": ["explain hay seed"],
        "\nnext: conspectus search 'hay seed' --raw": ["explain hay seed"],
        "no such snapshot: 20260101T000000Z-00000000": ["files --since 20260101T000000Z-00000000"],
        "unexplained_line": ["quarantine --reason nonsense"],
    },
    "options that exclude each other": {
        "--name works only with standard input: expected FILE to be -, found": ["parse raw/fair/a.txt --name b.txt"],
        "--json is not allowed with --example, which prints TOML": ["sources --example --json"],
        "not allowed with argument": ["replay --json --publish", "sources --check --example"],
    },
    "a value that makes no sense": {
        "--keep must be 1 or more, not 0": ["refresh --keep 0", "replay --keep 0"],
        "usage: conspectus": ["refresh --keep many"],
        "--engine must be processes:N": [f"{each} --engine threads" for each in WRITING],
        "expected I/N such as 2/8, found '3/2'": ["read --shard 3/2"],
        "expected a day such as 2026-07-11, found 'soon'": [
            "replay --since soon",
            "changes --since soon",
            "export csv --day soon",
        ],
        "expected an age such as 36h": ["status --max-age soon", "verify out --max-age soon"],
        "expected a port from 0 to 65535, found '99999'": ["site --serve --port 99999"],
        "invalid choice": ["export face", "completion cash"],
        "hay.txt: matches several sources, fair, news; choose one with --source": ["parse hay.txt"],
        "expected a file name ending in .html, .xml, .json, .txt, optionally followed by .gz or .zst": [
            "new orchard --from bad.toml --into checkout"
        ],
        "zst; save the page itself as HTML, or name a text in Markdown .txt": [
            "new orchard --from program.md --into checkout"
        ],
        "NAME: expected a module name of lower-case letters, digits and _, found": [
            f"new {name} --from hay.txt --into checkout" for name in ("Barn", "class", "_barn")
        ],
    },
    "no command": {"usage: conspectus": ["", "no-such", "parse", "parse a b"]},
    "an option that is not there": {"usage: ": [f"{each} --nonsense" for each in (*GOOD.values(), "fetch", "new")]},
}
"""What a command line says, or a part of it, and those that say it."""

NOTHING = [
    "status",
    "status --json",
    "quarantine",
    "changes",
    "files",
    "explain fair:e/hay",
    "export csv",
    "show",
    "search hay",
    "works",
    "sql",
    "site",
]


@pytest.fixture(autouse=True)
def broken(desk: Desk, in_the_desk: None) -> None:
    """Put a dump, and a configuration that is broken, where the command runs."""
    desk.put("fair/a.txt", HAY)
    Path("bad.toml").write_text("[nonsense]")
    Path("hay.txt").write_text(json.dumps(HAY))
    Path("folder.html").mkdir()
    Path("checkout/parsers").mkdir(parents=True)


def code_of(line: str) -> int:
    """Run a command, its arguments as one line, and return the code that it ends with."""
    try:
        return main(line.split(" ") if line else [], TOYS)
    except SystemExit as ended:  # of a line that is no command
        return int(ended.code or 0)


def commands() -> list[str]:
    """Return the names of all commands."""
    (action,) = (each for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction))
    return list(action.choices)


def test_the_table_has_every_code() -> None:
    """The documentation lists the codes that are tested here."""
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == ["0", "1", "2", "3", "130"]


def test_good_commands_end_with_0(desk: Desk) -> None:
    """Every command ends with 0 after a good refresh."""
    desk.run()
    assert {name: code_of(line) for name, line in GOOD.items()} == dict.fromkeys(GOOD, 0)
    assert {*GOOD, "accept", "add", "fetch", "new"} == set(commands())


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_end_with_2(desk: Desk, capsys: pytest.CaptureFixture[str], mistake: str) -> None:
    """Every command that can make a mistake says what is wrong, and prints, publishes and writes nothing."""
    desk.run()
    before = load_manifest(desk.out)
    for said, lines in MISTAKES[mistake].items():
        for line in lines:
            code, told = code_of(line), capsys.readouterr()
            assert (line, code, told.out, said in told.err) == (line, 2, "", True), told.err
    assert (load_manifest(desk.out), list(Path("checkout/parsers").iterdir())) == (before, [])


@pytest.mark.parametrize("line", NOTHING)
def test_nothing_published_ends_with_1(desk: Desk, capsys: pytest.CaptureFixture[str], line: str) -> None:
    """Every command that reads the dataset names the out root in which there is none."""
    assert (code_of(line), capsys.readouterr().err.endswith(f"nothing is published below {desk.out}\n")) == (1, True)


def test_nothing_to_compare_ends_with_1() -> None:
    """``verify`` and ``replay`` fail too, with messages of their own."""
    assert (code_of("verify out"), code_of("replay")) == (1, 1)


WRONG = "manifest.json: expected the manifest of a snapshot"
WITHOUT = f"{WRONG}, found a damaged one"


@pytest.mark.parametrize(
    ("text", "said"), [("{", WRONG), ("[]", WITHOUT), ("{}", WITHOUT), ('{"contract_version": "2.0"}', WITHOUT)]
)
def test_a_damaged_dataset_ends_with_1(desk: Desk, capsys: pytest.CaptureFixture[str], text: str, said: str) -> None:
    """Every command that reads the dataset names a manifest that cannot be read."""
    desk.run()
    (desk.out / "latest" / "manifest.json").write_text(text)
    for line in NOTHING:
        assert (line, code_of(line), said in capsys.readouterr().err) == (line, 1, True)
    assert code_of("verify out") == 1


def test_a_link_that_is_gone_ends_with_1(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing link is not taken for an empty dataset, and the next refresh restores it."""
    desk.run()
    (desk.out / "latest").unlink()
    said = f"{desk.out}/latest: expected a link to the newest snapshot, found none; the next refresh restores it\n"
    for line in NOTHING:
        assert (line, code_of(line), capsys.readouterr().err.endswith(said)) == (line, 1, True)
    assert desk.run().good


def test_red_data_end_with_1(desk: Desk) -> None:
    """A dump that cannot be used makes its source red, and only that one."""
    desk.put("news/a.txt", "x")
    lines = ["refresh", "refresh --json", "parse raw/news/a.txt", "status", "status news", "replay"]
    assert {line: code_of(line) for line in lines} == dict.fromkeys(lines, 1)
    assert code_of("status fair") == 0


def test_another_run_ends_with_3(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """``--no-wait`` ends at once if another run holds the out root."""
    with lock_out_root(Settings(desk.raw, desk.out)):
        assert code_of("refresh --no-wait") == 3
    assert capsys.readouterr().err == f"not refreshed: another run is active in {desk.out}\n"


@pytest.mark.parametrize("name", commands())
def test_stopped_commands_end_with_130(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command prints one line when it is stopped, even while its module is being loaded."""

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pipeline.__main__.resolve_name", stop)
    assert (
        code_of(
            {**GOOD, "accept": "accept a.txt drop", "add": "add a.txt", "new": "new orchard --from nowhere"}.get(
                name, name
            )
        )
        == 130
    )
    assert capsys.readouterr().err == "conspectus: stopped\n"
