"""Markdown as HTML of the same lines, so that a table can name its headings, lists and tables.

    # Programme                          <h1>Programme</h1>
    | Time | Talk |                      <table><thead><tr><th>Time</th><th>Talk</th></tr>
    |------|------|                      </thead><tbody>
    | 9:00 | **Foam**, Ada Quill |       <tr><td>9:00</td><td><strong>Foam</strong>, Ada Quill</td></tr>

What programmes are written with is read: headings, paragraphs and their breaks, lists, tables, emphasis, links, code.
Nothing is lost: whatever else a line holds is text. Each line and each text is read once, so time is linear. Who claims
what of the HTML does not belong here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import chain, groupby
from typing import Final

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]++|$)(.*)")
_UNDERLINE: Final = re.compile(r" {0,3}(?:(=)=*+|-{2,}+)[ \t]*+$")
_RULER: Final = re.compile(r" {0,3}(?:(?:\*[ \t]*+){3,}|(?:-[ \t]*+){3,}|(?:_[ \t]*+){3,})$")
_ATTRIBUTES: Final = re.compile(r"[ \t]*+\{:[^{}]*+\}[ \t]*+$")
_QUOTE: Final = re.compile(r"(?: {0,3}> ?+)++")
_ITEM: Final = re.compile(r"([ \t]*+)(?:([-*+])|(\d{1,9})[.)])(?:[ \t]++|$)(.*)")
_BELOW_HEAD: Final = re.compile(r"[ \t]*+\|?+[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?+[ \t]*+$")
_ROW: Final = re.compile(r"[ \t]*+\|")
_BAR: Final = re.compile(r"(?<!\\)\|")
_DEEPEST: Final = 20
"""Lists inside lists; deeper ones are items of the innermost."""
_INLINE: Final = re.compile(
    r"""
    \\(?P<escaped>[!-/:-@\[-`{-~])
    | (?P<ticks>`++)(?P<code>[^`]++)(?P=ticks)(?!`)
    | !\[(?P<alt>[^\[\]]*+)\]\((?P<image>[^()\s]*+)[^()]*+\)
    | \[(?P<text>[^\[\]]*+)\]\((?P<target>[^()\s]*+)(?:[ \t]++"[^"()]*+")?+\)
    | <(?P<address>https?://[^<>\s]++)>
    | (?P<tag></?[A-Za-z][\w-]*+(?:\s[^<>]*+)?/?>|&(?:\#\w{1,8}|\w{1,30});)
    | (?P<mark>\*{1,3}+|_{1,3}+)
    """,
    re.VERBOSE,
)
_TAGS: Final = {1: ("<em>", "</em>"), 2: ("<strong>", "</strong>"), 3: ("<strong><em>", "</em></strong>")}


class _Text(str):
    """What stands in a block, which may go on in the next line; any other part of a line is markup."""

    __slots__ = ()


def is_markdown(text: str) -> bool:
    """True if a line of a text begins a heading, an item of a list, or the row of a table: a letter has none."""
    return any(_HEADING.match(line) or _ITEM.match(line) or _ROW.match(line) for line in text.split("\n"))


def to_html(text: str) -> str:
    """Return a text in Markdown as HTML of as many lines."""
    parts = chain.from_iterable((*line, _Text("\n")) for line in _Writer(text.split("\n")).lines())
    written = [
        _inline("".join(several)) if kind is _Text else "".join(several) for kind, several in groupby(parts, key=type)
    ]
    return "".join(written)[:-1]


@dataclass(slots=True)
class _Writer:
    """Writes one line after another, and what is open: a paragraph, a table, lists with their indents."""

    source: list[str]
    is_in: str = ""
    """``p``, ``table``, ``pre``, ``script`` (what stands above the text) or nothing."""
    lists: list[tuple[int, str]] = field(default_factory=list)
    is_after_blank: bool = False
    fence: str = ""

    def lines(self) -> Iterator[list[str]]:
        """Yield the parts of each line of the HTML."""
        number = 0
        while number < len(self.source):
            line = self.source[number].expandtabs(4)
            after = self.source[number + 1] if number + 1 < len(self.source) else ""
            parts, taken = self._write(line, after, is_first=number == 0)
            number += taken
            ends = [self._close() + self._close_lists(-1)] if number == len(self.source) else []
            yield [each for each in (*parts, *["\n"] * (taken - 1), *ends) if each]

    def _write(self, line: str, after: str, *, is_first: bool) -> tuple[list[str], int]:
        """Return what a line becomes, and how many lines of the source that took."""
        if self.is_in in {"pre", "script"} or (is_first and line.rstrip() == "---") or _FENCE.match(line):
            return [self._verbatim(line)], 1
        line = _QUOTE.sub("", line, count=1) if _QUOTE.match(line) else line
        if not line.strip() or _ATTRIBUTES.match(line):
            self.is_after_blank = True
            return [self._close()], 1
        if self.is_in != "table" and "|" in line and "|" in after and _BELOW_HEAD.match(after):
            return [self._open("table", line), "<thead>", _row(line, "th"), "</thead>"], 2
        parts, taken = self._block(line, after)
        self.is_after_blank = False
        return parts, taken

    def _block(self, line: str, after: str) -> tuple[list[str], int]:
        """Return what a line with text becomes that begins no table with a head."""
        if found := _HEADING.match(line):
            return self._heading(len(found[1]), found[2].rstrip().rstrip("#").rstrip()), 1
        if _RULER.match(line):
            return [self._close(), self._close_lists(-1), "<hr>"], 1
        if found := _ITEM.match(line):
            return [self._item(len(found[1]), "ul" if found[2] else "ol"), _Text(found[4].strip())], 1
        if line.lstrip().startswith("|") or (self.is_in == "table" and "|" in line):
            return [self._open("table", line), _row(line, "td")], 1
        if self.is_in != "p" and not self.lists and (below := _UNDERLINE.match(after)):
            return self._heading(1 if below[1] else 2, line), 2
        return self._paragraph(line), 1

    def _verbatim(self, line: str) -> str:
        """Return a line of a block that is no Markdown, or at its ends."""
        fence = _FENCE.match(line)
        if not self.is_in or self.is_in in {"p", "table"}:
            opens = self._close()
            self.is_in, self.fence = ("pre", fence[1]) if fence else ("script", "---")
            return f"{opens}<{self.is_in}>"
        if line.strip().startswith(self.fence) and not line.strip().strip(self.fence[0]):
            return self._close()
        return escape(line, quote=False) if self.is_in == "pre" else line

    def _heading(self, level: int, text: str) -> list[str]:
        """Return a heading."""
        return [self._close(), self._close_lists(-1), f"<h{level}>{_inline(text.strip())}</h{level}>"]

    def _item(self, indent: int, tag: str) -> str:
        """Return the beginning of an item of a list, after the ends of those that are over."""
        written = self._close() + self._close_lists(indent)
        if self.lists and (self.lists[-1][0] >= indent or len(self.lists) == _DEEPEST):
            if self.lists[-1][1] == tag or len(self.lists) == _DEEPEST:
                return f"{written}</li><li>"
            written += f"</li></{self.lists.pop()[1]}>"
        self.lists.append((indent, tag))
        return f"{written}<{tag}><li>"

    def _paragraph(self, line: str) -> list[str]:
        """Return a line of text: it goes on, or begins a paragraph, in an item if it is indented."""
        indent = len(line) - len(line.lstrip())
        opens = ""
        if self.is_in != "p":
            opens = self._close()
            if self.is_after_blank or not self.lists:
                opens += self._close_lists(indent - 1) + "<p>"
                self.is_in = "p"
        is_broken = line.endswith(("  ", "\\"))
        text = line.strip().removesuffix("\\") if is_broken else line.strip()
        return [opens, _Text(text), "<br>" if is_broken else ""]

    def _open(self, tag: str, line: str) -> str:
        """Return the beginning of a block, after the end of the one before."""
        if self.is_in == tag:
            return ""
        opens = self._close() + self._close_lists(len(line) - len(line.lstrip()) - 1)
        self.is_in = tag
        return f"{opens}<{tag}>"

    def _close(self) -> str:
        """Return the end of the block that is open; lists stay open."""
        closed, self.is_in = self.is_in, ""
        return f"</{closed}>" if closed else ""

    def _close_lists(self, indent: int) -> str:
        """Return the ends of the lists that are further in."""
        ends = []
        while self.lists and self.lists[-1][0] > indent:
            if self.lists[-1][0] <= indent + 1 and indent >= 0:
                break  # an item that is one blank less than the one before is on its level
            ends.append(f"</li></{self.lists.pop()[1]}>")
        return "".join(ends)


def _row(line: str, tag: str) -> str:
    """Return the row of a table."""
    bare = line.strip().removeprefix("|")
    cells = _BAR.split(bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare)
    return f"<tr>{''.join(f'<{tag}>{_inline(each.strip())}</{tag}>' for each in cells)}</tr>"


def _inline(text: str) -> str:
    """Return a text with its emphasis, links and code; marks that nothing closes are text."""
    made: list[str] = []
    opened = _Opened(made)
    place = 0
    for found in _INLINE.finditer(text):
        made.append(_plain(text[place : found.start()]))
        place = found.end()
        if mark := found["mark"]:
            before, behind = text[: found.start()][-1:], text[place : place + 1]
            opened.add(mark, before, behind)
        else:
            made.append(_inner(found))
    return "".join([*made, _plain(text[place:])])


def _inner(found: re.Match[str]) -> str:
    """Return what is written for a link, an image, code, a tag or an escaped sign."""
    if found["code"]:
        return f"<code>{escape(found['code'].strip(' '), quote=False)}</code>"
    if found["target"] is not None:
        return f'<a href="{escape(found["target"])}">{_inline(found["text"])}</a>'
    if found["image"] is not None:
        return f'<img src="{escape(found["image"])}" alt="{escape(found["alt"])}">'
    if address := found["address"]:
        return f'<a href="{escape(address)}">{escape(address, quote=False)}</a>'
    return found["tag"] or escape(found["escaped"], quote=False)


@dataclass(slots=True)
class _Opened:
    """The marks of emphasis in a text that are open, each with its place in what is written."""

    made: list[str]
    marks: list[tuple[str, int]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, mark: str, before: str, behind: str) -> None:
        """Add a mark: it closes the one of its kind that is open, or may be closed later."""
        within = mark[0] == "_"
        closes = bool(before.strip()) and not (within and behind.isalnum())
        opens = bool(behind.strip()) and not (within and before.isalnum())
        if closes and len(mark) == 3 and not self.counts[mark] and self.marks:  # the ends of two
            first = len(self.marks[-1][0])
            for part in (mark[:first], mark[first:]):
                self._close(part) if self.counts[part] else self.made.append(part)
        elif closes and self.counts[mark]:
            self._close(mark)
        else:
            self.made.append(mark)
            if opens:
                self.marks.append((mark, len(self.made) - 1))
                self.counts[mark] += 1

    def _close(self, mark: str) -> None:
        """Make elements of a mark that is open and of its end; those opened between them are text."""
        while (last := self.marks.pop())[0] != mark:
            self.counts[last[0]] -= 1
        self.counts[mark] -= 1
        begins, ends = _TAGS[len(mark)]
        self.made[last[1]] = begins
        self.made.append(ends)


def _plain(text: str) -> str:
    """Return a text without markup."""
    return escape(text, quote=False)
