"""One hash for a trained model: of its files and of what describes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from metrics.weights.hashing import file_sha256

MANIFEST = "manifest.json"


def file_hashes(folder: Path) -> dict[str, str]:
    """Return the files below a folder, but for its manifest, with the SHA-256 of each."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: file_sha256(path) for name, path in names.items() if name != MANIFEST}


def folder_sha256(folder: Path, facts: Mapping[str, object]) -> str:
    """Return the hash of a folder's files together with facts that JSON can hold."""
    content = {"facts": facts, "files": file_hashes(folder)}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
