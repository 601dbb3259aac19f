"""Files that are no text are named by their first bytes."""

from pathlib import Path

import pytest

from parsers._ledger.document import DumpError
from pipeline.raw.dump import describe
from pipeline.raw.load import load

FILES = {
    "a PDF: save the page as HTML": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "an image (PNG): save the page as HTML": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "an image (WebP): save the page as HTML": b"RIFF\x10\0\0\0WEBPVP8 ",
    "a zip archive: unpack it, and take the file that is the dump": b"PK\x03\x04\x14\0\0\0\0\0a.txt",
    "an Office document: save it as a text, or the page that it comes from as HTML": b"PK\x03\x04\x14\0\0\0word/a.xml",
    "a file packed with gzip: give it a name that ends in .gz, or unpack it": b"\x1f\x8b\x08\0\0",
}


@pytest.mark.parametrize("told", FILES)
def test_a_file_that_is_no_text(tmp_path: Path, told: str) -> None:
    """The error says what it is and what to do, in place of the first byte that is no letter."""
    (tmp_path / "a.txt").write_bytes(FILES[told])
    with pytest.raises(DumpError) as error:
        load(describe("x/a.txt", tmp_path / "a.txt"), 1000)
    assert str(error.value) == f"x/a.txt:1: decode_error: expected text, found {told}"
