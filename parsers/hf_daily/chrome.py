"""Boilerplate of Hugging Face pages: menus, banners, headers. Lines about papers do not belong here."""

from typing import Final

from parsers._ledger.lines import Boilerplate
from parsers._words.dates import MONTH
from parsers.hf_daily.items import PRINTED_DAY

_BANNER: Final = {
    "badge": r"new",
    "newsletter": r"(?:#+ )?Get trending papers in your email inbox(?: once a day)?!(?: ?Subscribe)?",
    "subscribe": r"Subscribe",
}
_PAGE_NAME: Final = r"(?:#+ )?(?:\[?Daily Papers(?:\]\([^()]*\))?|Trending Papers)(?: [-–] Hugging Face)?"

PAGE_HEAD: Final = Boilerplate(
    {
        **_BANNER,
        "page_name": _PAGE_NAME,
        "byline": r"(?:#+ )?by ?(?:AK|\[AK\]\([^()]*\)) and the research community|and the research community",
    }
)
"""Banner, page name and byline, which some extractors print below the first card's submitter."""

BOILERPLATE: Final = Boilerplate(
    {
        **_BANNER,
        "page_name": _PAGE_NAME,
        "byline": r"(?:#+ )?by ?(?:(?:AK|\[AK\]\([^()]*\)) and the research community)?|AK|and the research community",
        "submit": r"Submit a paper",
        "paging": r"(?:Previous|Next|Daily|Weekly|Monthly|Today)",
        "period": (
            rf"Week \d{{1,2}}(?:, \d{{4}})?|\d{{4}}-W?\d{{2}}|(?:{MONTH})(?: \d{{4}})?"
            rf"|{PRINTED_DAY} ?[-–] ?{PRINTED_DAY}"
        ),
        "site": r"Hugging Face(?:'s logo(?: ?Hugging Face)?)?",
        "menu": (
            r"(?:[•*-] +)?(?:Models|Datasets|Spaces|Buckets|Posts|Docs|Enterprise|Pricing|Community|Solutions|Log In"
            r"|Sign Up|TOS|Terms|Privacy|About|Careers|Jobs|Blog|Website|Company|System theme|Papers)(?: new)?"
        ),
        "copyright": r"© ?Hugging Face",
        "separator": r"(?:[•*-] +)?[•·*-]",
    }
)

IN_CARD: Final = Boilerplate(
    {
        "submitter": r"Submitted by(?: [\w.-]{1,100})?",
        "number": r"(?:Upvoted? ?|\+)?\d[\d,.]{0,12}[kKmM]?",
        "no_upvotes": r"-|Upvoted?",
        "authors": r"(?:[•·] ?)?\d{1,5} authors?",
        "dot": r"[•·]",
        "day": rf"(?:· ?)?{PRINTED_DAY}",
    }
)
"""Texts beside the title of a card; only the upvotes and the day can be in the record."""


def bare(text: str) -> str:
    """Return a line without heading marks and the button that some extractors glue to it."""
    return without_button(text).strip("=# ") or text


def without_button(text: str) -> str:
    """Return a line without the button "Subscribe" that some extractors glue to the text after it."""
    return text.removeprefix("Subscribe") or text
