"""Changes manifests in tests, and seals them again."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.publishing.store import DIGEST, MANIFEST, sealed
from tests.support.helpers import replace_file

Manifest = dict[str, Any]


def load_manifest(snapshot: Path) -> Manifest:
    """Read the manifest of a snapshot, or of the published one below an out root."""
    folder = snapshot / "latest" if (snapshot / "latest").exists() else snapshot
    loaded: Manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return loaded


def put_manifest(snapshot: Path, manifest: Manifest) -> None:
    """Write a manifest with its hash."""
    (snapshot / MANIFEST).write_bytes(sealed({key: value for key, value in manifest.items() if key != DIGEST}))


def vouch_for(snapshot: Path, path: str, **values: Any) -> None:
    """Update the manifest to the current content of a file, and to other given values."""
    manifest = load_manifest(snapshot)
    data = (snapshot / path).read_bytes()
    manifest["files"][path] |= {"sha256": sha256(data).hexdigest(), "bytes": len(data)} | values
    put_manifest(snapshot, manifest)


def change_captures(out: Path, source: str, **values: Any) -> None:
    """Give every capture of a source these values in the table of the published snapshot, which stays valid."""
    snapshot = (out / "latest").resolve()
    path = f"captures/{source}.parquet"
    table = pl.read_parquet(snapshot / path)
    rows = pl.DataFrame([row | values for row in table.iter_rows(named=True)], schema=table.schema, orient="row")
    replace_file(snapshot / path, b"")
    rows.write_parquet(snapshot / path)
    vouch_for(snapshot, path)


def source_block(**values: Any) -> Manifest:
    """Return the block of a source whose last run was good and empty, updated by the given values."""
    empty: Manifest = {"status": "ok", "error": None, "refreshed_at": None, "published": 0, "records": 0}
    return {**empty, "quarantined": 0, "reasons": {}, "lines": {}, **values}
