"""Bad input, for every source: a clear outcome that names file and line, and nothing good is lost."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from parsers._contract import Document, DumpError
from parsers._registry import sources
from pipeline.outcome import Outcome, Status
from pipeline.plan import make_plan
from pipeline.refresh import refresh, refresh_source
from pipeline.settings import MEBIBYTE, Settings
from pipeline.sidecar import read_facts
from tests.conftest import ROOT
from tests.helpers import parse_text

pytestmark = pytest.mark.untraced

SPECIMENS = {
    source: next(file for file in sorted((ROOT / "raw" / source).iterdir()) if file.suffix == ".txt")
    for source in sources()
}


def text_of(source: str) -> str:
    """Return the text of the specimen."""
    return SPECIMENS[source].read_text(encoding="utf-8")


def outcome_of(folder: Path, source: str, files: dict[str, bytes], max_bytes: int = 64 * MEBIBYTE) -> Outcome:
    """Run one source over files of the given content, with the specimen's facts and without publishing."""
    sidecar = SPECIMENS[source].with_name(SPECIMENS[source].name + ".meta.toml").read_bytes()
    sidecar = sidecar.replace(b"specimen = true", b"")
    for name, data in files.items():
        file = folder / source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        file.with_name(file.name + ".meta.toml").write_bytes(sidecar)
    plan = make_plan(Settings(folder, folder / "out", max_bytes=max_bytes), [source])
    return refresh_source(plan, source)


def values(outcome: Outcome) -> list[tuple[object, ...]]:
    """Return the records without what names their dump."""
    assert outcome.records is not None
    return outcome.records.drop("dump", "dump_sha256").rows()


NO_DUMPS = {
    "empty": (b"", "1: empty_dump: expected text, found an empty file"),
    "blank": (b" \n\n", "1: empty_dump: expected text, found an empty file"),
    "nul": (b"one\ntwo\0three", "2: nul_byte: expected text, found a NUL byte"),
    "binary": (b"one\n\x81\x8d", "2: decode_error: expected text in utf-8 or cp1252"),
    "letter": (b"\n\nDear Sir,\nthis is a letter.\n", "3: not_this_source: expected "),
}


@pytest.mark.parametrize("source", SPECIMENS)
def test_a_file_that_is_no_dump(tmp_path: Path, source: str) -> None:
    """A file that cannot be a dump fails with a message that names file, line and what was expected."""
    found = {name: outcome_of(tmp_path / name, source, {"bad.txt": data}) for name, (data, _) in NO_DUMPS.items()}
    assert {(outcome.status, outcome.quarantine.height) for outcome in found.values()} == {(Status.FAILED, 1)}
    told = {name: str(outcome.error) for name, outcome in found.items()}
    assert {
        name: said for name, said in told.items() if not said.startswith(f"{source}/bad.txt:{NO_DUMPS[name][1]}")
    } == {}


def test_a_dump_of_another_source_is_refused() -> None:
    """Only its own source recognises a specimen by its content."""
    known = {
        (source, other)
        for other, file in SPECIMENS.items()
        for source in SPECIMENS
        if any(
            format_.recognise(Document.from_bytes("somewhere/dump.txt", file.read_bytes(), read_facts(file)))
            for format_ in sources()[source].formats
        )
    }
    assert known == {(source, source) for source in SPECIMENS}


ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "cr": lambda text: text.replace("\n", "\r").encode(),
    "bom": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
    "trailing newlines": lambda text: (text + "\n\n").encode(),
}


@pytest.mark.parametrize("source", SPECIMENS)
def test_encodings_and_line_ends_do_not_matter(tmp_path: Path, source: str) -> None:
    """The same text in other bytes gives the same records, line numbers included."""
    text = text_of(source)
    plain = values(outcome_of(tmp_path / "plain", source, {"a.txt": text.encode()}))
    files = {name: outcome_of(tmp_path / name, source, {"a.txt": how(text)}) for name, how in ENCODINGS.items()}
    assert [name for name, outcome in files.items() if values(outcome) != plain] == []


