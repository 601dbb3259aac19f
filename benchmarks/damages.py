"""The kinds of damage that ``benchmarks.damage`` does to dumps, each with what happens in reality.

A kind is a pure function of a page and a seeded ``Random`` that returns the damaged text or bytes, None where it does
not apply. ``allows`` says which differences are true to a damaged page: all others must be told. Judging does not
belong here.

``less``     what was taken out is missing, with the records whose titles it held
``more``     what was put in stands in a free text
``other``    what was put in stands in place of what was taken out
``context``  records below a heading that is gone have day, time, room and session of what stands above them
``order``    lines of a free text stand in another order
``twice``    records of the other page are there too
``again``    people, rooms and records that were there are there again
``null``     one record lacks what its page does not give any more
"""

import codecs
import html
import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from random import Random
from typing import Any, Final, NamedTuple

from parsers._words.dates import MONTH, WEEKDAY, begins_with_time, looks_like_day, month_number


class Page(NamedTuple):
    """A page to damage: its text, its form (text, markup or json), and the text of another page of its source."""

    text: str
    form: str
    other: str | None = None


Damage = Callable[[Page, Random], str | bytes | None]
How = Callable[[re.Match[str], Random], str]
_TAG: Final = r"<[^<>]*>"
_HIDDEN: Final = r"(?:<!--.*?-->|<script\b.*?</script>|<style\b.*?</style>)"
_UNSEEN: Final = re.compile(rf"{_HIDDEN}|{_TAG}", re.DOTALL | re.IGNORECASE)
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"(?!\s*:)')
_TIME: Final = r"(?<![\d:.T])([01]?\d|2[0-3]):([0-5]\d)(?![\d:]|\s?[ap]\.?m)"
_RANGE: Final = rf"({_TIME})\s?[-–—]\s?(?={_TIME})"
_DATE: Final = rf"(?:({MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?|(\d{{1,2}})(?:st|nd|rd|th)? ({MONTH}))(?:,? (20\d\d))?"
_SESSION: Final = r"(?m)^\W*(?:Session|Keynote|Track|Panel)\b.*$"
_NAME: Final = r"[A-Z][\w.'’-]*(?: (?:[a-z]{2,3} )?[A-Z][\w.'’-]*){1,3}"
_NAMES: Final = rf"{_NAME}(?:, {_NAME})+"
_PEOPLE: Final = rf"(?m)(?<=name\": \"){_NAME}$|(?<=person\">){_NAME}$|^{_NAME}(?= \()|{_NAMES}"
_COUNT: Final = r"(?i)(?<=total of )\d+|(?<=showing )\d+(?= of)|(?<=of )\d+(?= (?:entries|results|papers|talks)\b)"
_LONG: Final = 200
LABELS: Final = {
    "Chair": "Moderated by",
    "Location": "Where",
    "Room": "Place",
    "Track": "Strand",
    "Authors": "Written by",
    "Title": "Heading",
    "Comments": "Remarks",
    "Abstract": "Synopsis",
    "Subjects": "Fields",
    "PRESENTER": "GIVEN BY",
    "SPEAKER": "GIVEN BY",
    "ABSTRACT": "SYNOPSIS",
}
"""The labels that are renamed, and what they are renamed to."""

TRAILERS: Final = (
    "We use cookies to improve your experience. Accept all cookies",
    "Advertisement: 20 % off all conference mugs this week only",
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
    "Breaking news: the harbour bridge will be closed on both evenings.",
)
"""Lines that belong to no record."""


@lru_cache(maxsize=8)
def seen(page: Page) -> tuple[tuple[int, int], ...]:
    """Return where text stands that people see: between tags, within values of JSON; for text, all of it."""
    if page.form == "json":
        return tuple(found.span(1) for found in _STRING.finditer(page.text))
    if page.form == "text":
        return ((0, len(page.text)),)
    ends = [0, *(place for found in _UNSEEN.finditer(page.text) for place in found.span()), len(page.text)]
    return tuple((start, end) for start, end in zip(ends[::2], ends[1::2], strict=True) if start < end)


def find(page: Page, pattern: str) -> list[re.Match[str]]:
    """Return the matches of a pattern in what people see of a page."""
    sought = re.compile(pattern)
    return [found for start, end in seen(page) for found in sought.finditer(page.text, start, end)]


def put(text: str, pieces: Sequence[tuple[int, int, str]]) -> str | None:
    """Return a text with other pieces in some places, which are in order; None if that is the same."""
    parts, last = [], 0
    for start, end, piece in pieces:
        parts += [text[last:start], piece]
        last = end
    made = "".join([*parts, text[last:]])
    return None if made == text else made


def replace(page: Page, random: Random, *, pattern: str, how: How | str, once: bool = False) -> str | None:
    """Replace what a pattern matches in what people see, everywhere or in one place."""
    found = find(page, pattern)
    chosen = [random.choice(found)] if once and found else found
    made = [each.expand(how) if isinstance(how, str) else how(each, random) for each in chosen]
    return put(page.text, [(*each.span(), piece) for each, piece in zip(chosen, made, strict=True)])


