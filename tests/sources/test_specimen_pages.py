"""The ledgers of pages and data cannot be cheated: damage stays local, and strange content is reported.

These tests run over the specimens of HTML, XML and JSON: element by element, item by item. Of similar elements (read by
one rule, of one tag and class, inside the same kind of element) the first and the last one are tested.
``test_specimen_texts`` does the same for texts, line by line.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from lxml import etree

from parsers._ledger.document import Document
from parsers._ledger.elements import line_of, text_of
from parsers._ledger.lines import LineClass, Rule
from parsers._ledger.page import Page
from pipeline.reading.parse import Parsed
from schemas.items import Record
from tests.support.depth import sample
from tests.support.of_sources import Specimen, bare, each_specimen

pytestmark = pytest.mark.untraced

STRANGE = "zzqx sentinel 4711"
CUTS = 60

Change = Callable[[etree._Element], None]


@cache
def whole(specimen: Specimen) -> tuple[Parsed, Document]:
    """Return what a specimen gives as it is."""
    found = specimen.read(specimen.text)
    assert found is not None
    return found


@cache
def alone(specimen: Specimen) -> list[Record]:
    """Return the records of a specimen without what other elements decide."""
    return [bare(record) for record in whole(specimen)[0].records]


def lost(kept: list[Record], found: tuple[Parsed, Document] | None) -> list[str | None]:
    """Return the titles of records that did not come out: neither equal, nor held with a reason, nor with a note."""
    records = [bare(record) for record in found[0].records] if found else []
    told = "\n".join(reject.text for reject in found[0].rejects) if found else ""
    missing = [record for record in kept if record not in records and not (record.title and record.title in told)]
    noted = {other.title for other in records for record in kept if set(other.notes) - set(record.notes)}
    return [record.title for record in missing if record.title not in noted]


def missed(
    place: object, what: str, titles: Sequence[str | None], outcome: tuple[Parsed, Document] | None
) -> list[str]:
    """Say in a sentence which records a change cost in silence; nothing if there are none."""
    if not titles:
        return []
    if outcome is None:
        return [f"{place}: {what}: the whole dump is refused; does `recognise` need this place?"]
    return [f"{place}: {what}: changed or lost, with no note and no reject: {', '.join(map(repr, titles))}"]


# Pages


def page_of(specimen: Specimen) -> Page:
    """Return the ledger of a page."""
    document = whole(specimen)[1]
    return document.feed if specimen.file.suffix == ".xml" else document.page


def kind_of(page: Page, element: etree._Element) -> tuple[object, ...]:
    """Return what elements that are read alike have in common: tag, class and rule, also of what is around them."""
    around = (element, *element.iterancestors())
    rules = (page.rule_of(each) for each in around)
    return next(filter(None, rules), None), *((each.tag, each.get("class")) for each in around[:2])


@cache
def telling_elements(specimen: Specimen) -> tuple[etree._Element, ...]:
    """Return the elements with text that are neither ignored nor unseen; of those that are alike two."""
    page = page_of(specimen)
    alike: dict[tuple[object, ...], list[etree._Element]] = {}
    for element in page.content.iterdescendants("*"):
        around = [rule for each in (element, *element.iterancestors()) if (rule := page.rule_of(each))]
        known = any(rule.line_class is LineClass.BOILERPLATE for rule in around)
        if not known and not page._hidden().intersection((element, *element.iterancestors())) and text_of(element):
            alike.setdefault(kind_of(page, element), []).append(element)
    return tuple(each for same in alike.values() for each in dict.fromkeys((same[0], same[-1])))


def claimed_elements(specimen: Specimen) -> Iterator[tuple[etree._Element, Rule]]:
    """Yield the outermost of these elements that the parser claimed, with their rules."""
    page = page_of(specimen)
    for element in telling_elements(specimen):
        rule = page.rule_of(element)
        if rule and not any(page.rule_of(around) for around in element.iterancestors()):
            yield element, rule


def changed(specimen: Specimen, element: etree._Element, change: Change) -> tuple[Parsed, Document] | None:
    """Parse a page in which an element is changed; None where it is refused."""
    root = page_of(specimen).root
    copy = deepcopy(root)
    twins = dict(zip(root.iter(), copy.iter(), strict=True))
    change(twins[element])
    kind = "xml" if specimen.file.suffix == ".xml" else "html"
    return specimen.read(etree.tostring(copy, encoding="unicode", method=kind))


def delete(element: etree._Element) -> None:
    """Take an element out; the text behind it stays."""
    put_text(element, element.tail or "")
    above = element.getparent()
    assert above is not None
    above.remove(element)


def double(element: etree._Element) -> None:
    """Put an equal element before an element."""
    twin = deepcopy(element)
    twin.tail = None
    element.addprevious(twin)


def put_element(element: etree._Element) -> None:
    """Put a strange element before an element."""
    strange = etree.Element("span")
    strange.text = STRANGE
    element.addprevious(strange)


def put_text(element: etree._Element, text: str = STRANGE) -> None:
    """Put a text before an element."""
    before, above = element.getprevious(), element.getparent()
    if before is not None:
        before.tail = (before.tail or "") + text
    elif above is not None:
        above.text = (above.text or "") + text


def touched(specimen: Specimen, element: etree._Element, rule: Rule) -> Iterator[bool]:
    """Say of each record whether an element is its own, or can be what governs it.

    An element inside the lines of some record is theirs; one outside of all governs those behind it, up to the next
    heading of a lower level, or of its level and like it.
    """
    page, line = page_of(specimen), line_of(element) or 0
    records = whole(specimen)[0].records
    own = [(record.line_start or 0) <= line <= (record.line_end or 0) for record in records]
    later = [(other, its) for other, its in headings(page) if (line_of(other) or 0) > line]
    alike = kind_of(page, element)
    ends = (line_of(other) for other, its in later if its.level < rule.level or kind_of(page, other) == alike)
    end = next(ends, None) or 1 << 30
    governs = rule.line_class is not LineClass.BOILERPLATE and not any(own)
    for record, is_own in zip(records, own, strict=True):
        yield is_own or (governs and line <= (record.line_start or 0) < end)


def headings(page: Page) -> list[tuple[etree._Element, Rule]]:
    """Return the elements that govern others, in page order."""
    claims = [(element, page.rule_of(element)) for element in page.content.iter("*")]
    return [(element, rule) for element, rule in claims if rule and rule.level]


def kept_by(specimen: Specimen, element: etree._Element, rule: Rule) -> list[Record]:
    """Return the records that a change of an element may not touch."""
    return [one for one, hit in zip(alone(specimen), touched(specimen, element, rule), strict=True) if not hit]


def place_of(element: etree._Element) -> str:
    """Name the place of an element."""
    return f"line {line_of(element)}: {element.getroottree().getpath(element)}"


@each_specimen(".html", ".xml")
def test_damage_of_a_page_stays_where_it_is(specimen: Specimen) -> None:
    """Whatever claimed element is lost or doubled, records that are not its own come out equal, or are told of."""
    said = []
    for element, rule in claimed_elements(specimen):
        for change, what in ((delete, "this element is deleted"), (double, "a second one is put before it")):
            outcome = changed(specimen, element, change)
            said += missed(place_of(element), what, lost(kept_by(specimen, element, rule), outcome), outcome)
    assert "\n".join(said) == ""


@each_specimen(".html", ".xml")
def test_strange_text_of_a_page_is_told(specimen: Specimen) -> None:
    """Before any element, a strange element or text stands in quarantine, or lengthens the text that stands there."""
    said = []
    for element in telling_elements(specimen):
        for put, what in ((put_element, "a <span> is put before this element"), (put_text, "a text is put before it")):
            outcome = changed(specimen, element, put)
            fields = repr(outcome[0].records) if outcome else ""
            told = "\n".join(reject.text for reject in outcome[0].rejects) if outcome else ""
            if STRANGE not in fields:
                said += missed(place_of(element), what, lost(alone(specimen), outcome), outcome)
            if outcome and STRANGE not in told and not (STRANGE in fields and joins(element)):
                where = "a field has it" if STRANGE in fields else "it is claimed with its neighbour"
                said.append(f"{place_of(element)}: {what}: its text {STRANGE!r} is not in quarantine: {where}")
    assert "\n".join(said) == ""


def joins(element: etree._Element) -> bool:
    """True if other text stands around an element, in the one that holds it."""
    above = element.getparent()
    texts = (above.text, *(each.tail for each in above)) if above is not None else ()
    return any(text and text.strip() for text in texts)


@each_specimen(".html", ".xml")
def test_a_page_cut_anywhere(specimen: Specimen) -> None:
    """A page that ends anywhere is refused, or gives the records that end two lines before the cut."""
    records, text, said = whole(specimen)[0].records, specimen.text, list[str]()
    for size in range(0, len(text), max(1, len(text) // CUTS)):
        last = text.count("\n", 0, size) - 1
        outcome = specimen.read(text[:size])
        complete = [bare(record) for record in records if (record.line_end or 0) < last]
        said += missed(f"line {last + 2}", "the page ends here", lost(complete, outcome) if outcome else [], outcome)
    assert "\n".join(said) == ""


# Data


def items_of(document: Document) -> dict[int, dict[str, Any]]:
    """Return the outermost object of each item, by its place."""
    items: dict[int, dict[str, Any]] = {}
    for fields in document.data._opened:
        if fields.place:
            items.setdefault(fields.place, fields.value)
    return items


def way_to(value: Any, wanted: object) -> Iterator[tuple[Any, Any]]:
    """Yield the container of an object inside a value, with its key there."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if inner is wanted:
            yield value, key
        yield from way_to(inner, wanted)


