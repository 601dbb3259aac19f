"""Writes that last: bytes and names are on the disk before anything relies on them. What they are is not known here."""

import os
from hashlib import file_digest
from pathlib import Path
from typing import Final

NEW_PREFIX: Final = ".new-"
"""How the name of a file begins that is not in its place yet."""


def write_new(file: Path, data: bytes) -> Path:
    """Write bytes beside their place, under a hidden name, down to the disk."""
    fresh = file.with_name(NEW_PREFIX + file.name)
    with fresh.open("wb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
    return fresh


def make_folder(folder: Path) -> None:
    """Make a folder and what is above it, down to the disk."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


def sync(path: Path) -> None:
    """Flush a file, or the names of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def hash_file(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest()
