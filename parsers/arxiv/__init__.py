"""arXiv listings: the papers announced on a day, in a category. One module per family of formats; here only ``SOURCE``.

``html`` reads pages, with ``typeset`` for the text of an element; ``text`` splits text dumps into entries, ``entries``
reads the lines of one, after ``paragraphs`` has joined the lines of the page and ``marked`` has removed
links and escapes; ``feeds`` reads XML, ``mailing`` the daily mail. All turn an entry into a record by ``items``, which
reads authors by ``authors``. ``headings`` reads the lines above and below entries, ``chrome`` names the boilerplate,
``web`` lists the pages to fetch.
"""

import re
from typing import Final

from parsers._contract import Family, Foot, Format, LeftOut, Numbers, PageKind, Source
from parsers.arxiv import feeds, html, mailing, text
from parsers.arxiv.categories import CATEGORIES
from parsers.arxiv.web import WEB, asked

_FOOT: Final = Foot(
    "the footer, 'Web Accessibility Assistance' or 'Links to: arXiv, ..'",
    head=re.compile(r"Help ?(?:\]\([^()\s]{0,80}\))?[\s|]{1,40}\[?Advanced\s[Ss]earch"),
    foot=re.compile(
        r"^[^\w\n]{0,40}Links to:|Web Accessibility Assistance|Accessibility ·|Operational Status", re.MULTILINE
    ),
)
"""A text with the header of the site is the whole page: extractors drop both, or neither."""

_RULE: Final = Foot(
    "the line '%%%---%%%---..'",
    head=re.compile(r"^ ?received from ", re.MULTILINE),  # a mail of a day; files of a month have no rules
    foot=re.compile(r"^%%%---", re.MULTILINE),
)
_NUMBERS: Final = Numbers(re.compile(r"(?:^[^\w\n]{0,8}| - \[)(\d{1,6})\\?\](?= *$|\]?[ (]*\[* ?arXiv:)", re.MULTILINE))
_NUMBERS_OF_ITEMS: Final = Numbers(re.compile(r"""name=["']?item(\d{1,6})\b"""))

SOURCE: Final = Source(
    name="arxiv",
    title="arXiv listings",
    version=12,
    family=Family.LISTING,
    page=PageKind.LOG,
    formats=(
        Format("html", html.EXPECTS, html.recognise, html.parse, ends=(_NUMBERS_OF_ITEMS,)),
        Format("feed", feeds.FEED_EXPECTS, feeds.is_feed, feeds.parse_feed, keyed=True),
        Format("api", feeds.ANSWER_EXPECTS, feeds.is_answer, feeds.parse_answer, keyed=True),
        Format("mailing", mailing.EXPECTS, mailing.recognise, mailing.parse, ends=(_RULE,), keyed=True),
        Format("text", text.EXPECTS, text.recognise, text.parse, ends=(_FOOT, _NUMBERS)),
    ),
    web=WEB,
    labels=("] arXiv:",),
    leaves_out=LeftOut(
        frozenset(
            "abstract additional arxiv authors category comments continued cross crosses download entries first formats"
            " from html invalid journal last link list listings lists other post replaced replacements report script"
            " showing shown subjects submissions title total unavailable".split()
        ),
        before=("cross-list from", "Invalid Category:"),
        codes=CATEGORIES,
        labels=(b"Title:", b"Authors:", b"Comments:", b"Subjects:", b"Journal-ref:", b"Report-no:"),
    ),
    asked=asked,
)
