"""Where the variance of ratings comes from: systems, segments, raters, and how they interact."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, Columns, FloatArray, as_cube
from analysis.stats.results import Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

CROSSED = (
    "system",
    "segment",
    "rater",
    "system × segment",
    "system × rater",
    "segment × rater",
    "residual",
)
NESTED = ("system", "segment", "system × segment", "residual")
WORDS = {
    "system": "systems are better or worse: what a ranking rests on",
    "segment": "some segments get higher scores, whatever the system",
    "rater": "some raters are more severe than others",
    "system × segment": "systems do well on different segments",
    "system × rater": "raters like different systems",
    "segment × rater": "raters like different segments",
    "residual": "noise: what a second rating would not repeat, and everything else",
}
"""What each source of variance says."""


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """Estimated variance of each source.

    Parameters
    ----------
    estimates : mapping of str to float
        Unbiased, hence below zero at times.
    systems, segments, raters : int
        Systems; segments that entered; raters (or slots) of the largest batch.
    cells : int
        Ratings that entered.
    details : mapping
        Batches and segments left out.
    signature : str
    """

    estimates: Mapping[str, float]
    systems: int
    segments: int
    raters: int
    cells: int
    details: Mapping[str, Any]
    signature: str

    def of(self, source: str) -> float:
        """Return a component, zero where the estimate is below zero or the design has none."""
        return max(0.0, self.estimates.get(source, 0.0))

    def shares(self) -> dict[str, float]:
        """Return each component's share of the total, negative ones counted as zero."""
        total = sum(self.of(source) for source in self.estimates)
        return {source: self.of(source) / total if total else 0.0 for source in self.estimates}

    def generalizability(self, segments: int, raters: int) -> float:
        """Return the share of true variance in system means over new segments and raters.

        σ²(system) / (σ²(system) + relative error), the coefficient Eρ² of Cronbach et al. (1972);
        0 where systems do not differ.
        """
        true = self.of("system")
        return true / (true + self.relative_error(segments, raters)) if true else 0.0

    def relative_error(self, segments: float, raters: float) -> float:
        """Return the variance of a system mean around its true place among the systems.

        Every one of `raters` rates every one of `segments` under all systems. What shifts all
        systems alike (segments, severity of raters) does not count.
        """
        return (
            self.of("system × segment") / segments
            + self.of("system × rater") / raters
            + self.of("residual") / (segments * raters)
        )

    def absolute_error(self, segments: float, raters: float) -> float:
        """Return the variance of a system mean around its true value.

        As `relative_error`, with what shifts all systems alike: segments that are easy, raters
        who are severe.
        """
        return (
            (self.of("segment") + self.of("system × segment")) / segments
            + (self.of("rater") + self.of("system × rater")) / raters
            + (self.of("segment × rater") + self.of("residual")) / (segments * raters)
        )


def variance_components(
    ratings: npt.ArrayLike,
    *,
    columns: Columns = "raters",
    batches: npt.ArrayLike | None = None,
    variant: Variant = NO_VARIANT,
) -> VarianceComponents | Undefined:
    """Estimate variance components by the mean squares of the analysis of variance.

    All effects are random. With raters as columns the design is systems × segments × raters, one
    rating a cell, so that the three-way interaction is part of the residual; with slots (new
    raters for every output) it is systems × segments with raters inside, whose differences are all
    residual. Where different raters rated different batches of segments, each batch is analysed by
    itself and estimates are averaged, weighted by ratings. Mean squares need complete tables: a
    segment in which a rater of its batch left out an output does not enter, and is counted.
    Cronbach et al. (1972); Brennan (2001).

    Parameters
    ----------
    ratings : array_like, shape (segments, systems, raters)
        NaN where missing.
    columns : {"raters", "slots"}
    batches : array_like of int, shape (segments,), optional
        Default: one batch.
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    VarianceComponents or Undefined
        Undefined where no batch has two systems, two complete segments and two raters.

    Raises
    ------
    ValueError
        If the shapes do not fit or `columns` is unknown.
    """
    values = as_cube(ratings)
    codes = np.zeros(values.shape[0]) if batches is None else np.asarray(batches)
    if codes.shape != values.shape[:1] or columns not in get_args(Columns):
        raise ValueError(f"one batch per segment is needed, columns raters or slots: {columns}")
    name = signature("variance-components", columns=columns, **variant)
    systems = np.isfinite(values).any(axis=(0, 2))
    values = values[:, systems]
    tables = []
    for batch in np.unique(codes):
        table = _complete(values[codes == batch], columns)
        if min(table.shape) >= 2:
            tables.append(table)
    used = sum(table.shape[0] for table in tables)
    details = {
        "batches": len(tables),
        "batches_left_out": int(np.unique(codes).size - len(tables)),
        "segments_left_out": int(values.shape[0] - used),
    }
    if not tables:
        reason = "no batch has two systems, two completely rated segments and two raters"
        return Undefined(reason, values.shape[0], "segments", name, details)
    estimate = _crossed if columns == "raters" else _nested
    weights = np.array([table.size for table in tables], dtype=np.float64)
    pooled = np.average([estimate(table) for table in tables], axis=0, weights=weights)
    sources = CROSSED if columns == "raters" else NESTED
    return VarianceComponents(
        {source: float(value) for source, value in zip(sources, pooled, strict=True)},
        systems=tables[0].shape[1],
        segments=used,
        raters=max(table.shape[2] for table in tables),
        cells=int(weights.sum()),
        details=details,
        signature=name,
    )


