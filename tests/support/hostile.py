"""Texts and addresses that a programme may print, and that must stay texts on a page; pieces of very long texts."""

from typing import Final

PIECES: Final = (*" \na1-,:([<&/|", "A ", "](", "a, ", "and ", "A. B, ", "http://a.b/")
"""What a careless reader of a long repeat of it looks at again and again."""

TEXTS: Final = (
    "<script>document.title = 'run'</script>",
    "<img src=x onerror=\"document.title = 'run'\">",
    '"><svg onload="document.title = \'run\'">',
    "javascript:document.title='run'",
    "{{ 7 * 7 }} {% raw %}",
    "</script><script>document.title = 'run'</script>",
    "<!-- --><![CDATA[ ]]>",
    r"$\text{<script>document.title = 'run'</script>}$",
    r"$\href{javascript:document.title='run'}{x}$",
    r"$\style{position:fixed}{x}$ $\class{x}{y}$",
    "$" + "{" * 900 + "$",
    "x" * 10_000,
    "\u202eright to left\u202c and \u2066more\u2069",
    "\u0007bell \u001b[31m red \u0000",
    "../../../etc/passwd",
    "CON.html",
    "日本語の講演とか ünïcödé",
    "\U0001f600 " * 50,
)
ADDRESSES: Final = (
    "javascript:document.title='run'",
    "data:text/html,<script>document.title='run'</script>",
    "https://good.example/\"onmouseover=\"document.title='run'",
    "vbscript:x",
    "https://good.example/",
    " javascript:document.title='run'",
    "https://[broken",
)
