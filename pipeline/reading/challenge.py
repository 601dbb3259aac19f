"""Recognises challenge pages, served in place of the wanted page: captchas, consent and login forms, blocks.

Used only for documents that no format recognised or that gave no record: pages with content may have such words too.
"""

import re
from collections.abc import Mapping
from typing import Final

_READ: Final = 1 << 20
SHOWN: Final = 6_000
"""Maximum characters of a challenge page, in all and of visible text: these pages are short."""

_HIDES: Final = re.compile(
    r"\s+|<(?:(?:(?P<script>script)|(?P<style>style)|(?P<svg>svg)|(?P<noscript>noscript))\b|(?P<comment>!--))?",
    re.IGNORECASE,
)
"""White space, and the beginning of anything hidden."""

_ENDS: Final[Mapping[str | None, re.Pattern[str]]] = {
    **{name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("script", "style", "svg", "noscript")},
    "comment": re.compile("-->"),
    None: re.compile(">"),
}
"""The end of a hidden part; of other elements only the tag is hidden."""

_MARKERS: Final[Mapping[str, str]] = {
    "a challenge of the site's protection": r"""
        <title>\s*(?:just\ a\ moment|attention\ required!)
        | ^[^\S\n]*just\ a\ moment(?:\.\.\.|…)\s*$
        | cdn-cgi/challenge-platform | \bcf-(?:chl|challenge|turnstile|browser-verification)\b | _cf_chl_opt
        | checking\ (?:if\ the\ site\ connection\ is\ secure | your\ browser\ before)
        | (?:enable|turn\ on)\ javascript\ and\ cookies\ to\ continue
        | needs\ to\ review\ the\ security\ of\ your\ connection
        | ddos\ protection\ by | \bpx-captcha\b | perimeterx | geo\.captcha-delivery\.com
        | awswaf | aws-waf-token | _incapsula_resource | incapsula\ incident | pardon\ our\ interruption
        | making\ sure\ you(?:'|’|&\#39;)re\ not\ a\ bot | sucuri\ website\ firewall""",
    "a captcha": r"""
        \b(?:g-recaptcha|grecaptcha|recaptcha|h-captcha|hcaptcha|friendly-captcha|geetest)\b
        | \b(?:solve|complete|enter|type|pass)\b[^.<]{0,40}\bcaptcha\b | ^[^\S\n]*(?:<title>\s*)?captcha\b
        | \b(?:verify|confirm|prove|check|sure|verifying)\b[^.<]{0,40}\byou\ are\ (?:a\ |not\ a\ )?(?:human|robot|bot)\b
        | \b(?:i(?:'|’|&\#39;)m|are\ you)\ (?:not\ )?a\ (?:robot|human|bot)\b""",
    "a refusal of automated requests": r"""
        unusual\ (?:traffic|activity)\ from\ your | automated\ (?:requests|queries|access)\b
        | <title>\s*(?:access\ denied|403\ forbidden|too\ many\ requests|429\ too\ many)
        | ^[^\S\n]*(?:\#\s*)?(?:access\ denied|403\ forbidden|(?:429\ )?too\ many\ requests)(?:\s*\.)?[^\S\n]*$
        | \b(?:you|your\ ip(?:\ address)?)\ ha(?:ve|s)\ been\ (?:temporarily\ )?(?:blocked|rate[ -]limited)\b""",
    "a consent form": r"""
        <title>\s*before\ you\ continue | ^[^\S\n]*before\ you\ continue\ to\b | \bconsent\.(?:google|youtube|yahoo)\.
        | ^[^\S\n]*we\ value\ your\ privacy\s*$ | <title>\s*(?:cookie\ consent|consent)\b""",
    "a login form": r"""
        <input(?:[^<>]|<(?!input))*?\btype\s*=\s*["']?password\b
        | ^[^\S\n]*(?:please\ )?(?:log|sign)\ in\ (?:to\ (?:continue|your\ account|proceed|view)|first|required)\b
        | <title>\s*(?:log\ ?in|sign\ ?in)\b
        | \byou\ (?:must|need\ to|have\ to)\ (?:be\ logged\ in|log\ in|sign\ in)\b""",
}

# ``[^\S\n]`` at the ends of a line: ``\s`` would run over all following blank lines, again from each of them.
_PATTERNS: Final = {
    what: re.compile(pattern, re.VERBOSE | re.IGNORECASE | re.MULTILINE) for what, pattern in _MARKERS.items()
}


def find_challenge(text: str) -> str | None:
    """Return what a page shows instead of its content, in words; None if it has no such marker."""
    if len(text) > _READ or count_shown(text) > SHOWN:
        return None
    return next((what for what, pattern in _PATTERNS.items() if pattern.search(text)), None)


def count_shown(text: str) -> int:
    """Return the number of visible characters, or any above ``SHOWN``; a run of white space, a hidden part, is one.

    A missing end is searched for once only: on a page full of unclosed parts the time would grow quadratically.
    """
    count = at = 0
    endless: set[str | None] = set()
    while count <= SHOWN and (found := _HIDES.search(text, at)):
        count += found.start() - at + 1
        at = found.end()
        if text[found.start()] == "<":
            end = _find_end(text, at, found.lastgroup, endless)
            at = end if end is not None else found.start() + 1
    return count + len(text) - at


def _find_end(text: str, at: int, what: str | None, endless: set[str | None]) -> int | None:
    """Return the end of the element or comment that has just begun, else of its tag; None if neither ends."""
    for name in (what, None):
        if name not in endless:
            if end := _ENDS[name].search(text, at):
                return end.end()
            endless.add(name)
    return None
