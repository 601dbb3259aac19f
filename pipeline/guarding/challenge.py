"""Knows the pages that stand before a page: challenges, captchas, consent and login forms, blocks.

Asked only about a document that no format recognised or that gave nothing: words such as these can well stand on a
page that shows its content too.
"""

import re
from collections.abc import Mapping
from typing import Final

_READ: Final = 1 << 20
_SHOWN: Final = 6_000
"""Characters in all, and of visible text, beyond which a page is none of these: they say one thing only."""

_HIDDEN: Final = re.compile(r"(?is)<(script|style|svg|noscript)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>|\s+")

_MARKERS: Final[Mapping[str, str]] = {
    "a challenge of the site's protection": r"""
        <title>\s*(?:just\ a\ moment|attention\ required!)
        | ^\s*just\ a\ moment(?:\.\.\.|…)\s*$
        | cdn-cgi/challenge-platform | \bcf-(?:chl|challenge|turnstile|browser-verification)\b | _cf_chl_opt
        | checking\ (?:if\ the\ site\ connection\ is\ secure | your\ browser\ before)
        | (?:enable|turn\ on)\ javascript\ and\ cookies\ to\ continue
        | needs\ to\ review\ the\ security\ of\ your\ connection
        | ddos\ protection\ by | \bpx-captcha\b | perimeterx | geo\.captcha-delivery\.com
        | awswaf | aws-waf-token | _incapsula_resource | incapsula\ incident | pardon\ our\ interruption
        | making\ sure\ you(?:'|’|&\#39;)re\ not\ a\ bot | sucuri\ website\ firewall""",
    "a captcha": r"""
        \b(?:g-recaptcha|grecaptcha|recaptcha|h-captcha|hcaptcha|friendly-captcha|geetest)\b
        | \b(?:solve|complete|enter|type|pass)\b[^.<]{0,40}\bcaptcha\b | ^\s*(?:<title>\s*)?captcha\b
        | \b(?:verify|confirm|prove|check|sure|verifying)\b[^.<]{0,40}\byou\ are\ (?:a\ |not\ a\ )?(?:human|robot|bot)\b
        | \b(?:i(?:'|’|&\#39;)m|are\ you)\ (?:not\ )?a\ (?:robot|human|bot)\b""",
    "a refusal of automated requests": r"""
        unusual\ (?:traffic|activity)\ from\ your | automated\ (?:requests|queries|access)\b
        | <title>\s*(?:access\ denied|403\ forbidden|too\ many\ requests|429\ too\ many)
        | ^\s*(?:\#\s*)?(?:access\ denied|403\ forbidden|429\ too\ many\ requests|too\ many\ requests)\s*\.?\s*$
        | \b(?:you|your\ ip(?:\ address)?)\ ha(?:ve|s)\ been\ (?:temporarily\ )?(?:blocked|rate[ -]limited)\b""",
    "a consent form": r"""
        <title>\s*before\ you\ continue | ^\s*before\ you\ continue\ to\b | \bconsent\.(?:google|youtube|yahoo)\.
        | ^\s*we\ value\ your\ privacy\s*$ | <title>\s*(?:cookie\ consent|consent)\b""",
    "a login form": r"""
        <input[^>]*\btype\s*=\s*["']?password\b
        | ^\s*(?:please\ )?(?:log|sign)\ in\ (?:to\ (?:continue|your\ account|proceed|view)|first|required)\b
        | <title>\s*(?:log\ ?in|sign\ ?in)\b
        | \byou\ (?:must|need\ to|have\ to)\ (?:be\ logged\ in|log\ in|sign\ in)\b""",
}

_PATTERNS: Final = {
    what: re.compile(pattern, re.VERBOSE | re.IGNORECASE | re.MULTILINE) for what, pattern in _MARKERS.items()
}


def find_challenge(text: str) -> str | None:
    """Say in words what a page asks for instead of showing its content; None where it carries no such marker."""
    if len(text) > _READ or len(_HIDDEN.sub(" ", text)) > _SHOWN:
        return None
    return next((what for what, pattern in _PATTERNS.items() if pattern.search(text)), None)
