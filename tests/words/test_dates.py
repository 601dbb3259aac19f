"""Dates and times of day as printed."""

import re
from datetime import date, time

import pytest

from parsers._words.dates import (
    CLOCK,
    DAY_END,
    MONTH,
    WEEKDAY,
    clock,
    full_year,
    make_date,
    month_number,
    weekday_number,
)

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
LONG_MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
LONG_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


@pytest.mark.parametrize("names", [MONTHS, LONG_MONTHS, [name.upper() for name in LONG_MONTHS]])
def test_month_names(names: list[str]) -> None:
    """Months are known by name and abbreviation, in any case."""
    assert [month_number(name) for name in names] == list(range(1, 13))


@pytest.mark.parametrize("names", [DAYS, LONG_DAYS, [name.lower() for name in DAYS]])
def test_weekday_names(names: list[str]) -> None:
    """Weekdays are known by name and abbreviation, in any case; Monday is 0."""
    assert [weekday_number(name) for name in names] == list(range(7))


def test_longer_abbreviations() -> None:
    """``Sept``, ``Tues``, ``Thur`` and ``Thurs`` are printed too."""
    assert (month_number("Sept"), *map(weekday_number, ("Tues", "Thur", "Thurs"))) == (9, 1, 3, 3)


@pytest.mark.parametrize("name", ["", "Ma", "Octopus", "Marchers", "Mon", "5"])
def test_what_is_no_month(name: str) -> None:
    """A word that only starts like a month is no month."""
    with pytest.raises(ValueError, match=f"not one of january, .*: '{name}'"):
        month_number(name)


@pytest.mark.parametrize("name", ["", "Mo", "Sunny", "Wedding", "May"])
def test_what_is_no_weekday(name: str) -> None:
    """A word that only starts like a weekday is no weekday."""
    with pytest.raises(ValueError, match=f"not one of monday, .*: '{name}'"):
        weekday_number(name)


@pytest.mark.parametrize("word", [*MONTHS, *LONG_MONTHS, "Sept", "SEPTEMBER"])
def test_month_pattern_takes_what_is_a_month(word: str) -> None:
    """The pattern for headings matches every name of a month that has a number."""
    assert re.fullmatch(MONTH, word, re.IGNORECASE)


@pytest.mark.parametrize("word", [*DAYS, *LONG_DAYS, "Tues", "Thur", "Thurs", "FRIDAY"])
def test_weekday_pattern_takes_what_is_a_weekday(word: str) -> None:
    """The pattern for headings matches every name of a weekday that has a number."""
    assert re.fullmatch(WEEKDAY, word, re.IGNORECASE)


@pytest.mark.parametrize("word", ["Octopus", "Marching", "Junebug", "Mayor", "Sunny", "Monde", "Friends", "Satin"])
def test_patterns_end_at_the_end_of_a_word(word: str) -> None:
    """A longer word that starts like a month or a weekday does not match."""
    assert re.match(f"{MONTH}|{WEEKDAY}", word, re.IGNORECASE) is None


def test_a_day_that_does_not_exist() -> None:
    """February 30th is no date; the 29th is one only in leap years."""
    days = [(2024, 2, 29), (2026, 2, 29), (2026, 2, 30), (2026, 13, 1), (2026, 4, 0)]
    assert [make_date(*day) for day in days] == [date(2024, 2, 29), None, None, None, None]


@pytest.mark.parametrize(
    ("text", "year"), [("2018", 2018), ("91", 1991), ("99", 1999), ("00", 2000), ("26", 2026), ("90", 2090)]
)
def test_years_of_two_digits(text: str, year: int) -> None:
    """91 to 99 are in the 1900s, all others in the 2000s."""
    assert full_year(text) == year


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9:30", time(9, 30)),
        (" 09.30 ", time(9, 30)),
        ("0:00", time(0)),
        ("23:59", time(23, 59)),
        ("9:00am", time(9)),
        ("8:05 PM", time(20, 5)),
        ("8:05 p.m.", time(20, 5)),
        ("9am", time(9)),
        ("12 a.m.", time(0)),
        ("9h30", time(9, 30)),
        ("12:00 am", time(0)),
        ("12:30am", time(0, 30)),
        ("12:00 pm", time(12)),
        ("12:30 pm", time(12, 30)),
    ],
)
def test_times_of_day(text: str, expected: time) -> None:
    """Hours and minutes with colon or dot, of 24 hours or with am and pm; 12 am is midnight, 12 pm noon."""
    assert (clock(text), bool(re.fullmatch(CLOCK, text.strip(), re.IGNORECASE))) == (expected, True)


def test_the_end_of_a_day() -> None:
    """24:00 is midnight, with ``fold`` set to tell it from 0:00."""
    assert (clock("24:00"), DAY_END.fold, DAY_END) == (DAY_END, 1, time(0))


@pytest.mark.parametrize(
    "text",
    [
        "24:01",
        "25:00",
        "24:00 am",
        "9:60",
        "13:00 pm",
        "0:30 am",
        "9",
        "9:3",
        "930",
        "9:30x",
        "",
        "9:30 xm",
        "9h",
        "13 pm",
    ],
)
def test_what_is_no_time_of_day(text: str) -> None:
    """Impossible or incomplete times are None, never another time."""
    assert clock(text) is None
