"""The rooms inside ``pipeline`` and ``parsers``: floors, what each may import, what it may touch.

Each folder's docstring says both. These tests compare it with the code, so that the question of who opens a raw dump,
who writes below the out root or who asks the clock is answered by folders. What all parsers and the pipeline as a whole
may import is in ``test_imports``.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.project.test_imports import imports, offenders

pytestmark = pytest.mark.untraced

FLOORS = (
    ("base",),
    ("raw", "notify"),
    ("reading", "config", "example"),
    ("workers", "merging", "refusing", "works"),
    ("publishing",),
    ("guarding",),
    ("run",),
    ("fetching", "viewing", "explaining", "drafting"),
    ("library",),
    ("export",),
    ("site",),
    ("cli",),
    ("__main__",),
)
"""The rooms of ``pipeline``: one imports only those of floors before its own."""

SHARED = (("_ledger", "_words"), ("_grammar", "_tables", "_web"))
"""The shared folders of ``parsers``, likewise."""

EXCEPTIONS = {
    "pipeline/base/leash.py": {"processes"},  # ends Prefect's server with the run that started it
    "pipeline/cli/init.py": {"writes files"},  # sets up a folder
    "pipeline/cli/new.py": {"writes files"},  # starts a source
    "pipeline/fetching/fetch.py": {"writes files"},  # the lock on the archive
    "pipeline/merging/parts.py": {"reads files"},  # rows that are too many for memory
    "pipeline/publishing/verify.py": {"clock"},  # the age of a dataset
    "pipeline/reading/cache.py": {"reads files", "writes files", "clock"},  # its entries, and how old they are
    "pipeline/run/advice.py": {"reads files"},  # looks whether a file to move is there
    "pipeline/run/shard.py": {"writes files"},  # makes the out root
    "pipeline/site/search.py": {"processes", "writes files"},  # Pagefind reads files, in a temporary folder
    "pipeline/workers/spread.py": {"reads files"},  # sizes of dumps
    "pipeline/workers/supervisor.py": {"writes files"},  # the error stream of a reader
}
"""What single modules touch beside what their folder says."""

NEIGHBOURS = {"parsers/_words/years.py": {"_ledger"}}  # the sidecar, the path and the text may name the year
"""What single modules import from their own floor."""

MOST_FILES = 16

CALLS = {
    "reads files": (
        "exists glob hash_file is_dir is_file is_symlink is_there iterdir lstat open open_regular open_to_read "
        "read_bytes read_parquet read_some read_text rglob scandir stat"
    ),
    "writes files": (
        "chmod copyfile copytree fsync ftruncate make_folder mkdir rename rmdir rmtree symlink_to sync touch truncate "
        "unlink utime write_bytes write_new write_parquet write_text "
        "FileLock NamedTemporaryFile TemporaryDirectory TemporaryFile"
    ),
    "clock": "datetime.now date.today time.time time.sleep time.monotonic time.perf_counter time.process_time",
    "processes": "subprocess multiprocessing psutil signal",
    "network": "httpx apprise distributed getaddrinfo",
}
TOUCHED = {name: what for what, names in CALLS.items() for name in names.split()}
"""What a call of a function touches, by its name, and what a library touches."""


def folders(room: str) -> list[Path]:
    """Return the packages of a room of the project."""
    return sorted(file.parent for file in (ROOT / room).glob("*/__init__.py"))


def shared_folders() -> list[Path]:
    """Return the packages of ``parsers`` that are no source."""
    return [folder for folder in folders("parsers") if folder.name.startswith("_")]


def said(folder: Path, what: str) -> set[str]:
    """Return what the docstring of a folder says on its line ``Imports: ..`` or ``Touches: ..``."""
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    found = re.search(rf"^{what}: (.*?)\.$", text, re.MULTILINE | re.DOTALL)
    return set(re.split(r",\s+", found[1])) - {"nothing"} if found else {f"no line {what!r}"}


def rooms_of(file: Path) -> set[str]:
    """Return the other rooms of its part of the project that a module imports."""
    part, own, *_ = file.relative_to(ROOT).with_suffix("").parts
    return {name.split(".")[1] for name in imports(file) if name.startswith(f"{part}.")} - {own}


@cache
def touched_by(file: Path) -> frozenset[str]:
    """Return what a module touches itself, by the functions that it calls and the libraries that it imports."""
    return frozenset(TOUCHED[name] for name in _names_in(file) if name in TOUCHED)


def _names_in(file: Path) -> Iterator[str]:
    """Yield the names of called functions and the first names of imports of a module."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=holder), attr=name)):
                yield from (name, f"{holder}.{name}")
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield name
            case ast.Import(names=names):
                yield from (alias.name.split(".")[0] for alias in names)
            case ast.ImportFrom(module=str(module)):
                yield module.split(".")[0]


