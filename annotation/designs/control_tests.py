"""Whether an annotator passed the control items, and how surely somebody attentive does."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

LEVEL = 0.05


@dataclass(frozen=True)
class ControlTest:
    """Whether an annotator prefers the text that is known to be better.

    Parameters
    ----------
    pairs : int
        Controls of which all answers are there.
    p : float
        One-sided: how often chance alone does as well.
    level : float
        p must be below it to pass.
    mean_difference : float, optional
        Of ratings: better minus worse.
    wins : int, optional
        Of choices: how often the better one was chosen.
    """

    pairs: int
    p: float
    level: float
    mean_difference: float | None = None
    wins: int | None = None

    @property
    def passed(self) -> bool:
        """Whether chance alone would hardly do as well."""
        return self.p < self.level


def control_test(
    better: Sequence[float], worse: Sequence[float], level: float = LEVEL
) -> ControlTest | None:
    """Test by Student's paired t, one-sided, that the better texts are rated higher.

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

    first, second = np.asarray(better, np.float64), np.asarray(worse, np.float64)
    difference = first - second
    if difference.size < 2:
        return None
    mean = float(difference.mean())
    if np.ptp(difference) == 0:
        p = 0.5**difference.size if mean > 0 else 1.0
    else:
        p = float(ttest_rel(first, second, alternative="greater").pvalue)
    return ControlTest(int(difference.size), p, level, mean_difference=mean)


def choice_test(wins: int, pairs: int, level: float = LEVEL) -> ControlTest | None:
    """Test by the exact binomial, one-sided, that the better text is chosen more often than not.

    A tie counts as a pair that was not won, so that calling everything a tie never passes.

    Returns
    -------
    ControlTest, or None with fewer than two pairs

    Examples
    --------
    >>> choice_test(5, 5).p
    0.03125
    """
    from scipy.stats import binom

    if pairs < 2:
        return None
    return ControlTest(pairs, float(binom.sf(wins - 1, pairs, 0.5)), level, wins=wins)


def choice_power(pairs: int, rate: float, level: float = LEVEL) -> float:
    """Return the chance to pass the binomial test of somebody who finds the better text at a rate.

    Returns
    -------
    float
        0 where even all pairs won would not pass.

    Examples
    --------
    >>> choice_power(4, 0.99), round(choice_power(5, 0.9), 4)
    (0.0, 0.5905)
    """
    from scipy.stats import binom

    needed = next((n for n in range(pairs + 1) if binom.sf(n - 1, pairs, 0.5) < level), None)
    return 0.0 if needed is None else float(binom.sf(needed - 1, pairs, rate))


def control_power(pairs: int, effect: float, level: float = LEVEL) -> float:
    """Return the chance that an attentive annotator passes the paired t-test.

    Parameters
    ----------
    pairs : int
        Number of controls with a known better text.
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
