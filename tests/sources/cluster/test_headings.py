"""What is read inside a line: days, times, headings of sessions."""

from datetime import time

import pytest

from parsers._words.dates import DAY_END
from parsers._words.years import Day
from parsers.cluster.headings import TimeLine, read_day, read_session, read_time_line


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Tuesday, September 11th", Day(0, 9, 11, 1)),
        ("Conference - Tuesday, Oct 31", Day(0, 10, 31, 1)),
        ("September 24", Day(0, 9, 24)),
        ("Wednesday September 3rd", Day(0, 9, 3, 2)),
        ("Thursday, 17 September 2026", Day(0, 9, 17, 3, 2026)),
        ("Day 2: Fri, Sept. 5", Day(0, 9, 5, 4)),
        ("Day 1 (Tuesday, September 2, 2031)", Day(0, 9, 2, 1, 2031)),
        ("Tuesday (September 2)", Day(0, 9, 2, 1)),
        ("Tuesday – September 2", Day(0, 9, 2, 1)),
        ("September 2, 2031 - Tuesday", Day(0, 9, 2, 1, 2031)),
        ("Monday, September 1 - Workshops and Tutorials", Day(0, 9, 1, 0)),
        ("Tues., the 2nd of September", Day(0, 9, 2, 1)),
        ("PROGRAM FOR TUESDAY, SEPTEMBER 2ND", None),
        ("Tuesday, 2031-09-02", Day(0, 9, 2, 1, 2031)),
        ("2.9.2031", Day(0, 9, 2, None, 2031)),
        ("Registration (September 2)", None),
        ("Tuesday, September 5 | Wednesday, September 6", None),
        ("September 2 - Registration", None),
        ("May We Forget? 3 Caches", None),
        ("September 24 to 27", None),
    ],
)
def test_day(text: str, day: Day | None) -> None:
    """A day heading is read in every printed form, whole."""
    assert read_day(text) == day


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("9:00am-10:15am", TimeLine(time(9), time(10, 15))),
        ("12:30pm-1:30pm", TimeLine(time(12, 30), time(13, 30))),
        ("08:00 am PT", TimeLine(time(8))),
        ("09:20 am PT - Session 1", TimeLine(time(9, 20), code="1")),
        ("12:40 - 13:40 PT", TimeLine(time(12, 40), time(13, 40))),
        ("11:00 - 12:30 -- Parallel Sessions", TimeLine(time(11), time(12, 30))),
        ("19:00", TimeLine(time(19))),
        ("9:30-11:00", TimeLine(time(9, 30), time(11))),
        ("09.30 – 10.30", TimeLine(time(9, 30), time(10, 30))),
        ("12:00 - 13:00 - Lunch", TimeLine(time(12), time(13), "Lunch")),
        ("6pm \u2013 8pm", TimeLine(time(18), time(20))),
        ("9:30\u201111:00", TimeLine(time(9, 30), time(11))),
        ("9h30 \u2212 11h00", TimeLine(time(9, 30), time(11))),
        ("20:00-24:00", TimeLine(time(20), DAY_END)),
        ("9-10:30 AM", TimeLine(time(9), time(10, 30))),
        ("1:30 - 3:00 pm", TimeLine(time(13, 30), time(15))),
        ("11:30 - 1:00 pm", TimeLine(time(11, 30), time(13))),
        ("11:30 am - 1:00", TimeLine(time(11, 30), time(13))),
        ("14:00 - 3:30 pm", TimeLine(time(14), time(15, 30))),
        ("From 9:30 h to 11:00 h", TimeLine(time(9, 30), time(11))),
        ("[9:30 ~ 11:00]", TimeLine(time(9, 30), time(11))),
        ("9:30-11:00 UTC+02:00 (90 min)", TimeLine(time(9, 30), time(11))),
        ("9:30 - 11:00 CET / 3:30 - 5:00 ET", TimeLine(time(9, 30), time(11))),
        ("9:30 - 11:00: Stores", TimeLine(time(9, 30), time(11), "Stores")),
        ("18:30 onwards", TimeLine(time(18, 30))),
        ("18:30 - late", TimeLine(time(18, 30))),
        ("25:00-26:00", TimeLine(None, impossible=True)),
        ("9:30 is when we begin", None),
        ("9:30 - 11:00 | Workshops | Opening", None),
    ],
)
def test_time_line(text: str, line: TimeLine | None) -> None:
    """A time line is read in every printed form, whole."""
    assert read_time_line(text) == line


