"""The CSL-JSON face: items by type, names in parts, and the schema of the format."""

import json
import re
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # has no types
import pytest

from tests.export.schemas import CSL
from tests.export.shelf import Shelf, person, record, talk


def items(shelf: Shelf) -> Any:
    """Return the items that the format writes, once they have passed the schema."""
    written = json.loads(shelf.export("csl-json"))
    jsonschema.validate(written, CSL)
    return written


def test_a_paper_of_a_programme(shelf: Shelf) -> None:
    """The whole item; texts stand as printed."""
    shelf.put(
        talk(
            title="Drying $O(n)$ hay & more",
            authors=[person("Ida Pome", "Harbour U."), person("Åse Maria Ødegård"), person("Ole Quince, Jr.")],
            abstract="First 50 %.\n\nSecond.",
            keywords=["hay", "straw"],
            doi="10.1234/x",
            url="https://fjord.example/hay",
            comments="12 pages",
            journal_ref="Hay 7",
        )
    )
    assert items(shelf) == [
        {
            "id": "fair:fjord-2026/hay",
            "type": "paper-conference",
            "title": 'Drying <span class="nocase">$O(n)$</span> hay & more',
            "author": [
                {"family": "Pome", "given": "Ida"},
                {"literal": "Åse Maria Ødegård"},
                {"family": "Quince", "given": "Ole", "suffix": "Jr."},
            ],
            "issued": {"date-parts": [[2026, 8, 3]]},
            "container-title": "FJORD 2026",
            "event-title": "FJORD 2026",
            "DOI": "10.1234/x",
            "URL": "https://fjord.example/hay",
            "abstract": "First 50 %.\n\nSecond.",
            "keyword": "hay, straw",
            "note": "Journal reference: Hay 7\nComments: 12 pages",
        }
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"arxiv_id": "2507.01234"},
            {
                "type": "article",
                "issued": {"date-parts": [[2025, 7]]},
                "number": "arXiv:2507.01234",
                "publisher": "arXiv",
            },
        ),
        (
            {"arxiv_id": "2507.01234", "event": "E"},
            {
                "type": "paper-conference",
                "issued": {"date-parts": [[2025, 7]]},
                "number": "arXiv:2507.01234",
                "container-title": "E",
                "event-title": "E",
            },
        ),
        ({"kind": "keynote", "event": "E"}, {"type": "speech", "genre": "Keynote", "event-title": "E"}),
        ({}, {"type": "article"}),
    ],
)
def test_types(shelf: Shelf, fields: dict[str, Any], expected: dict[str, Any]) -> None:
    """Each kind of record becomes the right item type, with only the fields of that type."""
    shelf.put(record(**fields))
    assert items(shelf) == [{"id": "fair:fjord-2026/hay", "title": "Hay", **expected}]


def test_ids_are_the_keys_of_the_other_bibliography(shelf: Shelf) -> None:
    """Items have the same ids as the BibTeX entries have keys."""
    shelf.put(record("høy"), record("a"))
    keys = re.findall(r"^@misc\{(.*),$", shelf.export("bibtex"), re.MULTILINE)
    assert [item["id"] for item in items(shelf)] == keys


@pytest.mark.parametrize(
    ("title", "marked"),
    [
        ("Foam in tanks of Oslo", 'Foam in tanks of <span class="nocase">Oslo</span>'),
        ("The GPU of iPhones", 'The <span class="nocase">GPU</span> of <span class="nocase">iPhones</span>'),
        ("Foam in Bottomless Tanks of Oslo", "Foam in Bottomless Tanks of Oslo"),
        ("Bounds of $O(N)$", 'Bounds of <span class="nocase">$O(N)$</span>'),
    ],
)
def test_words_that_keep_their_capitals(shelf: Shelf, title: str, marked: str) -> None:
    """The words that have braces in BibTeX are marked ``nocase``: styles lower the others."""
    shelf.put(talk(title=title))
    assert items(shelf)[0]["title"] == marked
