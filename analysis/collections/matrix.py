"""From compared entries to the rows of a matrix, and the tests of every two of them."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from django.conf import settings

from analysis.collections.content import ColumnRead, Matrix, PairTests, Standing
from analysis.models import Collection
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.tasks.joint_comparison import Compared

CONFIDENCE = 0.95
AVERAGE = "average"
DRAWS_FOR_A_PAIR = 40
Cell = Callable[[int, int, float], Estimate]
"""From column (−1: the average), entry and value to an estimate without its interval."""


def matrix_of(
    columns: Sequence[ColumnRead],
    names: Sequence[str],
    notes: Sequence[str],
    compared: tuple[Sequence[Compared], Compared],
    estimate: Cell,
    reason: Callable[[int, int], Undefined],
    over: Sequence[str],
    permutations: int,
) -> Matrix:
    """Return the matrix, the highest average first, then those without one by their first value.

    Parameters
    ----------
    columns, names, notes
        Of columns, and of entries.
    compared
        Values of each column, and of the average.
    estimate, reason
        Make the result of a cell, defined or not.
    over
        By column, then of the average: what intervals resample, in words.
    permutations
        Draws of the tests.
    """
    of_columns, average = compared
    by_place = [*of_columns, average]
    order = sorted(range(len(names)), key=lambda entry: _place(entry, by_place))

    def cell(column: int, entry: int) -> Result:
        found = by_place[column]
        value = float(found.values[entry])
        if not np.isfinite(value):
            return reason(column, entry)
        made = estimate(column, entry, value)
        low, high = float(found.low[entry]), float(found.high[entry])
        method = f"percentile bootstrap over {over[column]}"
        known = np.isfinite(low) and np.isfinite(high)
        interval = Interval(low, high, CONFIDENCE, method) if known else None
        details = {**made.details, "rank": found.ranks[entry]}
        if degenerate := int(found.degenerate[entry]):
            details["degenerate_draws"] = degenerate
        return Estimate(
            made.value,
            made.n,
            made.unit,
            made.signature,
            pairs=made.pairs,
            interval=interval,
            details=details,
        )

    rows = tuple(
        Standing(
            name=names[entry],
            note=notes[entry],
            cells=tuple(cell(place, entry) for place in range(len(columns))),
            ranks=tuple(each.ranks[entry] for each in of_columns),
            average=cell(-1, entry),
            rank=average.ranks[entry],
        )
        for entry in order
    )
    pairs = [_tests(AVERAGE, average, order)]
    pairs += [
        _tests(column.name, each, order) for column, each in zip(columns, of_columns, strict=True)
    ]
    return Matrix(columns=tuple(columns), rows=rows, pairs=tuple(pairs), permutations=permutations)


def permutations_for(collection: Collection, entries: int) -> int:
    """Return the draws of tests: with Holm's correction enough that it can detect something.

    With k draws no two-sided p is below 2 / (k + 1), and the smallest is multiplied by the number
    of pairs. A site may allow fewer.
    """
    pairs = entries * (entries - 1) // 2
    if collection.correction == Collection.Correction.NONE:
        return collection.draws
    return max(collection.draws, min(DRAWS_FOR_A_PAIR * pairs, settings.RESAMPLES_LIMIT))


def _place(entry: int, by_place: Sequence[Compared]) -> tuple[float, ...]:
    """Order by the average, then by the columns; what is undefined comes last."""
    values = [float(found.values[entry]) for found in (by_place[-1], *by_place[:-1])]
    return tuple(np.inf if np.isnan(value) else -value for value in values)


def _tests(column: str, compared: Compared, order: Sequence[int]) -> PairTests:
    better, worse, difference, p_value, adjusted = [], [], [], [], []
    for first, second in combinations(range(len(order)), 2):
        one, other = compared.values[order[first]], compared.values[order[second]]
        if np.isnan(one) or np.isnan(other):
            continue
        high, low = (first, second) if one >= other else (second, first)
        better.append(high)
        worse.append(low)
        difference.append(float(abs(one - other)))
        p_value.append(float(compared.p_values[order[high], order[low]]))
        adjusted.append(float(compared.adjusted[order[high], order[low]]))
    return PairTests(
        column=column,
        better=better,
        worse=worse,
        difference=difference,
        p_value=p_value,
        adjusted=adjusted,
    )