@pytest.mark.parametrize(
    ("text", "code", "title", "track", "tag"),
    [
        ("Session (1) Stores", "1", "Stores", None, None),
        ("Session (7) IoT, Cloud (2 of 2)", "7", "IoT, Cloud (2 of 2)", None, None),
        ("Paper session II: Stores", "II", "Stores", None, None),
        ("Session I: best papers (Areas 1 and 2)", "I", "best papers (Areas 1 and 2)", None, None),
        ("Session 3A - Stores", "3A", "Stores", None, None),
        ("Session 4", "4", None, None, None),
        ("Session 1.2: Stores", "1.2", "Stores", None, None),
        ("Session 2-B: Stores", "2-B", "Stores", None, None),
        ("Session T1 | Stores", "T1", "Stores", None, None),
        ("Session 3-D Printing", "3", "D Printing", None, None),
        ("Session 3 (Best Papers)", "3", "Best Papers", None, None),
        ("Stores (Session XVIII)", "XVIII", "Stores", None, None),
        ("Track A: Stores", None, "Stores", "Track A", None),
        ("[Workshop] Stores (agenda)", None, "Stores", None, "workshop"),
        ("Top 3 Papers (1/3)", None, "Top 3 Papers (1/3)", None, None),
        ("Sessions of the Student Forum", None, "Sessions of the Student Forum", None, None),
        ("Session A Is Not a Code Here", None, "Session A Is Not a Code Here", None, None),
    ],
)
def test_session_heading(text: str, code: str | None, title: str | None, track: str | None, tag: str | None) -> None:
    """A session heading gives up its code, track and tag; a plain one is all title."""
    heading = read_session(text)
    assert (heading.code, heading.title, heading.track, heading.tag) == (code, title, track, tag)


@pytest.mark.parametrize(
    ("text", "keynote", "about"),
    [
        ("Keynote (2): Ada Quill", "Keynote (2)", "Ada Quill"),
        ("Keynote: Ada Quill, Norwick", "Keynote", "Ada Quill, Norwick"),
        ("Keynote II", "Keynote II", None),
        ("Keynote Talk 1 - Ada Quill", "Keynote Talk 1", "Ada Quill"),
        ("Opening Keynote: Ada Quill", "Opening Keynote", "Ada Quill"),
        ("Keynote #2: Ada Quill", "Keynote #2", "Ada Quill"),
        ("Keynote-Scale Computing", None, None),
        ("Welcome and Keynote I", None, None),
    ],
)
def test_keynote_heading(text: str, keynote: str | None, about: str | None) -> None:
    """A keynote heading gives its name and what it is about."""
    heading = read_session(text)
    assert (heading.keynote, heading.about) == (keynote, about)


@pytest.mark.parametrize(
    ("text", "title", "chair"),
    [
        ("Session 1: Stores (Chair: Bea Sorn, Norwick)", "Stores", "Bea Sorn, Norwick"),
        ("Stores (Session Chair: Bea Sorn (Norwick))", "Stores", "Bea Sorn (Norwick)"),
        ("Stores - Chair: Bea Sorn (Norwick)", "Stores", "Bea Sorn (Norwick)"),
        ("Panel: Whose Rope? [Moderator: Bea Sorn]", "Panel: Whose Rope?", "Bea Sorn"),
        ("Musical Stores (Chairs: New Rules)", "Musical Stores (Chairs: New Rules)", None),
    ],
)
def test_chair_behind_a_title(text: str, title: str, chair: str | None) -> None:
    """A chair behind the title of a session is none of its words."""
    heading = read_session(text)
    assert (heading.title, heading.chair) == (title, chair)
