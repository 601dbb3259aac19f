r"""The text of one element of an entry: formulas as typed, paragraphs, without parts that an unclosed tag put inside.

A page saved from a browser has each formula three times, and only the script has what the author typed::

    <span class="MathJax_Preview"></span><span class="MathJax"><nobr>glyphs</nobr></span>
    <script type="math/tex">z\lesssim0.3</script>                                            gives $z\lesssim0.3$

Newer programs that draw formulas leave no script: the drawing itself may keep the source, else it is lost::

    <mjx-container class="MathJax"><mjx-math data-latex="z\lesssim0.3">glyphs</mjx-math></mjx-container>

A display formula is in a block, which ends the paragraph around it: the text after it is outside the paragraph. The
elements of an entry do not belong here.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from lxml import etree

from parsers.arxiv.authors import join_linked

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
_BREAK: Final = "\v"  # never in the text of a page


def text_in(element: etree._Element) -> str:
    """Return the text of an element on one line, white space folded."""
    return plain_text_of(element) if is_plain(element) else " ".join("".join(_pieces(element)).split())


def authors_in(element: etree._Element) -> str:
    """Return the author line of an element: its links separate names that have no comma between them."""
    if not is_plain(element):
        return text_in(element)
    linked = join_linked((child.text or "", child.tail or "") for child in element)
    return " ".join(f"{element.text or ''}{linked}".split())


def paragraphs_in(element: etree._Element, cut_off: Sequence[etree._Element] = ()) -> tuple[str, ...]:
    """Return the paragraphs of an element: line breaks and blocks separate them, line ends of the source do not."""
    if not cut_off and is_plain(element):
        text = plain_text_of(element)
        return (text,) if text else ()
    pieces = [*_pieces(element), *(piece for child in cut_off for piece in _pieces_of_child(child))]
    return tuple(folded for line in "".join(pieces).split(_BREAK) if (folded := " ".join(line.split())))


def cut_off_from(paragraph: etree._Element) -> list[etree._Element]:
    """Return the elements that a display formula has cut off a paragraph, from the formula to the next block."""
    following = paragraph.getnext()
    if following is None or not _is_typeset(following):
        return []
    rest = itertools.takewhile(
        lambda element: _is_typeset(element) or element.tag == "br" or element.tag not in _BREAKS | _APART,
        paragraph.itersiblings("*"),
    )
    return list(rest)


def plain_text_of(element: etree._Element) -> str:
    """Return all text inside an element on one line; serialising is twice as fast as collecting the pieces."""
    return " ".join(etree.tostring(element, method="text", encoding="unicode", with_tail=False).split())


@lru_cache(maxsize=256)
def label_of(classes: str | None) -> str | None:
    """Return the label of the part of an entry that has these classes, such as ``list-title mathjax``; else None."""
    return next((_PARTS[name] for name in (classes or "").split() if name in _PARTS), None)


def is_plain(element: etree._Element) -> bool:
    """True if an element contains only links and a label: then all of its text counts, unchanged."""
    if _is_typeset(element):
        return False
    for child in element:
        if len(child) or ((tag := child.tag) != "a" and (tag != "span" or _is_typeset(child))):
            return False
    return True


def _pieces(element: etree._Element) -> Iterator[str]:
    """Yield the pieces of text inside an element, with ``_BREAK`` at each break."""
    yield (element.text or "").replace(_BREAK, " ")
    for child in element:
        yield from _pieces_of_child(child)


def _pieces_of_child(child: etree._Element) -> Iterator[str]:
    """Yield the pieces of text of an element inside another one, and the text after it."""
    tag = child.tag
    if tag == "script":
        yield _formula(child)
    elif _is_typeset(child):
        yield _drawn_formula(child) or ""
    else:
        mark = _BREAK if tag in _BREAKS else ""
        yield mark
        if tag not in _APART and label_of(child.get("class")) is None:  # else it is another part of the entry
            yield from _pieces(child)
        yield mark
    yield (child.tail or "").replace(_BREAK, " ")


def loses_formula(element: etree._Element) -> bool:
    """True if an element contains a drawn formula whose source the page does not keep."""
    if is_plain(element):
        return False
    drawn = [inner for inner in element.iter("*") if _is_typeset(inner)]
    return any(not _keeps_source(inner) for inner in drawn if not any(map(_is_typeset, inner.iterancestors())))


def _keeps_source(drawn: etree._Element) -> bool:
    """True if the source is in the drawing, or in the script after it; a preview is not a drawing."""
    if (drawn.get("class") or "").startswith("MathJax_Preview") or _drawn_formula(drawn) is not None:
        return True
    behind = next((element for element in drawn.itersiblings("*") if not _is_typeset(element)), None)
    return behind is not None and behind.tag == "script" and bool(_formula(behind))


def _drawn_formula(drawn: etree._Element) -> str | None:
    """Return the source of a formula from its drawing; None if it does not have it."""
    typed = next((inner.get("data-latex") for inner in drawn.iter("*") if inner.get("data-latex")), None)
    if typed is None:
        return None
    sign = "$$" if drawn.get("display") == "true" else "$"
    return f"{sign}{typed.strip()}{sign}"


def _is_typeset(element: etree._Element) -> bool:
    """True if an element holds the glyphs of a formula, not typed text."""
    return (element.get("class") or "").startswith(_TYPESET)


def _formula(script: etree._Element) -> str:
    """Return the source of a formula from the script of a typeset page; empty for other scripts."""
    kind = script.get("type") or ""
    if not kind.startswith("math/tex"):
        return ""
    typed = (script.text or "").strip().removeprefix("% <![CDATA[").removesuffix("%]]>").strip()
    sign = "$$" if "display" in kind else "$"
    return f"{sign}{typed}{sign}"
