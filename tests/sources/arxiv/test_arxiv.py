"""What is particular to arXiv listings: authors, glued titles, headings, totals, hostile input."""

from datetime import date

import pytest

from parsers._ledger.document import Document, DumpError
from parsers.arxiv import SOURCE
from parsers.arxiv.authors import join_linked, looks_like_authors, read_authors, split_glued
from parsers.arxiv.headings import Heading, ListingDay, read_heading
from pipeline.reading.parse import Parsed, parse_items
from schemas.items import Declared, Person
from tests.support.helpers import parse_document

HEAD = "[1] arXiv:2602.00001 [pdf]"
ENTRY = f"{HEAD}\nTitle: Foam\nSubjects: Fluid Dynamics (physics.flu-dyn)\n"
LONG = 400_000


def parse(text: str) -> Parsed:
    """Parse a text as an arXiv dump."""
    return parse_document(SOURCE, Document.from_bytes("arxiv/dump.txt", text.encode()))


MARKED_HEAD = '[1] [arXiv:2602.00001](/abs/2602.00001 "Abstract") [[pdf](/pdf/2602.00001 "Download PDF")]'


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("CO(2-1) and [CI](1-0) Lines of [Foam](/foam)", "CO(2-1) and [CI](1-0) Lines of Foam"),
        (r"Foam at $H\_0$", "Foam at $H_0$"),  # no underscore of the dump stands bare: a program escaped it
        (r"Foam at $H_0$ in foam\_tank", r"Foam at $H_0$ in foam\_tank"),
    ],
)
def test_title_in_markdown(marked: str, plain: str) -> None:
    """Only what has an address is a link, and a backslash is an escape where no sign of the dump lacks it."""
    text = f"{MARKED_HEAD}\nTitle: {marked}\nAuthors: Ada Quill\nSubjects: Fluid Dynamics (physics.flu-dyn)\n"
    assert [record.title for record in parse(text).records] == [plain]


def test_value_that_the_page_breaks() -> None:
    """Where every piece stands on a line of its own, the page's own indent says that a value goes on."""
    parsed = parse(
        "[1]\narXiv:2602.00001\n[pdf]\nTitle:\n Foam in\n  Tanks\nAda Quill\n"
        "Journal-ref:\n Foam Letters, Proceedings of\n  the Bay\nSubjects:\n Fluid Dynamics (physics.flu-dyn)\n"
    )
    assert [(record.title, record.journal_ref) for record in parsed.records] == [
        ("Foam in Tanks", "Foam Letters, Proceedings of the Bay")
    ]


@pytest.mark.parametrize(
    ("label", "count", "notes"), [("", 100, ("authors_cut",)), ("", 99, ()), ("Authors: ", 100, ())]
)
def test_authors_cut_in_silence(label: str, count: int, notes: tuple[str, ...]) -> None:
    """The current page, which has no label, shows a hundred authors at most and does not say that there are more."""
    names = ", ".join(["Ada Quill"] * count)
    parsed = parse(f"{HEAD}\nTitle: Foam\n{label}{names}\nSubjects: Fluid Dynamics (physics.flu-dyn)\n")
    assert [(len(record.authors or ()), record.notes) for record in parsed.records] == [(count, notes)]


