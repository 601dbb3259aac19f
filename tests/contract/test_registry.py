"""The registry: sources are found by scanning the folder, and each must export a source of its name."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import parsers
from parsers import _registry
from parsers._contract import Source

SOURCE = """
from parsers._contract import Family, PageKind, Source
SOURCE = Source("{name}", "Title", 1, Family.LISTING, PageKind.LOG, ())
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a test its own folder of sources; what it imports is forgotten afterwards."""
    monkeypatch.setattr(parsers, "__path__", [str(tmp_path)])
    before = set(sys.modules)
    yield tmp_path
    for name in {name for name in sys.modules if name.startswith("parsers.")} - before:
        del sys.modules[name]
        vars(parsers).pop(name.removeprefix("parsers."), None)


def scan() -> list[str]:
    """Scan anew, past the cache, and return the names found."""
    return list(_registry.sources.__wrapped__())


def load() -> list[Source]:
    """Import all sources that a scan finds."""
    return list(_registry.sources.__wrapped__().values())


def test_modules_and_packages_are_sources(folder: Path) -> None:
    """Every module and package is a source, sorted by name; underscored names and other files are not."""
    (folder / "wheat.py").write_text(SOURCE.format(name="wheat"))
    (folder / "barley").mkdir()
    (folder / "barley" / "__init__.py").write_text(SOURCE.format(name="barley"))
    (folder / "barley" / "text.py").write_text("")
    (folder / "_shared.py").write_text("raise RuntimeError")
    (folder / "notes.txt").write_text("")
    assert scan() == ["barley", "wheat"]


def test_an_empty_folder_has_no_sources(folder: Path) -> None:
    """The scan finds nothing."""
    assert (list(folder.iterdir()), scan()) == ([], [])


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("", "None"),
        ("SOURCE = 'rye'", "'rye'"),
        (SOURCE.format(name="rice"), "'rice'"),
        (SOURCE.format(name="rye").replace("SOURCE =", "source ="), "None"),
    ],
    ids=["nothing", "text", "other-name", "lower-case"],
)
def test_a_module_that_does_not_export_its_source(folder: Path, code: str, found: str) -> None:
    """A module without ``SOURCE``, or with one of another name, is an error that says what was expected."""
    (folder / "rye.py").write_text(code)
    with pytest.raises(TypeError, match=rf"^parsers\.rye must export SOURCE, a Source named 'rye'; found {found}"):
        load()


def test_an_error_inside_a_module_is_not_hidden(folder: Path) -> None:
    """A source that fails to import raises its own error; it does not count as missing."""
    (folder / "oat.py").write_text("import parsers._no_such_helper")
    with pytest.raises(ModuleNotFoundError, match="_no_such_helper"):
        load()


def test_names_are_known_without_an_import(folder: Path) -> None:
    """Listing names imports nothing; an unknown name is a ``KeyError``."""
    (folder / "oat.py").write_text("raise RuntimeError")
    known = _registry.sources.__wrapped__()
    assert (list(known), "oat" in known, "rye" in known, len(known)) == (["oat"], True, False, 1)
    with pytest.raises(KeyError, match="rye"):
        known["rye"]
