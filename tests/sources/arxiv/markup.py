"""Invented arXiv listing pages in HTML: current and older layout, attributes and white space as they come."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from random import Random

from hypothesis import strategies as st

from schemas.items import Person
from tests.sources.arxiv.papers import MARKERS, MODERN, OLDER, Paper, drawn_pages, in_sections, unreplaced
from tests.support.layouts import Case, Hand, dice

FOLDERS = {"pdf": "/pdf/", "html": "https://arxiv.org/html/", "ps": "/ps/", "other": "/format/"}


def descriptor(hand: Hand, label: str) -> str:
    """Return the label of a part."""
    return f"{hand.tag('span', class_='descriptor')}{label}:</span>{hand.gap()}"


def part(hand: Hand, name: str, content: str, *, mathjax: bool = True) -> str:
    """Return one part of an entry in its element."""
    classes = f"list-{name} mathjax" if mathjax else f"list-{name}"
    return f"{hand.space()}{hand.tag('div', class_=classes)}{hand.space()}{content}{hand.space()}</div>"


def person(hand: Hand, author: Person) -> str:
    """Return a linked name, with the affiliation in brackets behind the link."""
    link = f"{hand.tag('a', href='https://arxiv.org/search/?query=Q&amp;x=1', rel='nofollow')}{escape(author.name)}</a>"
    return link if author.affiliation is None else f"{link} ({escape(author.affiliation)})"


def head(hand: Hand, paper: Paper, *, older: bool) -> str:
    """Return the dt of an entry."""
    name = hand.tag("a", name=f"item{paper.number}")
    identifier = hand.tag("a", href=f"/abs/{paper.arxiv_id}", title="Abstract", id=paper.arxiv_id)
    marker = MARKERS[paper.section].strip()
    links = ", ".join(
        f"{hand.tag('a', href=FOLDERS[kind] + paper.arxiv_id, title='Get', id=f'{kind}-{paper.arxiv_id}')}{kind}</a>"
        for kind in paper.formats
    )
    space = hand.space()
    inside = f"{identifier}{space}arXiv:{paper.arxiv_id}{space}</a>{hand.gap()}{marker}{hand.gap()}[{links}]"
    if older:
        inside = f"{hand.tag('span', class_='list-identifier')}{inside}</span>"
    return f"{hand.space()}<dt>{hand.space()}{name}[{paper.number}]</a>{hand.gap()}{inside}{hand.space()}</dt>"


def entry(hand: Hand, paper: Paper, *, abstract: bool, older: bool = False) -> str:
    """Return dt and dd of an entry."""
    names = hand.random.choice((", ", ",\n")).join(person(hand, author) for author in paper.authors)
    primary, *others = (f"{name} ({code})" for name, code in paper.subjects)
    subjects = "; ".join([f"{hand.tag('span', class_='primary-subject')}{primary}</span>", *others])
    parts = [
        part(hand, "title", descriptor(hand, "Title") + hand.wrapped(paper.title)),
        part(hand, "authors", (descriptor(hand, "Authors") if older else "") + names, mathjax=False),
    ]
    if paper.comments:
        url = f"{hand.tag('a', href='https://example.org/foam')}this https URL</a>"
        comments = hand.wrapped(paper.comments).replace("this https URL", url)
        parts.append(part(hand, "comments", descriptor(hand, "Comments") + comments))
    if paper.journal_ref:
        ref = descriptor(hand, "Journal-ref") + escape(paper.journal_ref)
        parts.append(part(hand, "journal-ref", ref, mathjax=False))
    parts.append(part(hand, "subjects", descriptor(hand, "Subjects") + subjects, mathjax=False))
    if abstract:
        text = hand.random.choice(("<br>", "<br/>\n", "\n<br />")).join(map(hand.wrapped, paper.paragraphs))
        parts.append(f"{hand.space()}{hand.tag('p', class_='mathjax')}{hand.space()}{text}{hand.space()}</p>")
    meta = f"{hand.tag('div', class_='meta')}{''.join(parts)}{hand.space()}</div>"
    return f"{head(hand, paper, older=older)}{hand.space()}<dd>{hand.space()}{meta}{hand.space()}</dd>"


def document(hand: Hand, body: str) -> str:
    """Return the whole page around the content area; as the site writes it, nothing strange stands there."""
    strange = "" if hand.steady else "zzz is not in the content area"
    top = "<!DOCTYPE html><html lang='en'><head><title>Fluid Dynamics</title><script>var x = 'arXiv';</script></head>"
    menu = f"<body><header><a href='/'>Skip to main content</a> {strange}</header>"
    content = f"{hand.tag('div', id='dlpage')}<h1>Fluid Dynamics</h1>{body}</div>"
    return (
        f"{top}{menu}{hand.tag('div', id='content')}{content}</div><footer><p>About</p>{strange}</footer></body></html>"
    )


def paging(hand: Hand, text: str) -> str:
    """Return the totals and what stands below them."""
    fewer = "Showing up to 2000 entries per page: <a href=/l>fewer</a> |\n <span>more</span> | <span>all</span>"
    return f"{hand.tag('div', class_='paging')}{text}</div>{hand.tag('div', class_='morefewer')}{fewer}</div>"


def new_page(page: Sequence[Paper], hand: Hand) -> Case:
    """Render the page of a day in the current layout."""
    lists = "<ul><li><a href='#item0'>New submissions</a></li><li><a href='#item4'>Replacements</a></li></ul>"
    body = [lists, "<p>See <a id='recent' href='/list/x/recent'>recent</a> articles</p>"]
    body.append("<h3>Showing new listings for Wednesday, 4 February 2026</h3>")
    totals = paging(hand, f"Total of {len(page)} entries\n")
    body.append(totals)
    for section, found in in_sections(page):
        heading = f"<h3>{MODERN[section]} (showing {len(found)} of {len(found)} entries)</h3>"
        entries = "".join(entry(hand, paper, abstract=True) for paper in found)
        body.append(f"{hand.tag('dl', id='articles')}{hand.space()}{heading}{entries}</dl>")
    return Case(document(hand, "".join([*body, totals])), tuple(paper.record() for paper in page))


def older_new_page(page: Sequence[Paper], hand: Hand) -> Case:
    """Render the page of a day in the older layout: no abstracts of replacements."""
    dates = "Submissions received from  Tue 3 Feb 26  to  Wed 4 Feb 26, announced Wed, 4 Feb 26"
    total = f"<small>[ total of {len(page)} entries:  <b>1-{len(page)}</b>  ]</small><br>"
    small = "<small>[ showing up to 2000 entries per page: <a href='/f'>fewer</a> |  more ]</small><br>"
    body = [f"<h2>New submissions</h2><div class='list-dateline'>{dates}</div>{total}{small}"]
    records = []
    for section, found in in_sections(page):
        with_abstract = section != "replacement"
        entries = "".join(entry(hand, paper, abstract=with_abstract, older=True) for paper in found)
        body.append(f"<h3>{OLDER[section]} for Wed, 4 Feb 26</h3>\n<dl>{entries}</dl>")
        records += [paper.record() if with_abstract else paper.record(abstract=None) for paper in found]
    links = "<p>Links to: <a href='/'>arXiv</a> <small>(<a href='/k'>Access key</a> information)</small></p>"
    return Case(document(hand, "".join([*body, total, small, links])), tuple(records))


def recent_page(page: Sequence[Paper], hand: Hand) -> Case:
    """Render the page of recent days: no abstracts; one day of it has no entries."""
    page = unreplaced(page)
    days = "<ul><li><a href='?skip=0'>Wed, 4 Feb 2026</a></li><li><a href='?skip=4'>Tue, 3 Feb 2026</a></li></ul>"
    body = [f"<h2>Authors and titles for recent submissions</h2>{days}"]
    body.append(paging(hand, "Total of 90 entries :\n <span>1-50</span>\n <a href=/l?skip=50>51-90</a>"))
    entries = "".join(entry(hand, paper, abstract=False) for paper in page)
    heading = f"<h3>Wed, 4 Feb 2026 (showing first {len(page)} of 80 entries )</h3>"
    body.append(f"{hand.tag('dl', id='articles')}{heading}{entries}</dl>")
    body.append("<dl id='articles'><h3>Tue, 3 Feb 2026</h3><p>No updates for this time period.</p></dl>")
    return Case(document(hand, "".join(body)), tuple(paper.record(abstract=None) for paper in page))


def month_page(page: Sequence[Paper], hand: Hand) -> Case:
    """Render the page of a month: no abstracts, no days."""
    page = unreplaced(page)
    entries = "".join(entry(hand, paper, abstract=False) for paper in page)
    body = f"<h2>Authors and titles for February 2026 </h2>{paging(hand, f'Total of {len(page)} entries')}"
    text = document(hand, f"{body}{hand.tag('dl', id='articles')}{entries}</dl>")
    return Case(text, tuple(paper.record(abstract=None, listed_on=None) for paper in page))


def with_affiliations(page: Sequence[Paper], random: Random) -> list[Paper]:
    """Give some authors an affiliation, which stands behind the link."""
    places = (None, None, "Mole Lab", "Institute of Tides (N), Bay")
    return [
        replace(paper, authors=tuple(who._replace(affiliation=random.choice(places)) for who in paper.authors))
        for paper in page
    ]


def written(render: Callable[[Sequence[Paper], Hand], Case]) -> st.SearchStrategy[Case]:
    """Return pages of a layout, written by any hand."""

    def render_seeded(page: Sequence[Paper], seed: int) -> Case:
        random = dice(seed)
        return render(with_affiliations(page, random), Hand(random))

    return st.builds(render_seeded, drawn_pages(1), st.integers(0, 2**32))


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    "html_new": written(new_page),
    "html_legacy_new": written(older_new_page),
    "html_recent": written(recent_page),
    "html_month": written(month_page),
}
