"""The talks of a box: each is its title, visible and again in what it hides, its award, authors, abstract, biography.

    Offloaded stores                     visible
    Offloaded stores                     hidden, as all below it
    Ann One, Bo Two
    Abstract
    We describe a store that keeps small objects near the readers.

A line that hides nothing may be a programme point instead; a talk without any title is rejected.
"""

from __future__ import annotations

from typing import Final

from parsers._html import Page
from parsers._lines import LineClass, Rule, record_rule
from parsers.cluster.boilerplate import BOILERPLATE
from parsers.cluster.box_titles import Title
from parsers.cluster.boxes import Section, TalkBox, first_of, last_of
from parsers.cluster.headings import PEOPLE_LIST, PLACEHOLDER
from parsers.cluster.items import PrintedTalk
from parsers.cluster.page_lines import claim, claim_boilerplate, link_of
from parsers.cluster.people import join_lines
from schemas.items import Reject

TALK_RULE: Final = record_rule("talk")
_REJECTED: Final = Rule("incomplete_item", LineClass.REJECTED)


def read_talk(page: Page, talk: TalkBox, title: Title) -> PrintedTalk | Reject | None:
    """Read a talk; None where its line is a programme point, or nothing stands there."""
    own = talk.lines
    if not own:
        return None
    if talk.bare and PEOPLE_LIST.match(talk.title[0].text):
        return None
    if title.lists_points and talk.title and not (talk.authors or talk.labels):
        return None
    if talk.bare and talk.title[0].text.startswith("("):
        return None
    printed = " ".join(line.text for line in talk.title)
    again = " ".join(line.text for line in talk.again)
    if not printed and not again:
        return _reject(page, talk)
    if printed and again and printed != again:
        own = [line for line in own if line not in talk.again]
    claim(page, own, TALK_RULE)
    claim_boilerplate(page, talk.awards, BOILERPLATE)
    authors = join_lines(line.text for line in talk.authors)
    return PrintedTalk(
        line_start=first_of(own),
        line_end=last_of([*own, *talk.awards]),
        title=printed or again,
        authors=None if not authors or PLACEHOLDER.fullmatch(authors) else authors,
        paragraphs=tuple(line.text for line in talk.texts.get(Section.ABSTRACT, ())),
        about=tuple(line.text for line in talk.texts.get(Section.BIOGRAPHY, ())),
        url=link_of(talk.title, printed or again),
    )


def _reject(page: Page, talk: TalkBox) -> Reject:
    """Reject a talk whose title was lost."""
    lines = talk.lines
    claim(page, lines, _REJECTED)
    detail = "expected the title of a talk with its authors and 'Abstract'"
    text = "\n".join(line.text for line in lines)
    return Reject(first_of(lines), last_of(lines), text, "incomplete_item", detail)
