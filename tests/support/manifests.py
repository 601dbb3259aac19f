"""Changes manifests in tests; it writes them without their own hash, like older versions of the project."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from pipeline.publishing.store import DIGEST, MANIFEST

Manifest = dict[str, Any]


def load_manifest(snapshot: Path) -> Manifest:
    """Read the manifest of a snapshot, or of the published one below an out root."""
    folder = snapshot / "latest" if (snapshot / "latest").exists() else snapshot
    loaded: Manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return loaded


def put_manifest(snapshot: Path, manifest: Manifest) -> None:
    """Write a manifest without its hash."""
    text = json.dumps({key: value for key, value in manifest.items() if key != DIGEST})
    (snapshot / MANIFEST).write_text(text, encoding="utf-8")


def vouch_for(snapshot: Path, path: str, **values: Any) -> None:
    """Update the manifest to the current content of a file, and to other given values."""
    manifest = load_manifest(snapshot)
    data = (snapshot / path).read_bytes()
    manifest["files"][path] |= {"sha256": sha256(data).hexdigest(), "bytes": len(data)} | values
    put_manifest(snapshot, manifest)


def source_block(**values: Any) -> Manifest:
    """Return the block of a source whose last run was good and empty, updated by the given values."""
    empty: Manifest = {"status": "ok", "error": None, "refreshed_at": None, "published": 0, "records": 0}
    return {**empty, "quarantined": 0, "reasons": {}, "lines": {}, "dumps": [], **values}
