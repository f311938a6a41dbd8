"""SHA-256 of model files, for signatures; each file is read once per process."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

_known: dict[tuple[str, int, int], str] = {}


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal.

    A file that was read before is not read again while its size and its time of change, to the
    nanosecond, stay as they were.

    Raises
    ------
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from metrics.weights.hashing import file_sha256
    >>> len(file_sha256(Path(__file__)))
    64
    """
    resolved = path.resolve()
    state = resolved.stat()
    key = (str(resolved), state.st_size, state.st_mtime_ns)
    if key not in _known:
        with resolved.open("rb") as file:
            _known[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _known[key]


def fingerprint(files: Mapping[str, Path]) -> dict[str, str]:
    """Return names of files to their SHA-256, in the order of the names."""
    return {name: file_sha256(files[name]) for name in sorted(files)}
