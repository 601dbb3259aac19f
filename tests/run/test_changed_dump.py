"""A dump whose bytes change while a run reads it: what was read of it is not published."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from parsers._ledger.document import Document
from pipeline.base.known_files import KnownFiles
from pipeline.merging.outcome import Status
from pipeline.run import refresh as stages
from pipeline.run.summary import messages
from schemas.items import Item
from tests.support.toy import FAIR, NEWS, Desk, parse


def test_a_dump_that_is_still_written(desk: Desk) -> None:
    """The source keeps its rows and says why; with the next run, when the file is at rest, all of it is published."""
    file = desk.put("fair/a.txt", {"title": "Hay", "event": "E"})
    desk.put("news/a.txt", {"title": "Oat", "arxiv_id": "2601.00001"})
    first = desk.run()
    whole = file.read_text() + '\n{"title": "Rye", "event": "E"}\n{"title": "Bran", "event": "E"}'

    def read_while_written(document: Document) -> Iterator[Item]:
        yield from parse(document)
        file.write_text(whole)

    (lines,) = FAIR.formats
    desk.known = {"fair": replace(FAIR, formats=(replace(lines, parse=read_while_written),)), "news": NEWS}
    file.write_text(whole[: whole.index("Bran")] + 'Corn", "event": "E"}')
    second = desk.run()
    kept = desk.titles("fair")
    third = desk.run()
    assert (first.good, [outcome.status for outcome in second.outcomes]) == (True, [Status.FAILED, Status.OK])
    assert (kept, third.good, desk.titles("fair")) == (["Hay"], True, ["Bran", "Hay", "Rye"])
    assert messages(second)[0].startswith("failed: fair/a.txt:1: unreadable: expected a file that stays as it is")


@pytest.mark.parametrize("age", [0, 3600])
def test_a_dump_at_rest_is_not_hashed_again(desk: Desk, monkeypatch: pytest.MonkeyPatch, age: int) -> None:
    """Only a file that was touched since the run began, or shortly before, is read once more."""
    desk.put("fair/a.txt", {"title": "Hay", "event": "E"})
    hashed = []

    def count(_: KnownFiles, path: str) -> None:
        if not path.startswith("/"):  # those that were published are taken note of as well
            hashed.append(path)

    monkeypatch.setattr(KnownFiles, "forget", count)
    monkeypatch.setattr(stages, "_CLOCKS", 60.0 - age)
    assert (desk.run("fair").good, len(hashed)) == (True, int(age == 0))
