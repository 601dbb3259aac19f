"""Unpacks packed dumps up to a size limit: a packed file can expand to a thousand times its size."""

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

import zstandard

_STEP: Final = 1024
"""Bytes unpacked per step: one step of zstd can produce some 30,000 times as many."""


class PackedError(Exception):
    """A packed file cannot be fully unpacked; the message says why."""


class _Frame(Protocol):
    """A decompressor of one frame: it finds the end of the frame and returns the bytes after it."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class _Packing:
    """A packing format: a sequence of frames, each of which begins with ``mark`` and may be followed by ``padding``."""

    name: str
    mark: re.Pattern[bytes]
    padding: re.Pattern[bytes]
    open: Callable[[], _Frame]


def _unpack(packed: bytes, enough: int, packing: _Packing) -> bytes:
    """Unpack all frames, to about ``enough`` bytes at most. Raises ``PackedError`` for truncated or foreign data."""
    pieces: list[bytes] = []
    size = position = 0
    while position < len(packed) and size < enough:
        if not packing.mark.match(packed, position):
            raise PackedError(f"expected only {packing.name} data, found other data at byte {position}")
        frame = packing.open()
        try:
            while not frame.eof and position < len(packed) and size < enough:
                step = packed[position : position + _STEP]
                pieces.append(frame.decompress(step))
                size += len(pieces[-1])
                position += len(step)
        except (zlib.error, zstandard.ZstdError) as error:
            raise PackedError(f"damaged {packing.name} data: {error}") from error
        if not frame.eof and size < enough:
            raise PackedError(f"truncated {packing.name} data")
        position -= len(frame.unused_data)
        if padding := packing.padding.match(packed, position):
            position = padding.end()
    return b"".join(pieces)


_GZIP: Final = _Packing(
    "gzip", re.compile(rb"\x1f\x8b"), re.compile(rb"\0+"), lambda: zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
)
_ZSTD: Final = _Packing(
    "zstd",
    re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),  # a frame of data, or a skippable frame
    re.compile(rb"(?!)"),
    lambda: zstandard.ZstdDecompressor().decompressobj(read_across_frames=False),
)

_PACKINGS: Final = {".gz": _GZIP, ".zst": _ZSTD}

UNPACKERS: Final[Mapping[str, Callable[[bytes, int], bytes]]] = {
    suffix: partial(_unpack, packing=packing) for suffix, packing in _PACKINGS.items()
}
"""The unpack function for each file suffix: takes the packed bytes, and how many unpacked bytes are enough."""


def suffix_of(data: bytes) -> str:
    """Return the suffix for packed data, recognised by its first bytes; empty if it is not packed."""
    return next((suffix for suffix, packing in _PACKINGS.items() if packing.mark.match(data)), "")
