"""Agreement of raters who chose between two texts."""

from dataclasses import replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.agreement_statistics import STATISTICS_OF_AGREEMENT
from analysis.stats.agreement.rater_pairs import percent_agreement
from analysis.stats.agreement.weighted_ratings import WeightedRatings
from analysis.stats.arrays import FloatArray, as_matrix
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, resampled_interval
from analysis.stats.resampling.proportions import at_the_edge
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import extended, signature

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
    double-entry correlation. The observed agreement, and with it percent agreement, stays the same;
    a preference by chance falls on either text equally often. Without ties kappa and AC1 are then
    both 2 P − 1, with P the percent agreement (the S of Bennett, Alpert and Goldstein 1954).

    Parameters
    ----------
    choices : array_like, shape (pairs, raters)
        0 the first text, 1 the second, 2 a tie; NaN where missing. Columns are mere slots.
    statistic : {"percent-agreement", "fleiss-kappa", "alpha-nominal", "gwet-ac1"}
    ties : bool
        Whether a tie could be answered; then AC1 has three categories, else two.
    order : {"kept", "both-ways"}
    bootstrap : Bootstrap
        Of alpha, and of kappa and AC1 with pairs entered both ways: pairs are drawn.

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
        return STATISTICS_OF_AGREEMENT[statistic].of(matrix, answers, bootstrap)
    if statistic == "percent-agreement":
        # Exchanging the texts of a pair leaves its agreement as it is.
        found = percent_agreement(matrix)
        return replace(found, signature=extended(found.signature, entry="both-ways"))
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


def _entered_both_ways(
    matrix: FloatArray, statistic: Statistic, answers: FloatArray, bootstrap: Bootstrap
) -> Result:
    kind, doubled = STATISTICS_OF_AGREEMENT[statistic], both_ways(matrix)
    found = kind.of(doubled, answers, None)
    name = signature(
        found.signature.partition("|")[0],
        entry="both-ways",
        categories=len(answers) if statistic == "gwet-ac1" else None,
        scale="nominal" if statistic == "alpha-nominal" else None,
        **bootstrap.variant("units"),
    )
    if isinstance(found, Undefined):
        return replace(found, n=found.n // 2, signature=name)
    kinds, frequencies = _alike(matrix)
    entered = both_ways(kinds)
    coefficient = kind.weighted(answers, None)
    interval, facts = resampled_interval(
        frequencies,
        lambda weights: coefficient(WeightedRatings.once(entered, np.repeat(weights, 2, axis=1))),
        bootstrap,
        "units",
        2 * entered.shape[1],
    )
    if answers.size == 2:
        # All three are then 2 P − 1, at their bounds where the pairs are all alike.
        pairs = found.n // 2
        edge = at_the_edge(found.value, pairs, bootstrap.level, over="pairs", bounds=(-1.0, 1.0))
        interval = edge or interval
    kept = ("observed_agreement", "expected_agreement")
    return Estimate(
        found.value,
        n=found.n // 2,
        unit="units",
        signature=name,
        raters=found.raters,
        pairs=None if found.pairs is None else found.pairs // 2,
        interval=interval,
        details={key: found.details[key] for key in kept if key in found.details} | facts,
    )


def _alike(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a row of choices for pairs of texts that were judged alike, and how many they are.

    They are drawn together, which gives the same distribution. Entered both ways, pairs whose texts
    are exchanged are alike: the more frequent choice goes first.
    """
    each = np.stack([(matrix == answer).sum(axis=1) for answer in (FIRST, SECOND, TIE)], axis=1)
    each[:, :2] = np.sort(each[:, :2], axis=1)[:, ::-1]
    kinds, frequencies = np.unique(each, axis=0, return_counts=True)
    rows = np.full((len(kinds), matrix.shape[1]), np.nan)
    for row, kind in zip(rows, kinds, strict=True):
        row[: kind.sum()] = np.repeat([FIRST, SECOND, TIE], kind)
    return rows, frequencies.astype(np.float64)
