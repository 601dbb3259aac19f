"""Hugging Face daily papers: the page of a day and the pages of a search. Here only ``SOURCE``.

``items`` turns the printed pieces of one card into a record and is shared by all formats; ``chrome`` names the
furniture, ``daily`` reads text dumps of a day's page, ``search`` those of a search.
"""

from typing import Final

from parsers._contract import Family, Format, Page, Source
from parsers.hf_daily import daily, search

SOURCE: Final = Source(
    name="hf_daily",
    title="Hugging Face daily papers",
    version=1,
    family=Family.LISTING,
    page=Page.LOG,
    formats=(
        Format("daily_text", daily.EXPECTS, daily.recognise, daily.parse),
        Format("search_text", search.EXPECTS, search.recognise, search.parse),
    ),
)
