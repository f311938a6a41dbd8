"""Human scores: z-scores and ranks per annotator, means per output."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, IntArray, long_form, ratio
from analysis.stats.signature import signature


@dataclass(frozen=True, slots=True)
class ZScores:
    """z-scores and what could not be scaled.

    Parameters
    ----------
    values : ndarray, shape (ratings,)
        NaN where the rating is missing or its group has no spread.
    undefined_groups : tuple of int
        Groups (annotator × aspect × campaign) with a standard deviation of zero, or with too few
        ratings for one.
    undefined_ratings : int
        Ratings in those groups.
    ddof : int
    signature : str
    """

    values: FloatArray
    undefined_groups: tuple[int, ...]
    undefined_ratings: int
    ddof: int
    signature: str


def z_scores(values: npt.ArrayLike, groups: npt.ArrayLike, *, ddof: Literal[0, 1] = 0) -> ZScores:
    """Scale each rating by the mean and standard deviation of its group.

    Parameters
    ----------
    values : array_like, shape (ratings,)
        Everything that the annotators finally rated, references included, before any filter.
    groups : array_like of int, shape (ratings,)
        Group of each rating from 0: one number per annotator × aspect × campaign.
    ddof : {0, 1}
        0 divides by n (population), 1 by n − 1.

    Returns
    -------
    ZScores
        A group without spread is undefined and counted; it is never given zeros.

    Raises
    ------
    ValueError
        If lengths differ, a group is negative or not a whole number, or ddof is neither 0 nor 1.

    Examples
    --------
    >>> z_scores([1, 3, 5, 5], [0, 0, 1, 1]).values.tolist()
    [-1.0, 1.0, nan, nan]
    """
    if ddof not in (0, 1):
        raise ValueError("ddof is 0 or 1")
    ratings, [codes] = long_form(values, groups)
    name = signature("z-score", ddof=ddof)
    if ratings.size == 0:
        return ZScores(ratings, (), 0, ddof, name)
    n_groups, present = int(codes.max()) + 1, np.isfinite(ratings)
    counts, means = _group_means(ratings, codes, n_groups)
    centred = ratings - means[codes]
    squares = np.bincount(codes[present], centred[present] ** 2, n_groups)
    freedom = counts - ddof
    variance = np.divide(squares, freedom, out=np.zeros(n_groups), where=freedom > 0)
    deviation = np.sqrt(variance)
    magnitude = np.zeros(n_groups)
    np.maximum.at(magnitude, codes[present], np.abs(ratings[present]))
    # A group of equal ratings may leave a deviation of some last bits.
    flat = deviation <= 1e-13 * magnitude
    scaled = np.divide(
        centred, deviation[codes], out=np.full(ratings.shape, np.nan), where=~flat[codes] & present
    )
    undefined = flat & (counts > 0)
    return ZScores(
        values=scaled,
        undefined_groups=tuple(int(group) for group in np.flatnonzero(undefined)),
        undefined_ratings=int(counts[undefined].sum()),
        ddof=ddof,
        signature=name,
    )


def rank_scores(values: npt.ArrayLike, groups: npt.ArrayLike) -> FloatArray:
    """Replace each rating by its rank among the ratings of its group.

    Ranks are fractional: equal ratings share the mean of their ranks r, and (r − ½) / n, the share
    of the group's n ratings that lie below (equal ones counting half), makes annotators with many
    and with few ratings comparable. Within a group this is the rank but for its unit.

    Parameters
    ----------
    values : array_like, shape (ratings,)
        Everything that the annotators finally rated, references included, before any filter.
    groups : array_like of int, shape (ratings,)
        Group of each rating from 0: one number per annotator × aspect × campaign.

    Returns
    -------
    ndarray, shape (ratings,)
        Between 0 and 1, with mean ½ in every group; NaN where the rating is missing. A group
        without spread has ½ throughout.

    Raises
    ------
    ValueError
        If lengths differ, or a group is negative or not a whole number.

    Examples
    --------
    >>> rank_scores([10, 40, 40, 90, 7], [0, 0, 0, 0, 1]).tolist()
    [0.125, 0.5, 0.5, 0.875, 0.5]
    """
    ratings, [codes] = long_form(values, groups)
    ranks = np.full(ratings.shape, np.nan)
    present = np.flatnonzero(np.isfinite(ratings))
    if not present.size:
        return ranks
    order = present[np.lexsort((ratings[present], codes[present]))]
    group, value = codes[order], ratings[order]
    new_group = np.append(True, group[1:] != group[:-1])
    starts = np.flatnonzero(new_group | np.append(True, value[1:] != value[:-1]))
    ends = np.append(starts[1:], order.size)
    middle = np.repeat((starts + ends) / 2, ends - starts)
    group_starts = np.flatnonzero(new_group)
    sizes = np.diff(np.append(group_starts, order.size))
    ranks[order] = (middle - np.repeat(group_starts, sizes)) / np.repeat(sizes, sizes)
    return ranks


def mean_per_output(
    values: npt.ArrayLike, outputs: npt.ArrayLike, n_outputs: int
) -> tuple[FloatArray, IntArray]:
    """Return the mean rating of each output and the number of ratings it rests on.

    Parameters
    ----------
    values : array_like, shape (ratings,)
        Raw ratings, z-scores or ranks; NaN does not enter.
    outputs : array_like of int, shape (ratings,)
        Output of each rating, from 0.
    n_outputs : int

    Returns
    -------
    means : ndarray, shape (n_outputs,)
        NaN where an output has no rating.
    counts : ndarray of int, shape (n_outputs,)

    Raises
    ------
    ValueError
        If lengths differ or an index is out of range.

    Examples
    --------
    >>> means, counts = mean_per_output([1, 3, 4], [0, 0, 2], 3)
    >>> means.tolist(), counts.tolist()
    ([2.0, nan, 4.0], [2, 0, 1])
    """
    ratings, [codes] = long_form(values, outputs)
    if codes.size and codes.max() >= n_outputs:
        raise ValueError("an output index is out of range")
    counts, means = _group_means(ratings, codes, n_outputs)
    return means, counts


def _group_means(
    ratings: FloatArray, codes: IntArray, n_groups: int
) -> tuple[IntArray, FloatArray]:
    present = np.isfinite(ratings)
    counts = np.bincount(codes[present], minlength=n_groups)
    sums = np.bincount(codes[present], ratings[present], n_groups)
    return counts, ratio(sums, counts)
