"""The ledger of HTML: visible text and its claims; entities, limits and damage that must not lose text silently."""

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from parsers._ledger.data import Data
from parsers._ledger.document import Document, DumpError
from parsers._ledger.elements import classes_of, last_line_of, line_of, text_of
from parsers._ledger.lines import Accounting, Boilerplate, LineClass, Rule, Span, heading_rule, record_rule
from parsers._ledger.markup import MOST_ATTRIBUTES, PageError
from parsers._ledger.page import Page
from parsers._web.layout import markup_layout
from tests.support.cost import LIMIT, growth

TITLE = record_rule("title")
DAY = heading_rule("day", 2)
MENU = Boilerplate({"menu": "Home|Contact", "dot": "·"})
BOMB = (
    '<!DOCTYPE r [<!ENTITY a0 "foam foam">'
    + "".join(f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 10))
    + "]><r>&a9;</r>"
)


def only(page: Page, path: str) -> etree._Element:
    """Return the one element of a path."""
    found = page.root.xpath(path)
    assert isinstance(found, list)
    (element,) = found
    assert isinstance(element, etree._Element)
    return element


def unexplained(page: Page) -> list[str]:
    """Return the unclaimed texts."""
    return [span.text for span in page.account().unexplained]


def claim_some(page: Page, claims: list[Rule | Boilerplate | str | None]) -> None:
    """Claim the elements of a page, in turn, as ``claims`` says."""
    for element, claim in zip(page.root.iter("*"), claims, strict=False):
        if isinstance(claim, Rule):
            page.claim(element, claim)
        elif isinstance(claim, Boilerplate):
            page.claim_boilerplate(element, Boilerplate({"menu": ".*"}))
        elif claim == "tail":
            page.claim_tail(element, TITLE)
        elif claim is not None:
            page.claim_tail_boilerplate(element, Boilerplate({"menu": ".*"}))


def counted_one_by_one(page: Page) -> tuple[dict[str, int], list[str]]:
    """Return the expected account of a page, computed text by text."""
    found: Counter[str] = Counter()
    unexplained = []
    for element in page.root.iter("*"):
        around = [element, *element.iterancestors()]
        rules = [page.rule_of(each) for each in around]
        hidden = [each.tag in {"script", "head"} for each in around]
        behind = page._tails.get(element)
        for text, chain, unseen in ((element.text, rules, hidden), (element.tail, [behind, *rules[1:]], hidden[1:])):
            if text and text.strip() and not any(unseen):
                rule = next(filter(None, chain), None)
                found[rule.line_class if rule else LineClass.UNEXPLAINED] += 1
                unexplained += [] if rule else [text.strip()]
    return dict(found), unexplained


def test_every_text_is_counted_once() -> None:
    """Each text belongs to a record, a heading or boilerplate, or is unexplained with its line."""
    page = Page("<body><h2>Monday</h2><p>Foam <i>in</i> Tanks</p>\n<b>Home</b>\n<b>zzqx</b></body>")
    page.claim(only(page, "//h2"), DAY)
    page.claim(only(page, "//p"), TITLE)
    assert [page.claim_boilerplate(element, MENU) for element in page.root.iter("b")] == [True, False]
    assert page.account() == Accounting(
        6,
        {LineClass.HEADING: 1, LineClass.RECORD: 3, LineClass.BOILERPLATE: 1, LineClass.UNEXPLAINED: 1},
        {"menu": 1},
        (Span(3, 3, "zzqx"),),
    )


def test_claim_takes_what_is_inside() -> None:
    """A claim covers everything inside an element, but not the text after it."""
    page = Page("<div><p>a<b>b<i>c</i>d</b>e</p>behind</div>")
    page.claim(only(page, "//p"), TITLE)
    assert unexplained(page) == ["behind"]


