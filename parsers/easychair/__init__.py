"""EasyChair Smart Program: the day pages and index pages of conferences whose programme EasyChair prints.

``text`` reads a dump that has the lines of the page: ``headings`` finds and reads the days, intervals and labels, and a
state table defines which line may follow which (``grammar``). For dumps with other lines those of the page are restored
first (``renditions``). ``html`` reads a page: ``sections`` finds which elements belong together, ``pieces`` reads them.
``items`` makes the records, whatever kind of page they come from. ``web`` lists the pages to fetch.
"""

import re
from functools import partial
from typing import Final

from parsers._contract import Family, Foot, Format, LeftOut, PageKind, Source
from parsers._words.titles import DECORATIONS
from parsers.easychair import html, renditions, text
from parsers.easychair.web import WEB

_FOOT: Final = Foot(
    "the footer 'Disclaimer | Powered by EasyChair Smart Program'",
    head=re.compile(r"PROGRAM(?:\]\([^()\s]{0,80}\)\[| {0,20}\n\s{0,20})?(?:AUTHORS|INDEXES|KEYWORDS)"),
    foot=re.compile(r"^[^\w\n]{0,20}Disclaimer\b|Powered\s{1,9}by[\s|\[]{1,20}EasyChair", re.MULTILINE),
)
"""A text with the menu of the page is the whole page: extractors drop both, or neither."""

SOURCE = Source(
    name="easychair",
    title="EasyChair Smart Program",
    version=15,
    leaves_out=LeftOut(
        DECORATIONS
        | frozenset(
            "abstract authors chair chairs discussant html index indexes keywords location organizer organizers"
            " person presenter program programme session slides speaker talk unknown video".split()
        ),
        labels=(b"ABSTRACT.",),
    ),
    family=Family.PROGRAMME,
    page=PageKind.STATE,
    formats=(
        Format("html", html.EXPECTS, html.recognise, html.parse),
        Format(
            name="cells",
            expects=renditions.CELLS,
            recognise=partial(renditions.recognise_cells, text.recognise),
            parse=partial(renditions.parse_cells, text.parse),
            ends=(_FOOT,),
        ),
        Format(
            name="scattered",
            expects=renditions.SCATTERED,
            recognise=renditions.is_scattered,
            parse=partial(renditions.parse_scattered, text.parse),
            ends=(_FOOT,),
        ),
        Format(
            name="text",
            expects="a Smart Program as text: 'PROGRAM FOR ..' or its view links, and sessions '09:00-10:00 Title'"
            " or talks that begin with a line '09:00' or '|09:00'",
            recognise=text.recognise,
            parse=text.parse,
            ends=(_FOOT,),
        ),
    ),
    web=WEB,
    labels=("ABSTRACT.", "SPEAKER:", "PRESENTER:"),
)