@pytest.mark.parametrize(
    ("text", "title", "authors"),
    [
        ("Foam in TanksAda Quill, Bo Ferns", "Foam in Tanks", "Ada Quill, Bo Ferns"),
        ("Is Foam Enough?J. R. Mole, A. Quill", "Is Foam Enough?", "J. R. Mole, A. Quill"),
        ("Foam (v2.0)Jean McFern, Bo Ferns", "Foam (v2.0)", "Jean McFern, Bo Ferns"),
        ("Foam in 2025Ada Quill, Bo Ferns", "Foam in 2025", "Ada Quill, Bo Ferns"),
        ("Foam for $^2$Ada Quill, Bo Ferns", "Foam for $^2$", "Ada Quill, Bo Ferns"),
        ("Foam on FPGAAda Quill, Bo Ferns", "Foam on FPGA", "Ada Quill, Bo Ferns"),
        ("Foam in iOSAda Quill, Bo Ferns", "Foam in iOS", "Ada Quill, Bo Ferns"),
        ("Foam with OpenMPAda Quill, Bo Ferns", "Foam with OpenMP", "Ada Quill, Bo Ferns"),
        ("Foam in 3DA. Quill, Bo Ferns", "Foam in 3D", "A. Quill, Bo Ferns"),
        ("Foam on RISC-VAda Quill, Bo Ferns", "Foam on RISC-V", "Ada Quill, Bo Ferns"),
        ("Foam in the IoTAda Quill, Bo Ferns", "Foam in the IoT", "Ada Quill, Bo Ferns"),
        ("Foam for Vitamin CAda Quill, Bo Ferns", "Foam for Vitamin C", "Ada Quill, Bo Ferns"),
        (r"Foam at 7 $^\circ$CAda Quill, Bo Ferns", r"Foam at 7 $^\circ$C", "Ada Quill, Bo Ferns"),
        ("Foam at 13 TeVA. Quill, B. Ferns", "Foam at 13 TeV", "A. Quill, B. Ferns"),
        ("Foam at 3 TeVFOAMb Team: A. Quill, B. Ferns", "Foam at 3 TeV", "FOAMb Team: A. Quill, B. Ferns"),
        ("Foam decaysFOAMb Team: A. Quill, B. Ferns", "Foam decays", "FOAMb Team: A. Quill, B. Ferns"),
        ("Foam TanksBEAM Collaboration, A. Quill, B. Ferns", "Foam Tanks", "BEAM Collaboration, A. Quill, B. Ferns"),
        ("Foam TanksThe BEAM Collaboration: A. Quill, et al", "Foam Tanks", "The BEAM Collaboration: A. Quill, et al"),
        ("Foam TanksThe BEAM Collaboration", "Foam Tanks", "The BEAM Collaboration"),
        ("Foam TanksAda Quill (for the BEAM Team)", "Foam Tanks", "Ada Quill (for the BEAM Team)"),
        ("Foam TanksA. Quill for the BEAM Team", "Foam Tanks", "A. Quill for the BEAM Team"),
        ("Foam TanksA. Quill (Bay) for the BEAM Team", "Foam Tanks", "A. Quill (Bay) for the BEAM Team"),
        ("Foam TanksA. Quill, et al", "Foam Tanks", "A. Quill, et al"),
        ("Foam TanksA. Quill et al. (BEAM Team)", "Foam Tanks", "A. Quill et al. (BEAM Team)"),
        ("Foam Tanks(author list is unavailable)", "Foam Tanks", "(author list is unavailable)"),
        ("Foam: I. Ice, II. GasAda Quill, Bo Ferns, Cy Mole", "Foam: I. Ice, II. Gas", "Ada Quill, Bo Ferns, Cy Mole"),
        ("TanksA. Quill, B. Reed, Suharto, C. Mole, D. Ng", "Tanks", "A. Quill, B. Reed, Suharto, C. Mole, D. Ng"),
        ("Foam TanksAda DeMole, Bo Ferns", "Foam Tanks", "Ada DeMole, Bo Ferns"),
        ("Is Foam Enough?McFern Quill, Bo Reed", "Is Foam Enough?", "McFern Quill, Bo Reed"),
        ("Foam in TanksFOAM: Ada Quill, Bo Ferns", "Foam in Tanks", "FOAM: Ada Quill, Bo Ferns"),
        ("Foam in TanksDeepFoam-AI: Ada Quill, Bo Reed", "Foam in Tanks", "DeepFoam-AI: Ada Quill, Bo Reed"),
        ("Foam TanksJ.-P. van Oort, Xi'an O'Quill", "Foam Tanks", "J.-P. van Oort, Xi'an O'Quill"),
        (
            "OpenFoam Queues, Tanks, and ShipsAda Quill, Bo Ferns",
            "OpenFoam Queues, Tanks, and Ships",
            "Ada Quill, Bo Ferns",
        ),
        ("Foam TanksBEAM Collaboration: A. Quill, B. Ferns", "Foam Tanks", "BEAM Collaboration: A. Quill, B. Ferns"),
        ("Foam TanksAda Quill (1), Bo Ferns ((1) Mole, Bay)", "Foam Tanks", "Ada Quill (1), Bo Ferns ((1) Mole, Bay)"),
        (
            "Foam TanksAda Quill, Bo Ferns et al. (8 additional authors not shown)",
            "Foam Tanks",
            "Ada Quill, Bo Ferns et al. (8 additional authors not shown)",
        ),
        (
            "Foam in TanksAuthors:[Ada Quill](/search/cs?query=Quill),[Bo Ferns](/search/cs?query=Ferns)(Mole Lab)",
            "Foam in Tanks",
            "Ada Quill,Bo Ferns(Mole Lab)",
        ),
    ],
)
def test_authors_glued_to_a_title(text: str, title: str, authors: str) -> None:
    """Title and authors part at the join left of the first comma that leaves a name."""
    assert split_glued(text) == (title, authors, False)


