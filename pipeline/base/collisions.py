"""Finds packages of other distributions that use the names of ours: ``conspectus``, ``pipeline``, ``parsers`` ...

The metadata of all installed distributions would take longer to read than most commands take. Instead, Python's search
path is checked for these names; modules that another distribution adds to one of our packages are not found.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pipeline.base.settings import UsageError

NAMES: Final = ("conspectus", "pipeline", "parsers", "schemas", "flows")
_NEEDED: Final = ("parsers", "schemas")
"""The packages that commands import; ``pipeline`` is ours, as this module runs."""

_ELSEWHERE: Final = "run it from another folder, or use the command conspectus"
_APART: Final = "install each in its own environment"
_OURS: Final = Path(__file__).resolve().parents[2]
"""The folder that holds our packages."""
_SIGN: Final = Path(__file__).resolve().relative_to(_OURS)
"""A file that only conspectus has."""


def check_packages() -> None:
    """Raise ``UsageError`` if Python would import another package in place of one of ours."""
    for name in _NEEDED:
        found = find_spec(name)
        if found is None or found.origin is None:  # a folder without code shadows nothing
            continue
        file = Path(found.origin)
        if _OURS not in file.resolve().parents:
            folder = file.parents[file.name == "__init__.py"]
            advice = _ELSEWHERE if folder == Path.cwd() else _APART
            raise UsageError(f"{file}: expected the package {name} of conspectus, found a different one: {advice}")


def collisions() -> Iterator[str]:
    """Yield a warning for each package or module on the search path that has one of our names.

    The working folder is not an installation, and another copy of conspectus is no collision.
    """
    for folder in map(Path, dict.fromkeys(sys.path)):
        files = [file for name in NAMES for file in (folder / name / "__init__.py", folder / f"{name}.py")]
        found = [file for file in files if file.is_file()]
        if found and folder.resolve() not in {_OURS, Path.cwd()} and not (folder / _SIGN).is_file():
            for file in found:
                name = file.parent.name if file.name == "__init__.py" else file.stem
                yield f"warning: {file} is not part of conspectus, which also uses the name {name}: {_APART}"
