"""People in one text: lists of names with affiliations, and texts that are none."""

from collections.abc import Callable

import pytest

from parsers._words.people import Partly, is_doubled, people_by_place, people_of, people_with_place, without_marks
from schemas.items import Person

ADA, BO, CY = Person("Ada Quill", "Mole Lab"), Person("Bo Ferns"), Person("Cy Moss")


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ada Quill (Mole Lab), Bo Ferns and Cy Moss", (ADA, BO, CY)),
        ("Ada Quill (Mole Lab); Bo Ferns, & Cy Moss", (ADA, BO, CY)),
        ("Ada Quill* (Mole Lab)*, Bo Ferns\u2020", (ADA, BO)),
        ("Ada Quill (Mole Lab (Quay), Tarn)", (Person("Ada Quill", "Mole Lab (Quay), Tarn"),)),
        ("John Alder, Jr., Bo Ferns", (Person("John Alder, Jr."), BO)),
        ("Ada Quill, (Mole Lab), Bo Ferns", (ADA, BO)),
        ("Bo Ferns1,2, Cy Moss 3 and Dot Reed2", (BO, CY, Person("Dot Reed"))),
        ("Bo Ferns\u00b9, Cy Moss\u00b2,\u00b3 and Dot Reed\u2074*", (BO, CY, Person("Dot Reed"))),
        ("Bo Ferns (1), Cy Moss (2, 3)", (BO, CY)),
        ("Ada Quill, Mole Lab", (ADA,)),
        ("Ada Quill, Microsoft Research", (Person("Ada Quill", "Microsoft Research"),)),
        ("Ada Quill, Mole Lab, Bo Ferns", (ADA, BO)),
        ("Bo Ferns, Cy Moss, Mole Lab", (BO, CY)),
        ("Bo Ferns, Richard (Hao) Zhang", (BO, Person("Richard (Hao) Zhang"))),
        ("Ada Rose (Rosie) Quill (Mole Lab), Bo Ferns", (Person("Ada Rose (Rosie) Quill", "Mole Lab"), BO)),
        ("Ada Quill (Mole Lab) Bo Ferns (Fern House)", None),
        ("Ada Quill (Mole Lab) Bo Ferns (Fern House), Bo Ferns, Cy Moss", (BO, CY)),
        ("Bo Ferns\u200b, Cy Moss", (BO, CY)),
        ("Bo Ferns, TBA, Cy Moss", (BO, CY)),
        ("Bo Ferns, Cy Moss, Plato", (BO, CY)),
        ("Bo Ferns, Cy Moss, Plato, and others", None),
        ("Bo Ferns, Mole Lab, Oslo", None),
        ("(Mole Lab)", None),
        ("X.Sean Wang", (Person("X.Sean Wang"),)),
        ("J. C. van der Meer", (Person("J. C. van der Meer"),)),
        ("Jan van 't Mole, Devi a/p Reed", (Person("Jan van 't Mole"), Person("Devi a/p Reed"))),
        ("Peter O'Hara, Linh Truong-Hong", (Person("Peter O'Hara"), Person("Linh Truong-Hong"))),
        ("李 明", (Person("李 明"),)),
        ("Room 614", None),
        ("TBA", None),
        ("Coffee Break", None),
        ("University of Oslo", None),
        ("Why do Caches Fail", None),
        ("CSAIL); Bo Ferns (MIT", None),
        ("Bo Ferns, and others to be announced", None),
        ("Ada Quill (Mole Lab", None),
        (" , ", None),
        (7, None),
    ],
)
def test_people(text: object, people: tuple[Person, ...] | None) -> None:
    """Two names and more beside one part that is none are kept; anything else that is no list of names gives None."""
    assert people_of(text) == people


@pytest.mark.parametrize(
    ("read", "text", "is_whole"),
    [
        (people_of, "Bo Ferns, Cy Moss", True),
        (people_of, "Bo Ferns, Mole Lab", True),
        (people_of, "Bo Ferns, TBA, Cy Moss", False),
        (people_of, "Bo Ferns, Cy Moss, Mole Lab", False),
        (people_by_place, "Bo Ferns, Cy Moss (Mole Lab), Plato", False),
        (people_with_place, "Bo Ferns, Mole Lab; Cy Moss; Room 7", False),
    ],
)
def test_lists_read_in_part(read: Callable[[object], tuple[Person, ...] | None], text: str, is_whole: bool) -> None:
    """What was read of a list without one part of it says so."""
    people = read(text)
    assert people is not None
    assert isinstance(people, Partly) is not is_whole


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("Ada Quill\u00b9", "Ada Quill"),
        ("*Ada Quill 12", "Ada Quill"),
        ("Ada Quill\u00b9\u2074*", "Ada Quill"),
        ("Ada Quill 0001", "Ada Quill 0001"),
        ("\u202aAda Quill\u200f", "Ada Quill"),
        ("Fran\u00c3\u00a7oise Moss", "Fran\u00c3\u00a7oise Moss"),
    ],
)
def test_marks_around_names(printed: str, name: str) -> None:
    """Raised numbers, daggers and marks of direction are no part of a name; numbers that tell namesakes apart are."""
    assert without_marks(printed) == name


def test_one_place_for_all_before_it() -> None:
    """A place belongs to the names before it, back to the previous place; names after the last place have none."""
    mole = [Person(name, "Mole Lab") for name in ("Ada Quill", "Bo Ferns")]
    assert people_by_place("Ada Quill, Bo Ferns (Mole Lab); Cy Moss (Tarn), Dot Reed") == (
        *mole,
        Person("Cy Moss", "Tarn"),
        Person("Dot Reed"),
    )


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ada Quill, Mole Lab, Oslo; Bo Ferns", (Person("Ada Quill", "Mole Lab, Oslo"), BO)),
        ("Ada Quill, Mole Lab; Room 7", None),
        (None, None),
    ],
)
def test_places_behind_commas(text: object, people: tuple[Person, ...] | None) -> None:
    """A semicolon ends a person; the affiliation follows the first comma."""
    assert people_with_place(text) == people


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Ada Quill", "Bo Ferns", "Ada  Quill", "Bo Ferns"], True),
        (["Ada Quill", "Ada Quill"], True),
        (["Ada Quill", "Bo Ferns", "Bo Ferns", "Ada Quill"], False),
        (["Ada Quill", "Ada Quill", "Bo Ferns", "Bo Ferns"], False),
        (["Ada Quill", "Bo Ferns", "Ada Quill"], False),
        ([], False),
    ],
)
def test_lists_printed_twice(names: list[str], *, expected: bool) -> None:
    """All names come again in the same order; one that comes again alone may be that of somebody else."""
    assert is_doubled(names) is expected
