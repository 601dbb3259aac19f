"""alphaXiv feeds: the papers discussed on a topic. Here only ``SOURCE``.

``items`` turns the printed pieces of one card into a record and is shared by all formats; ``api`` reads answers of the
API with ``papers``, ``page`` reads HTML with ``stream`` and ``papers``, ``text`` reads text dumps. ``web`` lists the
pages to fetch.
"""

from typing import Final

from parsers._contract import Family, Format, LeftOut, PageKind, Source
from parsers.alphaxiv import api, page, text
from parsers.alphaxiv.web import WEB

SOURCE: Final = Source(
    name="alphaxiv",
    title="alphaXiv topic feeds",
    version=8,
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