@pytest.mark.parametrize(
    "text",
    [
        "OpenShip Queues, Cranes, and More",
        "Foam, Tanks, and Water",
        "DiFoam: A Scalable, Cheap Tank",
        "Results from the CaBEAM Collaboration",
        "Foam for OpenMP Offload (extended version)",
    ],
)
def test_title_that_only_looks_glued(text: str) -> None:
    """Commas and capitals inside words do not make authors."""
    assert split_glued(text) == (text, None, False)


@pytest.mark.parametrize(
    "text",
    [
        "Foam TanksAda Quill, Ferns, Cy Mole",
        "Tanks Ada Z, Bo DeMole, Cy Reed",
        "Foam TanksAda Quill (Mole Lab, Bay)",
        "Fast, scalable OpenMP Offload, Tuning Kit",
        "3D HPCBEAM Collaboration: Ada Quill, Bo Reed, Cy Mole",
        "Foam in 3DFOAM: Ada Quill, Bo Reed, Cy Mole",
        "DeepFoam: Laws of TanksYi, Bo Reed, Cy Mole",
    ],
)
def test_no_safe_split(text: str) -> None:
    """Where names seem to be there and no split is safe, all is title and the note says so."""
    assert split_glued(text) == (text, None, True)


@pytest.mark.parametrize("name", ["R. J. Quill", "D.-K. Quill"])
def test_initial_glued_to_an_acronym(name: str) -> None:
    """An initial behind an acronym is a part of the name: no word of the line counts as lost."""
    parsed = parse(
        f"[1] arXiv:2602.00001 [pdf]\nTitle: Tanks on FPGA{name}, Ada QuillSubjects: Optics (physics.optics)\n"
    )
    authors = tuple(map(Person, (name, "Ada Quill")))
    assert [(record.title, record.authors) for record in parsed.records] == [("Tanks on FPGA", authors)]
    assert parsed.rejects == ()


def test_paragraphs_of_one_length() -> None:
    """Paragraphs of an abstract that are all as long are not lines of one: each ends a sentence."""
    text = "We fill tanks of growing size with foam, which takes as long as we thought, and measure its walls."
    head = "[1] arXiv:2602.00001 [pdf]\n\nTitle: Foam\n\nAda Quill\n\nSubjects: Optics (physics.optics)\n\n"
    parsed = parse(head + f"{text}\n" * 3)
    assert [record.abstract for record in parsed.records] == ["\n\n".join([text] * 3)]


