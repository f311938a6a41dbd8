"""Entries compared over columns become the rows of a matrix, with the tests of every two."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import cast

import numpy as np
from django.conf import settings

from analysis.collections.content import ColumnRead, Matrix, PairTests, Standing
from analysis.models import Collection
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import VariantValue
from analysis.stats.tasks.joint_comparison import Column, Compared, Correction, compare_over_tasks

CONFIDENCE = 0.95
AVERAGE = "average"
DRAWS_FOR_A_PAIR = 40


class Entries(ABC):
    """Metrics or systems that are compared over columns of a collection.

    Attributes
    ----------
    collection
    names, notes
        Of entries; filled by subclasses.
    """

    unit_range = False
    """Whether correlations enter the average as (r + 1) / 2."""
    names: Sequence[str]
    notes: Sequence[str]

    def __init__(self, collection: Collection) -> None:
        self.collection = collection

    @abstractmethod
    def columns(self) -> list[tuple[ColumnRead, Column]]:
        """Return what each column is, and its statistic."""

    @abstractmethod
    def over(self, columns: Sequence[ColumnRead]) -> list[str]:
        """Say by column, then of the average, what intervals resample."""

    @abstractmethod
    def estimate(self, column: int, entry: int, value: float) -> Estimate:
        """Return the result of a cell without its interval; column −1 is the average."""

    @abstractmethod
    def reason(self, column: int, entry: int) -> Undefined:
        """Say why a cell has no value."""

    def as_given(self, column: int, compared: Compared) -> Compared:
        """Return the comparison of a column on the scale in which it is shown."""
        return compared

    def resampling(self) -> dict[str, VariantValue]:
        """Return the part of signatures about resampling."""
        draws, seed = self.collection.draws, self.collection.seed
        return {"resamples": draws, "seed": seed, "confidence": CONFIDENCE}

    def matrix(self) -> Matrix:
        """Compare; the highest average first, then those without one by their first value."""
        permutations = permutations_for(self.collection, len(self.names))
        columns, compared = zip(*self.columns(), strict=True)
        of_columns, average = compare_over_tasks(
            compared,
            len(self.names),
            unit_range=self.unit_range,
            correction=cast(Correction, self.collection.correction),
            draws=self.collection.draws,
            permutations=permutations,
            seed=self.collection.seed,
            confidence=CONFIDENCE,
        )
        given = [self.as_given(place, each) for place, each in enumerate(of_columns)]
        by_place, over = [*given, average], self.over(columns)
        order = sorted(range(len(self.names)), key=lambda entry: _place(entry, by_place))
        rows = tuple(
            Standing(
                name=self.names[entry],
                note=self.notes[entry],
                cells=tuple(
                    self._cell(place, entry, each, over[place]) for place, each in enumerate(given)
                ),
                ranks=tuple(each.ranks[entry] for each in given),
                average=self._cell(-1, entry, average, over[-1]),
                rank=average.ranks[entry],
            )
            for entry in order
        )
        named = [AVERAGE, *(column.name for column in columns)]
        tested = zip(named, [average, *given], strict=True)
        pairs = tuple(_tests(name, each, order) for name, each in tested)
        return Matrix(columns=columns, rows=rows, pairs=pairs, permutations=permutations)

    def _cell(self, column: int, entry: int, found: Compared, over: str) -> Result:
        value = float(found.values[entry])
        if not np.isfinite(value):
            return self.reason(column, entry)
        made = self.estimate(column, entry, value)
        low, high = float(found.low[entry]), float(found.high[entry])
        known = np.isfinite(low) and np.isfinite(high)
        method = f"percentile bootstrap over {over}"
        details = {**made.details, "rank": found.ranks[entry]}
        if degenerate := int(found.degenerate[entry]):
            details["degenerate_draws"] = degenerate
        interval = Interval(low, high, CONFIDENCE, method) if known else None
        return replace(made, interval=interval, details=details)


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