def beside(path: str, exceptions: dict[str, set[str]]) -> set[str]:
    """Return the exceptions of a module."""
    return exceptions.get(path, set())


def test_every_room_has_its_floor() -> None:
    """Every folder and module in ``pipeline``, and every shared folder of ``parsers``, has a floor."""
    rooms = {path.stem for path in (ROOT / "pipeline").glob("*.py")} | {each.name for each in folders("pipeline")}
    shared = {each.name for each in shared_folders()}
    assert (rooms - {"__init__"}, shared) == (set(sum(FLOORS, ())), set(sum(SHARED, ())))


@pytest.mark.parametrize(("part", "floors"), [("pipeline", FLOORS), ("parsers", SHARED)])
def test_a_room_imports_only_lower_floors(part: str, floors: tuple[tuple[str, ...], ...]) -> None:
    """No room imports one of its own or a higher floor, apart from the listed exceptions."""
    allowed = {room: set(sum(floors[:place], ())) for place, floor in enumerate(floors) for room in floor}

    def wrong(file: Path) -> set[str]:
        path = file.relative_to(ROOT)
        return rooms_of(file) - allowed[path.with_suffix("").parts[1]] - beside(path.as_posix(), NEIGHBOURS)

    found = [file for room in allowed for file in (*(ROOT / part / room).glob("*.py"), ROOT / part / f"{room}.py")]
    assert offenders(filter(Path.is_file, found), wrong) == {}


@pytest.mark.parametrize(
    "folder", [*folders("pipeline"), *(ROOT / "parsers" / room for room in sum(SHARED, ()))], ids=str
)
def test_a_folder_says_what_it_imports(folder: Path) -> None:
    """Its docstring names exactly the rooms that its modules import."""
    found = {file.relative_to(ROOT).as_posix(): rooms_of(file) for file in folder.glob("*.py")}
    assert set().union(*(rooms - beside(path, NEIGHBOURS) for path, rooms in found.items())) == said(folder, "Imports")


@pytest.mark.parametrize("folder", folders("pipeline"), ids=lambda folder: folder.name)
def test_a_folder_says_what_it_touches(folder: Path) -> None:
    """A folder's docstring lists what its modules touch, apart from the exceptions of single modules."""
    found = {file.relative_to(ROOT).as_posix(): touched_by(file) for file in folder.glob("*.py")}
    assert set().union(*(what - beside(path, EXCEPTIONS) for path, what in found.items())) == said(folder, "Touches")


def test_exceptions_are_still_needed() -> None:
    """An exception that a module no longer uses must leave the list."""
    touches = {path: what - touched_by(ROOT / path) for path, what in EXCEPTIONS.items()}
    neighbours = {path: what - rooms_of(ROOT / path) for path, what in NEIGHBOURS.items()}
    assert {path: what for path, what in {**touches, **neighbours}.items() if what} == {}


def test_no_folder_has_too_many_modules() -> None:
    """A folder with too many modules has more than one subject."""
    sizes = {folder.name: len(list(folder.glob("*.py"))) - 1 for folder in (*folders("pipeline"), *shared_folders())}
    assert {name: size for name, size in sizes.items() if size > MOST_FILES} == {}


def test_a_class_name_stands_for_one_thing() -> None:
    """Public class names are unique; ``docs/architecture.md`` explains them."""
    files = [file for part in ("parsers", "pipeline", "schemas", "benchmarks") for file in (ROOT / part).rglob("*.py")]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in (*files, ROOT / "flows.py")]
    names = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    assert [name for name, times in names.items() if times > 1 and not name.startswith("_")] == []


def test_one_module_makes_the_paths_of_tables() -> None:
    """Only ``publishing.pieces`` makes the paths of table files."""
    endings = (".parquet", ".ndjson")
    made = {
        file.relative_to(ROOT / "pipeline").as_posix()
        for file in (ROOT / "pipeline").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for part in node.values
        if isinstance(part, ast.Constant) and str(part.value).endswith(endings)
    }
    assert made == {"publishing/pieces.py"}
