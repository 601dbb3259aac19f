"""A doubtful value is published, and its record has a note."""

import pytest

from pipeline.base.signals import Sign
from pipeline.reading.doubts import NOTE, with_doubts
from schemas.items import Person, Record, Slot


def is_noted(**values: object) -> bool:
    """True if a record with these values gets the note."""
    (record,), _ = with_doubts([Record(1, 1, **values)])  # type: ignore[arg-type]  # of its fields
    return NOTE in record.notes


@pytest.mark.parametrize(
    "name",
    [
        "Written by: Ada Quill",
        "by Ada Quill",
        "Ada Quill; Bo Ferns",
        "Ada Quill and Bo Ferns",
        "Ada Quill et al.",
        "\\[Ada Quill\\]",
        "Ada Quill 11:30-13:00",
        "We use cookies to improve your experience on these pages",
        "Peter O&#39;Hara",
        "Ada Quill\u00b9",
        "Ada Quill Mole Lab,",
    ],
)
def test_names(name: str) -> None:
    """A name with a label, a separator, markup, a time or a whole sentence is doubtful."""
    assert is_noted(authors=(Person("Ada Quill"), Person(name)))
    assert is_noted(chairs=(Person(name),))


@pytest.mark.parametrize(
    "name",
    ["Ada Quill", "A. Quill 0001", "d'Arcy", "the Lantern and Quay Collaborations", "Nn0", "Ola Öz-Ek", "Andy Byrne"],
)
def test_names_as_printed(name: str) -> None:
    """Numbers of namesakes, collaborations and single words are fine."""
    assert not is_noted(authors=(Person(name),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stores are full.\nComments: 10 pages", True),
        ("Stores are full.\n  * Coments: 10 pages", True),
        ("Stores are full.\nCommnets : 10 pages", True),
        ("Speakres: Ada Quill", True),
        ("Stores are full. Comments: none.", False),
        ("Comments on stores: a survey", False),
        ("Chain: a store", False),
        ("Titles: a survey", False),
        ("Note: a store", False),
        ("Stores &amp; keys", True),
        ("It&#x27;s a store", True),
        ("Lab for R&D; stores &store; keys&c", False),
    ],
)
def test_texts(text: str, expected: bool) -> None:
    """A line that starts with the label of a field, even misspelt, makes any text doubtful; so does an escape."""
    told = [is_noted(**{name: text}) for name in ("abstract", "description", "comments", "session_title")]
    assert told == [expected] * 4


@pytest.mark.parametrize(
    ("title", "room", "expected"),
    [
        ("Stores: a Survey", "Great Hall 2", False),
        ("Stores?Remarks: Accepted", None, True),
        ("> Stores", None, True),
        ("Page 1 of 4", None, True),
        ("9:30-10:00 Stores", None, True),
        ("Thursday, September 4th", None, True),
        ("Stores", "11h30 MESZ", True),
        ("Stores", "The harbour bridge is closed on both evenings.", True),
        ("Stores", "Room:", True),
        ("Stores &ndash; a Survey", None, True),
        ("Stores", "Hall &amp; Yard", True),
        (None, "Room 4.12 (2nd floor)", False),
    ],
)
def test_titles_and_rooms(title: str | None, room: str | None, expected: bool) -> None:
    """A title with a glued time, day, mark or label is doubtful; so is a room that is a time, a label or a sentence."""
    assert is_noted(title=title, slots=(Slot(room=room),)) is expected


def test_many_doubts_are_told() -> None:
    """A person is told at five records and a tenth of all, with the first of the values."""
    odd = [Record(number, number, authors=(Person(f"Written by: Ada {number}"),)) for number in range(3, 8)]
    fair = [Record(9, 9, authors=(Person("Bo Ferns"),))]
    ((told,), said) = with_doubts(odd + fair)[1], "5 records have values that look like this"
    assert told == Sign("odd", f"line 3, 'Written by: Ada 3': {said}", line=3)
    assert with_doubts(odd[1:] + fair)[1] == with_doubts(odd + 46 * fair)[1] == ()


def test_the_head_of_a_printed_page() -> None:
    """A header of a printed page is in no field; a single one is told."""
    for values in (
        {"session_title": "Page 2 of 4"},
        {"authors": (Person("Page 2 of 4"),)},
        {"title": "page 2 of 4"},
        {"abstract": "Jam.\n\nPage 2 of 4\n\nJars."},
    ):
        ((odd, *_), told) = with_doubts([Record(3, 3, **values), Record(9, 9, title="Jam", session_title="Jars")])
        assert (odd.notes, len(told), "1 records" in told[0].detail) == ((NOTE,), 1, True)


def test_cancelled() -> None:
    """A page most of whose records are cancelled is pointed at."""
    records = [Record(n, n, title="Jam", notes=("cancelled",) if n < 6 else ()) for n in range(10)]
    assert with_doubts(records)[1] == (Sign("cancelled", "6 of 10 records are cancelled"),)
    assert with_doubts(records[:5] + records[6:])[1] == (Sign("cancelled", "5 of 9 records are cancelled"),)
    assert with_doubts(records[1:])[1] == (Sign("cancelled", "5 of 9 records are cancelled"),)
    assert with_doubts(records[2:])[1] == with_doubts(records[:2])[1] == ()


def test_letters_that_are_lost() -> None:
    """A name in which a letter is a question mark is doubtful."""
    assert is_noted(authors=(Person("Ada Medvidovi?"),))


@pytest.mark.parametrize(("place", "expected"), [("Hay A&amp;M University", True), ("Hay A&M University", False)])
def test_affiliations(place: str, expected: bool) -> None:
    """A character that is still escaped in an affiliation is told, too."""
    assert is_noted(authors=(Person("Ada Quill", place),)) is expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Stores that FillAda Quill (Mole Lab)", True),
        ("Stores that FillChair: Ada Quill", True),
        ("Stores (Part 2)Speaker: Ada Quill", True),
        ("Stores in JavaScript Object Notation (JSON)", False),
        ("Stores in PyStore (Mole Lab)", False),
        ("StoreChair: Experiments with Wheels", False),
        ("A Store: Chair: A Store for Chairs", False),
    ],
)
def test_texts_that_have_grown_together(title: str, expected: bool) -> None:  # a row of the table
    """Where a line break is lost, the label or the person of the next line touches the title."""
    assert is_noted(title=title) is expected
    assert is_noted(session_title=title) is (expected and ": " in title)
