"""Identifiers of papers in addresses: arXiv, DOI, OpenReview, ACL Anthology, dblp.

An address is read as it is: nothing is asked of the network. Whether an address belongs to the paper that it is printed
with is not decided here.
"""

import re
from typing import Final, NamedTuple
from urllib.parse import unquote

from parsers._words.text import canonical_arxiv_id

_LAST: Final = re.compile(r".*https?:/{1,2}(?=\w)", re.IGNORECASE | re.DOTALL)
"""Up to the host of the last address in an address: an archive of the web has the one that it keeps behind its own."""

_REST: Final = r"/?(?:[?#]\S*)?"
"""What may stand behind an identifier in the path: a query or a place on the page."""

_HOSTS: Final = {
    "arxiv": (
        r"(?:(?:www|export|[a-z]{2})\.)?arxiv\.org/(?:abs|pdf|html|ps|format|e-print|src)/(?P<id>[^\s?#]+?)(?:\.pdf)?"
        + _REST,
        r"(?:www\.)?(?:alphaxiv\.org/(?:abs|pdf|overview|html)|huggingface\.co/papers)/(?P<id>[^\s?#]+?)" + _REST,
        r"(?:www\.)?(?:ar5iv\.org/(?:abs|html)|ar5iv\.labs\.arxiv\.org/html)/(?P<id>[^\s?#]+?)" + _REST,
        r"(?:(?:dx|www)\.)?doi\.org/10\.48550/arxiv\.(?P<id>[^\s?#]+)",
    ),
    "doi": (
        r"(?:(?:dx|www)\.)?doi\.org/(?P<id>10\.\d{4,9}/(?:(?!doi\.org/)\S)+)",
        r"[^/\s]+/doi/(?:(?:abs|full|pdf|epdf|book)/)?(?P<id>10\.\d{4,9}/[^\s?#]+)(?:[?#]\S*)?",
    ),
    "openreview": (r"(?:www\.)?openreview\.net/(?:forum|pdf)\?(?:[^\s#]*&)?id=(?P<id>[\w-]{6,})(?:[&#]\S*)?",),
    "acl": (
        r"(?:www\.)?(?:aclanthology\.org|aclweb\.org/anthology|aclanthology\.info/papers)/"
        r"(?P<id>[A-Z]\d{2}-\d{4,5}|\d{4}\.[a-z\d_]+-[a-z\d_]+\.\d+)(?:v\d)?(?:\.(?:pdf|bib|xml))?" + _REST,
    ),
    "dblp": (
        r"(?:www\.)?dblp\.(?:org|uni-trier\.de|dagstuhl\.de)/rec/(?:(?:html|bibtex|xml|rdf)/)?"
        r"(?P<id>(?:conf|journals|books|series|reference|phd)(?:/[\w-]+)+)(?:\.(?:html|bib|xml|rdf))?" + _REST,
    ),
}
_PATTERNS: Final = [
    (scheme, re.compile(rf"{pattern}\Z", re.ASCII | (0 if scheme in {"acl", "openreview", "dblp"} else re.IGNORECASE)))
    for scheme, patterns in _HOSTS.items()
    for pattern in patterns
]

MARKS: Final = {
    "arxiv": ("arxiv", "alphaxiv", "ar5iv", "huggingface.co/papers"),
    "doi": ("doi.org/", "/doi/"),
    "openreview": ("openreview.net/",),
    "acl": ("aclanthology", "aclweb.org/"),
    "dblp": ("dblp.",),
}
"""What every address of an identifier contains, in lower case: a cheap test before it is read."""


class Identifier(NamedTuple):
    """An identifier of a paper: ``arxiv``, ``doi``, ``openreview``, ``acl`` or ``dblp``, and the value."""

    scheme: str
    value: str


def identifier_in(address: str) -> Identifier | None:
    """Return the identifier that an address leads to; None if it leads to none that is known.

    arXiv ids are without version, DOIs in lower case; a DOI of arXiv is the arXiv id.
    """
    plain = _LAST.sub("", unquote(address.strip()), count=1)
    host, slash, path = plain.partition("/")
    plain = f"{host.lower()}{slash}{path}"
    for scheme, pattern in _PATTERNS:
        if (found := pattern.match(plain)) and (value := _canonical(scheme, found["id"])):
            return Identifier(scheme, value)
    return None


def _canonical(scheme: str, printed: str) -> str | None:
    """Return an identifier as it is compared; None if it is none."""
    if scheme == "arxiv":
        return canonical_arxiv_id(printed)
    return printed.lower() if scheme == "doi" else printed
