"""Answers of ``/api/daily_papers`` and ``/api/papers``: JSON; ``entries`` describes an entry. No pages here.

Invented::

    [{"paper": {"id": "2406.01234", ...}, "title": "Foam in Large Tanks", ...}, ...]
    {"status": 200, "date": "2025-01-10", "count": 2, "data": [{"paper": ...}, ...]}    (an archived copy)
    {"dateString": "2026-03-02", "dailyPapers": [{"paper": ...}, ...]}                  (the data taken out of a page)
    [{"id": "2406.01234", "title": "Foam in Large Tanks", ...}, ...]                    (unlisted papers, or just one)
    {"2026-03-02": [{"paper": ...}, ...], "2026-03-03": [...]}                          (a collection, by day or not)
    {"paper": ...} {"paper": ...} ...                       (several in a row, such as one per line; also lists)
    ["{'paper': {'id': '2406.01234', ...}, 'title': 'Foam in Large Tanks', ...}", ...]  (a damaged copy)

The damaged copies have each entry as a string with a Python dictionary; these are read as literals, never run.
"""

import ast
import json
import re
from collections.abc import Iterator
from datetime import date
from typing import Any, Final, TypeAlias

from parsers._ledger.data import Data
from parsers._ledger.document import Document
from parsers._ledger.fields import FieldError
from parsers.hf_daily.entries import read_entry
from parsers.hf_daily.items import asked_day, iso_day
from parsers.hf_daily.props import LISTS, day_of, list_entries
from schemas.items import Declared, Item

EXPECTS: Final = "a JSON list of objects with 'paper', or an object whose 'data' is such a list"

_PROBED: Final = 20_000
_LIST = re.compile(r"\s*\[\s*(?:\]\s*\Z|[{\"])")
_PAPER = re.compile(r"""["']paper["']\s*:\s*\{""")
_WRAPPED = re.compile(r'"(?:data|papers)"\s*:\s*\[')
_EMPTY = re.compile(r'\s*\{[^\[{]*"(?:data|papers)"\s*:\s*\[\s*\]')
_TAKEN_OUT = re.compile(rf'"(?:{"|".join(LISTS)})"\s*:\s*\[')
_ID = re.compile(r'"id"\s*:\s*"\d{4}\.\d{4,5}"')
_OF_A_PAPER = re.compile(r'"(?:upvotes|discussionId|submittedOnDailyAt|hidden)"\s*:')
_WRAPPERS: Final = ("data", "papers")
_NAMES: Final = (*_WRAPPERS, *LISTS)
_ANSWER_IGNORED: Final = frozenset(("status", "message"))
_LONGEST_LITERAL: Final = 500_000

_Entry: TypeAlias = tuple[Any, date | None]
"""An entry, and the day that was requested."""


def recognise(document: Document) -> bool:
    """True if the text is a list of papers, such a list in an object, or one paper."""
    head = document.text[:_PROBED]
    is_flat = _ID.search(head) is not None and _OF_A_PAPER.search(head) is not None
    if found := _LIST.match(head):
        return found[0].rstrip().endswith("]") or _PAPER.search(head) is not None or is_flat
    if not head.lstrip().startswith("{"):
        return False
    wrapped = _WRAPPED.search(head) is not None and _PAPER.search(head) is not None
    return wrapped or _EMPTY.match(head) is not None or is_flat or _TAKEN_OUT.search(head) is not None


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each entry, in order; their line numbers are their places in the list.

    Raises ``DumpError`` (malformed) if the document as a whole has the wrong shape.
    """
    data = document.data_of(*_NAMES)
    try:
        entries, count = _open(data, data.value, asked_day(document.facts))
    except FieldError as error:
        raise document.error(1, "malformed", f"expected a response with status, date, count, data: {error}") from error
    if count is not None:
        yield Declared(1, count)
    for place, (value, asked) in enumerate(entries, 1):
        entry = _read_literal(value) if isinstance(value, str) else value
        yield read_entry(data, entry, place, asked, (place, place))


def _open(data: Data, value: Any, asked: date | None) -> tuple[list[_Entry], int | None]:  # noqa: ANN401  # of JSON
    """Return the entries, each with its day, and their number if declared.

    Raises ``FieldError`` if there are none and nothing that could hold them.
    """
    if isinstance(value, list):
        answers = [_open(data, answer, asked) for answer in value if _is_answer(answer)]
        if len(answers) < len(value) or not value:
            return [(entry, asked) for entry in value], None if value else 0
        counts = [count for _, count in answers if count is not None]
        return [entry for entries, _ in answers for entry in entries], sum(counts) if len(counts) == len(
            answers
        ) else None
    if _is_entry(value):
        return [(value, asked)], None
    if not value.keys().isdisjoint(LISTS):
        entries = list_entries(value)
        return [(entry, day_of(value) or asked) for entry in entries], None if entries else 0
    fields = data.open(value, 0)
    fields.ignore(_ANSWER_IGNORED)
    names = [name for name, items in value.items() if name in _WRAPPERS or _are_entries(items)] or _WRAPPERS[:1]
    day, count = iso_day(fields.text("date")) or asked, fields.number("count")
    return [(entry, iso_day(name) or day) for name in names for entry in fields.items(name)], count


def _is_entry(value: object) -> bool:
    """True if an object is an entry, or an unlisted paper."""
    return isinstance(value, dict) and (isinstance(value.get("paper"), dict) or "id" in value)


def _are_entries(value: object) -> bool:
    """True if a value is a list of entries."""
    return isinstance(value, list) and bool(value) and all(map(_is_entry, value))


def _is_answer(value: object) -> bool:
    """True if an object holds entries: archives store one answer after the other."""
    if not isinstance(value, dict) or _is_entry(value):
        return False
    return any(name in _NAMES or _are_entries(items) for name, items in value.items())


def _read_literal(text: str) -> object:
    """Return the Python dictionary in a string; the string itself if there is none."""
    if len(text) > _LONGEST_LITERAL or not text.startswith("{"):
        return text
    try:
        return json.loads(json.dumps(ast.literal_eval(text)))  # only what JSON can hold, tuples as lists
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # raised for anything else
        return text
