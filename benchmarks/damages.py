"""The kinds of damage that ``benchmarks.damage`` does to dumps, each with what happens in reality.

A kind is a pure function of a page and a seeded ``Random`` that returns the damaged text or bytes, None where it does
not apply. ``allows`` says which differences are true to a damaged page: all others must be told. Judging does not
belong here.

``less``     what was taken out is missing, with the records whose titles it held
``more``     what was put in stands in a free text
``other``    what was put in stands in place of what was taken out
``context``  records below a heading that is gone have day, time, room and session of what stands above them
``swap``     within a text, what was put in stands in place of what was taken out
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


class Sheet(NamedTuple):
    """A page to damage: its text, its form (text, markup or json), and the text of another page of its source."""

    text: str
    form: str
    other: str | None = None


Damage = Callable[[Sheet, Random], str | bytes | None]
How = Callable[[re.Match[str], Random], str]
_TAG: Final = r"<[^<>]*>"
_HIDDEN: Final = r"(?:<!--.*?-->|<script\b.*?</script>|<style\b.*?</style>)"
_UNSEEN: Final = re.compile(rf"{_HIDDEN}|{_TAG}", re.DOTALL | re.IGNORECASE)
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"(?!\s*:)')
_TIME: Final = r"(?<![\d:.T])([01]?\d|2[0-3]):([0-5]\d)(?![\d:]|\s?[ap]\.?m)"
_RANGE: Final = rf"({_TIME})\s?[-–—]\s?(?={_TIME})"
_DATE: Final = (
    rf"(?:({MONTH})\.? (\d{{1,2}})(?!\d)(?:st|nd|rd|th)?|(?<![\d–-])(\d{{1,2}})(?:st|nd|rd|th)? ({MONTH}))"
    r"(?![–-])(?:,? (20\d\d))?"
)
_SESSION: Final = r"(?m)^\W*(?:Session|Keynote|Track|Panel)\b.*$"
_WORD: Final = (
    r"(?!Univ|Lab|Inst|National|Cent|Research|Comput|Data|Stat|Phys|Cosm|Soft|Hard|Net|Perf|Learn)[A-Z][\w.'’-]*"
)
_NAME: Final = rf"{_WORD}(?: (?:(?:de|da|di|la|van|von|der) )*{_WORD}){{1,3}}"
_NAMES: Final = rf"(?<![\w'’-]){_NAME}(?:, {_NAME}){{2,}}(?![\w'’-])"
_PEOPLE: Final = rf"(?m)(?<=name\": \"){_NAME}$|(?<=person\">){_NAME}$|^{_NAME}(?= \()|{_NAMES}"
_COUNT: Final = r"(?i)(?<=total of )\d+|(?<=showing )\d+(?= of)|(?<=of )\d+(?= (?:entries|results|papers|talks)\b)"
_WEEKDAY: Final = rf"(?i)\b{WEEKDAY}(?=,? (?:\d|{MONTH}))"
_DAYS: Final = ("Day the Third", "The day after", "Mi., 24. September")
_SLOTS: Final = ("Late morning", "11 o'clock", "[tba]")
_SESSIONS: Final = ("== Block C ==", "3C / Networks", "C3.")
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
def seen(page: Sheet) -> tuple[tuple[int, int], ...]:
    """Return where text stands that people see: between tags, within values of JSON; for text, all of it."""
    if page.form == "json":
        return tuple(found.span(1) for found in _STRING.finditer(page.text))
    if page.form == "text":
        return ((0, len(page.text)),)
    ends = [0, *(place for found in _UNSEEN.finditer(page.text) for place in found.span()), len(page.text)]
    return tuple((start, end) for start, end in zip(ends[::2], ends[1::2], strict=True) if start < end)


def find(page: Sheet, pattern: str) -> list[re.Match[str]]:
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


def replace(page: Sheet, random: Random, *, pattern: str, how: How | str, once: bool = False) -> str | None:
    """Replace what a pattern matches in what people see, everywhere or in one place."""
    found = find(page, pattern)
    chosen = [random.choice(found)] if once and found else found
    made = [each.expand(how) if isinstance(how, str) else how(each, random) for each in chosen]
    return put(page.text, [(*each.span(), piece) for each, piece in zip(chosen, made, strict=True)])


def turn(page: Sheet, _: Random, *, how: Callable[[str], str]) -> str | None:
    """Change all that people see."""
    return put(page.text, [(start, end, how(page.text[start:end])) for start, end in seen(page)])


def cut(page: Sheet, random: Random, *, pattern: str) -> str | None:
    """End the page behind a match of a pattern, between a tenth and nine tenths of it."""
    low, high = len(page.text) // 10, len(page.text) * 9 // 10
    ends = [found.end() for found in re.finditer(pattern, page.text) if low < found.end() < high]
    return page.text[: random.choice(ends)] if ends else None


def cut_bytes(page: Sheet, random: Random) -> bytes:
    """End the page at any byte."""
    data = page.text.encode()
    return data[: random.randint(len(data) // 10, len(data) * 9 // 10)]


def cut_character(page: Sheet, random: Random) -> bytes | None:
    """End the page within a character."""
    places = [place for place, letter in enumerate(page.text) if ord(letter) > 127]
    return page.text[: random.choice(places) + 1].encode()[:-1] if places else None


def cut_head(page: Sheet, random: Random) -> str | None:
    """Lose the beginning, up to a line."""
    lines = page.text.split("\n")
    return "\n".join(lines[random.randint(1, len(lines) // 4) :]) if len(lines) > 8 else None


def cut_hole(page: Sheet, random: Random) -> str:
    """Lose a stretch of the middle."""
    start, length = random.randrange(len(page.text) // 10, len(page.text) * 8 // 10), len(page.text) // 20
    return page.text[:start] + page.text[start + random.randint(20, max(length, 40)) :]


def drop_blank_lines(page: Sheet, _: Random) -> str | None:
    """Drop all blank lines of a text."""
    made = re.sub(r"\n\s*\n+", "\n", page.text)
    return None if page.form != "text" or made == page.text else made


Lines = Callable[[list[str], int, Random], None]


def edit_lines(page: Sheet, random: Random, *, how: Lines, chosen: Callable[[str], bool] = bool) -> str | None:
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


def of_lines(page: Sheet, random: Random, *, how: Callable[[str, int], str], blank: bool = False) -> str | None:
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


def join_paragraphs(page: Sheet, _: Random) -> str | None:
    """Join the lines of each paragraph."""
    made = re.sub(r"(?<=\S)\n(?=\S)", " ", page.text)
    return made if page.form == "text" and "\n\n" in page.text and made != page.text else None


def print_pages(page: Sheet, _: Random) -> str | None:
    """Put head and foot of a printed page between lines."""
    lines = page.text.split("\n")
    if page.form != "text" or len(lines) < 60:
        return None
    for number, at in reversed(list(enumerate(range(45, len(lines), 45), 1))):
        lines[at:at] = [f"Page {number} of {len(lines) // 45 + 1}", "Programme - printed 3 March 2026, 14:02"]
    return "\n".join(lines)


_OPENING: Final = r"<(?:div|span|td|tr|h[1-6]|p|a|li|ul|dd|dt|table|entry|title|item)\b[^<>]*>"
_CLOSING: Final = r"</(?:div|span|td|tr|h[1-6]|p|a|li|ul|dd|dt|table|entry|title|item)>"
_ATTRIBUTE: Final = r"\b(?:class|id|href|data-[\w-]+)(?==\")"
_ELEMENT: Final = r"<(div|span|td|tr|h[1-6]|p|li|dd|dt)\b[^<>]*>(?:(?!</?\1\b).){3,3000}?</\1>"


def tags(page: Sheet, random: Random, *, pattern: str, how: How, once: bool = True) -> str | None:
    """Change the tags or elements that a pattern matches in the middle of a page."""
    low, high = len(page.text) // 8, len(page.text) * 7 // 8
    found = [each for each in re.finditer(pattern, page.text, re.DOTALL) if once is False or low < each.start() < high]
    if page.form != "markup" or not found:
        return None
    chosen = [random.choice(found)] if once else found
    return put(page.text, [(*each.span(), how(each, random)) for each in chosen])


def rename_class(page: Sheet, random: Random) -> str | None:
    """Rename a class everywhere."""
    names = sorted({name for each in re.findall(r'class="([^"]+)"', page.text) for name in each.split()})
    if page.form != "markup" or not names:
        return None
    name = random.choice(names)
    return re.sub(rf'(class="(?:[^"]*\s)?){re.escape(name)}(?=[\s"])', rf"\1x-{name}-v2", page.text)


def rename_tag(page: Sheet, random: Random) -> str | None:
    """Use another element everywhere."""
    found = sorted(set(re.findall(r"<(div|span|h[1-6]|p|li|dd|dt|strong|b)\b", page.text)))
    if page.form != "markup" or not found:
        return None
    return re.sub(rf"(</?){random.choice(found)}\b", r"\1section", page.text)


def twice(page: Sheet, _: Random) -> str | None:
    """Append the page to itself."""
    return f"{page.text}\n{page.text}"


def with_half(page: Sheet, random: Random, *, before: bool) -> str | None:
    """Append or prepend half of another page, from or up to a line."""
    if page.other is None:
        return None
    lines = page.other.split("\n")
    middle = len(lines) * random.randint(40, 60) // 100
    return "\n".join([*lines[:middle], page.text] if before else [page.text, *lines[middle:]])


def as_latin(page: Sheet, _: Random) -> bytes | None:
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


def insert_letter(page: Sheet, random: Random, *, letter: str) -> str | None:
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


def other_year(page: Sheet, random: Random) -> str | None:
    """Print another year in all dates."""
    years = sorted({found[0] for found in find(page, r"\b20[012]\d\b")})
    if not years:
        return None
    year = random.choice(years)
    return replace(page, random, pattern=rf"\b{year}\b", how=str(int(year) + random.choice((-3, -1, 1, 2))))


def relabel(page: Sheet, random: Random, *, once: bool, lost: bool = False) -> str | None:
    """Rename or lose one of the labels, in one place or everywhere."""
    there = [label for label in LABELS if find(page, rf"\b{label}(?:\(s\))?\s*[:.]")]
    if page.form == "json" or not there:
        return None
    label = random.choice(there)
    how = "" if lost else f"{LABELS[label]}:"
    return replace(page, random, pattern=rf"\b{label}(?:\(s\))?\s*[:.]", how=how, once=once)


def is_short(line: str) -> bool:
    """True if a line is a heading, name or title rather than a text."""
    return len(line) < 60


def is_long(line: str) -> bool:
    """True if a line is a text."""
    return len(line) > _LONG


def is_slot(line: str) -> bool:
    """True if a line begins with a time."""
    return begins_with_time(line) and len(line) < 80


def is_session(line: str) -> bool:
    """True if a line looks like the heading of a session."""
    return re.match(_SESSION, line) is not None


def is_heading(line: str) -> bool:
    """True if a line looks like the heading of a day, a slot or a session."""
    return is_slot(line) or looks_like_day(line) or is_session(line)


def head(
    page: Sheet, random: Random, *, of: Callable[[str], bool], how: Sequence[str] = ("",), once: bool = True
) -> str | None:
    """Lose a heading of a kind or print it in another form; all of them alike unless once."""
    if page.form == "json":
        return None
    found = [each for each in find(page, r"(?m)^[^\n]*\S[^\n]*$") if of(each[0].strip())]
    chosen = [random.choice(found)] if once and found else found
    made = random.choice(how)
    return put(page.text, [(*each.span(), made) for each in chosen])


def with_notice(found: re.Match[str], random: Random) -> str:
    """Put an element of something else behind a tag."""
    return f"{found[0]}<p>{random.choice(TRAILERS)}</p>"


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
    page: Sheet, random: Random, *, sought: Callable[[Any, Any], bool], how: Callable[[Any, Any, Random], None]
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


def keys_of(page: Sheet) -> list[str]:
    """Return the keys of a JSON page, none of any other."""
    data = json.loads(page.text) if page.form == "json" else None
    return sorted({key for _, key in places(data, lambda key, _: isinstance(key, str))})


def lose_keys(page: Sheet, random: Random) -> str | None:
    """Lose a key everywhere, with its values."""
    name = random.choice(keys_of(page) or [""])
    data = json.loads(page.text) if name else None
    for holder, key in places(data, lambda key, _: key == name):
        del holder[key]
    return write_json(data) if name else None


def lose_fields(page: Sheet, random: Random) -> str | None:
    """Lose all lines, or elements, that begin with one of the labels."""
    there = [label for label in LABELS if find(page, rf"(?m)^\W*{label}(?:\(s\))?\s*[:.]")]
    if page.form == "json" or not there:
        return None
    pattern = rf"(?m)^\W*{random.choice(there)}(?:\(s\))?\s*[:.][^\n]*(?:\n|$)"
    return replace(page, random, pattern=pattern, how="")


def rename_keys(page: Sheet, random: Random) -> str | None:
    """Rename a key everywhere."""
    names = keys_of(page)
    if not names:
        return None
    return re.sub(rf'"{re.escape(random.choice(names))}"(?=\s*:)', '"renamedKey"', page.text)


def double_key(page: Sheet, random: Random) -> str | None:
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


def swap_bars(page: Sheet, random: Random) -> str | None:
    """Swap the first two cells that bars separate, in one line."""
    pattern = r"(?m)^(\|?)([^|\n]*\w[^|\n]*)\|([^|\n]*\w[^|\n]*)(?=\||$)"
    return replace(page, random, pattern=pattern, how=r"\1\3|\2", once=True) if page.form == "text" else None


def last_first(found: re.Match[str], _: Random) -> str:
    """Return one or more names as Last, First; Last, First."""
    parted = [name.rpartition(" ") for name in found[0].split(", ")]
    return "; ".join(f"{last}, {first}" for first, _blank, last in parted)


def with_and(found: re.Match[str], _: Random) -> str:
    """Return a list of names with ``and`` between all."""
    return found[0].replace(", ", " and ")


def with_semicolons(found: re.Match[str], _: Random) -> str:
    """Return a list of names with semicolons."""
    return found[0].replace(", ", "; ")


def shorten(page: Sheet, random: Random) -> str | None:
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
    """Return a text without references, however often escaped, and without tags."""
    return re.sub(r"<[^<>]*>", " ", html.unescape(html.unescape(text)))


def hyphenate(seen: str) -> str:
    """Put soft hyphens into long words."""
    return re.sub(r"(?<![\w&;/\\.:])([a-z]{5})([a-z]{4,})(?![\w/.:@])", "\\1\u00ad\\2", seen)


def let_break(seen: str) -> str:
    """Put zero-width blanks behind the slashes and hyphens of compounds."""
    return re.sub(r"(?<=[A-Za-z])([-/])(?=[A-Za-z])", "\\1\u200b", seen)


def ask(seen: str) -> str:
    """Return a text with question marks in place of all that is not ASCII."""
    return unicodedata.normalize("NFC", seen).encode("ascii", "replace").decode()


def escape(seen: str) -> str:
    """Escape what would be a mark in Markdown."""
    return re.sub(r"([*_#\[\]])", r"\\\1", seen)


def without_escapes(seen: str) -> str:
    """Return a text without backslashes."""
    return seen.replace("\\", "")


def not_json(damage: Damage) -> Damage:
    """Do a damage that would make JSON another language to pages alone."""
    return lambda page, random: None if page.form == "json" else damage(page, random)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of damage: what happens in reality, its function, and what is true to a page damaged by it.

    ``fold`` takes from a value what the damage changes within it: values that are then equal are as printed.
    """

    name: str
    what: str
    damage: Damage
    allows: str = ""
    fold: Callable[[str], str] | None = None


