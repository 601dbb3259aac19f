"""Truncated feeds and JSON: complete items are read, the rest is quarantined, nothing else is rescued."""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import accumulate

import pytest

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.data import Data, DataError
from parsers._ledger.document import Document, DumpError
from parsers._ledger.elements import text_of
from parsers._ledger.lines import Span, record_rule
from parsers._ledger.markup import PageError
from parsers._ledger.page import Page
from schemas.items import Item, Record, Reject
from tests.support.helpers import parse_document

TALK = record_rule("talk")
HEAD = "<?xml version='1.0'?>\n<!-- a --><f:feed xmlns:f='urn:f'><f:title>Fair</f:title>\n"
# Every second piece is an item, complete if the text reaches to its end.
FEED = (
    HEAD,
    "<f:talk><f:title>Hay &amp; Straw</f:title></f:talk>",
    "\n",
    "<f:talk a='/>'><f:title><![CDATA[</f:talk>]]></f:title><f:talk>inner</f:talk></f:talk\n>",
    "\n<!-- </f:talk> --><f:link>x</f:link>",
    "<f:talk><f:title>Größe</f:title><!-- </f:talk> --></f:talk>",
    "\n<f:link>x</f:link></f:feed>",
)
LIST = (
    "\n[",
    '{"title": "Hay", "talks": [{"title": 1}]}',
    ",\n",
    '{"title": "Größe, \\"]}\\u00e9"}',
    "\n, ",
    '{"title": "Rye"}',
    "]",
)
INNER = (
    '{"count": 3, "x": {"talks": [{"title": "no"}]}, "talks": [',
    '{"title": "Hay"}',
    ", ",
    '{"title": "Oats", "talks": [1]}',
    ']\n, "z": 12}',
)
FOLDERS = (
    '{"folders": [{"name": "a", "talks": [',
    '{"title": "Hay"}',
    ", ",
    '{"title": "Oats"}',
    ']},\n {"name": "b", "talks": [',
    '{"title": "Rye"}',
    '], "size": 1}], "page": {"count": 12}}',
)


def of_feed(document: Document) -> Iterator[Item]:
    """Yield the talks of a feed."""
    page = document.feed_of("talk")
    for talk in page.root.iterchildren("{*}talk"):
        page.claim(talk, TALK)
        yield Record(line_start=None, line_end=None, title=text_of(talk))


def of_json(document: Document) -> Iterator[Item]:
    """Yield the talks of a list, of an object, or of its folders."""
    value = document.data_of("folders", "talks").value
    folders = value.get("folders", [value]) if isinstance(value, dict) else [{"talks": value}]
    for folder in folders:
        for talk in folder["talks"]:
            yield Record(line_start=None, line_end=None, title=json.dumps(talk))


TEXTS: dict[str, tuple[tuple[str, ...], Callable[[Document], Iterator[Item]]]] = {
    "feed": (FEED, of_feed),
    "list": (LIST, of_json),
    "inner": (INNER, of_json),
    "folders": (FOLDERS, of_json),
}


def read(text: str, parse: Callable[[Document], Iterator[Item]]) -> tuple[list[str | None], list[Reject], int]:
    """Parse a text: titles of the records, what was malformed, pieces rejected; a refused text is one reject whole."""
    toy = Source("toy", "Toy", 1, Family.LISTING, PageKind.LOG, (Format("toy", "any", lambda _: True, parse),))
    try:
        parsed = parse_document(toy, Document.from_bytes("toy/a", text.encode()))
    except DumpError as error:
        return [], [Reject(error.line, None, text, error.reason, error.expected)], 1
    rejects = [reject for reject in parsed.rejects if reject.reason in {"cut", "malformed"}]
    return [record.title for record in parsed.records], rejects, parsed.accounting.by_class.get("rejected", 0)


