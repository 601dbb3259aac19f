"""The command line and the flow around fetching: their output and their exit codes."""

import argparse
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
import pytest

from parsers._contract import Source
from pipeline.__main__ import main, make_parser
from pipeline.publishing.runs import Exit, load_runs
from pipeline.raw.inventory import take_inventory
from tests.conftest import ROOT
from tests.support.sites import SHOP, Reply, Sites, serving
from tests.support.toy import NEWS

HAY = '{"title": "Hay", "event": "E", "authors": ["Ann"]}'
CONTACT = 'contact = "ann@fair.example"\n'


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    """Serve for all tests of this file."""
    with serving() as served:
        yield served


@dataclass(frozen=True)
class Bench:
    """A raw and an out root, a configuration, and a site on loopback."""

    folder: Path
    sites: Sites
    capsys: pytest.CaptureFixture[str]
    known: Mapping[str, Source]

    def configure(self, text: str) -> None:
        """Write the configuration; ``HERE`` stands for the address of the site."""
        (self.folder / "sources.toml").write_text(text.replace("HERE", f"http://127.0.0.1:{self.sites.port}"))

    def run(self, *arguments: str) -> tuple[int, list[str], list[str]]:
        """Run a command; return its exit code and what it wrote."""
        code = main(arguments, self.known)
        caught = self.capsys.readouterr()
        port = str(self.sites.port)
        out, err = (text.replace(port, "PORT").replace(str(self.folder), "DIR") for text in (caught.out, caught.err))
        return code, out.split("\n")[:-1], err.split("\n")[:-1]


@pytest.fixture
def bench(
    tmp_path: Path,
    sites: Sites,
    in_the_desk: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Bench:
    """Work in a folder of the test's own with the invented sources, one of which is on the web."""
    assert SHOP.web is not None
    known = {"fair": replace(SHOP, web=replace(SHOP.web, pause=0.0)), "news": NEWS}
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    (tmp_path / "raw").mkdir()
    sites.pages.clear()
    bench = Bench(tmp_path, sites, capsys, known)
    bench.configure(f'{CONTACT}[[fair]]\nurl = "HERE/day.txt"\n')
    sites.put("here/day.txt", HAY)
    return bench


def test_fetch_that_is_good(bench: Bench) -> None:
    """Requests are printed on standard error, counts on standard output."""
    assert bench.run("fetch") == (
        0,
        ["fetched: fair, new: 1, unchanged: 0, not modified: 0, failed: 0"],
        ["fetching http://127.0.0.1:PORT/day.txt"],
    )


def test_fetch_that_fails(bench: Bench) -> None:
    """The failure is printed on both streams, and the exit code is 1."""
    bench.sites.put("here/day.txt", Reply("", 404))
    failed = "failed: fair: http://127.0.0.1:PORT/day.txt: 404 Not Found"
    assert bench.run("fetch", "fair") == (
        1,
        [failed, "fetched: fair, new: 0, unchanged: 0, not modified: 0, failed: 1"],
        ["fetching http://127.0.0.1:PORT/day.txt", failed],
    )


def test_fetch_into_a_folder_whose_log_is_no_file(bench: Bench) -> None:
    """A FIFO in place of the log fails its page at once; the others are fetched."""
    bench.configure(f'{CONTACT}[[fair]]\nurl = "HERE/day.txt"\n[[fair]]\nkey = "other"\nurl = "HERE/other.txt"\n')
    bench.sites.put("here/other.txt", HAY)
    (bench.folder / "raw" / "fair" / "day").mkdir(parents=True)
    os.mkfifo(bench.folder / "raw" / "fair" / "day" / "captures.ndjson")
    code, lines, _ = bench.run("fetch")
    why = "could not be saved: captures.ndjson: expected a regular file, found a FIFO"
    assert (code, lines) == (
        1,
        [
            f"failed: fair: http://127.0.0.1:PORT/day.txt: {why}",
            "fetched: fair, new: 1, unchanged: 0, not modified: 0, failed: 1",
        ],
    )


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (["fetch"], "", "DIR/sources.toml: expected something to fetch for fair, found nothing"),
        (["fetch", "news"], CONTACT, "DIR/sources.toml: expected something to fetch for news, found nothing"),
        (["refresh", "--fetch"], "", "DIR/sources.toml: expected something to fetch for fair, found nothing"),
        (
            ["refresh", "--fetch"],
            '[[fair]]\nurl = "HERE/"',
            "sources.toml: contact: fetching requires an email address or the URL of a page, found none",
        ),
    ],
)
def test_dumps_that_cannot_be_carried_out(bench: Bench, arguments: list[str], text: str, said: str) -> None:
    """The exit code is 2, with one line, and nothing is requested."""
    bench.sites.asked.clear()
    bench.configure(text)
    assert (bench.run(*arguments), bench.sites.asked) == ((2, [], [f"conspectus: {said}"]), [])


