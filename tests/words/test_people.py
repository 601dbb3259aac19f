"""People in one text: lists of names with affiliations, and texts that are none."""

import pytest

from parsers._words.people import is_doubled, people_by_place, people_of, people_with_place
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
    """If one part is not a name, the whole text gives None."""
    assert people_of(text) == people


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
