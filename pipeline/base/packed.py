"""Packs pieces of bytes into one file that tells whether it is whole: each behind its length, and a hash of all.

The hash protects against damage, not forgery.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

_DIGEST: Final = 32
_LENGTH: Final = 8


def pack(magic: bytes, pieces: Iterable[bytes]) -> bytes:
    """Return the pieces as one text of bytes that begins with ``magic``, which names what it is."""
    data = b"".join([magic, *(part for piece in pieces for part in (len(piece).to_bytes(_LENGTH, "big"), piece))])
    return data + sha256(data).digest()


def unpack(magic: bytes, data: bytes) -> list[memoryview]:
    """Return the pieces. Raises ``ValueError`` for what is damaged, or something else."""
    view = memoryview(data)
    if not data.startswith(magic) or sha256(view[:-_DIGEST]).digest() != view[-_DIGEST:]:
        raise ValueError("damaged, or something else")
    pieces, place, end = [], len(magic), len(data) - _DIGEST
    while place < end:
        start = place + _LENGTH
        place = start + int.from_bytes(view[place:start], "big")
        pieces.append(view[start:place])
    return pieces
