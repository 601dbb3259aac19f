"""Outlines a page, data or a text of an unknown source, and guesses where its items and their titles are.

For the author of a new parser: the outline goes into its comments, the guess into its first table of fields. Nothing
about any one source belongs here, nor the use of the guess.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, Final

from lxml import etree

from parsers._ledger.elements import HIDING, text_of

PARAGRAPH: Final = "paragraph"
"""The items of a text whose titles are recognised by the blank line before them alone."""
_SHOWN: Final = 40
_ROWS: Final = 60
_PARTS: Final = 25
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_AROUND: Final = frozenset({"nav", "footer", "head", *HIDING})
_MENU: Final = re.compile(r"(?:^|\s)(?:nav|navbar|menu|dropdown|breadcrumbs?|footer|sidebar)(?=[\s-]|$)")
TELLING: Final = re.compile(r"data-[a-z-]+|item(?:prop|type)")
"""Names of attributes that distinguish an element from others."""
_PRINTED: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "strong", "b", "a", "dt", "td", "summary", "caption"})
_RANKS: Final = (
    (re.compile(r"title|headline", re.IGNORECASE), 3.0),
    (re.compile(r"^h[1-6]\b"), 2.5),
    (re.compile(r"name|subject|topic", re.IGNORECASE), 1.5),
    (re.compile(r"^(?:strong|b|a|summary)\b"), 1.5),
)
_ITEM: Final = re.compile(
    r"talk|session|event|paper|item|entry|article|card|publication|presentation|row", re.IGNORECASE
)
_BESIDE: Final = re.compile(
    r"author|speaker|person|people|participant|organi[sz]ation|affiliation|chair|room|track|tag|user|link|attachment",
    re.IGNORECASE,
)
"""Names of elements that have names but are not items."""
_KEYS: Final = {"title": 4.0, "full_public_name": 3.5, "public_name": 3.0, "headline": 3.0, "name": 1.5, "subject": 1.5}
_LABEL: Final = re.compile(r"(?:(?:paper|talk|session)?\s?title|talk|paper|session)\s?:\s?(?=\S)", re.IGNORECASE)
_SHAPES: Final = re.compile(
    r"(?P<TIME>\d{1,2}[:.h]\d{2})|(?P<number>\d+)|(?P<words>[^\W\d_]+(?:[ '’.,&/()-]+[^\W\d_]+)*[.)]?)"
)
_TITLES: Final = (
    r"\d{1,2}[:.]\d{2}(?:\s?[-–]\s?\d{1,2}[:.]\d{2})?\s*+(?P<title>[^\W\d].*)",
    r"(?:\[?\d{1,4}[\].)]|[-*•#]{1,4})\s++(?P<title>\S.*)",
)
"""Patterns of lines that are probably titles: they follow a time, a number or a mark."""
_SENTENCE: Final = r"(?P<title>[^\W\d].{15,150})"


@dataclass(frozen=True, slots=True)
class Detail:
    """Something that items hold beside their title: where it is, how often in all of them, and a sample."""

    where: str
    count: int
    sample: str


@dataclass(frozen=True, slots=True)
class Guess:
    """Where items and their titles are: selectors for a page, a path and a key for data, a pattern for lines.

    Lines have the pattern alone, and ``PARAGRAPH`` where a title follows a blank line. ``title`` is empty if the
    element of the item is the title. ``signs`` are strings that every such page contains.
    """

    items: str
    title: str
    count: int
    signs: tuple[str, ...] = ()
    parts: tuple[Detail, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """The content of a document as lines for people, and the guess; None if nothing in it repeats with a title."""

    rows: tuple[str, ...]
    guess: Guess | None


@dataclass(slots=True)
class _Candidate:
    """Elements of one name, with their possible titles."""

    items: str
    title: str
    found: dict[etree._Element, list[etree._Element]] = field(default_factory=lambda: defaultdict(list))

    def score(self, total: int) -> float:
        """Return how well this fits items with one title each; ``total`` is the number of elements of the name."""
        titles = [text_of(those[0]) for those in self.found.values() if len(those) == 1]
        titles = [title for title in titles if 3 <= len(title) <= 300]
        if len(titles) < 2:
            return 0
        name = self.title or self.items
        rank = next((rank for pattern, rank in _RANKS if pattern.search(name)), 0.7) * (1 if self.title else 0.3)
        rank *= 0.1 if _BESIDE.search(name) else 1
        words = min(1.0, fmean(len(title.split()) for title in titles) / 5)
        letters = fmean(len(text_of(item)) for item in list(self.found)[:20])
        rest = min(1.0, letters / (2 * fmean(map(len, titles))))  # an item says more than its title
        hint = 1.3 if _ITEM.search(self.items) else 1.0
        distinct = len(set(titles)) / len(titles)
        fits: float = (len(titles) / total) ** 1.5 * distinct**2 * rank * words * rest**2 * hint
        return fits * float(len(titles) ** 0.7)


def outline_page(root: etree._Element) -> Outline:
    """Outline a page of HTML or XML by the names of its elements: their tags, alone and with each of their classes."""
    shown = list(_content_of(root))
    named: dict[str, list[etree._Element]] = defaultdict(list)
    for element in shown:
        for name in names_of(element):
            named[name].append(element)
    ranked = _rank(shown, named)
    rows = [
        "best candidates for items, with a possible title:",
        *(f"{len(named[each.items]):>6}  {each.items}  {each.title or '(its own text)'}" for _, each in ranked[:5]),
        "repeated elements: count, path, text of the first:",
        *_element_rows(named),
    ]
    return Outline(tuple(rows), _guess_elements(ranked[0][1], named) if ranked else None)


def names_of(element: etree._Element) -> list[str]:
    """Return the selectors of an element: its tag alone, with telling attributes, and with each of its classes.

    Empty if CSS cannot express its tag.
    """
    tag = str(element.tag).rpartition("}")[2]
    if _NAME.fullmatch(tag) is None:
        return []
    attributes = [f"{tag}[{name}]" for name in map(str, element.keys()) if TELLING.fullmatch(name)][:3]
    classes = dict.fromkeys((element.get("class") or "").split())
    return [tag, *attributes, *(f"{tag}.{name}" for name in classes if _NAME.fullmatch(name))]


def is_at(element: etree._Element, selector: str) -> bool:
    """True if an element matches a selector of this module, perhaps with the element around it."""
    outer, _, name = selector.rpartition(" > ")
    around = element.getparent()
    return name in names_of(element) and (not outer or (around is not None and outer in names_of(around)))


def _is_around(element: etree._Element) -> bool:
    """True if an element surrounds the content: a menu, a script, the footer."""
    return element.tag in _AROUND or (element.tag != "body" and _MENU.search(element.get("class") or "") is not None)


def _content_of(root: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements of a page, except those around its content."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        yield element
        waiting += [each for each in reversed(element) if isinstance(each.tag, str) and not _is_around(each)]


def _rank(
    shown: Iterable[etree._Element], named: Mapping[str, Sequence[etree._Element]]
) -> list[tuple[float, _Candidate]]:
    """Return the candidates for items with one title each, the best first."""
    found: dict[tuple[str, str], _Candidate] = {}
    for element in shown:
        if titles := _titles_of(element):
            _add_titles(found, element, titles)
    scored = [(each.score(len(named[each.items])), each) for each in found.values() if len(named[each.items]) > 1]
    ranked = [(score, each) for score, each in scored if score > 0]
    return sorted(ranked, key=lambda one: (-one[0], -one[1].items.count("."), -one[1].title.count("."), one[1].items))


def _titles_of(element: etree._Element) -> list[str]:
    """Return the names under which an element can be a title; empty if it cannot be one."""
    names = names_of(element)
    if not names or not text_of(element):
        return []
    outer = element.getparent()
    telling = [name for name in names if names[0] in _PRINTED or any(pattern.search(name) for pattern, _ in _RANKS)]
    around = names_of(outer) if outer is not None else []
    return [*telling, *(f"{one} > {name}" for one in around[:1] for name in telling[:1])]


def _add_titles(found: dict[tuple[str, str], _Candidate], element: etree._Element, titles: Sequence[str]) -> None:
    """Add a possible title to every element around it, per name only to the nearest one, as tables do."""
    seen: set[str] = set()
    for around in (element, *element.iterancestors()):
        for name in names_of(around):
            if name in seen:
                continue
            seen.add(name)
            for title in titles if around is not element else [""]:
                found.setdefault((name, title), _Candidate(name, title)).found[around].append(element)


def _guess_elements(best: _Candidate, named: Mapping[str, Sequence[etree._Element]]) -> Guess:
    """Turn a candidate into a guess: with the other parts of its items, and words that only such pages hold."""
    parts: dict[str, list[str]] = defaultdict(list)
    titles = {title for those in best.found.values() for title in those}
    for item in named[best.items]:
        for element in item.iter(etree.Element):
            names = names_of(element)
            text = " ".join((element.text or "").split())
            if names and text and element is not item and titles.isdisjoint((element, *element.iterancestors())):
                parts[names[-1]].append(text)
    common = sorted(parts.items(), key=lambda part: -len(part[1]))[:_PARTS]
    words = [name.partition(".")[2] for name in (best.items, best.title)]
    words += [name.partition(".")[2] for around in next(iter(best.found)).iterancestors() for name in names_of(around)]
    tags = [f"<{name.partition('.')[0]}" for name in (best.items, best.title) if name]
    signs = [*dict.fromkeys(filter(None, words))][:3] or tags
    return Guess(
        best.items,
        best.title,
        len(named[best.items]),
        tuple(signs),
        tuple(Detail(name, len(texts), shorten(texts[0])) for name, texts in common),
    )


def _element_rows(named: Mapping[str, Sequence[etree._Element]]) -> Iterator[str]:
    """Yield a line per name that repeats, in page order; a tag alone only if an element of it has no class."""
    shown = {
        name: those
        for name, those in named.items()
        if len(those) > 1 and ("." in name or not all(each.get("class") for each in those))
    }
    common = sorted(shown, key=lambda name: -len(shown[name]))[:_ROWS]
    for name, those in shown.items():
        if name in common:
            outer = those[0].getparent()
            around = (names_of(outer) or ["-"])[-1] if outer is not None else "-"
            sample = next(filter(None, map(text_of, those[:20])), "")
            yield f"{len(those):>6}  {name}  in {around}  {shorten(sample)}".rstrip()


def outline_data(value: object) -> Outline:
    """Outline data by the paths of their keys; ``[]`` is any element of a list, ``*`` any key of an object."""
    rows: list[str] = []
    found: list[tuple[float, Guess]] = []
    _walk("", [value], rows, found)
    ranked = sorted(found, key=lambda one: -one[0])
    best = [f"{guess.count:>6}  {guess.items or '(top)'}  {guess.title}" for _, guess in ranked[:5]]
    rows = [
        "best candidates for items, with a possible title:",
        *best,
        "keys: number of values, types, first value:",
        *rows[: _ROWS * 2],
    ]
    return Outline(tuple(rows), ranked[0][1] if ranked else None)


def _walk(path: str, values: Sequence[Any], rows: list[str], found: list[tuple[float, Guess]]) -> None:
    """Add rows for all values of one path, and for everything inside them."""
    kinds = Counter(type(value).__name__ for value in values)
    sample = next((value for value in values if isinstance(value, str | int | float) and value != ""), None)
    shown = "" if sample is None else shorten(json.dumps(sample, ensure_ascii=False))
    rows.append(f"{len(values):>6}  {path or '(top)'}  {'|'.join(kinds)}  {shown}".rstrip())
    if inside := [each for value in values if isinstance(value, list) for each in value]:
        _walk(f"{path}[]", inside, rows, found)
    objects = [value for value in values if isinstance(value, dict) and value]
    keys = dict.fromkeys(key for each in objects for key in each)
    if _is_map(objects, list(keys)):
        _walk(f"{path}.*" if path else "*", [inner for each in objects for inner in each.values()], rows, found)
        return
    if path.endswith(("[]", "*")) and (guess := _guess_keys(path, objects, list(keys))):
        found.append(guess)
    for key in keys:
        _walk(f"{path}.{key}" if path else key, [each[key] for each in objects if key in each], rows, found)


def _is_map(objects: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> bool:
    """True if the keys of objects are data, such as rooms and days: they are no names, or all values have one shape."""
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


def _guess_keys(path: str, objects: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> tuple[float, Guess] | None:
    """Return score and guess for the objects of a path as items with a title, perhaps in an object inside."""
    best: tuple[float, str] = (0.0, "")
    beside = 0.1 if _BESIDE.search(path.rpartition(".")[2]) else 1.0
    for around in ("", *keys):
        inner = [each.get(around) for each in objects] if around else objects
        for key, rank in _KEYS.items():
            values = [each.get(key) for each in inner if isinstance(each, dict)]
            titles = [value for value in values if isinstance(value, str) and value.strip()]
            if titles:
                words = min(1.0, fmean(len(title.split()) for title in titles) / 5)
                fits = rank * words * len(set(titles)) / len(titles) * (len(titles) / len(objects)) ** 2
                rich = min(3.0, len(keys) / 4) * (0.8 if around else beside)
                best = max(best, (fits * len(titles) ** 0.7 * rich, f"{around}.{key}" if around else key))
    if not best[0]:
        return None
    parts = []
    for key in keys:
        values = [each[key] for each in objects if each.get(key) not in (None, "", [], {})]
        if key != best[1] and values:
            parts.append(Detail(key, len(values), shorten(json.dumps(values[0], ensure_ascii=False))))
    outer = [step for step in re.split(r"[.\[\]*]+", path) if step]
    always = [key for key in keys if all(key in each for each in objects)]
    signs = tuple(f'"{key}"' for key in [*outer, *best[1].split("."), *always[:3]])
    return best[0], Guess(path, best[1], len(objects), tuple(dict.fromkeys(signs)), tuple(parts))


def outline_lines(lines: Sequence[str]) -> Outline:
    """Outline a text by the shapes of its lines: a label as printed, then times, numbers and words."""
    shapes: dict[str, list[str]] = defaultdict(list)
    for line in filter(None, map(str.strip, lines)):
        shapes[shape_of(line)].append(line)
    common = sorted(((shape, those) for shape, those in shapes.items() if len(those) > 1), key=lambda one: -len(one[1]))
    rows = ["repeated shapes of lines: count, first line:"]
    rows += [f"{len(those):>6}  {shape}  {shorten(those[0])}" for shape, those in common[:_ROWS]]
    return Outline(tuple(rows), _guess_lines([line.strip() for line in lines]))


def shape_of(line: str) -> str:
    """Return the shape of a line: a short label up to a colon, then the kinds of the tokens that follow."""
    label = re.match(r"[A-Z][\w ]{1,20}:(?=\s)", line)
    shape, rest = (label[0], line[label.end() :]) if label else ("", line)
    if len(rest) > 200:
        return f"{shape} (long text)".strip()
    return shape + _SHAPES.sub(lambda found: str(found.lastgroup), rest)


def _guess_lines(lines: Sequence[str]) -> Guess | None:
    """Guess which lines are titles: after a label, time or number, first in a paragraph, or of a certain length."""
    labels = Counter(found[0] for line in lines if (found := _LABEL.match(line)))
    if labels and (label := labels.most_common(1)[0])[1] > 1:
        return Guess("", re.escape(label[0].rstrip()) + r"\s*+(?P<title>\S.*)", label[1], (label[0].rstrip(),))
    for pattern in _TITLES:
        count = sum(re.fullmatch(pattern, line) is not None for line in lines)
        if count > 1:
            return Guess("", pattern, count)
    guess = Guess(PARAGRAPH, r"(?P<title>\S.*)", 0)
    if (count := len(titles_in(lines, guess))) > 1:
        return replace(guess, count=count)
    count = sum(re.fullmatch(_SENTENCE, line) is not None for line in lines)
    return Guess("", _SENTENCE, count) if count > 1 else None


def titles_in(lines: Sequence[str], guess: Guess) -> list[int]:
    """Return the places of the lines that are titles, by a guess."""
    pattern = re.compile(guess.title)
    return [
        place
        for place, (before, line) in enumerate(zip(["", *lines], lines, strict=False))
        if pattern.fullmatch(line.strip()) and (guess.items != PARAGRAPH or not before.strip())
    ]


def shorten(text: str) -> str:
    """Return the beginning of a text on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else f"{flat[: _SHOWN - 1]}…"
