"""Packed dumps: the same records as unpacked, and no more memory than the cap allows."""

import gzip
from collections.abc import Callable
from hashlib import sha256

import pytest
import zstandard

from pipeline.merging.outcome import Status
from pipeline.raw.unpack import UNPACKERS
from tests.support.toy import Desk

PACKERS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".zst": zstandard.compress}
FORMATS = {".gz": "gzip", ".zst": "zstd"}


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_packed_dump_is_read_like_any_other(desk: Desk, suffix: str) -> None:
    """The records come from the unpacked text; the hash is taken from the packed file in the raw root."""
    file = desk.put("news/a.txt", {"title": "Hay"})
    packed = file.with_name(f"a.txt{suffix}")
    packed.write_bytes(PACKERS[suffix](file.read_bytes()))
    file.unlink()
    desk.run()
    record = desk.table("records", "news").row(0, named=True)
    assert (record["title"], record["dump"]) == ("Hay", f"news/a.txt{suffix}")
    assert record["dump_sha256"] == sha256(packed.read_bytes()).hexdigest()


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_bomb_is_refused(desk: Desk, suffix: str) -> None:
    """A file that unpacks to more than the cap is one failed dump; it is never unpacked whole."""
    desk.put("news/a.txt", {"title": "Hay"})
    (desk.raw / "news" / f"b.txt{suffix}").write_bytes(PACKERS[suffix](b" " * (40 << 20)))
    result = desk.run(max_bytes=1 << 20)
    assert (result.outcomes[1].status, desk.table("quarantine", "news")["reason"].to_list()) == (
        Status.PARTIAL,
        ["too_large"],
    )


HAY, RYE = b'{"title": "Hay"}\n', b'{"title": "Rye"}\n'
SKIPPED = b"\x50\x2a\x4d\x18\x05\0\0\0extra"


@pytest.mark.parametrize(
    ("suffix", "behind"),
    [
        (".gz", gzip.compress(RYE)),
        (".gz", b"\0" * 1500 + gzip.compress(RYE) + b"\0"),
        (".zst", zstandard.compress(RYE)),
        (".zst", SKIPPED + zstandard.compress(b"") + zstandard.compress(RYE) + SKIPPED),
    ],
    ids=["gzip", "gzip-padded", "zstd", "zstd-skippable"],
)
def test_every_frame_is_read(suffix: str, behind: bytes) -> None:
    """Files that were put together from packed ones hold all that these held; what formats allow between is nothing."""
    assert UNPACKERS[suffix](PACKERS[suffix](HAY) + behind, 1 << 20) == HAY + RYE


LONG = "".join(f'{{"title": "{sha256(bytes([number])).hexdigest()}"}}\n' for number in range(256)).encode() * 20
DAMAGED: dict[str, tuple[Callable[[Callable[[bytes], bytes]], bytes], str]] = {
    "cut": (lambda pack: pack(LONG)[:-9], ""),
    "foreign": (lambda _: b"no archive at all", ""),
    "junk behind": (lambda pack: pack(HAY) + b"junk", "expected only {} data, found other data at byte {}"),
    "padded junk behind": (lambda pack: pack(HAY) + b"\0x", "expected only {} data, found other data at byte {}"),
    "a cut frame behind": (lambda pack: pack(HAY) + pack(RYE)[:-3], "truncated {} data"),
}


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_archive_is_unreadable(desk: Desk, suffix: str, name: str) -> None:
    """It fails as one dump, with its name and a reason, whatever the unpacker raises."""
    make, said = DAMAGED[name]
    (desk.raw / "news").mkdir()
    (desk.raw / "news" / f"b.txt{suffix}").write_bytes(make(PACKERS[suffix]))
    place = len(PACKERS[suffix](HAY)) + (suffix == ".gz" and name.startswith("padded"))
    told = f"news/b.txt{suffix}:1: unreadable: expected a readable file: {said.format(FORMATS[suffix], place)}"
    assert str(desk.run("news").outcomes[0].error).startswith(told)


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_bomb_of_many_frames_is_bounded(suffix: str) -> None:
    """Unpacking stops where there is enough, in whatever frame that is."""
    packed = PACKERS[suffix](b" " * 10_000)
    assert 25_000 <= len(UNPACKERS[suffix](packed * 1000, 25_000)) <= 40_000


def test_packing_a_capture_does_not_make_another_page(desk: Desk) -> None:
    """Captures of one page may be packed or not: only the newest counts."""
    desk.put("fair/p/20250102T000000Z.txt", {"title": "New"})
    older = desk.raw / "fair" / "p" / "20250101T000000Z.txt.gz"
    older.write_bytes(gzip.compress(b'{"title": "Old"}'))
    desk.run()
    assert desk.titles("fair") == ["New"]
