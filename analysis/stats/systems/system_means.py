"""Mean human scores of systems, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, as_matrix, as_vector, is_constant
from analysis.stats.resampling.proportions import at_the_edge
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

Scores = Literal["raw", "z", "rank"]


@dataclass(frozen=True, slots=True)
class SystemScore:
    """Mean human score of a system and its place.

    Parameters
    ----------
    system : str
    score : Estimate or Undefined
        Mean over the system's scored outputs; ``n`` counts outputs.
    rank : int or None
        1 is best; tied systems share the better place. None where undefined.
    """

    system: str
    score: Result
    rank: int | None


def rank_systems(
    scores: npt.ArrayLike,
    systems: Sequence[str],
    *,
    kind: Scores = "raw",
    level: float = 0.95,
    bounds: tuple[float, float] | None = None,
) -> list[SystemScore]:
    """Rank systems by the mean of their outputs' human scores.

    Parameters
    ----------
    scores : array_like, shape (segments, systems)
        Human score of each output (`mean_per_output`), NaN where missing.
    systems : sequence of str
        Names of the columns.
    kind : {"raw", "z", "rank"}
        What the scores are, for the signature.
    level : float
    bounds : tuple of float, optional
        Lowest and highest score, where a mean at one of them is a share of outputs: of wins.

    Returns
    -------
    list of SystemScore
        Best first, undefined last; equal means in the order of names. The interval is Student's t
        over outputs, at a bound Clopper and Pearson's, None for a single output.

    Raises
    ------
    ValueError
        If there is not one name per column.
    """
    matrix = as_matrix(scores, "scores")
    return rank_columns(
        list(matrix.T), systems, segments=len(matrix), kind=kind, level=level, bounds=bounds
    )


def rank_columns(
    columns: Sequence[npt.ArrayLike],
    systems: Sequence[str],
    *,
    segments: int,
    kind: Scores = "raw",
    level: float = 0.95,
    bounds: tuple[float, float] | None = None,
) -> list[SystemScore]:
    """Rank systems as `rank_systems` does, by the scores of each.

    Parameters
    ----------
    columns : sequence of array_like
        Human scores of the outputs of each system; missing ones may be NaN or absent.
    systems : sequence of str
    segments : int
        Of which an output could have been scored.
    kind : {"raw", "z", "rank"}
    level : float

    Raises
    ------
    ValueError
        If there is not one name for each of the columns.

    Examples
    --------
    >>> [row.system for row in rank_columns([[1.0, 2.0], [3.0]], ["A", "B"], segments=2)]
    ['B', 'A']
    """
    if len(columns) != len(systems):
        raise ValueError(f"{len(columns)} columns, but {len(systems)} systems")
    name = signature("system-mean", human=kind, level=level)
    results = [_mean(as_vector(column), segments, level, name, bounds) for column in columns]
    defined = [result.value for result in results if isinstance(result, Estimate)]
    rows = [
        SystemScore(system, result, _rank(result, defined))
        for system, result in zip(systems, results, strict=True)
    ]
    return sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.system))


def _rank(result: Result, defined: Sequence[float]) -> int | None:
    """Place among the defined means; within 1e-9 they are tied."""
    if isinstance(result, Undefined):
        return None
    return 1 + sum(other > result.value + 1e-9 for other in defined)


def _mean(
    column: FloatArray,
    segments: int,
    level: float,
    name: str,
    bounds: tuple[float, float] | None,
) -> Result:
    present = column[np.isfinite(column)]
    if present.size == 0:
        return Undefined("no output of this system was rated", 0, "outputs", name)
    value, interval, deviation = float(present.mean()), None, None
    if present.size > 1:
        deviation = 0.0 if is_constant(present) else float(present.std(ddof=1))
        half = float(scipy.special.stdtrit(present.size - 1, (1 + level) / 2)) * deviation
        half /= np.sqrt(present.size)
        interval = Interval(value - half, value + half, level, "Student's t over outputs")
        if bounds:
            edge = at_the_edge(value, present.size, level, over="outputs", bounds=bounds)
            interval = edge or interval
    return Estimate(
        value,
        n=present.size,
        unit="outputs",
        signature=name,
        interval=interval,
        details={
            "standard_deviation": deviation,
            "missing_outputs": int(segments - present.size),
        },
    )
