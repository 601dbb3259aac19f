"""Times of day and ranges of them, as programmes print them."""

from datetime import time

import pytest

from parsers._words.dates import DAY_END, read_times


@pytest.mark.parametrize(
    ("printed", "starts", "ends"),
    [
        ("9:30", "09:30", None),
        ("TUE 9:30 am", "09:30", None),
        ("09:30:00", "09:30", None),
        ("9:30:00 - 1:15:00 PM", "09:30", "13:15"),
        ("10h30", "10:30", None),
        ("9.30 - 10.15", "09:30", "10:15"),
        ("1:30 - 3:00 PM", "13:30", "15:00"),
        ("1:30-3:00pm", "13:30", "15:00"),
        ("11:30 - 1:00 PM", "11:30", "13:00"),
        ("11:30 - 12:30 PM", "11:30", "12:30"),
        ("12:00 - 1:30 p.m.", "12:00", "13:30"),
        ("9:00 - 5:00 PM", "09:00", "17:00"),
        ("10:00 - 11:00 PM", "22:00", "23:00"),
        ("11:30 am - 1:00", "11:30", "13:00"),
        ("9-10:30 AM", "09:00", "10:30"),
        ("1 to 3pm", "13:00", "15:00"),
        ("TUE 10:30 AM - 12:00 PM", "10:30", "12:00"),
        ("Wednesday, from 10:30 until 12:00", "10:30", "12:00"),
        ("10:30–12:00 (CET)", "10:30", "12:00"),
        ("10:30 − 12:00 UTC+2", "10:30", "12:00"),
        ("2:00 PM EDT - 3:00 PM EDT", "14:00", "15:00"),
        ("10h30 - 12h", "10:30", "12:00"),
        ("9h-10h30", "09:00", "10:30"),
        ("18:00 ~ 26:00", "18:00", "02:00"),
        ("20:00 - 29:00", "20:00", "05:00"),
    ],
)
def test_times(printed: str, starts: str, ends: str | None) -> None:
    """A half of the day that is printed once holds for both times where that is possible."""
    assert read_times(printed) == (time.fromisoformat(starts), time.fromisoformat(ends) if ends else None)


def test_the_end_of_the_day() -> None:
    """Midnight at the end of a day is not its beginning."""
    assert read_times("22:30-24:00") == (time(22, 30), DAY_END)


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "9",
        "9-10",
        "25:00",
        "9:30 - 25:70",
        "9:30 - 10:15 - 11",
        "9:30 Welcome",
        "13:30 PM",
        "9:30:10",
        "3.50-12.75",
        "9:00-29:00",
    ],
)
def test_what_is_no_time(printed: str) -> None:
    """Anything else is not read in part."""
    assert read_times(printed) is None
