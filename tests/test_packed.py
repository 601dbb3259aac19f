"""Packed dumps: the same records as unpacked, and no more memory than the cap allows."""

import gzip
from collections.abc import Callable
from hashlib import sha256

import pytest
import zstandard

from pipeline.outcome import Status
from tests.toy import Desk

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
    (desk.raw / "news" / f"b.txt{suffix}").write_bytes(PACKERS[suffix](b" " * (200 << 20)))
    result = desk.run()
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


def test_packing_a_capture_does_not_make_another_page(desk: Desk) -> None:
    """Captures of one page may be packed or not: only the newest counts."""
    desk.put("fair/p/20250102T000000Z.txt", {"title": "New"})
    older = desk.raw / "fair" / "p" / "20250101T000000Z.txt.gz"
    older.write_bytes(gzip.compress(b'{"title": "Old"}'))
    desk.run()
    assert desk.titles("fair") == ["New"]
