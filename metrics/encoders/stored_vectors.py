"""Vectors of texts that are kept for the next time: in memory, and in files for other processes."""

import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from metrics.recent import RecentlyUsed

_ENTRY = 200
"""Bytes that a dictionary's entry takes besides its text and its array."""


class VectorCache(RecentlyUsed[str, npt.NDArray[np.float32]]):
    """The vectors of the texts that were used last.

    Parameters
    ----------
    most_bytes
        What texts and arrays may take together.
    """

    def __init__(self, most_bytes: int) -> None:
        super().__init__(most_bytes, _size)


def _size(text: str, vector: npt.NDArray[np.float32]) -> int:
    return sys.getsizeof(text) + vector.nbytes + _ENTRY


STORED_BYTES = 256 * 2**20
"""About 170,000 embeddings of MiniLM."""
_KEY_DIGITS = 32


@dataclass(frozen=True)
class StoredVectors:
    """Float32 vectors in a folder; each file is written whole and then never changes.

    Files are mapped into memory, so that only the vectors that are asked for are read.

    Parameters
    ----------
    folder
        Made when the first vectors are kept.
    most_bytes
        What the files may take together; the least recently used go first.
    """

    folder: Path
    most_bytes: int = STORED_BYTES

    def found(self, made_by: str, texts: Iterable[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors that are stored of some texts.

        Parameters
        ----------
        made_by
            What computed them, as a hash.
        texts
            Any.
        """
        text_of = {_key(text): text for text in texts}
        wanted = np.array(list(text_of))
        found: dict[str, npt.NDArray[np.float32]] = {}
        for path in sorted(self.folder.glob(f"{made_by}-*.npy")):
            # Another process may have just pruned it.
            with suppress(FileNotFoundError):
                part = np.load(path, mmap_mode="r", allow_pickle=False)
                keys, vectors = part["keys"][0], part["vectors"][0]
                places = np.flatnonzero(np.isin(keys, wanted))
                if places.size:
                    os.utime(path)
                for place in places.tolist():
                    found[text_of[keys[place]]] = np.array(vectors[place])
        return found

    def keep(self, made_by: str, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        """Store vectors of the same size, in one file; delete files beyond the bound."""
        self.folder.mkdir(parents=True, exist_ok=True)
        rows = np.stack(list(vectors.values()))
        keys = np.array([_key(text) for text in vectors])
        part = np.empty(1, [("keys", keys.dtype, keys.shape), ("vectors", "<f4", rows.shape)])
        part["keys"], part["vectors"] = keys, rows
        with tempfile.TemporaryDirectory(prefix="unfinished-", dir=self.folder) as name:
            unfinished = Path(name, "part.npy")
            np.save(unfinished, part, allow_pickle=False)
            unfinished.rename(self.folder / f"{made_by}-{uuid4().hex}.npy")
        self._prune()

    def _prune(self) -> None:
        """Delete the files that were used longest ago, as many as are too many."""
        files: list[tuple[float, int, Path]] = []
        for path in self.folder.glob("*.npy"):
            with suppress(FileNotFoundError):
                about = path.stat()
                files.append((about.st_mtime, about.st_size, path))
        used = 0
        for _, size, path in sorted(files, reverse=True):
            used += size
            if used > self.most_bytes:
                path.unlink(missing_ok=True)


def _key(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_DIGITS].encode()
