"""Where a run reads and writes: option, then environment, then the working directory."""

from pathlib import Path

import pytest

from pipeline.settings import MEBIBYTE, Settings, UsageError, resolve_out, resolve_settings


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that has the raw roots ``raw``, ``named`` and ``given``."""
    for name in ("raw", "named", "given"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("option", "variable", "expected"),
    [("given", "named", "given"), (None, "named", "named"), (None, None, "raw"), ("", "", "raw")],
)
def test_order_of_the_raw_root(here: Path, option: str | None, variable: str | None, expected: str) -> None:
    """The option goes first, then the variable, then ``./raw``; what is empty counts as not given."""
    environment = {} if variable is None else {"CONSPECTUS_RAW": variable}
    assert resolve_settings(environment, raw=option).raw == here / expected


@pytest.mark.parametrize(
    ("option", "variable", "expected"),
    [("given", "named", "given"), (None, "named", "named"), (None, None, "out"), ("", "", "out")],
)
def test_order_of_the_out_root(here: Path, option: str | None, variable: str | None, expected: str) -> None:
    """As for the raw root; it need not exist, and nothing is made."""
    environment = {} if variable is None else {"CONSPECTUS_OUT": variable}
    assert (resolve_out(environment, option), (here / "out").exists()) == (here / expected, False)


def test_defaults(here: Path) -> None:
    """Fourteen snapshots are kept, and a dump may have 64 MiB."""
    assert resolve_settings({}) == Settings(here / "raw", here / "out", 14, 64 * MEBIBYTE)


@pytest.mark.parametrize(
    ("option", "environment", "message"),
    [
        (None, {}, "raw is not a folder; asked in turn: --raw (not given), CONSPECTUS_RAW (not set), ./raw"),
        (
            None,
            {"CONSPECTUS_RAW": "b"},
            "b is not a folder; asked in turn: --raw (not given), CONSPECTUS_RAW (b), ./raw",
        ),
        ("a", {"CONSPECTUS_RAW": "b"}, "a is not a folder; asked in turn: --raw (a), CONSPECTUS_RAW (b), ./raw"),
    ],
)
def test_a_missing_raw_root_names_every_way_to_give_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str | None, environment: dict[str, str], message: str
) -> None:
    """The message says which folder was looked for, and all three places where it could have been named."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        resolve_settings(environment, raw=option)
    assert str(caught.value) == f"no raw root: {tmp_path}/{message}"


def test_a_named_root_that_is_missing_is_not_replaced(here: Path) -> None:
    """A wrong option is a mistake, although ``./raw`` is there; so is a file."""
    (here / "file").write_text("")
    with pytest.raises(UsageError, match=r"file is not a folder"):
        resolve_settings({}, raw="file")


@pytest.mark.parametrize("keep", [0, -1])
def test_at_least_one_snapshot_is_kept(keep: int) -> None:
    """A run that keeps nothing would remove what it has just published."""
    with pytest.raises(UsageError, match=f"--keep must be 1 or more, not {keep}"):
        resolve_settings({}, keep=keep)
