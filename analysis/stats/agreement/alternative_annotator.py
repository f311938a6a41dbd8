"""The alternative annotator test: may a judge stand in for a rater?

Calderon, Reichart and Dror (2025), "The Alternative Annotator Test for LLM-as-a-Judge".
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtr

from analysis.stats.arrays import FloatArray
from analysis.stats.resampling.bootstrap import Bootstrap, bootstrap_draws, percentile_interval
from analysis.stats.resampling.permutation import benjamini_yekutieli
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import VariantValue, signature

Verdict: TypeAlias = Literal["may", "may not", "cannot tell"]
ENOUGH_ANNOTATORS = 0.5
"""Winning rate from which on a judge passes."""


@dataclass(frozen=True, slots=True)
class AnnotatorComparison:
    """A judge and one annotator, each compared with the other annotators of an item.

    Parameters
    ----------
    annotator : int
        Row of the annotator in the ratings.
    items : int
        Items that both judged, each with at least one further annotator.
    judge_as_good, annotator_as_good : float
        Shares of items on which the one is at least as close to the others as the other is; a tie
        counts for both.
    p_value : float or None
        Of "the judge falls short by `epsilon` or more", one-sided; None where all differences
        equal `epsilon`.
    rejected : bool
        Whether that is rejected among all annotators: the judge holds its own.
    falls_short : bool
        Whether "the judge falls short by less" is, by the same test turned round.
    """

    annotator: int
    items: int
    judge_as_good: float
    annotator_as_good: float
    p_value: float | None
    rejected: bool
    falls_short: bool


@dataclass(frozen=True, slots=True)
class StandIn:
    """What the test says of one judge.

    Parameters
    ----------
    winning_rate : Result
        Share of annotators compared with whom the judge holds its own: ω.
    advantage : Result
        Mean share of items on which the judge is as good as an annotator: ρ.
    beside : tuple of AnnotatorComparison
        The annotators that were tested.
    items_needed : int or None
        About how many items would tell, if means and spreads stay as they are; None where no
        number would, or nothing was tested.
    """

    winning_rate: Result
    advantage: Result
    beside: tuple[AnnotatorComparison, ...]
    items_needed: int | None = None

    @property
    def verdict(self) -> Verdict:
        """Whether the judge may stand in, by the paper's rule.

        That an annotator's test does not reject shows nothing: a judge may not only where it is
        shown to fall short of so many annotators that the others cannot make up one half.
        """
        if (self.winning_rate.value or 0.0) >= ENOUGH_ANNOTATORS:
            return "may"
        short = sum(each.falls_short for each in self.beside)
        possible = len(self.beside) - short
        if short and possible < ENOUGH_ANNOTATORS * len(self.beside):
            return "may not"
        return "cannot tell"


Scoring: TypeAlias = Literal["accuracy", "squared error"]
"""How close a value is to the others' values: the share equal to it, or the mean squared error."""
EPSILON = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
"""What a judge may fall short of a rater, as the paper sets it by how costly raters are."""
FALSE_DISCOVERIES = 0.05
FEWEST_ITEMS = 30
RATES = ("winning-rate", "advantage-probability")
POWER = 0.8
SUMS = 4
"""What a unit adds for each annotator: items, differences, their squares, judge as good."""