@given(
    st.lists(
        st.sampled_from(
            ["<b>", "<i>", "<div>", "<script>", "</b>", "</i>", "</div>", "</script>", "x", " ", "\xa0", "y"]
        ),
        min_size=9,
        max_size=60,
    ),
    st.lists(st.sampled_from([TITLE, DAY, MENU, "tail", "menu behind", None, None]), min_size=9, max_size=30),
)
def test_pieces_are_counted_as_one_by_one(markup: list[str], claims: list[Rule | Boilerplate | str | None]) -> None:
    """The account equals one computed text by text, whatever is claimed."""
    page = Page(f"<body>{''.join(markup)}</body>")
    claim_some(page, claims)
    account = page.account()
    assert (account.by_class, [span.text for span in account.unexplained]) == counted_one_by_one(page)


def test_inner_claim_stands() -> None:
    """An inner element keeps its own claim, and the first claim of an element stands."""
    page = Page("<p>a<b>Home</b></p>")
    page.claim_boilerplate(only(page, "//b"), MENU)
    page.claim(only(page, "//b"), TITLE)
    page.claim(only(page, "//p"), TITLE)
    assert page.account().by_class == {LineClass.RECORD: 1, LineClass.BOILERPLATE: 1}


def test_text_behind_an_element() -> None:
    """The text after an end tag is claimed on its own; as boilerplate only if the pattern matches all of it."""
    page = Page("<p><b></b> foam <b></b> · <b></b> · x</p>")
    first, second, third = page.root.iter("b")
    page.claim_tail(first, TITLE)
    found = [page.claim_tail_boilerplate(element, MENU) for element in (second, third)]
    assert (found, unexplained(page)) == ([True, False], ["· x"])


def test_boilerplate_needs_its_pattern() -> None:
    """An element is boilerplate only if a pattern matches all of its text."""
    page = Page("<p>Home and away</p>")
    with pytest.raises(ValueError, match="boilerplate"):
        page.claim(only(page, "//p"), Rule("menu", LineClass.BOILERPLATE))
    assert not page.claim_boilerplate(only(page, "//p"), MENU)


def test_only_the_content_area_is_accounted_for() -> None:
    """Text outside the content area is not accounted for, and neither is the text right after it."""
    page = Page("<body><nav>menu</nav><main>foam</main>behind</body>")
    page.content = only(page, "//main")
    assert unexplained(page) == ["foam"]


@pytest.mark.parametrize(
    "toolbar",
    [
        '<div id="wm-ipp-base" lang="en"><div id="wm-ipp"><p>22 captures</p> 13 Jun 2017 - 10 Dec 2018</div></div>',
        '<div id="wm-ipp"><p>Go</p></div><div id="donato"><p>Give</p></div>',
        '<div id="wm-ipp-print">The Archive - http://fair.example/2017</div>',
    ],
)
def test_the_toolbar_of_an_archive_is_no_part_of_a_page(toolbar: str) -> None:
    """The toolbar of a web archive is neither read nor accounted for; the text after it is."""
    page = Page(f"<body>{toolbar}foam <p id='donator'>tanks</p></body>")
    assert (unexplained(page), text_of(page.root)) == (["foam", "tanks"], "foam tanks")


@pytest.mark.parametrize("tag", ["script", "style", "template", "noscript"])
def test_what_is_not_visible(tag: str) -> None:
    """Scripts, styles and templates are not text, even with markup inside; what follows them is."""
    page = Page(f'<body><p>a</p><{tag}>var x = "<p>zzqx</p>";</{tag}>b<p>c</p></body>')
    assert (unexplained(page), text_of(page.root)) == (["a", "b", "c"], "a b c")


def test_an_end_tag_closed_by_the_wrong_bracket() -> None:
    """The broken end tag swallows nothing: the element after it is read."""
    page = Page('<body><div class="a">foam</div<\n<div class="b">crumbs</div></body>')
    assert [(each.get("class"), each.text) for each in page.root.iter("div")] == [("a", "foam"), ("b", "crumbs")]


def test_a_head_of_a_feed_is_accounted_for() -> None:
    """Only HTML hides its head: in XML such an element is text."""
    assert unexplained(Page("<feed><head>foam</head><entry>b</entry></feed>", xml=True)) == ["foam", "b"]


def test_head_and_comments_are_not_visible() -> None:
    """The head of a page, comments and processing instructions are no text; a comment does not cut a text in two."""
    page = Page("<html><head><title>zzqx</title></head><body>a<!-- zzqx -->b<?zzqx ?>c</body></html>")
    assert unexplained(page) == ["abc"]


