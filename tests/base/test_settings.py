"""The roots of a run: from an option, else the environment, else the working directory."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.base.settings import MEBIBYTE, Limits, Settings, UsageError, cores, resolve_out, resolve_settings


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that has the raw roots ``raw``, ``named`` and ``given``."""
    for name in ("raw", "named", "given"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("option", "variable", "expected"),
    [("given", "named", "given"), (None, "named", "named"), (None, None, "raw"), (None, "", "raw")],
)
def test_order_of_the_raw_root(here: Path, option: str | None, variable: str | None, expected: str) -> None:
    """The option goes first, then the variable, then ``./raw``; an empty variable counts as not set."""
    environment = {} if variable is None else {"CONSPECTUS_RAW": variable}
    assert resolve_settings(environment, raw=option).raw == here / expected


@pytest.mark.parametrize(
    ("option", "variable", "expected"),
    [("given", "named", "given"), (None, "named", "named"), (None, None, "out"), (None, "", "out")],
)
def test_order_of_the_out_root(here: Path, option: str | None, variable: str | None, expected: str) -> None:
    """The same order as for the raw root; the folder need not exist and is not made."""
    environment = {} if variable is None else {"CONSPECTUS_OUT": variable}
    assert (resolve_out(environment, option), (here / "out").exists()) == (here / expected, False)


@pytest.mark.parametrize(
    ("option", "variable", "expected"),
    [("inline", "processes:3", "inline"), (None, "processes:3", "processes:3"), ("tcp://a:1", "", "tcp://a:1")],
)
def test_order_of_the_engine(here: Path, option: str | None, variable: str, expected: str) -> None:
    """The same order as for the raw root."""
    assert resolve_settings({"CONSPECTUS_ENGINE": variable}, engine=option).engine == expected


@pytest.mark.parametrize(
    "engine", ["processes", "processes:0", "process:2", "threads:4", "http://a", "tcp://", "tcp://a"]
)
def test_no_such_engine(here: Path, engine: str) -> None:
    """The message lists the valid engines."""
    with pytest.raises(UsageError, match=r"^--engine must be processes:N, the address of a Dask scheduler or inline, "):
        resolve_settings({}, engine=engine)


@pytest.mark.parametrize("wrong", [{"cpu_seconds": 0.5}, {"memory_mib": 100}, {"cpu_seconds": 1e9}])
def test_limits_that_make_no_sense(wrong: dict[str, Any]) -> None:
    """The message names the key and the bounds."""
    (key,) = wrong
    with pytest.raises(ValueError, match=rf"^{key} = .*: expected \d+ to \d+$"):
        Limits(**wrong)


def test_defaults(here: Path) -> None:
    """Fourteen snapshots, dumps of up to 64 MiB, one reader per core."""
    reads = f"processes:{cores()}"
    assert resolve_settings({}) == Settings(here / "raw", here / "out", 14, 64 * MEBIBYTE, engine=reads)


@pytest.mark.parametrize(
    ("option", "environment", "message"),
    [
        (None, {}, "raw is not a folder; tried: --raw (not given), CONSPECTUS_RAW (not set), ./raw"),
        (
            None,
            {"CONSPECTUS_RAW": "b"},
            "b is not a folder; tried: --raw (not given), CONSPECTUS_RAW (b), ./raw",
        ),
        ("a", {"CONSPECTUS_RAW": "b"}, "a is not a folder; tried: --raw (a), CONSPECTUS_RAW (b), ./raw"),
    ],
)
def test_a_missing_raw_root_names_every_way_to_give_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str | None, environment: dict[str, str], message: str
) -> None:
    """The message names the missing folder and the three ways to give one."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        resolve_settings(environment, raw=option)
    assert str(caught.value) == f"no raw root: {tmp_path}/{message}"


def test_a_named_root_that_is_missing_is_not_replaced(here: Path) -> None:
    """A wrong ``--raw`` is an error even if ``./raw`` exists; so is a file."""
    (here / "file").write_text("")
    with pytest.raises(UsageError, match=r"file is not a folder"):
        resolve_settings({}, raw="file")


@pytest.mark.parametrize("out", ["raw", "raw/out", "raw/../raw/out", "link/deep", "{here}/raw"])
def test_an_out_root_in_the_raw_root(here: Path, out: str) -> None:
    """It is refused, also behind a link: what is published would lie among the dumps."""
    (here / "link").symlink_to(here / "raw")
    with pytest.raises(UsageError, match=rf"^--out must be a folder outside the raw root {here}/raw, not "):
        resolve_settings({}, out=out.format(here=here))
    assert resolve_settings({}, raw="given", out=out.format(here=here)).raw == here / "given"


@pytest.mark.parametrize("keep", [0, -1])
def test_at_least_one_snapshot_is_kept(keep: int) -> None:
    """A run that keeps nothing would remove what it has just published."""
    with pytest.raises(UsageError, match=f"--keep must be 1 or more, not {keep}"):
        resolve_settings({}, keep=keep)
