"""People, paragraphs and identifiers: brackets that nest, affiliations and countries, paragraph joining, arXiv ids.

What is the same for every source, such as Unicode form and white space inside a line, belongs to ``pipeline``.
"""

import re
from collections.abc import Iterable
from html import unescape
from html.entities import name2codepoint
from typing import Final, NamedTuple
from urllib.parse import urljoin

from schemas.items import Person

_ARXIV_ID: Final = re.compile(
    r"(?:(?P<id>\d{4}\.\d{4,5})|(?P<archive>[a-z][a-z-]*)(?:\.[A-Z]{2})?/(?P<number>\d{7}))(?:v\d{1,3})?", re.ASCII
)
_SCHEME: Final = re.compile(r"\s*[a-z][a-z\d+.-]{0,20}:", re.IGNORECASE)

ENTITY: Final = re.compile(rf"&(?:#\d{{1,7}}|#[xX][\da-fA-F]{{1,6}}|apos|{'|'.join(name2codepoint)});")
"""A character as HTML 4 escapes it, with its semicolon: ``R&D;`` is none."""

PAIR: Final = re.compile(
    r"<(a|abbr|b|big|cite|code|em|font|i|small|span|strong|sub|sup|tt|u)(?:\s[^<>]*)?>([^<>]*)</\1\s*>", re.IGNORECASE
)
"""An element of HTML inside a line, whose text is its second group."""

_DEEPEST: Final = 4  # elements inside one another
_LINE_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)

_INVERTED_ENDS: Final = (" of", " of the", " Province of China")


class People(NamedTuple):
    """People in printed order, and the notes from reading them."""

    people: tuple[Person, ...] = ()
    notes: tuple[str, ...] = ()


NOBODY: Final = People()


def join_paragraphs(paragraphs: Iterable[str]) -> str | None:
    """Join the non-blank paragraphs, stripped, with one blank line; None if there are none."""
    return "\n\n".join(stripped for paragraph in paragraphs if (stripped := paragraph.strip())) or None


def split_outside_brackets(text: str, separator: str = ",") -> list[str]:
    """Split at a one-character separator outside every bracket; parts are stripped, empty ones dropped."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth = max(0, depth - 1)
        elif letter == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def split_affiliation(text: str) -> tuple[str, str | None, bool]:
    """Split ``Name (Affiliation)`` into name, text of the outer bracket, and True if the bracket is closed.

    The bracket is the first one after the name; brackets inside it nest. Text without a bracket is all name.
    """
    name, opened, rest = text.partition("(")
    if not opened:
        return text.strip(), None, True
    rest = rest.strip()
    closed = rest.endswith(")") and rest.count("(") < rest.count(")")
    return name.strip(), (rest[:-1] if closed else rest).strip() or None, closed


def person_with_country(text: str) -> Person:
    """Read ``Name (Affiliation, Country)``: the country follows the last comma outside inner brackets.

    An inverted country name, such as ``Korea, Republic of``, contains a comma itself.
    """
    name, inside, _ = split_affiliation(text)
    if inside is None:
        return Person(name)
    affiliation, comma, country = _split_at_last_comma(inside)
    if comma and country.endswith(_INVERTED_ENDS):
        affiliation, _, first = affiliation.rpartition(",")
        country = f"{first},{country}"
    return Person(name, affiliation.strip() or None, country.strip() or None) if comma else Person(name, inside)


def _split_at_last_comma(inside: str) -> tuple[str, str, str]:
    """Split at the last comma outside inner brackets, as ``rpartition`` does."""
    if ")" not in inside:
        return inside.rpartition(",")
    depth = 0
    for place in range(len(inside) - 1, -1, -1):
        letter = inside[place]
        depth += (letter == ")") - (letter == "(")
        if letter == "," and depth <= 0:
            return inside[:place], letter, inside[place + 1 :]
    return "", "", inside


def without_markup(text: str) -> str:
    """Return a text without markup of HTML that tools leave in it: ``Q&amp;A``, ``<a href="..">Jam</a>``, ``<br>``.

    Tags are markup in pairs only: a talk may be called ``The <b> Element``. One level of escapes is undone.
    """
    if "<" in text:
        for _ in range(_DEEPEST):
            text = PAIR.sub(r"\2", text)
        text = _LINE_BREAK.sub(" ", text)
    return ENTITY.sub(lambda found: unescape(found[0]), text) if "&" in text else text


def absolute_address(base: str | None, printed: str) -> str:
    """Return an address as it is meant on the page ``base``; as printed without one, and where it is none."""
    try:
        return urljoin(base, printed.strip()) if base else printed
    except ValueError:
        return printed


def is_relative(printed: str) -> bool:
    """True if an address says nothing without that of its page."""
    return _SCHEME.match(printed) is None


def canonical_arxiv_id(text: str) -> str | None:
    """Return an arXiv identifier without version or the subject class of old ones; None if the text is not one."""
    found = _ARXIV_ID.fullmatch(text.strip())
    return (found["id"] or f"{found['archive']}/{found['number']}") if found else None
