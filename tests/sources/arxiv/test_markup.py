"""What is particular to arXiv's pages, feeds, answers and mailings: equality with text dumps, refusals, odd markup."""

from collections.abc import Callable, Sequence

import pytest
import trafilatura
from resiliparse.extract.html2text import extract_plain_text

from parsers._ledger.document import Document, DumpError
from parsers.arxiv import SOURCE
from parsers.arxiv.feeds import day_of, is_answer, is_feed
from pipeline.reading.parse import Parsed, parse_items
from schemas.items import Declared, Person, Record
from tests.sources.arxiv.markup import new_page, older_new_page
from tests.sources.arxiv.papers import (
    SECTIONS,
    SUBJECTS,
    UNPRINTED,
    Paper,
    in_order,
)
from tests.support.helpers import parse_document
from tests.support.invented import NAMES, SENTENCES, TITLES, leave_out
from tests.support.layouts import Case, Hand, dice

EXTRACTORS: dict[str, Callable[[str], str]] = {
    "full": extract_plain_text,
    "main": lambda page: extract_plain_text(page, main_content=True),
    "trafilatura": lambda page: trafilatura.extract(page) or "",
}
NOT_COMPARED = {"line_start", "line_end", "notes"}


def parse(text: str) -> Parsed:
    """Parse a text as an arXiv dump."""
    return parse_document(SOURCE, Document.from_bytes("arxiv/dump.html", text.encode()))


def invent(seed: int, size: int = 48) -> list[Paper]:
    """Invent a long listing: extractors take short pages for something else."""
    random = dice(seed)
    names, titles = leave_out(NAMES, UNPRINTED), leave_out(TITLES, UNPRINTED)

    def people(size: int) -> tuple[Person, ...]:
        # a lone author with an affiliation cannot be told from the end of the title to which it is glued
        places = (None, "Mole Lab") if size > 1 else (None,)
        return tuple(Person(name, random.choice(places)) for name in random.choices(names, k=size))

    def paper(number: int) -> Paper:
        return Paper(
            number,
            f"2602.{number:05d}",
            random.choice(SECTIONS),
            random.choice(titles),
            people(random.randint(1, 12)),
            random.choice((None, "8 pages, 2 figures", "Talk at FOAM'25. Part 2: the tanks")),
            random.choice((None, "J. Foam 12 (2025) 1-8")),
            tuple(random.sample(SUBJECTS, random.randint(1, 3))),
            ("pdf", "html", "other"),
            tuple(" ".join(random.sample(SENTENCES, 5)) for _ in range(random.randint(1, 3))),
        )

    return in_order(paper(number) for number in range(1, size + 1))


def disagreements(page: tuple[Record, ...], text: tuple[Record, ...]) -> list[tuple[object, ...]]:
    """Return the fields that records of text carry and those of the page do not have alike."""
    of_page = {record.arxiv_id: record for record in page}
    return [
        (record.arxiv_id, name, value, getattr(of_page[record.arxiv_id], name))
        for record in text
        for name, value in record._asdict().items()
        if name not in NOT_COMPARED and value is not None and value != getattr(of_page[record.arxiv_id], name)
    ]


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize("render", [new_page, older_new_page])
@pytest.mark.parametrize("seed", [1, 2])
def test_page_and_its_text_agree(render: Callable[[Sequence[Paper], Hand], Case], extractor: str, seed: int) -> None:
    """A page and the text that an extractor makes of it give equal records, wherever both carry a field."""
    case = render(invent(seed), Hand(dice(seed), steady=True))
    page, text = parse(case.text), parse(EXTRACTORS[extractor](case.text))
    assert (len(text.records), disagreements(page.records, text.records)) == (48, [])


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Fri, 11 Jul 2025 00:00:00 -0400", "2025-07-11"),
        ("2023-03-16T20:30:00-05:00", "2023-03-17"),
        ("2025-07-11T04:00:01.123456+00:00", "2025-07-11"),
        ("2025-07-01T17:15:04Z", "2025-07-01"),
        ("Fri, 31 Feb 2025 00:00:00 -0400", "None"),
        ("soon", "None"),
        ("", "None"),
    ],
)
def test_day_of_an_instant(text: str, day: str) -> None:
    """An announcement belongs to its day in UTC; a text that is no date has no day."""
    assert str(day_of(text)) == day


def test_names_with_and_are_parted_in_mailings() -> None:
    """A mail joins names with ``and``, which parts names outside brackets alone."""
    text = (
        "\\\\\narXiv:2303.00001\n\nTitle: Foam\nAuthors: Ada Quill, Bo Ferns (Foam and Tanks) and Cy Mole\n"
        "Categories: cs.DC\n\\\\\n  Foam.\n\\\\ ( https://arxiv.org/abs/2303.00001 ,  1kb)\n"
    )
    expected = (Person("Ada Quill"), Person("Bo Ferns", "Foam and Tanks"), Person("Cy Mole"))
    assert parse(text).records[0].authors == expected


MAIL = r"""\\
arXiv:2303.00001
Date: Thu, 16 Mar 2023 00:55:52 GMT   (1252kb,D)

Title: Foam in Tanks
Authors: Ada Quill
Categories: physics.flu-dyn
\\
"""
ABSTRACT = "We fill tanks.\n\\\\ ( https://arxiv.org/abs/2303.00001 ,  1252kb)\n"


@pytest.mark.parametrize(
    "mail",
    [
        MAIL.replace("Authors", "Small ropes hold\nAuthors"),
        f"{MAIL}Small ropes hold\n",
        f"{MAIL}Small ropes hold\n  {ABSTRACT}",
    ],
)
def test_strange_line_in_a_mailing(mail: str) -> None:
    """A field goes on below a full line alone, and an abstract is set in: the item is told as a whole."""
    parsed = parse_items(SOURCE, Document.from_bytes("arxiv/dump.txt", mail.encode()))
    told = any("Small ropes hold" in reject.text for reject in parsed.rejects)
    flush = parse(MAIL + ABSTRACT).records[0].abstract
    assert (parsed.records, told, flush) == ((), True, "We fill tanks.")


