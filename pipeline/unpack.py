"""Unpacks dumps that are packed, never to more than is asked for: a packed file can hold a thousand times its size."""

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

import zstandard

_STEP: Final = 1024
"""Bytes that are unpacked at once: one step of zstd can make some 30,000 times as many of them."""


class PackedError(Exception):
    """A packed file cannot be unpacked whole; the message says why."""


class _Frame(Protocol):
    """What unpacks one frame: it ends by itself, and hands back what stands behind it."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class _Packing:
    """A way to pack: one frame after the other, each of which begins with a ``mark``; ``padding`` may stand behind."""

    name: str
    mark: re.Pattern[bytes]
    padding: re.Pattern[bytes]
    open: Callable[[], _Frame]


def _unpack(packed: bytes, enough: int, packing: _Packing) -> bytes:
    """Unpack all frames, about ``enough`` bytes at most. Raises ``PackedError`` where anything is cut or foreign."""
    pieces: list[bytes] = []
    size = place = 0
    while place < len(packed) and size < enough:
        if not packing.mark.match(packed, place):
            raise PackedError(f"expected nothing but {packing.name} data, found something else at byte {place}")
        frame = packing.open()
        try:
            while not frame.eof and place < len(packed) and size < enough:
                step = packed[place : place + _STEP]
                pieces.append(frame.decompress(step))
                size += len(pieces[-1])
                place += len(step)
        except (zlib.error, zstandard.ZstdError) as error:
            raise PackedError(f"damaged {packing.name} data: {error}") from error
        if not frame.eof and size < enough:
            raise PackedError(f"the {packing.name} data end too early")
        place -= len(frame.unused_data)
        if padding := packing.padding.match(packed, place):
            place = padding.end()
    return b"".join(pieces)


_GZIP: Final = _Packing(
    "gzip", re.compile(rb"\x1f\x8b"), re.compile(rb"\0+"), lambda: zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
)
_ZSTD: Final = _Packing(
    "zstd",
    re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),  # of data, or of a frame that is to be skipped
    re.compile(rb"(?!)"),
    lambda: zstandard.ZstdDecompressor().decompressobj(read_across_frames=False),
)

_PACKINGS: Final = {".gz": _GZIP, ".zst": _ZSTD}

UNPACKERS: Final[Mapping[str, Callable[[bytes, int], bytes]]] = {
    suffix: partial(_unpack, packing=packing) for suffix, packing in _PACKINGS.items()
}
"""How to unpack, by the suffix of a file: bytes in, and how many of what comes out are enough."""


def suffix_of(data: bytes) -> str:
    """Return the suffix that a file of these bytes has if it is packed, from their beginning; else an empty one."""
    return next((suffix for suffix, packing in _PACKINGS.items() if packing.mark.match(data)), "")
