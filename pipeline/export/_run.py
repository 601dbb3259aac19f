"""Carries one export out: the selection is checked, the file written beside its place and put there in one step.

What goes to the standard output is written to a temporary file first, so that a reader never gets half of it.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO, Final

from pipeline.export._format import ExportError, Format, Report
from pipeline.export._selection import Selection
from pipeline.settings import UsageError
from pipeline.suggest import check_names

TEMPORARY: Final = ".export-"
"""How the name of a folder begins that holds a file until it is whole."""


def export(format_: Format, selection: Selection, file: Path | None, output: BinaryIO) -> Report:
    """Write a selection to ``file``, else to ``output``. Raises ``ExportError`` where nothing can be written.

    ``UsageError`` where the format needs a file and none is named.
    """
    if file is None and not format_.streams:
        raise UsageError(f"{format_.name} cannot go to the standard output: name a file with -o")
    parent = None if file is None else file.absolute().parent
    if file is not None and (file.is_dir() or not file.parent.is_dir()):
        raise UsageError(f"{file}: expected a file, or a new one in a folder that is there")
    try:
        check(selection)
        with tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=parent) as folder:
            fresh = Path(folder) / f"export{format_.suffix}"
            report = format_.write(selection, fresh)
            if file is None:
                with fresh.open("rb") as opened:
                    shutil.copyfileobj(opened, output)
            else:
                _put(fresh, file)
    except BrokenPipeError:  # the reader's choice, not a failure of the export
        raise
    except OSError as error:  # also a snapshot that a refresh pruned meanwhile
        # The file that it is written to before is nobody's concern: what was given is named.
        ours = parent is not None and str(error.filename or "").startswith(str(parent / TEMPORARY))
        told = error.strerror if ours else error
        raise ExportError(f"{file or format_.name}: nothing was written: {told}") from error
    return report


def check(selection: Selection) -> None:
    """Raise ``UsageError`` where the selection names what is not published, ``ExportError`` where nothing meets it.

    ``StoreError`` where a file that it is about is damaged.
    """
    if selection.source is not None:
        check_names("not published", [selection.source], Selection(selection.snapshot).sources())
    selection.check()
    if selection.event is not None and not selection.events():
        check_names("no such event", [selection.event], Selection(selection.snapshot, selection.source).events())
    if selection.count() == 0:
        where = "" if selection.day is None else f" of {selection.day}"
        raise ExportError(f"nothing matches: the selection has no records{where}")


def _put(fresh: Path, file: Path) -> None:
    """Sync a finished file and put it in its place in one step."""
    handle = os.open(fresh, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    fresh.replace(file)
