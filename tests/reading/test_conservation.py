"""Everything a parser claims is published, held back, or declared as left out; the rest is reported."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from parsers._contract import Family, Format, LeftOut, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import heading_rule, record_rule
from parsers._registry import sources
from pipeline.reading.conservation import UNPUBLISHED
from pipeline.reading.parse import parse_items
from schemas.items import Item, Record

RULES = {"#": heading_rule("page_title", 1), "=": heading_rule("session", 4), "-": record_rule("talk")}
LEFT_OUT = Path(__file__).parents[2] / "docs" / "left-out.md"


def parse(document: Document) -> Iterator[Item]:
    """Claim ``# title``, ``= session`` and ``- talk``; publish only the first two words of talks."""
    for number, text in document.lines.texts():
        if text[0] in RULES:
            document.lines.claim(number, RULES[text[0]])
            if text[0] == "-":
                first, second = re.sub(r"[\[\]]|\([^)]*\)|Subject.*", " ", text).split()[1:3]
                yield Record(number, number, title=f"{first} {second}", categories=(first,))


ABSTRACT = LeftOut(frozenset({"abstract"}))
CODES = LeftOut(frozenset({"from", "subject"}), ("From",), {"oven.R": "Rye and Spelt"}, (b"Subject:",))


def source_of(left_out: LeftOut | None, *, keyed: bool = False) -> Source:
    """Make a source with these declared omissions."""
    format_ = Format("toy", "x", lambda _: True, parse, keyed=keyed)
    return Source("toy", "Toy", 1, Family.PROGRAMME, PageKind.STATE, (format_,), leaves_out=left_out)


def unpublished(text: str, left_out: LeftOut | None = ABSTRACT) -> list[tuple[int | None, str]]:
    """Return line and words of each unpublished text."""
    rejects = parse_items(source_of(left_out), Document.from_bytes("toy/a.txt", text.encode())).rejects
    return [
        (reject.line_start, reject.detail.partition("nowhere: ")[2])
        for reject in rejects
        if reject.reason == UNPUBLISHED
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- Slow Ovens", []),
        ("- Slow Ovens of Rye and Spelt", [(1, "spelt")]),
        ("- Slow Ovens SLÓW ovens", []),
        ("- Slow Ovens OvensAbstract", []),
        ("- Slow Ovens ovensabstract", []),
        ("- Slow Ovens abstractovens", []),
        ("- Slow Ovens abstractspelt", [(1, "abstractspelt")]),
        ("- Slow Ovens [Abstract] on Thursday, Sept 4", []),
        ("- Slow Ovens https://rye.example/spelt", []),
        ("= Spelt\n- Slow Ovens", [(1, "spelt")]),
        ("- Slow Ovens &hellip; <span class='narrow'>ovens</span>", []),
        ("- Slow Ovens & spelt", [(1, "spelt")]),
        ("= Slow\n- Slow Ovens", []),
        ("# Spelt\n- Slow Ovens", []),
        ("- Slow Ovens spelt\nspelt", []),
    ],
)
def test_words(text: str, expected: list[tuple[int | None, str]]) -> None:
    """Dates, labels, addresses, markup, page titles, glued words and words held back elsewhere may be unpublished."""
    assert unpublished(text) == expected


def test_many_words() -> None:
    """Hundreds at once are told apart as one is: those that stand inside of published ones are published."""
    words = [f"{first}{second}spelt" for first in "abcdefghijklmno" for second in "abcdefghijklmno"]
    lines = [f"- Slow Ovens{number}dough {word} dough" for number, word in enumerate(words)]
    told = [(line, word) for line, word in enumerate(words, 1)]
    assert unpublished("\n".join(lines)) == told
    assert unpublished("\n".join([*lines, *(f"- Wide {word}rye" for word in words)])) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- Slow Ovens From quill", []),
        ("- Slow Ovens From quill spelt", [(1, "spelt")]),
        ("- Slow OvensSubject:Slow", []),
        ("- Slow Ovens Subject: Rye and Spelt", [(1, "spelt")]),
        ("- oven.R Ovens Subject: Rye and Spelt", []),
        ("- [Slow](/a/b/spelt) [Ovens](/a?b=spelt)", []),
        ("- Slow Ovens [Spelt](/a)", [(1, "spelt")]),
        ('- [Slow](/a "Seen at length") Ovens', []),
        ("- Slow Ovens From ![Spelt](/a) quill", []),
        ("- SlowŁight Ovens", []),
    ],
)
def test_users_labels_names_of_codes_and_links(text: str, expected: list[tuple[int | None, str]]) -> None:
    """A user's name counts as one word; the name of a code may be left out if the code is published."""
    assert unpublished(text, CODES) == expected


def test_a_source_that_names_no_words_is_not_looked_at() -> None:
    """A source without declared omissions is not checked."""
    assert unpublished("- Slow Ovens of Spelt", None) == []


def test_a_format_of_keys_is_not_looked_at() -> None:
    """A format of keys is not checked, since each key was claimed separately."""
    document = Document.from_bytes("toy/a.txt", b"- Slow Ovens of Spelt")
    assert parse_items(source_of(ABSTRACT, keyed=True), document).rejects == ()


def left_out() -> str:
    """Return the page of what is left out, made from what the sources declare."""
    declared = {source.name: source.leaves_out for source in sources().values() if source.leaves_out is not None}
    rows = [f"| `{name}` | {', '.join(sorted(each.words)) or '-'} |\n" for name, each in sorted(declared.items())]
    names = {code: name for each in declared.values() for code, name in each.codes.items()}
    codes = [f"- {name} ({code})\n" for code, name in sorted(names.items())]
    return (
        "# What is left out\n\nMade from what the sources declare (`leaves_out`); "
        "`tests/reading/test_conservation.py` compares.\n[reading.md](reading.md#what-is-left-out) says what it means."
        "\n\n## Words\n\n| source | words left out |\n|---|---|\n"
        + "".join(rows)
        + "\n## Names of codes\n\nThe names are left out where a dump has published the code in `categories`.\n\n"
        + "".join(codes)
    )


def test_the_page_lists_what_is_left_out() -> None:
    """The page has every omitted word, and the name of every code, of every source, and nothing else."""
    assert LEFT_OUT.read_text(encoding="utf-8") == left_out()
