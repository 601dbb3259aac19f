"""Looks for packages of others that bear the names of ours: ``pipeline``, ``parsers``, ``schemas``, ``flows``.

The names are common ones. To ask the metadata of all that is installed would take longer than most commands: the
folders that Python searches are looked at instead, and a package is known as ours by how its first file begins. So the
modules of others that lie in a folder of ours without replacing its first file are not seen.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pipeline.settings import UsageError

BEGINNINGS: Final = {
    "pipeline": '"""What happens to the data',
    "parsers": '"""What each source looks like',
    "schemas": '"""What the data is',
    "flows": '"""The Prefect edge',
}
"""How the first file of each of our packages begins, and our module."""

_NEEDED: Final = ("parsers", "schemas")
"""What commands import; that ``pipeline`` is ours shows in that this runs."""

_ELSEWHERE: Final = "start it in another folder, or as the command conspectus"
_APART: Final = "give each an environment of its own"
_OURS: Final = Path(__file__).absolute().parents[2]
"""The folder that holds our packages."""


def refuse_strangers() -> None:
    """Raise ``UsageError`` where Python would take a package of others for one of ours."""
    for name in _NEEDED:
        found = find_spec(name)
        file = Path(found.origin) if found and found.origin else _OURS / name
        if _OURS not in file.parents and _is_strange(file, name):
            folder = file.parents[file.name == "__init__.py"]
            advice = _ELSEWHERE if folder == Path.cwd() else _APART
            raise UsageError(f"{file}: expected the package {name} of conspectus, found one of others: {advice}")


def strangers() -> Iterator[str]:
    """Yield a warning for each package of others that bears one of our names, hidden by ours or in its place.

    What lies in the working folder is nobody's installation.
    """
    for folder in map(Path, dict.fromkeys(sys.path)):
        for name in BEGINNINGS if folder == _OURS or folder.absolute() != Path.cwd() else ():
            for file in (folder / name / "__init__.py", folder / f"{name}.py"):
                if _is_strange(file, name):
                    yield f"warning: {file} is not of conspectus, which uses the name {name} too: {_APART}"


def _is_strange(file: Path, name: str) -> bool:
    """True if there is such a first file of a package, and it is not ours, nor that of another copy of ours."""
    beginning = BEGINNINGS[name].encode()
    try:
        with file.open("rb") as opened:
            return opened.read(len(beginning)) != beginning
    except OSError:  # nothing there, as nearly everywhere, or nothing that Python could read
        return False
