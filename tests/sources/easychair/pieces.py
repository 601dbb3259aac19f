"""Text in pieces, as some extractors print small pages: links, labels, joints on lines of their own; no blank lines."""

import re
from collections.abc import Collection, Iterator

CUTS = {
    "PROGRAMAUTHORSKEYWORDS": ["PROGRAM", "AUTHORS", "KEYWORDS"],
    "Disclaimer | Powered by EasyChair Smart Program": ["Disclaimer", "| Powered by", "EasyChair Smart Program"],
    "View: session overviewtalk overview": ["View:", "session overview", "talk overview"],
}
PARTED = re.compile(r"(\d\d:\d\d-\d\d:\d\d) ?(.+)|((?:Location|PRESENTER):) (.+)")
JOINTS = re.compile(r" ?(,|\band\b) ")
PLACE = re.compile(r" (\(.*)")


def scatter(text: str, names: Collection[str]) -> str:
    """Cut the lines of a dump into pieces; ``names`` are the lines that hold people."""
    return "\n".join(piece for line in text.split("\n") for piece in cut(line, is_names=line in names) if piece)


def cut(line: str, *, is_names: bool) -> Iterator[str]:
    """Yield the pieces of a line."""
    if is_names:
        yield from (PLACE if line.endswith(")") else JOINTS).split(line)
    elif found := PARTED.fullmatch(line):
        yield from filter(None, found.groups())
    else:
        yield from CUTS.get(line, [line])
