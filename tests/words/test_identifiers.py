"""Identifiers in addresses, by the forms in which sites print them."""

import pytest

from parsers._words.identifiers import MARKS, identifier_in

READ = [
    ("https://arxiv.org/abs/2605.00001", ("arxiv", "2605.00001")),
    (" http://www.arxiv.org/pdf/2605.00001v3.pdf ", ("arxiv", "2605.00001")),
    ("https://arxiv.org/abs/math.GT/0309136v1?context=math#here", ("arxiv", "math/0309136")),
    ("https://export.arxiv.org/abs/hep-th/9901001/", ("arxiv", "hep-th/9901001")),
    ("https://huggingface.co/papers/2605.00001", ("arxiv", "2605.00001")),
    ("https://www.alphaxiv.org/overview/2605.00001v1", ("arxiv", "2605.00001")),
    ("https://ar5iv.labs.arxiv.org/html/2605.00001", ("arxiv", "2605.00001")),
    ("https://doi.org/10.48550/arXiv.2605.00001", ("arxiv", "2605.00001")),
    ("https://web.archive.org/web/2026/https://arxiv.org/abs/2605.00001", ("arxiv", "2605.00001")),
    ("https://DOI.org/10.1234/ABC.5", ("doi", "10.1234/abc.5")),
    ("http://dx.doi.org/10.1234%2Fx", ("doi", "10.1234/x")),
    ("https://dl.pots.example/doi/abs/10.1234/x?af=R", ("doi", "10.1234/x")),
    ("https://openreview.net/forum?id=aB-3_dEfGh&noteId=zz", ("openreview", "aB-3_dEfGh")),
    ("https://openreview.net/pdf?id=aB3dEfGh", ("openreview", "aB3dEfGh")),
    ("https://aclanthology.org/2026.jam-main.7/", ("acl", "2026.jam-main.7")),
    ("https://aclanthology.org/P19-1001v2.pdf", ("acl", "P19-1001")),
    ("https://www.aclweb.org/anthology/P19-1001", ("acl", "P19-1001")),
    ("https://dblp.org/rec/conf/jam/QuillF26", ("dblp", "conf/jam/QuillF26")),
    ("https://dblp.uni-trier.de/rec/html/journals/pots/Moss01.html", ("dblp", "journals/pots/Moss01")),
]


@pytest.mark.parametrize(("address", "expected"), READ)
def test_identifiers_of_addresses(address: str, expected: tuple[str, str]) -> None:
    """An address has the identifier of the page that it leads to, without version, resolver and suffix."""
    assert identifier_in(address) == expected


@pytest.mark.parametrize(("address", "expected"), READ)
def test_marks_are_in_every_address(address: str, expected: tuple[str, str]) -> None:
    """The cheap test before reading leaves out no address that has an identifier."""
    assert any(mark in address.lower() for mark in MARKS[expected[0]])


@pytest.mark.parametrize(
    "address",
    [
        "https://arxiv.org/list/cs.DC/new",
        "https://arxiv.org/abs/2605.001",
        "https://arxiv.org/a/quill_a_1",
        "https://arxiv.example/abs/2605.00001",
        "https://notarxiv.org/abs/2605.00001",
        "https://doi.org/",
        "https://openreview.net/group?id=jam.example/2026",
        "https://openreview.net/profile?id=~Ada_Quill1",
        "https://openreview.net/pdf/0123456789abcdef.pdf",
        "https://aclanthology.org/volumes/2026.jam-main/",
        "https://aclanthology.org/people/a/ada-quill/",
        "https://dblp.org/pid/1/2.html",
        "https://dblp.org/db/conf/jam/jam2026.html",
        "10.1234/x",
        "",
    ],
)
def test_addresses_without_an_identifier(address: str) -> None:
    """Lists, people, groups and other hosts have none."""
    assert identifier_in(address) is None
