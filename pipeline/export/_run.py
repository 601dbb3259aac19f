"""Carries out one export: checks the selection, writes the file beside its place and moves it there atomically.

Standard output gets a copy of a finished temporary file, so that a reader never gets half of it.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO, Final

from pipeline.base.settings import UsageError
from pipeline.base.suggest import check_names
from pipeline.export._format import ExportError, ExportFormat, Report
from pipeline.export._selection import Selection

TEMPORARY: Final = ".export-"
"""Prefix of the folder that holds a file until it is complete."""


def export(format_: ExportFormat, selection: Selection, file: Path | None, output: BinaryIO) -> Report:
    """Write a selection to ``file``, else to ``output``. Raises ``ExportError`` where nothing can be written.

    Raises ``UsageError`` where the format needs a file and none is named, or the file cannot be created there.
    """
    if file is None and not format_.streams:
        raise UsageError(f"{format_.name} cannot be written to standard output: give a file with -o")
    parent = None if file is None else file.absolute().parent
    if file is not None and (file.is_dir() or not file.parent.is_dir()):
        raise UsageError(f"{file}: expected a file to write in an existing folder")
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
    except OSError as error:  # or a snapshot was pruned by a refresh meanwhile
        # The message names the given file, not the temporary one.
        ours = parent is not None and str(error.filename or "").startswith(str(parent / TEMPORARY))
        reason = error.strerror if ours else error
        raise ExportError(f"{file or format_.name}: nothing was written: {reason}") from error
    return report


def check(selection: Selection) -> None:
    """Raise ``UsageError`` for a source or event that is not published, ``ExportError`` for an empty selection.

    Raises ``StoreError`` where a file of the selection is damaged.
    """
    if selection.source is not None:
        check_names("not published", [selection.source], Selection(selection.snapshot).sources())
    selection.check()
    if selection.event is not None and not selection.events():
        check_names("no such event", [selection.event], Selection(selection.snapshot, selection.source).events())
    if selection.count() == 0:
        where = "" if selection.day is None else f" of {selection.day}"
        raise ExportError(f"nothing matches: no record{where} is selected")


def _put(fresh: Path, file: Path) -> None:
    """Sync a finished file and move it into place atomically."""
    handle = os.open(fresh, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    fresh.replace(file)
