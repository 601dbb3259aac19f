"""An invented arXiv: listing pages with paging, a catch-up, the daily feed, the query interface."""

from collections.abc import Sequence

from tests.support.sites import Sites

HOST = "listing.example"
STEADY = False
"""What is asked for depends on the day."""
TARGETS = (
    {
        "category": "cs.DC",
        "listings": ["new", "recent", "month", "catchup", "feed", "query"],
        "days": 2,
        "results": 3,
        "base": f"https://{HOST}",
    },
)
TITLES = frozenset({"Foam in Tanks", "Queues of Cranes", "Maps of Deltas", "Locks and Quays"})
ALL = tuple(enumerate(sorted(TITLES), 1))

Papers = Sequence[tuple[int, str]]


def entry(number: int, title: str, *, abstract: bool = True) -> str:
    """Return an entry of a listing page."""
    text = f"<p class='mathjax'>We look at {title.lower()} for a year.</p>" if abstract else ""
    paper = f"2611.{number:05}"
    return (
        f'<dt><a name=\'item{number}\'>[{number}]</a> <a href ="/abs/{paper}" title="Abstract" id="{paper}">\n'
        f'arXiv:{paper}\n</a> [<a href="/pdf/{paper}" title="Download PDF" id="pdf-{paper}">pdf</a>]</dt>\n'
        f"<dd><div class='meta'><div class='list-title mathjax'><span class='descriptor'>Title:</span> {title}</div>"
        "<div class='list-authors'><a href=\"https://listing.example/search/?query=Q\">Ada Quill</a></div>"
        "<div class='list-subjects'><span class='descriptor'>Subjects:</span> <span class=\"primary-subject\">Computing"
        f" (cs.DC)</span></div>{text}</div></dd>\n"
    )


def new_page(papers: Papers, shown: str, paging: str) -> str:
    """Return a page of the newest announcement."""
    return (
        "<html><body><div id='dlpage'><h1>Computing</h1><ul>"
        '<li><a href="/list/cs.DC/new?skip=1">New submissions</a></li></ul>'
        "<h3>Showing new listings for Friday, 20 November 2026</h3>"
        f"<div class='paging'>{paging}</div><dl id='articles'><h3>New submissions ({shown})</h3>"
        f"{''.join(entry(*paper) for paper in papers)}</dl></div></body></html>"
    )


def recent_page(papers: Papers) -> str:
    """Return a page of the last days."""
    return (
        "<html><body><div id='dlpage'><h1>Computing</h1><h2>Authors and titles for recent submissions</h2><ul>"
        '<li><a href="/list/cs.DC/recent?skip=0&amp;show=2000">Fri, 20 Nov 2026</a></li>'
        '<li><a href="/list/cs.DC/recent?skip=2&amp;show=2000">Thu, 19 Nov 2026</a></li></ul>'
        f"<div class='paging'>Total of {len(papers)} entries</div>"
        f"<dl id='articles'><h3>Fri, 20 Nov 2026 (showing {len(papers)} of {len(papers)} entries )</h3>"
        f"{''.join(entry(*paper, abstract=False) for paper in papers)}</dl></div></body></html>"
    )


def month_page(papers: Papers) -> str:
    """Return a page of a month."""
    return (
        "<html><body><div id='dlpage'><h1>Computing</h1><h2>Authors and titles for November 2026 </h2>"
        f"<div class='paging'>Total of {len(papers)} entries</div><dl id='articles'>"
        f"{''.join(entry(*paper, abstract=False) for paper in papers)}</dl></div></body></html>"
    )


def catchup_page(papers: Papers) -> str:
    """Return the page of a day to catch up with."""
    return (
        "<html><body><div id='dlpage'><h1>Catchup results for Computing on Fri, 20 Nov 2026</h1>"
        f"<p>Total of {len(papers)} entries for Fri, 20 Nov 2026</p>"
        f"<dl id='articles'><h3>New submissions (showing {len(papers)} of {len(papers)} entries)</h3>"
        f"{''.join(entry(*paper) for paper in papers)}</dl></div></body></html>"
    )


def feed(papers: Papers) -> str:
    """Return the daily feed."""
    entries = "".join(
        f"<entry><id>oai:arXiv.org:2611.{number:05}v1</id><title>{title}</title>"
        f'<link href="https://arxiv.org/abs/2611.{number:05}" rel="alternate" type="text/html"/>'
        f"<summary>arXiv:2611.{number:05}v1 Announce Type: new\nAbstract: We look at {title.lower()}.</summary>"
        '<category term="cs.DC"/><published>2026-11-20T00:00:00-05:00</published>'
        "<arxiv:announce_type>new</arxiv:announce_type><dc:creator>Ada Quill</dc:creator></entry>"
        for number, title in papers
    )
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n<feed xmlns:arxiv=\"http://arxiv.org/schemas/atom\" "
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="http://www.w3.org/2005/Atom">'
        "<id>http://rss.arxiv.org/atom/cs.DC</id><title>cs.DC updates on arXiv.org</title>"
        f"<updated>2026-11-20T05:00:00+00:00</updated>{entries}</feed>"
    )


def answer(papers: Papers, start: int, total: int) -> str:
    """Return a page of finds."""
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/2611.{number:05}v1</id><title>{title}</title><summary>We look.</summary>"
        "<author><name>Ada Quill</name></author><published>2026-11-19T10:00:00Z</published></entry>"
        for number, title in papers
    )
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        "<id>http://arxiv.org/api/abc</id><title>arXiv Query</title>"
        f"<opensearch:totalResults>{total}</opensearch:totalResults>"
        f"<opensearch:startIndex>{start}</opensearch:startIndex><opensearch:itemsPerPage>2</opensearch:itemsPerPage>"
        f"{entries}</feed>"
    )


def query_page(start: int, asked: int) -> str:
    """Return the address of a page of finds."""
    sort = "sortBy=submittedDate&sortOrder=descending"
    return f"{HOST}/api/query?search_query=cat%3Acs.DC&{sort}&start={start}&max_results={asked}"


def fill(sites: Sites) -> None:
    """Put all pages in place."""
    further = "<span>1-2</span> <a href=/list/cs.DC/new?skip=2&amp;show=2>3-4</a>"
    nearer = "<a href=/list/cs.DC/new?skip=0&amp;show=2>1-2</a> <span>3-4</span>"
    continued = "continued, showing last 2 of 4 entries"
    sites.put(
        f"{HOST}/list/cs.DC/new?skip=0&show=2000",
        new_page(ALL[:2], "showing first 2 of 4 entries", f"Total of 4 entries : {further}"),
    )
    sites.put(f"{HOST}/list/cs.DC/new?skip=2&show=2", new_page(ALL[2:], continued, f"Total of 4 entries : {nearer}"))
    sites.put(f"{HOST}/list/cs.DC/recent?skip=0&show=2000", recent_page(ALL))
    sites.put(f"{HOST}/list/cs.DC/2026-11?skip=0&show=2000", month_page(ALL))
    sites.put(f"{HOST}/catchup/cs.DC/2026-11-20?abs=True", catchup_page(ALL))
    sites.put(f"{HOST}/atom/cs.DC", feed(ALL))
    sites.put(query_page(0, 3), answer(ALL[:2], 0, 4))
    sites.put(query_page(2, 1), answer(ALL[2:3], 2, 4))