@pytest.mark.parametrize(
    "text",
    [
        '<html style="display:none"><body><p>foam</p></body></html>',
        '<body style="display: none"><p>foam</p></body>',
        "<body><div hidden><p>foam</p></div></body>",
    ],
)
def test_what_a_style_hides_is_text(text: str) -> None:
    """Text hidden by a style counts: a script may show it later."""
    page = Page(text)
    assert (unexplained(page), text_of(page.root)) == (["foam"], "foam")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("<p>a<p>b<div>c<li>d", ["a", "b", "c", "d"]),
        ("<table><tr><td>a<td>b<tr><td>c", ["a", "b", "c"]),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>e", ["e", "a", "b", "c", "d"]),
        ("<b><p>a</b>b</p>c", ["ab", "c"]),
        ("</div></p>a</main>b", ["ab"]),
        ("<p>a</p></body></html><p>b</p>c", ["a", "b", "c"]),
        ("<html><body>a</body></html>\n<html><body>b</body></html>", ["a", "b"]),
        ("<p>a</p></body><p>b</p>", ["a", "b"]),
        ("just text", ["just text"]),
        ("<p>a < b &amp; c &lt; d</p>", ["a < b & c < d"]),
        ("<p>a\x01b\x0bc\x7f</p><p>d</p>", ["a\x01b\x0bc\x7f", "d"]),
        ("<p title='<b>'>a</p>", ["a"]),
        ("<zzqx-1>a</zzqx-1>", ["a"]),
        ("<svg><text>a</text></svg><textarea>b</textarea>", ["a", "b"]),
    ],
)
def test_damaged_markup_keeps_its_text(text: str, pieces: list[str]) -> None:
    """Unclosed, crossed and unknown tags, stray ends and control characters lose no text."""
    assert unexplained(Page(text)) == pieces


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("<!DOCTYPE html>\n<html><body>a</body></html>\n", []),
        ("<html><body>a</body></html>\n<!-- <html> -->\n<script>b</script>", []),
        ("<p>a", []),
        ("<html><body><div><p>a\n<p>b</p>\n", [2]),
        ("<html><body>a</body></html>\n<html><body>b</body></html>", [2]),
        ("<!DOCTYPE html>\n<p>a\n<!DOCTYPE html>\n<html><body>b</body></html>", [3]),
        ("<!doctype html>\n<p>a\n<!DOCTYPE html>\n<html><body>b</body></html>", [3]),
        ("<html><body>a</body></html>\n<!-- <html> -->\n<html><body>b</body></html>", [3]),
    ],
)
def test_a_missing_end_and_a_second_document_are_told(text: str, lines: list[int]) -> None:
    """Both are read in full; a reject gives the line."""
    rest = Page(text).account().rest
    assert [(reject.line_start, reject.reason) for reject in rest] == [
        (line, "cut" if "</html>" not in text else "malformed") for line in lines
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 300 + "foam",
        "<div>" * 300 + "foam" + "</div>" * 300,
        "<p>before</p>" + "<b>" * 50_000 + "foam",
        "<p>" + "abcd" * 5_000_000 + "</p><p>behind</p>",
        "<p title='" + "abcd" * 5_000_000 + "'>foam</p>",
        "<!--" + "abcd" * 5_000_000 + "--><p>foam</p>",
        "<script>" + "abcd" * 5_000_000 + "</script><p>foam</p>",
    ],
    ids=["depth", "depth_closed", "depth_50000", "text", "attribute", "comment", "script"],
)
def test_limits_of_the_reader_are_errors(text: str) -> None:
    """Where the HTML parser would silently drop the rest, the page is refused with a message."""
    with pytest.raises(PageError, match="expected a page within the limits of the parser"):
        Page(text)


@pytest.mark.parametrize("xml", [False, True])
@pytest.mark.parametrize(
    ("before", "piece"),
    [
        ("", "<b>"),
        ("<p>", "abcd"),
        ("<p title='", "abcd"),
        ("<!--", "abcd"),
        ("<script>", "abcd"),
        ("<html>", "<<<<"),
    ],
)
def test_beyond_the_limits_time_is_linear(before: str, piece: str, xml: bool) -> None:
    """A page is refused in time proportional to its length, whatever is too long or too deep in it."""

    def read(size: int) -> None:
        with suppress(PageError):
            Page(before + piece * size, xml=xml)

    assert growth(read, 50_000) < LIMIT


