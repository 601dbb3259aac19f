"""Masks what must not be told in an address: tokens, keys, passwords, private paths. The only place that knows them.

Raw keeps addresses as they are, since pages are asked for with them. Whatever reads raw for the dataset, and whatever
prints an address, has it masked: ``https://h.example/x.ics?token=…pfomdgoh``. The eight letters are the first 32 bits
of the SHA-256 of the secret, not its digits, which could be taken for a year or a day: the same page is the same from
night to night, and two pages that differ by their tokens stay two. The function also takes texts with addresses, such
as messages; what is masked stays as it is.
"""

import re
from functools import lru_cache
from hashlib import sha256
from typing import Final

_MARK: Final = "…"
_SIGNS: Final = 8
_LETTERS: Final = str.maketrans("0123456789", "ghijklmnop")
_MARKED: Final = re.compile(rf"{_MARK}([a-p]{{{_SIGNS}}})")

_NAMES: Final = r"""
    [\w.\[\]-]*(?: token | secret | passwd | password | pwd | signature | credentials? | apikey | authkey | jwt
                 | sess?(?:ion)?id )
  | (?:[\w.\[\]-]*[_.\[-])?(?: key | auth | authorization | sig | sid | pass )
  | [\w.\[\]-]*(?-i:[a-z](?:Key|Auth|Sig|Pass))
"""
"""Parameters: a word that is one wherever it ends a name, or a shorter one that is a word of its own in it."""

_SECRET: Final = re.compile(
    rf"""
      (?:(?<=://)|(?<=:\\/\\/))                              # before a host: user and password, or a token
      (?P<user>[^\s/?#"<>\\:{_MARK}]*:[^\s/?#"<>\\]*|(?=[a-z_]*\d)[\w-]{{16,}})(?=@)
    | (?:[?&;\#]|%3F|%26)(?:{_NAMES})\]?(?:=|%3D)           # a parameter, without the end of a sentence around it
      (?P<value>[^\s&\#"<>\\{_MARK}](?:[^\s&\#"<>\\]*[^\s&\#"<>\\'.,:;)\]}}])?)
    | (?<=/)(?:private|secret|token|user|key|auth)[-_=]     # a part of a path
      (?P<path>(?=\d*[a-f])[0-9a-f]{{8,}}|(?=[a-z]*\d)[0-9a-z]{{16,}})(?![^\s/?\#"'<>.,:;)\]}}])
    """,
    re.VERBOSE | re.IGNORECASE,
)
SUSPECTS: Final = r"(?i)token|secret|pass|pwd|sig|credential|key|auth|jwt|sid|sess|private|user|://[^/]*@"
"""What a text has that holds a secret, for a fast search of many."""


def masked(text: str) -> str:
    """Return an address, or a text with addresses, with a mark in place of each secret."""
    return _SECRET.sub(_mask, text)


def masked_as(address: str | None, text: str) -> str:
    """Return a text in which the secrets of a masked address are masked, too: a page may print its own."""
    marks = set(_MARKED.findall(address or ""))
    if not marks:
        return text
    return _SECRET.sub(lambda found: _mask(found) if _sign(_secret(found)) in marks else found[0], text)


def masked_name(name: str) -> str:
    """Return the name of a file or folder that may be part of an address."""
    return masked(f"/{name}").replace(_MARK, "")[1:]


def _mask(found: re.Match[str]) -> str:
    """Return what was found with the mark of its secret."""
    start, end = (place - found.start() for place in found.span(found.lastgroup or 0))
    return f"{found[0][:start]}{_MARK}{_sign(_secret(found))}{found[0][end:]}"


def _secret(found: re.Match[str]) -> str:
    """Return the secret in what was found."""
    return found[found.lastgroup or 0]


@lru_cache(maxsize=1024)
def _sign(secret: str) -> str:
    """Return the letters that tell a secret from others."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()[:_SIGNS].translate(_LETTERS)
