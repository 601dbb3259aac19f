"""What a manifest must hold before anything is read from it: which keys, of which types.

It is looked at once, when a manifest is opened, so that whoever reads it later meets nothing but what is declared here.
Keys that are not declared may be there: a later version adds some.
"""

from datetime import datetime
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, ValidationError


def _with_zone(text: str) -> str:
    """Let a moment with its zone pass."""
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("a moment has a zone")
    return text


def _without_zone(text: str) -> str:
    """Let a moment without a zone pass, which is meant in UTC."""
    if datetime.fromisoformat(text).tzinfo is not None:
        raise ValueError("the moment of a capture is in UTC and has no zone")
    return text


def _inside(path: str) -> str:
    """Let a path pass that leads to a file below the snapshot."""
    if not path or path.startswith("/") or "\0" in path or ".." in PurePosixPath(path).parts:
        raise ValueError("a path leads below the snapshot")
    return path


Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]
Moment = Annotated[str, AfterValidator(_with_zone)]
Captured = Annotated[str, AfterValidator(_without_zone)]
Name = Annotated[str, Field(pattern=r"^\w+$")]
FilePath = Annotated[str, AfterValidator(_inside)]


class DumpBlock(BaseModel, strict=True):
    """A dump that was read."""

    path: str
    page: str
    sha256: Sha256 | None
    captured_at: Captured | None
    error: str | None
    specimen: bool = False
    settled: bool = False
    warnings: list[str] = []
    measure: dict[str, str | int | bool | None] | None = None


class SourceBlock(BaseModel, strict=True):
    """A source, and how its last run went."""

    status: str
    error: str | None
    refreshed_at: Moment | None
    published: Count
    records: Count | None
    quarantined: Count
    reasons: dict[str, Count]
    lines: dict[str, Count]
    dumps: list[DumpBlock]
    checked_at: Moment | None = None
    inputs: str | None = None
    feeding: dict[str, str] = {}
    last_good: list[DumpBlock] = []


class FileBlock(BaseModel, strict=True):
    """A file of the snapshot."""

    sha256: Sha256
    rows: Count | None
    bytes: Count


class Manifest(BaseModel, strict=True):
    """A manifest."""

    contract_version: str
    sources: dict[Name, SourceBlock]
    files: dict[FilePath, FileBlock]
    previous: str | None = None


def find_fault(manifest: object) -> str | None:
    """Say what a manifest lacks, or which value is not as declared, naming the key; None for one that can be read."""
    if not isinstance(manifest, dict) or not manifest.keys() >= {"contract_version", "sources", "files"}:
        return "with contract_version, sources and files"
    try:
        Manifest.model_validate(manifest)
    except ValidationError as error:
        first = error.errors()[0]
        return f"not as declared at {'.'.join(map(str, first['loc']))}: {first['msg']}"
    return None
