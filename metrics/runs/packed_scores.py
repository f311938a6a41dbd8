"""Score arrays in and out of their packed blocks."""

import numpy as np
from numpy.typing import NDArray

from metrics.models import BLOCK_SIZE, ScoreBlock


def pack(values: NDArray[np.float64]) -> bytes:
    """Return a block's bytes: little-endian float64, outputs × fields."""
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def unpack(block: bytes | memoryview, fields: int) -> NDArray[np.float64]:
    """Return a block as an array of outputs × fields that may be written to."""
    return np.frombuffer(block, dtype="<f8").reshape(-1, fields).copy()


def load_statistics(run: int, *, outputs: int, names: int) -> NDArray[np.float64]:
    """Return the sufficient statistics of a run, outputs × names, NaN where none is stored."""
    return _loaded(run, "statistics", outputs, names)


def load_scores(run: int, *, outputs: int, fields: int) -> NDArray[np.float64]:
    """Return all scores of a run, outputs × fields in corpus order, NaN where none is stored."""
    return _loaded(run, "values", outputs, fields)


def _loaded(run: int, column: str, outputs: int, width: int) -> NDArray[np.float64]:
    found = np.full((outputs, width), np.nan)
    blocks = ScoreBlock.objects.filter(run_id=run).exclude(**{column: None}).order_by("number")
    for number, packed in blocks.values_list("number", column):
        block = unpack(packed or b"", width)
        start = number * BLOCK_SIZE
        found[start : start + len(block)] = block[: max(0, outputs - start)]
    return found
