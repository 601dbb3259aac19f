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
their affiliations, each on its line, by the link at the end of its title, or as names and title in turn. The blank line
below an abstract is not always printed. The lines of a talk are read by ``talks``.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from parsers._lines import Lines
from parsers.easychair.blocks import ABSTRACT, POINT, SENTENCE_ENDS, is_prose, opens_text
from parsers.easychair.people import could_be_names, is_affiliated_name, is_name, split_people

_PRESENTER: Final = re.compile(r"(?:SPEAKER|PRESENTER):\s*\S")
_LINKED: Final = re.compile(r".*\(\s?abstract(?:\s?, [a-z ,]{1,40})?\s?\)", re.IGNORECASE)


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
    blocks = list(_cut_blocks(lines, list(_blocks(lines, start, stop))))
    for place, (first, last) in enumerate(blocks):
        texts = _texts(lines, first, last)
        size = next((at for at, text in enumerate(texts) if opens_text(text)), len(texts))
        below = lines[blocks[place + 1][0]].strip() if place + 1 < len(blocks) else ""
        followed = size < len(texts) or opens_text(below)
        heads = _split_block(texts[:size])
        if heads is None:
            # An abstract without a head of its own begins a talk too, or the one above would own it.
            heads = [0 if found else _end_of_prose(texts[:size])]
            heads = heads if followed and (size or above.startswith(ABSTRACT)) else []
        found += [first + at for at in heads]
        above = texts[0]
    return found


def _cut_blocks(lines: Lines, blocks: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Cut blocks where a head follows the end of an abstract, or a presenter, on the next line.

    Paragraphs of an abstract stand on one line each, with a blank line between them: what stands below one without a
    blank line is the head of the next talk, where a presenter or an abstract follows it or it shows itself.
    """
    in_abstract = False
    for place, (first, last) in enumerate(blocks):
        below = lines[blocks[place + 1][0]].strip() if place + 1 < len(blocks) else ""
        texts = _texts(lines, first, last)
        cut = 0
        if texts[0].startswith(ABSTRACT) or (in_abstract and _is_paragraph(texts)):
            cut = next((at for at, text in enumerate(texts) if at and not POINT.match(text)), 0)
        if cut and not (opens_text(below) or any(map(opens_text, texts[cut:])) or _split_block(texts[cut:])):
            cut = 0
        starts = {0, cut} | {at + 1 for at, text in enumerate(texts[:-1]) if at > cut and _PRESENTER.match(text)}
        for begin, end in pairwise((*sorted(starts), len(texts))):
            yield first + begin, first + end - 1
        in_abstract = in_abstract or any(text.startswith(ABSTRACT) for text in texts)


def _end_of_prose(texts: list[str]) -> int:
    """Return where the head of the first talk begins: free text can stand on the lines directly above it."""
    count = 0
    while count < len(texts) - 1 and is_prose(texts[count]) and not _begins_head(texts[count]):
        count += 1
    return count


def _begins_head(text: str) -> bool:
    """Say whether a line lists authors."""
    return is_affiliated_name(text) or _are_names(text)


def _split_block(texts: list[str]) -> list[int] | None:
    """Return where in a block each head begins; None where it is not made of heads, nor of names and titles in turn."""
    found = _find_heads(texts)
    if found is None and len(texts) % 2 == 0 and all(map(_are_names, texts[::2])):
        return list(range(0, len(texts), 2)) or None
    return found


def _find_heads(texts: list[str]) -> list[int] | None:
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


def _is_paragraph(texts: list[str]) -> bool:
    """Say whether a block begins with a paragraph or a list, not with the authors of the next talk."""
    first, *others = texts
    if POINT.match(first):
        return True
    if _begins_head(first):
        return False
    return is_prose(first) or (first.endswith(SENTENCE_ENDS) and len(others) > 1 and _are_names(others[0]))


def _are_names(text: str) -> bool:
    """Say whether a line is a list of names and nothing else."""
    return all(map(is_name, split_people(text)))


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