def test_refresh_that_fetches(bench: Bench) -> None:
    """What is new is fetched and published in one go."""
    code, out, _ = bench.run("refresh", "--fetch")
    assert (code, out[0], out[-1].endswith("(new snapshot)")) == (
        0,
        "fetched: fair, new: 1, unchanged: 0, not modified: 0, failed: 0",
        True,
    )


def test_refresh_whose_fetch_fails(bench: Bench) -> None:
    """What is in the archive is published, the exit code is 1, and the last lines say what failed and what to do."""
    bench.run("refresh", "--fetch")
    bench.sites.put("here/day.txt", Reply("", 404))
    code, out, _ = bench.run("refresh", "--fetch")
    failed = "fair: http://127.0.0.1:PORT/day.txt: 404 Not Found"
    assert (code, out[1], out[-4].split()[:4]) == (1, f"failed: {failed}", ["fair", "ok,", "1", "not"])
    step = "next: conspectus status fair --raw DIR/raw --out DIR/out --config DIR/sources.toml"
    assert (out[-2][: -len("2026-11-21")], out[-1]) == (f"red: {failed}, since ", step)
    assert [run.end.exit for run in load_runs(bench.folder / "out") if run.end] == [Exit.GOOD, Exit.RED]


def test_refresh_alone_fetches_nothing(bench: Bench) -> None:
    """Without ``--fetch``, nothing is requested."""
    bench.run("fetch")
    bench.sites.asked.clear()
    code, _, _ = bench.run("refresh")
    assert (code, bench.sites.asked) == (0, [])


def test_checking_what_is_to_be_fetched(bench: Bench) -> None:
    """Each target is listed with its first address, and nothing is requested."""
    bench.sites.asked.clear()
    bench.configure(f'{CONTACT}[[fair]]\nurl = "HERE/day.txt"\n[[fair]]\nurl = "HERE/b.txt"\nkey = "b"')
    assert (bench.run("sources", "--check"), bench.sites.asked) == (
        (
            0,
            [
                "DIR/sources.toml: valid",
                "contact: ann@fair.example",
                "fair[0]: http://127.0.0.1:PORT/day.txt",
                "fair[1]: http://127.0.0.1:PORT/b.txt",
            ],
            [],
        ),
        [],
    )


def test_checking_the_example(bench: Bench) -> None:
    """An empty file is valid; the missing contact is reported."""
    bench.configure("")
    assert bench.run("sources", "--check") == (
        0,
        ["DIR/sources.toml: valid", "contact: missing; required for fetching"],
        [],
    )


