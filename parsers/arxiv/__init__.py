"""arXiv listings: the papers announced on a day, in a category. One module per family of formats; here only ``SOURCE``.

``items`` turns the printed pieces of one entry into a record and is shared by all formats; ``authors`` reads author
lines, ``glued`` finds those that are glued to a title; ``headings`` reads the lines above and below entries, ``page``
applies them to the entries, ``chrome`` names the boilerplate. ``text`` splits text dumps into entries, ``wrapped``
joins the lines of a paragraph and ``pieces`` the pieces of a line, ``marked`` removes links and escapes, ``entries``
reads the lines of an entry; ``html`` splits pages into entries, ``dd`` reads them, ``typeset`` returns the text of
their elements; ``feed`` and ``api`` read XML with the help of ``elements``; ``mailing`` splits the daily mail into
items, ``mailed`` reads them. ``web`` lists the pages to fetch.
"""

from typing import Final

from parsers._contract import Family, Format, PageKind, Source
from parsers.arxiv import api, feed, html, mailing, text
from parsers.arxiv.web import WEB, asked

SOURCE: Final = Source(
    name="arxiv",
    title="arXiv listings",
    version=9,
    family=Family.LISTING,
    page=PageKind.LOG,
    formats=(
        Format("html", html.EXPECTS, html.recognise, html.parse),
        Format("feed", feed.EXPECTS, feed.recognise, feed.parse),
        Format("api", api.EXPECTS, api.recognise, api.parse),
        Format("mailing", mailing.EXPECTS, mailing.recognise, mailing.parse),
        Format("text", text.EXPECTS, text.recognise, text.parse),
    ),
    web=WEB,
    labels=("] arXiv:",),
    asked=asked,
)
