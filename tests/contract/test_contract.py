"""Documents, sources and the one error that says a document cannot be used."""

from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from hashlib import sha256

import pytest

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document, DumpError, Facts
from schemas.items import Item


def parse(_: Document) -> Iterator[Item]:
    """Yield nothing."""
    yield from ()


def make_source(*words: str) -> Source:
    """Make a source with one format per word; each takes the documents that contain its word."""
    formats = (
        Format(word, f"the word {word}", lambda document, word=word: word in document.text, parse)  # type: ignore[misc]  # the default binds the word
        for word in words
    )
    return Source("fair", "Fair", 3, Family.PROGRAMME, PageKind.STATE, tuple(formats))


def test_error_names_file_line_reason_and_what_was_expected() -> None:
    """File, line, reason and expectation are in the message and in the attributes."""
    error = DumpError("fair/a.txt", 7, "declined", "expected a day")
    assert (str(error), error.path, error.line, error.reason, error.expected) == (
        "fair/a.txt:7: declined: expected a day",
        "fair/a.txt",
        7,
        "declined",
        "expected a day",
    )


def test_document_makes_its_own_error() -> None:
    """The parser gives line, reason and expectation; the document adds its path and returns the error."""
    error = Document.from_bytes("fair/a.txt", b"x").error(2, "declined", "expected a day")
    assert str(error) == "fair/a.txt:2: declined: expected a day"


def test_document_of_bytes() -> None:
    """Text and lines are decoded, the hash is that of the bytes as they are in the file."""
    data = b"\xef\xbb\xbfone\r\ntwo"
    document = Document.from_bytes("fair/a.txt", data, Facts(year=2026))
    assert (document.text, document.lines[2], document.encoding) == ("one\ntwo", "two", "utf-8-sig")
    assert (document.path, document.sha256, document.facts) == (
        "fair/a.txt",
        sha256(data).hexdigest(),
        Facts(year=2026),
    )


def test_document_without_facts_knows_none() -> None:
    """Without a sidecar every fact is None."""
    assert Document.from_bytes("fair/a.txt", b"x").facts == Facts(None, None, None, None, None, None, specimen=False)


def test_document_cannot_be_changed() -> None:
    """A parser cannot write into what it reads."""
    document = Document.from_bytes("fair/a.txt", b"x")
    with pytest.raises(FrozenInstanceError):
        document.text = "y"  # type: ignore[misc]  # the test needs it


@pytest.mark.parametrize(("text", "name"), [("hay", "hay"), ("rye", "rye"), ("rye and hay", "hay")])
def test_the_first_format_that_knows_a_document_is_taken(text: str, name: str) -> None:
    """Formats are asked in their order."""
    assert make_source("hay", "rye").recognise(Document.from_bytes("fair/a.txt", text.encode())).name == name


def test_a_document_that_no_format_knows() -> None:
    """The error names the first line with text, and what every format looks for."""
    document = Document.from_bytes("fair/a.txt", b"\n\n oats\n")
    with pytest.raises(DumpError) as caught:
        make_source("hay", "rye").recognise(document)
    expected = "expected hay: the word hay; or rye: the word rye"
    assert str(caught.value) == f"fair/a.txt:3: not_this_source: {expected}"


def test_parser_column_has_name_and_version() -> None:
    """The version tells rows of an older parser apart."""
    assert make_source().parser == "fair@3"
