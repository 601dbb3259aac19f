r"""The text of one element of an entry: formulas as typed, paragraphs, nothing of what an unclosed tag put inside.

A page saved from a browser holds each formula three times, and only the script has what the author typed::

    <span class="MathJax_Preview"></span><span class="MathJax"><nobr>glyphs</nobr></span>
    <script type="math/tex">z\lesssim0.3</script>                                            gives $z\lesssim0.3$

Which elements an entry has does not belong here.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from lxml import etree

from parsers._html import raw_text_of

_PARTS: Final = {
    "list-title": "Title",
    "list-authors": "Authors",
    "list-comments": "Comments",
    "list-journal-ref": "Journal-ref",
    "list-report-no": "Report-no",
    "list-doi": "DOI",
    "list-subjects": "Subjects",
}
_TYPESET: Final = ("MathJax", "MJX", "mjx")
_APART: Final = frozenset({"dt", "dd", "p", "style", "template", "noscript"})
_BREAKS: Final = frozenset({"br", "div", "p", "li", "ul", "ol", "blockquote", "pre", "table", "tr"})
_BREAK: Final = "\v"  # no text of a page holds it


def text_in(element: etree._Element) -> str:
    """Return the text of an element in one line, white space folded."""
    if _is_plain(element):
        return " ".join(raw_text_of(element).split())
    return " ".join("".join(_pieces(element)).split())


def paragraphs_in(element: etree._Element) -> tuple[str, ...]:
    """Return the paragraphs of an element: line breaks and blocks part them, line ends of the source do not."""
    if _is_plain(element):
        text = " ".join(raw_text_of(element).split())
        return (text,) if text else ()
    lines = "".join(_pieces(element)).split(_BREAK)
    return tuple(folded for line in lines if (folded := " ".join(line.split())))


@lru_cache(maxsize=256)
def label_of(classes: str | None) -> str | None:
    """Return the label of the part of an entry that has these classes, such as ``list-title mathjax``; else None."""
    return next((_PARTS[name] for name in (classes or "").split() if name in _PARTS), None)


def _is_plain(element: etree._Element) -> bool:
    """Say whether an element holds only links and a label: then all of its text counts, as it stands."""
    for child in element:
        if child.tag == "a":
            if len(child):
                return False
        elif child.tag != "span" or len(child) or (child.get("class") or "").startswith(_TYPESET):
            return False
    return True


def _pieces(element: etree._Element) -> Iterator[str]:
    """Yield the pieces of text inside an element, and a mark at each break."""
    yield (element.text or "").replace(_BREAK, " ")
    for child in element:
        tag = child.tag
        if tag == "script":
            yield _formula(child)
        elif tag in _BREAKS:
            yield _BREAK
            if not _stands_apart(child):
                yield from _pieces(child)
            yield _BREAK
        elif not _stands_apart(child):
            yield from _pieces(child)
        yield (child.tail or "").replace(_BREAK, " ")


def _stands_apart(element: etree._Element) -> bool:
    """Say whether the text of an element is none of that around it: glyphs, or another part of the entry."""
    classes = element.get("class")
    return element.tag in _APART or label_of(classes) is not None or (classes or "").startswith(_TYPESET)


def _formula(script: etree._Element) -> str:
    """Return what the author typed, from the script that a typeset page keeps of it; nothing for other scripts."""
    kind = script.get("type") or ""
    if not kind.startswith("math/tex"):
        return ""
    typed = (script.text or "").strip().removeprefix("% <![CDATA[").removesuffix("%]]>").strip()
    sign = "$$" if "display" in kind else "$"
    return f"{sign}{typed}{sign}"
