"""A truncated dump is not published: how formats end, and the settings that overrule the guard."""

import json
from pathlib import Path

import pytest

from parsers._contract import Numbers
from parsers._ledger.markup import find_faults
from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.base.signals import GuardBook, Guards, Policy
from pipeline.run.refresh import Result, refresh
from schemas.items import Declared
from tests.conftest import ROOT
from tests.support.said import steps

FRAME = "Log In\nSign Up\n\n{}\n\nCompany\n© Hugging Face\nTOS Privacy\n"
CARDS = "Daily Papers\nby AK and the research community\nAug 1\n" + "".join(
    f"Submitted by ada\n1{n}\n\nLamps of Kind {n}\n\n  • ·\n    5 authors\n" for n in range(1, 7)
)


def whole(source: str, name: str) -> str:
    """Return the text of a fixture; ``framed`` are cards within the frame of their site."""
    if name == "framed":
        return FRAME.format(CARDS)
    return (ROOT / "tests" / "sources" / source / "fixtures" / name).read_text(encoding="utf-8")


def put(folder: Path, name: str, text: str, accept: str = "") -> None:
    """Write a capture of the one page of a source, named by its day."""
    file = folder / "raw" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    facts = f'captured_at = 2026-03-0{file.stem}T03:00:00Z\nurl = "https://fair.example/p"\n{accept}'
    file.with_name(f"{file.name}.meta.toml").write_text(facts, encoding="utf-8")


def run(folder: Path, guards: Guards | None = None) -> Result:
    """Refresh all real sources."""
    return refresh(Settings(folder / "raw", folder / "out", guards=GuardBook(guards or Guards())), sources())


def rows(folder: Path, kind: str, source: str) -> list[dict[str, str]]:
    """Return the published rows of a source."""
    file = folder / "out" / "latest" / kind / f"{source}.ndjson"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


CASES = [
    ("easychair", "full_day_names.txt", "Disclaimer |", "the footer 'Disclaimer | Powered by EasyChair Smart Program'"),
    ("hf_daily", "framed", "© Hugging", "the footer '© Hugging Face'"),
    ("arxiv", "new_page_every_element.txt", "  • Copyright", "the footer, 'Web Accessibility Assistance' or"),
    ("arxiv", "mailing.txt", "%%%---", "the line '%%%---%%%---..'"),
    ("arxiv", "terminal_wide.txt", "   [2] arXiv:", "2 entries, as line 11 says, the last one is number 1"),
    ("arxiv", "html_new_page.html", "</dl>", "</html> at the end"),
    ("arxiv", "atom_feed.xml", "</feed>", "XML: "),
    ("hf_daily", "api_answers_behind_each_other.json", None, "JSON: "),
]


@pytest.mark.parametrize(("source", "name", "end", "expected"), CASES)
def test_a_dump_without_its_end(tmp_path: Path, source: str, name: str, end: str | None, expected: str) -> None:
    """The whole dump is published; truncated, it has one quarantine row that says where it ends and what is missing."""
    text, suffix = whole(source, name), Path(name).suffix or ".txt"
    put(tmp_path, f"{source}/1{suffix}", text)
    good = run(tmp_path)
    published = rows(tmp_path, "json", source)
    part = text[: text.index(end)] if end else text.rstrip()[:-1]
    put(tmp_path, f"{source}/2{suffix}", part)
    (outcome,) = (each for each in run(tmp_path).outcomes if each.source == source)
    told = [row for row in rows(tmp_path, "quarantine", source) if "cut" in row["reason"]]
    assert (good.good, [(row["reason"], f"expected {expected}" in row["detail"]) for row in told]) == (
        True,
        [("guard_cut", True)],
    )
    line = part.count("\n") + 1
    assert (outcome.error is not None, told[0]["line_end"] is not None) == (True, True)
    assert (int(told[0]["line_start"]) <= line, rows(tmp_path, "json", source) == published) == (True, True)


def test_a_capture_that_is_accepted(tmp_path: Path) -> None:
    """A sidecar can accept a page without an end, and the settings can for a whole source."""
    part = whole("easychair", "full_day_names.txt").rpartition("Disclaimer |")[0]
    put(tmp_path, "easychair/1.txt", part)
    advice = f"next: conspectus accept {tmp_path}/raw/easychair/1.txt cut --dry-run"
    assert advice in steps(run(tmp_path))
    statuses = [run(tmp_path, Guards(cut=policy)).good for policy in (Policy.FAIL, Policy.WARN, Policy.OFF)]
    put(tmp_path, "easychair/1.txt", part, 'accept = ["cut"]')
    assert ([*statuses, run(tmp_path).good], [row["reason"] for row in rows(tmp_path, "quarantine", "easychair")]) == (
        [False, True, True, True],
        ["cut"],
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<html><body><table><tr><td>a</table><p>b", False),
        ("<html><body><div>a", True),
        ("<html><body><p>a</p><a href='", True),
        ("<html><body><p>a</p><!-- b", True),
        ("<html><body><p>1 < 2", False),
        ("<html><body><div>a</div></body>", False),
        ("<div>a", False),
    ],
)
def test_pages_without_an_end(text: str, told: bool) -> None:  # what is expected
    """A handwritten page may lack the end tag of its body but not of a block, nor end in a tag; fragments may."""
    assert bool(list(find_faults(text))) == told


@pytest.mark.parametrize(
    "text",
    ["Total of 3 entries\n[1] arXiv:2602.00001\n[3] arXiv:2602.00003\n", "Total of 3 entries\narXiv:2602.00001\n"],
)
def test_a_total_that_is_missed_within_the_page(text: str) -> None:
    """Entries missing in the middle, or without numbers, are not a cut: another guard compares the totals."""
    (numbers,) = (end for end in sources()["arxiv"].formats[-1].ends if isinstance(end, Numbers))
    assert numbers.find_missing(text, [Declared(1, 3)], 2) is None
