"""The arrays that studies are read into."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def integers(values: Any) -> Integers:
    """Return an array of whole numbers."""
    return np.fromiter(values, dtype=np.int64)
