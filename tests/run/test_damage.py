"""Damage and foreign files below the out root: told, repaired from raw, never published again."""

import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from unittest.mock import Mock

import pytest

from pipeline.base.settings import Settings
from pipeline.base.signals import GuardBook, Guards
from pipeline.publishing.chain import Chain
from pipeline.publishing.lock import LOCK
from pipeline.publishing.verify import verify
from pipeline.run.refresh import refresh
from pipeline.run.summary import messages
from schemas.tables import CONTRACT_VERSION
from tests.support.helpers import replace_file
from tests.support.manifests import load_manifest, put_manifest
from tests.support.said import Said
from tests.support.toy import FAIR, TOYS, Desk

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2025-01-01T09:00"}
OLD, NEW = {"title": "Old"}, {"title": "New"}
SEED = 20260711

Put = Callable[[Path], object]
Harm = Callable[[Desk], object]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Publish two snapshots of two sources, a year after the other."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    desk.put("fair/a.txt", HAY, "junk")
    desk.put("news/a.txt", OLD)
    with pytest.MonkeyPatch.context() as patch:
        at(patch, 2022)
        desk.run()
        at(patch, 2023)
        desk.put("news/b.txt", NEW, "waste")
        desk.run()
    return desk.raw.parent


@pytest.fixture
def published(desk: Desk, template: Path, at_rest: None) -> Desk:
    """Give a test two snapshots of its own, whose files are known by their times: damage must be seen all the same."""
    desk.raw.rmdir()
    shutil.copytree(template, desk.raw.parent, symlinks=True, dirs_exist_ok=True)
    desk.run()
    return desk


def at(patch: pytest.MonkeyPatch, year: int) -> None:
    """Set the clock of the next run."""
    patch.setattr("pipeline.run.plan.datetime", Mock(now=Mock(return_value=datetime(year, 1, 1, tzinfo=UTC))))


def newest(desk: Desk) -> Path:
    """Return the folder of the newest snapshot."""
    return max((desk.out / "snapshots").glob("2*"))


def older(desk: Desk) -> Path:
    """Return the folder of the snapshot before."""
    return min((desk.out / "snapshots").glob("2*"))


def command(capsys: pytest.CaptureFixture[str], desk: Desk, *sources: str) -> Said:
    """Refresh by the command."""
    return Said(
        capsys, "refresh", *sources, "--raw", desk.raw, "--out", desk.out, "--config", os.devnull, known=desk.known
    )


# What is done to a file.


def flip(file: Path, place: float = 0.5) -> None:
    """Change one byte of a file, so far from its beginning."""
    data = bytearray(file.read_bytes())
    data[int(place * len(data))] ^= 0x55
    replace_file(file, bytes(data))


def flip_all(folder: Path) -> None:
    """Change a byte of each file in the folders of a folder."""
    for file in folder.glob("*/*"):
        flip(file)


def cut(file: Path, place: float = 0.5) -> None:
    """Cut a file off."""
    data = file.read_bytes()
    replace_file(file, data[: int(place * len(data))])


