"""EasyChair Smart Program: the day pages and index pages of conferences whose programme EasyChair prints.

Text is split into lines, a state table defines which line may follow which (``grammar``), and the result becomes
records (``items``), whatever kind of page it came from. ``text`` reads a dump that has the lines of the page: ``marks``
finds its structural lines, ``forms`` returns the form of each line, ``tops`` reads the lines above the sessions. For
dumps with other lines those of the page are restored first (``renditions``).

``html`` reads a page: ``chrome`` the surroundings of the programme, ``days`` its days, ``sections`` finds which
elements belong together, ``pieces`` reads them with the help of ``elements`` and ``names``. Within a line ``headings``
reads days, intervals and labels, ``people`` the names. ``web`` lists the pages to fetch.
"""

import re
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
    version=12,
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
        Format("cells", renditions.CELLS, text.recognise_cells, text.parse_cells, ends=(_FOOT,)),
        Format("scattered", renditions.SCATTERED, renditions.is_scattered, text.parse_scattered, ends=(_FOOT,)),
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