@pytest.mark.parametrize(
    ("text", "people", "notes"),
    [
        ("Ada Quill, Bo Ferns", (Person("Ada Quill"), Person("Bo Ferns")), ()),
        ("Ada Quill, Ada Quill", (Person("Ada Quill"), Person("Ada Quill")), ()),
        ("A. Quill (1), B. Ferns ((1) Mole, Bay)", (Person("A. Quill", "Mole, Bay"), Person("B. Ferns")), ()),
        (
            "A. Quill (1,2), B. Ferns (2) ((1) Bay, (2) Lab)",
            (Person("A. Quill", "Bay; Lab"), Person("B. Ferns", "Lab")),
            (),
        ),
        ("A. Quill (1), B. Ferns (2)", (Person("A. Quill"), Person("B. Ferns")), ()),
        ("A. Quill (Mole (N), Bay)", (Person("A. Quill", "Mole (N), Bay"),), ()),
        ("A. Quill (Mole, Bay", (Person("A. Quill", "Mole, Bay"),), ("bracket_unclosed",)),
        ("D. K. (Bo) Ferns", (Person("D. K. (Bo) Ferns"),), ()),
        ("BEAM Collaboration: A. Quill", (Person("BEAM Collaboration"), Person("A. Quill")), ()),
        ("Beam collaboration: A. Quill", (Person("Beam collaboration"), Person("A. Quill")), ()),
        ("Project BEAM: A. Quill, B. Ferns", (Person("Project BEAM"), Person("A. Quill"), Person("B. Ferns")), ()),
        ("A. Quill (1) ((1)Bay (UK), Mole)", (Person("A. Quill", "Bay (UK), Mole"),), ()),
        ("A. Quill (a) ((a) Bay (b) Mole)", (Person("A. Quill", "Bay"),), ()),
        ("A. Quill, (1), B. Ferns ((1) Bay)", (Person("A. Quill", "Bay"), Person("B. Ferns")), ()),
        ("A. Quill and others", (Person("A. Quill"),), ("authors_cut",)),
        ("The BEAM Collaboration", (Person("The BEAM Collaboration"),), ()),
        ("A. Quill for the S4 Collaboration", (Person("A. Quill", "the S4 Collaboration"),), ()),
        ("A. Quill, for the S4 Collaboration", (Person("A. Quill", "the S4 Collaboration"),), ()),
        ("A. Quill (Bay), for the S4 Team", (Person("A. Quill", "Bay; the S4 Team"),), ()),
        (
            "on behalf of the S4 Team: A. Quill, B. Ferns",
            (Person("on behalf of the S4 Team"), Person("A. Quill"), Person("B. Ferns")),
            (),
        ),
        ("A. Quill (Bay) for the S4 Team", (Person("A. Quill", "Bay; the S4 Team"),), ()),
        ("A. Quill (1) ((1) Bay) for the S4 Team", (Person("A. Quill", "Bay; the S4 Team"),), ()),
        ("A. Quill (a,b) ((a) Bay, (b) Lab)", (Person("A. Quill", "Bay; Lab"),), ()),
        ("A. Quill (5,e), B. Ferns (1 and 2)", (Person("A. Quill"), Person("B. Ferns")), ()),
        ("A. Quill et al. (S4 Collaboration)", (Person("A. Quill", "S4 Collaboration"),), ("authors_cut",)),
        ("A. Quill, et al", (Person("A. Quill"),), ("authors_cut",)),
        ("A. Quill et al. (84 additional authors not shown)", (Person("A. Quill"),), ("authors_cut",)),
        ("A. Quill (1). ((1) Bay)", (Person("A. Quill", "Bay"),), ()),
        ("A. Quill (Mole Lab) Bo Ferns (Bay)", (Person("A. Quill", "Mole Lab"), Person("Bo Ferns", "Bay")), ()),
        ("A. Quill (MoLe)B.Ferns", (Person("A. Quill", "MoLe"), Person("B.Ferns")), ()),
        ("A. Quill (2) (1) Mole Lab", (Person("A. Quill (2) (1) Mole Lab"),), ("authors_uncertain",)),
        ("Ada (Addie) Quill (Bay)", (Person("Ada (Addie) Quill", "Bay"),), ()),
        ("Ada Quill (Mole) Bo Ferns", (Person("Ada Quill (Mole) Bo Ferns"),), ("authors_uncertain",)),
        ("Ada (Mole Lab) Bo Ferns", (Person("Ada (Mole Lab) Bo Ferns"),), ("authors_uncertain",)),
        ("Ada Quill, III, Bo Ferns", (Person("Ada Quill, III"), Person("Bo Ferns")), ()),
        ("(author list is unavailable)", None, ()),
    ],
)
def test_author_line(text: str, people: tuple[Person, ...] | None, notes: tuple[str, ...]) -> None:
    """Names stand as printed; affiliations, collaborations and cuts never become people."""
    assert read_authors(text) == (people, notes)


@pytest.mark.parametrize(
    ("linked", "line"),
    [
        ([("Ada Quill", " (Mole)"), ("Bo Ferns", "")], "Ada Quill (Mole), Bo Ferns"),
        ([("Ada Quill", ""), ("Bo Ferns", " (1, 2) "), ("C.Mole", "")], "Ada Quill, Bo Ferns (1, 2) , C.Mole"),
        ([("Ada", " (Addie)"), ("Quill", ", "), ("Bo Ferns", "")], "Ada (Addie)Quill, Bo Ferns"),
        ([("Ada Quill", " (the "), ("BEAM Team", ")")], "Ada Quill (the BEAM Team)"),
        ([("Ada Quill", " for the "), ("BEAM Team", "")], "Ada Quill for the BEAM Team"),
        ([("BEAM Team", ": "), ("Ada Quill", "")], "BEAM Team: Ada Quill"),
    ],
)
def test_comma_between_linked_names(linked: list[tuple[str, str]], line: str) -> None:
    """A comma that was left out between two links is put in where each is a whole name."""
    assert join_linked(linked) == line