def every(pattern: str, how: How | str) -> Damage:
    """Replace what people see everywhere."""
    return partial(replace, pattern=pattern, how=how)


def once(pattern: str, how: How | str) -> Damage:
    """Replace what people see in one place."""
    return partial(replace, pattern=pattern, how=how, once=True)


def text(how: Callable[[str], str]) -> Damage:
    """Change all that people see."""
    return partial(turn, how=how)


def line(how: Lines, chosen: Callable[[str], bool] = bool) -> Damage:
    """Edit the lines at one of those that are chosen."""
    return partial(edit_lines, how=how, chosen=chosen)


def lines(how: Callable[[str, int], str], *, blank: bool = False) -> Damage:
    """Change each line of a text."""
    return partial(of_lines, how=how, blank=blank)


def tag(pattern: str, how: Callable[[str], str]) -> Damage:
    """Change one tag or element."""
    return partial(tags, pattern=pattern, how=lambda found, _: how(found[0]))


def value(sought: Callable[[Any, Any], bool], how: Callable[[Any, Any, Random], None]) -> Damage:
    """Change one value of JSON."""
    return partial(of_json, sought=sought, how=how)


KINDS: Final = (
    # truncation
    Kind("cut_byte", "the transfer ends anywhere", cut_bytes, "less"),
    Kind("cut_character", "the transfer ends within a character", cut_character, "less"),
    Kind("cut_line", "the file ends behind a line", partial(cut, pattern=r"\n"), "less"),
    Kind("cut_element", "the file ends behind an element", partial(cut, pattern=r"</\w+>|\},?\n"), "less"),
    Kind("cut_tag", "the file ends within a tag", partial(cut, pattern=r"</?\w+ ?"), "less"),
    Kind("cut_head", "the beginning is missing", cut_head, "less context"),
    Kind("cut_hole", "a stretch of the middle is missing", cut_hole, "less context"),
    # lines
    Kind("line_lost", "a line is lost", line(lose_line), "less context"),
    Kind("short_line_lost", "a name or title is lost", line(lose_line, is_short), "less context"),
    Kind("line_doubled", "a line is printed twice", line(double_line), "more again"),
    Kind("lines_swapped", "two lines are swapped", line(swap_lines), "order context"),
    Kind("lines_joined", "a line end is lost", line(join_lines)),
    Kind("block_lost", "some lines are lost", line(lose_block), "less context"),
    Kind("block_doubled", "some lines are pasted twice", line(double_block), "more again"),
    Kind("block_moved", "some lines are pasted elsewhere", line(move_block), "less context order"),
    Kind("blanks_lost", "an editor drops blank lines", drop_blank_lines),
    Kind("blanks_doubled", "an editor puts blank lines between all", lines(lambda each, _: f"{each}\n")),
    Kind("wrapped_60", "a mail wraps lines", lines(lambda each, _: wrap(each, 60))),
    Kind("wrapped_80", "a terminal wraps lines", lines(lambda each, _: wrap(each, 80))),
    Kind("paragraphs_joined", "a program joins the lines of paragraphs", join_paragraphs),
    # elements
    Kind("opening_lost", "a template forgets an opening tag", tag(_OPENING, lambda _: "")),
    Kind("closing_lost", "a template forgets a closing tag", tag(_CLOSING, lambda _: "")),
    Kind("tag_doubled", "a template opens an element twice", tag(_OPENING, lambda found: found * 2)),
    Kind("element_lost", "an element is removed with all in it", tag(_ELEMENT, lambda _: ""), "less context"),
    Kind("element_doubled", "an element is there twice", tag(_ELEMENT, lambda found: found * 2), "more again"),
    Kind("element_hidden", "an element is a comment", tag(_ELEMENT, lambda found: f"<!-- {found} -->"), "less context"),
    Kind("attribute_renamed", "an attribute is renamed once", tag(_ATTRIBUTE, lambda found: f"data-x-{found}")),
    Kind("class_changed", "a class is renamed once", tag(r"(?<=\bclass=\")[^\"]+", lambda found: f"x-{found}")),
    Kind("class_renamed", "a class is renamed everywhere", rename_class),
    Kind("tag_renamed", "another element is used everywhere", rename_tag),
    # documents
    Kind("page_twice", "the page is saved twice into one file", twice),
    Kind("another_behind", "half of another page stands behind this one", partial(with_half, before=False), "twice"),
    Kind("another_before", "half of another page stands before this one", partial(with_half, before=True), "twice"),
    # letters
    Kind("latin_bytes", "an editor saves as Windows-1252", as_latin),
    Kind("utf_16", "an editor saves as UTF-16", lambda page, _: page.text.encode("utf-16")),
    Kind("byte_order_mark", "an editor puts a mark in front", lambda page, _: codecs.BOM_UTF8 + page.text.encode()),
    Kind("garbled", "UTF-8 is read as Windows-1252", text(garble), fold=only_ascii),
    Kind("garbled_twice", "the same, twice", text(lambda seen: garble(garble(seen))), fold=only_ascii),
    Kind("question_marks", "other letters than ASCII become question marks", text(ask), fold=without_accents),
    Kind("decomposed", "accents stand beside their letters", text(partial(unicodedata.normalize, "NFD"))),
    Kind("escaped_twice", "references are escaped twice", text(partial(html.escape, quote=False)), fold=unescape),
    Kind("zero_byte", "the file has a NUL byte", partial(insert_letter, letter="\0")),
    Kind("control_letter", "a word has a control character", partial(insert_letter, letter="\x07")),
    Kind("lost_letter", "a word has a replacement", partial(insert_letter, letter="\ufffd"), fold=without_accents),
    Kind("soft_hyphens", "long words have soft hyphens", text(hyphenate), fold=without_format),
    Kind("zero_widths", "zero-width blanks stand in compounds", text(let_break), fold=without_format),
    Kind("fixed_blanks", "all blanks are no-break spaces", text(lambda seen: seen.replace(" ", "\xa0"))),
    Kind("curly_quotes", "quotes are typographic", not_json(text(curl)), fold=straighten),
    Kind("upper_case", "all letters are capitals", not_json(text(str.upper)), fold=str.casefold),
    # times and dates
    Kind("times_h", "all times as 11h00", every(_TIME, r"\1h\2"), "swap"),
    Kind("time_h", "one time as 11h00", once(_TIME, r"\1h\2"), "swap"),
    Kind("times_dotted", "all times as 11.00", every(_TIME, r"\1.\2"), "swap"),
    Kind("time_dotted", "one time as 11.00", once(_TIME, r"\1.\2"), "swap"),
    Kind("times_am_pm", "all times as 2:30 PM", every(_TIME, as_half_day), "swap"),
    Kind("time_am_pm", "one time as 2:30 PM", once(_TIME, as_half_day), "swap"),
    Kind("times_zoned", "all times with their zone", every(_TIME, r"\g<0> CEST"), "swap"),
    Kind("time_zoned", "one time with its zone", once(_TIME, r"\g<0> CEST"), "swap"),
    Kind("ranges_to", "all ranges with 'to'", every(_RANGE, r"\1 to "), "swap"),
    Kind("range_to", "one range with 'to'", once(_RANGE, r"\1 to "), "swap"),
    Kind("ranges_dashed", "all ranges with a dash", every(_RANGE, r"\1–"), "swap"),
    Kind("dates_in_numbers", "all dates in numbers", every(_DATE, as_numbers), "swap"),
    Kind("date_in_numbers", "one date in numbers", once(_DATE, as_numbers), "swap"),
    Kind("day_impossible", "a date is no day of the calendar", once(_DATE, as_impossible), "swap"),
    Kind("month_lost", "a date lacks its month", once(_DATE, without_month), "swap"),
    Kind("weekday_wrong", "a date has another weekday", once(_WEEKDAY, as_other_weekday), "swap"),
    Kind("year_changed", "a page is copied from another year", other_year, "other"),
    # labels and counts
    Kind("label_renamed", "a label is another word once", partial(relabel, once=True), "swap"),
    Kind("labels_renamed", "a label is another word everywhere", partial(relabel, once=False), "swap"),
    Kind("label_lost", "a label is missing once", partial(relabel, once=True, lost=True), "swap"),
    Kind("labels_lost", "a label is missing everywhere", partial(relabel, once=False, lost=True), "swap"),
    Kind("count_changed", "a total is another number", once(_COUNT, lambda found, _: str(int(found[0]) + 7)), "other"),
    # lines of something else
    Kind("line_in_record", "a notice stands below a long text", line(insert_below, is_long), "more"),
    Kind("line_between", "a notice stands between any lines", line(insert_above)),
    Kind("line_above_heading", "a notice stands above a heading", line(insert_above, is_heading)),
    Kind("element_of_notice", "a notice stands in an element", partial(tags, pattern=_CLOSING, how=with_notice)),
    Kind("print_pages", "heads and feet of printed pages stand between lines", print_pages),
    # headings
    Kind("day_lost", "the heading of a day is lost", partial(head, of=looks_like_day), "less context"),
    Kind("slot_lost", "the line of a slot is lost", partial(head, of=is_slot), "less context"),
    Kind("session_lost", "the heading of a session is lost", partial(head, of=is_session), "less context"),
    Kind("day_unread", "the heading of a day in words", partial(head, of=looks_like_day, how=_DAYS), "less"),
    Kind("slot_unread", "the line of a slot in words", partial(head, of=is_slot, how=_SLOTS), "less"),
    Kind("session_unread", "a session in another form", partial(head, of=is_session, how=_SESSIONS), "less"),
    # JSON
    Kind("key_doubled", "a key is there twice", double_key),
    Kind("value_null", "a value is null", value(is_leaf, set_null), "null less"),
    Kind("value_empty", "a value is an empty text", value(is_leaf, set_empty), "null less"),
    Kind("number_as_text", "a number is a text", value(lambda _, found: type(found) is int, set_text)),
    Kind("list_as_object", "a list is an object", value(lambda _, found: isinstance(found, list), set_object)),
    Kind("value_nested", "a value is in an object", value(is_leaf, set_nested)),
    Kind("key_renamed", "a key is renamed once", value(lambda key, _: isinstance(key, str), rename_key)),
    Kind("keys_renamed", "a key is renamed everywhere", rename_keys),
    Kind("entry_lost", "an entry is missing", value(is_entry, lose_entry), "less"),
    Kind("entry_doubled", "an entry is there twice", value(is_entry, double_entry)),
    Kind("entry_changed", "an entry is there again with another title", value(is_entry, change_entry)),
    # tables and names
    Kind("cells_swapped", "two cells are swapped", partial(tags, pattern=_CELLS, how=swap_cells)),
    Kind("columns_swapped", "two columns are swapped", partial(tags, pattern=_CELLS, how=swap_cells, once=False)),
    Kind("cells_merged", "two cells are merged", partial(tags, pattern=_CELLS, how=merge_cells)),
    Kind("bars_swapped", "two cells of a text are swapped", swap_bars),
    Kind("names_turned", "all names as Last, First", every(_PEOPLE, last_first), fold=sorted_words),
    Kind("name_turned", "names as Last, First once", once(_PEOPLE, last_first), fold=sorted_words),
    Kind("names_semicolons", "semicolons between names", every(_NAMES, with_semicolons), fold=sorted_words),
    Kind("names_and", "'and' between names once", once(_NAMES, with_and), fold=sorted_words),
    # forms of a text
    Kind("escaped_marks", "Markdown is escaped", lines(lambda each, _: escape(each)), fold=without_escapes),
    Kind("crlf", "line ends of Windows", lambda page, _: page.text.replace("\n", "\r\n")),
    Kind("cr", "line ends of old machines", lambda page, _: page.text.replace("\n", "\r")),
    Kind("indented", "all lines are indented", lines(lambda each, _: f"    {each}")),
    Kind("tabs", "tabs in front of all lines", lines(lambda each, _: f"\t{each}")),
    Kind("bullets", "list marks in front of all lines", lines(lambda each, _: f"* {each}")),
    Kind("numbered", "numbers in front of all lines", lines(lambda each, number: f"{number}: {each}", blank=True)),
    Kind("quoted", "quote marks in front of all lines", lines(lambda each, _: f"> {each}", blank=True)),
    Kind("shortened", "long texts end with an ellipsis", shorten, "less"),
)

