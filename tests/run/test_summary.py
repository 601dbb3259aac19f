"""What a run tells people: one row a source, then everything that they should know besides."""

import logging
import re
from dataclasses import replace

import pytest

from pipeline.base.settings import Settings
from pipeline.run.summary import (
    HEADER,
    as_lines,
    as_log,
    as_markdown,
    as_state,
    as_table,
    messages,
    publication_line,
    source_as_markdown,
    summary_rows,
)
from tests.support.toy import Desk

HAY = {"title": "Hay"}

WITHDRAW = "put them back, or, if that is right, withdraw the source"


def steps(desk: Desk) -> list[str]:
    """Return the last lines of the fallen run: what is red, where, and what to do about it."""
    roots = f"--raw {desk.raw} --out {desk.out}"
    return [
        MESSAGES[3].replace("failed", "red", 1),
        f"next: conspectus parse {desk.raw}/barn/a.txt --lines {roots}",
        f"red: fair: {MESSAGES[0].removeprefix('failed: ')}",
        f"next: conspectus parse {desk.raw}/fair/a.txt --lines {roots}",
        f"red: fair: {MESSAGES[1].removeprefix('failed: ')}",
        f"next: conspectus quarantine fair {roots}",
        f"red: news: {MESSAGES[2].removeprefix('failed: ')}",
        f"next: conspectus parse {desk.raw}/news/b.txt --lines {roots}",
        f"next: conspectus quarantine news {roots}",
    ]


def timeless(lines: list[str]) -> list[str]:
    """Take the seconds off, which no two runs share."""
    return [re.sub(r"\d+\.\d\d( \|)?$", r"S\1", line) for line in lines]


@pytest.fixture
def fallen(desk: Desk) -> Desk:
    """Prepare a second run with everything to be told: bad dumps, a failed source, strangers, specimens, notes."""
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", HAY, "junk", '{"cut')
    desk.run()
    desk.put("fair/a.txt", "x")
    desk.put("fair/b.txt", "")
    desk.put("news/b.txt", "x")
    desk.put("news/c.txt", HAY, sidecar="specimen = true")
    desk.put("barn/a.txt", HAY)
    desk.put("README.md", "notes")
    return desk


MESSAGES = [
    "failed: fair/a.txt:1: not_this_source: expected json lines: JSON objects",
    "failed: fair/b.txt:1: empty_dump: expected text, found an empty file",
    "failed: news/b.txt:1: not_this_source: expected json lines: JSON objects",
    "failed: barn/a.txt: unknown_source: expected raw/<source>/<dump>, the source one of fair, news; it looks like "
    "fair (json lines) or news (json lines)",
    "kept: the last good files of fair",
    "held back: news/a.txt:2: unexplained_line: no rule claimed it: 'junk' (and 1 more)",
    "left out: news/c.txt (a specimen; the source has real dumps)",
    "ignored: README.md (documentation)",
]


def test_rows_hold_the_counts_of_each_source(fallen: Desk) -> None:
    """Dumps read, records of this run (none where it failed), quarantined things, unexplained lines of all dumps."""
    rows = [row[:-1] for row in summary_rows(fallen.run().outcomes)]
    assert rows == [("fair", "failed", "2", "-", "2", "1"), ("news", "partial", "2", "1", "3", "2")]


def test_seconds_have_two_places(desk: Desk) -> None:
    """The last column is the wall time of the source."""
    desk.put("fair/a.txt", HAY)
    (row,) = summary_rows(desk.run("fair").outcomes)
    assert (HEADER[-1], bool(re.fullmatch(r"\d+\.\d\d", row[-1]))) == ("seconds", True)


def test_messages_tell_what_failed_first(fallen: Desk) -> None:
    """Every dump that failed, files of no source, what was kept, left out and ignored."""
    assert messages(fallen.run()) == MESSAGES


def test_a_good_run_has_nothing_to_tell(desk: Desk) -> None:
    """No message where nothing failed and nothing was left aside."""
    desk.put("fair/a.txt", HAY)
    assert messages(desk.run("fair")) == []


def test_nothing_is_kept_where_nothing_was_published(desk: Desk) -> None:
    """A source that fails in its first run has no good files, and the run does not say that it kept some."""
    desk.put("fair/a.txt", "x")
    assert messages(desk.run("fair")) == [MESSAGES[0]]