def test_within_the_limits() -> None:
    """A deep, wide or long page within the limits is read in full."""
    text = "<div>" * 200 + "foam" + "</div>" * 200 + "<p>" + "abcd" * 2_000_000 + "</p>" + "<i>x</i>" * 50_000
    page = Page(text)
    assert (page.account().lines, len(text_of(page.root))) == (50_002, 4 + 1 + 8_000_000 + 1 + 50_000)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        '<!DOCTYPE r [<!ENTITY x "foam">]><r>a &x; b</r>',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>a &x; b</r>',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]><r>a &x; b</r>',
        '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x"> %p;]><r>a &x; b</r>',
        "<r>a &nbsp; b</r>",
        "<r>" * 300 + "foam" + "</r>" * 300,
        "<r>" + "abcd" * 5_000_000 + "</r>",
        "<r><a></r>",
        "<r>a</r><r>b</r>",
        "<r>a",
        "no markup",
    ],
    ids="bomb entity file network parameter nbsp depth giant crossed two_roots cut text".split(),
)
def test_xml_that_is_refused(text: str) -> None:
    """Entities are neither expanded nor dropped, limits and damage are errors: a feed is read whole or not at all."""
    with pytest.raises(PageError, match="expected"):
        Page(text, xml=True)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd"><r>a &amp; b &#955;</r>', "a & b λ"),
        ('<?xml version="1.0" encoding="latin-1"?><r>é</r>', "é"),
        ("<r><![CDATA[<b>a</b> & b]]></r>", "<b>a</b> & b"),
        ('<r xmlns:i="http://www.w3.org/2001/XInclude"><i:include href="file:///etc/passwd" parse="text"/>a</r>', "a"),
    ],
    ids=["dtd", "label", "cdata", "include"],
)
def test_xml_that_is_read(text: str, content: str) -> None:
    """External files are neither fetched nor included, and an encoding label of decoded text is ignored."""
    assert text_of(Page(text, xml=True).root) == content


@pytest.mark.parametrize("text", [BOMB, '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>a &x; b</p>'])
def test_html_has_no_entities_of_its_own(text: str) -> None:
    """A page cannot define entities: their names stay as they stand."""
    assert text_of(Page(text).root).endswith(("&a9;", "a &x; b"))


@pytest.mark.parametrize("text", ["", "<!-- foam -->", "<!DOCTYPE html>"])
def test_page_without_an_element(text: str) -> None:
    """A page without any element is refused."""
    with pytest.raises(PageError, match="expected HTML"):
        Page(text)


@pytest.mark.parametrize(("ledger", "text"), [("page", b"<div>" * 300), ("feed", b"<r>\n<a></r>")])
def test_document_names_its_file(ledger: str, text: bytes) -> None:
    """A page or feed that cannot be read is refused as malformed, with file and line."""
    document = Document.from_bytes("source/dump.html", text)
    with pytest.raises(DumpError, match=r"^source/dump\.html:[12]: malformed: expected "):
        getattr(document, ledger)


def test_label_of_a_charset_says_nothing() -> None:
    """The text is decoded already: a label inside it cannot spoil it."""
    assert text_of(Page('<meta charset="latin-1"><p>é λ 李</p>').root) == "é λ 李"


def test_text_folds_white_space() -> None:
    """Blocks and line breaks are blanks, inline elements are not; white space is folded."""
    page = Page("<div>a<b>b</b>  c\n\td<br>e<p>f</p>g&nbsp;h<ul><li>i<li>j</ul></div>")
    assert text_of(page.root) == "ab c d e f g h i j"


def test_lines_of_elements() -> None:
    """An element begins at the line of its start tag and ends at that of the last element inside."""
    page = Page("<body>\n<div\n>\n<p>a</p>\n<p>b<b>\nc</b></p></div></body>")
    div = only(page, "//div")
    assert (line_of(div), last_line_of(div)) == (3, 5)


