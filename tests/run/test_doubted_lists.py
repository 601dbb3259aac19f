"""Lists of days in another form: a fault that lasts does not vouch for itself, a real change is taken after a week."""

from collections.abc import Callable
from hashlib import sha256

import pytest

from pipeline.run.summary import looks
from tests.support.toy import Desk


def titles_of(day: int) -> list[str]:
    """Return the titles of a day, made of words that no other day has."""
    digits = (sha256(f"{day} {number}".encode()).hexdigest() for number in range(8))
    letters = (each.translate(str.maketrans("0123456789", "ghklmnoprs")) for each in digits)
    return [f"{each[:7]} {each[7:15]} {each[15:24]}".capitalize() for each in letters]


def told(desk: Desk, day: int, form: Callable[[str], str] = str) -> list[str]:
    """Add the list of a day of June, its titles in some form; return what a person is told to look at."""
    entries = [{"title": form(title), "authors": ["Ann Oats", "Bo Ferns"]} for title in titles_of(day)]
    desk.put(f"news/day-202606{day:02}T0300Z.txt", *entries)
    return [line.partition("Z.txt: ")[2] for line in looks(desk.run("news"))]


@pytest.fixture(name="known")
def known_desk(desk: Desk) -> Desk:
    """Publish the lists of three days, one night after another."""
    assert [told(desk, day) for day in (1, 2, 3)] == [[], [], []]
    return desk


def test_a_form_that_lasts(known: Desk) -> None:
    """Each night is told as the first was; after a week the lists look like that."""
    message = ["8 of 8 titles are in capitals, 0 of 24 in the captures before"]
    found = {day: told(known, day, str.upper) for day in (4, 5, 10, 11, 12)}
    assert found == {4: message, 5: message, 10: message, 11: [], 12: []}


def test_a_form_that_was_a_fault(known: Desk) -> None:
    """The nights after it are compared with those before it: they are as ever."""
    assert (told(known, 4, str.upper) != [], told(known, 5), told(known, 6)) == (True, [], [])
