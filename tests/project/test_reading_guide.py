"""The examples of docs/reading.md: each runs, they agree, and a switch of the link meanwhile does not mix snapshots."""

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
