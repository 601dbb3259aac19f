"""Carries out one export: checks the selection, writes the file beside its place and moves it there atomically.

Standard output gets a copy of a finished temporary file, so that a reader never gets half of it.
"""

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from pipeline.base.disk import kind_of, sync, temporary_folder
from pipeline.base.settings import UsageError
from pipeline.base.suggest import check_names
from pipeline.export._format import ExportError, ExportFormat, Report
from pipeline.viewing.selection import Selection

TEMPORARY: Final = ".conspectus-export-"
"""Prefix of the folder that holds a file until it is complete."""


def export(
    format_: ExportFormat, selection: Selection, file: Path | None, output: BinaryIO, barred: Sequence[Path] = ()
) -> Report:
    """Write a selection to ``file``, else to ``output``. Raises ``ExportError`` where nothing can be written.

    A link stays and the file that it leads to is replaced; a FIFO, socket or device is written into. Raises
    ``UsageError`` where the format needs a file and none is named, or where it cannot be created there: in a folder
    that is not there, or below one of the ``barred`` ones.
    """
    if file is None and not format_.streams:
        raise UsageError(f"{format_.name} cannot be written to standard output: give a file with -o")
    with _explained(file or format_.name):
        mode = None if file is None else _mode_at(file, barred)
    special = mode is not None and kind_of(mode) is not None
    parent = None if file is None or special else Path(os.path.realpath(file)).parent
    with ExitStack() as stack:
        with _explained(file or format_.name, parent):
            check(selection)
            fresh = Path(stack.enter_context(temporary_folder(TEMPORARY, parent)), f"export{format_.suffix}")
        with _explained(file or format_.name, parent):
            report = format_.write(selection, fresh)
        if file is None:  # what is wrong with it concerns any command
            _copy(fresh, output)
            return report
        with _explained(file, parent):
            if special:
                with os.fdopen(os.open(file, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC), "wb") as opened:
                    _copy(fresh, opened)
            else:
                _put(fresh, Path(os.path.realpath(file)), mode)
    return report


@contextmanager
def _explained(name: Path | str, parent: Path | None = None) -> Iterator[None]:
    """Turn an ``OSError`` into an ``ExportError`` that names what was given, not a temporary file in ``parent``."""
    try:
        yield
    except BrokenPipeError:  # the reader's choice, not a failure of the export
        raise
    except OSError as error:  # or a snapshot was pruned by a refresh meanwhile
        ours = str(error.filename or name) == str(name) or str(error.filename).startswith(
            f"{parent}{os.sep}{TEMPORARY}"
        )
        raise ExportError(f"{name}: nothing was written: {(ours and error.strerror) or error}") from error


def _mode_at(file: Path, barred: Sequence[Path]) -> int | None:
    """Return the mode of what a path leads to, None for nothing. Raises ``UsageError`` and ``OSError``."""
    try:
        mode = file.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        mode = None
    target = Path(os.path.realpath(file))
    is_good = target.parent.is_dir() if mode is None else not stat.S_ISDIR(mode)
    if not is_good:
        raise UsageError(f"{file}: expected a file to write in an existing folder")
    named = Path(os.path.realpath(file.parent)) / file.name
    for root in barred:
        if any(place.is_relative_to(os.path.realpath(root)) for place in (target, named)):
            raise UsageError(f"{file}: expected a file outside {root}, which no export may change")
    return mode


def check(selection: Selection) -> None:
    """Raise ``UsageError`` for a source or event that is not published, ``ExportError`` for an empty selection.

    Raises ``StoreError`` where a file of the selection is damaged.
    """
    if selection.source is not None:
        check_names("not published", [selection.source], Selection(selection.snapshot).sources())
    selection.verify_files()
    if selection.event is not None and not selection.events():
        check_names("no such event", [selection.event], Selection(selection.snapshot, selection.source).events())
    if selection.count() == 0:
        where = "" if selection.day is None else f" of {selection.day}"
        raise ExportError(f"nothing matches: no record{where} is selected")


def _copy(fresh: Path, output: BinaryIO) -> None:
    """Write a finished file into an open one."""
    with fresh.open("rb") as opened:
        shutil.copyfileobj(opened, output)
    output.flush()  # a full disk shows here, before anything is called written


def _put(fresh: Path, file: Path, mode: int | None) -> None:
    """Sync a finished file and move it into place atomically, with the mode of what was there."""
    if mode is not None:
        fresh.chmod(stat.S_IMODE(mode))
    sync(fresh)
    fresh.replace(file)
