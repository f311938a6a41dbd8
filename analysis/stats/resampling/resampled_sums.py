"""Many statistics on the same resamples: sums over units come from one matrix product for all.

Pooled Pearson's r, tau-like and the reliability of ratings follow from sums over segments. A report
has such statistics by the dozen; each says what it sums, and all are resampled together.
"""

import inspect
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeAlias

import numpy as np

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray
from analysis.stats.resampling.bootstrap import Bootstrap, multiplicities
from analysis.stats.results import Result

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class SumStatistic:
    """A statistic of sums over units.

    Parameters
    ----------
    per_unit : ndarray, shape (units, sums)
        What each unit adds.
    of_sums : callable
        Takes sums (draws × sums), returns one value a draw, NaN where it is degenerate.
    """

    per_unit: FloatArray
    of_sums: Callable[[FloatArray], FloatArray]

    def __call__(self, weights: FloatArray) -> FloatArray:
        """Return the statistic under each row of weights of the units (draws × units)."""
        return self.of_sums(weights @ self.per_unit)


ResampledResult: TypeAlias = Generator[SumStatistic, FloatArray, Result]
"""A computation that hands out a statistic, is sent its draws, and returns a result.

One that needs no draws returns at once.
"""


def known(result: Result) -> ResampledResult:
    """Return a result that needs no draws as a computation."""
    yield from ()
    return result


def resampled_alone(computation: ResampledResult, bootstrap: Bootstrap | None) -> Result:
    """Finish one computation."""
    return resampled_together([computation], bootstrap)[0]


def alone(steps: Callable[P, ResampledResult]) -> Callable[P, Result]:
    """Return a function that finishes one computation, resampled as its `bootstrap` says."""
    parameters = inspect.signature(steps)

    @wraps(steps)
    def computed(*arguments: P.args, **options: P.kwargs) -> Result:
        given = parameters.bind(*arguments, **options)
        given.apply_defaults()
        return resampled_alone(steps(*arguments, **options), given.arguments["bootstrap"])

    return computed


def resampled_together(
    computations: Iterable[ResampledResult], bootstrap: Bootstrap | None
) -> list[Result]:
    """Finish computations, whose draws come from one product for as many as fit in memory.

    Parameters
    ----------
    computations : iterable of generators
        Begun one after the other, so that an iterator need not hold what all of them read.
    bootstrap : Bootstrap, optional
        None where no computation asks for draws.

    Returns
    -------
    list of Estimate or Undefined
        In the order of the computations. Draws are those of `multiplicities`: the same whether a
        statistic is resampled alone or with others.
    """
    results: dict[int, Result] = {}
    waiting: list[tuple[int, ResampledResult, SumStatistic]] = []
    held = count = 0
    for place, computation in enumerate(computations):
        count += 1
        try:
            statistic = next(computation)
        except StopIteration as done:
            results[place] = done.value
            continue
        waiting.append((place, computation, statistic))
        held += statistic.per_unit.size
        if held >= CELLS_IN_MEMORY:
            _finish(waiting, bootstrap, results)
            waiting, held = [], 0
    _finish(waiting, bootstrap, results)
    return [results[place] for place in range(count)]


def draws_of_sums(statistics: Sequence[SumStatistic], bootstrap: Bootstrap) -> list[FloatArray]:
    """Resample statistics of equally many units.

    Parameters
    ----------
    statistics : sequence of SumStatistic
    bootstrap : Bootstrap

    Returns
    -------
    list of ndarray, shape (resamples,)
    """
    per_unit, places = _distinct_columns([statistic.per_unit for statistic in statistics])
    blocks: list[list[FloatArray]] = [[] for _ in statistics]
    for weights in multiplicities(np.ones(per_unit.shape[0]), bootstrap):
        sums = weights @ per_unit
        for block, statistic, own in zip(blocks, statistics, places, strict=True):
            block.append(statistic.of_sums(sums[:, own]))
    return [np.concatenate(block) for block in blocks]


def _distinct_columns(tables: Sequence[FloatArray]) -> tuple[FloatArray, list[list[int]]]:
    """Return the columns that differ, and where each table's columns are among them.

    Sums of human scores are the same for every metric.
    """
    found: dict[bytes, int] = {}
    columns: list[FloatArray] = []
    places = []
    for table in tables:
        own = []
        for column in table.T:
            place = found.setdefault(column.tobytes(), len(columns))
            if place == len(columns):
                columns.append(column)
            own.append(place)
        places.append(own)
    return np.stack(columns, axis=1), places


def _finish(
    waiting: Sequence[tuple[int, ResampledResult, SumStatistic]],
    bootstrap: Bootstrap | None,
    results: dict[int, Result],
) -> None:
    by_units: dict[int, list[tuple[int, ResampledResult, SumStatistic]]] = {}
    for entry in waiting:
        by_units.setdefault(entry[2].per_unit.shape[0], []).append(entry)
    for entries in by_units.values():
        if bootstrap is None:
            raise ValueError("draws are needed, but it is not said how to draw")
        drawn = draws_of_sums([statistic for _, _, statistic in entries], bootstrap)
        for (place, computation, _), draws in zip(entries, drawn, strict=True):
            try:
                computation.send(draws)
            except StopIteration as done:
                results[place] = done.value
            else:
                raise ValueError("a computation asks for draws once")
