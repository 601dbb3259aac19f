"""Hugging Face daily papers: the page of a day and the pages of a search. Here only ``SOURCE``.

``items`` turns the printed pieces of one card into a record and is shared by all formats; ``chrome`` names the
boilerplate. ``page`` reads HTML with ``cards``, ``api`` the answers of the API, both with ``entries`` and ``props``;
``markdown`` reads dumps that keep links, ``daily`` text dumps of a day's page, ``search`` those of a search. ``web``
lists the pages to fetch.
"""

from typing import Final

from parsers._contract import Asked, Family, Format, PageKind, Source
from parsers.hf_daily import api, daily, markdown, page, search
from parsers.hf_daily.items import asked_day
from parsers.hf_daily.web import WEB

SOURCE: Final = Source(
    name="hf_daily",
    title="Hugging Face daily papers",
    version=10,
    family=Family.LISTING,
    page=PageKind.LOG,
    formats=(
        Format("page_html", page.EXPECTS, page.recognise, page.parse),
        Format("api_json", api.EXPECTS, api.recognise, api.parse),
        Format("markdown", markdown.EXPECTS, markdown.recognise, markdown.parse),
        Format("daily_text", daily.EXPECTS, daily.recognise, daily.parse),
        Format("search_text", search.EXPECTS, search.recognise, search.parse),
    ),
    web=WEB,
    asked=lambda facts: Asked(asked_day(facts)),
)
