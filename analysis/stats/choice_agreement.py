"""Agreement of raters who chose between two texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, as_matrix, ratio
from analysis.stats.fleiss import fleiss_kappa
from analysis.stats.gwet import gwet_ac
from analysis.stats.krippendorff_alpha import krippendorff_alpha
from analysis.stats.rater_pairs import percent_agreement
from analysis.stats.resampling import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    bootstrap_draws,
    percentile_interval,
)
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

FIRST, SECOND, TIE = 0.0, 1.0, 2.0
Statistic = Literal["percent-agreement", "fleiss-kappa", "alpha-nominal", "gwet-ac1"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
Order = Literal["kept", "both-ways"]


def choice_agreement(
    choices: npt.ArrayLike,
    statistic: Statistic,
    *,
    ties: bool = False,
    order: Order = "kept",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
) -> Result:
    """Agreement of choices between two texts: percent, Fleiss' kappa, nominal alpha or AC1.

    Where the first text of every pair is of one kind and the second of another (source and
    output), the answers are categories and their order is kept. Where it is arbitrary which text
    of a pair is called the first (outputs of two systems), agreement by chance must not depend on
    it: each pair enters both ways, once as it is and once with first and second exchanged, as in
    double-entry correlation. The observed agreement stays the same; a preference by chance falls
    on either text equally often. Without ties kappa and AC1 are then both 2 P − 1, with P the
    percent agreement (the S of Bennett, Alpert and Goldstein 1954).

    Parameters
    ----------
    choices : array_like, shape (pairs, raters)
        0 the first text, 1 the second, 2 a tie; NaN where missing. Columns are mere slots.
    statistic : {"percent-agreement", "fleiss-kappa", "alpha-nominal", "gwet-ac1"}
    ties : bool
        Whether a tie could be answered; then AC1 has three categories, else two.
    order : {"kept", "both-ways"}
    bootstrap : Bootstrap
        Of alpha, and of every statistic with pairs entered both ways: pairs are drawn.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts pairs that were judged twice.

    Raises
    ------
    ValueError
        If a choice is none of the answers, or the statistic is unknown.

    Examples
    --------
    >>> table = [[0, 0, 1], [1, 1, 1]]
    >>> round(choice_agreement(table, "fleiss-kappa", order="both-ways").value, 4)
    0.3333
    """
    matrix = as_matrix(choices, "choices")
    answers = np.array([FIRST, SECOND, TIE] if ties else [FIRST, SECOND])
    if not np.isin(matrix[np.isfinite(matrix)], answers).all():
        raise ValueError(f"choices are {', '.join(f'{answer:g}' for answer in answers)} or NaN")
    if statistic not in STATISTICS:
        raise ValueError(f"unknown statistic of choices: {statistic}")
    if order == "kept":
        return _plain(matrix, statistic, answers, bootstrap)
    return _entered_both_ways(matrix, statistic, answers, bootstrap)


def both_ways(choices: npt.ArrayLike) -> FloatArray:
    """Return each pair twice: in row 2i as it is, in row 2i + 1 with its texts exchanged.

    Examples
    --------
    >>> both_ways([[0, 2]]).tolist()
    [[0.0, 2.0], [1.0, 2.0]]
    """
    matrix = as_matrix(choices, "choices")
    exchanged = np.where(matrix == TIE, TIE, 1 - matrix)
    return np.stack([matrix, exchanged], axis=1).reshape(-1, matrix.shape[1])


def _plain(
    matrix: FloatArray, statistic: Statistic, answers: FloatArray, bootstrap: Bootstrap | None
) -> Result:
    if statistic == "percent-agreement":
        return percent_agreement(matrix)
    if statistic == "fleiss-kappa":
        return fleiss_kappa(matrix)
    if statistic == "alpha-nominal":
        return krippendorff_alpha(matrix, "nominal", bootstrap=bootstrap)
    return gwet_ac(matrix, categories=answers)


def _entered_both_ways(
    matrix: FloatArray, statistic: Statistic, answers: FloatArray, bootstrap: Bootstrap
) -> Result:
    doubled = both_ways(matrix)
    found = _plain(doubled, statistic, answers, None)
    name = signature(
        found.signature.partition("|")[0],
        entry="both-ways",
        categories=len(answers) if statistic == "gwet-ac1" else None,
        scale="nominal" if statistic == "alpha-nominal" else None,
        **bootstrap.variant("units"),
    )
    if isinstance(found, Undefined):
        return replace(found, n=found.n // 2, signature=name)
    pairs = _Pairs.of(matrix)
    draws = bootstrap_draws(
        pairs.frequencies,
        lambda weights: pairs.of_draws(weights, statistic, len(answers)),
        bootstrap,
    )
    interval, degenerate = percentile_interval(draws, bootstrap, "units")
    kept = ("observed_agreement", "expected_agreement")
    return Estimate(
        found.value,
        n=found.n // 2,
        unit="units",
        signature=name,
        raters=found.raters,
        pairs=None if found.pairs is None else found.pairs // 2,
        interval=interval,
        details={key: found.details[key] for key in kept if key in found.details}
        | {"resamples": bootstrap.resamples, "degenerate_draws": degenerate},
    )


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Pairs of texts that were judged alike, drawn together, which gives the same distribution.

    How many there are of each kind; the agreement of their choices (0 if there is one only),
    whether there are two, and the numbers of choices and of ties.
    """

    frequencies: FloatArray
    agreement: FloatArray
    pairable: FloatArray
    choices: FloatArray
    ties: FloatArray

    @classmethod
    def of(cls, matrix: FloatArray) -> _Pairs:
        each = np.stack([(matrix == answer).sum(axis=1) for answer in (FIRST, SECOND, TIE)], axis=1)
        # Exchanged texts make no difference: the more frequent choice goes first.
        each[:, :2] = np.sort(each[:, :2], axis=1)[:, ::-1]
        kinds, frequencies = np.unique(each, axis=0, return_counts=True)
        counts = kinds.astype(np.float64)
        choices = counts.sum(axis=1)
        same = (counts * (counts - 1)).sum(axis=1)
        return cls(
            frequencies.astype(np.float64),
            same / np.maximum(choices * (choices - 1), 1),
            (choices > 1).astype(np.float64),
            choices,
            counts[:, 2],
        )

    def of_draws(self, weights: FloatArray, statistic: Statistic, answers: int) -> FloatArray:
        """Return a statistic for each row of multiplicities, NaN where degenerate.

        First and second are equally frequent where each pair enters both ways, so that the share
        of ties decides what chance gives.
        """
        if statistic == "alpha-nominal":
            return self._alpha(weights)
        observed = ratio(weights @ self.agreement, weights @ self.pairable)
        if statistic == "percent-agreement":
            return observed
        rated = (self.choices > 0).astype(np.float64)
        tied = ratio(weights @ (self.ties / np.maximum(self.choices, 1)), weights @ rated)
        side = (1 - tied) / 2
        if statistic == "fleiss-kappa":
            expected = tied**2 + 2 * side**2
        else:
            expected = (tied * (1 - tied) + 2 * side * (1 - side)) / (answers - 1)
        return ratio(observed - expected, 1 - expected)

    def _alpha(self, weights: FloatArray) -> FloatArray:
        entered = 2 * self.choices * self.pairable
        n = weights @ entered
        tied = weights @ (2 * self.ties * self.pairable)
        disagreement = weights @ (entered * (1 - self.agreement))
        expected = n**2 - tied**2 - (n - tied) ** 2 / 2
        return np.asarray(1 - (n - 1) * ratio(disagreement, expected), dtype=np.float64)
