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

import yaml

DATA: Final = ("json", "csv", "yaml")
"""The forms of data."""

_ASSIGNED: Final = re.compile(
    r"\s*+(?:(?:export\s++)?(?:var|let|const)\s++)?([A-Za-z_$][\w$.]*+)\s*+=(?=\s*+[\[{])\s*+"
)
_BETWEEN: Final = re.compile(r"[\s;]*+")
_NULLS: Final = frozenset(("", "~", "null", "Null", "NULL"))
_SEPARATORS: Final = ",;\t"
_HEAD: Final = 20_000
_LONGEST_CELL: Final = 1 << 26
_MOST_COLUMNS: Final = 1_000
_DEEPEST: Final = 100
_MORE: Final = 10_000
"""How many values of YAML the aliases may add, beyond as many as are written."""
_MERGES: Final = "<<"


class FormError(Exception):
    """A text is none of its form; ``line`` is 1-based, ``expected`` says what was expected."""

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
    """Return the form of a text, by its first sign or the suffix of its path; None if it is none of ``DATA``."""
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
    maker = _OfYaml()
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            maker.add(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise FormError(mark.line + 1 if mark else 1, f"expected YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise FormError(1, f"expected YAML: {str(error)[:100]}") from error
    return Decoded(maker.root[0] if maker.root else None, maker.lines, tuple(maker.faults))


class _OfYaml:
    """Makes values of events, an own one for each alias.

    Events, since the nodes of deep values are made by a recursion in C that overflows its stack.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.root: list[Any] = []
        self.lines: dict[int, tuple[int, int]] = {}
        self.faults: list[tuple[int, str, str]] = []
        self._open: list[tuple[Any, str | None, int]] = [(self.root, None, 1)]
        self._keys: list[str | None] = [None]
        self._anchors: dict[str, Any] = {}
        self._written = self._copied = 0
        self._last = 1

    def add(self, event: yaml.Event) -> None:
        """Add an event. Raises ``FormError``."""
        line = event.start_mark.line + 1
        if isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            self._last = event.end_mark.line + (
                event.end_mark.column > 0 or event.end_mark.line == event.start_mark.line
            )
        if isinstance(event, yaml.ScalarEvent):
            self._written += 1
            is_null = event.implicit[0] and event.style in (None, "") and event.value in _NULLS
            self._put(None if is_null else event.value, event.value, event.anchor, line)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise FormError(line, f"expected a value before the alias {event.anchor!r}, found none")
            self._put(self._copy(self._anchors[event.anchor], line), None, None, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._written += 1
            if len(self._open) > _DEEPEST:
                raise FormError(line, f"expected values at most {_DEEPEST} deep, found more")
            self._open.append(({} if isinstance(event, yaml.MappingStartEvent) else [], event.anchor, line))
            self._keys.append(None)
        elif isinstance(event, yaml.CollectionEndEvent):
            value, anchor, begins = self._open.pop()
            self._keys.pop()
            if isinstance(value, dict):
                self.lines[id(value)] = begins, max(begins, self._last)
            self._put(value, None, anchor, begins)
        elif isinstance(event, yaml.DocumentStartEvent) and self.root:
            raise FormError(line, "expected one document, found another")

    def _put(self, value: Any, printed: str | None, anchor: str | None, line: int) -> None:  # noqa: ANN401
        """Put a value into what is open: as a key, if that waits for one."""
        if anchor:
            self._anchors[anchor] = value
        holder = self._open[-1][0]
        if isinstance(holder, list):
            holder.append(value)
        elif (key := self._keys[-1]) is None:
            if printed is None:
                raise FormError(line, "expected a text as key, found several values")
            if printed in holder and printed != _MERGES:
                expected = f"expected {printed!r} once: the last value is read"
                self.faults.append((line, printed, expected))
            self._keys[-1] = printed
        else:
            self._keys[-1] = None
            if key == _MERGES:
                for other in value if isinstance(value, list) else [value]:
                    if isinstance(other, dict):
                        holder |= {name: each for name, each in other.items() if name not in holder}
            else:
                holder[key] = value

    def _copy(self, value: Any, line: int) -> Any:  # noqa: ANN401  # as JSON would have it
        """Return a copy of a value, with its lines. Raises ``FormError`` for more copies than a text can mean."""
        self._copied += 1
        if self._copied > self._written + _MORE:
            raise FormError(line, "expected no more values by aliases than are written, found more")
        if isinstance(value, list):
            return [self._copy(each, line) for each in value]
        if isinstance(value, dict):
            made = {key: self._copy(each, line) for key, each in value.items()}
            self.lines[id(made)] = self.lines.get(id(value), (line, line))
            return made
        return value


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
    """True if the beginning or the end of a text seems to have a key, or its first line a column of this name."""
    head = text if len(text) < 2 * _HEAD else f"{text[:_HEAD]}\n{text[-_HEAD:]}"
    if form == "csv":
        first = head.lstrip("\ufeff\n").partition("\n")[0]
        return key in {cell.strip(' "') for cell in re.split("[,;\t]", first)}
    name = re.escape(key)
    if form == "json":
        return re.search(rf'"{name}"\s*:', head) is not None
    return re.search(rf"^[ \t]*(?:- +)*{name}[ \t]*:(?:\s|$)", head, re.MULTILINE) is not None
