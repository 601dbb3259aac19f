"""Hugging Face daily papers: the page of a day and the pages of a search. Here only ``SOURCE``.

``items`` reads what all formats print and makes the records. ``page`` reads HTML, ``api`` answers of the API and the
data of a page, ``markdown`` dumps that keep links, ``daily`` text dumps of a day's page, ``search`` those of a search.
``web`` lists the pages to fetch.
"""

import re
from typing import Final

from parsers._contract import Asked, Family, Foot, Format, LeftOut, PageKind, Source
from parsers.hf_daily import api, daily, markdown, page, search
from parsers.hf_daily.items import asked_day
from parsers.hf_daily.web import WEB

_FOOT: Final = Foot(
    "the footer '© Hugging Face'",
    head=re.compile(r"^[^\w\n]{0,20}Log In\b ?(?:\]\(/login\))?\W{1,20}Sign Up\b", re.MULTILINE),
    foot=re.compile(r"^[^\w\n]{0,20}(?:© Hugging Face|TOS)\b", re.MULTILINE),
)
"""A text with the menu of the site is the whole page: extractors drop both, or neither."""

SOURCE: Final = Source(
    name="hf_daily",
    title="Hugging Face daily papers",
    version=12,
    family=Family.LISTING,
    page=PageKind.LOG,
    formats=(
        Format("page_html", page.EXPECTS, page.recognise, page.parse),
        Format("api_json", api.EXPECTS, api.recognise, api.parse),
        Format("markdown", markdown.EXPECTS, markdown.recognise, markdown.parse, ends=(_FOOT,)),
        Format("daily_text", daily.EXPECTS, daily.recognise, daily.parse, ends=(_FOOT,)),
        Format("search_text", search.EXPECTS, search.recognise, search.parse, ends=(_FOOT,)),
    ),
    web=WEB,
    leaves_out=LeftOut(
        frozenset(
            "about author authors buckets careers community company daily datasets docs enterprise jobs logo models"
            " monthly next posts previous pricing privacy published sign solutions spaces submitted subscribe system"
            " terms theme today upvoted website weekly".split()
        ),
        before=("Submitted by",),
    ),
    asked=lambda facts: Asked(asked_day(facts)),
    filled_later=("summary", "keywords"),
)
