"""Rules of stopping: whether the ratings so far settle what was to be found out.

What is compared is a difference of two systems on a segment, or one system's score on it. Segments
come in an order that was drawn before the first rating, and each comparison has its own sequence of
them. All intervals hold at all looks together, so that a rule may be looked at after every segment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.sequences.confidence_sequences import (
    FIRST_LOOK,
    ConfidenceSequence,
    Method,
    asymptotic_sequence,
    betting_sequence,
    empirical_bernstein_sequence,
    expected_half_widths,
)
from analysis.stats.signature import signature

Kind = Literal["settled", "narrow"]
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Criterion:
    """When ratings are enough.

    Parameters
    ----------
    kind : "settled" or "narrow"
        Each comparison is told apart from 0 or equivalent to it; or each interval is narrow.
    bounds : pair of floats
        Least and largest possible value of what is compared.
    tuned_to : float
        Number of segments at which asymptotic intervals are to be narrowest.
    margin : float
        Differences within ± this are equivalent; 0 for never.
    half_width : float
        Half the width that is narrow enough.
    clusters : int
        As many groups of systems are enough, each told apart from each other; 0 for all pairs.
    method : "empirical-bernstein", "betting" or "asymptotic"
    """

    kind: Kind
    bounds: tuple[float, float]
    tuned_to: float
    margin: float = 0.0
    half_width: float = 0.0
    clusters: int = 0
    method: Method = "empirical-bernstein"


@dataclass(frozen=True, slots=True)
class Compared:
    """The values of one comparison in the order of segments; a single system has no second one."""

    first: int
    second: int | None
    values: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is known of one comparison.

    Parameters
    ----------
    first, second, n
        Who is compared, on how many segments.
    mean : float, optional
        None where there is nothing yet.
    low, high : float
        The interval that holds at all looks.
    told_apart, equivalent, narrow : bool
    more : int, optional
        About how many more segments it needs if mean and spread stay as they are; None where they
        are too little known, or no number of segments would do.
    """

    first: int
    second: int | None
    n: int
    mean: float | None
    low: float
    high: float
    told_apart: bool
    equivalent: bool
    narrow: bool
    more: int | None

    def meets(self, kind: Kind) -> bool:
        """Whether this comparison needs no more ratings."""
        return self.narrow if kind == "narrow" else self.told_apart or self.equivalent


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a rule is met.

    Parameters
    ----------
    met : bool
    comparisons : tuple of Comparison
        As they were given.
    open : tuple of bool
        Which comparisons still need ratings.
    clusters : int
        Groups of systems that are told apart so far; 1 where single systems are looked at.
    alpha_each : float
        Probability of error of each sequence, by Bonferroni.
    """

    met: bool
    comparisons: tuple[Comparison, ...]
    open: tuple[bool, ...]
    clusters: int
    alpha_each: float
    signature: str


def judged(compared: Sequence[Compared], criterion: Criterion, *, most: int = 0) -> Verdict:
    """Say which comparisons are settled, and whether the rule is met.

    The probability that any interval ever misses its mean is at most 5 %, by Bonferroni over the
    comparisons. So a rule that is met is wrong with at most this probability, however often and
    whenever one looks.

    Parameters
    ----------
    compared : sequence of Compared
        Every pair of systems, one pair, or every single system.
    criterion : Criterion
    most : int
        How many segments there are: further ones are not foreseen.

    Examples
    --------
    >>> values = np.tile([1.0, 0.0, 1.0, 1.0], 50)
    >>> criterion = Criterion("settled", (-4, 4), tuned_to=100)
    >>> judged([Compared(0, 1, values)], criterion).met
    True
    """
    alpha = (1 - LEVEL) / max(len(compared), 1)
    found = tuple(_comparison(each, criterion, alpha, most) for each in compared)
    still_open = tuple(not each.meets(criterion.kind) for each in found)
    groups = _clusters(found)
    met = bool(found) and not any(still_open)
    if criterion.clusters and found:
        met = groups >= criterion.clusters
    return Verdict(met, found, still_open, groups, alpha, _signature(criterion, len(compared)))


def sequence_of(
    values: npt.ArrayLike, criterion: Criterion, alpha: float, looks: npt.ArrayLike
) -> ConfidenceSequence:
    """Return the intervals that a rule looks at, after the units at some places."""
    bounds, places = criterion.bounds, np.asarray(looks, np.intp)
    if criterion.method == "betting":
        return betting_sequence(values, alpha=alpha, bounds=bounds, looks=places.tolist())
    if criterion.method == "asymptotic":
        tuned_to = criterion.tuned_to
        found = asymptotic_sequence(values, alpha=alpha, bounds=bounds, tuned_to=tuned_to)
    else:
        found = empirical_bernstein_sequence(values, alpha=alpha, bounds=bounds)
    return ConfidenceSequence(found.estimate[places], found.low[places], found.high[places])


def _comparison(each: Compared, criterion: Criterion, alpha: float, most: int) -> Comparison:
    n = each.values.size
    low, high = criterion.bounds
    if n:
        sequence = sequence_of(each.values, criterion, alpha, [n - 1])
        low, high = float(sequence.low[0]), float(sequence.high[0])
    apart = low > 0 or high < 0
    equivalent = criterion.margin > 0 and -criterion.margin <= low and high <= criterion.margin
    narrow = n > 0 and (high - low) / 2 <= criterion.half_width
    done = narrow if criterion.kind == "narrow" else apart or equivalent
    return Comparison(
        first=each.first,
        second=each.second,
        n=n,
        mean=float(each.values.mean()) if n else None,
        low=low,
        high=high,
        told_apart=apart,
        equivalent=equivalent,
        narrow=narrow,
        more=0 if done else _more(each.values, criterion, alpha, most),
    )


def _more(
    values: npt.NDArray[np.float64], criterion: Criterion, alpha: float, most: int
) -> int | None:
    """Foresee how many more segments a comparison needs."""
    n = values.size
    if n < 2 or most <= n:
        return None
    widths = expected_half_widths(
        criterion.method,
        most,
        float(values.std(ddof=1)),
        alpha=alpha,
        bounds=criterion.bounds,
        tuned_to=criterion.tuned_to,
    )
    mean = abs(float(values.mean()))
    if criterion.kind == "narrow":
        enough = widths <= criterion.half_width
    else:
        enough = (widths < mean) | (mean + widths <= criterion.margin)
    if criterion.method == "asymptotic":
        enough[: FIRST_LOOK - 1] = False
    enough[:n] = False
    return int(np.argmax(enough)) + 1 - n if enough.any() else None


def _clusters(found: Sequence[Comparison]) -> int:
    """Count groups of systems such that every two of different groups are told apart.

    Systems are ordered by how many others they exceed; the order is cut wherever every system
    before the cut exceeds every one after it.
    """
    pairs = [(each.first, each.second, each) for each in found if each.second is not None]
    systems = sorted({place for first, second, _ in pairs for place in (first, second)})
    above = np.zeros((len(systems), len(systems)), bool)
    for first, second, each in pairs:
        if each.told_apart:
            better, worse = (second, first) if each.high < 0 else (first, second)
            above[systems.index(better), systems.index(worse)] = True
    order = np.argsort(above.sum(axis=0) - above.sum(axis=1), kind="stable")
    above = above[np.ix_(order, order)]
    cuts = sum(bool(above[:cut, cut:].all()) for cut in range(1, len(systems)))
    return 1 + cuts


def _signature(criterion: Criterion, comparisons: int) -> str:
    asymptotic = criterion.method == "asymptotic"
    return signature(
        "stopping-rule",
        kind=criterion.kind,
        method=criterion.method,
        level=LEVEL,
        correction="bonferroni",
        comparisons=comparisons,
        margin=criterion.margin or None,
        half_width=criterion.half_width or None,
        clusters=criterion.clusters or None,
        tuned_to=criterion.tuned_to if asymptotic else None,
        first_look=FIRST_LOOK if asymptotic else None,
        unit="segments",
    )