def lose(path: Path) -> None:
    """Lose what is at a path, if anything."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def put_file(path: Path) -> None:
    """Put a file where it does not belong."""
    lose(path)
    path.write_text("a note")


def put_folder(path: Path) -> None:
    """Put a folder with something in it where it does not belong."""
    lose(path)
    path.mkdir()
    (path / "note.txt").write_text("a note")


def put_link(path: Path) -> None:
    """Put a link that leads nowhere."""
    lose(path)
    path.symlink_to("nowhere")


def put_pipe(path: Path) -> None:
    """Put a named pipe, from which nothing ever comes."""
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)


# The same for what is below an out root or a raw root.


def out(put: Put, *paths: str) -> Harm:
    """Do this to paths below the out root; ``{newest}`` and ``{older}`` in them are folders of snapshots."""

    def harm(desk: Desk) -> None:
        for path in paths:
            put(desk.out / path.format(newest=newest(desk), older=older(desk)))

    return harm


def raw(path: str, *lines: str | dict[str, str]) -> Harm:
    """Replace a dump, or withdraw it where there are no lines."""
    return lambda desk: desk.put(path, *lines) if lines else (desk.raw / path).unlink()


def no_parser(desk: Desk) -> None:
    """Let nobody know a source, nor have its dumps."""
    desk.known = {"fair": FAIR}
    shutil.rmtree(desk.raw / "news")


def put_manifest_with(**values: object) -> Put:
    """Return what changes the manifest of a snapshot."""
    return lambda folder: put_manifest(folder, load_manifest(folder) | values)


BAD_A, BAD_B = (raw(f"news/{name}.txt", "not of this source") for name in "ab")
NEWER = raw("news/b.txt", {"title": "Newer"}, "waste")
NO_CACHE, NO_LINK = out(lose, ".cache"), out(lose, "latest")
NEWEST, OLDER = out(cut, "{newest}/manifest.json"), out(cut, "{older}/manifest.json")
LINES, TABLE, LEFT = "json/news.ndjson", "parquet/news.parquet", "quarantine/news.parquet"
NEWS_ROWS = out(flip, f"{{newest}}/{LINES}", f"{{newest}}/{TABLE}")
STRANGE = ("20210101T000000Z-0000000g", "20219901T000000Z-00000000", "notes.txt", "pipe")
EMPTY, PIPED = "snapshots/20250101T000000Z-00000000", "snapshots/20260101T000000Z-00000000/manifest.json"
PUTS: tuple[Put, ...] = (put_file, put_folder, put_link, put_pipe)

NEWS = "captures/news json/news parquet/news quarantine/news sightings/news"
GONE = "published rows are lost: their files are damaged, and no dump gives them any more"
NO_MANIFEST = "damaged: {newest}/manifest.json: expected the manifest of a snapshot: "
NO_LINE = "damaged: {out}/latest: expected a link to the newest snapshot, found "
AGAIN = "healed: latest: using the newest intact snapshot, {newest.name}"
BEFORE = "healed: latest: using the newest intact snapshot, {older.name}"
ASIDE = "moved aside: {0}: expected {1}; renamed to {2}.aside-1"
NO_SNAPSHOT = (
    "failed: {out}: no snapshot is intact; published as in a first run, records found only in old snapshots are lost",
    NO_MANIFEST,
    "passed over: {older}/manifest.json: expected the manifest of a snapshot: ",
)


def healed(path: str, how: str = ": made again", what: str = "healed") -> str:
    """Return the line on a file that is made again."""
    return f"{what}: {path} of {{newest.name}} does not match its manifest{how}"


@dataclass(frozen=True)
class Case:
    """What is done, the lines that the next refresh tells of it, as they begin, and what is published then.

    ``differ`` are the tables that differ, ``news`` the titles of that source, whose dumps feed it if ``feeds`` does not
    name those of others. The run goes on from the
    snapshot ``onto``, which stays the published one where nothing is ``new``. ``stays`` are paths below the out root.
    """

    harms: tuple[Harm, ...]
    told: tuple[str, ...]
    code: int = 0
    differ: str = ""
    news: str = "Old New"
    sources: str = ""
    onto: str = "newest"
    new: bool = True
    stays: tuple[str, ...] = ()
    feeds: str | None = None


CASES = {
    "files of each kind": Case(
        (out(flip, *(f"{{newest}}/{path}" for path in ("README.md", "changes.parquet", LINES, TABLE, LEFT))),),
        (
            healed("README.md", ": written again"),
            healed("changes.parquet", ": the changes of that run are lost", "damaged"),
            *map(healed, (LINES, TABLE, LEFT)),
        ),
        sources="fair",
    ),
    "the cache": Case(
        (out(flip_all, ".cache"), NEWS_ROWS),
        (healed(LINES), healed(TABLE)),
    ),
    "rows of a source that fails": Case(
        (BAD_A, BAD_B, NO_CACHE, out(flip, "{newest}/json/fair.ndjson", "{newest}/sightings/news.parquet")),
        (
            f"failed: news: 2 of 2 {GONE}",
            "kept: the last good files of news",
            healed("json/fair.ndjson"),
            healed("sightings/news.parquet", "", "damaged"),
        ),
        code=1,
        differ="captures/news quarantine/news sightings/news",
    ),
    "lines of a source that fails": Case(
        (BAD_A, BAD_B, out(flip, f"{{newest}}/{LINES}")),
        ("kept: the last good files of news", healed(LINES)),
        code=1,
        differ="captures/news quarantine/news",
    ),
    "a table of a source that fails": Case(
        (BAD_A, BAD_B, out(flip, f"{{newest}}/{TABLE}")),
        ("kept: the last good files of news", healed(TABLE)),
        code=1,
        differ="captures/news quarantine/news",
    ),
    "rows of one dump that fails": Case(
        (NO_CACHE, BAD_A, NEWS_ROWS),
        (f"failed: news: 1 of 2 {GONE}", healed(LINES, "", "damaged"), healed(TABLE, "", "damaged")),
        code=1,
        differ="captures/news json/news parquet/news quarantine/news sightings/news",
        news="New",
        feeds="Old New",
    ),
    "a source without a parser": Case(
        (NEWS_ROWS, out(flip, f"{{newest}}/{LEFT}", "{newest}/quarantine/news.ndjson"), no_parser),
        (
            "failed: news: published files of records and quarantine are damaged, and their rows are lost",
            *(healed(path, "", "damaged") for path in (LINES, TABLE, "quarantine/news.ndjson", LEFT)),
        ),
        code=1,
        differ="json/news parquet/news quarantine/news",
        news="",
        feeds="Old New",
    ),
    "a manifest, and a dump that fails": Case(
        (BAD_A, NEWEST),
        (NO_MANIFEST, BEFORE),
        code=1,
        differ="captures/news quarantine/news",
        onto="older",
        stays=("{newest}",),
    ),
    "a manifest, one source": Case((NEWEST,), (NO_MANIFEST, BEFORE), sources="fair", onto="older"),
    "a manifest of what is as before": Case(
        (raw("news/b.txt"), NEWEST), (NO_MANIFEST, BEFORE), differ=NEWS, news="Old", onto="older", new=False
    ),
    "all manifests": Case((NEWEST, OLDER), NO_SNAPSHOT, code=1, onto="", stays=("{newest}", "{older}")),
    "all manifests, one source": Case((NEWEST, OLDER), NO_SNAPSHOT, code=1, sources="fair", onto=""),
    "folders that are no snapshots, and files that only a run can have left": Case(
        (
            NEWER,
            out(put_pipe, "{newest}/.manifest.json", PIPED),
            *(
                out(put, f"snapshots/{name}")
                for name, put in zip(STRANGE, (put_folder, put_link, *PUTS[::3]), strict=True)
            ),
            out(put_folder, EMPTY, ".latest"),
            *(out(put, f"snapshots/.new-{put.__name__}", f"snapshots/.old-{put.__name__}") for put in PUTS),
        ),
        (
            *(f"passed over: snapshots/{name}: not a snapshot" for name in STRANGE),
            f"passed over: {{out}}/{EMPTY}/manifest.json: expected the manifest of a snapshot: [Errno 2] No such file",
            f"passed over: {{out}}/{PIPED}: expected the manifest of a snapshot, found something that is not a file",
        ),
        differ=NEWS,
        news="Old Newer",
        stays=(*(f"snapshots/{name}" for name in STRANGE), f"{EMPTY}/note.txt", PIPED),
    ),
    "something else in the places of link and lock": Case(
        (NEWER, out(put_file, "latest"), out(put_folder, LOCK)),
        (
            ASIDE.format(LOCK, "a file", "lock"),
            f"{NO_LINE}something else",
            AGAIN,
            ASIDE.format("latest", "the link to the newest snapshot", "latest"),
        ),
        differ=NEWS,
        news="Old Newer",
        stays=("latest.aside-1", "lock.aside-1/note.txt"),
    ),
    "a folder in the place of the link": Case(
        (out(put_folder, "latest"), out(put_link, LOCK)),
        (
            ASIDE.format(LOCK, "a file", "lock"),
            f"{NO_LINE}something else",
            AGAIN,
            ASIDE.format("latest", "the link to the newest snapshot", "latest"),
        ),
        new=False,
        stays=("latest.aside-1/note.txt", "lock.aside-1"),
    ),
    "a file in the place of the snapshots": Case(
        (out(put_file, "snapshots"),),
        (ASIDE.format("snapshots", "the snapshots folder", "snapshots"),),
        onto="",
        stays=("snapshots.aside-1",),
    ),
    "the link": Case((NO_LINK,), (f"{NO_LINE}none", AGAIN), new=False),
    "the link leads nowhere": Case((out(put_link, "latest"),), (f"{NO_LINE}a broken link", AGAIN), new=False),
}


@pytest.mark.parametrize("name", CASES)
def test_the_run_after(published: Desk, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """It tells what it found and publishes a whole dataset, in which the next run finds nothing to mend."""
    case, before = CASES[name], published.data()
    names = {"newest": newest(published), "older": older(published), "out": published.out}
    for harm in case.harms:
        harm(published)
    said = command(capsys, published, *case.sources.split())
    expected, found = [line.format(**names) for line in case.told], told(said)
    begun = [line[: len(each)] for line, each in zip_longest(found, expected, fillvalue="")]
    assert (said.code, begun) == (case.code, expected)
    assert (changed(published, before), verify(published.out).problems) == (case.differ, ())
    feeds = published.table("captures", "news").filter("feeds")["dump"].to_list()
    manifest, titles = load_manifest(published.out), case.news.split()
    feeding = titles if case.feeds is None else case.feeds.split()
    assert (published.titles("news"), feeds) == (sorted(titles), [DUMPS[title] for title in feeding])
    block = manifest["sources"]["news"]
    assert (block["published"], block["refreshed_at"] is None) == (len(titles), not titles)
    onto = manifest["previous"] if case.new else (published.out / "latest").resolve().name
    assert onto == (names[case.onto].name if case.onto else None)
    assert [path for path in case.stays if not os.path.lexists(published.out / path.format(**names))] == []
    assert {path.name for path in published.out.rglob(".*")} == {".cache", LOCK}
    again = command(capsys, published, *case.sources.split())
    assert [line for line in told(again) if line.startswith(("damaged: ", "healed: ", "moved aside: "))] == []


DUMPS = {"Old": "news/a.txt", "New": "news/b.txt", "Newer": "news/b.txt"}


def changed(desk: Desk, before: dict[str, bytes]) -> str:
    """Return the tables that differ from those that were published before."""
    after = desk.data()
    return " ".join(sorted({path.split(".")[0] for path in {*after, *before} if after.get(path) != before.get(path)}))


def told(said: Said) -> list[str]:
    """Return the lines on what was found below the out root."""
    beginnings = ("damaged: ", "failed: ", "healed: ", "kept: ", "moved aside: ", "passed over: ")
    return [line for line in said.err + said.out if line.startswith(beginnings) and "not_this_source" not in line]


def survives(desk: Desk, path: str, harm: Callable[[Path, float], None], place: float) -> bool:
    """True if a file is harmed, and the next refresh tells it and publishes the same data, all whole."""
    before, file = desk.data(), (desk.out / "latest").resolve() / path
    good = file.read_bytes()
    harm(file, place)
    result = desk.run(keep=3)
    said = any(path in line for line in messages(result))
    return file.read_bytes() == good or (said and desk.data() == before and verify(desk.out).problems == ())


def test_a_byte_of_any_file(published: Desk) -> None:
    """Flipped or cut at any place of a file of the newest snapshot: told, and the same data are published whole.

    Of the two sources, whose files are written alike, those of one are tried, and all that describe the snapshot.
    """
    draw = random.Random(SEED)  # noqa: S311  # any numbers will do
    files = sorted(file.relative_to(newest(published)).as_posix() for file in newest(published).rglob("*.*"))
    files = [path for path in files if Path(path).stem != "fair" and not path.endswith(".schema.json")]
    harms = [(path, flip, draw.random()) for path in (*files, *["manifest.json"] * 3)]
    harms += [(path, cut, draw.random()) for path in files[::2]]
    assert (len(harms), [harm for harm in harms if not survives(published, *harm)]) == (27, [])


def test_rows_that_are_nowhere(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The source says so from now on, in its block too, until a dump of it is good again."""
    for harm in (NO_CACHE, BAD_A, BAD_B, NEWS_ROWS):
        harm(published)
    lost = f"news: 2 of 2 {GONE}"
    assert told(command(capsys, published))[0] == f"failed: {lost}"
    block = load_manifest(published.out)["sources"]["news"]
    assert (block["refreshed_at"], block["error"].split("; ")[1]) == (None, lost)
    published.put("news/a.txt", OLD)
    assert (command(capsys, published).code, published.titles("news")) == (1, ["Old"])
    (published.raw / "news" / "b.txt").unlink()
    assert command(capsys, published).code == 0