def faults_of_cuts(pieces: tuple[str, ...], parse: Callable[[Document], Iterator[Item]]) -> list[tuple[int, object]]:
    """Cut a text at every character; return the cuts that gave something else than the complete items and the rest."""
    text, ends = "".join(pieces), list(accumulate(map(len, pieces)))
    whole = read(text, parse)[0]
    faults: list[tuple[int, object]] = []
    for cut in range(len(text)):
        titles, rejects, rejected = read(text[:cut], parse)
        complete = [end for end in ends[1::2] if end <= cut]
        rest = text[complete[-1] if complete else 0 : cut]
        # After the last item only the enclosing markup may have been read too.
        held = (
            len(rejects) == rejected == 1
            and (not titles or rejects[0].reason == "cut")
            and rest.strip().endswith(rejects[0].text.strip())
        )
        if titles != whole[: len(complete)] or not held:
            faults.append((cut, (titles, rejects)))
    return faults


@pytest.mark.parametrize("name", TEXTS)
def test_cut_at_every_character(name: str) -> None:
    """At every cut each complete item comes out unchanged, and one reject holds the rest."""
    assert faults_of_cuts(*TEXTS[name]) == []


@pytest.mark.parametrize(("name", "titles"), [("feed", 3), ("list", 3), ("inner", 2), ("folders", 3)])
def test_whole_texts(name: str, titles: int) -> None:
    """A complete text has no rest."""
    pieces, parse = TEXTS[name]
    found, rejects, rejected = read("".join(pieces), parse)
    assert (len(found), rejects, rejected) == (titles, [], 0)


def test_rest_of_a_feed() -> None:
    """The rest has its lines, its text and the error; the text around the items stays readable."""
    page = Page(f"{HEAD}<f:talk>a</f:talk>\n\n<f:talk>\nb &amp; <f:i>c", xml=True, items=["talk"])
    account = page.account()
    assert ([span.text for span in account.unexplained], account.lines) == (["Fair", "a"], 3)
    (rest,) = account.rest
    assert (rest.line_start, rest.line_end, rest.text, rest.reason) == (5, 6, "<f:talk>\nb &amp; <f:i>c", "cut")
    assert rest.detail.startswith("expected XML: ")


def test_rest_of_a_list() -> None:
    """The rest has line numbers of the text, not positions in the list."""
    data = Data('[{"a": 1},\n\n{"b":\n 2', ["talks"])
    data.open(data.value[0], 1)
    account = data.account()
    detail = "expected JSON: Expecting ',' delimiter at column 3 of line 4; everything before line 3 was read"
    assert account.rest == (Reject(3, 4, '{"b":\n 2', "cut", detail),)
    assert (account.unexplained, account.lines) == ((Span(1, 1, '{"a": 1}'),), 2)


@pytest.mark.parametrize(
    "text",
    [
        "<r><talk>a</talk><talk>b</tallk></r>",
        "<r><talk>a</talk>b & c</r>",
        "<r><talk>a</talk></r><r/>",
        "<r><talk>a</talk></r> behind",
        "<r><talk>a</talk>\x01</r>",
        "<!DOCTYPE r SYSTEM 'http://127.0.0.1:9/x'><r><talk>a</talk>",
    ],
)
def test_damage_in_the_middle(text: str) -> None:
    """A feed damaged elsewhere than at its end is read up to the damage."""
    page = Page(text, xml=True, items=["talk"])
    rest = [reject.reason for reject in page.account().rest]
    is_cut = "DOCTYPE" in text
    assert ([text_of(talk) for talk in page.root.iter("talk")], rest) == (["a"], ["cut" if is_cut else "malformed"])


