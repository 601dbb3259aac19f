"""Formulas and accents as HTML: what is converted, what stays as printed, and that nothing in them runs."""

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
    """Formulas are MathML; what cannot be read, and a text that is nothing but a formula, stays as printed."""
    assert typeset(text) == expected


@pytest.mark.parametrize(
    "text", [*TEXTS, r"x $\href{javascript:a}{b} \style{c}{d}$", r"x $\text{<img src=x onerror=a>}$"]
)
def test_nothing_but_mathematics(text: str) -> None:
    """Whatever the text: elements and attributes are those of MathML, and the text around is all there."""
    found = html.fragment_fromstring(typeset(harmless(text)), create_parent="p")
    assert {each.tag for each in found.iter()} <= ELEMENTS | {"p"}
    assert {name for each in found.iter() for name in each.keys()} <= ATTRIBUTES  # noqa: SIM118  # an element is no dict


def test_an_unknown_element(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not passed on, whatever the library makes of a formula."""
    monkeypatch.setattr(formulas, "ELEMENTS", ELEMENTS - {"mfrac"})
    formulas._formula.cache_clear()
    assert typeset(r"a $\frac{1}{2}$") == r"a $\frac{1}{2}$"
    formulas._formula.cache_clear()
