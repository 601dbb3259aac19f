"""What bibliographies share: keys, dates, the division of names, and what can be cited."""

from collections import Counter
from datetime import date
from typing import Any

import pytest

from pipeline.export._citation import Name, citable, citation_key, issued, split_name
from tests.export.shelf import Shelf, record, slot, talk


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("Ida Pome", Name("Pome", "Ida")),
        ("Ida M. Pome", Name("Pome", "Ida M.")),
        ("J. R. R. Pome", Name("Pome", "J. R. R.")),
        ("J.-P. Pome", Name("Pome", "J.-P.")),
        ("J R Pome", Name("Pome", "J R")),
        ("Jean-Luc O’Pome", Name("O’Pome", "Jean-Luc")),
        ("Åse Ødegård", Name("Ødegård", "Åse")),
        ("Ida van der Pome", Name("van der Pome", "Ida")),
        ("Ida Maria de la Pome Quince", Name("de la Pome Quince", "Ida Maria")),
        ("Pome, Ida", Name("Pome", "Ida")),
        ("van der Pome, Ida M.", Name("van der Pome", "Ida M.")),
        ("Ida Pome, Jr.", Name("Pome", "Ida", "Jr.")),
        ("Ida Pome III", Name("Pome", "Ida", "III")),
        ("POME Ida", Name("POME", "Ida")),
        ("Ida Maria POME", Name("POME", "Ida Maria")),
        ("Ida Maria POME QUINCE", Name("POME QUINCE", "Ida Maria")),
        ("Wei LI", Name("LI", "Wei")),
        ("Ida van der POME", Name("van der POME", "Ida")),
    ],
)
def test_names_that_divide(printed: str, name: Name) -> None:
    """A name is divided when its parts are unambiguous."""
    assert split_name(printed) == name


@pytest.mark.parametrize(
    "printed",
    [
        "Pome",
        "Ida Maria Pome",
        "Ida Pome Quince",
        "POME IDA",
        "JR Pome",
        "Ida POME Quince",
        "Pome I.",
        "張 偉",
        "Ида Поме",
        "Tide Collaboration",
        "Harbour Team",
        "Pome et al",
        "Pome, Ida, Dr.",
        "Pome, Ida (Harbour)",
        "van Pome",
        "Ida van",
        "R2 D2",
        "Ida & Ole",
        "",
    ],
)
def test_names_that_stay_whole(printed: str) -> None:
    """A name whose parts are ambiguous stays whole."""
    assert split_name(printed) == Name(printed)


@pytest.mark.parametrize(
    ("record_id", "key"),
    [
        ("fair:2608.01234", "fair:2608.01234"),
        ("fair:fjord-2026/hay", "fair:fjord-2026/hay"),
        ("fair:fjord-2026/høy-og-halm", "fair:fjord-2026/h-y-og-halm-a2d73563"),
        ("fair:" + "hay-" * 20 + "x", "fair:hay-hay-hay-hay-hay-hay-hay-hay-hay-hay-hay-8a87e879"),
    ],
)
def test_keys(record_id: str, key: str) -> None:
    """The key is the record id; where it has to be altered or cut, digits of the id's hash are appended."""
    assert citation_key(record_id, set()) == key


def test_key_collisions() -> None:
    """A key that is taken, in whatever case, gets more digits; the first keeps its own."""
    taken: set[str] = set()
    first = citation_key("fair:høy", taken)
    assert (first, citation_key("fair:høy", taken)) == ("fair:h-y-10b5cb76", "fair:h-y-10b5cb768f0e5d6d")
    assert citation_key("Fair:a", taken) == "Fair:a"
    assert citation_key("fair:A", taken) != "fair:A"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"published_on": date(2026, 7, 1), "starts_at": slot()["starts_at"]}, (2026, 7, 1)),
        ({"starts_at": slot()["starts_at"], "arxiv_id": "2501.01234"}, (2026, 8, 3)),
        ({"arxiv_id": "2501.01234", "listed_on": date(2026, 8, 1)}, (2025, 1)),
        ({"arxiv_id": "math/0101234"}, None),
        ({"listed_on": date(2026, 8, 1)}, None),
    ],
)
def test_dates(fields: dict[str, Any], expected: tuple[int, ...] | None) -> None:
    """The publication date, else the talk's date, else the month of the arXiv id; never the listing date."""
    assert issued(record(**fields)) == expected


def test_what_can_be_cited(shelf: Shelf) -> None:
    """Papers and talks with a title or an identifier; the rest is counted by reason."""
    kinds = ["paper", "keynote", "tutorial", "panel", "workshop", "break", "session"]
    shelf.put(
        *(talk(kind, kind=kind) for kind in kinds), record("x", title=None), record("y", title=None, doi="10.1234/x")
    )
    left_out = Counter[str]()
    found = [key for key, _ in citable(shelf.select(), left_out)]
    assert found == ["fair:keynote", "fair:panel", "fair:paper", "fair:tutorial", "fair:y"]
    assert left_out == {"of a kind that cannot be cited": 3, "without title, DOI, arXiv id and URL": 1}
