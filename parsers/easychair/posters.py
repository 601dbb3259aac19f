"""Where the talks of a session begin that are printed without a time, as posters are.

```
10:30-11:30 Session 2: Posters
Location: Foyer
Anna Vell (Moor University, Esteria)
Slicing at scale
(blank)
ABSTRACT. How to slice.
(blank)
J. Spelt (Mill Institute, Norland)
Thin slices
```

What stands above a presenter or an abstract is the head of a talk; a head without either shows itself by authors with
their affiliations, each on its line, or by the link at the end of its title. The lines of a talk are read by ``talks``.
"""

import re
from collections.abc import Iterator
from typing import Final

from parsers._lines import Lines
from parsers.easychair.blocks import ABSTRACT, opens_text
from parsers.easychair.people import could_be_names, is_affiliated_name

_LINKED: Final = re.compile(r".*\(\s?abstract\s?\)", re.IGNORECASE)


def find_untimed(lines: Lines, start: int, stop: int) -> list[int]:
    """Return the first line of each talk between the details of a session, which end above ``start``, and ``stop``.

    Free text of a session stands below a blank line: without a presenter or an abstract anywhere, only what follows
    the details directly is a talk.
    """
    if start > stop:
        return []
    opened = any(opens_text(text) for _, text in lines.texts(start, stop))
    if not opened and not (lines[start].strip() and _split_block(_texts(lines, start, _block_end(lines, start, stop)))):
        return []
    found: list[int] = []
    above = ABSTRACT
    blocks = list(_blocks(lines, start, stop))
    for place, (first, last) in enumerate(blocks):
        texts = _texts(lines, first, last)
        size = next((at for at, text in enumerate(texts) if opens_text(text)), len(texts))
        below = lines[blocks[place + 1][0]].strip() if place + 1 < len(blocks) else ""
        followed = size < len(texts) or opens_text(below)
        heads = _split_block(texts[:size])
        if heads is None:
            # An abstract without a head of its own begins a talk too, or the one above would own it.
            heads = [0] if followed and (size or above.startswith(ABSTRACT)) else []
        found += [first + at for at in heads]
        above = texts[0]
    return found


def _split_block(texts: list[str]) -> list[int] | None:
    """Return where in a block each head begins; None where the block is not made of heads that show themselves."""
    starts: list[int] = []
    at = 0
    while at < len(texts):
        title = _find_title(texts, at)
        if title is None:
            return None
        starts.append(at)
        at = title + 1
    return starts or None


def _find_title(texts: list[str], at: int) -> int | None:
    """Return the place of the title of the head that begins at ``at``; None where none shows itself."""
    title = at
    while title < len(texts) and is_affiliated_name(texts[title]):
        title += 1
    if title > at:
        return title if title < len(texts) else None
    if _LINKED.fullmatch(texts[at]):
        return at
    return at + 1 if at + 1 < len(texts) and _LINKED.fullmatch(texts[at + 1]) and could_be_names(texts[at]) else None


def _blocks(lines: Lines, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each run of lines that are not blank."""
    number = start
    while number <= stop:
        if lines[number].strip():
            last = _block_end(lines, number, stop)
            yield number, last
            number = last
        number += 1


def _block_end(lines: Lines, number: int, stop: int) -> int:
    """Return the last line of the block in which a line stands."""
    while number < stop and lines[number + 1].strip():
        number += 1
    return number


def _texts(lines: Lines, first: int, last: int) -> list[str]:
    """Return the stripped lines of a block."""
    return [lines[number].strip() for number in range(first, last + 1)]
