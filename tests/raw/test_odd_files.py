"""Odd files and names in the raw root: each fails alone, with a clear message."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from parsers._contract import Source
from pipeline.__main__ import main
from pipeline.base.disk import hash_file
from pipeline.base.escape import in_one_line
from pipeline.base.settings import Settings
from pipeline.base.signals import GUARD_NAMES
from pipeline.merging.outcome import Status
from pipeline.raw.dump import Dump
from pipeline.raw.inventory import take_inventory
from pipeline.reading.read import Reading, read_dump
from pipeline.run.refresh import refresh
from tests.support.toy import TOYS, Desk

GUARDS = ", ".join(GUARD_NAMES)
NO_DUMP = (
    "expected a file name ending in .csv, .html, .ics, .js, .json, .tsv, .txt, .xml, .yaml, .yml, "
    "optionally followed by .gz or .zst"
)
ASTRAY = "expected a link into the raw root or into a folder listed in links in [raw] of sources.toml, found"
CIRCLE = "expected a link to a file or folder, found one that leads back to itself"
NOWHERE = "expected a link to something that exists: No such file or directory"

Make = Callable[[Path], object]


class Shell:
    """The command line over a desk of the two invented sources, where ``news`` holds one good dump."""

    def __init__(self, desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
        """``capsys`` catches what a command says."""
        self.desk = desk
        self.raw = desk.raw
        self.capsys = capsys
        desk.put("news/good.txt", {"title": "Hay"})

    def refresh(self, *options: str) -> tuple[int, list[str]]:
        """Refresh; return the exit code and the lines of what is wrong or stays aside."""
        code = main(["refresh", "--raw", str(self.raw), "--out", str(self.desk.out), *options], TOYS)
        lines = self.capsys.readouterr().out.split("\n")
        return code, [line for line in lines if line.startswith(("failed:", "ignored:"))]

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Run any command; return exit code, output and errors."""
        code = main(arguments, TOYS)
        said = self.capsys.readouterr()
        return code, said.out, said.err


@pytest.fixture
def shell(desk: Desk, capsys: pytest.CaptureFixture[str], in_the_desk: None) -> Shell:
    """Return the command line in a folder of its own."""
    return Shell(desk, capsys)


def write(name: bytes | str, data: bytes = b'{"title": "Rye"}') -> Make:
    """Return what writes a file below a raw root."""

    def make(raw: Path) -> None:
        file = raw / os.fsdecode(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

    return make


def link(name: str, target: str) -> Make:
    """Return what makes a link below a raw root."""
    return lambda raw: (raw / name).symlink_to(target)


def fifo(name: str) -> Make:
    """Return what makes a FIFO below a raw root."""

    def make(raw: Path) -> None:
        (raw / name).parent.mkdir(exist_ok=True)
        os.mkfifo(raw / name)

    return make


def listen(raw: Path) -> None:
    """Make a socket."""
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(raw / "news" / "s.txt"))


