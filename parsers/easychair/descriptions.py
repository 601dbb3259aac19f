"""The free text of a session in a text dump: blocks of lines between its details and its first talk.

```
(blank)
What we do in this session:
(blank)
  • We slice.
(blank)
```

What is understood is returned with its line numbers; nothing is claimed here. Labels, rooms and chairs are read in
``details``.
"""

from parsers._lines import Lines
from parsers.easychair.blocks import DETAIL_LABEL, SENTENCE_ENDS, opens_text, read_point


def find_label_below(lines: Lines, start: int, stop: int) -> int | None:
    """Return the label of a room or of chairs that follows the free text of a session, as some years print it.

    One blank line sets it off; where there are none or two, the heading of another session is lost above it.
    """
    texts = dict(lines.texts(start, stop))
    if start in texts and not is_point(lines, start):
        return None
    for number, text in texts.items():
        if opens_text(text):
            return None
        if DETAIL_LABEL.fullmatch(text):
            is_set_off = is_point(lines, number - 1) or (number - 1 not in texts and number - 2 in texts)
            return number if is_set_off else None
    return None


def is_point(lines: Lines, number: int) -> bool:
    """Say whether a line is a point of a list, which free text alone holds."""
    return read_point(lines[number]) != lines[number].strip()


def read_description(lines: Lines, start: int, stop: int, *, whole: bool) -> list[tuple[int, str]]:
    """Read free text between the details and the first talk: blocks of lines that blank lines set off.

    Also the last block where it is known that nothing else can stand there (``whole``).
    """
    found: list[tuple[int, str]] = []
    block: list[tuple[int, str]] = []
    for number in range(start, stop + 1):
        text = lines[number].strip()
        if DETAIL_LABEL.fullmatch(text):
            return found
        if text:
            block.append((number, read_point(lines[number])))
        else:
            found += _free_text(lines, block)
            block = []
    if whole or stop == lines.last or all(is_point(lines, number) for number, _ in block):
        found += _free_text(lines, block)
    return found


def _free_text(lines: Lines, block: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines of a block that are free text; one among others must begin or end like a line of its own.

    A point of a list is one, whatever it says.
    """
    if len(block) == 1:
        return block
    return [
        (number, text)
        for number, text in block
        if not text[0].islower() or text.endswith(SENTENCE_ENDS) or is_point(lines, number)
    ]
