"""Says what a document is that no source reads, and what to do with one: only the common kinds are told apart."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Final, NamedTuple

from parsers._ledger.document import Document, DumpError
from pipeline.reading.challenge import SHOWN, count_shown, find_challenge
from pipeline.refusing.nearest import again

_HEAD: Final = 20_000
_LONGEST: Final = 100
_SCRIPTED: Final = 300
_EMPTY: Final = 10
_ANSWER: Final = 2_000
_KEYS: Final = 5
"""Characters: where headings are looked for, of one that is shown, of pages that a script fills, without text, and
of an answer that is an error; keys of some data that are named."""

_HEADING: Final = re.compile(r"<(?P<tag>title|h1|h2)\b[^<>]{0,500}>(?P<text>[^<]{1,300})</", re.IGNORECASE)
_NO_PAGE: Final = re.compile(
    r"""
    ^\W*(?:error\W{0,3})?[345]\d\d(?:\W*$ | \s*[|:–—-](?!\W*\d)) | \berror\ [345]\d\d\b
    | \bnot\ (?:be\ )?found\b | \b(?:can(?:no|'|’)?t|could\ not)\ be\ (?:found|displayed|reached)\b
    | \b(?:page|site|file|resource)\ (?:does\ not|doesn(?:'|’)t|no\ longer)\ exists?\b | \bmoved\ permanently\b
    | \bforbidden\b | \baccess\ (?:is\ )?denied\b | \bunauthori[sz]ed\b | \btoo\ many\ requests\b
    | \bbad\ (?:request|gateway)\b | \bgateway\ time-?out\b | \b(?:server|application|proxy)\ error\b
    | \b(?:temporarily|currently|service)\ unavailable\b | \baccount\ suspended\b
    | \b(?:under|site|scheduled|down\ for)\ maintenance\b | \bbe\ (?:right\ )?back\ soon\b | \brate\ limit\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What servers say in place of a page, in a title or heading."""

_DATA: Final = re.compile(r'\s*[\[{][\s\[{]*+["}]')
"""The beginning of JSON, up to its first text: ``[link](..)`` and ``[1] Title`` begin texts."""

_ROOT: Final = re.compile(r"<(?![?!])(?:\w+:)?(?P<tag>[\w.-]+)")
_SCRIPT: Final = re.compile(r"<script\b", re.IGNORECASE)
_PARTS: Final = re.compile(r"^MIME-Version:.{0,2000}?\bmultipart/related\b", re.DOTALL | re.MULTILINE | re.IGNORECASE)
_CARD: Final = re.compile(r"BEGIN:(?P<what>V[A-Z]+)\s")
_NAMED: Final = frozenset(("csv", "yaml"))
_FEEDS: Final = {"rss": "a feed (RSS)", "feed": "a feed (Atom)", "RDF": "a feed (RDF)"}

TEXT: Final = "a text"
_LOOK: Final = "open its address in a browser, and save the page that is wanted"
_ANEW: Final = "download it again"
_TABLE: Final = "for a table that reads such pages, conspectus new NAME --table --from FILE"
_PARSER: Final = "for a parser of its own, conspectus new NAME --from FILE"


class Nature(NamedTuple):
    """What a document is, in words, and what to do; ``NAME`` and ``FILE`` stand in it for those of the user."""

    what: str
    advice: str


def find_nature(document: Document) -> Nature:
    """Return what a document is."""
    if challenge := find_challenge(document.text):
        return Nature(f"a page that shows {challenge}", _LOOK)
    if _PARTS.search(document.text[:_HEAD]):
        return Nature("a page saved with its images in one file (MHTML)", "save it as HTML, without them")
    if (data := _data(document.text)) is not None:
        return data
    if document.form in _NAMED:
        return _named(document, document.form)
    if document.is_markup:
        return _xml(document) if _is_xml(document) else _page(document)
    return _text(document.text.strip())


def _text(text: str) -> Nature:
    """Return what a text is."""
    first = text.split("\n", 1)[0].strip()
    if len(text) <= _ANSWER and len(first) <= _LONGEST and _NO_PAGE.search(first):
        return Nature(f"a text that says {first!r}", _LOOK)
    if card := _CARD.match(text):
        return Nature(f"a {card['what']}", "export it as a calendar of events (.ics)")
    return Nature(TEXT, "if it is the text of a page, save that page as HTML")


def _is_xml(document: Document) -> bool:
    """True if markup is no HTML."""
    head = document.text[:_HEAD].lstrip()
    root = _ROOT.search(head)
    is_named = document.path.endswith(".xml") or head.startswith("<?xml")
    return root is not None and root["tag"].lower() != "html" and (is_named or root["tag"] in _FEEDS)


def _xml(document: Document) -> Nature:
    """Return what a document is that is XML."""
    try:
        document = again(document)
        assert document.feed  # noqa: S101  # reads it
    except DumpError as error:
        return Nature(f"broken XML (line {error.line}: {error.expected.removeprefix('expected ')})", _ANEW)
    found = _ROOT.search(document.text)
    tag = found["tag"] if found else ""
    return Nature(_FEEDS.get(tag, f"XML, <{tag}>"), _PARSER)


def _page(document: Document) -> Nature:
    """Return what a document is that is a page."""
    shown = count_shown(document.text)
    said = list(_headings(document.text))
    if shown <= SHOWN and (error := next(filter(_NO_PAGE.search, said), None)):
        return Nature(f"a page that says {error!r}", _LOOK)
    if shown - len(" ".join(said)) <= _SCRIPTED and _SCRIPT.search(document.text):
        return Nature("a page that is empty until its scripts have run", "save it from a browser, when all is shown")
    if shown - len(" ".join(said)) <= _EMPTY:
        return Nature("a page without text", _LOOK)
    return Nature("a web page of no known layout", _TABLE)


def _headings(text: str) -> Iterator[str]:
    """Yield title and headings of a page."""
    for found in _HEADING.finditer(text[:_HEAD]):
        yield " ".join(unescape(found["text"]).split())[:_LONGEST]


def _data(text: str) -> Nature | None:
    """Return what a document is that is JSON, or begins like it; None if it does not."""
    begins = _DATA.match(text)
    try:
        data = json.loads(text) if begins or text.lstrip()[0] in "{[" else None
    except json.JSONDecodeError as error:
        if not begins:
            return None
        if error.msg == "Extra data":
            return Nature("JSON, several values one behind the other", _PARSER)
        return Nature(f"broken JSON (line {error.lineno}: {error.msg})", _ANEW)
    except RecursionError:
        return Nature("JSON that is nested too deep", _ANEW)
    return None if data is None else _name_data(data, text)


def _named(document: Document, form: str) -> Nature:
    """Return what data are that the name of their file calls CSV or YAML."""
    try:
        found = again(document).data_in(form).value
    except DumpError as error:
        expected = error.expected.removeprefix("expected ").removeprefix(f"{form.upper()}: ")
        return Nature(f"broken {form.upper()} (line {error.line}: {expected})", _ANEW)
    return Nature(_with_keys(form.upper(), found), _TABLE)


def _with_keys(what: str, data: object) -> str:
    """Return what some data are, with the keys of the first object."""
    members = data[0] if isinstance(data, list) and data else data
    keys = ", ".join(map(str, list(members)[:_KEYS])) if isinstance(members, dict) else ""
    return f"{what} with the keys {keys}" if keys else what


def _name_data(data: object, text: str) -> Nature:
    """Return what some JSON is: an answer that is an error, or anything with keys."""
    if isinstance(data, dict) and len(text) <= _ANSWER:
        said = next((data[key] for key in ("error", "message", "detail") if isinstance(data.get(key), str)), None)
        if said is not None:
            return Nature(f"an answer that says {said[:_LONGEST]!r}", _LOOK)
    return Nature(_with_keys("a JSON list" if isinstance(data, list) else "JSON", data), _TABLE)
