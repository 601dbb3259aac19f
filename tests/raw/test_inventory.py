"""The raw root: its dumps, their pages, the facts in sidecars; nothing there is ever changed."""

from datetime import datetime
from pathlib import Path

import pytest

from parsers._ledger.document import DumpError, Facts
from pipeline.base.settings import MEBIBYTE
from pipeline.base.signals import GUARD_NAMES
from pipeline.raw.dump import Dump, describe
from pipeline.raw.inventory import Inventory, take_inventory
from pipeline.raw.load import load
from pipeline.raw.sidecar import load_facts
from tests.support.toy import Desk

GUARDS = ", ".join(GUARD_NAMES)
KNOWN = ("fair", "news")


def fill(raw: Path, *paths: str) -> Inventory:
    """Make files of one word and take the inventory."""
    for path in paths:
        (raw / path).parent.mkdir(parents=True, exist_ok=True)
        (raw / path).write_text("x")
    return take_inventory(raw, KNOWN)


def paths_of(inventory: Inventory) -> dict[str, list[str]]:
    """Return the paths of the dumps by source."""
    return {source: [dump.path for dump in dumps] for source, dumps in inventory.dumps.items()}


def facts_of(folder: Path, sidecar: str) -> Facts:
    """Read the facts of a dump with the given sidecar."""
    (folder / "a.txt.meta.toml").write_text(sidecar)
    return load_facts(folder / "a.txt")


def only_dump(inventory: Inventory) -> Dump:
    """Return the one dump of source ``fair``."""
    (dump,) = inventory.dumps["fair"]
    return dump


# Tables


def test_the_nearest_tables_count(tmp_path: Path) -> None:
    """Beside a dump, or in the nearest folder above it; the file is no dump, and no unknown file."""
    for path, text in {"fair": "far", "fair/a/b": "near", "": "of no source"}.items():
        (tmp_path / path).mkdir(parents=True, exist_ok=True)
        (tmp_path / path / "table.toml").write_text(text)
    inventory = fill(tmp_path, "fair/x.html", "fair/a/x.html", "fair/a/b/x.html", "news/x.html")
    found = {dump.path: dump.facts.tables for dumps in inventory.dumps.values() for dump in dumps}
    assert found == {
        "fair/a/b/x.html": "near",
        "fair/a/x.html": "far",
        "fair/x.html": "far",
        "news/x.html": None,
    }
    assert list(inventory.unknown) == ["table.toml"]
    assert describe("fair/a/b/x.html", tmp_path / "fair/a/b/x.html").facts.tables == "near"
    assert describe("b/x.html", tmp_path / "fair/a/x.html").facts.tables is None  # given alone, no folder above counts


@pytest.mark.parametrize("harm", ["binary", "folder", "huge"])
def test_tables_that_cannot_be_read(tmp_path: Path, harm: str) -> None:
    """Each dump below them is refused with the reason; the others are not."""
    file = tmp_path / "fair/a/table.toml"
    file.parent.mkdir(parents=True)
    if harm == "folder":
        file.symlink_to(tmp_path / "nowhere")
    else:
        file.write_bytes(b"\xff\xfe" if harm == "binary" else b"#" * (MEBIBYTE + 1))
    good, bad = sorted(fill(tmp_path, "fair/a/x.html", "fair/0.html").dumps["fair"], key=lambda dump: len(dump.path))
    assert load(good, MEBIBYTE).facts.tables is None
    with pytest.raises(DumpError) as caught:
        load(bad, MEBIBYTE)
    assert (caught.value.reason, caught.value.path) == ("bad_table", "fair/a/x.html")
    assert "table.toml: " in caught.value.expected
    if harm != "folder":
        with pytest.raises(DumpError, match=r"bad_table: table\.toml: "):
            load(describe("a/x.html", tmp_path / "fair/a/x.html"), MEBIBYTE)


# Inventory


def test_dumps_are_listed_by_source_and_path(tmp_path: Path) -> None:
    """Every file of a known kind below a source's folder is a dump, at any depth, sorted by path."""
    inventory = fill(tmp_path, "news/b.txt", "fair/z/1.json", "fair/b.html", "fair/a.xml", "fair/z/deeper/0.txt")
    assert paths_of(inventory) == {
        "fair": ["fair/a.xml", "fair/b.html", "fair/z/1.json", "fair/z/deeper/0.txt"],
        "news": ["news/b.txt"],
    }


def test_a_dump_names_its_source_and_file(tmp_path: Path) -> None:
    """The path is below the raw root; without a sidecar there are no facts."""
    dump = only_dump(fill(tmp_path, "fair/day/a.txt"))
    assert dump == Dump("fair", "fair/day/a.txt", tmp_path / "fair/day/a.txt", "fair/day/a.txt", Facts())