FILES = [
    (write(b"news/caf\xe9.txt"), r"news/caf\xe9.txt: unknown_source: expected a name in UTF-8"),
    (write(b"d\xe9j\xe0/a.txt"), r"d\xe9j\xe0: unknown_source: expected a name in UTF-8"),
    (write(b"news/\xed\xa0\x80.txt"), r"news/\xed\xa0\x80.txt: unknown_source: expected a name in UTF-8"),
    (write("news/a\x1b[2J\n\x9b\u202e.pdf"), rf"news/a\x1b[2J\n\x9b\u202e.pdf: unknown_source: {NO_DUMP}"),
    (
        write("barn/a.txt", b"weeds"),
        "barn/a.txt: unknown_source: expected raw/<source>/<dump>, the source one of fair, news",
    ),
    (write("news/upper.TXT"), f"news/upper.TXT: unknown_source: {NO_DUMP}"),
    (fifo("news/fifo.txt"), "news/fifo.txt:1: unreadable: expected a regular file, found a FIFO"),
    (fifo("news/fifo"), "news/fifo: unreadable: expected a regular file, found a FIFO"),
    (fifo("fifo.txt"), "fifo.txt: unreadable: expected a regular file, found a FIFO"),
    (fifo("news/fifo.md"), "news/fifo.md: unreadable: expected a regular file, found a FIFO"),
    (
        fifo("news/p/captures.ndjson"),
        "news/p/captures.ndjson: unreadable: expected a regular file, found a FIFO",
    ),
    (listen, "news/s.txt:1: unreadable: expected a regular file, found a socket"),
    (
        link("news/zero.txt", "/dev/zero"),
        "news/zero.txt:1: unreadable: expected a regular file, found a character device",
    ),
    (link("news/astray.txt", "/etc/hosts"), f"news/astray.txt:1: unreadable: {ASTRAY} /etc/hosts"),
    (link("news/astray", "/usr"), f"news/astray: unreadable: {ASTRAY} /usr"),
    (link("fair", "/usr"), f"fair: unreadable: {ASTRAY} /usr"),
    (
        link("news/dangling.txt", "none.txt"),
        "news/dangling.txt:1: unreadable: expected a readable file: No such file or directory",
    ),
    (link("byre", "nowhere"), f"byre: unreadable: {NOWHERE}"),
    (link("news/circle.txt", "circle.txt"), f"news/circle.txt:1: unreadable: {CIRCLE}"),
    (link("news/up", ".."), f"news/up: unreadable: {CIRCLE}"),
    (link("news/here", "."), f"news/here: unreadable: {CIRCLE}"),
    (
        lambda raw: (write("news/2026/a.txt", b'{"title": "Oat"}')(raw), write("news/2026.meta.toml")(raw)),
        "news/2026.meta.toml: unknown_source: expected the dump that this sidecar belongs to beside it, found none",
    ),
]


def sidecar(data: bytes) -> Make:
    """Return what writes a sidecar."""
    return lambda file: (file.write_bytes(data), None)[1]


SIDECARS = {
    "deep": (
        sidecar(b"url = " + b"[" * 100_000),
        "expected TOML with plain keys and values, found it nested too deeply (at line 1)",
    ),
    "huge": (sidecar(b"#" * ((1 << 20) + 1)), "expected at most 1 MiB, found more"),
    "dots": (sidecar(b"a" + b".a" * 200_000 + b" = 1"), "expected valid TOML: more than 50 dots in a key (at line 1)"),
    "first-year": (
        sidecar(b"captured_at = 0001-01-01T00:00:00+05:00"),
        "captured_at = 0001-01-01T00:00:00+05:00: expected a time in the years 19xx or 20xx",
    ),
    "last-year": (
        sidecar(b'captured_at = "9999-12-31T23:59:59-05:00"'),
        "captured_at = 9999-12-31T23:59:59-05:00: expected a time in the years 19xx or 20xx",
    ),
    "long-number": (
        sidecar(b"year = 0x" + b"f" * 50_000),
        "year = a number with too many digits: expected four digits, 19xx or 20xx",
    ),
    "long-text": (
        sidecar(b'timezone = "' + b"x" * 50_000 + b'"'),
        f"timezone = '{'x' * 199}…: expected an IANA name such as Europe/Berlin",
    ),
    "deep-value": (
        sidecar(b"year = 2026\nurl" + b".a" * 2 + b" = 1"),
        "url = {'a': {'a': 1}}: expected a value of type str",
    ),
    "table-of-guards": (
        sidecar(b"accept = [{}]"),
        f"accept = [{{}}]: {{}} is not a guard: expected some of {GUARDS}",
    ),
    "fifo": (os.mkfifo, "expected a regular file, found a FIFO"),
    "dangling": (lambda file: file.symlink_to("nothing"), NOWHERE),
    "astray": (lambda file: file.symlink_to("/etc/hosts"), f"{ASTRAY} /etc/hosts"),
    "device": (lambda file: file.symlink_to("/dev/null"), "expected a regular file, found a character device"),
    "folder": (Path.mkdir, "expected a regular file, found a folder"),
}