@pytest.mark.parametrize(
    ("printed", "doi"),
    [
        ("10.1000/foam.1", "10.1000/foam.1"),
        ("https://doi.org/10.1000/foam.1", "10.1000/foam.1"),
        ("10.1000/foam.1 10.1000/foam.2", "10.1000/foam.1"),
        ("10.1000/foam.1; doi:10.1000/foam.2", "10.1000/foam.1"),
        ("10.1000/foam.1,10.1000/foam.2", "10.1000/foam.1"),
        (
            "10.1000/(SICI)1097-0258(19980815)17:15<16::AID-FOAM9>3.0.CO;2-2",
            "10.1000/(SICI)1097-0258(19980815)17:15<16::AID-FOAM9>3.0.CO;2-2",
        ),
        ("to appear", "to appear"),
    ],
)
def test_first_doi(printed: str, doi: str) -> None:
    """Of several DOIs in the field the first is the paper's; a text that is no DOI is kept as printed."""
    parsed = parse(ENTRY.replace("Subjects:", f"DOI: {printed}\nSubjects:"))
    assert [record.doi for record in parsed.records] == [doi]


@pytest.mark.parametrize("number", ["[2] ", ""])
def test_head_at_the_end_of_an_abstract(number: str) -> None:
    """A head that goes on in the last line of the abstract before it is found, also without a number."""
    first = ENTRY + f"We fill tanks.\nThey leak. - {number}arXiv:2602.00002 [pdf]\n-\n"
    parsed = parse(first + "Title: Tanks\nSubjects: Fluid Dynamics (physics.flu-dyn)\nThey hold.\n")
    expected = [("2602.00001", "We fill tanks.\n\nThey leak."), ("2602.00002", "They hold.")]
    assert [(record.arxiv_id, record.abstract) for record in parsed.records] == expected


@pytest.mark.parametrize(
    "text",
    ["FOAM-4.5 Team: Ada Quill, Bo Ferns", "01.FOAM: Ada Quill, Bo Ferns", "2nd FOAM Collaboration", "Foam-5 Team"],
)
def test_team_with_a_number_is_an_author(text: str) -> None:
    """A team, or who stands in front of a colon, may have digits; people have none."""
    assert looks_like_authors(text)


@pytest.mark.parametrize(
    "text",
    [
        "zzqx sentinel 4711",
        "Step 3: 4 tanks, 5 cranes",
        "%%% zzqx %%%",
        "see below",
        "a = b, C",
        "Ropes hold large quays",
    ],
)
def test_line_that_names_nobody(text: str) -> None:
    """An unlabelled line below the title names nobody when it holds digits, signs, no capital, or prose."""
    assert not looks_like_authors(text)


@pytest.mark.parametrize(
    ("authors", "found"),
    [
        ([["Ada Quill"], ["Bo Ferns"]], ["Ada Quill", "Bo Ferns"]),
        ([["Ada Quill"], ["Ropes Hold Quays", "Bo Ferns"]], ["Ada Quill", None]),
        ([["Ropes Hold Quays"], [], []], [None, None, None]),
        ([["Ropes Hold Quays"], ["Authors: Ada Quill"], ["Authors: Bo Ferns"]], [None, "Ada Quill", "Bo Ferns"]),
        ([["Ropes Hold Quays", "Authors: Ada Quill"]], ["Ada Quill"]),
        ([["Ada Quill with an appendix by Bo Ferns"]], ["Ada Quill with an appendix by Bo Ferns"]),
    ],
)
def test_lines_that_may_be_authors(authors: list[list[str]], found: list[str | None]) -> None:
    """Each entry of a page has one line of authors, or none has: what is one too many is told, and so is the other."""
    parsed = parse("".join(ENTRY.replace("Subjects:", "\n".join([*lines, "Subjects:"])) for lines in authors))
    assert [each.authors[0].name if each.authors else None for each in parsed.records] == found
    kept = sum(name is not None for name in found)
    assert sum(len(each.text.split("\n")) for each in parsed.rejects) == sum(map(len, authors)) - kept


