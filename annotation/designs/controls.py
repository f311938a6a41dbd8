"""Control items: which items are shown again, where, and whether an annotator passed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from annotation.designs.order import Rows

LEVEL = 0.05


@dataclass(frozen=True)
class Placed:
    """A list with controls in it.

    Parameters
    ----------
    rows
        The rows of the items to be seen; a control stands under the row of its original.
    control
        Whether each place is a control.
    """

    rows: Rows
    control: NDArray[np.bool_]


def place_controls(rows: Rows, count: int, seed: Sequence[int]) -> Placed:
    """Put controls into an annotator's list, each far behind its original.

    Parameters
    ----------
    rows : n rows
        The list without controls.
    count : int
        How many controls; at most n // 2.
    seed : integers

    Returns
    -------
    Placed
        n + count places. The originals are drawn from the first half; the controls stand evenly
        in the second half, the earliest original's first, so that about half of the list lies
        between the two.

    Raises
    ------
    ValueError
        If there are more controls than half of the items.

    Examples
    --------
    >>> place_controls(np.arange(4), 1, seed=[1]).control.sum()
    np.int64(1)
    """
    n = len(rows)
    half = n // 2
    if not 0 <= count <= half:
        raise ValueError(f"{count} controls among {n} items; at most {half}")
    random = np.random.default_rng(list(seed))
    originals = np.sort(random.choice(max(half, 1), count, replace=False))
    gaps = half + ((np.arange(count) + 1) * (n - half)) // max(count, 1)
    places = np.insert(np.asarray(rows, np.intp), gaps, np.asarray(rows)[originals])
    control = np.insert(np.zeros(n, bool), gaps, True)
    return Placed(places, control)


@dataclass(frozen=True)
class ControlTest:
    """Whether an annotator rates degraded texts lower than the originals.

    Parameters
    ----------
    pairs : int
        Controls of which both answers are there.
    mean_difference : float
        Original minus degraded.
    p : float
        One-sided: how often chance alone does as well.
    passed : bool
        p is below the level.
    """

    pairs: int
    mean_difference: float
    p: float
    level: float

    @property
    def passed(self) -> bool:
        """Whether chance alone would hardly do as well."""
        return self.p < self.level


def control_test(
    original: Sequence[float], degraded: Sequence[float], level: float = LEVEL
) -> ControlTest | None:
    """Test by Student's paired t, one-sided, that originals are rated higher.

    Where all differences are equal, t is not defined; the sign test decides, in which equal
    answers count half for and half against.

    Returns
    -------
    ControlTest, or None with fewer than two pairs

    Examples
    --------
    >>> control_test([80, 75, 90, 60], [30, 20, 50, 40]).passed
    True
    """
    from scipy.stats import ttest_rel

    first, second = np.asarray(original, np.float64), np.asarray(degraded, np.float64)
    difference = first - second
    if difference.size < 2:
        return None
    mean = float(difference.mean())
    if np.ptp(difference) == 0:
        p = 0.5**difference.size if mean > 0 else 1.0
    else:
        p = float(ttest_rel(first, second, alternative="greater").pvalue)
    return ControlTest(int(difference.size), mean, p, level)


def control_power(pairs: int, effect: float, level: float = LEVEL) -> float:
    """Return the chance that an attentive annotator passes the paired t-test.

    Parameters
    ----------
    pairs : int
        Number of degraded controls.
    effect : float
        Expected difference in units of its standard deviation (Cohen's d of the differences).
    level : float

    Returns
    -------
    float
        From the noncentral t distribution; 0 with fewer than two pairs.

    Examples
    --------
    >>> round(control_power(10, 1.0), 4)
    0.8975
    """
    from scipy.stats import nct, t

    if pairs < 2 or effect == -inf:
        return 0.0
    critical = t.isf(level, pairs - 1)
    return float(nct.sf(critical, pairs - 1, effect * np.sqrt(pairs)))
