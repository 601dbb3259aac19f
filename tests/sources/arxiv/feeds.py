"""Invented arXiv feeds (RSS 2.0, RSS 1.0, Atom), answers of the query interface, and mailings."""

from collections.abc import Sequence
from datetime import date
from html import escape
from textwrap import wrap

from hypothesis import strategies as st

from tests.sources.arxiv.markup import written
from tests.sources.arxiv.papers import Paper, in_sections
from tests.support.layouts import Case, Hand

ANNOUNCED = {"new": "new", "cross": "cross", "replacement": "replace"}
MARKS = {"new": "", "cross": " CROSS LISTED", "replacement": " UPDATED"}
SPACES = {
    "xmlns:arxiv": "http://arxiv.org/schemas/atom",
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
    "xmlns:opensearch": "http://a9.com/-/spec/opensearch/1.1/",
    "xmlns:rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}
DECLARATION = "<?xml version='1.0' encoding='UTF-8'?>\n"
RULE = "-" * 78


def root(hand: Hand, name: str, *prefixes: str) -> str:
    """Return the start tag of the root with the namespaces it needs."""
    return hand.tag(name, **{key: SPACES[key] for key in (f"xmlns:{prefix}" for prefix in prefixes)})


def element(hand: Hand, name: str, text: str) -> str:
    """Return an element with its text, escaped."""
    return f"{hand.space()}<{name}>{escape(text)}</{name}>"


def author_line(paper: Paper) -> str:
    """Return the names with their affiliations in brackets."""
    return ", ".join(who.name + (f" ({who.affiliation})" if who.affiliation else "") for who in paper.authors)


def announcement(hand: Hand, paper: Paper) -> str:
    """Return the text of an item: what is announced, then the abstract, whose paragraphs begin with two blanks."""
    kind = ANNOUNCED[paper.section]
    return f"arXiv:{paper.arxiv_id}v2 Announce Type: {kind} \nAbstract: {wrapped_abstract(hand, paper)}"


def wrapped_abstract(hand: Hand, paper: Paper) -> str:
    """Return the abstract, its lines wrapped or not."""
    width = hand.random.choice((80, 100_000))
    return "\n  ".join("\n".join(wrap(paragraph, width, break_on_hyphens=False)) for paragraph in paper.paragraphs)


def announced_parts(hand: Hand, paper: Paper) -> list[str]:
    """Return what RSS and Atom of today have alike."""
    parts = [
        element(hand, "arxiv:announce_type", ANNOUNCED[paper.section]),
        element(hand, "dc:rights", "http://creativecommons.org/licenses/by/4.0/"),
        element(hand, "dc:creator", author_line(paper)),
    ]
    if paper.journal_ref:
        parts.append(element(hand, "arxiv:journal_reference", paper.journal_ref))
    return parts


def rss(page: Sequence[Paper], hand: Hand) -> Case:
    """Render the daily feed in RSS 2.0."""
    items = []
    for paper in page:
        parts = [
            element(hand, "title", paper.title),
            element(hand, "link", f"https://arxiv.org/abs/{paper.arxiv_id}"),
            element(hand, "description", announcement(hand, paper)),
            f"<guid isPermaLink='false'>oai:arXiv.org:{paper.arxiv_id}v2</guid>",
            element(hand, "pubDate", "Wed, 04 Feb 2026 00:00:00 -0500"),
            *announced_parts(hand, paper),
        ]
        hand.random.shuffle(parts)
        codes = "".join(element(hand, "category", code) for _, code in paper.subjects)
        items.append(f"<item>{''.join(parts)}{codes}{hand.space()}</item>")
    facts = "<title>cs.DC updates on arXiv.org</title><skipDays><day>Sunday</day><day>Saturday</day></skipDays>"
    text = f"{root(hand, 'rss', 'arxiv', 'dc')}<channel>{facts}{''.join(items)}</channel></rss>"
    return Case(DECLARATION + text, tuple(paper.record(comments=None, formats=None) for paper in page))


def atom(page: Sequence[Paper], hand: Hand) -> Case:
    """Render the daily feed in Atom."""
    entries = []
    for paper in page:
        parts = [
            element(hand, "id", f"oai:arXiv.org:{paper.arxiv_id}v2"),
            element(hand, "title", paper.title),
            element(hand, "updated", "2026-02-04T05:00:11.000000+00:00"),
            element(hand, "published", "2026-02-04T00:00:00-05:00"),
            element(hand, "summary", announcement(hand, paper)),
            hand.tag("link", href=f"https://arxiv.org/abs/{paper.arxiv_id}", rel="alternate") + "</link>",
            *announced_parts(hand, paper),
        ]
        hand.random.shuffle(parts)
        codes = "".join(f"<category term='{code}'/>" for _, code in paper.subjects)
        entries.append(f"<entry>{''.join(parts)}{codes}</entry>")
    facts = "<id>https://rss.arxiv.org/atom/cs.DC</id><title>cs.DC updates on arXiv.org</title>"
    start = root(hand, "feed", "arxiv", "dc").replace(">", " xmlns='http://www.w3.org/2005/Atom'>")
    text = f"{start}{facts}<updated>2026-02-04T05:00:11+00:00</updated>{''.join(entries)}</feed>"
    return Case(DECLARATION + text, tuple(paper.record(comments=None, formats=None) for paper in page))


def older_rss(page: Sequence[Paper], hand: Hand) -> Case:
    """Render the feed of earlier years in RSS 1.0: markup as text, a full stop behind each title, one category."""
    items = []
    for paper in page:
        code = paper.subjects[0][1]
        title = f"{paper.title}. (arXiv:{paper.arxiv_id}v1 [{code}]{MARKS[paper.section]})"
        names = ", ".join(
            f'<a href="http://arxiv.org/find/a">{escape(who.name)}</a>'
            + (f" ({escape(who.affiliation)})" if who.affiliation else "")
            for who in paper.authors
        )
        text = "".join(f"<p>{escape(paragraph)}\n</p>\n" for paragraph in paper.paragraphs)
        items.append(
            f"{hand.tag('item', **{'rdf:about': f'http://arxiv.org/abs/{paper.arxiv_id}'})}"
            f"{element(hand, 'title', title)}{element(hand, 'link', f'http://arxiv.org/abs/{paper.arxiv_id}')}"
            f"{element(hand, 'description', text)}{element(hand, 'dc:creator', ' ' + names)}</item>"
        )
    facts = "<title>cs.DC updates on arXiv.org</title><dc:date>2026-02-03T20:30:00-05:00</dc:date>"
    image = "<image><title>arXiv.org</title><url>http://arxiv.org/icons/sfx.gif</url></image>"
    start = f"{root(hand, 'rdf:RDF', 'rdf', 'dc').replace('>', ' xmlns=' + repr('http://purl.org/rss/1.0/') + '>')}"
    body = f"{start}<channel>{facts}</channel>{image}{''.join(items)}</rdf:RDF>"
    records = (p.record(comments=None, formats=None, journal_ref=None) for p in page)
    kept = (record._replace(categories=(paper.subjects[0][1],)) for record, paper in zip(records, page, strict=True))
    return Case(DECLARATION + body, tuple(kept))


def api(page: Sequence[Paper], hand: Hand) -> Case:
    """Render an answer of the query interface: no announcements, no formats, affiliations apart."""
    entries = []
    for paper in page:
        people = "".join(
            f"<author><name>{escape(who.name)}</name>"
            + (f"<arxiv:affiliation>{escape(who.affiliation)}</arxiv:affiliation>" if who.affiliation else "")
            + "</author>"
            for who in paper.authors
        )
        codes = [f"<category term='{code}'/>" for _, code in paper.subjects]
        hand.random.shuffle(codes)
        parts = [
            element(hand, "id", f"http://arxiv.org/abs/{paper.arxiv_id}v2"),
            element(hand, "published", "2026-01-30T17:15:04Z"),
            element(hand, "title", "\n  ".join(wrap(paper.title, 30))),
            element(hand, "summary", f"  {wrapped_abstract(hand, paper)}\n"),
            people,
            f"<arxiv:primary_category term='{paper.subjects[0][1]}'/>",
            "".join(codes) + "<category term='68W10 (Primary)'/>",
            *([element(hand, "arxiv:comment", paper.comments)] if paper.comments else []),
            *([element(hand, "arxiv:journal_ref", paper.journal_ref)] if paper.journal_ref else []),
        ]
        hand.random.shuffle(parts)
        entries.append(f"<entry>{''.join(parts)}</entry>")
    facts = (
        "<id>http://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id><title>arXiv Query: search_query=cat:cs.DC</title>"
    )
    numbers = f"<opensearch:totalResults>{len(page)}</opensearch:totalResults>"
    numbers += "<opensearch:startIndex>0</opensearch:startIndex><opensearch:itemsPerPage>10</opensearch:itemsPerPage>"
    start = root(hand, "feed", "arxiv", "opensearch").replace(">", " xmlns='http://www.w3.org/2005/Atom'>")
    records = (
        paper.record(listed_on=None, listing_section=None, formats=None, published_on=date(2026, 1, 30))
        for paper in page
    )
    in_order = (
        record._replace(categories=codes_of(paper, text))
        for record, paper, text in zip(records, page, entries, strict=True)
    )
    return Case(f"{DECLARATION}{start}{facts}{numbers}{''.join(entries)}</feed>", tuple(in_order))


def codes_of(paper: Paper, text: str) -> tuple[str, ...]:
    """Return the categories of a paper, primary first, the others as they stand in the text."""
    primary, *others = (code for _, code in paper.subjects)
    return (primary, *sorted(others, key=lambda code: text.index(f"<category term='{code}'")))


def mailing(page: Sequence[Paper], hand: Hand) -> Case:
    """Render the daily mail: no formats, replacements without abstract."""
    lines = [
        "Date: Wed, 4 Feb 26 01:12:30 GMT",
        "From: no-reply@example.org",
        "Subject: cs daily Subj-class mailing",
        "",
    ]
    lines += [RULE, "Submissions to:", "Fluid Dynamics"]
    lines += [" received from  Mon  2 Feb 26 19:00:00 GMT  to  Tue  3 Feb 26 19:00:00 GMT", RULE, RULE]
    records = []
    rules = {"new": [], "cross": ["%-%-%-%-%-%-%-%-%-%-%-", RULE], "replacement": ["%%--%%--%%--%%--%%--", RULE]}
    for section, found in in_sections(page):
        lines += rules[section]
        for paper in found:
            lines += mailed(hand, paper)
            submitted = date(2026, 2, 2) if section != "replacement" else None
            abstract = {"abstract": None} if section == "replacement" else {}
            records.append(paper.record(published_on=submitted, formats=None, **abstract))
    lines += ["%%%---%%%---%%%---%%%---", "For subscribe options, send mail to help"]
    return Case("\n".join(lines), tuple(records))


def mailed(hand: Hand, paper: Paper) -> list[str]:
    """Return the lines of one item of a mail."""
    cross = " (*cross-listing*)" if paper.section == "cross" else ""
    stamp = "Mon, 2 Feb 2026 00:55:52 GMT   (1252kb,D)"
    dated = f"replaced with revised version {stamp}" if paper.section == "replacement" else f"Date: {stamp}"
    fields = [("Title", paper.title), ("Authors", author_line(paper))]
    fields += [("Categories", " ".join(code for _, code in paper.subjects))]
    fields += [(label, value) for label, value in paper.labelled if label != "Subjects"]
    fields += [("MSC-class", "68W10"), ("License", "http://creativecommons.org/licenses/by/4.0/")]
    lines = ["\\\\", f"arXiv:{paper.arxiv_id}{cross}", dated, ""]
    for label, value in fields:
        lines += wrap(f"{label}: {value}", 60, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
    if paper.section != "replacement":
        lines.append("\\\\")
        for paragraph in paper.paragraphs:
            lines += wrap(paragraph, 79, initial_indent="  ", break_on_hyphens=False)
    return [*lines, f"\\\\ ( https://arxiv.org/abs/{paper.arxiv_id} ,  1252kb)", RULE]


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    "rss": written(rss),
    "rss_older": written(older_rss),
    "atom": written(atom),
    "api": written(api),
    "mailing": written(mailing),
}