@pytest.mark.parametrize("path", ["a.txt", "barn/a.txt", "fair/a.pdf", "fair/a", "Fair/a.txt", "fair/a.txt.bak"])
def test_files_that_belong_to_no_source(tmp_path: Path, path: str) -> None:
    """A file at the root, in another folder or of another kind is told as unknown, not passed over."""
    inventory = fill(tmp_path, path)
    assert (list(inventory.unknown), inventory.dumps) == ([path], {})


@pytest.mark.parametrize("path", [".x", ".git/a.txt", "fair/.a.txt", "fair/.cache/a.txt", "fair/.a.txt.meta.toml"])
def test_hidden_files_are_passed_over(tmp_path: Path, path: str) -> None:
    """Hidden by the file's own name or by a folder's."""
    assert fill(tmp_path, path) == Inventory({}, (), {}, {})


def test_a_hidden_folder_above_the_raw_root_hides_nothing(tmp_path: Path) -> None:
    """Only names below the raw root count."""
    assert paths_of(fill(tmp_path / ".data" / "raw", "fair/a.txt")) == {"fair": ["fair/a.txt"]}


@pytest.mark.parametrize("path", ["README.md", "fair/README.md", "barn/notes.md"])
def test_documentation_is_ignored_and_told(tmp_path: Path, path: str) -> None:
    """Markdown files are no dumps, wherever they are, and no failure."""
    assert fill(tmp_path, path) == Inventory({}, (), {}, {path: "documentation"})


@pytest.mark.parametrize("path", ["fair/a.txt.meta.toml", "a.meta.toml", "fair/a.meta.toml"])
def test_a_sidecar_without_its_dump_is_unknown(tmp_path: Path, path: str) -> None:
    """A misspelt sidecar would say nothing to nobody: it is told."""
    assert list(fill(tmp_path, path).unknown) == [path]


def test_a_sidecar_is_no_dump(desk: Desk) -> None:
    """It belongs to the file beside it and is listed nowhere."""
    desk.put("fair/a.txt", "x", sidecar="year = 2026")
    inventory = take_inventory(desk.raw, KNOWN)
    assert (paths_of(inventory), list(inventory.unknown)) == ({"fair": ["fair/a.txt"]}, [])


def test_specimens_are_left_out_beside_real_dumps(desk: Desk) -> None:
    """A source with real dumps does not take its specimens; another source keeps its own."""
    desk.put("fair/invented.txt", "x", sidecar="specimen = true")
    desk.put("fair/real.txt", "x")
    desk.put("news/invented.txt", "x", sidecar="specimen = true")
    desk.put("news/more.txt", "x", sidecar="specimen = true")
    inventory = take_inventory(desk.raw, KNOWN)
    assert (paths_of(inventory), inventory.left_out) == (
        {"fair": ["fair/real.txt"], "news": ["news/invented.txt", "news/more.txt"]},
        ("fair/invented.txt",),
    )


def test_a_specimen_says_so_itself(desk: Desk) -> None:
    """``specimen = false`` is a real dump."""
    desk.put("fair/a.txt", "x", sidecar="specimen = false")
    desk.put("fair/b.txt", "x", sidecar="specimen = true")
    assert paths_of(take_inventory(desk.raw, KNOWN)) == {"fair": ["fair/a.txt"]}


def test_looking_changes_nothing(desk: Desk) -> None:
    """Names, bytes and times of the raw root are as before after an inventory and a load."""
    desk.put("fair/a.txt", "x", sidecar="year = 2026")
    before = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in sorted(desk.raw.rglob("*.*"))}
    load(only_dump(take_inventory(desk.raw, KNOWN)), MEBIBYTE)
    assert {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in sorted(desk.raw.rglob("*.*"))} == before


# Pages and captures


