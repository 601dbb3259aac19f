"""arXiv listings: what was announced on a day, in a category. One module a family of formats; here only ``SOURCE``.

``items`` turns the printed pieces of one entry into a record and is shared by all formats; ``authors`` reads author
lines, ``headings`` the lines above and below entries, ``page`` knows what they govern, ``chrome`` names the furniture;
``text`` cuts text dumps into entries, ``entries`` reads their lines.
"""

from typing import Final

from parsers._contract import Family, Format, Page, Source
from parsers.arxiv import text

SOURCE: Final = Source(
    name="arxiv",
    title="arXiv listings",
    version=1,
    family=Family.LISTING,
    page=Page.LOG,
    formats=(Format("text", text.EXPECTS, text.recognise, text.parse),),
)
