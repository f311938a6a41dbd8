"""Style transfer intensity from style distributions of source and output."""

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
UnequalMass = Literal["larger", "mean"]
NEAR_ZERO = 1e-6
"""Room for change, in probability, below which a share of it says nothing."""


def earth_movers_distance(
    source: npt.ArrayLike, output: npt.ArrayLike, *, unequal_mass: UnequalMass = "larger"
) -> FloatArray:
    """Earth Mover's Distance between style distributions with unit distances between styles.

    max(Σ (q − p)⁺, Σ (p − q)⁺). With distributions that sum to one, both sums are the same, half
    the L1 distance (the total variation).

    Parameters
    ----------
    source, output : array_like, shape (texts, styles)
        Distributions p of the sources and q of the outputs.
    unequal_mass : {"larger", "mean"}
        What to take where classifiers' outputs sum to one only roughly, so that the two sums
        differ: the larger, or their mean, which is exactly half the L1 distance (the printed
        values of Mir et al. 2019 to six digits).

    Returns
    -------
    ndarray, shape (texts,)
        NaN where a distribution is missing.

    Raises
    ------
    ValueError
        If shapes differ or are not two-dimensional, or `unequal_mass` is unknown.

    Examples
    --------
    >>> earth_movers_distance([[0.5, 0.5]], [[0.25, 0.625]]).tolist()
    [0.25]
    >>> earth_movers_distance([[0.5, 0.5]], [[0.25, 0.625]], unequal_mass="mean").tolist()
    [0.1875]
    """
    if unequal_mass not in ("larger", "mean"):
        raise ValueError(f"unknown rule for unequal mass: {unequal_mass}")
    p, q = _distributions(source, output)
    change = q - p
    risen, fallen = np.maximum(change, 0).sum(axis=1), np.maximum(-change, 0).sum(axis=1)
    moved = np.maximum(risen, fallen) if unequal_mass == "larger" else (risen + fallen) / 2
    # Distributions that sum to one only roughly could lead beyond it.
    return np.asarray(np.minimum(moved, 1.0), dtype=np.float64)


def direction_corrected_emd(
    source: npt.ArrayLike,
    output: npt.ArrayLike,
    target: npt.ArrayLike,
    *,
    unequal_mass: UnequalMass = "larger",
) -> FloatArray:
    """Earth Mover's Distance, negative where the target style's probability falls.

    Style transfer intensity as Mir et al. (2019) define it. An unchanged probability counts as
    positive.

    Parameters
    ----------
    source, output : array_like, shape (texts, styles)
    target : array_like of int, shape (texts,)
        Column of each text's target style.
    unequal_mass : {"larger", "mean"}
        See `earth_movers_distance`.

    Returns
    -------
    ndarray, shape (texts,)

    Raises
    ------
    ValueError
        If shapes do not fit or a target is no column.

    Examples
    --------
    >>> direction_corrected_emd([[0.9, 0.1]] * 2, [[0.4, 0.6]] * 2, [1, 0]).tolist()
    [0.5, -0.5]
    """
    change = target_style_change(source, output, target)
    distance = earth_movers_distance(source, output, unequal_mass=unequal_mass)
    return np.where(change < 0, -distance, distance)


def target_style_score(output: npt.ArrayLike, target: npt.ArrayLike) -> FloatArray:
    """Return the probability q(t) of the target style in each output, shape (texts,)."""
    _, q = _distributions(output, output)
    return np.asarray(q[np.arange(q.shape[0]), _targets(target, q)], dtype=np.float64)


def target_style_change(
    source: npt.ArrayLike, output: npt.ArrayLike, target: npt.ArrayLike
) -> FloatArray:
    """Return Δ = q(t) − p(t), the change of the target style's probability, shape (texts,).

    With more than two styles it complements the Earth Mover's Distance, which also counts
    movement between other styles.
    """
    p, q = _distributions(source, output)
    rows, columns = np.arange(p.shape[0]), _targets(target, p)
    return np.asarray(q[rows, columns] - p[rows, columns], dtype=np.float64)


def share_of_the_possible(
    source: npt.ArrayLike, output: npt.ArrayLike, target: npt.ArrayLike
) -> FloatArray:
    """Change of the target style's probability as a share of the change that was possible.

    Δ / (1 − p(t)) for Δ ≥ 0, else Δ / p(t): 1 is a full transfer, −1 a full loss.

    Parameters
    ----------
    source, output : array_like, shape (texts, styles)
    target : array_like of int, shape (texts,)

    Returns
    -------
    ndarray, shape (texts,)
        NaN where a distribution is missing, or nearly no change was possible (denominator below
        1e-6).

    Raises
    ------
    ValueError
        If shapes do not fit or a target is no column.

    Examples
    --------
    >>> share_of_the_possible([[0.8, 0.2]] * 2, [[0.4, 0.6]] * 2, [1, 0]).round(6).tolist()
    [0.5, -0.5]
    """
    change = target_style_change(source, output, target)
    before = target_style_score(source, target)
    room = np.where(change >= 0, 1 - before, before)
    share = np.full(change.shape, np.nan)
    np.divide(change, room, out=share, where=room >= NEAR_ZERO)
    return share


def _distributions(source: npt.ArrayLike, output: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    p, q = np.asarray(source, dtype=np.float64), np.asarray(output, dtype=np.float64)
    if p.ndim != 2 or p.shape != q.shape:
        raise ValueError(f"distributions must be two equal tables, found {p.shape} and {q.shape}")
    return p, q


def _targets(target: npt.ArrayLike, distributions: FloatArray) -> npt.NDArray[np.int64]:
    columns: npt.NDArray[Any] = np.asarray(target)
    texts, styles = distributions.shape
    if columns.shape != (texts,) or (texts and columns.dtype.kind not in "iu"):
        raise ValueError("one target style (a column number) per text is needed")
    if texts and not (columns.min() >= 0 and columns.max() < styles):
        raise ValueError("a target style is no column of the distributions")
    return columns.astype(np.int64)