@pytest.mark.parametrize(
    ("path", "page", "captured"),
    [
        ("fair/day/20260617T091530Z.txt", "fair/day/.txt", datetime(2026, 6, 17, 9, 15, 30)),
        ("fair/day-20260617T0915.txt", "fair/day.txt", datetime(2026, 6, 17, 9, 15)),
        ("fair/day.2026-06-17T09:15:30Z.txt", "fair/day.txt", datetime(2026, 6, 17, 9, 15, 30)),
        ("fair/day_2026-06-17_09-15.txt", "fair/day.txt", datetime(2026, 6, 17, 9, 15)),
        ("fair/day-2026-06-17 091530.html", "fair/day.html", datetime(2026, 6, 17, 9, 15, 30)),
        ("fair/day1-20260617T091530Z.txt", "fair/day1.txt", datetime(2026, 6, 17, 9, 15, 30)),
        ("fair/20260617T091530Z-000012.txt", "fair/.txt", datetime(2026, 6, 17, 9, 15, 30, 12)),
        ("fair/20260617T091530Z.talks.csv", "fair/.talks.csv", datetime(2026, 6, 17, 9, 15, 30)),
    ],
)
def test_a_stamp_at_the_end_of_a_name(tmp_path: Path, path: str, page: str, captured: datetime) -> None:
    """Day and time at the end of a name, or before a dot, say when the dump was taken; the page is what remains."""
    dump = only_dump(fill(tmp_path, path))
    assert (dump.path, dump.page, dump.facts.captured_at) == (path, page, captured)


@pytest.mark.parametrize(
    "path",
    [
        "fair/day-2026-06-17.txt",
        "fair/20260617.txt",
        "fair/day-20260617T09.txt",
        "fair/20260617T0915-day.txt",
        "fair/day-20261317T0915.txt",
        "fair/day-20260617T2515.txt",
        "fair/20260617091530.txt",
        "fair/20260617T0915/day.txt",
    ],
)
def test_what_is_no_stamp(tmp_path: Path, path: str) -> None:
    """A day alone (which may be the conference's), a stamp elsewhere or an impossible one: the path is the page."""
    dump = only_dump(fill(tmp_path, path))
    assert (dump.page, dump.facts.captured_at) == (path, None)


@pytest.mark.parametrize(
    ("path", "page"),
    [("fair/a.txt.gz", "fair/a.txt"), ("fair/a.txt.zst", "fair/a.txt"), ("fair/a-20260617T0915.txt.gz", "fair/a.txt")],
)
def test_packing_a_file_does_not_change_its_page(tmp_path: Path, path: str, page: str) -> None:
    """The suffix of a packed file is part of its path and no part of its page, stamp or not."""
    dump = only_dump(fill(tmp_path, path))
    assert (dump.path, dump.page) == (path, page)


def test_sidecar_goes_before_the_stamp(desk: Desk) -> None:
    """The page is the sidecar's url, the time the sidecar's; what it does not say comes from the name."""
    desk.put("fair/a-20260617T0915.txt", "x", sidecar='url = "https://e.example/a"\ncaptured_at = 2026-01-01T00:00:00Z')
    desk.put("fair/b-20260617T0915.txt", "x", sidecar='url = "https://e.example/a"')
    dumps = take_inventory(desk.raw, KNOWN).dumps["fair"]
    assert [(dump.page, dump.facts.captured_at) for dump in dumps] == [
        ("https://e.example/a", datetime(2026, 1, 1)),
        ("https://e.example/a", datetime(2026, 6, 17, 9, 15)),
    ]


@pytest.mark.parametrize(
    "moment",
    ["2026-06-17T09:15:00Z", "2026-06-17T11:15:00+02:00", "2026-06-17T09:15:00", '"2026-06-17T04:15:00-05:00"'],
)
def test_capture_times_are_utc(desk: Desk, moment: str) -> None:
    """Any offset is turned into UTC; a time without one is UTC already."""
    desk.put("fair/a.txt", "x", sidecar=f"captured_at = {moment}")
    assert only_dump(take_inventory(desk.raw, KNOWN)).facts.captured_at == datetime(2026, 6, 17, 9, 15)


def test_a_day_as_capture_time(desk: Desk) -> None:
    """A sidecar that gives only the day means its beginning."""
    desk.put("fair/a.txt", "x", sidecar="captured_at = 2026-06-17")
    assert only_dump(take_inventory(desk.raw, KNOWN)).facts.captured_at == datetime(2026, 6, 17)


# Sidecars


def test_no_sidecar_says_nothing(tmp_path: Path) -> None:
    """All facts are None."""
    assert load_facts(tmp_path / "a.txt") == Facts()


def test_every_key_of_a_sidecar(tmp_path: Path) -> None:
    """Each key is a fact of the same name."""
    sidecar = """
    url = "https://e.example/a"
    captured_at = 2026-06-17T09:15:00
    event = "FAIR 2026"
    timezone = "Europe/Oslo"
    year = 2026
    category = "cs.DC"
    specimen = true
    """
    captured = datetime(2026, 6, 17, 9, 15)
    assert facts_of(tmp_path, sidecar) == Facts(
        "https://e.example/a", captured, "FAIR 2026", "Europe/Oslo", 2026, "cs.DC", specimen=True
    )


