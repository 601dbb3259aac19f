r"""Printed text as LaTeX: existing LaTeX stays, special characters are escaped, capitals in titles are kept."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import (  # type: ignore[import-untyped]  # has no types
    LatexNodes2Text,
    MacroTextSpec,
    get_default_latex_context_db,
)

from pipeline.export._latex import to_latex, to_title

CONTEXT = get_default_latex_context_db()
CONTEXT.add_context_category(
    "braces",  # which it does not know
    prepend=True,
    macros=[MacroTextSpec("textbraceleft", "{"), MacroTextSpec("textbraceright", "}")],
)
READER = LatexNodes2Text(latex_context=CONTEXT, math_mode="verbatim", strict_latex_spaces=True)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("100 % of A&B #1 in x_1", r"100 \% of A\&B \#1 in x\_1"),
        ("~5 ^ 2", r"{\textasciitilde}5 {\textasciicircum} 2"),
        (r"C:\new", r"C:\textbackslash{}new"),
        ("Café “Øre” – 張偉 Łódź", "Café “Øre” – 張偉 Łódź"),
        (
            "α ≤ β → μs",
            r"{\ensuremath{\alpha}} {\ensuremath{\leq}} {\ensuremath{\beta}} {\textrightarrow} {\ensuremath{\mu}}s",
        ),
        (r"\url{https://a.b/x_y~z%20#c}", r"\url{https://a.b/x_y~z\%20\#c}"),
        (r"\href{https://a.b/x_y}{x_y}", r"\href{https://a.b/x_y}{x\_y}"),
        (r"$O(n \log n)$ & more", r"$O(n \log n)$ \& more"),
        (r"\(x_1\) and \[y_1\]", r"\(x_1\) and \[y_1\]"),
        ("from $5 to $10", r"from \$5 to \$10"),
        ("US$ 5", r"US\$ 5"),
        ("$$x_1$$", "$$x_1$$"),
        ("$x{$ and y", r"\$x\textbraceleft{}\$ and y"),
        (r"K\"unneth and Poincar\'{e} and \v{S}", r"K\"unneth and Poincar\'{e} and \v{S}"),
        (r"{\L}ojasiewicz", r"{\L}ojasiewicz"),
        (r"\emph{50 % off} \textbf{{AMD}}", r"\emph{50 \% off} \textbf{{AMD}}"),
        (r"50\% \& more", r"50\% \& more"),
        ("{AMD} and {a, b}", r"{AMD} and \{a, b\}"),
        (r"\{a\} } {", r"\{a\} \textbraceright{} \textbraceleft{}"),
        ("a } b { c", r"a \textbraceright{} b \textbraceleft{} c"),
        ("one\n@misc{x", "one\n{@}misc\\textbraceleft{}x"),
        ("a@b.example", "a@b.example"),
        (r"\input{secret}", r"\textbackslash{}input{secret}"),
        (r"\def\emph{x} \today", r"\textbackslash{}def\emph{x} \textbackslash{}today"),
        (r"{\include a}", r"{\textbackslash{}include a}"),
        (r"$\input{a}$", r"\$\textbackslash{}input{a}\$"),
        (r"\(\let\x=\y\)", r"\textbackslash{}(\textbackslash{}let\textbackslash{}x=\textbackslash{}y\textbackslash{})"),
        (r"$x^^5cdef$", r"\$x{\textasciicircum}{\textasciicircum}5cdef\$"),
    ],
)
def test_texts(text: str, latex: str) -> None:
    """Each kind of text becomes the right LaTeX."""
    assert to_latex(text) == latex


@pytest.mark.parametrize(
    ("title", "latex"),
    [
        ("Scalable Training on GPUs at ETH", "Scalable Training on {GPUs} at {ETH}"),
        ("Energy-Efficient Systems for arXiv", "Energy-Efficient Systems for {arXiv}"),
        ("A study of faults by Byzantine nodes", "A study of faults by {Byzantine} nodes"),
        ("Towards A Theory of Plan B", "Towards A Theory of Plan {B}"),
        ("C++ for All", "{C++} for All"),
        ("“DiP” Arrays", "{“DiP”} Arrays"),
        ("“Dip” Arrays", "“Dip” Arrays"),
        ("Learning $K$ Means", "Learning {$K$} Means"),
        ("Learning $k$ Means", "Learning $k$ Means"),
        ("The {AMD} Way", "The {AMD} Way"),
        ("Sets {GPU, CPU} Compared", r"Sets \{GPU, CPU\} Compared"),
        ("", ""),
    ],
)
def test_titles(title: str, latex: str) -> None:
    """Words whose capitals a style would lose are put in braces, one by one."""
    assert to_title(title) == latex


PLAIN = st.text(
    st.sampled_from("aZ0 .,-#%&_<>|{}$éØß張ж“”–αβ≤→×½§") | st.characters(categories=["Lu", "Ll"]), max_size=30
)


@given(PLAIN)
def test_braces_are_balanced(text: str) -> None:
    """BibTeX counts braces, so a title has balanced ones, whatever the text."""
    latex = to_title(text)
    depths = [latex[:end].count("{") - latex[:end].count("}") for end in range(len(latex) + 1)]
    assert (min(depths), depths[-1]) == (0, 0)


def one_line(text: str) -> str:
    """Return a text with single blanks and hyphens: LaTeX reads two hyphens as a dash."""
    return re.sub("-+", "-", " ".join(text.split()))


@given(st.text(st.sampled_from("aZ0 .,-#%&_|éØß張ж“”–αβ≤→×½"), max_size=30).map(one_line))
def test_plain_text_reads_back(text: str) -> None:
    """Plain text comes back unchanged from a LaTeX reader."""
    assert READER.latex_to_text(to_latex(text)) == text