def damages(specimen: Specimen) -> Iterator[tuple[int, str, str]]:
    """Yield place, kind and text of each damage of an item: removed, doubled, or no object any more."""
    document = whole(specimen)[1]
    for place, item in items_of(document).items():
        ((around, key),) = way_to(document.data.value, item)
        before = around.copy()
        around[key] = 4711
        yield place, "broken", json.dumps(document.data.value)
        del around[key]
        yield place, "removed", json.dumps(document.data.value)
        if isinstance(around, list):
            around[key:key] = [item, item]
            yield place, "doubled", json.dumps(document.data.value)
            around[:] = before
        else:
            around.update(before)


@each_specimen(".json")
def test_damage_of_an_item_stays_there(specimen: Specimen) -> None:
    """Whatever item is removed, doubled or broken, all others come out equal; one that is broken is told of."""
    said = []
    for place, how, text in damages(specimen):
        outcome = specimen.read(text)
        pairs = zip(alone(specimen), whole(specimen)[0].records, strict=True)
        kept = [one for one, record in pairs if record.line_start != place]
        said += missed(f"item {place}", f"it is {how}", lost(kept, outcome) if kept else [], outcome)
        if how == "broken" and outcome and not outcome[0].rejects:
            said.append(f"item {place}: a number is put in its place: no reject tells of it")
    assert "\n".join(said) == ""