def test_lines_that_cannot_be_counted() -> None:
    """Beyond the line limit of the HTML parser elements have no line; unexplained text there gets line 1."""
    page = Page("<body>" + "\n" * 70_000 + "<p>foam</p></body>")
    assert (line_of(only(page, "//p")), page.account().unexplained) == (None, (Span(1, 1, "foam"),))


def test_classes() -> None:
    """Classes are a set of names; an element without any has none."""
    page = Page('<p class=" a\tb  a ">x</p><b>y</b>')
    assert (classes_of(only(page, "//p")), classes_of(only(page, "//b"))) == (
        frozenset({"a", "b"}),
        frozenset(),
    )


def test_layout_of_odd_tags() -> None:
    """Tags whose names are invalid in XML, as word processors write them, do not break the layout fingerprint."""
    layouts = {markup_layout(Page(f"<dl><dt>foam{odd}</dl>").root, ["dl dt"]) for odd in ("", "<o:p>x</o:p>", "<b<i>x")}
    assert (len(layouts), "" in layouts) == (1, False)


def test_embedded_data_are_accounted_for() -> None:
    """The keys of data inside a page are counted with its text."""
    page = Page("<p>foam</p>")
    page.claim(only(page, "//p"), TITLE)
    data = Data("{}")
    page.embed(data)
    fields = data.open({"title": "Foam", "likes": 1, "zzqx": 2}, 4)
    fields.text("title")
    fields.ignore(["likes"])
    assert page.account() == Accounting(
        4,
        {LineClass.RECORD: 2, LineClass.BOILERPLATE: 1, LineClass.UNEXPLAINED: 1},
        {"likes": 1},
        (Span(4, 4, '{"zzqx": 2}'),),
    )


@pytest.mark.parametrize("xml", [False, True])
@pytest.mark.parametrize(
    "attribute", [' a{}="1"', "\n a{} = '1'", ' a{}="<"', '\ta{}=""'], ids=["plain", "line", "bracket", "empty"]
)
def test_tag_with_attributes_without_end_is_refused(attribute: str, xml: bool) -> None:
    """The parser compares each attribute with all before it, so forty thousand in one tag are refused."""
    crowded = "".join(attribute.format(number) for number in range(40_000))
    with pytest.raises(PageError, match=rf"^3: expected at most {MOST_ATTRIBUTES} attributes per tag"):
        Page(f"<div>\n<p>Foam</p>\n<p{crowded}>Foam</p></div>", xml=xml)


@pytest.mark.parametrize("xml", [False, True])
def test_tag_with_many_attributes_is_read(xml: bool) -> None:
    """A tag with the most attributes allowed, more than any real page has, is read."""
    many = "".join(f' a{number}=">"' for number in range(MOST_ATTRIBUTES))
    assert len(Page(f"<div{many}>Foam</div>", xml=xml).root.xpath("//div/@*")) == MOST_ATTRIBUTES  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "behind"),
    [("<script>if (a <b ", "</script>"), ("<!-- <b ", "-->"), ("<title>a <b ", "</title>"), ("<p title='<b ", "'>")],
    ids=["script", "comment", "title", "value"],
)
def test_words_that_are_no_attributes_are_not_counted(before: str, behind: str) -> None:
    """What looks like a tag inside a script, a comment, a title or a value is not counted as one."""
    assert unexplained(Page(f'<i lang=">"></i>{before}{"x " * 5_000}{behind}<b>Foam</b>'))[-1] == "Foam"


def test_tag_without_end_is_refused() -> None:
    """In an unclosed tag every following word counts as an attribute."""
    with pytest.raises(PageError, match="attributes per tag"):
        Page("<p " + "x " * 5_000)


def test_a_declaration_below_an_empty_line() -> None:
    """XML whose declaration does not come first is read, also where it is cut; lines keep their numbers."""
    text = '\n\n<?xml version="1.0" encoding="utf-8"?>\n<jam>\n<pot>A</pot>'
    for end in ("</jam>", "<pot>B"):
        root = Page(text + end, xml=True, items=("pot",)).root
        assert [line_of(each) for each in root.iter("pot")] == [5]