def alternative_annotator_test(
    ratings: npt.ArrayLike,
    judge: npt.ArrayLike,
    *,
    scoring: Scoring,
    epsilon: float,
    units: npt.ArrayLike | None = None,
    bootstrap: Bootstrap | None = None,
    fewest_items: int = FEWEST_ITEMS,
) -> StandIn:
    """Test whether a judge may stand in for the annotators of some items.

    On each item of an annotator with a further annotator and a judgement, judge and annotator are
    compared with all *other* annotators. ``d`` is 1 where only the annotator is as good, −1 where
    only the judge is, 0 at a tie. "Mean d ≥ epsilon" is tested against "below" by Student's t with
    ``items − 1`` degrees of freedom, and the annotators' tests are corrected after Benjamini and
    Yekutieli (2001) at .05.

    Parameters
    ----------
    ratings : array_like, shape (annotators, items)
        NaN where an annotator did not judge an item; categories as numbers.
    judge : array_like, shape (items,)
        On the annotators' scale; NaN where there is no judgement.
    scoring : {"accuracy", "squared error"}
        For categories, and for numbers.
    epsilon : float
        See `EPSILON`.
    units : array_like of int, shape (items,), optional
        What is resampled as a whole, such as the segment of each item; by default each item.
    bootstrap : Bootstrap, optional
        For intervals of both shares.
    fewest_items : int
        Annotators with fewer are not tested; they still count among the others.

    Returns
    -------
    StandIn

    Raises
    ------
    ValueError
        If shapes do not fit.

    Examples
    --------
    >>> people = [[1.0, 2, 3, 4] * 10, [1.0, 2, 3, 5] * 10, [1.0, 2, 3, 4] * 10]
    >>> found = alternative_annotator_test(people, people[0], scoring="accuracy", epsilon=0.1)
    >>> found.winning_rate.value, round(found.advantage.value, 2)
    (1.0, 1.0)
    """
    table, judged = np.asarray(ratings, dtype=np.float64), np.asarray(judge, dtype=np.float64)
    if table.ndim != 2 or judged.shape != table.shape[1:]:
        raise ValueError(f"annotators × items and a judgement an item, found {table.shape}")
    unit = np.arange(judged.size) if units is None else np.unique(units, return_inverse=True)[1]
    variant: dict[str, VariantValue] = {"scoring": scoring, "epsilon": epsilon}
    per_unit = _sums(table, judged, scoring, unit)
    counts = per_unit.sum(axis=0).reshape(-1, SUMS)
    tested = np.flatnonzero(counts[:, 0] >= fewest_items)
    items = int(((np.isfinite(table).sum(axis=0) > 1) & np.isfinite(judged)).sum())
    if not tested.size:
        reason = f"no annotator has {fewest_items} items with a further annotator and a judgement"
        rate, advantage = (signature(name, **variant) for name in RATES)
        return StandIn(
            Undefined(reason, items, "items", rate),
            Undefined(reason, items, "items", advantage),
            (),
        )
    per_unit = per_unit.reshape(len(per_unit), -1, SUMS)[:, tested].reshape(len(per_unit), -1)
    # A unit without items says nothing, and what is drawn are the others.
    per_unit = per_unit[per_unit.any(axis=1)]
    counts = counts[tested]
    p_values = _p_values(counts, epsilon)
    rejected, short = _rejected(p_values), _rejected(1 - p_values)
    intervals: list[Interval | None] = [None, None]
    if bootstrap:
        variant |= bootstrap.variant("items" if units is None else "units")
        over = "items" if units is None else "segments"
        intervals = [
            percentile_interval(draws, bootstrap, over)[0]
            for draws in _draws(per_unit, epsilon, bootstrap)
        ]
    values = rejected.mean(), _advantages(counts)
    winning_rate, advantage_probability = (
        Estimate(
            float(value),
            items,
            "items",
            signature(name, **variant),
            raters=tested.size,
            interval=interval,
        )
        for name, value, interval in zip(RATES, values, intervals, strict=True)
    )
    beside = tuple(
        AnnotatorComparison(
            annotator=int(annotator),
            items=int(n),
            judge_as_good=float(good / n),
            annotator_as_good=float((d + good) / n),
            p_value=float(p) if math.isfinite(p) else None,
            rejected=bool(won),
            falls_short=bool(lost),
        )
        for annotator, (n, d, _, good), p, won, lost in zip(
            tested, counts, p_values, rejected, short, strict=True
        )
    )
    needed = _items_needed(counts, epsilon, items)
    return StandIn(winning_rate, advantage_probability, beside, needed)


def annotators_as_judges(
    ratings: npt.ArrayLike, test: Callable[[FloatArray, FloatArray], StandIn]
) -> tuple[StandIn, ...]:
    """Test each annotator as if they were a judge of the others: the yardstick for a judge.

    Parameters
    ----------
    ratings : array_like, shape (annotators, items)
        NaN where missing. Items need two annotators besides the one who is tested.
    test : callable
        `alternative_annotator_test` of ratings and a judge's values, its options given.

    Returns
    -------
    tuple of StandIn
        In the order of the annotators; `AnnotatorComparison.annotator` is a row of `ratings`.
    """
    table = np.asarray(ratings, dtype=np.float64)
    found = []
    for place, own in enumerate(table):
        others = table.copy()
        others[place] = np.nan
        found.append(test(others, own))
    return tuple(found)


