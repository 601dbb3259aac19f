"""How the entries of a listing look, compared with its last captures: right for lists of any size."""

from typing import Any

import polars as pl
import pytest

from pipeline.guarding.comparison import compare_capture
from pipeline.guarding.listings import chance, find_other_form
from pipeline.reading.frames import RECORD_TYPES
from tests.support.signs import looks_at

PEOPLE = [{"name": "Ada Quill"}, {"name": "Bo Fern"}]


def entry(number: int, **fields: Any) -> dict[str, Any]:
    """Return an entry of a listing; every fourth has a single author."""
    plain = {
        "record_id": f"news:{number}",
        "kind": "paper",
        "title": f"{'Slow Warm Calm Early'.split()[number % 4]} Foam in Tank {number}",
        "authors": PEOPLE[: 1 if number % 4 == 0 else 2],
        "abstract": f"{'We It They One'.split()[number % 4]} fill tank {number}.",
    }
    return dict.fromkeys(RECORD_TYPES) | plain | fields


def listing(first: int, count: int = 8, **fields: Any) -> pl.DataFrame:
    """Return the list of a day; ``{}`` in a text field is replaced by the number of the entry."""
    told = (
        {name: value.format(each) if isinstance(value, str) else value for name, value in fields.items()}
        for each in range(first, first + count)
    )
    return pl.DataFrame([entry(first + place, **values) for place, values in enumerate(told)], RECORD_TYPES)


PAST = [listing(100), listing(200), listing(300)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"title": "T{} FOAM IN TANKS"}, "8 of 8 titles are in capitals, 0 of 24 in the captures before"),
        (
            {"title": "Foam"},
            "8 of 8 titles are those of other records too, 0 of 24 in the captures before; "
            "8 of 8 titles begin with 'Foam', 0 of 24 in the captures before",
        ),
        ({"title": "{0}. Foam {0}. Foam"}, "8 of 8 titles are printed twice, 0 of 24 in the captures before"),
        ({"abstract": "{} are ..."}, "8 of 8 abstracts end in an ellipsis, 0 of 24 in the captures before"),
        ({"abstract": "{} are …"}, "8 of 8 abstracts end in an ellipsis, 0 of 24 in the captures before"),
        ({"authors": PEOPLE[:1]}, "8 of 8 records have only one author, 6 of 24 in the captures before"),
        (
            {"authors": [{"name": "A. Quill"}, {"name": "B.-C. Fern"}]},
            "8 of 8 authors have only initials, 0 of 24 in the captures before",
        ),
        ({"title": "Titel: Foam {}"}, "8 of 8 titles begin with 'Titel:', 0 of 24 in the captures before"),
        ({"abstract": "Abstract {} is"}, "8 of 8 abstracts begin with 'Abstract', 0 of 24 in the captures before"),
        ({"title": "{} FOAM in Tanks"}, None),
        ({"abstract": "{}... are foam."}, None),
        ({"abstract": None}, "8 of 8 records have no abstract, 0 of 24 in the captures before"),
        ({}, None),
    ],
)
def test_a_list_that_prints_otherwise(fields: dict[str, Any], expected: str | None) -> None:
    """A form that most entries have and hardly any had on other days is reported."""
    assert find_other_form(listing(400, **fields), PAST) == expected


@pytest.mark.parametrize(("count", "told"), [(2, False), (3, True)])
@pytest.mark.parametrize("fields", [{"title": "FOAM {}"}, {"authors": None}])
def test_few_entries(fields: dict[str, Any], count: int, *, told: bool) -> None:
    """Three entries in capitals or without authors are reported if none was before; two are too few."""
    assert (find_other_form(listing(400, count, **fields), PAST) is not None) is told


@pytest.mark.parametrize(("count", "told"), [(5, False), (8, True)])
def test_what_may_be_chance(count: int, *, told: bool) -> None:
    """If one entry in four has a single author, five in a row may be chance, but not eight."""
    assert (find_other_form(listing(400, count, authors=PEOPLE[:1]), PAST) is not None) is told


def test_a_form_that_was_usual_before() -> None:
    """Capitals are fine in a source that had them before; without earlier captures nothing is reported."""
    capitals = listing(400, title="FOAM {}")
    assert (find_other_form(capitals, [*PAST, listing(500, 24, title="FOAM {}")]), find_other_form(capitals, [])) == (
        None,
        None,
    )


def test_a_first_list_in_capitals_is_pointed_at() -> None:
    """Capitals are reported on a page of news; on other pages the known records are compared one by one."""
    found = [looks_at(compare_capture(PAST, listing(400, title="FOAM {}"), log=log), log=log) for log in (True, False)]
    assert ["capitals" in " ".join(each) for each in found] == [True, False]


@pytest.mark.parametrize(
    ("count", "of", "share", "expected"), [(3, 3, 0.1, 0.001), (8, 10, 0.1, 1.2e-06), (4000, 5000, 0.3, 0.0)]
)
def test_chance(count: int, of: int, share: float, expected: float) -> None:
    """The chance of all is the power of the share; of fewer it is an upper bound."""
    assert chance(count, of, share) == pytest.approx(expected, rel=0.01, abs=1e-300)
