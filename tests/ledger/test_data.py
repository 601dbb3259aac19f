"""The ledger of JSON: keys read, ignored and unexplained; wrong types, rejected items, invalid documents."""

import json
from datetime import date
from typing import Any

import pytest

from parsers._ledger.data import Data, DataError
from parsers._ledger.document import Document, DumpError
from parsers._ledger.fields import DayError, FieldError, Fields, MissingError, as_written, shown
from parsers._ledger.lines import Accounting, LineClass, Span
from schemas.items import Reject
from tests.support.cost import LIMIT, growth

HALF = '"\\ud83d"'
WHOLE = '"\\ud83d\\ude00"'


def opened(value: dict[str, Any], place: int = 1) -> tuple[Data, Fields]:
    """Make a document of one item and open it."""
    data = Data(json.dumps(value))
    return data, data.open(data.value, place)


def account(value: dict[str, Any], read: str = "", ignored: str = "") -> Accounting:
    """Close the ledger of an item whose keys were read and ignored as named."""
    data, fields = opened(value)
    fields.ignore(ignored.split())
    for key in read.split():
        fields.either(key)
    return data.account()


def test_every_key_is_counted_once() -> None:
    """A key is read, ignored or unexplained; one that is read and ignored counts as read."""
    found = account({"title": "Foam", "likes": 3, "zzqx": {"a": 1}}, read="title", ignored="title likes gone")
    assert found == Accounting(
        3,
        {LineClass.RECORD: 1, LineClass.BOILERPLATE: 1, LineClass.UNEXPLAINED: 1},
        {"likes": 1},
        (Span(1, 1, '{"zzqx": {"a": 1}}'),),
    )


def test_objects_of_one_shape_are_counted_one_by_one() -> None:
    """Keys are counted in every object, also if several have the same ones; an absent key is not counted."""
    data = Data("[]")
    values: list[dict[str, Any]] = [{"title": "Foam", "likes": 3}, {"title": "Tanks", "likes": 0}, {"title": "Queues"}]
    for place, value in enumerate(values, 1):
        fields = data.open(value, place)
        fields.ignore(["likes"])
        fields.text("title")
    assert data.account() == Accounting(5, {LineClass.RECORD: 3, LineClass.BOILERPLATE: 2}, {"likes": 2}, ())


@pytest.mark.parametrize("value", [None, "", [], {}])
def test_empty_values_need_no_explanation(value: object) -> None:
    """A key with null or an empty value needs no explanation."""
    assert account({"zzqx": value}) == Accounting(0, {}, {}, ())


@pytest.mark.parametrize("value", [0, False, 0.0, " ", [None], {"a": None}, -1, "0"])
def test_zero_and_blanks_are_values(value: object) -> None:
    """Zero, false, blanks and non-empty containers are values: if unread, they are unexplained."""
    assert [json.loads(span.text) for span in account({"zzqx": value}).unexplained] == [{"zzqx": value}]


def test_unexplained_keys_are_told_item_by_item() -> None:
    """Unexplained keys are grouped by item in the order of the items; a key in two objects appears twice."""
    data = Data("[]")
    for place, value in ((2, {"a": 1}), (1, {"a": 2}), (2, {"a": 3}), (0, {"b": 4})):
        data.open(value, place)
    assert data.account().unexplained == (
        Span(1, 1, '{"b": 4}'),
        Span(1, 1, '{"a": 2}'),
        Span(2, 2, '{"a": 1}\n{"a": 3}'),
    )


def test_rejected_item_is_told_once() -> None:
    """The keys of a rejected item are in its reject and do not count as unexplained too."""
    data, fields = opened({"title": 7, "zzqx": 1}, place=3)
    with pytest.raises(FieldError) as caught:
        fields.text("title")
    reject = data.reject(3, data.value, caught.value)
    assert (reject, data.account()) == (
        Reject(3, 3, '{"title": 7, "zzqx": 1}', "invalid_value", "item 3: title: expected str, found 7"),
        Accounting(1, {LineClass.REJECTED: 1}, {}, ()),
    )