def test_who_is_told_of_a_fetch_that_fails(bench: Bench) -> None:
    """The hook gets the failures of a fetch, which the next refresh does not know."""
    bench.configure(f'{CONTACT}[[fair]]\nurl = "HERE/gone.txt"\n[notify]\ncommand = ["tee", "{bench.folder}/told"]\n')
    code, *_ = bench.run("fetch")
    first, second, *_ = (bench.folder / "told").read_text().splitlines()
    title = "conspectus: the fetch is red: fair: 404 Not Found"
    assert (code, first, second.endswith("404 Not Found")) == (1, title, True)


SPELLED = re.compile(r"^\| `conspectus (?P<command>.+?)` \|", re.MULTILINE)
VALUES = {
    "SOURCE": "fair",
    "...": "",
    "FILE": "raw/fair/x/dump.txt",
    "S": "fair",
    "DIR": "out",
    "I/N": "1/2",
    "DATE": "2020-01-01",
    "D": "2025-01-02",
    "E": "E",
    "FORMAT": "csv",
    "CODE": "unexplained_line",
    "SHELL": "bash",
    "RECORD_ID": "fair:e/hay",
    "FILE:LINE": "raw/fair/x/dump.txt:1",
}
"""What stands for each placeholder of the README's table of commands."""


def spellings(command: str) -> Iterator[str]:
    """Yield a command of the README bare, then with each of its options alone, and those with their own options."""
    bracket = r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"
    ways = [way for option in re.findall(bracket, command) for way in re.split(r" \\\| ", option)]
    for way in ["", *(re.sub(r"\[.*", "", way) for way in ways), *(re.sub(r"[\[\]]", "", way) for way in ways)]:
        words = f"{re.sub(bracket, '', command)} {way}".split()
        yield " ".join(filter(None, (VALUES.get(word, word) for word in words)))