def _complete(values: FloatArray, columns: Columns) -> FloatArray:
    """Return the segments that every rater of the batch rated under all systems."""
    present: BoolArray = np.isfinite(values)
    if columns == "raters":
        table = values[:, :, present.any(axis=(0, 1))]
    else:
        # Slots are interchangeable: as many as most segments have, filled from the left.
        counts = present.sum(axis=2)
        width = int(np.median(counts.min(axis=1))) if counts.size else 0
        order = np.argsort(~present, axis=2, kind="stable")
        table = np.take_along_axis(values, order, axis=2)[:, :, :width]
    return table[np.isfinite(table).all(axis=(1, 2))]


def _crossed(table: FloatArray) -> list[float]:
    """Solve the expected mean squares of the three-way design (segments, systems, raters)."""
    s, p, r = table.shape
    x = table - table.mean()
    by_s, by_p, by_r = x.mean(axis=(1, 2)), x.mean(axis=(0, 2)), x.mean(axis=(0, 1))
    by_sp = x.mean(axis=2) - by_s[:, None] - by_p[None, :]
    by_sr = x.mean(axis=1) - by_s[:, None] - by_r[None, :]
    by_pr = x.mean(axis=0) - by_p[:, None] - by_r[None, :]
    rest = (
        x
        - by_sp[:, :, None]
        - by_sr[:, None, :]
        - by_pr[None, :, :]
        - by_s[:, None, None]
        - by_p[None, :, None]
        - by_r[None, None, :]
    )
    ms_s = p * r * float((by_s**2).sum()) / (s - 1)
    ms_p = s * r * float((by_p**2).sum()) / (p - 1)
    ms_r = s * p * float((by_r**2).sum()) / (r - 1)
    ms_sp = r * float((by_sp**2).sum()) / ((s - 1) * (p - 1))
    ms_sr = p * float((by_sr**2).sum()) / ((s - 1) * (r - 1))
    ms_pr = s * float((by_pr**2).sum()) / ((p - 1) * (r - 1))
    ms_rest = float((rest**2).sum()) / ((s - 1) * (p - 1) * (r - 1))
    return [
        (ms_p - ms_sp - ms_pr + ms_rest) / (s * r),
        (ms_s - ms_sp - ms_sr + ms_rest) / (p * r),
        (ms_r - ms_sr - ms_pr + ms_rest) / (s * p),
        (ms_sp - ms_rest) / r,
        (ms_pr - ms_rest) / s,
        (ms_sr - ms_rest) / p,
        ms_rest,
    ]


def _nested(table: FloatArray) -> list[float]:
    """Solve the expected mean squares of systems × segments with ratings inside."""
    s, p, k = table.shape
    x = table - table.mean()
    cells = x.mean(axis=2)
    by_s, by_p = cells.mean(axis=1), cells.mean(axis=0)
    by_sp = cells - by_s[:, None] - by_p[None, :]
    ms_s = p * k * float((by_s**2).sum()) / (s - 1)
    ms_p = s * k * float((by_p**2).sum()) / (p - 1)
    ms_sp = k * float((by_sp**2).sum()) / ((s - 1) * (p - 1))
    within = float(((x - cells[:, :, None]) ** 2).sum()) / (s * p * (k - 1))
    return [(ms_p - ms_sp) / (s * k), (ms_s - ms_sp) / (p * k), (ms_sp - within) / k, within]
