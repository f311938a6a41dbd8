"""The share of outputs of a kind, told by a judge whose errors are known from rated outputs.

Rogan and Gladen (1978), "Estimating prevalence from the results of a screening test"; interval of
Lang and Reiczigel (2014), "Confidence limits for prevalence of disease adjusted for estimated
sensitivity and specificity".
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy
from scipy.special import ndtri

from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

NO_BETTER_THAN_CHANCE = (
    "sensitivity and specificity add up to 1 or less: the judge says as much of an output as a coin"
)

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class KnownError:
    """A judge's answers to a question of yes or no, and what they say of further outputs.

    Parameters
    ----------
    sensitivity, specificity : Result
        Shares of the outputs that are of the kind, and that are not, on which the judge is right;
        with Wilson's interval.
    apparent : Result
        Share of the further outputs that the judge takes for such, with Wilson's interval.
    corrected : Result
        The share after the correction of Rogan and Gladen.
    """

    sensitivity: Result
    specificity: Result
    apparent: Result
    corrected: Result


def known_error(truth: npt.ArrayLike, judged: npt.ArrayLike, further: npt.ArrayLike) -> KnownError:
    """Correct a judge's share of further outputs for the errors that it makes on rated ones.

    With sensitivity S, specificity C and the apparent share a the share is
    ``(a + C − 1) / (S + C − 1)``, cut off at 0 and 1. The interval is that of Lang and Reiczigel
    (2014, eq. 16), which counts S and C as estimated too. The rated outputs of either kind must be
    like the further ones of that kind; how many of each were rated does not matter.

    Parameters
    ----------
    truth, judged : array_like of bool, shape (n,)
        What rated outputs are, and what the judge takes them for.
    further : array_like of bool, shape (N,)
        What the judge takes outputs for that nobody rated.

    Returns
    -------
    KnownError
        The corrected share is undefined where one of S, C and a is, or where S + C ≤ 1.

    Raises
    ------
    ValueError
        If `truth` and `judged` are of different lengths.

    Examples
    --------
    >>> truth = [True] * 50 + [False] * 50
    >>> judged = [True] * 45 + [False] * 5 + [False] * 40 + [True] * 10
    >>> found = known_error(truth, judged, [True] * 55 + [False] * 45)
    >>> found.sensitivity.value, found.specificity.value, round(found.corrected.value, 3)
    (0.9, 0.8, 0.5)
    """
    is_so, said, more = (np.asarray(each, dtype=bool) for each in (truth, judged, further))
    if is_so.shape != said.shape:
        raise ValueError("each rated output needs the judge's answer")
    sensitivity = share_of_yes(said[is_so], "sensitivity", "no rated output is of the kind")
    specificity = share_of_yes(~said[~is_so], "specificity", "every rated output is of the kind")
    apparent = share_of_yes(more, "apparent-share", "the judge knows no output that is not rated")
    corrected = corrected_share(apparent, sensitivity, specificity)
    return KnownError(sensitivity, specificity, apparent, corrected)


def corrected_share(apparent: Result, sensitivity: Result, specificity: Result) -> Result:
    """Return the corrected share of shares that were estimated apart; see `known_error`.

    Each counts with its `n`.

    Examples
    --------
    >>> found = corrected_share(Estimate(23 / 150, 150), Estimate(0.96, 100), Estimate(0.89, 100))
    >>> round(found.value, 3)
    0.051
    """
    name = signature("corrected-share", method="Rogan-Gladen", interval="Lang-Reiczigel")
    n = apparent.n
    for each in (sensitivity, specificity, apparent):
        if isinstance(each, Undefined):
            return Undefined(each.reason, n, "outputs", name)
    a, s, c = (float(each.value or 0.0) for each in (apparent, sensitivity, specificity))
    if s + c <= 1:
        return Undefined(NO_BETTER_THAN_CHANCE, n, "outputs", name)
    value = (a + c - 1) / (s + c - 1)
    return Estimate(
        min(1.0, max(0.0, value)),
        n,
        "outputs",
        name,
        interval=_interval((a, n), (s, sensitivity.n), (c, specificity.n)),
        details={"before it was cut off": value, "Youden's index": s + c - 1},
    )


def _interval(
    apparent: tuple[float, int], sensitivity: tuple[float, int], specificity: tuple[float, int]
) -> Interval | None:
    """Return the interval about shares that are drawn towards one half; None where it has none."""
    z = float(ndtri((1 + LEVEL) / 2))
    a, n = _drawn_to_half(*apparent, z**2)
    s, of_kind = _drawn_to_half(*sensitivity, 2.0)
    c, others = _drawn_to_half(*specificity, 2.0)
    index = s + c - 1
    if index <= 0:
        return None
    share = (a + c - 1) / index
    from_s, from_c = s * (1 - s) / of_kind, c * (1 - c) / others
    centre = share + 2 * z**2 * (share * from_s - (1 - share) * from_c)
    variance = a * (1 - a) / n + share**2 * from_s + (1 - share) ** 2 * from_c
    reach = z * math.sqrt(variance) / index
    low, high = (min(1.0, max(0.0, end)) for end in (centre - reach, centre + reach))
    return Interval(low, high, LEVEL, "Lang and Reiczigel")


def _drawn_to_half(share: float, n: int, added: float) -> tuple[float, float]:
    """Add some answers, half of them yes."""
    return (n * share + added / 2) / (n + added), n + added


def share_of_yes(answers: npt.NDArray[np.bool_], name: str, without: str) -> Result:
    """Return the share of yes with Wilson's interval; undefined, for the reason given, of none."""
    n, named = int(answers.size), signature(name, interval="Wilson")
    if not n:
        return Undefined(without, 0, "outputs", named)
    limits = scipy.stats.binomtest(int(answers.sum()), n).proportion_ci(LEVEL, method="wilson")
    return Estimate(
        float(answers.mean()),
        n,
        "outputs",
        named,
        interval=Interval(float(limits.low), float(limits.high), LEVEL, "Wilson"),
    )
