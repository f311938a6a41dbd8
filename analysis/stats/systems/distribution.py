"""How scores are spread, in seven numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SHARES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Distribution:
    """Mean, standard deviation (dividing by n) and quantiles at `SHARES` of n scores."""

    n: int
    mean: float
    sd: float
    quantiles: tuple[float, ...]


def score_distribution(scores: npt.ArrayLike) -> Distribution | None:
    """Summarise scores; quantiles between two scores are interpolated linearly.

    Parameters
    ----------
    scores : array_like
        Of any shape; NaN where missing.

    Returns
    -------
    Distribution or None
        None where there is no score.

    Examples
    --------
    >>> score_distribution([1, 2, float("nan"), 3]).quantiles[3]
    2.0
    """
    values = np.asarray(scores, dtype=np.float64)
    known = values[np.isfinite(values)]
    if not known.size:
        return None
    quantiles = tuple(float(q) for q in np.quantile(known, SHARES))
    return Distribution(int(known.size), float(known.mean()), float(known.std()), quantiles)