@pytest.mark.parametrize(
    ("sidecar", "message"),
    [
        ("year = 26", "year = 26: expected four digits, 19xx or 20xx"),
        (
            "year 2026",
            "expected valid TOML: Expected '=' after a key in a key/value pair (at line 1, column 6)",
        ),
        (
            "yaer = 2026",
            "unknown key 'yaer': expected one of url, captured_at, event, timezone, year, category, specimen, accept; "
            "did you mean year?",
        ),
        ('year = "2026"', "year = '2026': expected a value of type int"),
        ("year = 2026.0", "year = 2026.0: expected a value of type int"),
        ("year = true", "year = True: expected a value of type int"),
        ("specimen = 1", "specimen = 1: expected a value of type bool"),
        ('specimen = "true"', "specimen = 'true': expected a value of type bool"),
        ("event = 2026", "event = 2026: expected a value of type str"),
        ('event = ""', "event = '': expected a value of type str"),
        ("url = []", "url = []: expected a value of type str"),
        ('captured_at = "yesterday"', "captured_at = 'yesterday': expected a value of type datetime"),
        ("captured_at = 2026", "captured_at = 2026: expected a value of type datetime"),
        (
            'timezone = "Middle/Earth"',
            "timezone = 'Middle/Earth': expected an IANA name such as Europe/Berlin",
        ),
        ('timezone = "../etc"', "timezone = '../etc': expected an IANA name such as Europe/Berlin"),
        ('timezone = "Europe"', "timezone = 'Europe': expected an IANA name such as Europe/Berlin"),
        ('timezone = ""', "timezone = '': expected a value of type str"),
        ('accept = "drop"', "accept = 'drop': expected a value of type list"),
        (
            'accept = ["drpo"]',
            f"accept = ['drpo']: 'drpo' is not a guard: expected some of {GUARDS}; did you mean drop?",
        ),
        (
            'accept = ["drop", "size"]',
            f"accept = ['drop', 'size']: 'size' is not a guard: expected some of {GUARDS}",
        ),
    ],
)
def test_mistakes_in_a_sidecar(tmp_path: Path, sidecar: str, message: str) -> None:
    """Each mistake is told with its key, what stands there and what was expected."""
    with pytest.raises(ValueError, match="expected") as caught:
        facts_of(tmp_path, sidecar)
    assert str(caught.value) == message


def test_a_sidecar_that_is_no_text(tmp_path: Path) -> None:
    """A sidecar in another encoding is told as one that is no TOML."""
    (tmp_path / "a.txt.meta.toml").write_bytes(b'event = "caf\xe9"')
    with pytest.raises(ValueError, match="expected valid TOML: 'utf-8' codec can't decode byte 0xe9"):
        load_facts(tmp_path / "a.txt")


def test_a_bad_sidecar_fails_its_dump_alone(desk: Desk) -> None:
    """The inventory goes on; loading that dump raises an error that names the sidecar."""
    desk.put("fair/a.txt", "x", sidecar="yaer = 2026")
    desk.put("fair/b.txt", "x")
    bad, good = take_inventory(desk.raw, KNOWN).dumps["fair"]
    with pytest.raises(
        DumpError, match=r"^fair/a\.txt\.meta\.toml:1: bad_sidecar: unknown key 'yaer': expected one of"
    ):
        load(bad, MEBIBYTE)
    assert load(good, MEBIBYTE).text == "x"


def test_load_hands_the_facts_over(desk: Desk) -> None:
    """The document has the path below the raw root, and the facts with the stamp of the name."""
    desk.put("fair/a-20260617T0915.txt", "x", sidecar='event = "FAIR 2026"')
    document = load(only_dump(take_inventory(desk.raw, KNOWN)), MEBIBYTE)
    facts = Facts(event="FAIR 2026", captured_at=datetime(2026, 6, 17, 9, 15))
    assert (document.path, document.text, document.facts) == ("fair/a-20260617T0915.txt", "x", facts)


@pytest.mark.parametrize(("size", "loads"), [(MEBIBYTE, True), (MEBIBYTE + 1, False)])
def test_the_cap_is_inclusive(tmp_path: Path, size: int, loads: bool) -> None:
    """A dump of exactly the cap is read; one byte more is not."""
    file = tmp_path / "a.txt"
    file.write_bytes(b"x" * size)
    assert reads(Dump("fair", "fair/a.txt", file, "fair/a.txt", Facts()), MEBIBYTE) is loads


def reads(dump: Dump, max_bytes: int) -> bool:
    """True if a dump can be loaded."""
    try:
        load(dump, max_bytes)
    except DumpError:
        return False
    return True
