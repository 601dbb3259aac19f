"""alphaXiv feeds: what is discussed on a topic. Here only ``SOURCE``.

``items`` turns the printed pieces of one card into a record and is shared by all formats; ``text`` reads text dumps.
"""

from typing import Final

from parsers._contract import Family, Format, Page, Source
from parsers.alphaxiv import text

SOURCE: Final = Source(
    name="alphaxiv",
    title="alphaXiv topic feeds",
    version=1,
    family=Family.LISTING,
    page=Page.LOG,
    formats=(Format("text", text.EXPECTS, text.recognise, text.parse),),
)
