"""Unpacks dumps that are packed, never to more than is asked for: a packed file can hold a thousand times its size."""

import gzip
import io
from collections.abc import Callable, Mapping
from typing import Final

import zstandard

_ZSTD_STEP: Final = 1024  # one step can unpack to some 30,000 times its size


def _unpack_gzip(packed: bytes, enough: int) -> bytes:
    """Unpack up to ``enough`` bytes: a packed file can hold a thousand times its size."""
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as opened:
        return opened.read(enough)


def _unpack_zstd(packed: bytes, enough: int) -> bytes:
    """Unpack about ``enough`` bytes, a little input at a time. Raises ``EOFError`` where the file is cut."""
    reader = zstandard.ZstdDecompressor().decompressobj(read_across_frames=False)
    pieces, size = [], 0
    for start in range(0, len(packed), _ZSTD_STEP):
        pieces.append(reader.decompress(packed[start : start + _ZSTD_STEP]))
        size += len(pieces[-1])
        if reader.eof or size >= enough:
            break
    if not reader.eof and size < enough:
        raise EOFError("the compressed data ends too early")
    return b"".join(pieces)


UNPACKERS: Final[Mapping[str, Callable[[bytes, int], bytes]]] = {".gz": _unpack_gzip, ".zst": _unpack_zstd}
"""How to unpack, by the suffix of a file: bytes in, and how many of what comes out are enough."""