WRAPPED = """[1] arXiv:2602.00001 [pdf]

Title: Foam in Tanks of Steel and Glass That Nobody Has Ever Seen in Any Harbour
of the North

Authors: Ada Quill

Subjects: Fluid Dynamics (physics.flu-dyn)

We fill tanks of growing size with foam and measure how long the bubbles of each
last, in the light and in the dark.
"""


@pytest.mark.parametrize(
    ("above", "title", "abstract"),
    [
        ("of the North", None, None),
        ("last, in", "Foam in Tanks of Steel and Glass That Nobody Has Ever Seen in Any Harbour of the North", None),
    ],
)
def test_line_inside_a_wrapped_paragraph(above: str, title: str | None, abstract: str | None) -> None:
    """A line that had room for the next word was not there: the paragraph is told as a whole."""
    parsed = parse_items(
        SOURCE, Document.from_bytes("a", WRAPPED.replace(above, f"Small ropes hold\n{above}").encode())
    )
    assert [(each.title, each.abstract) for each in parsed.records] == ([(title, abstract)] if title else [])
    assert "Small ropes hold" in "".join(each.text for each in parsed.rejects)
    assert len(parse(WRAPPED).records[0].abstract or "") == 116


@pytest.mark.parametrize(
    ("between", "is_read"),
    [
        (", ", True),
        (" (1), the ", True),
        (" (Mole (N)), Jr., ", True),
        (", Small ropes hold large quays ", False),
        (", zzqx 4711 ", False),
    ],
)
def test_line_among_linked_authors(between: str, is_read: bool) -> None:
    """Where authors are links, each of them is one: another text among them is told with the whole line."""
    link = "[{}](/search/cs?searchtype=author&query={})"
    authors = between.join(link.format(name, name[0]) for name in ("Ada Quill", "Bo Ferns"))
    head = '[1] [ arXiv:2602.00001 ](/abs/2602.00001 "Abstract") [[pdf](/pdf/2602.00001)]'
    parsed = parse(f"{head}\n\nTitle: Foam\n\n{authors}\n\nSubjects: Optics (physics.optics)\n")
    told = [each.text for each in parsed.rejects]
    assert ([each.authors is not None for each in parsed.records], told) == ([is_read], [authors] * (not is_read))


