"""Markdown as HTML of the same lines."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._ledger.markdown import is_markdown, to_html
from tests.support.cost import LIMIT, growth


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Day 1 #\n##No heading", "<h1>Day 1</h1>\n<p>##No heading</p>"),
        ("Day 1\n=====\nDay 2\n---", "<h1>Day 1</h1>\n\n<h2>Day 2</h2>\n"),
        (
            "Foam\nand tar\n\nSails  \nand masts\\\nMore",
            "<p>Foam\nand tar\n</p>\n<p>Sails<br>\nand masts<br>\nMore</p>",
        ),
        ("Foam\n***\nTar", "<p>Foam\n</p><hr>\n<p>Tar</p>"),
        ("A [long\nlink](x) and *more\nthan* one", '<p>A <a href="x">long\nlink</a> and <em>more\nthan</em> one</p>'),
        ("- A *b\n  c*\n- d*", "<ul><li>A <em>b\nc</em>\n</li><li>d*</li></ul>"),
        ("> Foam\n> Tar", "<p>Foam\nTar</p>"),
        ("Foam\n{: .large}", "<p>Foam\n</p>"),
        ("---\ntitle: Jam\n---\nFoam", "<script>\ntitle: Jam\n</script>\n<p>Foam</p>"),
        ("```\n*a* <b>\n```\nFoam", "<pre>\n*a* &lt;b&gt;\n</pre>\n<p>Foam</p>"),
        ("~~~\n```\n~~~", "<pre>\n```\n</pre>"),
        (
            "|Time|Talk|\n|--|:-:|\n|9:00|Foam \\| Tar|\n10:00|`x`\n\nEnd",
            "<table><thead><tr><th>Time</th><th>Talk</th></tr></thead>\n\n<tr><td>9:00</td><td>Foam | Tar</td></tr>\n"
            "<tr><td>10:00</td><td><code>x</code></td></tr>\n</table>\n<p>End</p>",
        ),
        ("| 9:00 | Foam |", "<table><tr><td>9:00</td><td>Foam</td></tr></table>"),
        ("- Foam\n- Tar\n\nEnd", "<ul><li>Foam\n</li><li>Tar\n\n</li></ul><p>End</p>"),
        ("* A\n  * B\n  * C\n* D", "<ul><li>A\n<ul><li>B\n</li><li>C\n</li></ul></li><li>D</li></ul>"),
        ("- A\n1. B", "<ul><li>A\n</li></ul><ol><li>B</li></ol>"),
        ("- A\n  more\n\n  and more", "<ul><li>A\nmore\n\n<p>and more</p></li></ul>"),
        ("  - A\n - B", "<ul><li>A\n</li><li>B</li></ul>"),
        ("- A\n\n  | x | y |\n- B", "<ul><li>A\n\n<table><tr><td>x</td><td>y</td></tr>\n</table></li><li>B</li></ul>"),
        ("- A\n# B", "<ul><li>A\n</li></ul><h1>B</h1>"),
        ("**A *b* c** __d__ _e_", "<p><strong>A <em>b</em> c</strong> <strong>d</strong> <em>e</em></p>"),
        ("***A*** **b *c***", "<p><strong><em>A</em></strong> <strong>b <em>c</em></strong></p>"),
        ("*b **c***", "<p><em>b <strong>c</strong></em></p>"),
        ("**a *b** c* 2 * 3 a_b_c **", "<p><strong>a *b</strong> c* 2 * 3 a_b_c **</p>"),
        ("*a***", "<p><em>a</em>**</p>"),
        ("[**A** b](a?x&y) <https://e.example/?a>", None),
        ("![logo](a.png) \\*A\\* &amp; < b <br> x<y", None),
    ],
)
def test_what_is_written(text: str, html: str | None) -> None:
    """Blocks and what stands in them become elements; what nothing closes is text."""
    others = {
        "[": '<p><a href="a?x&amp;y"><strong>A</strong> b</a> '
        '<a href="https://e.example/?a">https://e.example/?a</a></p>',
        "!": '<p><img src="a.png" alt="logo"> *A* &amp; &lt; b <br> x&lt;y</p>',
    }
    assert to_html(text) == (html or others[text[0]])


@pytest.mark.parametrize("text", ["Foam\n## Tar", "Foam:\n - Tar", "1. Foam", "| Foam |"])
def test_what_is_markdown(text: str) -> None:
    """A text with a heading, a list or a table is; a letter is not."""
    assert is_markdown(text)
    assert not is_markdown("Dear Sir,\n\n*this* is a letter - no programme.\n")


@given(
    st.lists(st.sampled_from(["foam", "#", " ", "\n", "|", "-", "*", "_", "`", "[", "](", ")", ">", "1.", "\t", "<"]))
)
def test_nothing_is_lost(parts: list[str]) -> None:
    """There are as many lines, and every word is there once, in any order of marks."""
    text = "".join(parts)
    written = to_html(text)
    assert written.count("\n") == text.count("\n")
    shown = unescape(re.sub(r'(?:href|src|alt)="([^"]*)"', r">\1<", written))
    assert shown.count("foam") == text.count("foam")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("*a **b ", 3_000),
        ("**a *b***", 3_000),
        ("[a](b", 5_000),
        ("![a](", 5_000),
        ("`" * 7 + "a", 2_000),
        ("|", 20_000),
        ("|a|b|\n|-|-|\n", 1_000),
        ("  - a\n - b\n", 1_000),
        ("> ", 10_000),
        (" ", 50_000),
        ("- ", 10_000),
        ("<a ", 8_000),
        ("- a\n\n  b\n", 1_000),
        (" | -", 8_000),
    ],
)
def test_hostile_texts(text: str, size: int) -> None:
    """Time grows with the text."""
    assert growth(lambda times: to_html(text * times), size) < LIMIT
