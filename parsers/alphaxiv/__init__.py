"""alphaXiv feeds: the papers discussed on a topic. Here only ``SOURCE``.

``api`` finds the papers in answers of the API, ``page`` those in HTML, ``papers`` reads one of either; ``text`` reads
text dumps. ``web`` lists the pages to fetch.
"""

from typing import Final

from parsers._contract import Family, Format, LeftOut, PageKind, Source
from parsers.alphaxiv import api, page, text
from parsers.alphaxiv.web import WEB

SOURCE: Final = Source(
    name="alphaxiv",
    title="alphaXiv topic feeds",
    version=11,
    family=Family.LISTING,
    page=PageKind.LOG,
    formats=(
        Format("page_html", page.EXPECTS, page.recognise, page.parse),
        Format("api_json", api.EXPECTS, api.recognise, api.parse),
        Format("text", text.EXPECTS, text.recognise, text.parse),
    ),
    web=WEB,
    leaves_out=LeftOut(),
)
