"""From bytes to text: which encoding is used, and what is said of bytes that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._contract import Document, DumpError
from parsers._decode import Problem, decode

WORDS = "Zo\u00eb\nna\u00efve \u2013 \u8a08\u7b97\U0001f600"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (WORDS.encode(), "utf-8"),
        (WORDS.encode("utf-8-sig"), "utf-8-sig"),
        (b"\xff\xfe" + WORDS.encode("utf-16-le"), "utf-16"),
        (b"\xfe\xff" + WORDS.encode("utf-16-be"), "utf-16"),
        (b"\xff\xfe\0\0" + WORDS.encode("utf-32-le"), "utf-32"),
        (b"\0\0\xfe\xff" + WORDS.encode("utf-32-be"), "utf-32"),
    ],
)
def test_byte_order_mark_names_the_encoding(data: bytes, encoding: str) -> None:
    """The mark decides and is no part of the text; without one it is UTF-8."""
    assert decode(data) == (WORDS, encoding, None)


def test_windows_1252_is_the_fall_back() -> None:
    """Bytes that are not UTF-8 are read as Windows-1252, its quotes and dashes included."""
    text = "\u201cna\u00efve\u201d \u2013 5 \u20ac\nna\u00efve"
    assert decode(text.encode("cp1252")) == (text, "cp1252", None)


@pytest.mark.parametrize("byte", [b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d"])
def test_bytes_that_no_encoding_knows(byte: bytes) -> None:
    """A byte that neither UTF-8 nor Windows-1252 defines is an error with its line; nothing is replaced."""
    problem = Problem(3, "decode_error", "expected text in utf-8 or cp1252: character maps to <undefined>")
    assert decode(b"one\ncaf\xe9\n" + byte + b"\nfour") == ("", "", problem)


@pytest.mark.parametrize(
    ("data", "encoding", "line"),
    [
        ("one\ntwo".encode("utf-8-sig") + b"\n\xe9", "utf-8-sig", 3),
        ("one\ntwo".encode("utf-8-sig") + b" \xe9", "utf-8-sig", 2),
        (b"\xff\xfe" + "one\ntwo".encode("utf-16-le") + b"x", "utf-16", 2),
        (b"\xff\xfe" + "\u0a0a\u0a0a\ntwo".encode("utf-16-le") + b"x", "utf-16", 2),
        (b"\xff\xfe\0\0" + "one\n".encode("utf-32-le") + b"\xff\xff\xff\xff", "utf-32", 2),
    ],
)
def test_a_mark_that_lies(data: bytes, encoding: str, line: int) -> None:
    """After a byte order mark no other encoding is tried; the line is that of the first wrong byte."""
    problem = decode(data)[2]
    assert problem is not None
    assert (problem.line, problem.reason) == (line, "decode_error")
    assert problem.expected.startswith(f"expected text in {encoding}: ")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a\0b", 1),
        (b"one\ntwo\n\0", 3),
        (b"one\r\ntwo\r\n\0", 3),
        (b"one\rtwo\r\0", 3),
        ("one\n\0".encode("utf-16"), 2),
        ("one\ntwo".encode("utf-16-le"), 1),
    ],
)
def test_a_nul_byte_is_no_text(data: bytes, line: int) -> None:
    """A NUL byte is an error with its line, also in UTF-16 without its mark."""
    problem = Problem(line, "nul_byte", "expected text, found a NUL byte: a binary or damaged file")
    assert decode(data) == ("", "", problem)


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_error_line_counts_every_kind_of_line_end(end: bytes) -> None:
    """Lines are counted as they would stand in the text, whatever ends them."""
    problem = decode(end.join([b"one", b"two", b"\x81"]))[2]
    assert problem is not None
    assert problem.line == 3


@pytest.mark.parametrize(
    "data", [b"", b" \r\n\t\n", "\u00a0\u2028\f".encode(), b"\xef\xbb\xbf", b"\xff\xfe", b"\xef\xbb\xbf\n"]
)
def test_a_file_without_text(data: bytes) -> None:
    """White space and marks alone are an empty file."""
    assert decode(data) == ("", "", Problem(1, "empty_dump", "expected text, found an empty file"))


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"a\r\nb\r\n", "a\nb\n"), (b"a\rb\r", "a\nb\n"), (b"a\r\rb\n\rc", "a\n\nb\n\nc"), (b"a\r\r\nb", "a\n\nb")],
)
def test_line_ends_become_line_feeds(data: bytes, text: str) -> None:
    """CR LF and CR alone are one line end each."""
    assert decode(data) == (text, "utf-8", None)


def test_other_breaks_stay() -> None:
    """Form feed, U+0085 and U+2028 are characters of their line."""
    assert decode("a\fb\u0085c\u2028d".encode()) == ("a\fb\u0085c\u2028d", "utf-8", None)


@given(st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0"]), st.binary())
def test_any_bytes_are_a_text_or_a_problem(mark: bytes, data: bytes) -> None:
    """Whatever the bytes are, no error escapes: there is a text, or a problem that names a line."""
    text, encoding, problem = decode(mark + data)
    assert bool(text) == bool(encoding) == (problem is None)


def test_document_raises_what_decoding_found() -> None:
    """A document of bytes that are no text is refused with path, line and reason."""
    with pytest.raises(DumpError, match=r"^fair/a\.txt:2: nul_byte: expected text, found a NUL byte"):
        Document.from_bytes("fair/a.txt", b"one\ntwo\0")
