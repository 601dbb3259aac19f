"""Other forms of data than JSON, as the objects and lists that JSON would have: CSV, YAML, JSON behind a name.

Every scalar of CSV and YAML is a text: read by its looks, ``8:30`` would be 510, ``no`` false and ``0123`` 83. A plain
``null``, ``~`` or nothing is null. Objects remember their lines. What the keys mean does not belong here.
"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, Final

DATA: Final = ("json", "csv", "yaml")
"""The forms of data."""

_ASSIGNED: Final = re.compile(
    r"\s*+(?:(?:export\s++)?(?:var|let|const)\s++)?([A-Za-z_$][\w$.]*+)\s*+=(?=\s*+[\[{])\s*+"
)
_BETWEEN: Final = re.compile(r"[\s;]*+")
_SEPARATORS: Final = ",;\t"
_HEAD: Final = 20_000
_LONGEST_CELL: Final = 1 << 26
_MOST_COLUMNS: Final = 1_000


class FormError(Exception):
    """A text is not of its form; ``line`` is 1-based, ``expected`` says what was expected."""

    def __init__(self, line: int, expected: str) -> None:
        """Keep line and expectation for the message that names the file."""
        super().__init__(f"{line}: {expected}")
        self.line = line
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded data: its value, the lines of its objects by their ``id``, and what its text has twice or too much."""

    value: Any
    lines: dict[int, tuple[int, int]] = field(default_factory=dict)
    faults: tuple[tuple[int, str, str], ...] = ()
    """Line, text and what was expected, of what was not read."""


def form_of(path: str, text: str) -> str | None:
    """Return the form of a text, by its first sign or the suffix of its path; None if it is not one of ``DATA``."""
    head = text[:_HEAD].lstrip("\ufeff \t\r\n")
    suffix = re.search(r"\.(csv|tsv|ya?ml|js|json)(?:\.\w+)?$", path)
    named = suffix[1] if suffix else ""
    if named in {"csv", "tsv"}:
        return "csv"
    if head[:1] in {"{", "["} or _ASSIGNED.match(head):
        return "json"
    if named in {"yml", "yaml"}:
        return "yaml"
    return None


def decode_csv(text: str) -> Decoded:
    """Read the rows of CSV as objects; the separator is the one that its first line has most often.

    Rows without a text are none. A row with more or fewer cells than the first line is a fault. Raises ``FormError``.
    """
    text = text.lstrip("\ufeff")
    first = text[:_HEAD].lstrip("\n").partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    csv.field_size_limit(_LONGEST_CELL)
    rows: list[dict[str, str]] = []
    lines: dict[int, tuple[int, int]] = {}
    faults: list[tuple[int, str, str]] = []
    names: list[str] = []
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    try:
        for cells in reader:
            line, begins = begins, reader.line_num + 1
            if not any(map(str.strip, cells)):
                continue
            if not names:
                names = _names(cells)
            elif len(cells) != len(names):
                shown = separator.join(cells)
                faults.append((line, shown, f"expected {len(names)} cells, as line 1 has, found {len(cells)}"))
            else:
                row = dict(zip(names, cells, strict=True))
                rows.append(row)
                lines[id(row)] = line, reader.line_num
    except csv.Error as error:
        raise FormError(begins, f"expected CSV: {error}") from error
    return Decoded(rows, lines, tuple(faults))


def _names(cells: list[str]) -> list[str]:
    """Return the names of the columns, each once. Raises ``FormError``."""
    names = [cell.strip() or f"column {place}" for place, cell in enumerate(cells, 1)]
    if len(names) > _MOST_COLUMNS:
        raise FormError(1, f"expected at most {_MOST_COLUMNS} columns, found {len(names)}")
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise FormError(1, f"expected each column once, found {twice!r} twice")
    return names


def decode_yaml(text: str) -> Decoded:
    """Read YAML without its types: a plain scalar is a text or null. Raises ``FormError``."""
    from parsers._ledger.yamls import decode  # noqa: PLC0415  # importing PyYAML takes a tenth of a second

    return decode(text)


def decode_assigned(text: str) -> Decoded | None:
    """Read JSON behind ``name =``, as scripts have it; several are an object by name. None if it is something else."""
    if (found := _ASSIGNED.match(text)) is None:
        return None
    values: dict[str, Any] = {}
    decoder = json.JSONDecoder()
    while found is not None:
        try:
            values[found[1]], place = decoder.raw_decode(text, found.end())
        except (json.JSONDecodeError, RecursionError):
            return None
        ends = _BETWEEN.match(text, place)
        place = ends.end() if ends else place
        found = _ASSIGNED.match(text, place)
    if text[place:].strip():
        return None
    return Decoded(values if len(values) > 1 else next(iter(values.values())))


def decode_lax(text: str) -> Decoded | None:
    """Read JSON with commas before closing brackets, as YAML allows them; None if it is something else."""
    if text.lstrip("\ufeff \t\r\n")[:1] not in {"{", "["}:
        return None
    try:
        decoded = decode_yaml(text)
    except FormError:
        return None
    return Decoded(decoded.value, {}, decoded.faults)


def names_key(form: str, text: str, key: str) -> bool:
    """True if the beginning or the end of a text seems to have a key, or its first line a column of this name.

    JSON behind a name has that, too. Of a text that is no data the key is any part of it.
    """
    head = text if len(text) < 2 * _HEAD else f"{text[:_HEAD]}\n{text[-_HEAD:]}"
    if form == "csv":
        first = head.lstrip("\ufeff\n").partition("\n")[0]
        return key in {cell.strip(' "') for cell in re.split("[,;\t]", first)}
    if form not in DATA:
        return key in head
    name = re.escape(key)
    if form == "json":
        return re.search(rf'"{name}"\s*:|(?:^|[\s;]){name}\s*=\s*[\[{{]', head) is not None
    return re.search(rf"^[ \t]*(?:- +)*{name}[ \t]*:(?:\s|$)", head, re.MULTILINE) is not None