def test_item_in_a_page_has_its_lines() -> None:
    """A rejected item from data in a page has the lines of the page."""
    reject = Data("[]").reject(3, None, MissingError("expected a title"), (7, 9))
    assert reject == Reject(7, 9, "null", "incomplete_item", "item 3: expected a title")


@pytest.mark.parametrize(
    ("method", "value", "expected"),
    [
        ("text", "Foam", "Foam"),
        ("text", " Foam\n", " Foam\n"),
        ("text", " \n", None),
        ("text", None, None),
        ("number", 3, 3),
        ("number", 0, 0),
        ("number", -(2**63) + 1, -(2**63) + 1),
        ("number", None, None),
        ("items", [1, None], [1, None]),
        ("items", None, []),
        ("texts", ["a", " b ", ""], ("a", "b")),
        ("texts", None, ()),
        ("child", None, None),
        ("day", "2025-07-11", date(2025, 7, 11)),
        ("day", "2025-07-11T23:59:59.999Z", date(2025, 7, 11)),
        ("day", "2025-07-11T23:59:59+05:30", date(2025, 7, 11)),
        ("day", "2025-07-11 23:59", date(2025, 7, 11)),
        ("day", " 2024-02-29 ", date(2024, 2, 29)),
        ("day", "", None),
        ("day", None, None),
        ("either", [1], [1]),
    ],
)
def test_values(method: str, value: object, expected: object) -> None:
    """A value comes out unchanged; null, absent and blank ones give nothing."""
    _, fields = opened({"key": value})
    assert (getattr(fields, method)("key"), getattr(fields, method)("absent")) == (expected, empty(method))


def empty(method: str) -> object:
    """Return what a method gives for a key that is absent."""
    return {"items": [], "texts": ()}.get(method)


@pytest.mark.parametrize(
    ("method", "value", "message"),
    [
        ("text", 3, "key: expected str, found 3"),
        ("text", ["x"], 'key: expected str, found ["x"]'),
        ("number", "3", 'key: expected int, found "3"'),
        ("number", 3.5, "key: expected int, found 3.5"),
        ("number", True, "key: expected int, found True"),
        ("number", 2**63, "key: expected int of at most 64 bits, found 9223372036854775808"),
        ("items", {"a": 1}, 'key: expected list, found {"a": 1}'),
        ("items", "x" * 200, f'key: expected list, found "{"x" * 99}…'),
        ("texts", ["a", 1], "key: expected a list of strings, found 1"),
        ("child", [], "key: expected dict, found []"),
        ("day", "yesterday", "key: expected a date such as 2025-07-11, found 'yesterday'"),
        ("day", "2025-07-11 and more", "key: expected a date such as 2025-07-11, found '2025-07-11 and more'"),
        ("day", 1751500000000, "key: expected str, found 1751500000000"),
    ],
)
def test_wrong_types(method: str, value: object, message: str) -> None:
    """A wrong type is an error with the key, the expected type and the start of the value."""
    _, fields = opened({"key": value})
    with pytest.raises(FieldError) as caught:
        getattr(fields, method)("key")
    assert (str(caught.value), caught.value.reason) == (message, "invalid_value")


@pytest.mark.parametrize("value", ["2025-02-29", "2025-13-01T00:00:00Z", "0000-01-01"])
def test_days_that_do_not_exist(value: str) -> None:
    """A day that does not exist has a reason of its own."""
    _, fields = opened({"key": value})
    with pytest.raises(DayError, match="expected a day that exists") as caught:
        fields.day("key")
    assert caught.value.reason == "date_invalid"


def test_child_belongs_to_its_item() -> None:
    """The unexplained keys of an inner object have the place of its item."""
    data, fields = opened({"inner": {"zzqx": 1}}, place=5)
    fields.child("inner")
    assert data.account().unexplained == (Span(5, 5, '{"zzqx": 1}'),)


@pytest.mark.parametrize(
    ("value", "message"),
    [(None, "found null"), ("x", 'found "x"'), ([{}], r"found \[\{\}\]"), (3, "found 3")],
)
def test_item_that_is_no_object(value: object, message: str) -> None:
    """A value that should be an item but is no object is an error."""
    with pytest.raises(FieldError, match=f"expected an object, {message}"):
        Data("[]").open_item(value, 1)