def test_the_commands_of_the_readme(bench: Bench) -> None:
    """Each command runs as written, alone and with each of its options; three have tests of their own."""
    bench.configure(f'{CONTACT}[[fair]]\nkey = "x"\nurl = "HERE/day.txt"\n')
    dated = {**json.loads(HAY), "start": "2025-01-02T09:00", "end": "2025-01-02T10:00"}
    bench.sites.put("here/day.txt", f"{json.dumps(dated)}\nstrange")
    bench.run("refresh", "--fetch")
    (dump,) = (bench.folder / "raw" / "fair" / "x").glob("*.txt")
    dump.rename(dump.with_name("dump.txt"))
    dump.with_name(f"{dump.name}.meta.toml").rename(dump.with_name("dump.txt.meta.toml"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    snapshot = (bench.folder / "out" / "latest").resolve().name
    readme = (
        readme.replace("-o FILE", "-o face")
        .replace("--timezone Z", "--timezone UTC")
        .replace("--since ID", f"--since {snapshot}")
        .replace("show [EVENT]", "show [fair]")
        .replace("works [ID]", "works")
        .replace('sql ["SELECT .."]', "sql")
        .replace("search WORDS [--source S] [--kind K]", "search hay [--source S] [--kind paper]")
    )
    commands = [command for command in SPELLED.findall(readme) if not command.startswith(("new ", "accept ", "add "))]
    lines = [line for command in commands for line in spellings(command)]
    assert {line: code for line in lines if (code := bench.run(*line.split())[0])} == {}
    (known,) = (each for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction))
    assert {line.split()[0] for line in lines} == {*known.choices} - {"accept", "add", "new"}


TOKENS = ("first-token-5up3r", "second-token-5up3r", "Ann:pa55word", "third-key-5up3r", "0123456789abcdef5ecre7")
OF_SECRETS = """\
[site]
build = true
[[fair]]
key = "one"
url = "HERE/day.txt?token=first-token-5up3r"
[[fair]]
key = "two"
url = "HERE/day.txt?token=second-token-5up3r"
[[fair]]
key = "three"
url = "LOGIN/login.txt"
[[fair]]
key = "four"
url = "HERE/gone.txt?apikey=third-key-5up3r"
[[fair]]
key = "private-0123456789abcdef5ecre7"
url = "HERE/private-0123456789abcdef5ecre7/basic.txt"
"""


def told_below(out: Path) -> str:
    """Return all that the files of an out root say, as text."""
    tables = [pl.read_parquet(file).write_ndjson() for file in sorted(out.rglob("*.parquet"))]
    others = [file.read_bytes().decode(errors="replace") for file in sorted(out.rglob("*")) if file.is_file()]
    return "\n".join([*tables, *others])


def test_secrets_of_addresses_are_told_nowhere(bench: Bench) -> None:
    """Two nights with a page that fails, all commands, every file of the dataset and of the site: no secret in any."""
    login = f"http://Ann:pa55word@127.0.0.1:{bench.sites.port}"
    bench.configure(CONTACT + OF_SECRETS.replace("LOGIN", login))
    own = f"http://127.0.0.1:{bench.sites.port}/day.txt?token=first-token-5up3r"
    bench.sites.put(
        "here/day.txt?token=first-token-5up3r",
        f'{{"title": "Hay", "event": "E", "authors": ["Ann"], "url": "{own}"}}\nunread {own}\nnext more.txt',
        f'{{"title": "Hay", "event": "E", "authors": ["Ann"], "url": "{own}"}}\n',
    )
    bench.sites.put("here/more.txt", Reply("", 302, headers={"Location": "https://other.example/?sig=third-key-5up3r"}))
    bench.sites.put("here/day.txt?token=second-token-5up3r", '{"title": "Rye", "event": "F", "authors": ["Bo"]}')
    bench.sites.put("here/login.txt", '{"title": "Oats", "event": "G", "authors": ["Cy"]}')
    bench.sites.put("here/private-0123456789abcdef5ecre7/basic.txt", '{"title": "Straw", "event": "H"}', "nothing")
    refresh = ("refresh", "--fetch", "--config", "sources.toml")
    first, second = bench.run(*refresh), bench.run(*refresh)
    others = [
        bench.run(*each.split())
        for each in (
            "sources --check",
            "sources --check --json",
            "fetch",
            "status",
            "status --json",
            "quarantine",
            "changes",
            "explain fair:e/hay",
            "files",
            "replay",
            "site",
        )
    ]
    captures = pl.read_parquet(bench.folder / "out/latest/captures/*.parquet")
    assert (first[0], second[0], captures.filter("feeds")["page"].n_unique()) == (1, 1, 4)
    told = told_below(bench.folder / "out") + repr((first, second, others))
    assert [token for token in TOKENS if token in told] == []
    shown = ("/day.txt?token=…", "//…", "/gone.txt?apikey=…", "/private-…")
    assert [each for each in shown if each not in told] == []


def test_a_page_with_a_secret_stays_the_same_page(bench: Bench) -> None:
    """Its captures are those of one page from night to night; with another token it is another page."""
    bench.configure(f'{CONTACT}[[fair]]\nurl = "HERE/day.txt?token=first-token-5up3r"\n')
    bench.sites.put("here/day.txt?token=first-token-5up3r", HAY, HAY.replace("Hay", "Rye"))
    assert (bench.run("refresh", "--fetch")[0], bench.run("refresh", "--fetch")[0]) == (0, 0)
    captures = pl.read_parquet(bench.folder / "out/latest/captures/*.parquet")
    dumps = take_inventory(bench.folder / "raw", bench.known).dumps["fair"]
    assert (captures.height, {dump.page for dump in dumps}, len(dumps)) == (1, set(captures["page"]), 2)


def test_an_address_with_a_password_is_refused_without_it(bench: Bench) -> None:
    """A mistake in the configuration is told without the secret."""
    bench.configure(f'{CONTACT}[[fair]]\nurl = 7\nkey = "https://h.example/?token=first-token-5up3r"\n')
    code, _, said = bench.run("sources", "--check")
    assert (code, len(said), "first-token-5up3r" in "".join(said)) == (2, 1, False)