_EVERYWHERE: Final = frozenset(
    "blanks_lost blanks_doubled wrapped_60 wrapped_80 paragraphs_joined class_renamed tag_renamed latin_bytes utf_16 "
    "byte_order_mark garbled garbled_twice question_marks decomposed escaped_twice soft_hyphens zero_widths "
    "fixed_blanks curly_quotes upper_case times_h times_dotted times_am_pm times_zoned ranges_to ranges_dashed "
    "dates_in_numbers labels_renamed labels_lost print_pages keys_renamed columns_swapped names_turned "
    "names_semicolons escaped_marks crlf cr indented tabs bullets numbered quoted shortened".split()
)
FORMS: Final = (
    *(kind for kind in KINDS if kind.name in _EVERYWHERE),
    Kind("days_lost", "the headings of all days are lost", partial(head, of=looks_like_day, once=False)),
    Kind("slots_lost", "the lines of all slots are lost", partial(head, of=is_slot, once=False)),
    Kind("sessions_lost", "the headings of all sessions are lost", partial(head, of=is_session, once=False)),
    Kind("slots_unread", "all slots in words", partial(head, of=is_slot, how=_SLOTS, once=False)),
    Kind("sessions_unread", "all sessions in another form", partial(head, of=is_session, how=_SESSIONS, once=False)),
    Kind("fields_lost", "a labelled field is dropped everywhere", lose_fields),
    Kind("keys_lost", "a key is dropped everywhere", lose_keys),
)
"""What a change of a site's form does: the damages that change a page everywhere, and some that only nights judge."""
