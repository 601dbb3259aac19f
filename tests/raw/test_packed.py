"""Packed dumps: the same records as unpacked, and no more memory than the cap allows."""

import gzip
from collections.abc import Callable
from hashlib import sha256

import pytest
import zstandard

from parsers._ledger.document import DumpError
from pipeline.merging.outcome import Status
from pipeline.raw.inventory import load, take_inventory
from pipeline.raw.unpack import UNPACKERS
from tests.support.toy import Desk

PACKERS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_packed_dump_is_read_like_any_other(desk: Desk, suffix: str) -> None:
    """The records are those of the text; the hash is that of the file as it lies in the raw root."""
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


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: b"no archive at all"])
def test_a_damaged_archive_is_unreadable(desk: Desk, suffix: str, damage: object) -> None:
    """A cut or foreign file fails with its name and a reason, whatever the unpacker raises."""
    assert callable(damage)
    (desk.raw / "news").mkdir()
    text = "".join(f'{{"title": "{sha256(bytes([number])).hexdigest()}"}}\n' for number in range(256))
    (desk.raw / "news" / f"b.txt{suffix}").write_bytes(damage(PACKERS[suffix](text.encode() * 20)))
    result = desk.run("news")
    assert str(result.outcomes[0].error).startswith(f"news/b.txt{suffix}:1: unreadable: expected a readable file: ")


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


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize(
    ("behind", "said"),
    [
        (b"junk", "expected only {} data, found other data at byte {}"),
        (b"\0x", "expected only {} data, found other data at byte {}"),
        (b"cut", "truncated {} data"),
    ],
    ids=["junk", "padded-junk", "cut"],
)
def test_what_stands_behind_a_frame_is_told(desk: Desk, suffix: str, behind: bytes, said: str) -> None:
    """A dump with junk behind its data, or with a frame that is cut, is one failed dump."""
    frame = PACKERS[suffix](HAY)
    place = len(frame) + (1 if suffix == ".gz" and behind[:1] == b"\0" else 0)
    (desk.raw / "news").mkdir()
    file = desk.raw / "news" / f"b.txt{suffix}"
    file.write_bytes(frame + (PACKERS[suffix](RYE)[:-3] if behind == b"cut" else behind))
    (dump,) = take_inventory(desk.raw, ["news"]).dumps["news"]
    with pytest.raises(DumpError) as caught:
        load(dump, 1 << 20)
    message = said.format({".gz": "gzip", ".zst": "zstd"}[suffix], place)
    assert str(caught.value) == f"news/b.txt{suffix}:1: unreadable: expected a readable file: {message}"


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
