"""Reads the body of an answer, whole or not at all, with a cap on its unpacked size.

Only gzip is accepted, and unpacked here in small steps: the client library would unpack a network read at once, and
would not report truncated data.
"""

import zlib
from typing import Final

import httpx

from pipeline.base.settings import MEBIBYTE

ENCODING: Final = "gzip"

_STEP: Final = 64 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS


class BodyError(Exception):
    """A body cannot be used; ``passing`` is True if a retry may succeed."""

    def __init__(self, message: str, *, passing: bool) -> None:
        """Store whether a retry may succeed."""
        super().__init__(message)
        self.passing = passing


def receive_body(response: httpx.Response, max_bytes: int) -> bytes:
    """Read the body of a streamed answer.

    Raises ``BodyError``, and the client library's error where the connection ends before the declared length.
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in {"identity", "", ENCODING, f"x-{ENCODING}"}:
        raise BodyError(f"expected a body compressed with {ENCODING} or uncompressed, found {encoding}", passing=False)
    declared = response.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > max_bytes:
        raise _too_large(max_bytes)
    unpack = _Gunzip(max_bytes) if encoding.endswith(ENCODING) else _Plain(max_bytes)
    for piece in response.iter_raw(_STEP):
        unpack.take(piece)
    return unpack.finish()


class _Plain:
    """Collects an unpacked body."""

    def __init__(self, max_bytes: int) -> None:
        """Set the cap on the body."""
        self._max_bytes = max_bytes
        self._pieces: list[bytes] = []
        self._size = 0

    def take(self, piece: bytes) -> None:
        """Add a piece. Raises ``BodyError`` beyond the cap."""
        self._size += len(piece)
        if self._size > self._max_bytes:
            raise _too_large(self._max_bytes)
        self._pieces.append(piece)

    def finish(self) -> bytes:
        """Return the whole body."""
        return b"".join(self._pieces)


class _Gunzip(_Plain):
    """Unpacks and collects a body, which may have several packed parts."""

    def __init__(self, max_bytes: int) -> None:
        """Set the cap on the unpacked body."""
        super().__init__(max_bytes)
        self._part = zlib.decompressobj(_GZIP)
        self._begun = False

    def take(self, piece: bytes) -> None:
        """Unpack a piece. Raises ``BodyError`` beyond the cap, and for data that is not gzip."""
        while piece:
            if self._part.eof:
                if not piece.strip(b"\0"):  # some writers pad
                    return
                self._part = zlib.decompressobj(_GZIP)
            self._begun = True
            try:
                super().take(self._part.decompress(piece, self._max_bytes - self._size + 1))
            except zlib.error as error:
                raise BodyError(f"expected a body compressed with {ENCODING}: {error}", passing=True) from error
            piece = self._part.unconsumed_tail or self._part.unused_data

    def finish(self) -> bytes:
        """Return the whole body. Raises ``BodyError`` if it is truncated."""
        if self._begun and not self._part.eof:
            raise BodyError("the compressed body is truncated", passing=True)
        return super().finish()


def _too_large(max_bytes: int) -> BodyError:
    """Return the error for a body beyond the cap."""
    return BodyError(f"expected at most {max_bytes / MEBIBYTE:g} MiB, found more", passing=False)