@each_specimen(".json")
def test_a_new_key_is_told_wherever_it_stands(specimen: Specimen) -> None:
    """An unknown key in any object that was opened is unexplained, and changes no record."""
    data = whole(specimen)[1].data
    objects = list({id(fields.value): fields.value for fields in data._opened}.values())
    for number, value in enumerate(objects):
        value["zzqx"] = f"sentinel {number}"
    text = json.dumps(data.value)
    for value in objects:
        del value["zzqx"]
    outcome = specimen.read(text)
    told = "\n".join(reject.text for reject in outcome[0].rejects) if outcome else ""
    assert [number for number in range(len(objects)) if f'"zzqx": "sentinel {number}"' not in told] == []
    assert lost(alone(specimen), outcome) == []


def around_items(value: Any, items: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield each container that is in no item, with each of its keys."""
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    for key, inner in pairs:
        yield value, key
        if not any(inner is item for item in items):
            yield from around_items(inner, items)


@each_specimen(".json")
def test_what_stands_around_the_items_may_be_anything(specimen: Specimen) -> None:
    """A value of another type there refuses the dump or costs its items: no parser dies of it, none makes a record.

    Each second value is tried at a place, at the next one the others; in ``make nightly`` each one.
    """
    records, document = whole(specimen)[0].records, whole(specimen)[1]
    known = {record.title for record in records}
    with_sessions = known | {record.session_title for record in records}
    said = []
    places = around_items(document.data.value, list(items_of(document).values()))
    for number, (around, key) in enumerate(places):
        before = around[key]
        for other in sample((4711, "x", None, [], {}, [4711], {"x": 4711}), 2, number):
            around[key] = other
            outcome = specimen.read(json.dumps(document.data.value))
            new = {record.title for record in outcome[0].records} if outcome else set()
            if not new <= (known if other else with_sessions):  # without talks, a session is a record itself
                said.append(f"{key}: its value is {json.dumps(other)}: these titles were not there before: {new}")
        around[key] = before
    assert "\n".join(said) == ""


@each_specimen(".json")
def test_data_cut_anywhere(specimen: Specimen) -> None:
    """Data that end anywhere are refused, or give some of the records, and the rest is told."""
    text, said = specimen.text.rstrip(), []
    for size in range(0, len(text), max(1, len(text) // CUTS)):
        outcome = specimen.read(text[:size])
        strange = (
            [record for record in map(bare, outcome[0].records) if record not in alone(specimen)] if outcome else []
        )
        if strange:
            said.append(f"character {size}: the data end here: these records are others than before: {strange}")
        if outcome and not outcome[0].rejects:
            said.append(f"character {size}: the data end here: no reject tells of it")
    assert "\n".join(said) == ""
