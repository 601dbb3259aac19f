"""What a document is that no source reads, and what to do with it."""

import json

import pytest

from parsers._ledger.document import Document
from pipeline.refusing.nature import find_nature

PROSE = "<p>We went to the sea and saw a ship that was blue.</p>" * 40
LOOK = "open its address in a browser, and save the page that is wanted"
TABLE = "for a table that reads such pages, conspectus new NAME --table --from FILE"
ANEW = "download it again"
PARSER = "for a parser of its own, conspectus new NAME --from FILE"
SAVE = "if it is the text of a page, save that page as HTML"


def page(title: str, body: str = "") -> str:
    """Return a page."""
    return f"<!doctype html>\n<html><head><title>{title}</title></head><body>{body}</body></html>"


NATURES = {
    "an error of a server": (
        page("404 Not Found", "<center><h1>404 Not Found</h1></center><hr><center>gull/1.18</center>"),
        ("a page that says '404 Not Found'", LOOK),
    ),
    "an error of a site": (
        page("JAM 2031", "<nav><a>Home</a></nav><h1>Oops! That page can&rsquo;t be found.</h1><p>Try a search."),
        ("a page that says 'Oops! That page can’t be found.'", LOOK),
    ),
    "an error inside": (
        page("Error 500", "<h1>Sorry</h1>"),
        ("a page that says 'Error 500'", LOOK),
    ),
    "a number alone": (page("404"), ("a page that says '404'", LOOK)),
    "a number that is no error": (page("500 years of ships", PROSE), ("a web page of no known layout", TABLE)),
    "maintenance": (
        page("Site maintenance", "<h1>We will be back soon!</h1>"),
        ("a page that says 'Site maintenance'", LOOK),
    ),
    "a block": (page("403 Forbidden"), ("a page that shows a refusal of automated requests", LOOK)),
    "a login": (page("Jam", '<input type="password">'), ("a page that shows a login form", LOOK)),
    "a page with an odd title": (
        page("Not found: lost ships of the north", PROSE * 10),
        ("a web page of no known layout", TABLE),
    ),
    "a page with numbers": (
        page("JAM 2031", f"<h2>500 - 510 Berths</h2><h2>Software maintenance</h2>{PROSE}"),
        ("a web page of no known layout", TABLE),
    ),
    "a frame for scripts": (
        page("JAM 2031", '<noscript>Enable JavaScript.</noscript><div id="root"></div><script src="a.js"></script>'),
        ("a page that is empty until its scripts have run", "save it from a browser, when all is shown"),
    ),
    "nothing": (page("", ""), ("a page without text", LOOK)),
    "a title": (page("Programme"), ("a page without text", LOOK)),
    "a fragment": (f"<table><tr><td>{PROSE}", ("a web page of no known layout", TABLE)),
    "xhtml": (
        f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>{PROSE}</body></html>',
        ("a web page of no known layout", TABLE),
    ),
    "rss": ("<rss><channel><item><title>Sea</title></item></channel></rss>", ("a feed (RSS)", PARSER)),
    "atom": ('<?xml version="1.0"?>\n<feed xmlns="http://a.example"><entry/></feed>', ("a feed (Atom)", PARSER)),
    "xml": ('<?xml version="1.0"?><!-- x --><urlset><url/></urlset>', ("XML, <urlset>", PARSER)),
    "broken data": (
        '{"papers": [{"title": "Sea"}',
        ("broken JSON (line 1: Expecting ',' delimiter)", ANEW),
    ),
    "deep data": ("[" * 100_000, ("JSON that is nested too deep", ANEW)),
    "an answer": ('{"error": "no such paper", "status": 404}', ("an answer that says 'no such paper'", LOOK)),
    "an object": (json.dumps({"users": [1], "count": 1}), ("JSON with the keys users, count", TABLE)),
    "a list": (json.dumps([{"title": "Sea", "start": 1}]), ("a JSON list with the keys title, start", TABLE)),
    "a list of numbers": ("[1, 2]", ("a JSON list", TABLE)),
    "a line": ("404: Not Found", ("a text that says '404: Not Found'", LOOK)),
    "a card": ("BEGIN:VCARD\nFN:Ada Quill\nEND:VCARD", ("a VCARD", "export it as a calendar of events (.ics)")),
    "a page in parts": (
        "From: x\nMIME-Version: 1.0\nContent-Type: multipart/related;\n\n<html><body>hi</body></html>",
        ("a page saved with its images in one file (MHTML)", "save it as HTML, without them"),
    ),
    "prose": ("It was a dark night.\nNo ship was seen.", ("a text", SAVE)),
    "values": ("id,name\n1,Ada Quill\n", ("a text", SAVE)),
    "a list of notes": ("# Notes\n\n- Programme not found\n- 404 ships", ("a text", SAVE)),
}


@pytest.mark.parametrize("name", NATURES)
def test_nature(name: str) -> None:
    """It is named by what stands in it, and the advice is to be followed as it is."""
    text, expected = NATURES[name]
    assert find_nature(Document.from_bytes("x/dump", text.encode())) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("talks.csv", "title,start\nSea,1\n", ("CSV with the keys title, start", TABLE)),
        ("talks.yml", "- name: Sea\n  time: 9:30\n", ("YAML with the keys name, time", TABLE)),
        ("talks.yaml", "day: [1\n", ("broken YAML (line 2: did not find", ANEW)),
        ("talks.yml", "Sea\n", ("YAML", TABLE)),
    ],
)
def test_data_by_their_name(name: str, text: str, expected: tuple[str, str]) -> None:
    """What has a suffix of data is no text of a page, which should be saved as HTML."""
    what, advice = find_nature(Document.from_bytes(f"x/{name}", text.encode()))
    assert (what[: len(expected[0])], advice) == expected


def test_broken_xml() -> None:
    """The line is that of the fault."""
    what, advice = find_nature(Document.from_bytes("x/dump", b'<?xml version="1.0"?>\n<rss>\n<a></b>\n</rss>'))
    assert (what.partition(":")[0], advice) == ("broken XML (line 3", ANEW)
