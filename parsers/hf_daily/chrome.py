"""Furniture of Hugging Face pages: menus, banners, headers. What says something about a paper does not belong here."""

from typing import Final

from parsers._lines import Furniture

FURNITURE: Final = Furniture(
    {
        "badge": r"new",
        "newsletter": r"Get trending papers in your email inbox(?: once a day)?!",
        "subscribe": r"Subscribe",
        "page_name": r"(?:#+ )?(?:\[?Daily Papers(?:\]\([^()]*\))?|Trending Papers)",
        "byline": r"by ?(?:AK and the research community)?|AK|and the research community",
        "submit": r"Submit a paper",
        "paging": r"(?:Previous|Next|Daily|Weekly|Monthly|Today)",
        "site": r"Hugging Face(?:'s logo)?",
        "menu": (
            r"(?:[•*-] +)?(?:Models|Datasets|Spaces|Buckets|Posts|Docs|Enterprise|Pricing|Community|Solutions|Log In"
            r"|Sign Up|TOS|Terms|Privacy|About|Careers|Jobs|Blog|Website|Company|System theme|Papers)"
        ),
        "copyright": r"© ?Hugging Face",
        "separator": r"(?:[•*-] +)?[•·-]",
    }
)
