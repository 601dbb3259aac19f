"""The examples of docs/reading.md: each runs, they agree, and a switch of the link meanwhile does not mix snapshots."""

import ast
import contextlib
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.conftest import ROOT
from tests.support.toy import Desk

GUIDE = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^## (\w+)\n\n```python\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE))
OF_WORKS = re.findall(
    r"^```python\n(.*?)^```", GUIDE.split("\n## Works\n")[1].split("\n## ")[0], re.DOTALL | re.MULTILINE
)
EXPECTED = ("{'fair': 2, 'news': 2} Ann 3\n", "{'fair': 1, 'news': 3} Bob 4\n")
"""What an example prints of the first snapshot, and of the second; any mixture of them prints something else."""


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Publish two snapshots that differ in every file."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    ann, bob = {"authors": ["Ann"]}, {"authors": ["Bob", "Cy"]}
    desk.put("fair/a.txt", {"title": "Hay", **ann}, {"title": "Rye", **ann})
    desk.put("news/a.txt", {"title": "One", **ann}, {"title": "Two", **bob})
    first = desk.run().publication.folder
    desk.put("fair/a.txt", {"title": "Oat", **bob})
    desk.put("news/a.txt", *({"title": title, **bob} for title in ("Three", "Four", "Five")))
    second = desk.run().publication.folder
    return first, second


@pytest.fixture
def snapshots(published: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Work where ``out/latest`` is, and reset it to the second snapshot."""
    out = published[0].parent.parent
    (out / "latest").unlink()
    (out / "latest").symlink_to(published[1])
    monkeypatch.chdir(out.parent)
    return published


@contextmanager
def flipping(link: Path, targets: tuple[Path, Path]) -> Iterator[None]:
    """Switch the link between the targets as fast as possible."""
    done = Event()

    def flip() -> None:
        fresh = link.with_name(".flip")
        while not done.is_set():
            for target in targets:
                fresh.symlink_to(target)
                fresh.replace(link)

    thread = Thread(target=flip, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def printed(example: str) -> str:
    """Run an example in this process and return what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(EXAMPLES[example], f"docs/reading.md, {example}", "exec"), {})  # noqa: S102  # our own example
    return said.getvalue()


def test_there_is_an_example_for_each_tool() -> None:
    """Each example has the name of its tool as heading."""
    assert list(EXAMPLES) == ["DuckDB", "Polars", "pandas", "pyarrow"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_reads_the_newest_snapshot(snapshots: tuple[Path, Path], example: str) -> None:
    """Every tool gives the counts of the newest snapshot."""
    assert (printed(example), snapshots[1]) == (EXPECTED[1], Path("out/latest").resolve())


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_never_mixes_snapshots(snapshots: tuple[Path, Path], example: str) -> None:
    """While the link flips, each run sees a single snapshot."""
    with flipping(Path.cwd() / "out" / "latest", snapshots):
        seen = {printed(example) for _ in range(5)}
    assert seen <= set(EXPECTED)


def test_the_examples_of_works_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both print the records of each work of several, with what the records say."""
    desk, paper = Desk(tmp_path), {"title": "Less sugar in every pot of jam", "authors": ["Ada Quill"], "kind": "paper"}
    desk.put("fair/a.txt", {**paper, "event": "Jam 2026"}, {"title": "Boiling pots by ear", "event": "Jam 2026"})
    desk.put("news/a.txt", paper)
    desk.run()
    monkeypatch.chdir(tmp_path)
    found = []
    for example in OF_WORKS:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(compile(example, "docs/reading.md, Works", "exec"), {})  # noqa: S102  # our own example
        found.append(
            {value for row in ast.literal_eval(said.getvalue().strip()) for value in row if isinstance(value, str)}
        )
    assert (len(found), found[0] == found[1]) == (2, True)
    assert {"fair:jam-2026/less-sugar-in-every-pot-of-jam", "Jam 2026", "title"} <= found[0]
