"""The ten questions of docs/questions.md: SQL by the command and by DuckDB alone, the library and pandas agree."""

import json
import re
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest

from tests.conftest import ROOT
from tests.export.shelf import Shelf, person, record, slot, talk
from tests.support.said import Said

GUIDE = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?:sql|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
START, *SECTIONS = GUIDE.split("\n## ")
QUESTIONS = {each.partition("\n")[0]: BLOCK.findall(each) for each in SECTIONS}
(VIEWS, OF_LIBRARY, OF_PANDAS) = BLOCK.findall(START)

AT = [datetime(2026, 9, 22, hour) for hour in range(24)]
EXPECTED: dict[str, list[tuple[Any, ...]]] = {
    "How many papers does each source have?": [("arxiv", 3), ("cluster", 4)],
    "What does a person give?": [
        ("2026-09-22T09:00:00", "Boiling Pots by Ear"),
        ("2026-09-22T10:00:00", "Less Sugar in Thick Jams"),
        ("2026-09-22T11:00:00", "Lids, an Opening"),
        (None, "Less Sugar in Thick Jams"),
    ],
    "Which sessions are in a room?": [("2026-09-22T09:00:00", "Pots", 2), ("2026-09-22T12:00:00", None, 1)],
    "What runs at a moment?": [("Lighthouse East", "Less Sugar in Thick Jams"), (None, "Bread, All Day")],
    "Who has most talks at an event?": [("Ada Quill", 2), ("Bo Ferns", 2), ("Cy Marsh", 1)],
    "Which talks were cancelled?": [("LANTERN 2026", "Bread, All Day")],
    "Which talks have moved since a day?": [("Boiling Pots by Ear",), ("Bread, All Day",)],
    "What was listed on the newest day?": [("Less Sugar in Thick Jams",)],
    "Which works are on two sources?": [("Less Sugar in Thick Jams",)],
    "Where can I read the talks of an event?": [("Less Sugar in Thick Jams", "https://arxiv.org/abs/2609.00001")],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Publish four nights of a programme, in which talks move, and a listing; return the folder that ``out`` is in."""
    shelf = Shelf(tmp_path_factory.mktemp("nights"))
    ada, bo, cy, dee = map(person, ("Ada Quill", "Bo Ferns", "Cy Marsh", "Dee Odd"))
    jams = {"title": "Less Sugar in Thick Jams", "authors": [ada, bo]}
    listed = {"source": "arxiv", "categories": ["cs.DC", "cs.PF"], "listed_on": date(2026, 7, 31)}
    rows = [
        record("2609.00001", arxiv_id="2609.00001", url="https://arxiv.org/abs/2609.00001", **jams, **listed),
        record("2609.00002", title="Jam of Old", authors=[dee], **{**listed, "listed_on": date(2026, 7, 30)}),
        record("2609.00003", title="Other Jam", **{**listed, "categories": None}),
        record("o", source="cluster", title="Jars", event="JARS 2026"),
    ]
    of_lantern = {"source": "cluster", "event": "LANTERN 2026"}

    def put(stamp: str, pots: int, bread: int, lids: int) -> None:
        """Publish a night in which some talks begin at these hours."""
        east = slot(AT[10], AT[11], "Lighthouse East")
        shelf.put(
            *rows,
            talk("jams", session_title="Pots", slots=[east], **jams, **of_lantern),
            talk(
                "pots",
                title="Boiling Pots by Ear",
                session_title="Pots",
                authors=[cy, bo, ada],
                slots=[slot(AT[pots], AT[pots + 1], "Lighthouse East"), slot(AT[16], AT[17], "Pier 4")],
                **of_lantern,
            ),
            talk("tea", title="Tea", kind="break", slots=[slot(AT[12], None, "Lighthouse East")], **of_lantern),
            talk(
                "bread",
                title="Bread, All Day",
                slots=[slot(AT[bread], AT[18], None)],
                notes=["cancelled"],
                chairs=[ada],
                **of_lantern,
            ),
            talk(
                "lids",
                title="Lids, an Opening",
                kind="keynote",
                presenter="Ada Quill",
                slots=[slot(AT[lids], None, None)],
                **of_lantern,
            ),
            talk("tba", title="To Be Placed", kind="panel", slots=None, **of_lantern),
            stamp=stamp,
        )

    put("20260720T000000Z", 8, 7, 9)
    put("20260724T000000Z", 8, 7, 11)
    put("20260725T000000Z", 9, 7, 11)
    put("20260801T000000Z", 9, 8, 11)
    return shelf.out.parent


@pytest.fixture
def there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where ``out`` is."""
    monkeypatch.chdir(folder)


def plain(value: object) -> object:
    """Return a value as JSON has it, however a tool holds it."""
    if isinstance(value, datetime):
        return None if pd.isna(value) else value.isoformat()
    return None if value is None or value is pd.NaT or value != value else value  # noqa: PLR0124  # a NaN


def by_command(question: str, capsys: pytest.CaptureFixture[str]) -> list[tuple[Any, ...]]:
    """Return the rows of ``conspectus sql``."""
    said = Said(capsys, "sql", QUESTIONS[question][0], "--json")
    return [tuple(json.loads(line).values()) for line in said.out]


def by_duckdb(question: str, _: object) -> list[tuple[Any, ...]]:
    """Return the rows of DuckDB, with views of the files."""
    with duckdb.connect() as database:
        database.execute(VIEWS)
        return database.sql(QUESTIONS[question][0]).fetchall()


def by_library(question: str, _: object) -> list[tuple[Any, ...]]:
    """Return the rows of the example of the library."""
    answer: pl.DataFrame = run(OF_LIBRARY + QUESTIONS[question][1])
    return answer.rows()


def by_pandas(question: str, _: object) -> list[tuple[Any, ...]]:
    """Return the rows of the example of pandas."""
    answer: pd.DataFrame = run(OF_PANDAS + QUESTIONS[question][2])
    return list(answer.itertuples(index=False, name=None))


def run(example: str) -> Any:
    """Run an example and return its answer."""
    names: dict[str, Any] = {}
    exec(compile(example, "docs/questions.md", "exec"), names)  # noqa: S102  # our own example
    return names["answer"]


def test_there_are_ten() -> None:
    """Each question has SQL, an example of the library and one of pandas, and is answered below."""
    assert (list(QUESTIONS), [len(each) for each in QUESTIONS.values()]) == (list(EXPECTED), [3] * 10)


@pytest.mark.parametrize("answer", [by_command, by_duckdb, by_library, by_pandas])
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.usefixtures("there")
def test_the_answers(
    question: str, answer: Callable[[str, object], list[tuple[Any, ...]]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every tool gives the same rows in the same order."""
    assert [tuple(map(plain, row)) for row in answer(question, capsys)] == EXPECTED[question]
