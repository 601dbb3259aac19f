"""Bad input, for every source: a clear outcome that names file and line, and nothing good is lost."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from parsers._ledger.document import Document
from parsers._registry import sources
from pipeline.base.settings import MEBIBYTE, Settings
from pipeline.merging.outcome import Outcome, Status
from pipeline.run.refresh import preview
from schemas.items import Record
from tests.support.cost import LIMIT, growth
from tests.support.of_sources import Specimen, each_specimen, good

pytestmark = pytest.mark.untraced


def outcome_of(folder: Path, specimen: Specimen, files: dict[str, bytes]) -> Outcome:
    """Run one source over files of the given content, with the specimen's facts and without publishing."""
    sidecar = specimen.file.with_name(specimen.file.name + ".meta.toml").read_bytes()
    sidecar = sidecar.replace(b"specimen = true", b"")
    specimen.put_beside(folder / specimen.source)
    for name, data in files.items():
        file = folder / specimen.source / (name + specimen.file.suffix)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        file.with_name(file.name + ".meta.toml").write_bytes(sidecar)
    return preview(Settings(folder, folder / "out"), sources(), specimen.source)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Specimen], Outcome]:
    """Return a function that runs a source over its specimen as it is, once."""

    @cache
    def run(specimen: Specimen) -> Outcome:
        return outcome_of(tmp_path_factory.mktemp("plain"), specimen, {"a": specimen.text.encode()})

    return run


def items(specimen: Specimen, data: str | bytes) -> tuple[Record, ...]:
    """Return what a source reads of some bytes in place of its specimen."""
    found = specimen.read(data)
    assert found is not None
    return found[0].records


NO_DUMPS = {
    "empty": (b"", "1: empty_dump: expected text, found an empty file"),
    "blank": (b" \n\n", "1: empty_dump: expected text, found an empty file"),
    "nul": (b"one\ntwo\0three", "2: nul_byte: expected text, found a NUL byte"),
    "binary": (b"one\n\x81\x8d", "2: decode_error: expected text in utf-8 or cp1252, found 0x81 at byte 4: "),
    "letter": (b"\n\nDear Sir,\nthis is a letter.\n", "3: not_this_source: expected "),
}


@each_specimen()
def test_a_file_that_is_no_dump(tmp_path: Path, specimen: Specimen) -> None:
    """A file that cannot be a dump fails with a message that names file, line and what was expected."""
    suffix = specimen.file.suffix
    found = {name: outcome_of(tmp_path / name, specimen, {"bad": data}) for name, (data, _) in NO_DUMPS.items()}
    assert {(outcome.status, outcome.quarantine.height) for outcome in found.values()} == {(Status.FAILED, 1)}
    told = {name: str(outcome.error).removeprefix(f"{specimen.source}/bad{suffix}:") for name, outcome in found.items()}
    assert {name: said for name, said in told.items() if not said.startswith(NO_DUMPS[name][1])} == {}


@each_specimen()
def test_a_dump_of_another_source_is_refused(specimen: Specimen) -> None:
    """No other source recognises a specimen by its content."""
    known = [
        source.name
        for source in good()
        if any(format_.recognise(specimen.document(specimen.text, "some/dump")) for format_ in source.formats)
    ]
    assert known == [specimen.source]


STRANGE = {
    "a slug": '<html><body><a href="/event/learn-to-program-tabletop/">Slides</a></body></html>',
    "words of a text": "<html><body><p>program-session, program-table, session-entry, session-date</p></body></html>",
    "the path of an icon": '<html><body><svg><path d="M7.92-1.42 0c11.00-12.30 9.30-10.15z"/></svg></body></html>',
    "numbers": "<html><body><p>The object G321.93-0.01 lies 1.234-5.678 away, 10.0.30-11.00.</p></body></html>",
    "a longer class": '<html><body><p class="my-program-session-x" data-class="session"></p></body></html>',
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_word_is_no_sign_of_a_source(name: str) -> None:
    """A format is recognised by its elements: words that name these elsewhere on a page do not count."""
    document = Document.from_bytes("some/dump", STRANGE[name].encode())
    assert [each.name for each in good() if any(form.recognise(document) for form in each.formats)] == []


ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "cr": lambda text: text.replace("\n", "\r").encode(),
    "bom": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
    "trailing newlines": lambda text: (text + "\n\n").encode(),
}


@each_specimen()
def test_encodings_and_line_ends_do_not_matter(specimen: Specimen) -> None:
    """The same text in other bytes gives the same records, line numbers included."""
    whole = items(specimen, specimen.text)
    assert [name for name, how in ENCODINGS.items() if items(specimen, how(specimen.text)) != whole] == []


@each_specimen()
def test_windows_1252(specimen: Specimen) -> None:
    """Text that is not UTF-8 is read as Windows-1252, nothing replaced."""
    data = specimen.add("na\u00efve \u2013 caf\u00e9").encode("cp1252", errors="ignore")
    assert items(specimen, data) == items(specimen, data.decode("cp1252"))


def count(specimen: Specimen, text: str) -> int:
    """Parse and return the number of records, 0 for a refusal."""
    found = specimen.read(text)
    return len(found[0].records) if found else 0


@each_specimen(".txt")
def test_one_line_of_10_megabytes(specimen: Specimen) -> None:
    """A dump that is one giant line is refused or one item at most, in time proportional to its length."""
    text = specimen.text.replace("\n", " ") + " "

    def read(size: int) -> int:
        return count(specimen, text * (size // len(text) + 1))

    assert read(10 * MEBIBYTE) <= 1
    assert growth(read, MEBIBYTE // 20) < LIMIT


@each_specimen()
def test_a_giant_line_among_good_ones(specimen: Specimen) -> None:
    """A line, an element or a value of 5 MB at the end of a dump is survived by the records before it."""

    def read(size: int) -> int:
        return count(specimen, specimen.add("zzqx sentinel " * (size // 14)))

    assert read(5 * MEBIBYTE) >= count(specimen, specimen.text)
    assert growth(read, MEBIBYTE // 20) < LIMIT


@each_specimen()
def test_the_same_dump_under_two_names(
    tmp_path: Path, specimen: Specimen, plain: Callable[[Specimen], Outcome]
) -> None:
    """A copy of a dump adds sightings, no records."""
    once, data = plain(specimen), specimen.text.encode()
    twice = outcome_of(tmp_path, specimen, {"a": data, "b": data})
    assert once.records is not None
    assert twice.records is not None
    assert twice.records["record_id"].to_list() == once.records["record_id"].to_list()


@each_specimen()
def test_the_specimen_is_clean(specimen: Specimen, plain: Callable[[Specimen], Outcome]) -> None:
    """Nothing of a specimen is held back: every line, every total, every value is as it should be."""
    assert plain(specimen).quarantine.select("line_start", "reason", "detail").rows() == []
