"""Opens dumps: reads, unpacks and decodes one with its companions, under the limit of one dump.

Which dumps there are, and what is known of them, belongs to ``pipeline.raw.inventory`` and ``pipeline.raw.dump``.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO

from parsers._ledger.document import Document, DumpError, Facts
from parsers._ledger.lines import Lines
from pipeline.base.disk import IrregularError, open_to_read
from pipeline.base.secret import masked_as
from pipeline.base.settings import MEBIBYTE
from pipeline.raw.dump import Dump, name_of
from pipeline.raw.sidecar import SIDECAR_SUFFIX
from pipeline.raw.signatures import find_signature
from pipeline.raw.unpack import UNPACKERS, PackedError, suffix_of


def is_too_large(dump: Dump, max_bytes: int) -> bool:
    """True if a file is larger than a dump may be, without reading it; False if its size is unknown."""
    try:
        return dump.file.stat().st_size > max_bytes
    except OSError:
        return False


def load(dump: Dump, max_bytes: int) -> Document:
    """Read and decode one dump. Raises ``DumpError`` (bad_sidecar, unreadable, too_large, and those of decoding)."""
    _refuse_known(dump)
    if is_too_large(dump, max_bytes):
        raise _too_large(dump, max_bytes)
    try:
        with open_to_read(dump.file) as opened:
            packed = opened.read(max_bytes + 1)
    except IrregularError as error:
        raise DumpError(dump.path, 1, "unreadable", str(error)) from error
    except OSError as error:
        raise _unreadable(dump, error) from error
    return _with_loaded(dump, _decode(dump, packed, dump.file.suffix, max_bytes), max_bytes)


def _with_loaded(dump: Dump, document: Document, max_bytes: int) -> Document:
    """Return a document with its companions: together they have at most as many bytes as one dump.

    Raises ``DumpError`` naming the companion.
    """
    loaded, left = list[Document](), max_bytes
    for path, digest in dump.facts.companions:
        left -= len((loaded[-1] if loaded else document).text.encode())
        try:
            companion = load(_companion(dump, path), max(left, 0))
        except DumpError as error:
            if error.reason != "too_large":
                raise
            expected = f"expected at most {max_bytes / MEBIBYTE:g} MiB in one dump with its companions, found more"
            raise DumpError(path, 1, "too_large", expected) from error
        if digest and companion.sha256 != digest:
            raise DumpError(path, 1, "unreadable", "expected a file that stays as it is; its bytes have just changed")
        loaded.append(companion)
    return replace(document, companions=tuple(loaded))


def _companion(dump: Dump, path: str) -> Dump:
    """Return a companion of a dump as one to be opened."""
    facts = Facts(url=dump.facts.url, urls=dump.facts.urls)
    return Dump(dump.source, path, dump.file.with_name(name_of(path)), dump.page, facts)


def load_piped(stream: BinaryIO, dump: Dump, max_bytes: int, beside: Sequence[tuple[str, bytes]] = ()) -> Document:
    """Read and decode a dump that comes as a stream, no more of it than one dump may hold. Raises as ``load`` does.

    Whether it is packed is told by its first bytes: what is piped need not be what the name says. ``beside`` are its
    companions, by path.
    """
    _refuse_known(dump)
    try:
        packed = stream.read(max_bytes + 1)
    except OSError as error:
        raise _unreadable(dump, error) from error
    document = _decode(dump, packed, suffix_of(packed), max_bytes)
    companions = (_decode(_companion(dump, path), data, suffix_of(data), max_bytes) for path, data in beside)
    return replace(document, companions=tuple(companions))


def _refuse_known(dump: Dump) -> None:
    """Raise ``DumpError`` for what is known to be wrong before anything is read."""
    if dump.fault is not None:
        raise DumpError(dump.path, 1, "unreadable", dump.fault)
    if dump.problem is not None and dump.has_bad_tables:
        raise DumpError(dump.path, 1, "bad_table", dump.problem)
    if dump.problem is not None:
        raise DumpError(f"{dump.path}{SIDECAR_SUFFIX}", 1, "bad_sidecar", dump.problem)


def _decode(dump: Dump, packed: bytes, suffix: str, max_bytes: int) -> Document:
    """Unpack and decode the bytes of a dump, packed as the suffix says. Raises ``DumpError``."""
    data, unpack = packed, UNPACKERS.get(suffix)
    try:
        if unpack and len(packed) <= max_bytes:
            data = unpack(packed, max_bytes + 1)
    except PackedError as error:
        raise _unreadable(dump, error) from error
    if len(data) > max_bytes:
        raise _too_large(dump, max_bytes)
    if found := find_signature(data):
        raise DumpError(dump.path, 1, "decode_error", f"expected text, found {found[0]}: {found[1]}")
    document = Document.from_bytes(dump.path, data, dump.facts, hashlib.sha256(packed).hexdigest())
    own = " ".join(filter(None, (dump.facts.url, *dump.facts.urls)))
    text = masked_as(own, document.text)  # a page that prints its own address tells its secrets
    return document if text == document.text else replace(document, text=text, lines=Lines(text))


def _too_large(dump: Dump, max_bytes: int) -> DumpError:
    """Return the error for a dump above the size limit."""
    expected = f"expected at most {max_bytes / MEBIBYTE:g} MiB in one dump, found more"
    return DumpError(dump.path, 1, "too_large", expected)


def _unreadable(dump: Dump, error: Exception) -> DumpError:
    """Return the error for a dump that cannot be read or unpacked; the path is in front of it already."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return DumpError(dump.path, 1, "unreadable", f"expected a readable file: {reason}")
