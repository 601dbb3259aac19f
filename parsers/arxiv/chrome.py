"""Boilerplate of arXiv listing pages: header, menus, paging and footer, as text and as Markdown.

A link may be printed as plain text or as ``[text](address)``. Lines about the entries (days, sections, totals) do not
belong here but in ``headings``.
"""

from typing import Final

from parsers._ledger.lines import Boilerplate


def _linked(words: str) -> str:
    """Make a pattern for words that Markdown may show as a link."""
    return rf"(?:\[ ?(?:{words}) ?\]\([^()]*\)|(?:{words}))"


_BULLET: Final = r"(?:[•*·-] +)?"
_DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? \d{1,2} [A-Z][a-z]+ \d{2,4}"
_PAGES: Final = (
    "About|Help|Help Pages|Login|Contact|Subscribe|Copyright|Privacy Policy|Web Accessibility Assistance|Donate"
    "|Support Us|arXiv Operational Status|Disable MathJax|What is MathJax\\?|Get Involved|Careers|Blog"
    "|Privacy|Accessibility|Operational Status"
)
_BAR: Final = "Search|Submit|Donate|My Account|Log ?in|Logout"  # the header since 2026
_FUNDERS: Final = "Simons Foundation|Schmidt Sciences"

_FIELDS: Final = (
    "Title|Author|Abstract|Comment|Journal reference|ACM classification|MSC classification|Report number"
    "|arXiv identifier|DOI|ORCID|arXiv author ID|Search|Full text|Help page"
)
_SHOWING_UP_TO: Final = r"\\?\[? ?[Ss]howing (?:up to )?[\d,]{1,9} entries per page:"
_MORE_OR_FEWER: Final = rf"{_linked('fewer')} *\| *{_linked('more')}(?: *\| *{_linked('all')})? *\\?\]?"

BOILERPLATE: Final = Boilerplate(
    {
        "skip_link": _linked("Skip to main content"),
        "logo": r"(?:\[?!\[)?(?:Cornell University(?: Library)?|arXiv|arxiv)(?: [Ll]ogo)?(?:\]\([^()]*\)){0,2}",
        "support": r"\[?(?:We gratefully acknowledge support from)(?: ?the Simons Foundation.{0,250})?",
        "support_of_all": r"We gratefully acknowledge support from our major funders,.{0,250}",
        "funders": rf"Major funding support from|(?:{_FUNDERS})(?: (?:{_FUNDERS}))*",
        "support_rest": (
            r"(?:the Simons Foundation(?:,? (?:and )?[\w ,&'-]{1,100}\.)?|and member institutions)(?:\]? ?\([^()]*\))?"
        ),
        "breadcrumbs": (
            rf"(?:# )?(?:\[?!\[arxiv logo(?:\]\([^()]*\)){{1,2}}|arxiv logo|{_linked('arXiv[.]org')})?"
            r"(?: ?> (?:\[[\w.-]+\]\([^()]*\)|[\w.-]+)){1,4}"
        ),
        "empty_link": r"\[\]\([^()]*\)",
        "banner": (
            r"(?:Learn about arXiv becoming|arXiv submission will be|arXiv will be|arXiv is (?:hiring|committed|now))"
            r".{0,400}"
        ),
        "header_bar": rf"{_linked(_BAR)}(?: ?{_linked(_BAR)}){{0,5}}",
        "search_hint": rf"(?:Search arXiv ?)?Press Enter to search · {_linked('Advanced search')}",
        "search_help": rf"\(?{_linked('Help')} \| {_linked('Advanced [Ss]earch')}\)?",
        "search_box": r"(?:Search(?:\.\.\.)?|Search or Article[- ][Ii][Dd]|GO|Go|open search|open navigation menu)",
        "search_fields": rf"(?:All fields|All papers)(?: ?(?:{_FIELDS})s?){{0,15}}",
        "menu": r"(?:#+ )?quick links",
        "page_link": rf"{_BULLET}{_linked(_PAGES)}(?: ?· ?{_linked(_PAGES)}){{0,9}}",
        "contact": (
            rf"{_BULLET}(?:(?:contact arXiv ?)?Click here to contact arXiv ?{_linked('Contact')}"
            rf"|(?:subscribe to arXiv mailings ?)?Click here to subscribe ?{_linked('Subscribe')}"
            r"|contact arXiv|subscribe to arXiv mailings)"
        ),
        "status": rf"Get status notifications via {_linked('email')} or {_linked('slack')}",
        "section_link": rf"{_BULLET}{_linked('New submissions|Cross-lists|Cross submissions|Replacements')}",
        "section_list": r"(?:New submissions ?)(?:Cross-lists ?)?(?:Replacements)?",
        "legacy_title": r"#+ New submissions",
        "day_link": rf"(?:[•*·-]|\d\.) +{_linked(_DAY)}",
        "see_also": rf"See (?:today's )?{_linked('recent|new')} (?:articles|changes)",
        "continue": rf"(?:\d\. +)?{_linked('Continue (?:to the next day|catchup on ' + _DAY + '|from ' + _DAY + ')')}",
        "first_page": rf"{_linked('Go to page 1')}",
        "view_page": rf"View page:(?: {_linked('[0-9]+')})++",
        "per_page": rf"{_SHOWING_UP_TO}(?: *{_MORE_OR_FEWER})?|{_MORE_OR_FEWER}",
        "range": r"\\?\[ ?total of [\d,]{1,9} entries:|\*\*\d{1,6}-\d{1,6}\*\* ?\\?\]",
        "links_to": r"Links? (?:back )?to: .{0,300}",
        "author_orcid": r"See also ORCID (?:https?://)?orcid\.org/[\dX-]{4,19}\.?",
        "author_address": r"The web address for this page and the arXiv author id for .{0,700}",
        "author_help": r"See author identifier help for more information .{0,120}",
        "access_key": r"\(?(?:\[?Access key(?:\]\([^()]*\))?) information\)?",
        "mathjax": r"\[? ?(?:Disable MathJax|Enable MathJax)(?: \(What is MathJax\?\))? ?\]?",
        "reader_header": r"(?:URL Source|Published Time):.{0,500}|Markdown Content:",
        "tag": r"(?:</?(?:p|[uod]l|li|table|t[rhd]|tbody|thead)>)+",
        "references": r"References|(?:Visible|Hidden) links:?|\d{1,5}\. (?:https?|mailto|file):\S{1,500}",
        "rule": r"(?:\* \* \*|-{3,}|_{3,}|={3,})",
        "bullet": r"[-•*]",
    }
)

LIST_ITEMS: Final = Boilerplate(
    {
        "section_link": r"New submissions|Cross-lists|Cross submissions|Replacements",
        "day_link": _DAY,
    }
)
"""Items of the lists of links above the entries; the same words elsewhere are headings."""