def dump_with(make: Make, name: str) -> Make:
    """Return what writes a dump, and its sidecar."""
    return lambda raw: (write(f"news/{name}.txt")(raw), make(raw / "news" / f"{name}.txt.meta.toml"))


STAMPS = [f"news/a-{stamp}.txt" for stamp in ("00000101T0000", "00010101T0000", "99991231T2359")]
NAMES = [f"news/{'a' * length}.txt" for length in (242, 251)]
"""Names so long that the name of their sidecar would be too long."""
CASES: dict[str, tuple[list[Make], list[str], list[str]]] = {
    "all of them": ([make for make, _ in FILES], [f"failed: {said}" for _, said in FILES], ["news/2026/a.txt"]),
    **{said: ([make], [f"failed: {said}"], []) for make, said in (FILES[each] for each in (0, 6, 10, 13, 15, 17, 20))},
    "sidecars": (
        [dump_with(make, name) for name, (make, _) in SIDECARS.items()],
        [f"failed: news/{name}.txt.meta.toml:1: bad_sidecar: {said}" for name, (_, said) in SIDECARS.items()],
        [],
    ),
    "stamps of no possible moment are part of the name": (
        [write(path, b'{"title": "%d"}' % number) for number, path in enumerate(STAMPS)],
        [],
        STAMPS,
    ),
    "no room for a sidecar": ([write(NAMES[0]), write(NAMES[1], b'{"title": "Oat"}')], [], NAMES),
    "each real file is taken once": (
        [
            write("news/.store/r.txt"),
            write("news/.store/s.txt", b'{"title": "Soy"}'),
            link("news/a.txt", "good.txt"),
            link("news/b.txt", ".store/r.txt"),
            link("news/c.txt", ".store/r.txt"),
            link("news/d", ".store"),
            link("news/e", ".store"),
            link("fair", "news"),
        ],
        [
            "ignored: fair (a link to news)",
            "ignored: news/a.txt (a link to news/good.txt)",
            "ignored: news/c.txt (a link to news/b.txt)",
            "ignored: news/d/r.txt (a link to news/b.txt)",
            "ignored: news/e (a link to news/d)",
        ],
        ["news/b.txt", "news/d/s.txt"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_read_costs_itself_alone(shell: Shell, name: str) -> None:
    """One line for each says which and what was expected, and what is good is published.

    The real path of a file goes before links to it, the first link before others.
    """
    makes, said, dumps = CASES[name]
    for make in makes:
        make(shell.raw)
    code, lines = shell.refresh()
    assert (code, sorted(lines)) == (int(any(line.startswith("failed: ") for line in said)), sorted(said))
    assert sorted(shell.desk.table("records", "news")["dump"]) == sorted(["news/good.txt", *dumps])


def test_a_name_that_is_hard_to_print(shell: Shell) -> None:
    """The dump is read, its path stands in the tables as it is, and in messages as one plain line."""
    name = "news/a\x1b[2J\n\u2028\u202e\x7f.txt"
    shell.desk.put(name, {"title": "Rye"}, "weeds")
    code, out, _ = shell.run("refresh", "--raw", str(shell.raw), "--out", str(shell.desk.out))
    shown = r"news/a\x1b[2J\n\u2028\u202e\x7f.txt"
    assert (code, out.split("\n")[0]) == (0, f"held back: {shown}:2: unexplained_line: no rule claimed it: 'weeds'")
    assert name in shell.desk.table("records", "news")["dump"].to_list()
    assert shown in shell.run("sources", "--raw", str(shell.raw))[1]
    assert shown in shell.run("quarantine", "--out", str(shell.desk.out))[1]


def test_parse_of_odd_names_and_files(shell: Shell) -> None:
    """A name that is not UTF-8 is escaped in the records; a FIFO or device is refused without waiting for it."""
    name = os.fsdecode(b"caf\xe9.txt")
    write(f"news/{name}")(shell.raw)
    fifo("news/f.txt")(shell.raw)
    code, out, _ = shell.run("parse", str(shell.raw / "news" / name))
    assert (code, r'"dump":"news/caf\\xe9.txt"' in out) == (0, True)
    said = f"failed: {shell.raw}/news/f.txt:1: unreadable: expected a regular file, found a FIFO\n"
    assert shell.run("parse", str(shell.raw / "news" / "f.txt")) == (1, "", said)


def test_nothing_but_odd_files(shell: Shell) -> None:
    """With nothing to publish, files that are no dumps are still reported, the first few by name."""
    (shell.raw / "news" / "good.txt").unlink()
    for number in range(7):
        write(f"news/{number}.pdf")(shell.raw)
    code, _, err = shell.run("refresh", "--raw", str(shell.raw), "--out", str(shell.desk.out))
    assert (code, err.count(NO_DUMP), err.endswith("; and 2 more\n")) == (1, 5, True)


def test_texts_in_one_line() -> None:
    """What could break a line or change others is written as an escape; letters of any script stay."""
    assert in_one_line("a\tb\r\n\x1b[0m\u2066\udce9 Łódź 東京\\n") == r"a\tb\r\n\x1b[0m\u2066\xe9 Łódź 東京\n"


# Links


def lay_archive(folder: Path) -> Path:
    """Make an archive outside of the raw root, with two dumps."""
    archive = folder / "archive"
    (archive / "deep").mkdir(parents=True)
    (archive / "a.txt").write_text('{"title": "Rye"}')
    (archive / "deep" / "b.txt").write_text('{"title": "Oat"}')
    (archive / "deep" / "b.txt.meta.toml").write_text('event = "Fair"')
    return archive


def test_links_into_a_folder_of_the_settings(shell: Shell, tmp_path: Path) -> None:
    """A source, a folder and a file may be links to where ``sources.toml`` says; sidecars stand beside the target."""
    archive = lay_archive(tmp_path)
    link("fair", str(archive / "deep"))(shell.raw)
    link("news/r.txt", str(archive / "a.txt"))(shell.raw)
    (tmp_path / "sources.toml").write_text(f'[raw]\nlinks = ["{archive}"]')
    assert shell.refresh() == (0, [])
    assert (shell.desk.titles("fair"), shell.desk.titles("news")) == (["Oat"], ["Hay", "Rye"])
    (dump,) = take_inventory(shell.raw, ["fair"], [archive]).dumps["fair"]
    assert (dump.path, dump.facts.event) == ("fair/b.txt", "Fair")
    assert "dump: fair/b.txt (json lines)" in shell.run("sources", "--raw", str(shell.raw))[1]


def test_a_link_that_is_not_allowed_any_more(shell: Shell, tmp_path: Path) -> None:
    """What was read before through it is not read again, not even from the cache; its rows stay published."""
    archive = lay_archive(tmp_path)
    link("news/r.txt", str(archive / "a.txt"))(shell.raw)
    link("news/deep", str(archive / "deep"))(shell.raw)
    settings = Settings(shell.raw, shell.desk.out)
    refresh(Settings(shell.raw, shell.desk.out, links=(archive,)), TOYS)
    result = refresh(settings, TOYS)
    errors = [reading.error for outcome in result.outcomes for reading in outcome.readings if reading.error]
    assert errors == [
        f"news/deep/b.txt:1: unreadable: news/deep: {ASTRAY} {archive}/deep",
        f"news/r.txt:1: unreadable: {ASTRAY} {archive}/a.txt",
    ]
    assert (list(result.unknown), shell.desk.titles("news")) == (["news/deep"], ["Hay", "Oat", "Rye"])


def test_a_raw_root_that_is_a_link(shell: Shell, tmp_path: Path) -> None:
    """Where the root itself lies is nobody's business, and links below it may end there."""
    (tmp_path / "root").symlink_to(shell.raw)
    link("news/r.txt", str(shell.raw / "news" / ".r.txt"))(shell.raw)
    write("news/.r.txt")(shell.raw)
    shell.raw = tmp_path / "root"
    assert (shell.refresh(), shell.desk.titles("news")) == ((0, []), ["Hay", "Rye"])


def test_a_sidecar_that_two_dumps_share(shell: Shell) -> None:
    """One of them has a link to it; it holds for both."""
    write("news/b.txt", b'{"title": "Soy"}')(shell.raw)
    (shell.raw / "news" / "b.txt.meta.toml").write_text('event = "Fair"')
    link("news/good.txt.meta.toml", "b.txt.meta.toml")(shell.raw)
    inventory = take_inventory(shell.raw, ["news"])
    assert ([dump.facts.event for dump in inventory.dumps["news"]], inventory.ignored) == (["Fair", "Fair"], {})


def test_folders_that_link_to_each_other(shell: Shell, tmp_path: Path) -> None:
    """Outside of the raw root too a circle ends: each folder is walked once."""
    archive = lay_archive(tmp_path)
    (archive / "up").symlink_to(archive)
    (archive / "deep" / "side").symlink_to(archive / "other")
    (archive / "other").mkdir()
    (archive / "other" / "back").symlink_to(archive / "deep")
    link("news/x", str(archive))(shell.raw)
    inventory = take_inventory(shell.raw, ["news"], [archive])
    assert [dump.path for dump in inventory.dumps["news"]] == ["news/good.txt", "news/x/a.txt", "news/x/deep/b.txt"]
    assert inventory.unknown == {"news/x/up": f"unreadable: {CIRCLE}"}
    assert inventory.ignored == {
        "news/x/deep/side": "a link to news/x/other",
        "news/x/other/back": "a link to news/x/deep",
    }


def test_links_of_the_settings_are_whole_paths(shell: Shell, tmp_path: Path) -> None:
    """A path that depends on where the command is run is a mistake in the file."""
    (tmp_path / "sources.toml").write_text('[raw]\nlinks = ["archive"]')
    said = "conspectus: sources.toml: raw: links: expected absolute paths, found 'archive'\n"
    assert shell.run("refresh", "--raw", str(shell.raw)) == (2, "", said)


# Folders


def deny(monkeypatch: pytest.MonkeyPatch, *denied: Path) -> None:
    """Let the operating system refuse to list folders, which it never does for root."""
    listing = os.scandir

    def scandir(path: str) -> object:
        if path in map(str, denied):
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr("pipeline.raw.walk.os.scandir", scandir)


def test_a_folder_that_cannot_be_listed(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told, and what was published from it stays; a specimen does not step in."""
    shell.desk.put("news/2025/a.txt", {"title": "Rye"})
    shell.desk.put("fair/real/b.txt", {"title": "Oat"})
    shell.desk.put("fair/c.txt", {"title": "Invented"}, sidecar="specimen = true")
    assert shell.refresh() == (0, [])
    deny(monkeypatch, shell.raw / "news" / "2025", shell.raw / "fair" / "real")
    why = "expected a readable folder: Permission denied"
    assert shell.refresh() == (
        1,
        [
            f"failed: fair/real/b.txt:1: unreadable: fair/real: {why}",
            f"failed: news/2025/a.txt:1: unreadable: news/2025: {why}",
            f"failed: fair/real: unreadable: {why}",
            f"failed: news/2025: unreadable: {why}",
        ],
    )
    assert (shell.desk.titles("news"), shell.desk.titles("fair")) == (["Hay", "Rye"], ["Oat"])


def test_a_raw_root_that_cannot_be_listed(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything published stays."""
    shell.refresh()
    deny(monkeypatch, shell.raw)
    why = "expected a readable folder: Permission denied"
    assert shell.refresh() == (
        1,
        [f"failed: news/good.txt:1: unreadable: .: {why}", f"failed: .: unreadable: {why}"],
    )
    assert shell.desk.titles("news") == ["Hay"]


def test_folders_deeper_than_a_path_can_be(shell: Shell) -> None:
    """The first folder whose path is too long is told; what is above it is read."""
    folder = os.open(shell.raw / "news", os.O_RDONLY)
    for _ in range(17):
        os.mkdir("d" * 250, dir_fd=folder)
        below = os.open("d" * 250, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(folder)
    code, lines = shell.refresh()
    assert (code, [line.rsplit(": ", 3)[1:] for line in lines]) == (
        1,
        [["unreadable", "expected a readable file", "File name too long"]],
    )


@pytest.mark.parametrize(
    ("replace", "said"),
    [
        (lambda _: None, "expected a readable file: No such file or directory"),
        (os.mkfifo, "expected a regular file, found a FIFO"),
    ],
    ids=["vanishes", "becomes a FIFO"],
)
def test_a_file_that_changes_under_a_run(desk: Desk, monkeypatch: pytest.MonkeyPatch, replace: Make, said: str) -> None:
    """What is opened is looked at again when its turn comes: it fails alone, and nobody waits for the other end."""
    desk.put("news/a.txt", {"title": "Hay"})
    file = desk.put("news/b.txt", {"title": "Rye"})

    def read(source: Source, dump: Dump, max_bytes: int) -> Reading:
        if dump.file == file and file.is_file():
            file.unlink()
            replace(file)
        return read_dump(source, dump, max_bytes)

    monkeypatch.setattr("pipeline.workers.reader.read_dump", read)
    result = refresh(Settings(desk.raw, desk.out), TOYS)
    told = f"news/b.txt:1: unreadable: {said}"
    assert (result.good, desk.titles("news"), result.outcomes[1].error) == (False, ["Hay"], told)


def test_a_huge_file_is_not_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty gigabytes of nothing: the size is looked at first, and nothing is hashed, tonight or tomorrow."""
    desk.put("news/a.txt", {"title": "Hay"})
    with (desk.raw / "news" / "b.txt").open("wb") as opened:
        opened.truncate(20 << 30)
    desk.put("news/c.txt", {"title": "Rye"})

    hashed = []

    def hash_of(file: Path) -> str:
        hashed.append(file.name)
        return hash_file(file)

    monkeypatch.setattr("pipeline.base.known_files.hash_file", hash_of)
    results = [desk.run("news") for _ in range(2)]
    told = "news/b.txt:1: too_large: expected at most 64 MiB in one dump, found more"
    assert [(each.good, each.outcomes[0].error) for each in results] == [(False, told), (False, told)]
    assert (desk.titles("news"), "b.txt" in hashed) == (["Hay", "Rye"], False)


@pytest.mark.parametrize(
    ("place", "error"),
    [
        (
            "reading.read.record_frame",
            "news/a.txt:1: parser_failed: expected the parser to succeed, it failed in panic, ",
        ),
        ("run.merge.merge", "news: expected tables that match their schema: boom"),
    ],
)
def test_a_panic_costs_what_it_meets(desk: Desk, monkeypatch: pytest.MonkeyPatch, place: str, error: str) -> None:
    """What Rust code raises is no ``Exception``: a dump or a source fails, the others are published."""
    desk.put("fair/a.txt", {"title": "Oat"})
    desk.run("fair")
    desk.put("news/a.txt", {"title": "Hay"})

    def panic(*_: object) -> None:
        raise pl.exceptions.PanicException("boom")

    monkeypatch.setattr(f"pipeline.{place}", panic)
    fair, news = desk.run().outcomes
    assert (fair.status, desk.titles("fair"), (news.error or "")[: len(error)]) == (Status.OK, ["Oat"], error)
