"""Volumes of the ACL Anthology, as the XML of its repository: one file a collection, with its papers by volume.

<collection id="2026.jam"><volume id="long"><meta><booktitle>Proceedings of JAM</booktitle><year>2026</year></meta>
  <paper id="7"><title>Less <fixed-case>S</fixed-case>ugar</title><author><first>Ada</first><last>Quill</last></author>
    <pages>1-9</pages><abstract>We boil.</abstract><doi>10.9999/jam.7</doi><award>Best Paper</award></paper></volume>
</collection>

A paper is known by its Anthology id, which is made of those of collection, volume and paper: ``2026.jam-long.7``, and
``J89-1007`` in collections from before 2020. Files from then have <volume id="J89"><paper id="1007"> with the title of
the book in each paper, and the book as a paper whose number ends in zeros. Front matter, editors, publishers and names
in other scripts (<variant>) are left out.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._tables.readers import link
from parsers._tables.table import Elements, Match, each, many, maybe, one, read_elements
from parsers._web.layout import markup_layout
from parsers._web.web import one_page
from parsers._words.text import is_relative
from schemas.items import Item, Person, Record, Reject

_SITE: Final = "https://aclanthology.org"
_OF_THE_VOLUME: Final = (
    "editor publisher address month year url venue journal-volume journal-issue journal-title isbn issn doi "
    "shortbooktitle series"
).split()
_OF_THE_PAPER: Final = (
    "url bibkey editor video pwcdataset revision erratum language note issue journal mrf isbn issn "
    "address bibtype href journal-volume journal-issue month number publisher volume year"
).split()
_FILES: Final = "attachment software dataset presentation poster".split()
_COLLECTION: Final = Elements("collection", one("collection", "::attr(id)"), ignored="event")
_VOLUME: Final = Elements(
    "volume[id]",
    one("volume", "::attr(id)"),
    maybe("book", "meta > booktitle::raw"),
    ignored=", ".join(f"meta > {name}" for name in _OF_THE_VOLUME) + ", frontmatter",
)
_PAPER: Final = Elements(
    "paper",
    one("id", "::attr(id)"),
    one("title", "paper > title::raw"),
    each(
        "people",
        "paper > author",
        maybe("text", "author:not(:has(first)):not(:has(last))::text"),
        maybe("first", "author > first"),
        maybe("last", "author > last"),
        maybe("affiliation", "author > affiliation"),
        ignored="variant",
    ),
    maybe("pages", "paper > pages"),
    maybe("abstract", "paper > abstract::raw"),
    maybe("doi", "paper > doi"),
    maybe("own_book", "paper > booktitle::raw"),
    many("awards", "paper > award"),
    many("withdrawn", "paper > retracted, paper > removed"),
    many("files", ", ".join(f"paper > {name}" for name in _FILES)),
    each("code", "paper > pwccode", maybe("url", "::attr(url)"), maybe("title", "")),
    many("videos", "paper > video::attr(href)"),
    ignored=", ".join(f"paper > {name}" for name in _OF_THE_PAPER),
)
_DIGITS: Final = 4  # of the number of a paper before 2020
_OLD_VOLUME: Final = re.compile(r"[A-Z]\d\d")
_OLD_PAPER: Final = re.compile(rf"""<paper\s[^<>]*\bid=["']\d{{{_DIGITS}}}["']""")
_FIRST_TAG: Final = re.compile(r"<(?P<name>[A-Za-z]\w*+)(?P<attributes>[^<>]*+)>")


def recognise(document: Document) -> bool:
    """True if the root element is a collection with an id, or a volume as it was before 2020."""
    head = document.text[:5_000]
    found = _FIRST_TAG.search(head) if head.lstrip()[:1] == "<" else None
    if found is None or "id=" not in found["attributes"]:
        return False
    return found["name"] == "collection" or (found["name"] == "volume" and _OLD_PAPER.search(head) is not None)


def parse(document: Document) -> Iterator[Item]:
    """Yield a record a paper; one without a title is a reject."""
    feed = document.feed_of("paper")
    for found in read_elements(feed, _COLLECTION, _VOLUME, _PAPER):
        if isinstance(found, Reject):
            yield found
        elif found.table is _PAPER and not _is_front_matter(found.around()):
            yield _record(found, found.around())


def _record(found: Match, around: Mapping[str, Any]) -> Record:
    """Make the record of a paper."""
    name = _anthology_id(around.get("collection"), around.get("volume"), found["id"])
    people = tuple(person for each in found["people"] if (person := _person(each)))
    places = (*found["videos"], *(f"{_SITE}/attachments/{file}" for file in found["files"] if ":" not in file))
    links = [link(place) for place in places if not is_relative(place)]
    links += [link({"url": each["url"], "title": each["title"]}) for each in found["code"] if each["url"]]
    printed = [around.get("book") or found["own_book"], f"pages {found['pages']}" if found["pages"] else None]
    return Record(
        *found.lines,
        title=found["title"],
        native_id=name,
        authors=people or None,
        abstract=found["abstract"],
        doi=found["doi"],
        url=f"{_SITE}/{name}/" if name else None,
        journal_ref=", ".join(filter(None, printed)) or None,
        keywords=tuple(dict.fromkeys(found["awards"])) or None,
        links=tuple(dict.fromkeys(filter(None, links))) or None,
        notes=tuple(
            sorted(
                {
                    *found.notes,
                    *(("cancelled",) if found["withdrawn"] else ()),
                    *(("value_doubtful",) if any(map(_is_half, found["people"])) else ()),
                }
            )
        ),
    )


def _anthology_id(collection: str | None, volume: str | None, paper: str) -> str | None:
    """Return the Anthology id of a paper; None where what surrounds it could not be read."""
    if volume is None:
        return None
    if collection is None:  # before 2020 the volume was what is a collection now
        return f"{volume}-{paper}" if _OLD_VOLUME.fullmatch(volume) and paper.isdecimal() else None
    if "." in collection:
        return f"{collection}-{volume}.{paper}"
    if not (volume.isdecimal() and paper.isdecimal()):
        return None
    return (
        f"{collection}-{int(volume):02}{int(paper):02}"
        if _is_wide(collection, int(volume))
        else (f"{collection}-{int(volume)}{int(paper):03}")
    )


def _is_wide(collection: str, volume: int) -> bool:
    """True if the numbers of volumes have two digits in a collection of before 2020, and those of papers two."""
    return collection.startswith("W") or collection == "C69" or (collection == "D19" and volume > 4)


def _is_front_matter(values: Mapping[str, Any]) -> bool:
    """True if a paper of before 2020 is a book as a whole, whose number in it is zero."""
    volume, paper = values.get("volume"), values["id"]
    if values.get("collection") or not volume or not (paper.isdecimal() and len(paper) == _DIGITS):
        return False
    return str(paper).endswith("00" if _is_wide(volume, int(paper[:2])) else "000")


def _is_half(values: Mapping[str, Any]) -> bool:
    """True if only one part of a name is there: that of a person of one name, or half of another."""
    return bool(values["first"]) is not bool(values["last"])


def _person(values: Mapping[str, Any]) -> Person | None:
    """Make a person; None without any name. Old files print some names in one piece."""
    name = " ".join(filter(None, (values["first"], values["last"]))) or values["text"]
    return Person(name, values["affiliation"]) if name else None


SOURCE: Final = Source(
    "acl_anthology",
    "ACL Anthology",
    4,
    Family.LISTING,
    PageKind.STATE,
    (
        Format(
            "xml", "XML whose root is <collection id=..>, or <volume id=..> with papers", recognise, parse, keyed=True
        ),
    ),
    web=one_page(
        ".xml",
        lambda document: markup_layout(document.feed.root, ("volume", "paper", "author")),
        example="""\
# ACL Anthology: a collection by the URL of its XML.
[[acl_anthology]]
url = "https://papers.example/xml/2026.jam.xml"
event = "JAM 2026"
timezone = "Europe/Oslo"
year = 2026
""",
    ),
    prints_ids=True,
)
