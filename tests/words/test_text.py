"""People and paragraphs as printed: nested brackets, countries, paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._words.text import (
    canonical_arxiv_id,
    join_paragraphs,
    person_with_country,
    split_affiliation,
    split_outside_brackets,
    without_markup,
)
from schemas.items import Person

WORDS = st.text("Aq\u00e9\u8a08.'-&", min_size=1, max_size=8)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)


def nested(plain: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Make texts with balanced brackets: ``plain`` text, then possibly brackets with commas inside."""
    inside = st.recursive(
        st.lists(WORDS, min_size=1, max_size=3).map(", ".join),
        lambda deeper: st.tuples(WORDS, deeper).map(lambda both: f"{both[0]} ({both[1]})"),
        max_leaves=4,
    )
    return st.tuples(plain, st.none() | inside).map(
        lambda both: both[0] if both[1] is None else f"{both[0]} ({both[1]})"
    )


@given(NAMES, nested(NAMES))
def test_affiliation_comes_back(name: str, affiliation: str) -> None:
    """``Name (Affiliation)`` gives both, even with brackets inside the affiliation."""
    assert split_affiliation(f"{name} ({affiliation})") == (name, affiliation, True)


@given(NAMES, nested(NAMES))
def test_unclosed_affiliation_is_taken_to_the_end(name: str, affiliation: str) -> None:
    """Without the closing bracket the affiliation is the rest of the line, and the result says so."""
    assert split_affiliation(f"{name} ({affiliation}") == (name, affiliation, False)


@given(NAMES, nested(NAMES), nested(NAMES))
def test_country_comes_back(name: str, affiliation: str, country: str) -> None:
    """The country follows the last comma outside inner brackets, and may have brackets itself."""
    assert person_with_country(f"{name} ({affiliation}, {country})") == Person(name, affiliation, country)


@given(NAMES, st.lists(nested(NAMES), min_size=2, max_size=4), NAMES)
def test_only_the_last_comma_parts_off_the_country(name: str, parts: list[str], country: str) -> None:
    """Commas before the last one stay in the affiliation."""
    affiliation = ", ".join(parts)
    assert person_with_country(f"{name} ({affiliation}, {country})") == Person(name, affiliation, country)


@given(NAMES, nested(NAMES), NAMES)
def test_country_of_an_unclosed_affiliation(name: str, affiliation: str, country: str) -> None:
    """A missing closing bracket does not lose the country."""
    assert person_with_country(f"{name} ({affiliation}, {country}") == Person(name, affiliation, country)


@given(st.lists(nested(NAMES), min_size=1, max_size=5))
def test_list_of_people_comes_back(people: list[str]) -> None:
    """Commas inside brackets do not separate people."""
    assert split_outside_brackets(", ".join(people)) == people


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann", ("Ann", None, True)),
        (" Ann ( Uni ) ", ("Ann", "Uni", True)),
        ("Ann ()", ("Ann", None, True)),
        ("Ann (", ("Ann", None, False)),
        ("Ann (Uni (Dept)", ("Ann", "Uni (Dept)", False)),
        ("Ann (Uni) and more", ("Ann", "Uni) and more", False)),
        ("(Uni)", ("", "Uni", True)),
        ("Ann) Uni", ("Ann) Uni", None, True)),
    ],
)
def test_affiliations(text: str, expected: tuple[str, str | None, bool]) -> None:
    """The affiliation starts at the first bracket after the name and ends at the matching one."""
    assert split_affiliation(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann", Person("Ann")),
        ("Ann (Uni)", Person("Ann", "Uni")),
        ("Ann (Uni, Norway)", Person("Ann", "Uni", "Norway")),
        ("Ann (Uni (A, B))", Person("Ann", "Uni (A, B)")),
        ("Ann (Uni (A, B), Korea (South, so to say))", Person("Ann", "Uni (A, B)", "Korea (South, so to say)")),
        ("Ann (Uni (A, Norway)", Person("Ann", "Uni (A, Norway)")),
        ("Ann (Uni (A, B, Norway", Person("Ann", "Uni (A, B", "Norway")),
        ("Ann (Uni,)", Person("Ann", "Uni")),
        ("Ann (, Norway)", Person("Ann", None, "Norway")),
        ("Ann ()", Person("Ann")),
        ("Ann (Uni, Korea, Republic of)", Person("Ann", "Uni", "Korea, Republic of")),
        ("Ann (Uni (A, B), Taiwan, Province of China)", Person("Ann", "Uni (A, B)", "Taiwan, Province of China")),
        ("Ann (Korea, Republic of)", Person("Ann", None, "Korea, Republic of")),
        ("Ann (Uni, Czech Republic)", Person("Ann", "Uni", "Czech Republic")),
    ],
)
def test_people_with_country(text: str, expected: Person) -> None:
    """Fields that are not printed are None."""
    assert person_with_country(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" , a ,, b, ", ["a", "b"]),
        ("a (b, c), d [e, f], g", ["a (b, c)", "d [e, f]", "g"]),
        ("a), b", ["a)", "b"]),
        ("a (b, c", ["a (b, c"]),
        ("a; b", ["a; b"]),
    ],
)
def test_split_outside_brackets(text: str, expected: list[str]) -> None:
    """Commas in brackets do not split; a stray closing bracket is ignored, an unclosed one protects the rest."""
    assert split_outside_brackets(text) == expected


def test_split_at_another_separator() -> None:
    """Another separator can be given."""
    assert split_outside_brackets("a, b; c (d; e)", ";") == ["a, b", "c (d; e)"]


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [([], None), (["", " \n"], None), ([" a "], "a"), (["a\nb", "", " c"], "a\nb\n\nc")],
)
def test_paragraphs(paragraphs: list[str], expected: str | None) -> None:
    """Paragraphs are stripped and joined by one blank line; without any the result is None."""
    assert join_paragraphs(paragraphs) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2605.00001", "2605.00001"),
        (" 0704.1234v12 ", "0704.1234"),
        ("math.GT/0309136v1", "math/0309136"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("2605.001", None),
        ("2605.000001", None),
        ("2605.00001v", None),
        ("id 2605.00001", None),
        ("\u0662605.00001", None),
        ("", None),
    ],
)
def test_arxiv_ids(text: str, expected: str | None) -> None:
    """Ids of both schemes lose version and subject class; anything else is None."""
    assert canonical_arxiv_id(text) == expected


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Q&amp;A on Jam&#x27;s &quot;Sugar&quot;", 'Q&A on Jam\'s "Sugar"'),
        ('<a href="https://jam.example/">Less <b>Sugar</b></a>', "Less Sugar"),
        ("Jam<br/>and Pots", "Jam and Pots"),
        ("Why &lt;b&gt; Matters", "Why <b> Matters"),
        ("The <b> Element", "The <b> Element"),
        ("Lids <and> Labels, a < b, R&D; &jam;", "Lids <and> Labels, a < b, R&D; &jam;"),
        ("Pots &amp;amp; Pans", "Pots &amp; Pans"),
    ],
)
def test_markup_in_texts(text: str, bare: str) -> None:
    """Elements and escapes go; what only looks like one stays."""
    assert without_markup(text) == bare
