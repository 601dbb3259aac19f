"""Near titles: slips are near, what names another thing is not; the distance equals that of the textbook."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.works.near import distance, similarity

WORDS = st.text("abc", max_size=9)


def full_distance(first: str, second: str) -> int:
    """Return the edit distance by the whole table."""
    row = list(range(len(second) + 1))
    for number, letter in enumerate(first, 1):
        above, row[0] = row[0], number
        for place, other in enumerate(second, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (letter != other))
    return row[-1]


@given(WORDS, WORDS, st.integers(0, 6))
def test_the_distance_is_that_of_the_whole_table(first: str, second: str, most: int) -> None:
    """Up to the bound it is exact, beyond it there is none."""
    known = full_distance(first, second)
    assert distance(first, second, most) == (known if known <= most else None)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("efficient data base systems for the storage of jam", "efficient database systems for the storage of jam"),
        (
            "a longer study of the recieving ends of pots and of pans",
            "a longer study of the receiving ends of pots and of pans",
        ),
        ("models of sugar in the pots of a large kitchen", "model of sugar in the pots of a large kitchen"),
        ("the foruth language of all the pots and lids of jam", "the fourth language of all the pots and lids of jam"),
    ],
)
def test_slips_are_near(first: str, second: str) -> None:
    """A slip of a letter or two, a word that is divided."""
    assert similarity(first, second) >= 0.95


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the report on model 3 super and on all of its pots", "the report on model 3 ultra and on all of its pots"),
        ("learning supervised representations of large pots", "learning unsupervised representations of large pots"),
        ("scheduling online kitchens with many boiling pots", "scheduling offline kitchens with many boiling pots"),
        (
            "routing jam within intra domain networks of kitchens",
            "routing jam within inter domain networks of kitchens",
        ),
        ("sugar and jam", "sugar or jam and pots"),
        ("jam", "ham"),
    ],
)
def test_other_words_are_not_near(first: str, second: str) -> None:
    """Few letters may name another thing."""
    assert similarity(first, second) == 0