@pytest.mark.parametrize("inside", [HALF, f'{{"a": [{HALF}]}}', f'{{{HALF}: "a"}}', f"[{WHOLE}, {HALF}]"])
def test_half_of_a_character(inside: str) -> None:
    """A lone surrogate anywhere in an item fails the item; it is not replaced."""
    data = Data(f'{{"key": {inside}}}')
    with pytest.raises(FieldError, match="an unpaired surrogate"):
        data.open_item(data.value, 1)
    assert "\\ud83d" in as_written(data.value)


def test_whole_characters_as_escapes() -> None:
    """A surrogate pair written as two escapes is one character."""
    data = Data(f'{{"key": {WHOLE}}}')
    assert data.open_item(data.value, 1).text("key") == "\U0001f600"


@pytest.mark.parametrize("value", ["\\ud83d", "\\udelta", "$\\ude$"])
def test_backslashes_are_no_escapes(value: str) -> None:
    """An escaped backslash before ``u`` is no escape of a character."""
    data, _ = opened({"key": value})
    assert data.open_item(data.value, 1).text("key") == value


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "Expecting value"),
        ("{'a': 1}", 1, "property name"),
        ('{"a": 1,\n "b": }', 2, "Expecting value"),
        ("[1, 2", 1, "delimiter"),
        ('{"a": 1}\n{"b": 2}', 2, "Extra data"),
        ('["a\nb"]', 1, "Invalid control character"),
        ('["a\x00b"]', 1, "Invalid control character"),
        ("[" * 100_000, 1, "nested too deeply"),
        ('{"a":' * 100_000, 1, "nested too deeply"),
        ("[" + "1" * 5_000 + "]", 1, "4300 digits"),
    ],
)
def test_what_is_no_json(text: str, line: int, message: str) -> None:
    """Text that is not valid JSON is an error with its line."""
    with pytest.raises(DataError, match=message) as caught:
        Data(text)
    assert caught.value.line == line


def test_document_names_its_file() -> None:
    """A document that is no JSON is refused as malformed, with file and line."""
    document = Document.from_bytes("source/dump.json", b'{"a": 1,\n oops}')
    with pytest.raises(DumpError, match=r"^source/dump\.json:2: malformed: expected JSON: "):
        _ = document.data


def test_depth_at_the_limit() -> None:
    """Up to the depth limit a value is read and accounted for; beyond it is refused, with no other error."""
    refused = [text for depth in range(700, 1100, 5) if (text := told_of_depth(depth)) == "refused"]
    assert set(refused) <= {"refused"}


def told_of_depth(depth: int) -> str:
    """Return what is unexplained in an item of that depth; ``refused`` if it cannot be read."""
    try:
        data = Data('{"zzqx": ' + "[" * depth + "1" + "]" * depth + "}")
    except DataError:
        return "refused"
    data.open(data.value, 1)
    return data.account().unexplained[0].text[:20] + shown(data.value)


def test_a_giant_string() -> None:
    """A string of 20 MB is read whole, and is unexplained whole if not read, in linear time."""

    def lengths(size: int) -> tuple[int, int]:
        data, fields = opened({"key": "abcd" * size})
        return len(data.account().unexplained[0].text), len(fields.text("key") or "")

    assert lengths(5_000_000) == (20_000_011, 20_000_000)
    assert growth(lengths, 50_000) < LIMIT


def test_rejected_lines_are_not_lines_of_text() -> None:
    """Places of JSON items are not lines: rejecting the ninth item of a one-line document rejects no line."""
    document = Document.from_bytes("source/dump.json", b"[1,2,3,4,5,6,7,8,9]")
    _ = document.data
    assert (document.reads_lines, document.account().lines) == (False, 0)


def test_a_key_printed_twice_is_told() -> None:
    """The last value is read; the earlier one becomes a reject."""
    data = Data('{"a": [{"b": 1, "b": 2, "c": 3}]}')
    assert data.value == {"a": [{"b": 2, "c": 3}]}
    (reject,) = data.account().rest
    assert (reject.text, reject.reason) == ('{"b": 1}', "malformed")
