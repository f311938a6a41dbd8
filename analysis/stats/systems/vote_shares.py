"""Shares of pairwise votes, such as those that called both texts bad."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.stats.resampling.proportions import clopper_pearson
from analysis.stats.results import Estimate, Undefined
from analysis.stats.signature import signature

LEVEL = 0.95


def share_of_votes(chosen: npt.ArrayLike) -> Estimate | Undefined:
    """Return the share of votes that gave an answer, with its Clopper–Pearson interval.

    Parameters
    ----------
    chosen : array_like of bool, shape (votes,)
        Votes of one rater are taken as independent.

    Examples
    --------
    >>> round(share_of_votes([True] * 3 + [False] * 17).interval.high, 3)
    0.379
    """
    given = np.asarray(chosen, dtype=bool)
    name = signature("share-of-votes", level=LEVEL)
    if not given.size:
        return Undefined("there are no judgements", 0, "judgements", name)
    interval = clopper_pearson(int(given.sum()), given.size, LEVEL, "Clopper-Pearson")
    return Estimate(float(given.mean()), given.size, "judgements", name, interval=interval)
