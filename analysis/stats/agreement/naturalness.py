"""Preferences between two texts: of classifier and human raters against the source, and by side."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import BoolArray, FloatArray, as_matrix, as_vector, ratio_of_sums
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, resampled_interval
from analysis.stats.resampling.proportions import at_the_edge
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import VariantValue, signature

Ties = Literal["disagreement", "matched"]
TIE = 1e-9


def absolute_judgements(output_means: npt.ArrayLike, source_means: npt.ArrayLike) -> FloatArray:
    """Turn absolute ratings into judgements of each output against its source.

    Parameters
    ----------
    output_means : array_like, shape (segments, systems)
        Mean absolute rating of each output.
    source_means : array_like, shape (segments,)
        Mean absolute rating of each source.

    Returns
    -------
    ndarray, shape (segments, systems)
        1 where the output is rated above its source, −1 below, 0 within 1e-9, NaN where either is
        missing.

    Raises
    ------
    ValueError
        If the numbers of segments differ.
    """
    outputs, sources = _against_source(output_means, source_means)
    gap = outputs - sources[:, None]
    return np.where(np.abs(gap) <= TIE, 0.0, np.sign(gap))


def classifier_agreement(
    output_scores: npt.ArrayLike,
    source_scores: npt.ArrayLike,
    judgements: npt.ArrayLike,
    *,
    ties: Ties = "disagreement",
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
) -> Result:
    """Share of outputs on which a classifier and human raters prefer the same of source and output.

    The classifier prefers the text with the higher score of naturalness. All judged pairs are in
    the denominator. A human tie is a disagreement, or, where ``ties="matched"``, it agrees with a
    classifier that ties too (as an unchanged output makes it do); the printed values of Mir et al.
    (2019) are those of "matched". A classifier's tie never agrees with a preference.

    Parameters
    ----------
    output_scores : array_like, shape (segments, systems)
        Score of each output; higher is more natural.
    source_scores : array_like, shape (segments,)
        Score of each source by the same classifier.
    judgements : array_like, shape (segments, systems)
        1 output preferred, −1 source preferred, 0 tie, NaN missing. For absolute ratings see
        `absolute_judgements`.
    ties : {"disagreement", "matched"}
    bootstrap : Bootstrap, optional
        Segments are drawn with replacement. None: no interval.

    Returns
    -------
    Estimate or Undefined
        A share between 0 and 1; ``n`` counts outputs.

    Raises
    ------
    ValueError
        If shapes differ, a judgement is not −1, 0, 1 or NaN, or `ties` is unknown.

    Examples
    --------
    >>> classifier_agreement([[0.9, 0.1]], [0.5], [[1, 0]], bootstrap=None).value
    0.5
    """
    if ties not in ("disagreement", "matched"):
        raise ValueError(f"unknown rule for ties: {ties}")
    outputs, sources = _against_source(output_scores, source_scores)
    human = _judgements(judgements, outputs.shape)
    machine = np.sign(outputs - sources[:, None])
    judged = np.isfinite(machine) & np.isfinite(human)
    agrees = judged & (machine == human)
    if ties == "disagreement":
        agrees &= human != 0
    details = {
        "human_ties": int((judged & (human == 0)).sum()),
        "classifier_ties": int((judged & (machine == 0)).sum()),
        "both_tied": int((judged & (human == 0) & (machine == 0)).sum()),
        "missing": int(judged.size - judged.sum()),
    }
    variant: dict[str, VariantValue] = {"ties": ties}
    return _share(agrees, judged, "naturalness-agreement", variant, bootstrap, details)


def share_preferred(
    judgements: npt.ArrayLike, *, by: str = "", bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP
) -> Result:
    """Share of outputs that are preferred to their source ("percent more natural").

    Parameters
    ----------
    judgements : array_like, shape (segments, systems)
        1 output preferred (by majority), −1 source preferred, 0 tie, NaN missing. Ties stay in the
        denominator.
    by : str
        Who judged, for the signature, where it was not human raters.
    bootstrap : Bootstrap, optional
        Segments are drawn with replacement. None: no interval.

    Returns
    -------
    Estimate or Undefined
        A share between 0 and 1; ``n`` counts outputs.

    Raises
    ------
    ValueError
        If there are not two dimensions or a judgement is not −1, 0, 1 or NaN.
    """
    human = _judgements(judgements, None)
    judged = np.isfinite(human)
    ties = "classifier_ties" if by else "human_ties"
    details = {ties: int((human == 0).sum()), "missing": int((~judged).sum())}
    variant: dict[str, VariantValue] = {"by": by} if by else {}
    return _share(human > 0, judged, "share-preferred-to-source", variant, bootstrap, details)


def _share(
    hits: BoolArray,
    judged: BoolArray,
    statistic: str,
    variant: dict[str, VariantValue],
    bootstrap: Bootstrap | None,
    details: dict[str, Any],
) -> Result:
    name = signature(statistic, **variant, **(bootstrap.variant("segments") if bootstrap else {}))
    n = int(judged.sum())
    if n == 0:
        return Undefined("no output was judged against its source", 0, "outputs", name, details)
    share, interval = float(hits.sum()) / n, None
    if bootstrap:
        rows = judged.any(axis=1)
        sums = np.column_stack([hits[rows].sum(axis=1), judged[rows].sum(axis=1)]).astype(float)
        interval, facts = resampled_interval(
            np.ones(len(sums)), lambda weights: ratio_of_sums(weights @ sums), bootstrap, "segments"
        )
        details |= facts
        interval = at_the_edge(share, len(sums), bootstrap.level, over="segments") or interval
    return Estimate(
        share,
        n=n,
        unit="outputs",
        signature=name,
        pairs=n,
        interval=interval,
        details={**details, "hits": int(hits.sum())},
    )


def _against_source(
    outputs: npt.ArrayLike, sources: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    matrix, vector = as_matrix(outputs, "outputs"), as_vector(sources, "sources")
    if matrix.shape[0] != vector.size:
        raise ValueError(f"{matrix.shape[0]} segments of outputs, but {vector.size} sources")
    return matrix, vector


def _judgements(values: npt.ArrayLike, shape: tuple[int, ...] | None) -> FloatArray:
    human = as_matrix(values, "judgements")
    if shape is not None and human.shape != shape:
        raise ValueError(f"judgements are {human.shape}, outputs are {shape}")
    if not np.isin(human[np.isfinite(human)], [-1, 0, 1]).all():
        raise ValueError("judgements are −1, 0, 1 or NaN")
    return human


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
