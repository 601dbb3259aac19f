"""Golden files: the expected output, stored beside the input; a missing one is written and then reviewed."""

import json
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pipeline.reading.parse import Parsed
from schemas.items import Person, Record, Slot


def describe(parsed: Parsed) -> dict[str, Any]:
    """Return the result of a parse as plain values: without nulls, dates as text, people and slots as objects."""
    return {
        "format": parsed.format,
        "records": [plain(record) for record in parsed.records],
        "rejects": [plain(reject) for reject in parsed.rejects],
        "declared": [plain(total) for total in parsed.declared],
    }


def plain(value: Any) -> Any:
    """Turn items, tuples and dates into JSON values; None and empty values are left out."""
    if isinstance(value, Record | Person | Slot):
        return plain(value._asdict())
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if item not in (None, (), [])}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def check_golden(golden: Path, actual: Any) -> None:
    """Compare with the golden file; if there is none, write it and fail, so that a person reviews it."""
    text = json.dumps(actual, ensure_ascii=False, indent=1) + "\n"
    if not golden.exists():
        golden.write_text(text, encoding="utf-8")
        pytest.fail(f"{golden.name} did not exist: it is written now; review it and run again")
    found = "\n".join(differences(json.loads(golden.read_text(encoding="utf-8")), json.loads(text)))
    assert found == "", f"{golden.name} differs:\n{found}"  # pytest shows no values here: this is not a test module


def differences(expected: Any, actual: Any, path: str = "") -> Iterator[str]:
    """Yield the differences of two plain values by field: ``records[2].title: expected 'Foam' got 'Foam in'``.

    For lists of unequal length, yield the elements that have no equal in the other one.
    """
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in {**expected, **actual}:
            yield from differences(expected.get(key), actual.get(key), f"{path}.{key}".lstrip("."))
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for place, (one, other) in enumerate(zip(expected, actual, strict=True)):
            yield from differences(one, other, f"{path}[{place}]")
    elif isinstance(expected, list) and isinstance(actual, list):
        yield f"{path}: expected {len(expected)} got {len(actual)}"
        yield from (f"{path}: expected {one!r}, which is missing" for one in expected if one not in actual)
        yield from (f"{path}: got {one!r} besides" for one in actual if one not in expected)
    elif expected != actual or type(expected) is not type(actual):
        yield f"{path}: expected {expected!r} got {actual!r}"
