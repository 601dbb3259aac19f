"""Changes manifests of tests, and leaves out their hash of themselves, as older versions of the project do."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from pipeline.publishing.store import DIGEST, MANIFEST

Manifest = dict[str, Any]


def load_manifest(snapshot: Path) -> Manifest:
    """Read the manifest of a snapshot, or of what is published below an out root."""
    folder = snapshot / "latest" if (snapshot / "latest").exists() else snapshot
    loaded: Manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return loaded


def put_manifest(snapshot: Path, manifest: Manifest) -> None:
    """Write a manifest that nothing vouches for."""
    text = json.dumps({key: value for key, value in manifest.items() if key != DIGEST})
    (snapshot / MANIFEST).write_text(text, encoding="utf-8")


def vouch_for(snapshot: Path, path: str, **values: Any) -> None:
    """Let the manifest vouch for a file as it is now, and say what else is given of it."""
    manifest = load_manifest(snapshot)
    data = (snapshot / path).read_bytes()
    manifest["files"][path] |= {"sha256": sha256(data).hexdigest(), "bytes": len(data)} | values
    put_manifest(snapshot, manifest)


def source_block(**values: Any) -> Manifest:
    """Make the block of a source whose last run was good and found nothing, but for what is given."""
    empty: Manifest = {"status": "ok", "error": None, "refreshed_at": None, "published": 0, "records": 0}
    return {**empty, "quarantined": 0, "reasons": {}, "lines": {}, "dumps": [], **values}
