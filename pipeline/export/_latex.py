r"""Turns printed text into LaTeX for bibliographies: existing LaTeX is kept, special characters are escaped.

Texts of listings contain LaTeX (``$O(n)$``, ``\'e``, ``\emph{x}``, ``{AMD}``), those of programmes ``100 % & more``;
one text can have both. Formulas, accents, commands that pylatexenc knows with their arguments, escaped specials and
groups of one word are kept. Accented letters and letters of other scripts stay UTF-8, which biber, Zotero and JabRef
read and write, and most have no command; Greek and symbols, which text fonts lack, become commands. Braces are escaped
in pairs only: BibTeX counts them even after a backslash.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from pylatexenc.latex2text import get_default_latex_context_db  # type: ignore[import-untyped]  # has no types
from pylatexenc.latexencode import UnicodeToLatexEncoder  # type: ignore[import-untyped]  # has no types

_BLANK: Final = re.compile(r"\s+")
_PLAIN: Final = re.compile(r"[^\s\\#%&_~^$<>|{}\u0080-\U0010ffff]+")
_FORMULA: Final = re.compile(
    r"""
      \$\$ (?=\S) (?:[^$\\]|\\.)+? (?<=\S) \$\$
    | \$ (?=\S) (?:[^$\\]|\\.)+? (?<=\S) \$ (?!\d)   # "from $5 to $10" is money: a blank before, a digit after
    | \\\( (?:[^\\]|\\[^()])++ \\\)
    | \\\[ (?:[^\\]|\\[^\[\]])++ \\\]
    """,
    re.VERBOSE | re.DOTALL,
)
_ACCENT: Final = re.compile(
    r"""
      \\["'`^~=.] \s* (?: \{\\?[A-Za-z]\} | \\[ij]\b | [A-Za-z] )
    | \\[cvuHkrbdt] (?: \s*\{\\?[A-Za-z]{1,2}\} | \s+[A-Za-z]\b )
    """,
    re.VERBOSE,
)
_ESCAPED: Final = re.compile(r"\\[#%&_$]")
_OF_ADDRESSES: Final = frozenset({"url", "href", "nolinkurl", "path"})
_UNESCAPED: Final = re.compile(r"(?<!\\)[%#]")
_ESCAPE: Final = r"\\\g<0>"
_COMMAND: Final = re.compile(r"\\(?P<name>[A-Za-z]+)\*?")
_WORD_GROUP: Final = re.compile(r"\{[A-Za-z0-9-]+\}")
_OPENING: Final = "([“‘\"'`"
_BRACE: Final = re.compile(r"[{}]")
_ENTRY: Final = re.compile(r"(^|\n)@")
"""Some readers take any ``@`` at the beginning of a line for the next entry."""
_LONE_BRACES: Final = {"{": r"\textbraceleft{}", "}": r"\textbraceright{}"}
_OF_OUR_OWN: Final = {"\\": r"\textbackslash{}", **{special: f"\\{special}" for special in "#%&_$"}}
_MARKUP: Final = re.compile(r"[\\{}$]")
_SPECIAL: Final = re.compile(r"[#%&_~^<>|\u0080-\U0010ffff]")
_COMMANDS: Final = get_default_latex_context_db()
_PROGRAMS: Final = frozenset(
    "author bibliography bibliographystyle catcode csname date def directlua documentclass edef endcsname endinput "
    "everypar expandafter futurelet gdef global immediate include includegraphics input jobname let loop makeatletter "
    "maketitle newcommand newcount newif newlength newread newwrite openin openout providecommand read readline "
    "renewcommand repeat RequirePackage scantokens special title today usepackage write xdef".split()
)
"""Commands that read or write files, define others or set up a document: in a bibliography they are text."""
_ENCODER: Final = UnicodeToLatexEncoder(
    unknown_char_policy="keep", unknown_char_warning=False, replacement_latex_protection="braces-all"
)
_KEPT_PUNCTUATION: Final = frozenset("–—‘’“”„‚…«»‹›¿¡·\u00a0")
_NOT_TEXT: Final = ((0x370, 0x400), (0x1F00, 0x2C00), (0x1D400, 0x1D800))
"""Greek (also with accents), punctuation and symbols, and mathematical letters."""


def to_latex(text: str) -> str:
    """Return a text as LaTeX."""
    return _ENTRY.sub(r"\1{@}", _inner(text))


def to_title(text: str) -> str:
    """Return a title as LaTeX, with braces around words that must keep their capitals: styles lowercase titles.

    If most words of a title have a capital, it says nothing about a single word; else a capital marks a name.
    """
    words = _words(text)
    keeps = _keeps_capitals(words)
    title = "".join(_protected(latex) if keeps(index) else latex for index, (_, latex) in enumerate(words))
    return _ENTRY.sub(r"\1{@}", title)


def to_marked_title(text: str) -> str:
    """Return a title as CSL has it, with the same words marked."""
    words = _words(text)
    keeps = _keeps_capitals(words)
    return "".join(
        f'<span class="nocase">{raw}</span>' if keeps(index) else raw for index, (raw, _) in enumerate(words)
    )


def _keeps_capitals(words: Sequence[tuple[str, str]]) -> Callable[[int], bool]:
    """Return which words of a title must keep their capitals, by their places."""
    long = [raw for raw, _ in words[1:] if sum(map(str.isalpha, raw)) > 3 and not _has_capitals(raw)]
    sentence = 3 * sum(map(_opens_with_capital, long)) < 2 * len(long)
    return lambda index: (
        _has_capitals(words[index][0]) or (sentence and index > 0 and _opens_with_capital(words[index][0]))
    )


def _protected(latex: str) -> str:
    """Put braces around a word, unless it has them or contains an unpaired one."""
    return latex if _end_of_group(latex, 0) == len(latex) or not _balanced(latex) else f"{{{latex}}}"


def _words(text: str) -> list[tuple[str, str]]:
    """Split a text into words and white space, each as printed and as LaTeX; a formula is within one word."""
    words: list[tuple[str, str]] = []
    glued = False
    for raw, latex in _pieces(text):
        if raw.isspace() or not glued:
            words.append((raw, latex))
        else:
            words[-1] = (words[-1][0] + raw, words[-1][1] + latex)
        glued = not raw.isspace()
    return words


def _opens_with_capital(word: str) -> bool:
    """True if the first letter of a word is a capital."""
    return next((letter.isupper() for letter in word if letter.isalpha()), False)


def _has_capitals(word: str) -> bool:
    """True if a word has a capital after its first letter, as in GPU and arXiv, or is a single capital letter."""
    if word.startswith(("$", "\\", "{")):
        return any(map(str.isupper, word))
    letters = [letter for letter in word if letter.isalpha()]
    if len(letters) == 1:
        return word != "A" and letters[0].isupper()  # A is the article
    return any(letter.isupper() for part in word.split("-") for letter in part.lstrip(_OPENING)[1:])


def _inner(text: str) -> str:
    """Return a text as LaTeX, with balanced braces."""
    if _MARKUP.search(text) is None:
        return _SPECIAL.sub(lambda found: _of_character(found[0]), text)
    return "".join(latex for _, latex in _pieces(text))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Split a text into pieces, each as printed and as LaTeX; a run of white space is a separate piece."""
    start, paired = 0, _paired_braces(text)
    while start < len(text):
        end, latex = _next(text, start, paired)
        yield text[start:end], latex
        start = end


def _next(text: str, start: int, paired: frozenset[int]) -> tuple[int, str]:
    """Return the end of the piece that begins at ``start``, and its LaTeX."""
    if plain := _PLAIN.match(text, start) or _BLANK.match(text, start):
        return plain.end(), plain[0]
    for pattern in (_FORMULA, _ACCENT, _ESCAPED, _WORD_GROUP):
        if (kept := pattern.match(text, start)) and _balanced(kept[0]) and not _is_program(kept[0]):
            return kept.end(), kept[0]
    command = _COMMAND.match(text, start)
    if command and command["name"] not in _PROGRAMS and _COMMANDS.get_macro_spec(command["name"]) is not None:
        return _with_arguments(text, command.end(), command[0], address=command["name"] in _OF_ADDRESSES)
    if text.startswith("{\\", start) and (end := _end_of_group(text, start)) and _COMMAND.match(text, start + 1):
        return end, f"{{{_inner(text[start + 1 : end - 1])}}}"
    brace = start + 1 if text.startswith(("\\{", "\\}"), start) else start
    if text[brace] in _LONE_BRACES:
        return brace + 1, f"\\{text[brace]}" if brace in paired else _LONE_BRACES[text[brace]]
    return start + 1, _of_character(text[start])


def _is_program(latex: str) -> bool:
    """True if a piece of LaTeX does more than show a text: it has such a command, or spells one by codes (``^^``)."""
    return "^^" in latex or any(found["name"] in _PROGRAMS for found in _COMMAND.finditer(latex))


def _paired_braces(text: str) -> frozenset[int]:
    """Return the places of the paired braces, as BibTeX counts them: a backslash makes no difference."""
    opened: list[int] = []
    paired: set[int] = set()
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            paired |= {opened.pop(), brace.start()}
    return frozenset(paired)


def _with_arguments(text: str, end: int, latex: str, *, address: bool) -> tuple[int, str]:
    """Take the groups after a command as its arguments; of a URL only ``%`` and ``#`` are escaped."""
    while stop := _end_of_group(text, end):
        inside = text[end + 1 : stop - 1]
        latex += f"{{{_UNESCAPED.sub(_ESCAPE, inside) if address else _inner(inside)}}}"
        end, address = stop, False
    return end, latex


def _end_of_group(text: str, start: int) -> int | None:
    """Return the end of the group that opens at ``start``; None if none opens there or it is not closed."""
    if not text.startswith("{", start):
        return None
    depth = 0
    for brace in _BRACE.finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return None


def _balanced(text: str) -> bool:
    """True if every brace is paired."""
    return len(_paired_braces(text)) == text.count("{") + text.count("}")


@cache
def _of_character(character: str) -> str:
    """Return the LaTeX of one character: letters are kept, others become commands where there is one."""
    if character in _OF_OUR_OWN:
        return _OF_OUR_OWN[character]
    foreign = any(low <= ord(character) < high for low, high in _NOT_TEXT)
    if character in _KEPT_PUNCTUATION or (unicodedata.category(character)[0] in "LM" and not foreign):
        return character
    return str(_ENCODER.unicode_to_latex(character))
