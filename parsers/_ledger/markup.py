"""Safe reading of HTML and XML by lxml: nothing is fetched, nothing expanded, and nothing lost without an error.

The text handed to lxml is decoded already, so no charset label can spoil it. Where libxml2 hits a limit, it would lose
the rest of the page without an exception: here that is an error. The toolbar that a web archive puts into the pages it
serves is emptied. A tag with too many attributes is refused beforehand: libxml2 compares each with all before it.
The use of the elements does not belong here.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, cast

from lxml import etree

from schemas.items import Reject

MOST_ATTRIBUTES: Final = 1_000
"""In one tag: pages have a few dozen at most, and ten thousand would take a quarter of a second."""

_LONG_TAG: Final = re.compile(rf"<[^>]{{{2 * MOST_ATTRIBUTES}}}")
"""No shorter tag has so many attributes. One with brackets in its values is missed: not worth scanning every page."""

_ATTRIBUTE: Final = (
    r"""(?>[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?)?)"""  # a name can hold anything
)
_CROWDED: Final = re.compile(rf"<[^\s/>]++{_ATTRIBUTE}{{{MOST_ATTRIBUTES + 1}}}")
_TAG: Final = rf"(?P<crowded>{_ATTRIBUTE}{{{MOST_ATTRIBUTES + 1}}})?+{_ATTRIBUTE}*+[\s/]*+>?"
_NO_TAG: Final = r"<!--.*?(?:-->|\Z)|<[!?][^>]*+"
_TAGS: Final = re.compile(
    rf"{_NO_TAG}|<(?:(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>])|[a-z][^\s/>]*+)"
    rf"{_TAG}(?(raw).*?(?=</(?P=raw)|\Z))",  # no tag begins inside these
    re.IGNORECASE | re.DOTALL,
)
_XML_TAGS: Final = re.compile(rf"<!\[CDATA\[.*?(?:\]\]>|\Z)|{_NO_TAG}|<[^\s/>!?]++{_TAG}", re.DOTALL)
_BEGINS: Final = re.compile(r"<(?:!doctype\s+html|html|body)[\s>]", re.IGNORECASE)
_DOCTYPES: Final = ("<!DOCTYPE html", "<!doctype html")
_ENDS: Final = ("</html>", "</HTML>", "</body>", "</BODY>")
_STRUCTURE: Final = "div|table|ul|ol|dl|main|section|article|nav|header|footer|aside|form|script|style"
_OPEN_OR_CLOSE: Final = re.compile(
    rf"<!--.*?(?:-->|\Z)|<(?:(?P<raw>script|style)\b[^<>]*+>.*?(?:</(?P=raw)|\Z)"
    rf"|(?P<close>/)?(?P<name>{_STRUCTURE})\b[^<>]*+>)",
    re.IGNORECASE | re.DOTALL,
)
_TAG_BEGINS: Final = re.compile(r"<[/!?a-z]", re.IGNORECASE)
_HEAD: Final = 5_000
_SHOWN: Final = 200
_ENDING_BREAK: Final = re.compile(r"</br\s*>", re.IGNORECASE)
_WRONGLY_CLOSED: Final = re.compile(r"(</\w+)<(?=\s)")
_TOOLBAR: Final = "wm-ipp"  # prefix of the ids in the toolbar of the Wayback Machine
_TOOLBAR_PARTS: Final = etree.XPath(f"//*[starts-with(@id, '{_TOOLBAR}') or @id = 'donato']")


_SIGN: Final = re.compile(r"\S")
_LATE_DECLARATION: Final = re.compile(r"\A\s+<\?xml\b[^>]*\?>")


class PageError(Exception):
    """A page cannot be read; ``line`` is 1-based, ``expected`` says what was expected."""

    def __init__(self, line: int, expected: str) -> None:
        """Keep line and expectation for the message that names the file."""
        super().__init__(f"{line}: {expected}")
        self.line = line
        self.expected = expected


class CutError(PageError):
    """XML is not well-formed, and not because of a limit of the parser: it may be complete up to some place."""


def parse_markup(text: str, *, xml: bool = False) -> etree._Element:
    """Parse decoded text whole. Raises ``PageError``, ``CutError`` where XML is not well-formed.

    An end tag closed by the wrong bracket (``</div<``) would swallow the tag after it, class and all, and libxml2 drops
    ``</br>``, which browsers read as ``<br>``: where the error log mentions one, the text is mended and parsed again.
    """
    _refuse_crowded(text, _XML_TAGS if xml else _TAGS)
    parser = make_parser(xml=xml)
    failure: PageError | None = None
    root = None
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        failure = CutError(error.lineno or 1, f"expected {'XML' if xml else 'HTML'}: {error.msg}")
    limits = [entry for entry in parser.error_log if entry.type_name == "ERR_RESOURCE_LIMIT"]
    if limits:
        expected = f"expected a page within the limits of the parser: {limits[0].message.strip()}"
        raise PageError(limits[0].line, expected)
    if failure is not None:
        raise failure
    if not xml and any(entry.message.endswith(("<", ": br")) for entry in parser.error_log):
        mended = _ENDING_BREAK.sub("<br>", _WRONGLY_CLOSED.sub(r"\1>", text))
        if mended != text:
            return parse_markup(mended)
    if root is None:
        raise PageError(1, "expected HTML, found no elements")
    for entity in root.iter(etree.Entity) if xml else ():  # not expanded: its text would be missing
        line = entity.sourceline
        raise PageError(line if isinstance(line, int) else 1, f"expected text, found the entity {entity.text}")
    if not xml and _TOOLBAR in text:
        for part in cast("list[etree._Element]", _TOOLBAR_PARTS(root)):
            part.clear(keep_tail=True)  # type: ignore[call-arg]  # missing in the stubs
    return root


def without_late_declaration(text: str) -> str:
    """Return XML with blanks in place of a declaration below an empty line, which says nothing of a decoded text."""
    found = _LATE_DECLARATION.match(text)
    return text if found is None else _SIGN.sub(" ", found[0]) + text[found.end() :]


def find_faults(text: str) -> Iterator[Reject]:
    """Yield a reject for what HTML repairs without a word: an end that is missing, and a second document in the text.

    What is there is read all the same. A fragment has no end that could be missing; a document may leave out the end
    tags of its body, as a few written by hand do, but not that of a table or another element of its structure.
    """
    if not _BEGINS.search(text, 0, _HEAD):
        return
    ends = [place for tag in _ENDS if (place := text.find(tag)) >= 0]
    if not ends and _is_open(text):
        last = text.rstrip()
        line = last.count("\n") + 1
        yield Reject(line, line, last[-_SHOWN:], "cut", "expected </html> at the end")
    first = min((place for place in ends if text.startswith(_ENDS[:2], place)), default=len(text))
    begins = sorted(found.start() for tag in _DOCTYPES for found in re.finditer(tag, text))[1:]
    begins += [found.start() for found in _BEGINS.finditer(text, first)]
    outside = (place for place in sorted(begins) if text.rfind("<!--", 0, place) <= text.rfind("-->", 0, place))
    if (second := next(outside, None)) is not None:  # the first that is in no comment
        line = text.count("\n", 0, second) + 1
        shown = text[second : second + _SHOWN]
        yield Reject(line, line, shown, "malformed", "expected one document, found the beginning of another one")


def _is_open(text: str) -> bool:
    """True if a page ends within a tag, a comment or an element of its structure."""
    last = text.rfind("<")
    if text.rfind("<!--") > text.rfind("-->") or (text.rfind(">") < last and _TAG_BEGINS.match(text, last)):
        return True
    depth: Counter[str] = Counter()
    for found in _OPEN_OR_CLOSE.finditer(text):
        if name := (found["name"] or "").lower():
            depth[name] = max(0, depth[name] - 1) if found["close"] else depth[name] + 1
    return any(depth.values())


def _find_long(text: str) -> Iterator[int]:
    """Yield where a tag may begin that is long enough to be crowded.

    A long tag has quotes or spaces, which part its attributes. A million signs "<" in a row have none, though each
    could begin a tag that lasts to the last of them.
    """
    end = -1
    has_parts = True
    for found in _LONG_TAG.finditer(text):
        if found.start() >= end:
            last = text.find(">", found.end())
            end = last if last >= 0 else len(text)
            has_parts = any(text.count(mark, found.start(), end) for mark in "\"'") or (
                sum(text.count(mark, found.start(), end) for mark in " \n\t\f/") > MOST_ATTRIBUTES
            )
        if has_parts:
            yield found.start()


def _refuse_crowded(text: str, tags: re.Pattern[str]) -> None:
    """Raise ``PageError`` if a tag has more than ``MOST_ATTRIBUTES`` attributes.

    A script or comment can look like such a tag, so all tags are checked only if something looks like one.
    """
    if not any(_CROWDED.match(text, start) for start in _find_long(text)):
        return
    for tag in tags.finditer(text):
        if tag["crowded"]:
            line = text.count("\n", 0, tag.start()) + 1
            raise PageError(line, f"expected at most {MOST_ATTRIBUTES} attributes per tag, found more")


def make_parser(*, xml: bool = False) -> etree.HTMLParser | etree.XMLParser:
    """Make a parser that fetches nothing, expands nothing and keeps the limits of libxml2.

    It builds no table of the ids of a page, which is never used and would take a fifth of the time. (Not so for XML:
    there lxml would read the DTD instead.)
    """
    if xml:
        return etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
            encoding="utf-8",
        )
    return etree.HTMLParser(
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        encoding="utf-8",
    )
