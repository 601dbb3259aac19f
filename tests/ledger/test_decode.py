"""Decoding: the encoding that is used, and the error for bytes that are not text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._ledger.decode import Problem, decode
from parsers._ledger.document import Document, DumpError

WORDS = "Zo\u00eb\nna\u00efve \u2013 \u8a08\u7b97\U0001f600"

LETTERS = {
    "shift_jis": "\u8a08\u7b97\u6a5f",
    "euc_kr": "\ud55c\uad6d",
    "gb2312": "\u8ba1\u7b97",
    "iso8859-2": "\u0159e\u010d",
    "cp1251": "\u041f\u0440\u0438\u0432\u0435\u0442",
    "koi8-r": "\u041f\u0440\u0438\u0432\u0435\u0442",
}


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
    """The byte order mark decides and is not part of the text; without one the text is UTF-8."""
    assert decode(data) == (WORDS, encoding, ())


def test_windows_1252_is_the_fall_back() -> None:
    """Bytes that are not UTF-8 are read as Windows-1252, its quotes and dashes included."""
    text = "\u201cna\u00efve\u201d \u2013 5 \u20ac\nna\u00efve"
    assert decode(text.encode("cp1252")) == (text, "cp1252", ())


@pytest.mark.parametrize("cut", [1, 2])
def test_utf_8_that_is_cut_inside_a_character(cut: int) -> None:
    """UTF-8 cut within a character is refused with its line, not read as Windows-1252."""
    problem = Problem(
        2, "decode_error", "expected text in utf-8 or cp1252, found 0xe2 at byte 8: unexpected end of data"
    )
    assert decode("caf\u00e9\n5 \u20ac".encode()[:-cut]) == ("", "", (problem,))


def test_an_accent_at_the_end() -> None:
    """A file that ends in a Windows-1252 accent and has nothing else to tell by is Windows-1252."""
    assert decode(b"one\ncaf\xe9") == ("one\ncaf\u00e9", "cp1252", ())


@pytest.mark.parametrize("byte", [b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d"])
def test_bytes_that_no_encoding_knows(byte: bytes) -> None:
    """A byte that neither UTF-8 nor Windows-1252 defines is an error with its line; nothing is replaced."""
    found = f"0x{byte.hex()} at byte 9: character maps to <undefined>"
    problem = Problem(3, "decode_error", f"expected text in utf-8 or cp1252, found {found}")
    assert decode(b"one\ncaf\xe9\n" + byte + b"\nfour") == ("", "", (problem,))


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
def test_a_wrong_byte_order_mark(data: bytes, encoding: str, line: int) -> None:
    """After a byte order mark no other encoding is tried; the error has the line of the first wrong byte."""
    (problem,) = decode(data)[2]
    assert (problem.line, problem.reason) == (line, "decode_error")
    assert problem.expected.startswith(f"expected text in {encoding}, found 0x")


@pytest.mark.parametrize(
    ("before", "byte", "behind", "encoding"),
    [
        ("na\u00efve caf\u00e9 ", b"\xe9", " au lait", "utf-8"),
        ("na\u00efve ", b"\x81", " caf\u00c1", "utf-8"),
        ('<?xml version="1.0"?><a>', b"\xe9", "</a>", "utf-8"),
        ('<meta charset="utf-8"><p>', b"\xe9", "</p>", "utf-8"),
        ('<meta charset="koi8-r"><p>na\u00efve caf\u00e9 ', b"\xe9", "</p>", "utf-8"),
        ('<meta charset="shift_jis"><p>\u8a08', b"\xfd", "\u7b97</p>", "shift_jis"),
        ('[\n {"title": "', b"\xe9", '"}]', "utf-8"),
        ("BEGIN:VCALENDAR\nSUMMARY:", b"\xe9", " au lait", "utf-8"),
    ],
)
def test_a_damaged_byte_is_marked(before: str, byte: bytes, behind: str, encoding: str) -> None:
    """One byte that does not fit does not change how the others are read: U+FFFD is in its place, and it is told."""
    data = before.encode(encoding) + byte + behind.encode(encoding)
    expected = f"expected text in {encoding}, found 0x{byte.hex()} at byte {len(before.encode(encoding))}"
    around = f"{before.rsplit(chr(10), maxsplit=1)[-1]}\ufffd{behind}"
    problem = Problem(before.count("\n") + 1, "decode_error", f"{expected}: U+FFFD stands for it", around)
    assert decode(data) == (f"{before}\ufffd{behind}", encoding, (problem,))


def test_damage_in_many_places() -> None:
    """Each place has its line and byte, also behind a byte order mark; the last one told counts the others."""
    problems = decode("\r\n".join(["caf\u00e9 \u00e9"] * 130).encode("utf-8-sig").replace(b"\xa9 ", b" "))[2]
    expected = "expected text in utf-8-sig, found 0xc3 at byte"
    assert (len(problems), problems[0].line, problems[-1].line) == (100, 1, 100)
    assert problems[0].expected == f"{expected} 6: U+FFFD stands for it"
    assert problems[-1].expected == f"{expected} {6 + 99 * 9}, and 30 more such places: U+FFFD stands for it"


def test_a_page_of_another_encoding_is_not_damaged() -> None:
    """A label alone does not make UTF-8 of a page that has many bytes of another encoding."""
    text = '<meta charset="utf-8">na\u00efve caf\u00e9s \u00e0 la carte'
    assert decode(text.encode("cp1252")) == (text, "cp1252", ())


@pytest.mark.parametrize("at", [1, 2, 3])
def test_calendars_are_folded_between_bytes(at: int) -> None:
    """A line of a calendar that is folded within a character has the whole character before the fold."""
    whole = "\U0001f600".encode()
    folded = b"BEGIN:VCALENDAR\r\nSUMMARY:a" + whole[:at] + b"\r\n " + whole[at:] + b"b\r\n"
    assert decode(folded) == ("BEGIN:VCALENDAR\nSUMMARY:a\U0001f600\n b\n", "utf-8", ())


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
    problem = Problem(line, "nul_byte", "expected text, found a NUL byte; the file is binary or damaged")
    assert decode(data) == ("", "", (problem,))


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_error_line_counts_every_kind_of_line_end(end: bytes) -> None:
    """Every kind of line end counts, as in the decoded text."""
    (problem,) = decode(end.join([b"one", b"two", b"\x81"]))[2]
    assert problem.line == 3


@pytest.mark.parametrize(
    "data", [b"", b" \r\n\t\n", "\u00a0\u2028\f".encode(), b"\xef\xbb\xbf", b"\xff\xfe", b"\xef\xbb\xbf\n"]
)
def test_a_file_without_text(data: bytes) -> None:
    """A file of white space or a byte order mark alone is empty."""
    assert decode(data) == ("", "", (Problem(1, "empty_dump", "expected text, found an empty file"),))


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"a\r\nb\r\n", "a\nb\n"), (b"a\rb\r", "a\nb\n"), (b"a\r\rb\n\rc", "a\n\nb\n\nc"), (b"a\r\r\nb", "a\n\nb")],
)
def test_line_ends_become_line_feeds(data: bytes, text: str) -> None:
    """CR LF and CR alone are one line end each."""
    assert decode(data) == (text, "utf-8", ())


def test_other_breaks_stay() -> None:
    """Form feed, U+0085 and U+2028 do not end a line."""
    assert decode("a\fb\u0085c\u2028d".encode()) == ("a\fb\u0085c\u2028d", "utf-8", ())


@pytest.mark.parametrize(
    ("label", "encoding"),
    [
        ("shift_jis", "shift_jis"),
        ("Shift_JIS", "shift_jis"),
        ("EUC-KR", "euc_kr"),
        ("gb2312", "gb2312"),
        ("iso-8859-2", "iso8859-2"),
        ("windows-1251", "cp1251"),
        ("koi8-r", "koi8-r"),
    ],
)
@pytest.mark.parametrize(
    "markup", ['<meta charset="{}">', "<meta content='text/html; charset={}'>", ' <?xml encoding="{}"?>']
)
def test_a_label_in_markup_names_the_charset(markup: str, label: str, encoding: str) -> None:
    """A page that is not UTF-8 is read in the charset that it names."""
    text = markup.format(label) + LETTERS[encoding]
    assert decode(text.encode(encoding)) == (text, encoding, ())


@pytest.mark.parametrize("label", ["iso-8859-1", "latin1", "us-ascii", "windows-1252"])
def test_latin_labels_mean_windows_1252(label: str) -> None:
    """As in browsers; a page with such a label that is valid UTF-8 is read as UTF-8."""
    text = f'<meta charset="{label}">\u201cna\u00efve\u201d'
    assert (decode(text.encode("cp1252")), decode(text.encode())) == ((text, "cp1252", ()), (text, "utf-8", ()))


@pytest.mark.parametrize("label", ["koi8-r", "iso-8859-2", "windows-1251", "shift_jis", "utf-16", "UTF-8"])
def test_a_label_that_is_wrong(label: str) -> None:
    """A valid UTF-8 page is read as UTF-8 whatever its label says."""
    text = f'<meta charset="{label}">caf\u00e9 \U0001f600'
    assert decode(text.encode()) == (text, "utf-8", ())


@pytest.mark.parametrize(
    "label",
    ["undefined", "hex", "rot13", "unicode_escape", "raw-unicode-escape", "utf-7", "charmap", "idna", "none", "x"],
)
@pytest.mark.parametrize(("data", "encoding"), [(b"caf\xc3\xa9 \\u00e9", "utf-8"), (b"caf\xe9 \\u00e9", "cp1252")])
def test_a_label_that_names_no_charset(label: str, data: bytes, encoding: str) -> None:
    """An unknown label is ignored, even if Python has a codec of that name."""
    page = f'<meta charset="{label}">'
    assert decode(page.encode() + data) == (page + "caf\u00e9 \\u00e9", encoding, ())


@pytest.mark.parametrize("before", ["", "charset=koi8-r\n", "<p>" + "x" * 5000 + '<meta charset="koi8-r">'])
def test_only_a_label_near_the_start_of_markup_counts(before: str) -> None:
    """Text is not searched for labels, nor is a page far below its start."""
    data = before.encode() + b"caf\xe9"
    assert decode(data) == (before + "caf\u00e9", "cp1252", ())


def test_a_mark_goes_before_the_label() -> None:
    """A byte order mark wins over the label."""
    text = '<meta charset="shift_jis">caf\u00e9'
    assert decode(text.encode("utf-8-sig")) == (text, "utf-8-sig", ())


LABELS = "shift_jis iso-2022-jp hz gb18030 big5 euc-jp johab koi8-r tis-620 undefined hex idna utf-7".split()
BEGINNINGS = [b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0"]


@given(st.sampled_from([*BEGINNINGS, *(f'<meta charset="{label}">'.encode() for label in LABELS)]), st.binary())
def test_any_bytes_are_a_text_or_a_problem(mark: bytes, data: bytes) -> None:
    """Any bytes give a text, where U+FFFD tells of its problems, or one problem alone; no exception escapes."""
    text, encoding, problems = decode(mark + data)
    assert bool(text) == bool(encoding)
    assert ("\ufffd" in text or not text) >= bool(problems) >= (not text)


def test_document_raises_what_decoding_found() -> None:
    """A document of bytes that are no text is refused with path, line and reason."""
    with pytest.raises(DumpError, match=r"^fair/a\.txt:2: nul_byte: expected text, found a NUL byte"):
        Document.from_bytes("fair/a.txt", b"one\ntwo\0")