@pytest.mark.parametrize("source", SPECIMENS)
def test_windows_1252(tmp_path: Path, source: str) -> None:
    """Text that is not UTF-8 is read as Windows-1252, nothing replaced."""
    text = text_of(source).encode("cp1252", errors="ignore").decode("cp1252") + "\nna\u00efve \u2013 caf\u00e9\n"
    plain = outcome_of(tmp_path / "plain", source, {"a.txt": text.encode()})
    other = outcome_of(tmp_path / "other", source, {"a.txt": text.encode("cp1252")})
    assert values(other) == values(plain)


def parse_in_time(source: str, text: str) -> int:
    """Parse and return the number of records, 0 for a refusal; fail where it takes so long that something is wrong.

    That is ten times what it takes: quadratic time would be far more, also if a character cost next to nothing.
    """
    start = time.process_time()
    try:
        found = len(parse_text(source, text, facts=read_facts(SPECIMENS[source])).records)
    except DumpError:
        found = 0
    assert time.process_time() - start < 3
    return found


@pytest.mark.parametrize("source", SPECIMENS)
def test_one_line_of_10_megabytes(source: str) -> None:
    """A dump that is one giant line ends in bounded time: refused, or one item at most."""
    text = text_of(source).replace("\n", " ") + " "
    assert parse_in_time(source, text * (10 * MEBIBYTE // len(text) + 1)) <= 1


@pytest.mark.parametrize("source", SPECIMENS)
def test_a_giant_line_among_good_ones(source: str) -> None:
    """A line of 5 MB at the end of a dump is survived by the records before it."""
    giant = "zzqx sentinel " * (5 * MEBIBYTE // 14)
    assert parse_in_time(source, f"{text_of(source)}\n{giant}") >= parse_in_time(source, text_of(source))


@pytest.mark.parametrize("source", SPECIMENS)
def test_a_dump_above_the_cap(tmp_path: Path, source: str) -> None:
    """A dump above the cap is refused; the message names the cap."""
    outcome = outcome_of(tmp_path, source, {"a.txt": b"x" * (MEBIBYTE + 1)}, max_bytes=MEBIBYTE)
    assert outcome.error == f"{source}/a.txt:1: too_large: expected at most 1 MiB in one dump, found more"


@pytest.mark.parametrize("source", SPECIMENS)
def test_the_same_dump_under_two_names(tmp_path: Path, source: str) -> None:
    """A copy of a dump adds sightings, no records."""
    data = text_of(source).encode()
    once = outcome_of(tmp_path / "once", source, {"a.txt": data})
    twice = outcome_of(tmp_path / "twice", source, {"a.txt": data, "b.txt": data})
    assert once.records is not None
    assert twice.records is not None
    assert twice.records["record_id"].to_list() == once.records["record_id"].to_list()


@pytest.mark.parametrize("source", SPECIMENS)
def test_the_specimen_is_clean(tmp_path: Path, source: str) -> None:
    """Nothing of a specimen is held back: every line, every total, every value is as it should be."""
    outcome = outcome_of(tmp_path, source, {"a.txt": text_of(source).encode()})
    assert outcome.quarantine.select("line_start", "reason", "detail").rows() == []


@pytest.mark.parametrize("source", SPECIMENS)
def test_an_unreadable_file(tmp_path: Path, source: str) -> None:
    """A file that the operating system does not let us read is one failed dump; the others are parsed."""
    (tmp_path / source).mkdir(parents=True)
    (tmp_path / source / "gone.txt").symlink_to(tmp_path / "nowhere")
    outcome = outcome_of(tmp_path, source, {"a.txt": text_of(source).encode()})
    assert (outcome.status, "unreadable" in outcome.quarantine["reason"].to_list()) == (Status.PARTIAL, True)


def test_an_unknown_folder_in_raw(tmp_path: Path) -> None:
    """A folder that is no source is named and turns the run red; the rest is published."""
    source, file = next(iter(SPECIMENS.items()))
    for folder in (source, "mystery"):
        (tmp_path / "raw" / folder).mkdir(parents=True)
        (tmp_path / "raw" / folder / "a.txt").write_bytes(file.read_bytes())
    result = refresh(Settings(tmp_path / "raw", tmp_path / "out"))
    assert (set(result.unknown), result.good) == ({"mystery/a.txt"}, False)
    assert (tmp_path / "out" / "latest" / "parquet" / f"{source}.parquet").exists()
