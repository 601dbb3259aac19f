"""The BibTeX face: entries by type, fields, and what two other libraries read from it."""

from datetime import date
from pathlib import Path
from typing import Any

import bibtexparser
import pytest
from pybtex.database import BibliographyData, parse_string  # type: ignore[import-untyped]  # has no types

from pipeline.export._format import ExportError
from tests.export.shelf import Shelf, person, record, talk


def read(text: str) -> BibliographyData:
    """Read a bibliography; pybtex raises on repeated keys and broken syntax."""
    return parse_string(text, "bibtex")


def test_a_paper_of_a_programme(shelf: Shelf) -> None:
    """The whole entry, as it stands in the file."""
    shelf.put(
        talk(
            title="Drying hay on GPUs & more",
            authors=[person("Ida van der Pome", "Harbour U."), person("Åse Maria Ødegård"), person("Ole Quince, Jr.")],
            abstract="First 50 %.\n\nSecond.",
            keywords=["hay", "C#"],
            doi="10.1234/x_{1}",
            url="https://fjord.example/a%20b_c#d",
            comments="12 pages",
        )
    )
    assert shelf.export("bibtex") == (
        "@inproceedings{fair:fjord-2026/hay,\n"
        "\tauthor = {van der Pome, Ida and {Åse Maria Ødegård} and Quince, Jr., Ole},\n"
        "\ttitle = {Drying hay on {GPUs} \\& more},\n"
        "\tbooktitle = {{FJORD} 2026},\n"
        "\tyear = {2026},\n"
        "\tdoi = {10.1234/x_%7B1%7D},\n"
        "\turl = {https://fjord.example/a%20b_c#d},\n"
        "\tkeywords = {hay, C\\#},\n"
        "\tnote = {Comments: 12 pages},\n"
        "\tabstract = {First 50 \\%.\n\nSecond.},\n"
        "\tmonth = aug\n"
        "}\n"
    )


def test_a_preprint(shelf: Shelf) -> None:
    """The arXiv id is in the fields that styles know; the month comes from the id."""
    shelf.put(
        record(
            "2507.01234",
            arxiv_id="2507.01234",
            categories=["cs.DC", "cs.AR"],
            authors=[person("Ida Pome")],
            listed_on=date(2026, 8, 1),
            journal_ref="Hay 7, 2025",
            report_no="R-1",
            notes=["authors_cut"],
        )
    )
    entry = read(shelf.export("bibtex")).entries["fair:2507.01234"]
    assert (entry.type, {str(key): value for key, value in entry.fields.items()}) == (
        "misc",
        {
            "title": "Hay",
            "year": "2025",
            "month": "July",
            "eprint": "2507.01234",
            "archiveprefix": "arXiv",
            "primaryclass": "cs.DC",
            "note": "Journal reference: Hay 7, 2025. Report number: R-1. The author list is incomplete",
        },
    )
    assert [str(one) for one in entry.persons["author"]] == ["Pome, Ida", "others"]


@pytest.mark.parametrize(
    ("fields", "how"), [({"kind": "keynote"}, "Keynote at FJORD 2026"), ({"kind": "panel", "event": None}, "Panel")]
)
def test_a_talk_that_is_no_paper(shelf: Shelf, fields: dict[str, Any], how: str) -> None:
    """The entry is @misc, and ``howpublished`` says which kind of talk it was."""
    shelf.put(talk(**fields))
    (entry,) = read(shelf.export("bibtex")).entries.values()
    assert (entry.type, entry.fields["howpublished"]) == ("misc", how)


def test_a_record_with_a_title_only(shelf: Shelf) -> None:
    """A record with only a title gives an entry with only a title."""
    shelf.put(record())
    assert shelf.export("bibtex") == "@misc{fair:fjord-2026/hay,\n\ttitle = {Hay}\n}\n"


def test_names_as_a_reader_divides_them(shelf: Shelf) -> None:
    """The reader splits a divided name into the right parts; an undivided one, even with "and" in it, stays whole."""
    shelf.put(record(authors=[person("Ida M. van der Pome"), person("Hay and Straw Group"), person("張 偉")]))
    (entry,) = read(shelf.export("bibtex")).entries.values()
    assert [
        (one.first_names, one.middle_names, one.prelast_names, one.last_names) for one in entry.persons["author"]
    ] == [
        (["Ida"], ["M."], ["van", "der"], ["Pome"]),
        ([], [], [], ["{Hay and Straw Group}"]),
        ([], [], [], ["{張 偉}"]),
    ]


HARD = [
    "a } b",
    "{",
    "}}{{",
    "\\",
    "a \\{ b",
    '"',
    "@misc{x,",
    "a\n\n@misc{x,\n b = {c}}",
    "% x",
    "#1 # 2",
    ", = {",
    "é\u2028张",
]


def test_hard_texts_keep_the_entries_apart(shelf: Shelf) -> None:
    """Braces, quotes and text that looks like an entry stay inside their field for both readers."""
    shelf.put(*(record(f"{place:02}", title=text, abstract=text, comments=text) for place, text in enumerate(HARD)))
    text = shelf.export("bibtex")
    keys = [f"fair:{place:02}" for place in range(len(HARD))]
    library = bibtexparser.parse_string(text)  # type: ignore[attr-defined]  # not listed as exported
    assert (list(read(text).entries), [entry.key for entry in library.entries], library.failed_blocks) == (
        keys,
        keys,
        [],
    )


def test_what_is_left_out(shelf: Shelf, tmp_path: Path) -> None:
    """The report counts the records that are not cited, by reason."""
    shelf.put(talk(), talk("b", kind="break"), record("c", title=None))
    assert shelf.report("bibtex", tmp_path / "a.bib").lines() == [
        "written: 1 entries",
        "left out: 1 records of a kind that cannot be cited",
        "left out: 1 records without title, DOI, arXiv id and URL",
    ]


@pytest.mark.parametrize("name", ["bibtex", "csl-json"])
def test_nothing_to_cite(shelf: Shelf, name: str) -> None:
    """A selection in which nothing can be cited is refused, with the reasons."""
    shelf.put(talk(kind="break"))
    with pytest.raises(ExportError, match="nothing to cite: 1 records of a kind that cannot be cited"):
        shelf.export(name)
