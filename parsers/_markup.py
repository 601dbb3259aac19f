"""Safe reading of HTML and XML by lxml: nothing is fetched, nothing expanded, and nothing lost without an error.

The text handed to lxml is decoded already, so no charset label can spoil it. A limit that libxml2 hits would lose the
rest of the page without an exception: here it is an error. The toolbar that an archive of the web puts into the pages
that it serves is none of theirs: it is emptied. What becomes of the elements does not belong here.
"""

import re
from typing import Final, cast

from lxml import etree

_WRONGLY_CLOSED: Final = re.compile(r"(</\w+)<(?=\s)")
_TOOLBAR: Final = "wm-ipp"  # of the Wayback Machine: how the ids of its parts begin
_TOOLBAR_PARTS: Final = etree.XPath(f"//*[starts-with(@id, '{_TOOLBAR}') or @id = 'donato']")


class PageError(Exception):
    """A page cannot be read as it is; ``line`` is 1-based, ``expected`` says what was expected."""

    def __init__(self, line: int, expected: str) -> None:
        """Keep line and expectation for the message that names the file."""
        super().__init__(f"{line}: {expected}")
        self.line = line
        self.expected = expected


class CutError(PageError):
    """XML is not well-formed, and no limit of the reader is the reason: it may be whole up to some place."""


def parse_markup(text: str, *, xml: bool = False) -> etree._Element:
    """Parse decoded text whole. Raises ``PageError``, ``CutError`` where XML is not well-formed.

    An end tag that the wrong bracket closes (``</div<``) would swallow the tag behind it, class and all: where the log
    of errors tells of one, the text is mended and parsed again.
    """
    parser = make_parser(xml=xml)
    failure: PageError | None = None
    root = None
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        failure = CutError(error.lineno or 1, f"expected {'XML' if xml else 'HTML'}: {error.msg}")
    limits = [entry for entry in parser.error_log if entry.type_name == "ERR_RESOURCE_LIMIT"]
    if limits:
        expected = f"expected a page within the limits of the reader: {limits[0].message.strip()}"
        raise PageError(limits[0].line, expected)
    if failure is not None:
        raise failure
    if not xml and any(entry.message.endswith("<") for entry in parser.error_log):
        mended = _WRONGLY_CLOSED.sub(r"\1>", text)
        if mended != text:
            return parse_markup(mended)
    if root is None:
        raise PageError(1, "expected HTML, found no element")
    for entity in root.iter(etree.Entity) if xml else ():  # not expanded: the text it stands for would be missing
        line = entity.sourceline
        raise PageError(line if isinstance(line, int) else 1, f"expected text, found the entity {entity.text}")
    if not xml and _TOOLBAR in text:
        for part in cast("list[etree._Element]", _TOOLBAR_PARTS(root)):
            part.clear(keep_tail=True)  # type: ignore[call-arg]  # the stubs do not know it
    return root


def make_parser(*, xml: bool = False) -> etree.HTMLParser | etree.XMLParser:
    """Make a parser that fetches nothing, expands nothing and keeps the limits of libxml2.

    No table of the identifiers of a page is made: nobody asks it, and it would take a fifth of the time. (Not so for
    XML: there lxml would read the DTD instead.)
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