@pytest.mark.parametrize(
    ("abstracts", "found"),
    [
        (["We fill tanks.", "we fill tanks with foam"], ["We fill tanks.", "we fill tanks with foam"]),
        (["", "small ropes hold large quays"], [None, None]),
        (["Small ropes hold large quays\nWe fill tanks."], ["We fill tanks."]),
        (["We fill large tanks with\n$x$ foam."], ["We fill large tanks with\n\n$x$ foam."]),
    ],
)
def test_lines_that_may_be_abstracts(abstracts: list[str], found: list[str | None]) -> None:
    """A line that ends no sentence is no abstract where the page has none, and does not stand above a sentence."""
    parsed = parse("".join(f"{ENTRY}{abstract}\n" for abstract in abstracts))
    assert [each.abstract for each in parsed.records] == found


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("Showing new listings for Friday, 11 July 2025", Heading("listing_day", ListingDay(date(2025, 7, 11)))),
        ("New submissions (showing 11 of 11 entries)", Heading("section", section="new", shown=11)),
        ("Cross submissions (continued, showing last 19 of 69 entries)", Heading("section", section="cross", shown=19)),
        (
            "Replacement submissions (showing first 25 of 69 entries)",
            Heading("section", section="replacement", shown=25),
        ),
        ("New submissions for Fri, 13 Jun 14", Heading("section_of_day", ListingDay(date(2014, 6, 13)), "new")),
        ("### Cross-lists for Fri, 13 Jun 97", Heading("section_of_day", ListingDay(date(1997, 6, 13)), "cross")),
        ("Replacements for Thu, 14 Mar 2024", Heading("section_of_day", ListingDay(date(2024, 3, 14)), "replacement")),
        ("Thu, 3 Feb 2011 (showing 2 of 2 entries )", Heading("day", ListingDay(date(2011, 2, 3)), shown=2)),
        ("Thu, 14 Mar 2024", Heading("day", ListingDay(date(2024, 3, 14)))),
        ("Fri, 31 Jun 2025", Heading("day", ListingDay(None, agrees=False))),
        ("Mon, 14 Mar 2024", Heading("day", ListingDay(date(2024, 3, 14), agrees=False))),
        ("Total of 16 entries", Heading("total", total=16)),
        ("Total of 1,455 entries", Heading("total", total=1455)),
        ("New submissions (showing 1,011 of 1,011 entries)", Heading("section", section="new", shown=1011)),
        ("Total of 1455 entries : 1-100 101-200 ... 1401-1455", Heading("total")),
        ("Total of 60 entries : 1-60", Heading("total", total=60)),
        ("[ total of 93 entries: 1-93 ]", Heading("total", total=93)),
        ("[ total of 93 entries: 1-25 | 26-50 | 51-75 | 76-93 ]", Heading("total")),
        ("Total of 124 entries for Thu, 03 Feb 2011", Heading("total_of_day", ListingDay(date(2011, 2, 3)), shown=124)),
        ("Catchup results for Mathematics on Thu, 03 Feb 2011", Heading("catchup", ListingDay(date(2011, 2, 3)))),
        (
            "Total of 124 entries for Thu, 03 Feb 2011 View page: 1 2",
            Heading("total_of_day", ListingDay(date(2011, 2, 3)), shown=124),
        ),
        ("Total of 2002 entries View page: 1 2", Heading("total_of_pages")),
        ("No updates for Thu, 03 Feb 2011", Heading("empty_page")),
        ("Authors and titles for February 2011", Heading("page")),
        ("Authors and titles for astro-ph in Jun 2014", Heading("page")),
        ("No updates today.", Heading("empty_page")),
        ("Total of the tanks", None),
        ("New submissions are welcome", None),
        ("Thu, 3 Feb 2011 we met", None),
    ],
)
def test_heading(line: str, heading: Heading | None) -> None:
    """Every heading of both page layouts is read whole or not at all."""
    assert read_heading(line) == heading


def test_total_is_declared_once() -> None:
    """A total that stands above and below the list is one declaration."""
    assert parse(f"Total of 1 entries\n{ENTRY}Total of 1 entries\n").declared == (Declared(1, 1),)


def test_days_below_their_entries_govern_nothing() -> None:
    """Where main content prints counted days below their entries, no entry gets the day of its neighbours."""
    text = (
        ENTRY.replace("\nTitle", "\n-\nTitle")
        + "Thu, 3 Feb 2011 (showing 1 of 1 entries )\n"
        + ENTRY.replace("00001", "00002")
    )
    parsed = parse(text)
    assert ([record.listed_on for record in parsed.records], parsed.declared) == ([None, None], ())


def test_old_identifier_loses_its_class() -> None:
    """The canonical form of an old identifier is without version and subject class."""
    assert parse(ENTRY.replace("2602.00001", "math.GT/0309136v2")).records[0].arxiv_id == "math/0309136"


def test_empty_page_without_saying_so() -> None:
    """A listing whose entries are all broken is an error, never an empty success; of one entry it is that one's."""
    with pytest.raises(DumpError, match="empty_result"):
        parse(f"{HEAD}\nTitle: Foam\n\nTitle: Hay\n")


@pytest.mark.parametrize(
    ("skipped", "says_empty"),
    [
        ("<day>Sunday</day><day>Saturday</day>", True),
        ("<day>\n Saturday\n</day><day>Sunday</day>", True),
        ("Sunday Saturday", True),
        ("<day>Sunday</day><day>Monday</day>", False),
        ("<day>SundaySaturday</day>", False),
    ],
)
def test_days_without_papers(skipped: str, says_empty: bool) -> None:
    """An empty feed of a day that it skips is right, with or without blanks between the days."""
    head = "<title>cs.DC updates on arXiv.org</title><link>http://rss.arxiv.org/rss/cs.DC</link>"
    date = "<pubDate>Sat, 12 Jul 2025 00:00:00 -0400</pubDate>"
    feed = f'<rss version="2.0"><channel>{head}{date}<skipDays>{skipped}</skipDays></channel></rss>'
    parsed = parse_items(SOURCE, Document.from_bytes("arxiv/a.xml", feed.encode()))
    assert (parsed.says_empty, parsed.records, parsed.rejects) == (says_empty, (), ())
