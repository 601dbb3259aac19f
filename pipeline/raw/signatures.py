"""Names files that are no text by their first bytes, and says what to do with one: nothing of it could be read."""

from typing import Final

_AS_HTML: Final = "save the page as HTML"
_UNPACK: Final = "unpack it, and take the file that is the dump"
_EXPORT: Final = "save it as a text, or the page that it comes from as HTML"

_SIGNATURES: Final[tuple[tuple[bytes, str, str], ...]] = (
    (b"%PDF-", "a PDF", _AS_HTML),
    (b"%!PS-", "PostScript", _AS_HTML),
    (b"\x89PNG\r\n", "an image (PNG)", _AS_HTML),
    (b"\xff\xd8\xff", "an image (JPEG)", _AS_HTML),
    (b"GIF87a", "an image (GIF)", _AS_HTML),
    (b"GIF89a", "an image (GIF)", _AS_HTML),
    (b"PK\x03\x04", "a zip archive", _UNPACK),
    (b"PK\x05\x06", "an empty zip archive", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "a rar archive", _UNPACK),
    (b"\x1f\x8b", "a file packed with gzip", "give it a name that ends in .gz, or unpack it"),
    (b"\x28\xb5\x2f\xfd", "a file packed with zstd", "give it a name that ends in .zst, or unpack it"),
    (b"BZh91AY&SY", "a file packed with bzip2", _UNPACK),
    (b"\xfd7zXZ\x00", "a file packed with xz", _UNPACK),
    (b"bplist00", "a page saved by Safari (webarchive)", _AS_HTML),
    (b"\xd0\xcf\x11\xe0", "an old Office document", _EXPORT),
    (b"{\\rtf", "a document in RTF", _EXPORT),
    (b"SQLite format 3\x00", "a database (SQLite)", _EXPORT),
    (b"PAR1\x15", "a table (Parquet)", _EXPORT),
)
"""First bytes, what they begin, advice; none of them could begin a text, as ``PAR1`` alone could."""

_OFFICE: Final = (b"word/", b"xl/", b"ppt/", b"[Content_Types].xml")
_LOOKED_AT: Final = 2_000


def find_signature(data: bytes) -> tuple[str, str] | None:
    """Return what a file is that is no text, and what to do; None for a text, and for what is not known."""
    found = next(((what, advice) for begin, what, advice in _SIGNATURES if data.startswith(begin)), None)
    if data.startswith(b"PK\x03\x04") and any(part in data[:_LOOKED_AT] for part in _OFFICE):
        return "an Office document", _EXPORT
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "an image (WebP)", _AS_HTML
    return found
