"""Listings of any size, for the benchmarks."""

from collections.abc import Iterator
from typing import Final

from tests.support.bulk import Bulk, Words

_SUBJECTS: Final = "Distributed, Parallel, and Cluster Computing (cs.DC); Machine Learning (cs.LG)"
_DAY: Final = "Showing new listings for Friday, 11 July 2025"


def glued() -> Iterator[str]:
    """Yield the blocks of a listing whose labels are glued together."""
    words = Words()
    yield f"Distributed, Parallel, and Cluster Computing\n{_DAY}\n"
    while True:
        title = words.title()
        number = int(title.rsplit(maxsplit=1)[1])
        names = words.pick("", ", ".join(words.names()))
        yield (
            f"- [{number}] arXiv:{2500 + number // 99_999}.{number % 99_999:05} [pdf, html, other]\n-\n"
            f"Title: {title.rsplit(maxsplit=1)[0]}{names}Comments: 8 pagesSubjects: {_SUBJECTS}\n{words.paragraph()}\n"
        )


def every_element() -> Iterator[str]:
    """Yield the blocks of a listing with each field on its own line."""
    words = Words()
    yield f"Distributed, Parallel, and Cluster Computing\n\n{_DAY}\n\n"
    while True:
        title = words.title()
        number = int(title.rsplit(maxsplit=1)[1])
        yield (
            f"[{number}] arXiv:{2500 + number // 99_999}.{number % 99_999:05} [pdf, html, other]\nTitle: {title}\n"
            f"{', '.join(words.names())}\nComments: 8 pages\nSubjects: {_SUBJECTS}\n\n{words.paragraph()}\n\n"
        )


def listing(top: str, *, abstract: bool) -> Iterator[str]:
    """Yield the entries of a listing page in HTML, as the site writes them."""
    words = Words()
    yield (
        "<!DOCTYPE html><html lang='en'><head><title>Distributed Computing</title></head><body><div id='content'>"
        f"<div id='dlpage'><h1>Distributed, Parallel, and Cluster Computing</h1>\n{top}"
    )
    while True:
        yield html_entry(words, abstract=abstract)


def html_entry(words: Words, *, abstract: bool) -> str:
    """Return dt and dd of an entry."""
    number = next(words.number)
    own = f"{2500 + number // 99_999}.{number % 99_999:05}"
    search = "https://arxiv.org/search/cs?searchtype=author&amp;query="
    names = ",\n".join(
        f'<a href="{search}{name.split()[1]},+{name[0]}" rel="nofollow">{name}</a>' for name in words.names()
    )
    pdf = f'<a href="/pdf/{own}" title="Download PDF" id="pdf-{own}" aria-labelledby="pdf-{own}">pdf</a>'
    html = (
        f'<a href="https://arxiv.org/html/{own}v1" title="View HTML" id="html-{own}" aria-labelledby="html-{own}" '
        'rel="noopener noreferrer" target="_blank">html</a>'
    )
    text = f"\n      <p class='mathjax'>\n      {words.paragraph()}\n      </p>" if abstract else ""
    return f"""
      <dt>
        <a name='item{number}'>[{number}]</a>
        <a href ="/abs/{own}" title="Abstract" id="{own}">
          arXiv:{own}
        </a>
        [{pdf}, {html}, <a href="/format/{own}" title="Other formats" id="oth-{own}">other</a>]
      </dt>
      <dd>
        <div class='meta'>
          <div class='list-title mathjax'><span class='descriptor'>Title:</span>
            {words.title()}
          </div>
          <div class='list-authors'>{names}</div>
          <div class='list-comments mathjax'><span class='descriptor'>Comments:</span>
            8 pages
          </div>
          <div class='list-subjects'><span class='descriptor'>Subjects:</span>
            <span class="primary-subject">Optics (physics.optics)</span>; Machine Learning (cs.LG)

          </div>{text}
        </div>
      </dd>"""


def html_new() -> Iterator[str]:
    """Yield the page of a day, with abstracts."""
    top = "<h3>Showing new listings for Friday, 11 July 2025</h3>\n<dl id='articles'><h3>New submissions</h3>"
    return listing(top, abstract=True)


def html_month() -> Iterator[str]:
    """Yield the page of a month, without abstracts."""
    return listing("<h2>Authors and titles for July 2025 </h2>\n<dl id='articles'>", abstract=False)


def rss() -> Iterator[str]:
    """Yield the items of a daily feed."""
    words = Words()
    yield (
        "<?xml version='1.0' encoding='UTF-8'?>\n<rss xmlns:arxiv='http://arxiv.org/schemas/atom' "
        "xmlns:dc='http://purl.org/dc/elements/1.1/' version='2.0'><channel><title>cs.DC updates on arXiv.org</title>"
        "<pubDate>Fri, 11 Jul 2025 00:00:00 -0400</pubDate>\n"
    )
    while True:
        number = next(words.number)
        own = f"{2500 + number // 99_999}.{number % 99_999:05}"
        yield (
            f"<item><title>{words.title()}</title><link>https://arxiv.org/abs/{own}</link>\n"
            f"<description>arXiv:{own}v1 Announce Type: new \nAbstract: {words.paragraph()}</description>\n"
            f"<guid isPermaLink='false'>oai:arXiv.org:{own}v1</guid><category>cs.DC</category>\n"
            "<pubDate>Fri, 11 Jul 2025 00:00:00 -0400</pubDate><arxiv:announce_type>new</arxiv:announce_type>"
            f"<dc:creator>{', '.join(words.names())}</dc:creator></item>\n"
        )


def api() -> Iterator[str]:
    """Yield the entries of an answer of the query interface."""
    words = Words()
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom"><title>arXiv Query: search_query=cat:cs.DC</title>'
        "<id>http://arxiv.org/api/query</id>\n"
    )
    while True:
        number = next(words.number)
        people = "".join(f"<author><name>{name}</name></author>\n" for name in words.names())
        yield (
            f"<entry><id>http://arxiv.org/abs/{2500 + number // 99_999}.{number % 99_999:05}v2</id>"
            f"<published>2025-07-01T17:15:04Z</published><title>{words.title()}</title>\n"
            f"<summary>  {words.paragraph()}\n</summary>{people}<arxiv:comment>8 pages</arxiv:comment>"
            '<arxiv:primary_category term="cs.DC"/><category term="cs.DC"/></entry>\n'
        )


BULK: Final[dict[str, Bulk]] = {
    "glued": Bulk(glued),
    "every_element": Bulk(every_element),
    "html_new": Bulk(html_new, ".html", bottom="</dl></div></div></body></html>"),
    "html_month": Bulk(html_month, ".html", bottom="</dl></div></div></body></html>"),
    "rss": Bulk(rss, ".xml", bottom="</channel></rss>"),
    "api": Bulk(api, ".xml", bottom="</feed>"),
}