def test_a_source_whose_dumps_are_gone(desk: Desk) -> None:
    """The error of the source as a whole is told where no dump has one; its files are kept."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    (desk.raw / "fair" / "a.txt").unlink()
    assert messages(desk.run("fair")) == [
        f"failed: fair: expected dumps below {desk.raw / 'fair'}, found none; {WITHDRAW}",
        "kept: the last good files of fair",
    ]


def test_messages_concern_the_chosen_sources(fallen: Desk) -> None:
    """A run of one source does not complain about the folders of others."""
    assert [message for message in messages(fallen.run("news")) if "fair" in message or "barn" in message] == []


def test_publication_line(desk: Desk) -> None:
    """Where the dataset is, and whether this run made it."""
    desk.put("fair/a.txt", HAY)
    first, second = desk.run(), desk.run()
    folder = first.publication.folder
    assert (publication_line(first), publication_line(second)) == (
        f"dataset: {folder} (new snapshot)",
        f"dataset: {folder} (no data file changed, same snapshot)",
    )


def test_plain_lines(fallen: Desk) -> None:
    """Messages, then one line a source, the dataset, and at last what to do."""
    result = fallen.run()
    assert timeless(as_lines(result)) == [
        *MESSAGES,
        "source: fair, status: failed, dumps: 2, records: -, quarantined: 2, unexplained lines: 1, seconds: S",
        "source: news, status: partial, dumps: 2, records: 1, quarantined: 3, unexplained lines: 2, seconds: S",
        publication_line(result),
        *steps(fallen),
    ]


def test_markdown(fallen: Desk) -> None:
    """A table, and beside it a list, the dataset and what to do, parted by blank lines."""
    result = fallen.run()
    assert [list(row.values())[:-1] for row in as_table(result.outcomes)] == [
        ["fair", "failed", "2", "-", "2", "1"],
        ["news", "partial", "2", "1", "3", "2"],
    ]
    assert [tuple(row) for row in as_table(result.outcomes)] == [HEADER, HEADER]
    assert as_markdown(result).split("\n") == [
        *(f"- `{message}`" for message in MESSAGES),
        "",
        f"`{publication_line(result)}`",
        "",
        *(f"- `{step}`" for step in steps(fallen)),
    ]


def test_markdown_of_a_good_run(desk: Desk) -> None:
    """Without messages there is no empty list."""
    desk.put("fair/a.txt", HAY)
    result = desk.run("fair")
    assert as_markdown(result) == f"`{publication_line(result)}`"
    assert (as_state(result), {level for level, _ in as_log(result)}) == ("", {logging.INFO})


def test_markdown_of_a_source(fallen: Desk) -> None:
    """What is red with the next commands, what was held back."""
    result = fallen.run()
    (news,) = (outcome for outcome in result.outcomes if outcome.source == "news")
    assert source_as_markdown(news, Settings(fallen.raw, fallen.out)).split("\n") == [
        *(f"- `{step}`" for step in steps(fallen)[-3:]),
        "",
        f"- `{MESSAGES[5]}`",
    ]


def test_markdown_shows_data_as_they_are(desk: Desk) -> None:
    """Names and texts can hold what is Markdown or HTML: they stand in code."""
    desk.put("fair/a.txt", HAY, "``x`` | <b>")
    desk.put("fair/`|<b>.txt", "x")
    result = desk.run("fair")
    shown = source_as_markdown(result.outcomes[0], Settings(desk.raw, desk.out))
    assert "- `` red: fair: fair/`|<b>.txt:1: " in shown
    assert "- `` failed: fair/`|<b>.txt:1: " in as_markdown(result)


def test_log_tells_each_cause_once(fallen: Desk) -> None:
    """What failed is an error, what was held back a warning; the last lines are there but for causes told above."""
    result = replace(fallen.run(), failures=("fair: http://fair.example: 404 Not Found",))
    told = as_log(result)
    failed = "failed: fair: http://fair.example: 404 Not Found"
    assert [line for level, line in told if level == logging.ERROR] == [failed, *MESSAGES[:4]]
    assert [line for level, line in told if level == logging.WARNING] == [MESSAGES[5]]
    assert [line for level, line in told if level == logging.INFO][-5:] == [
        step for step in steps(fallen) if step.startswith("next")
    ]
    assert (result.good, as_lines(result)[0]) == (False, failed)


def test_state_is_what_is_red(fallen: Desk) -> None:
    """In one line, as the last lines say it."""
    result = replace(fallen.run(), failures=("fair: not fetched",))
    red = [step.removeprefix("red: ") for step in steps(fallen) if step.startswith("red")]
    assert as_state(result) == "; ".join(["fair: not fetched", *red])