def _sums(
    table: FloatArray, judged: FloatArray, scoring: Scoring, unit: npt.NDArray[np.int64]
) -> FloatArray:
    """Return what each unit adds: units × (annotators × `SUMS`)."""
    given = np.isfinite(table)
    others = given.sum(axis=0) - 1
    compared = given & np.isfinite(judged) & (others > 0)
    units = int(unit.max(initial=-1)) + 1
    columns = []
    for among, (of_judge, of_own) in zip(
        compared, _closeness(table, judged, scoring, others), strict=True
    ):
        judge_good = (of_judge >= of_own)[among].astype(np.float64)
        difference = (of_own >= of_judge)[among] - judge_good
        places = unit[among]
        columns += [
            np.bincount(places, weights=values, minlength=units)
            for values in (np.ones(places.size), difference, difference**2, judge_good)
        ]
    return np.stack(columns, axis=1) if columns else np.empty((units, 0))


def _closeness(
    table: FloatArray, judged: FloatArray, scoring: Scoring, others: npt.NDArray[np.int64]
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield, for each annotator, how close judge and annotator are to the others on each item.

    Either is a sum over the others, less what is the same for both; of whole numbers it is exact,
    so that ties are.
    """
    if scoring == "accuracy":
        equal = table == judged
        for own, same in zip(table, equal, strict=True):
            yield equal.sum(axis=0) - same.astype(np.float64), (table == own).sum(axis=0) - 1.0
        return
    total = np.nansum(table, axis=0)
    for own in table:
        rest = total - own
        yield 2 * judged * rest - others * judged**2, 2 * own * rest - others * own**2


def _p_values(sums: FloatArray, epsilon: float) -> FloatArray:
    """Return p-values (… × annotators) of sums (… × annotators × `SUMS`)."""
    n, total, squares = sums[..., 0], sums[..., 1], sums[..., 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        above = total / n - epsilon
        # Sums are whole numbers: where all differences are equal this is 0, not nearly 0.
        error = np.sqrt((n * squares - total**2) / (n - 1)) / n
        found: FloatArray = stdtr(n - 1, above / error)
    same = error == 0
    found[same] = np.select([above < 0, above > 0], [0.0, 1.0], np.nan)[same]
    return found


def _rejected(p_values: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which hypotheses of each family are rejected; an undefined one is not."""
    adjusted = benjamini_yekutieli(np.where(np.isfinite(p_values), p_values, 1.0))
    return adjusted <= FALSE_DISCOVERIES


def _advantages(sums: FloatArray) -> FloatArray:
    """Return the mean share of items on which the judge is as good, of each draw."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = sums[..., 3] / sums[..., 0]
    means: FloatArray = shares.mean(axis=-1)
    return means


def _draws(per_unit: FloatArray, epsilon: float, bootstrap: Bootstrap) -> tuple[FloatArray, ...]:
    """Return winning rates and advantages of resampled units."""

    def both(weights: FloatArray) -> FloatArray:
        sums = (weights @ per_unit).reshape(len(weights), -1, SUMS)
        rates = _rejected(_p_values(sums, epsilon)).mean(axis=-1)
        return np.stack([rates, _advantages(sums)], axis=1)

    drawn = bootstrap_draws(np.ones(len(per_unit)), both, bootstrap)
    return drawn[:, 0], drawn[:, 1]


def _items_needed(counts: FloatArray, epsilon: float, items: int) -> int | None:
    """Return about how many items would tell, with a chance of .8, if nothing else changes.

    As many annotators as a winning rate of one half needs have to fall on the side on which that
    many are now, or so many on the other side that the others cannot; the level is that of
    Benjamini and Yekutieli for the last of them.
    """
    n, total, squares = counts[:, 0], counts[:, 1], counts[:, 2]
    above = total / n - epsilon
    spread = np.sqrt((n * squares - total**2) / (n * (n - 1)))
    half = math.ceil(ENOUGH_ANNOTATORS * len(n))
    passes = (above < 0).sum() >= half
    needed = half if passes else len(n) - half + 1
    steps = np.arange(1, len(n) + 1)
    level = FALSE_DISCOVERIES * needed / (len(n) * float((1 / steps).sum()))
    on_side = above < 0 if passes else above > 0
    quantiles = ndtri(POWER) - ndtri(level)
    with np.errstate(divide="ignore"):
        times = np.where(on_side, (quantiles * spread / above) ** 2 / n, np.inf)
    last = float(np.sort(times)[needed - 1])
    return max(1, math.ceil(last * items)) if math.isfinite(last) else None