@pytest.mark.parametrize(
    "text", ['[{"a": 1}, oops, {"a": 2}]', '[{"a": 1}] [{"a": 2', '{"talks": [{"a": 1},]}', '[{"a": 1}, {"a": "b" c"}]']
)
def test_damaged_json(text: str) -> None:
    """Items behind the damage are not read, since nobody can say where they begin."""
    data = Data(text, ["talks"])
    talks = data.value["talks"] if isinstance(data.value, dict) else data.value
    reason = "cut" if text.endswith("2") else "malformed"
    assert (talks, [reject.reason for reject in data.account().rest]) == ([{"a": 1}], [reason])


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE r [<!ENTITY x 'foam'>]><r><talk>a</talk>&x;<talk>",
        "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r><talk>a</talk>&x;<talk>",
        "<r><talk>a</talk>&nbsp;</r>",
        "<!DOCTYPE r SYSTEM 'http://127.0.0.1:9/x'><r><talk>a &x;</talk>",
        f"<r><talk>a</talk>{'<b>' * 300}",
        f"<r><talk>a</talk>{'<b>' * 300}</r>",
        f"<r><talk>a</talk><b>{'abcd' * 3_000_000}",
        "<r><talk>a",
        "<r><talk/><talk>a",
        "<r><other>a</other>",
    ],
    ids="entity file nbsp external depth depth_closed giant first empty other".split(),
)
def test_xml_that_is_refused_whole(text: str) -> None:
    """Entities, exceeded limits and a feed without a complete item are refused whole."""
    with pytest.raises(PageError, match="expected"):
        Page(text, xml=True, items=["talk"])


@pytest.mark.parametrize(
    "text",
    [
        '{"other": [{"a": 1}, {"a"',
        '{"talks": [{"a": 1',
        '{"talks": []',
        "[1",
        '{"talks": {}, ',
        '{"a": 1}\n{"b": 2',
        '[{"a": 1}, ' + "[" * 100_000,
        '[{"a": 1}, ' + "1" * 5_000,
    ],
)
def test_json_that_is_refused_whole(text: str) -> None:
    """JSON without a complete item where items are expected is refused."""
    with pytest.raises(DataError, match="expected JSON"):
        Data(text, ["talks"])


@pytest.mark.parametrize(
    ("text", "value", "rest"),
    [
        ('{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}], []),
        ('[{"a": 1}]\n\n[{"a": 2}, {"a": 3}]', [{"a": 1}, {"a": 2}, {"a": 3}], []),
        ('{"a": 1} {"a": 2}\n{"a": 3', [{"a": 1}, {"a": 2}], ['{"a": 3']),
        ('{"a": 1}\n{"a": 2}\nend', [{"a": 1}, {"a": 2}], ["end"]),
    ],
)
def test_concatenated_values(text: str, value: object, rest: list[str]) -> None:
    """Concatenated values become one list, with lists joined; what follows and is no value is the rest."""
    data = Data(text, ["talks"])
    assert (data.value, [reject.text for reject in data.account().rest]) == (value, rest)


def test_rest_begins_with_the_item_that_is_cut() -> None:
    """If a container of items is cut before its first item, the rest begins at the container."""
    data = Data('{"folders": [{"a": 1}, {"a": 2, "b', ["folders", "talks"])
    assert (data.value, [reject.text for reject in data.account().rest]) == (
        {"folders": [{"a": 1}]},
        ['{"a": 2, "b'],
    )


def items_of_depth(depth: int) -> int:
    """Return how many items are read before the damage, the second one nested so deeply; 0 where it is refused."""
    try:
        return len(Data(f'[{{"a": 1}}, {"[" * depth}1{"]" * depth}, oops', ["talks"]).value)
    except DataError:
        return 0


def test_depth_at_the_limit() -> None:
    """An item at the depth limit is read with those before it, or the document is refused whole."""
    limit = bisect_left(range(100_000), 1, key=lambda depth: items_of_depth(depth) == 0)  # that of this Python
    assert {items_of_depth(depth) for depth in range(limit - 100, limit + 100)} == {0, 2}


def test_nothing_is_recovered_without_declared_items() -> None:
    """Without declared items a truncated document is refused."""
    feed, data = (Document.from_bytes("toy/a", text) for text in (b"<r><talk>a</talk>", b'[{"a": 1}, '))
    with pytest.raises(DumpError, match="malformed"):
        _ = feed.feed
    with pytest.raises(DumpError, match="malformed"):
        _ = data.data