def test_rows_that_guards_hold_back_today(published: Desk) -> None:
    """What was found good stays good: published rows that are damaged are made again from their dumps."""
    before = published.data()
    NEWS_ROWS(published)
    strict = GuardBook(Guards(unexplained_from=1, unexplained_limit=0))
    result = refresh(Settings(published.raw, published.out, guards=strict), TOYS, ["news"])
    assert (result.good, result.repairs.lost, verify(published.out).problems) == (True, (), ())
    assert published.data()[TABLE] == before[TABLE]


def test_a_lost_link_forgets_nothing(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows that were kept for a dump that failed are still kept, and changes are told against them."""
    BAD_A(published)
    published.run()
    NO_LINK(published)
    said = command(capsys, published)
    assert (said.code, published.titles("news")) == (1, ["New", "Old"])
    assert Said(capsys, "changes", "--out", published.out).out == []


def test_a_lost_link_beside_another_major_version(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is published over a dataset of which this version knows nothing."""
    for harm in (out(put_manifest_with(contract_version="0.9"), "{newest}", "{older}"), NO_LINK):
        harm(published)
    said = command(capsys, published)
    assert (said.code, said.err[-1].split("expected ")[1]) == (
        1,
        f"contract version {CONTRACT_VERSION}, found 0.9; use another --out",
    )


# Those who read what is damaged.

DAMAGED = ": expected the table described in the manifest, found a damaged file"
READERS: tuple[tuple[Harm, tuple[str, ...], str], ...] = (
    (
        out(cut, "{newest}/manifest.json"),
        ("status", "quarantine", "changes", "changes --since 2020-01-01", "export csv"),
        "{newest}/manifest.json: expected the manifest of a snapshot: ",
    ),
    (out(flip, f"{{older}}/{TABLE}"), ("changes --since 2020-01-01",), f"{{older}}/{TABLE}{DAMAGED}"),
    (NEWS_ROWS, ("export csv",), f"{{newest}}/{TABLE}{DAMAGED}"),
    (
        out(flip, "{newest}/changes.parquet"),
        ("export csv", "export csv --source fair"),
        f"{{newest}}/changes.parquet{DAMAGED}",
    ),
    (NO_LINK, ("status",), "{out}/latest: expected a link to the newest snapshot, found none"),
)


@pytest.mark.parametrize(("harm", "commands", "expected"), READERS)
def test_a_reader_of_what_is_damaged(
    published: Desk, capsys: pytest.CaptureFixture[str], harm: Harm, commands: tuple[str, ...], expected: str
) -> None:
    """Exit code 1 and one line with the file; nothing is written."""
    line = expected.format(newest=newest(published), older=older(published), out=published.out)
    harm(published)
    for each in commands:
        said = Said(capsys, *each.split(), "--out", published.out)
        assert (said.code, said.out, said.err[-1].split(": ", 1)[1][: len(line)]) == (1, [], line)


def test_an_export_of_what_is_whole(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Other sources can be had, and what an older snapshot knew is as if it had never been kept."""
    for harm in (NEWS_ROWS, out(flip, "{older}/parquet/fair.parquet", "{older}/changes.parquet")):
        harm(published)
    said = Said(capsys, "export", "ics", "--source", "fair", "--out", published.out)
    assert (said.code, any("SUMMARY:Hay" in line for line in said.out)) == (0, True)


# Wrong clocks, and snapshots that no chain holds together.


def years(desk: Desk) -> list[str]:
    """Return the years of the snapshots that are there, by name."""
    return sorted(folder.name[:4] for folder in (desk.out / "snapshots").iterdir())


def test_a_clock_that_was_wrong(
    published: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Snapshots from the future go when it is their turn; what is new replaces none that is newer than they are."""
    kept = []
    for year, title in ((2050, "One"), (2025, "Two"), (2026, "Three"), (2027, "Four")):
        at(monkeypatch, year)
        published.put("fair/a.txt", {"title": title})
        published.run("fair", keep=3)
        kept.append(years(published))
    assert kept == [
        ["2022", "2023", "2050"],
        ["2023", "2025", "2050"],
        ["2025", "2026", "2050"],
        ["2025", "2026", "2027"],
    ]
    assert [each.id[:4] for each in Chain(published.out).kept] == ["2027", "2026", "2025"]


def test_readers_follow_the_chain(
    published: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``changes --since`` compares with what came last before that day; a lost link leads to what came last."""
    for year, title in ((2050, "One"), (2025, "Two"), (2026, "Three")):
        at(monkeypatch, year)
        published.put("fair/a.txt", {"title": title})
        published.run("fair")
    said = Said(capsys, "changes", "--since", "2025-06-01", "--out", published.out)
    assert said.out == ["added    fair:unknown-event/three  Three", "removed  fair:unknown-event/two  Two"]
    NO_LINK(published)
    assert (command(capsys, published).code, published.titles("fair")) == (0, ["Three"])


def test_snapshots_that_no_chain_holds_together(published: Desk) -> None:
    """Those whose manifests name nothing, or each other, stand in the order of their names."""
    for folder in (newest(published), older(published)):
        put_manifest(folder, load_manifest(folder) | {"previous": folder.name})
    assert [each.id[:4] for each in Chain(published.out).kept] == ["2023", "2022"]


def test_snapshots_of_another_major_version_go_first(published: Desk) -> None:
    """They count as the oldest, whatever their names say."""
    for harm in (
        out(put_manifest_with(contract_version="0.9"), "{newest}"),
        NO_LINK,
        raw("fair/a.txt", {"title": "Rye"}),
    ):
        harm(published)
    assert (published.run("fair", keep=2).good, years(published)[0]) == (True, "2022")