def turn(page: Page, _: Random, *, how: Callable[[str], str]) -> str | None:
    """Change all that people see."""
    return put(page.text, [(start, end, how(page.text[start:end])) for start, end in seen(page)])


def cut(page: Page, random: Random, *, pattern: str) -> str | None:
    """End the page behind a match of a pattern, between a tenth and nine tenths of it."""
    low, high = len(page.text) // 10, len(page.text) * 9 // 10
    ends = [found.end() for found in re.finditer(pattern, page.text) if low < found.end() < high]
    return page.text[: random.choice(ends)] if ends else None


def cut_bytes(page: Page, random: Random) -> bytes:
    """End the page at any byte."""
    data = page.text.encode()
    return data[: random.randint(len(data) // 10, len(data) * 9 // 10)]


def cut_character(page: Page, random: Random) -> bytes | None:
    """End the page within a character."""
    places = [place for place, letter in enumerate(page.text) if ord(letter) > 127]
    return page.text[: random.choice(places) + 1].encode()[:-1] if places else None


def cut_head(page: Page, random: Random) -> str | None:
    """Lose the beginning, up to a line."""
    lines = page.text.split("\n")
    return "\n".join(lines[random.randint(1, len(lines) // 4) :]) if len(lines) > 8 else None


def cut_hole(page: Page, random: Random) -> str:
    """Lose a stretch of the middle."""
    start, length = random.randrange(len(page.text) // 10, len(page.text) * 8 // 10), len(page.text) // 20
    return page.text[:start] + page.text[start + random.randint(20, max(length, 40)) :]


Lines = Callable[[list[str], int, Random], None]


def edit_lines(page: Page, random: Random, *, how: Lines, chosen: Callable[[str], bool] = bool) -> str | None:
    """Edit the lines at a random one of those that are chosen, which are not blank."""
    lines = page.text.split("\n")
    places = [number for number, line in enumerate(lines[:-1]) if line.strip() and chosen(line.strip())]
    if page.form == "json" or not places:
        return None
    how(lines, random.choice(places), random)
    made = "\n".join(lines)
    return None if made == page.text else made


def lose_line(lines: list[str], at: int, _: Random) -> None:
    """Lose a line."""
    del lines[at]


def double_line(lines: list[str], at: int, _: Random) -> None:
    """Print a line twice."""
    lines.insert(at, lines[at])


def swap_lines(lines: list[str], at: int, _: Random) -> None:
    """Swap a line with the one below."""
    lines[at : at + 2] = lines[at : at + 2][::-1]


def join_lines(lines: list[str], at: int, _: Random) -> None:
    """Join a line with the one below."""
    lines[at : at + 2] = [" ".join(lines[at : at + 2])]


def lose_block(lines: list[str], at: int, random: Random) -> None:
    """Lose some lines."""
    del lines[at : at + random.randint(3, 12)]


def double_block(lines: list[str], at: int, random: Random) -> None:
    """Print some lines twice."""
    lines[at:at] = lines[at : at + random.randint(3, 12)]


def move_block(lines: list[str], at: int, random: Random) -> None:
    """Move some lines down or up."""
    block = lines[at : at + random.randint(3, 12)]
    del lines[at : at + len(block)]
    place = random.randint(0, len(lines))
    lines[place:place] = block


def insert_above(lines: list[str], at: int, random: Random) -> None:
    """Put a line of something else above a line."""
    lines.insert(at, random.choice(TRAILERS))


def insert_below(lines: list[str], at: int, random: Random) -> None:
    """Put a line of something else below a line."""
    lines.insert(at + 1, random.choice(TRAILERS))


def of_lines(page: Page, random: Random, *, how: Callable[[str, int], str], blank: bool = False) -> str | None:
    """Change each line of a text, blank ones on request, given its number."""
    if page.form != "text":
        return None
    random.random()
    numbered = enumerate(page.text.split("\n"), 1)
    made = "\n".join(how(line, number) if blank or line.strip() else line for number, line in numbered)
    return None if made == page.text else made


def wrap(line: str, width: int) -> str:
    """Wrap a line at a width, as printed mails do."""
    return re.sub(rf"(?=.{{{width + 1}}})(.{{1,{width}}}) ", r"\1\n", line)


def join_paragraphs(page: Page, _: Random) -> str | None:
    """Join the lines of each paragraph."""
    made = re.sub(r"(?<=\S)\n(?=\S)", " ", page.text)
    return made if page.form == "text" and "\n\n" in page.text and made != page.text else None


def print_pages(page: Page, _: Random) -> str | None:
    """Put head and foot of a printed page between lines."""
    lines = page.text.split("\n")
    if page.form != "text" or len(lines) < 60:
        return None
    for number, at in reversed(list(enumerate(range(45, len(lines), 45), 1))):
        lines[at:at] = [f"Page {number} of {len(lines) // 45 + 1}", "Programme - printed 3 March 2026, 14:02"]
    return "\n".join(lines)


_OPENING: Final = r"<(?:div|span|td|tr|h[1-6]|p|a|li|ul|dd|dt|table|entry|title|item)\b[^<>]*>"
_CLOSING: Final = r"</(?:div|span|td|tr|h[1-6]|p|a|li|ul|dd|dt|table|entry|title|item)>"
_ELEMENT: Final = r"<(div|span|td|tr|h[1-6]|p|li|dd|dt)\b[^<>]*>(?:(?!</?\1\b).){3,3000}?</\1>"


def tags(page: Page, random: Random, *, pattern: str, how: How, once: bool = True) -> str | None:
    """Change the tags or elements that a pattern matches in the middle of a page."""
    low, high = len(page.text) // 8, len(page.text) * 7 // 8
    found = [each for each in re.finditer(pattern, page.text, re.DOTALL) if once is False or low < each.start() < high]
    if page.form != "markup" or not found:
        return None
    chosen = [random.choice(found)] if once else found
    return put(page.text, [(*each.span(), how(each, random)) for each in chosen])


def rename_class(page: Page, random: Random) -> str | None:
    """Rename a class everywhere."""
    names = sorted({name for each in re.findall(r'class="([^"]+)"', page.text) for name in each.split()})
    if page.form != "markup" or not names:
        return None
    name = random.choice(names)
    return re.sub(rf'(class="(?:[^"]*\s)?){re.escape(name)}(?=[\s"])', rf"\1x-{name}-v2", page.text)


def rename_tag(page: Page, random: Random) -> str | None:
    """Use another element everywhere."""
    found = sorted(set(re.findall(r"<(div|span|h[1-6]|p|li|dd|dt|strong|b)\b", page.text)))
    if page.form != "markup" or not found:
        return None
    return re.sub(rf"(</?){random.choice(found)}\b", r"\1section", page.text)


def twice(page: Page, _: Random) -> str | None:
    """Append the page to itself."""
    return f"{page.text}\n{page.text}"


def with_half(page: Page, random: Random, *, before: bool) -> str | None:
    """Append or prepend half of another page, from or up to a line."""
    if page.other is None:
        return None
    lines = page.other.split("\n")
    middle = len(lines) * random.randint(40, 60) // 100
    return "\n".join([*lines[:middle], page.text] if before else [page.text, *lines[middle:]])


def as_latin(page: Page, _: Random) -> bytes | None:
    """Encode in Windows-1252."""
    if page.text.isascii() or page.form != "text":
        return None
    try:
        return page.text.encode("cp1252")
    except UnicodeEncodeError:
        return None


def garble(text: str) -> str:
    """Decode UTF-8 as Windows-1252."""
    return "".join(_of_byte(byte) for byte in text.encode())


def only_ascii(text: str) -> str:
    """Return the ASCII letters, digits and marks of a text."""
    return re.sub(r"[^\x21-\x7e]", "", unicodedata.normalize("NFC", text))


def _of_byte(byte: int) -> str:
    """Return the character of a byte in Windows-1252, as browsers read it."""
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


def insert_letter(page: Page, random: Random, *, letter: str) -> str | None:
    """Put a character into a word that people see."""
    found = find(page, r"\w{4,}")
    if not found:
        return None
    place = random.choice(found).start() + 2
    return page.text[:place] + letter + page.text[place:]


def as_half_day(found: re.Match[str], _: Random) -> str:
    """Return a time as 2:30 PM."""
    hour = int(found[1])
    return f"{hour % 12 or 12}:{found[2]} {'PM' if hour > 11 else 'AM'}"


def as_numbers(found: re.Match[str], _: Random) -> str:
    """Return a date as 2026-09-04, or 4.9. without its year."""
    month, day = month_number((found[1] or found[4])[:3]), int(found[2] or found[3])
    return f"{found[5]}-{month:02d}-{day:02d}" if found[5] else f"{day}.{month}."


def as_impossible(found: re.Match[str], _: Random) -> str:
    """Return a date of a day that does not exist."""
    return re.sub(r"(?<!\d)\d{1,2}(?!\d)", "32", found[0], count=1)


def without_month(found: re.Match[str], _: Random) -> str:
    """Return the day of a date, without its month."""
    return re.sub(rf"\s*{MONTH}\.?\s*", "", found[0])


def as_other_weekday(found: re.Match[str], random: Random) -> str:
    """Return another day of the week."""
    names = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    name = random.choice([each for each in names if not each.lower().startswith(found[0].lower()[:3])])
    name = name if len(found[0]) > 5 else name[:3]
    return name.upper() if found[0].isupper() else name


def other_year(page: Page, random: Random) -> str | None:
    """Print another year in all dates."""
    years = sorted({found[0] for found in find(page, r"\b20[012]\d\b")})
    if not years:
        return None
    year = random.choice(years)
    return replace(page, random, pattern=rf"\b{year}\b", how=str(int(year) + random.choice((-3, -1, 1, 2))))


def relabel(page: Page, random: Random, *, once: bool, lost: bool = False) -> str | None:
    """Rename or lose one of the labels, in one place or everywhere."""
    there = [label for label in LABELS if find(page, rf"\b{label}(?:\(s\))?\s*[:.]")]
    if page.form == "json" or not there:
        return None
    label = random.choice(there)
    how = "" if lost else f"{LABELS[label]}:"
    return replace(page, random, pattern=rf"\b{label}(?:\(s\))?\s*[:.]", how=how, once=once)


def is_slot(line: str) -> bool:
    """True if a line begins with a time."""
    return begins_with_time(line) and len(line) < 80


def is_heading(line: str) -> bool:
    """True if a line looks like the heading of a day, a slot or a session."""
    return is_slot(line) or looks_like_day(line) or re.match(_SESSION, line) is not None


def head(page: Page, random: Random, *, of: Callable[[str], bool], how: str | Sequence[str]) -> str | None:
    """Lose a heading of a kind or print it in another form."""
    if page.form == "json":
        return None
    found = [each for each in find(page, r"(?m)^[^\n]*\S[^\n]*$") if of(each[0].strip())]
    if not found:
        return None
    each = random.choice(found)
    return put(page.text, [(*each.span(), how if isinstance(how, str) else random.choice(how))])


def _is_session(line: str) -> bool:
    """True if a line looks like the heading of a session."""
    return re.match(_SESSION, line) is not None


# JSON: a change finds the places in the values and changes one or all of them.
Place = tuple[Any, Any]


def places(data: Any, sought: Callable[[Any, Any], bool]) -> list[Place]:  # noqa: ANN401  # any JSON
    """Return each holder and key whose value is sought, in document order."""
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    found: list[Place] = []
    for key in keys:
        found += [(data, key)] if sought(key, data[key]) else []
        found += places(data[key], sought)
    return found


def of_json(
    page: Page, random: Random, *, sought: Callable[[Any, Any], bool], how: Callable[[Any, Any, Random], None]
) -> str | None:
    """Change one value of a JSON page."""
    if page.form != "json":
        return None
    data = json.loads(page.text)
    found = places(data, sought)
    if not found:
        return None
    how(*random.choice(found), random)
    made = write_json(data)
    return None if made == page.text else made


def write_json(data: Any) -> str:  # noqa: ANN401  # any JSON
    """Write JSON as the pages to damage are written."""
    return json.dumps(data, indent=1, ensure_ascii=False)


def is_leaf(key: object, value: object) -> bool:
    """True for a text or number under a key."""
    return isinstance(key, str) and isinstance(value, str | int) and value not in ("", None) and key != "version"


def is_entry(key: object, value: object) -> bool:
    """True for an object in a list, with a title or something like it."""
    return isinstance(key, int) and isinstance(value, dict) and bool({"title", "paper", "details"} & value.keys())


def set_null(holder: Any, key: Any, _: Random) -> None:  # noqa: ANN401  # any JSON
    """Set null."""
    holder[key] = None


def set_empty(holder: Any, key: Any, _: Random) -> None:  # noqa: ANN401  # any JSON
    """Set an empty text."""
    holder[key] = ""


def set_text(holder: Any, key: Any, _: Random) -> None:  # noqa: ANN401  # any JSON
    """Set a text in place of a number."""
    holder[key] = str(holder[key])


def set_object(holder: Any, key: Any, _: Random) -> None:  # noqa: ANN401  # any JSON
    """Set an object in place of a list."""
    holder[key] = {str(number): each for number, each in enumerate(holder[key])}


def set_nested(holder: Any, key: Any, _: Random) -> None:  # noqa: ANN401  # any JSON
    """Put a value into an object."""
    holder[key] = {"value": holder[key]}


def rename_key(holder: Any, key: Any, _: Random) -> None:  # noqa: ANN401  # any JSON
    """Rename a key, in its place."""
    renamed = {f"{name}New" if name == key else name: value for name, value in holder.items()}
    holder.clear()
    holder.update(renamed)


def lose_entry(holder: Any, key: Any, _: Random) -> None:  # noqa: ANN401  # any JSON
    """Lose an entry."""
    del holder[key]


def double_entry(holder: Any, key: Any, _: Random) -> None:  # noqa: ANN401  # any JSON
    """List an entry twice."""
    holder.insert(key, holder[key])


def change_entry(holder: Any, key: Any, _: Random) -> None:  # noqa: ANN401  # any JSON
    """List an entry again with another title."""
    again = json.loads(json.dumps(holder[key]))
    for inner, name in places(again, lambda name, value: name == "title" and isinstance(value, str)):
        inner[name] = "Another thing altogether: marmalade"
    holder.insert(key + 1, again)


def rename_keys(page: Page, random: Random) -> str | None:
    """Rename a key everywhere."""
    if page.form != "json":
        return None
    names = sorted({key for _, key in places(json.loads(page.text), lambda key, _: isinstance(key, str))})
    return re.sub(rf'"{re.escape(random.choice(names))}"(?=\s*:)', '"renamedKey"', page.text)


def double_key(page: Page, random: Random) -> str | None:
    """Give a key twice in one object, first with another value."""
    found = list(re.finditer(r'"(?:title|room|start|date|name|abstract|summary)": "', page.text))
    if page.form != "json" or not found:
        return None
    each = random.choice(found)
    return f'{page.text[: each.start()]}{each[0]}marmalade", {page.text[each.start() :]}'


def swap_cells(found: re.Match[str], _: Random) -> str:
    """Swap the two cells of a match."""
    return f"{found[3]}{found[2]}{found[1]}"


def merge_cells(found: re.Match[str], _: Random) -> str:
    """Make one cell of the two of a match."""
    first, second = found[1].removesuffix("</td>"), re.sub(r"^<td\b[^<>]*>", "", found[3])
    return f"{first.replace('<td', '<td colspan=2', 1)} {second}"


_CELL: Final = r"<td\b[^<>]*>(?:(?!</?t[dr]\b).)*</td>"
_CELLS: Final = rf"({_CELL})(\s*)({_CELL})"


def swap_bars(page: Page, random: Random, *, once: bool) -> str | None:
    """Swap the first two cells that bars separate, in one line or all."""
    pattern = r"(?m)^(\|?)([^|\n]*\w[^|\n]*)\|([^|\n]*\w[^|\n]*)(?=\||$)"
    return replace(page, random, pattern=pattern, how=r"\1\3|\2", once=once) if page.form == "text" else None


def last_first(text: str) -> str:
    """Return one or more names as Last, First; Last, First."""
    parted = [name.rpartition(" ") for name in text.split(", ")]
    return "; ".join(f"{last}, {first}" for first, _blank, last in parted)


def with_and(text: str) -> str:
    """Return a list of names with ``and`` between all."""
    return text.replace(", ", " and ")


def with_semicolons(text: str) -> str:
    """Return a list of names with semicolons."""
    return text.replace(", ", "; ")


def turn_people(page: Page, random: Random, *, how: Callable[[str], str], pattern: str, once: bool) -> str | None:
    """Change lists of names, or names in the places of people, in one place or everywhere."""
    return replace(page, random, pattern=pattern, how=lambda found, _: how(found[0]), once=once)


def shorten(page: Page, random: Random) -> str | None:
    """End long texts with an ellipsis."""
    return replace(
        page, random, pattern=rf"(?<!\S)(?![^\n]*Subjects:)([^\n]{{{_LONG}}}[^\s\\]*)[^\n]+(?=\n|$)", how=r"\1…"
    )


def curl(text: str) -> str:
    """Return a text with typographic quotes."""
    return re.sub(r"\"(?=\w)", "“", text).replace('"', "”").replace("'", "’")


def straighten(text: str) -> str:
    """Return a text with plain quotes."""
    return re.sub("[“”]", '"', text).replace("’", "'")


def without_format(text: str) -> str:
    """Return a text without what cannot be seen in it."""
    return "".join(letter for letter in text if unicodedata.category(letter) not in {"Cf", "Cc"})


def without_accents(text: str) -> str:
    """Return the ASCII of a text, without question marks."""
    return only_ascii(text).replace("?", "")


def sorted_words(text: str) -> str:
    """Return the words of a text in order, without the word between names."""
    return " ".join(sorted(word for word in re.findall(r"\w+", text) if word != "and"))


def unescape(text: str) -> str:
    """Return a text without references, however often escaped."""
    return html.unescape(html.unescape(text))


def _hyphenate(text: str) -> str:
    """Put soft hyphens into long words."""
    return re.sub(r"(?<![\w&;/\\.:])([a-z]{5})([a-z]{4,})(?![\w/.:@])", "\\1\u00ad\\2", text)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of damage: what happens in reality, its function, and what is true to a page damaged by it.

    ``fold`` takes from a value what the damage changes within it: values that are then equal are as printed.
    """

    name: str
    what: str
    damage: Damage
    allows: frozenset[str] = frozenset()
    fold: Callable[[str], str] | None = None


def _kind(name: str, what: str, damage: Damage, allows: str = "", fold: Callable[[str], str] | None = None) -> Kind:
    """Make a kind."""
    return Kind(name, what, damage, frozenset(allows.split()), fold)


KINDS: Final = (
    # truncation
    _kind("cut_byte", "the transfer ends anywhere", cut_bytes, "less"),
    _kind("cut_character", "the transfer ends within a character", cut_character, "less"),
    _kind("cut_line", "the file ends behind a line", partial(cut, pattern=r"\n"), "less"),
    _kind("cut_element", "the file ends behind an element or entry", partial(cut, pattern=r"</\w+>|\},?\n"), "less"),
    _kind("cut_tag", "the file ends within a tag", partial(cut, pattern=r"</?\w+ ?"), "less"),
    _kind("cut_head", "the beginning is missing", cut_head, "less context"),
    _kind("cut_hole", "a stretch of the middle is missing", cut_hole, "less context"),
    # lines
    _kind("line_lost", "a line is lost", partial(edit_lines, how=lose_line), "less context"),
    _kind(
        "short_line_lost",
        "a heading, name or title is lost",
        partial(edit_lines, how=lose_line, chosen=lambda line: len(line) < 60),
        "less context",
    ),
    _kind("line_doubled", "a line is printed twice", partial(edit_lines, how=double_line), "more again"),
    _kind("lines_swapped", "two lines are swapped", partial(edit_lines, how=swap_lines), "order context"),
    _kind("lines_joined", "a line end is lost", partial(edit_lines, how=join_lines)),
    _kind("block_lost", "some lines are lost", partial(edit_lines, how=lose_block), "less context"),
    _kind("block_doubled", "some lines are pasted twice", partial(edit_lines, how=double_block), "more again"),
    _kind("block_moved", "some lines are pasted elsewhere", partial(edit_lines, how=move_block), "less context order"),
    _kind(
        "blanks_lost",
        "an editor drops blank lines",
        lambda page, _: (
            None if page.form != "text" or "\n\n" not in page.text else re.sub(r"\n\s*\n+", "\n", page.text)
        ),
    ),
    _kind(
        "blanks_doubled",
        "an editor puts blank lines between all lines",
        partial(of_lines, how=lambda line, _: f"{line}\n"),
    ),
    _kind("wrapped_60", "a mail wraps lines", partial(of_lines, how=lambda line, _: wrap(line, 60))),
    _kind("wrapped_80", "a terminal wraps lines", partial(of_lines, how=lambda line, _: wrap(line, 80))),
    _kind("paragraphs_joined", "a program joins the lines of paragraphs", join_paragraphs),
    # elements
    _kind("opening_lost", "a template forgets an opening tag", partial(tags, pattern=_OPENING, how=lambda *_: "")),
    _kind("closing_lost", "a template forgets a closing tag", partial(tags, pattern=_CLOSING, how=lambda *_: "")),
    _kind(
        "tag_doubled",
        "a template opens an element twice",
        partial(tags, pattern=_OPENING, how=lambda found, _: found[0] * 2),
    ),
    _kind(
        "element_lost",
        "an element is removed with all in it",
        partial(tags, pattern=_ELEMENT, how=lambda *_: ""),
        "less context",
    ),
    _kind(
        "element_doubled",
        "an element is there twice",
        partial(tags, pattern=_ELEMENT, how=lambda found, _: found[0] * 2),
        "more again",
    ),
    _kind(
        "element_hidden",
        "an element is made a comment",
        partial(tags, pattern=_ELEMENT, how=lambda found, _: f"<!-- {found[0]} -->"),
        "less context",
    ),
    _kind(
        "attribute_renamed",
        "a redesign renames an attribute of one element",
        partial(tags, pattern=r"\b(?:class|id|href|data-[\w-]+)(?==\")", how=lambda found, _: f"data-x-{found[0]}"),
    ),
    _kind(
        "class_changed",
        "a redesign renames the class of one element",
        partial(tags, pattern=r"(?<=\bclass=\")[^\"]+", how=lambda found, _: f"x-{found[0]}"),
    ),
    _kind("class_renamed", "a redesign renames a class", rename_class),
    _kind("tag_renamed", "a redesign uses another element", rename_tag),
    # documents
    _kind("page_twice", "the page is saved twice into one file", twice),
    _kind("another_behind", "half of another page stands behind this one", partial(with_half, before=False), "twice"),
    _kind("another_before", "half of another page stands before this one", partial(with_half, before=True), "twice"),
    # letters
    _kind("latin_bytes", "an editor saves as Windows-1252", as_latin),
    _kind(
        "utf_16",
        "an editor saves as UTF-16",
        lambda page, _: page.text.encode("utf-16") if page.form == "text" else None,
    ),
    _kind("byte_order_mark", "an editor puts a mark in front", lambda page, _: codecs.BOM_UTF8 + page.text.encode()),
    _kind("garbled", "UTF-8 is read as Windows-1252", partial(turn, how=garble), fold=only_ascii),
    _kind(
        "garbled_twice",
        "UTF-8 is read as Windows-1252, twice",
        partial(turn, how=lambda text: garble(garble(text))),
        fold=only_ascii,
    ),
    _kind(
        "not_ascii_lost",
        "letters that are not ASCII become question marks",
        partial(turn, how=lambda text: text.encode("ascii", "replace").decode()),
        fold=without_accents,
    ),
    _kind(
        "decomposed",
        "accents stand beside their letters",
        partial(turn, how=lambda text: unicodedata.normalize("NFD", text)),
    ),
    _kind(
        "escaped_twice",
        "references are escaped twice",
        partial(turn, how=lambda text: html.escape(text, quote=False)),
        fold=unescape,
    ),
    _kind("zero_byte", "the file has a NUL byte", partial(insert_letter, letter="\0")),
    _kind("control_letter", "a word has a control character", partial(insert_letter, letter="\x07")),
    _kind(
        "replaced_letter",
        "a word has a replacement character",
        partial(insert_letter, letter="\ufffd"),
        fold=without_accents,
    ),
    _kind("soft_hyphens", "long words have soft hyphens", partial(turn, how=_hyphenate), fold=without_format),
    _kind(
        "zero_widths",
        "zero-width spaces stand behind slashes and hyphens",
        partial(turn, how=lambda text: re.sub(r"(?<=\w)([-/])(?=[A-Za-z])", "\\1\u200b", text)),
        fold=without_format,
    ),
    _kind("fixed_blanks", "all blanks are no-break spaces", partial(turn, how=lambda text: text.replace(" ", "\xa0"))),
    _kind(
        "curly_quotes",
        "quotes are typographic",
        lambda page, random: None if page.form == "json" else turn(page, random, how=curl),
        fold=straighten,
    ),
    _kind(
        "upper_case",
        "all letters are capitals",
        lambda page, random: None if page.form == "json" else turn(page, random, how=str.upper),
        fold=str.casefold,
    ),
    # times and dates
    _kind("times_h", "all times as 11h00", partial(replace, pattern=_TIME, how=r"\1h\2")),
    _kind("time_h", "one time as 11h00", partial(replace, pattern=_TIME, how=r"\1h\2", once=True)),
    _kind("times_dotted", "all times as 11.00", partial(replace, pattern=_TIME, how=r"\1.\2")),
    _kind("time_dotted", "one time as 11.00", partial(replace, pattern=_TIME, how=r"\1.\2", once=True)),
    _kind("times_am_pm", "all times as 2:30 PM", partial(replace, pattern=_TIME, how=as_half_day)),
    _kind("time_am_pm", "one time as 2:30 PM", partial(replace, pattern=_TIME, how=as_half_day, once=True)),
    _kind("times_zoned", "all times with their zone", partial(replace, pattern=_TIME, how=r"\g<0> CEST")),
    _kind("time_zoned", "one time with its zone", partial(replace, pattern=_TIME, how=r"\g<0> CEST", once=True)),
    _kind("ranges_to", "all ranges with 'to'", partial(replace, pattern=_RANGE, how=r"\1 to ")),
    _kind("range_to", "one range with 'to'", partial(replace, pattern=_RANGE, how=r"\1 to ", once=True)),
    _kind("dashes", "all hyphens between times are dashes", partial(replace, pattern=_RANGE, how=r"\1–")),
    _kind("dates_in_numbers", "all dates in numbers", partial(replace, pattern=_DATE, how=as_numbers), fold=None),
    _kind("date_in_numbers", "one date in numbers", partial(replace, pattern=_DATE, how=as_numbers, once=True)),
    _kind(
        "day_impossible",
        "a date is no day of the calendar",
        partial(replace, pattern=_DATE, how=as_impossible, once=True),
    ),
    _kind("month_lost", "a date lacks its month", partial(replace, pattern=_DATE, how=without_month, once=True)),
    _kind(
        "weekday_wrong",
        "a date has another day of the week",
        partial(replace, pattern=rf"(?i)\b{WEEKDAY}(?=,? (?:\d|{MONTH}))", how=as_other_weekday, once=True),
    ),
    _kind("year_changed", "a page is copied from another year", other_year, "other"),
    # labels and counts
    _kind("label_renamed", "a label is another word, once", partial(relabel, once=True)),
    _kind("labels_renamed", "a label is another word, everywhere", partial(relabel, once=False)),
    _kind("label_lost", "a label is missing once", partial(relabel, once=True, lost=True)),
    _kind("labels_lost", "a label is missing everywhere", partial(relabel, once=False, lost=True)),
    _kind(
        "count_changed",
        "a printed total is another number",
        partial(replace, pattern=_COUNT, how=lambda found, _: str(int(found[0]) + 7), once=True),
        "other",
    ),
    # lines of something else
    _kind(
        "line_in_record",
        "a notice stands below a long text",
        partial(edit_lines, how=insert_below, chosen=lambda line: len(line) > _LONG),
        "more",
    ),
    _kind("line_between", "a notice stands between any lines", partial(edit_lines, how=insert_above)),
    _kind(
        "line_above_heading",
        "a notice stands above a heading",
        partial(edit_lines, how=insert_above, chosen=is_heading),
    ),
    _kind(
        "element_of_notice",
        "a notice stands in an element",
        partial(tags, pattern=_CLOSING, how=lambda found, random: f"{found[0]}<p>{random.choice(TRAILERS)}</p>"),
    ),
    _kind("print_pages", "head and foot of printed pages stand between lines", print_pages),
    # headings
    _kind("day_lost", "the heading of a day is lost", partial(head, of=looks_like_day, how=""), "less context"),
    _kind("slot_lost", "the line of a slot is lost", partial(head, of=is_slot, how=""), "less context"),
    _kind("session_lost", "the heading of a session is lost", partial(head, of=_is_session, how=""), "less context"),
    _kind(
        "day_unread",
        "the heading of a day in words",
        partial(head, of=looks_like_day, how=("Day the Third", "The day after", "Mi., 24. September")),
        "less",
    ),
    _kind(
        "slot_unread",
        "the line of a slot in words",
        partial(head, of=is_slot, how=("Late morning", "11 o'clock", "[tba]")),
        "less",
    ),
    _kind(
        "session_unread",
        "the heading of a session in another form",
        partial(head, of=_is_session, how=("== Block C ==", "3C / Networks", "C3.")),
        "less",
    ),
    # JSON
    _kind("key_doubled", "a key is there twice", double_key),
    _kind("value_null", "a value is null", partial(of_json, sought=is_leaf, how=set_null), "null less"),
    _kind("value_empty", "a value is an empty text", partial(of_json, sought=is_leaf, how=set_empty), "null less"),
    _kind(
        "number_as_text",
        "a number is a text",
        partial(of_json, sought=lambda _, value: type(value) is int, how=set_text),
    ),
    _kind(
        "list_as_object",
        "a list is an object",
        partial(of_json, sought=lambda _, value: isinstance(value, list) and bool(value), how=set_object),
    ),
    _kind("value_nested", "a value is in an object", partial(of_json, sought=is_leaf, how=set_nested)),
    _kind(
        "key_renamed",
        "a key is renamed once",
        partial(of_json, sought=lambda key, _: isinstance(key, str), how=rename_key),
    ),
    _kind("keys_renamed", "a key is renamed everywhere", rename_keys),
    _kind("entry_lost", "an entry is missing", partial(of_json, sought=is_entry, how=lose_entry), "less"),
    _kind("entry_doubled", "an entry is there twice", partial(of_json, sought=is_entry, how=double_entry)),
    _kind(
        "entry_changed",
        "an entry is there again with another title",
        partial(of_json, sought=is_entry, how=change_entry),
    ),
    # tables and names
    _kind("cells_swapped", "two cells are swapped in one row", partial(tags, pattern=_CELLS, how=swap_cells)),
    _kind("columns_swapped", "two columns are swapped", partial(tags, pattern=_CELLS, how=swap_cells, once=False)),
    _kind("cells_merged", "two cells are merged", partial(tags, pattern=_CELLS, how=merge_cells)),
    _kind("bars_swapped", "two cells of a text are swapped", partial(swap_bars, once=True)),
    _kind(
        "names_turned",
        "all names as Last, First",
        partial(turn_people, how=last_first, pattern=_PEOPLE, once=False),
        fold=sorted_words,
    ),
    _kind(
        "name_turned",
        "the names of one place as Last, First",
        partial(turn_people, how=last_first, pattern=_PEOPLE, once=True),
        fold=sorted_words,
    ),
    _kind(
        "names_semicolons",
        "semicolons between names",
        partial(turn_people, how=with_semicolons, pattern=_NAMES, once=False),
        fold=sorted_words,
    ),
    _kind("names_and", "'and' between names", partial(turn_people, how=with_and, pattern=_NAMES, once=True)),
    # forms of a text
    _kind(
        "escaped_marks",
        "Markdown is escaped",
        partial(of_lines, how=lambda line, _: re.sub(r"([*_#\[\]])", r"\\\1", line)),
        fold=lambda text: text.replace("\\", ""),
        fold=sorted_words,
    ),
    _kind("crlf", "line ends of Windows", lambda page, _: page.text.replace("\n", "\r\n")),
    _kind("cr", "line ends of old machines", lambda page, _: page.text.replace("\n", "\r")),
    _kind("indented", "all lines are indented", partial(of_lines, how=lambda line, _: f"    {line}")),
    _kind("tabs", "tabs in front of all lines", partial(of_lines, how=lambda line, _: f"\t{line}")),
    _kind("bullets", "list marks in front of all lines", partial(of_lines, how=lambda line, _: f"* {line}")),
    _kind(
        "numbered",
        "numbers in front of all lines",
        partial(of_lines, how=lambda line, number: f"{number}: {line}", blank=True),
    ),
    _kind(
        "quoted", "quote marks in front of all lines", partial(of_lines, how=lambda line, _: f"> {line}", blank=True)
    ),
    _kind("shortened", "long texts end with an ellipsis", shorten, "less"),
)
