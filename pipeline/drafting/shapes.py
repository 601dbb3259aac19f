"""The shapes of a page, of data or of a text: what repeats in it, how often, and the first of each.

For the author of a new parser, who makes tables of fields from them. Nothing is guessed here: which shape is an item,
and which a title, a person sees at once and a program does not. Nothing about any one source belongs here.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lxml import etree

from parsers._ledger.elements import HIDING, text_of
from parsers._words.dates import MONTH, WEEKDAY

_SHOWN: Final = 40
"""Characters of a sample."""
_ROWS: Final = 60
_LEFT_OUT: Final = frozenset(("nav", "footer", "head", *HIDING))
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_TELLING: Final = re.compile(r"id|data-[a-z-]+|item(?:prop|type)")
"""Names of attributes that tell an element from others."""
_TOKENS: Final = re.compile(
    r"(?P<TIME>\d{1,2}[:.h]\d{2})|(?P<number>\d+)|(?P<words>[^\W\d_]+(?:[ '’.,&/()-]+[^\W\d_]+)*[.)]?)"
)
_IN_QUOTES: Final = re.compile(r"[.\[\]{}^>@]")
"""What a key of a path has only in quotes."""
_TIME: Final = re.compile(r"\b\d{1,2}(?:[:.h]\d{2}|\s?[ap]\.?m)\b", re.IGNORECASE)
_DAY: Final = re.compile(rf"\b(?:{WEEKDAY}|{MONTH}|day)\b", re.IGNORECASE)
_LABEL: Final = re.compile(r"\s*[A-Z][\w ]{1,20}:(?=\s)")
_LONG: Final = 200
"""Characters from which a line of a text is a long one."""


def page_shapes(root: etree._Element) -> list[str]:
    """Return a line a selector that finds several elements: how often, the selector, in what, the first text."""
    named: dict[str, list[etree._Element]] = defaultdict(list)
    for element in root.iter(etree.Element):
        if element.tag not in _LEFT_OUT and not _LEFT_OUT.intersection(each.tag for each in element.iterancestors()):
            for name in names_of(element):
                named[name].append(element)
    repeated = {name: those for name, those in named.items() if len(those) > 1}
    common = set(sorted(repeated, key=lambda name: -len(repeated[name]))[:_ROWS])
    rows = []
    for name, those in repeated.items():
        if name in common:
            around = (names_of(outer) or ["-"])[-1] if (outer := those[0].getparent()) is not None else "-"
            sample = next(filter(None, map(text_of, those[:20])), "")
            rows.append(f"{len(those):>6}  {name}  in {around}  {shorten(sample)}".rstrip())
    return rows


def grid_of(root: etree._Element) -> tuple[str, str] | None:
    """Return the selector of the first grid of a page, and the field of its head row; None if it has none.

    A grid has a row of two heads or more behind its corner, and times in half of the first cells of its other rows.
    """
    for table in root.iter("table"):
        rows = [[text_of(cell) for cell in row if cell.tag in {"td", "th"}] for row in _rows_of(table)]
        above = list(filter(None, rows[0][1:])) if rows else []
        before = [row[0] for row in rows[1:] if row and row[0]]
        timed = sum(_TIME.search(text) is not None for text in before)
        if len(above) > 1 and timed > 1 and timed * 2 >= len(before):
            is_of_days = all(_DAY.search(text) for text in above)
            return (names_of(table) or ["table"])[-1], "day" if is_of_days else "room"
    return None


def _rows_of(table: etree._Element) -> Iterator[etree._Element]:
    """Yield the rows of a table, not those of tables inside it."""
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in {"thead", "tbody", "tfoot"}:
            yield from (row for row in child if row.tag == "tr")


def names_of(element: etree._Element) -> list[str]:
    """Return the selectors of an element: its tag alone, with telling attributes, and with each of its classes.

    Empty if CSS cannot express its tag.
    """
    tag = str(element.tag).rpartition("}")[2]
    if _NAME.fullmatch(tag) is None:
        return []
    attributes = [f"{tag}[{name}]" for name in map(str, element.keys()) if _TELLING.fullmatch(name)][:3]
    classes = dict.fromkeys((element.get("class") or "").split())
    return [tag, *attributes, *(f"{tag}.{name}" for name in classes if _NAME.fullmatch(name))]


def data_shapes(value: object, *, for_file: bool = False) -> list[str]:
    """Return a line a path of keys: how many values, blank ones apart, their types, and the first text or number.

    ``[]`` is any element of a list, ``*`` any key of an object whose keys are data. Paths ``for_file``, of tables in a
    file, have ``{}`` for that, and quotes around some keys.
    """
    return list(_paths("", [value], for_file=for_file))[: 2 * _ROWS]


def _paths(path: str, values: Sequence[Any], *, for_file: bool) -> Iterator[str]:
    """Yield the lines for all values of one path, and for everything inside them."""
    begin = f"{path}." if path else ""
    kinds = Counter(type(value).__name__ for value in values)
    filled = sum(value not in (None, "") for value in values)
    sample = next((value for value in values if isinstance(value, str | int | float) and value != ""), None)
    printed = "" if sample is None else shorten(json.dumps(sample, ensure_ascii=False))
    yield f"{filled:>6}  {path or '(top)'}  {'|'.join(kinds)}  {printed}".rstrip()
    if inside := [each for value in values if isinstance(value, list) for each in value]:
        yield from _paths(f"{path}[]", inside, for_file=for_file)
    objects = [value for value in values if isinstance(value, dict) and value]
    if has_keys_of_data(objects):
        every = [inner for each in objects for inner in each.values()]
        yield from _paths(f"{path}{{}}" if for_file else f"{begin}*", every, for_file=for_file)
        return
    for key in dict.fromkeys(key for each in objects for key in each):
        name = f'"{key}"' if for_file and _IN_QUOTES.search(key) else key
        yield from _paths(f"{begin}{name}", [each[key] for each in objects if key in each], for_file=for_file)


def has_keys_of_data(objects: Sequence[Mapping[str, Any]]) -> bool:
    """True if the keys of objects are data, such as rooms and days: they are no names, or all values have one shape."""
    keys = list(dict.fromkeys(key for each in objects for key in each))
    if not keys:
        return False
    if all(re.fullmatch(r"[\d:T.-]+", key) for key in keys):
        return True
    inner = [value for each in objects for value in each.values()]
    lists = [value for value in inner if isinstance(value, list)]
    if len(lists) == len(inner):
        inner = [each for value in lists for each in value[:1]]
        if any(re.search(r"[^\w]|^[A-Z]", key) for key in keys):
            return all(isinstance(value, dict) for value in inner)
    shapes = [set(value) for value in inner if isinstance(value, dict)]
    if len(keys) < 2 or len(shapes) < 2 or len(shapes) < len(inner):
        return False
    common, every = set.intersection(*shapes), set.union(*shapes)
    return len(common) > 2 and len(common) >= len(every) / 2


def line_shapes(lines: Sequence[str]) -> list[str]:
    """Return a line a shape of lines that occurs more than once, the most frequent first: how often, shape, first."""
    shapes: dict[str, list[str]] = defaultdict(list)
    for line in filter(None, map(str.strip, lines)):
        shapes[shape_of(line)].append(line)
    common = sorted(((shape, those) for shape, those in shapes.items() if len(those) > 1), key=lambda one: -len(one[1]))
    return [f"{len(those):>6}  {shape}  {shorten(those[0])}" for shape, those in common[:_ROWS]]


def shape_of(line: str) -> str:
    """Return the shape of a line: a short label up to a colon, then the kinds of the tokens that follow."""
    label = label_of(line)
    rest = line[len(label) :]
    if len(rest) > _LONG:
        return f"{label} (long text)".strip()
    return label + _TOKENS.sub(lambda found: str(found.lastgroup), rest)


def label_of(line: str) -> str:
    """Return the label with which a line begins, up to its colon; empty if it has none."""
    found = _LABEL.match(line)
    return found[0] if found else ""


def shorten(text: str) -> str:
    """Return the beginning of a text on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else f"{flat[: _SHOWN - 1]}…"
