"""What is read inside a line: names of chairs and authors, with their affiliations."""

import pytest

from parsers.cluster.headings import read_chair_label
from parsers.cluster.people import looks_like_names, read_authors, read_chairs, reads_as_person


def people(persons: tuple[object, ...]) -> list[tuple[str, str | None]]:
    """Return names and affiliations."""
    return [(person.name, person.affiliation) for person in persons]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "chairs"),
    [
        ("Chair: Bea Sorn (Norwick)", [("Bea Sorn", "Norwick")]),
        ("Chair: Bea Sorn, Norwick", [("Bea Sorn", "Norwick")]),
        ("Chair: Bea Sorn, Institute of Tides (IoT), Quay", [("Bea Sorn", "Institute of Tides (IoT), Quay")]),
        ("Chair: Bea Sorn, Institute of Science and Technology", [("Bea Sorn", "Institute of Science and Technology")]),
        ("Chair: Bea Sorn, Norwick and Cal Tern, Plum", [("Bea Sorn", "Norwick"), ("Cal Tern", "Plum")]),
        ("Chair: Bea Sorn (Norwick) Cal Tern (Plum)", [("Bea Sorn", "Norwick"), ("Cal Tern", "Plum")]),
        ("Session Chairs: Bea Sorn, Cal Tern", [("Bea Sorn", None), ("Cal Tern", None)]),
        ("Chair: TBD", []),
        ("CHAIRS: BEA SORN AND CAL TERN", [("BEA SORN", None), ("CAL TERN", None)]),
        ("Session Chair - Bea Sorn (Norwick)", [("Bea Sorn", "Norwick")]),
        ("Session Chair Bea Sorn", [("Bea Sorn", None)]),
        ("Chaired by Bea Sorn (Norwick)", [("Bea Sorn", "Norwick")]),
        ("Chair: A Sorn, Institute of Tides, Quay", [("A Sorn", "Institute of Tides, Quay")]),
        ("Host: Bea Sorn, Norwick", [("Bea Sorn", "Norwick")]),
    ],
)
def test_chairs(text: str, chairs: list[tuple[str, str | None]]) -> None:
    """Chairs are read in every printed form; a placeholder is nobody."""
    role, names = read_chair_label(text) or ("", "")
    assert people(read_chairs(names, role).people) == chairs


@pytest.mark.parametrize(
    "text",
    ["Host: University of Plum", "Chair - A New Kind of Table", "Chair: A New Kind of Table", "Session Chair Design"],
)
def test_no_chairs(text: str) -> None:
    """What bears the word of a chair and names nobody is no label of one."""
    assert read_chair_label(text) is None


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Du, Wang, N. Toosi", [("Du", None), ("Wang", None), ("N. Toosi", None)]),
        ("Ann One (X), Bo Two (Y), and Cy Three (Z)", [("Ann One", "X"), ("Bo Two", "Y"), ("Cy Three", "Z")]),
        (
            "Ann One, Bo Two, and Cy Three (X); and Di Four (Y)",
            [(f"{n}", "X") for n in ("Ann One", "Bo Two", "Cy Three")] + [("Di Four", "Y")],
        ),
        (
            "Ann One and Bo Two (A (B), C), Cy Three (D)",
            [("Ann One", "A (B), C"), ("Bo Two", "A (B), C"), ("Cy Three", "D")],
        ),
        ("Presenter(s): Ann One, Bo Two", [("Ann One", None), ("Bo Two", None)]),
        ("Andrés Sand, Lena Land & Bo Two", [("Andrés Sand", None), ("Lena Land", None), ("Bo Two", None)]),
        ("Ann One, Norwick; Di Four, Plum, Quay", [("Ann One", "Norwick"), ("Di Four", "Plum, Quay")]),
        ("Ann One; Bo Two; Cy Three", [("Ann One", None), ("Bo Two", None), ("Cy Three", None)]),
        (
            "Ann One, Bo Two, Plum University, Quay, and Cy Three, Orb Lab",
            [("Ann One", "Plum University, Quay"), ("Bo Two", "Plum University, Quay"), ("Cy Three", "Orb Lab")],
        ),
        ("Ann One, Plum University and Bo Two, Orb Lab", [("Ann One", "Plum University"), ("Bo Two", "Orb Lab")]),
    ],
)
def test_authors(text: str, authors: list[tuple[str, str | None]]) -> None:
    """Authors are read in every printed form, in printed order, repeats kept."""
    assert people(read_authors(text).people) == authors


@pytest.mark.parametrize("text", ["zzqx sentinel 4711", "lower case words", "A paper in 3 steps", ""])
def test_no_names(text: str) -> None:
    """What cannot be names is no author line."""
    assert not looks_like_names(text)


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Bea Sorn", True),
        ("Bronis de Sorn", True),
        ("J.-P. O'Shea", True),
        ("Al Sorn", True),
        ("Ai Sorn", True),
        ("Bea Green", True),
        ("Des Quill", True),
        ("Los Alamos", False),
        ("Den Haag", False),
        ("Quantum Computing", False),
        ("The Miller's Tale", False),
        ("How Toast Burns", False),
        ("AI Inside", False),
        ("TBA", False),
    ],
)
def test_personal_name(text: str, person: bool) -> None:
    """A keynote's heading names a person where it reads as one."""
    assert reads_as_person(text) is person


@pytest.mark.parametrize(
    ("names", "chairs"),
    [
        ("Bea Sorn (Plum / Quay) / Cal Tern (Orb)", [("Bea Sorn", "Plum / Quay"), ("Cal Tern", "Orb")]),
        ("Bea Sorn / Cal Tern", [("Bea Sorn", None), ("Cal Tern", None)]),
        ("Bea Sorn, PLUM / QUAY", [("Bea Sorn", "PLUM / QUAY")]),
    ],
)
def test_slash_between_chairs(names: str, chairs: list[tuple[str, str | None]]) -> None:
    """A slash parts chairs, and institutions of one chair."""
    assert people(read_chairs(names).people) == chairs


@pytest.mark.parametrize("line", ["Ann One, Jr. (Plum), Bo Two (Plum)", "Ann One, Jr., and Bo Two (Plum)"])
def test_suffix_behind_a_comma(line: str) -> None:
    """``Jr.`` is no author of its own."""
    assert people(read_authors(line).people) == [("Ann One, Jr.", "Plum"), ("Bo Two", "Plum")]