def test_totals_of_a_page_that_shows_a_part() -> None:
    """A total is declared only where the page claims to show all of it."""
    page = new_page(invent(1, 3), Hand(dice(1), steady=True)).text
    shown = parse(page).declared
    part = parse(page.replace("Total of 3 entries", "Total of 90 entries : 1-3 4-90")).declared
    assert (shown[0].count, [total for total in shown if total not in part]) == (3, [shown[0]])


@pytest.mark.untraced
def test_damage_stays_in_its_entry() -> None:
    """Every entry but the damaged one comes out as it was, whichever line of a page is lost, end tags included."""
    lines = new_page(invent(3, 5), Hand(dice(3), steady=True)).text.split("\n")
    whole = [record._replace(line_start=None, line_end=None) for record in parse("\n".join(lines)).records]
    lost = {number: missing_without(lines, number, whole) for number in range(len(lines))}
    assert {number: count for number, count in lost.items() if count > 1} == {}


def missing_without(lines: list[str], number: int, whole: list[Record]) -> int:
    """Count the records that do not come out as they were where one line with text, but no heading, is lost."""
    if "<h" in lines[number] or "showing" in lines[number] or "Showing" in lines[number]:
        return 0
    damaged = parse("\n".join([*lines[:number], *lines[number + 1 :]])).records
    found = [record._replace(line_start=None, line_end=None) for record in damaged]
    return sum(1 for record in whole if record not in found)


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(3))
def test_cut_anywhere(seed: int) -> None:
    """A page that ends anywhere gives a refusal or the complete entries before the cut, never another error."""
    case = new_page(invent(seed, 4), Hand(dice(seed)))
    assert [size for size in range(0, len(case.text), 97) if not holds_when_cut(case.text, size, case.records)] == []


def holds_when_cut(text: str, size: int, records: tuple[Record, ...]) -> bool:
    """True if what comes out of the beginning of a page begins as the whole page does."""
    try:
        found = [record.arxiv_id for record in parse(text[:size]).records]
    except DumpError:
        return True
    return found == [record.arxiv_id for record in records][: len(found)]


def outcome_of(text: str) -> Parsed | DumpError:
    """Parse a text; a refusal is an outcome, too."""
    try:
        return parse(text)
    except DumpError as error:
        return error


def test_empty_answer_is_declared() -> None:
    """A listing page that says that nothing was announced declares none."""
    page = "<div id='dlpage'><h1>Optics</h1><p>No updates today.</p></div>"
    assert (parse(page).records, parse(page).declared) == ((), (Declared(1, 0),))


def answer(identifier: str) -> Parsed:
    """Parse an answer of the API with one entry, whose title, link and abstract name another paper."""
    return parse(
        f"""<feed xmlns="http://www.w3.org/2005/Atom"><id>http://arxiv.org/api/AbC</id><entry><id>{identifier}</id>
        <title>Comment on Foam (arXiv:2507.00002)</title><link href="http://arxiv.org/abs/2507.00002v1"/>
        <summary>arXiv:2507.00002 fills tanks with foam.</summary></entry></feed>"""
    )


def test_an_answer_keeps_a_title_that_names_another_paper() -> None:
    """Feeds append the identifier to the title; in an answer it is the author's."""
    (record,) = answer("http://arxiv.org/abs/2507.00001v1").records
    assert (record.arxiv_id, record.title) == ("2507.00001", "Comment on Foam (arXiv:2507.00002)")


def test_only_the_id_of_an_answer_names_its_paper() -> None:
    """An entry of another site is rejected."""
    with pytest.raises(DumpError, match="expected an id such as"):
        answer("tag:blog.example,2026:1")


FEEDS = {
    "rss": "<rss><channel><title>{0}</title><link>{1}</link><description>What I read on arXiv</description>"
    "<item><title>Foam</title><link>https://arxiv.org/abs/2507.00001</link></item></channel></rss>",
    "atom": "<feed xmlns='http://www.w3.org/2005/Atom'><title>{0}</title><link rel='self' href='{1}'/><entry>"
    "<title>Foam</title><id>http://arxiv.org/abs/2507.00001v1</id></entry></feed>",
    "rdf": "<rdf:RDF xmlns:rdf='r'><channel rdf:about='{1}'><title>{0}</title></channel>"
    "<item rdf:about='http://arxiv.org/abs/2507.00001'><title>Foam</title></item></rdf:RDF>",
}


@pytest.mark.parametrize("form", FEEDS)
@pytest.mark.parametrize(
    ("title", "address", "is_own"),
    [
        ("physics.optics updates on arXiv.org", "https://rss.arxiv.org/rss/physics.optics", True),
        ("ArXiv Query", "http://export.arxiv.org/api/query?search_query=foam", True),
        ("Optics", "http://arxiv.org/a/quill_a_1.atom2", True),
        ("Nora's arXiv digest", "https://jam.example/feed.xml", False),
        ("arXiv: papers of the week", "https://notarxiv.org/feed", False),
        ("arXiv", "https://arxiv.org.example/feed", False),
    ],
)
def test_a_feed_of_others_is_none_of_arxiv(form: str, title: str, address: str, *, is_own: bool) -> None:
    """A feed is arXiv's if its own title or address says so, not if its text and items name arXiv."""
    document = Document.from_bytes("arxiv/feed.xml", FEEDS[form].format(title, address).encode())
    assert (is_feed(document) or is_answer(document)) is is_own
