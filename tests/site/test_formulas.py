"""Formulas and accents as HTML: what is converted, what stays as printed, and that no script gets through."""

import pytest
from lxml import html

from pipeline.base.escape import harmless
from pipeline.site import formulas
from pipeline.site.formulas import ATTRIBUTES, ELEMENTS, LONGEST, typeset
from tests.support.hostile import TEXTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, ""),
        ("A < B & C", "A &lt; B &amp; C"),
        ("In $n^2$ steps", 'In <math display="inline"><mrow><msup><mi>n</mi><mn>2</mn></msup></mrow></math> steps'),
        (r"a \(x\) b", 'a <math display="inline"><mrow><mi>x</mi></mrow></math> b'),
        ("a $$x$$ b", 'a <math display="inline"><mrow><mi>x</mi></mrow></math> b'),
        (r"K\"onig, Erd\H{o}s, S{\o}ren, Stra\ss e, \c c", "König, Erdős, Søren, Straße, ç"),
        (r"100\% of \$5 & \#1", "100% of $5 &amp; #1"),
        ("costs $5 and $6", "costs $5 and $6"),
        (r"C:\Windows \emph{x}", r"C:\Windows \emph{x}"),
        (r"a $\foo{x}$", r"a $\foo{x}$"),
        ("a $" + "{" * 900 + "$", "a $" + "{" * 900 + "$"),
        ("a $" + "x" * (LONGEST + 1) + "$", "a $" + "x" * (LONGEST + 1) + "$"),
        ("$n^2$", "$n^2$"),
    ],
)
def test_typeset(text: str | None, expected: str) -> None:
    """Formulas become MathML; invalid ones, and a text that is only a formula, stay as printed."""
    assert typeset(text) == expected


@pytest.mark.parametrize(
    "text", [*TEXTS, r"x $\href{javascript:a}{b} \style{c}{d}$", r"x $\text{<img src=x onerror=a>}$"]
)
def test_nothing_but_mathematics(text: str) -> None:
    """Whatever the text, only MathML elements and attributes come out."""
    found = html.fragment_fromstring(typeset(harmless(text)), create_parent="p")
    assert {each.tag for each in found.iter()} <= ELEMENTS | {"p"}
    assert {name for each in found.iter() for name in each.keys()} <= ATTRIBUTES  # noqa: SIM118  # an element is no dict


def test_an_unknown_element(monkeypatch: pytest.MonkeyPatch) -> None:
    """A formula that needs an element not in the list stays as printed."""
    monkeypatch.setattr(formulas, "ELEMENTS", ELEMENTS - {"mfrac"})
    formulas._formula.cache_clear()
    assert typeset(r"a $\frac{1}{2}$") == r"a $\frac{1}{2}$"
    formulas._formula.cache_clear()
