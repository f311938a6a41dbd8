"""Columns of a comparison over tasks: statistics on studies, and their weighted average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from analysis.stats.arrays import FloatArray, IntArray


class Statistic(Protocol):
    """A statistic of several entries that can be swapped between them, and resampled."""

    @property
    def values(self) -> FloatArray: ...
    def differences(self, pairs: Sequence[tuple[int, int]], bits: FloatArray) -> FloatArray: ...
    def resampled(self, counts: FloatArray) -> FloatArray: ...


@dataclass(frozen=True, slots=True)
class Units:
    """The segments of a study, or its systems: what is swapped and resampled."""

    study: str
    level: str
    size: int


@dataclass(frozen=True)
class Part:
    """A statistic on one study.

    Parameters
    ----------
    statistic : Statistic
    entries : tuple of int
        What each of its entries is among all entries.
    units : Units
    taken : ndarray of int
        The units that the statistic reads, in its order.
    share : float
        Of the column; parts of a column are pooled by their shares.
    """

    statistic: Statistic
    entries: tuple[int, ...]
    units: Units
    taken: IntArray
    share: float = 1.0


@dataclass(frozen=True)
class Column:
    """One value for each entry, of one part or of several that are pooled.

    Parameters
    ----------
    parts : tuple of Part
    weight : float
        In the average.
    lowest : float
        Lowest possible value. With −1 a value r enters the average as (r + 1) / 2 where that is
        asked for.
    """

    parts: tuple[Part, ...]
    weight: float = 1.0
    lowest: float = 0.0

    @cached_property
    def entries(self) -> tuple[int, ...]:
        """Entries that all of its parts have, with a value."""
        found = [
            {
                entry
                for entry, value in zip(part.entries, part.statistic.values, strict=True)
                if np.isfinite(value)
            }
            for part in self.parts
        ]
        return tuple(sorted(set.intersection(*found))) if found else ()

    def places(self, part: Part) -> list[int]:
        """Return where the column's entries are among a part's."""
        there = {entry: place for place, entry in enumerate(part.entries)}
        return [there[entry] for entry in self.entries]


def pooled_values(column: Column, n_entries: int) -> FloatArray:
    """Return the value of each entry in a column, NaN where it has none."""
    found = np.full(n_entries, np.nan)
    if column.entries:
        found[list(column.entries)] = sum(
            part.share * part.statistic.values[column.places(part)] for part in column.parts
        )
    return found


class Averaging:
    """The columns, and how values of them become an average.

    Parameters
    ----------
    columns : sequence of Column
    n_entries : int
    unit_range : bool
        Whether values of columns that begin at −1 enter as (v + 1) / 2.
    """

    def __init__(self, columns: Sequence[Column], n_entries: int, unit_range: bool) -> None:
        self.columns, self.n_entries = columns, n_entries
        total = sum(column.weight for column in columns)
        halved = [column.lowest < 0 and unit_range for column in columns]
        self.factors = [
            column.weight / total * (0.5 if half else 1.0)
            for column, half in zip(columns, halved, strict=True)
        ]
        self.offset = sum(factor for factor, half in zip(self.factors, halved, strict=True) if half)
        everywhere = [set(column.entries) for column in columns]
        self.entries = sorted(set.intersection(*everywhere)) if everywhere else []
        self.units = {part.units for column in columns for part in column.parts}

    def with_average(self, by_column: Sequence[FloatArray]) -> list[FloatArray]:
        """Return values of columns (entries × …), and the average of them last."""
        average = np.full(by_column[0].shape, np.nan)
        parts = zip(self.factors, by_column, strict=True)
        average[self.entries] = self.offset + sum(
            factor * values[self.entries] for factor, values in parts
        )
        return [*by_column, average]
