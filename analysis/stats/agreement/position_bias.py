"""Whether raters of pairs prefer a side, whatever stands there."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

LEVEL = 0.95


def position_bias(on_side_a: npt.ArrayLike) -> Result:
    """Share of preferences for the text on side A, tested against one half.

    Where sides are drawn at random for each rater and pair, half of all preferences fall on
    either side, whatever the texts are worth; more is a bias of position.

    Parameters
    ----------
    on_side_a : array_like of float, shape (judgements,)
        1 where the text on side A was preferred, 0 where that on side B; NaN for ties and where
        the sides are not known.

    Returns
    -------
    Estimate or Undefined
        The share with its Clopper-Pearson interval and the p-value of the exact binomial test,
        two-sided (Clopper and Pearson 1934). Judgements of one rater are taken as independent.

    Examples
    --------
    >>> result = position_bias([1] * 15 + [0] * 5)
    >>> round(result.value, 2), round(result.p_value, 4)
    (0.75, 0.0414)
    """
    sides = np.asarray(on_side_a, dtype=np.float64)
    known = sides[~np.isnan(sides)]
    name = signature("position-bias", test="exact binomial", ties="left out")
    if known.size == 0:
        return Undefined(
            "no preference is stored with the side it fell on",
            unit="judgements",
            signature=name,
            details={"left out": int(sides.size)},
        )
    test = scipy.stats.binomtest(int(known.sum()), int(known.size), 0.5)
    interval = test.proportion_ci(LEVEL, method="exact")
    return Estimate(
        value=float(known.mean()),
        n=int(known.size),
        unit="judgements",
        signature=name,
        p_value=float(test.pvalue),
        interval=Interval(float(interval.low), float(interval.high), LEVEL, "Clopper-Pearson"),
        details={
            "test": "exact binomial test against one half",
            "left out": int(sides.size - known.size),
        },
    )
