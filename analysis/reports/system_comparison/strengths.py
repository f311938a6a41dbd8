"""Strengths of systems whose outputs were judged against each other, by aspect."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from analysis.data.selection import Cells
from analysis.data.study_data import CHOICES, Floats, StudyData
from analysis.estimates.correlations import system_names
from analysis.reports.system_comparison.many_systems import MOST_LISTED, neighbours
from analysis.stats.resampling.multiplicity import holm
from analysis.stats.results import Estimate, Undefined
from analysis.stats.systems.bradley_terry import fit_strengths


@dataclass(frozen=True)
class SystemStrength:
    """The log strength of a system."""

    system: str
    result: Estimate


@dataclass(frozen=True)
class StrengthPair:
    """Two systems by name, the stronger first, with Wald's test of their difference."""

    first: str
    second: str
    difference: float
    p_value: float
    holm: float


@dataclass(frozen=True)
class StrengthColumns:
    """Every two strengths in columns: places in the order, difference, p-values."""

    first: list[int]
    second: list[int]
    difference: list[float]
    p_value: list[float]
    holm: list[float]

    def pairs(self, names: Sequence[str], places: Iterable[int]) -> Iterator[StrengthPair]:
        """Yield some of the pairs."""
        for place in places:
            yield StrengthPair(
                names[self.first[place]],
                names[self.second[place]],
                *(self.difference[place], self.p_value[place], self.holm[place]),
            )


@dataclass(frozen=True, kw_only=True)
class Strengths:
    """Log strengths of systems on an aspect, strongest first, or why there are none.

    Of many systems `pairs` has the neighbours, and `pair_columns` all.
    """

    aspect: str
    judgements: int
    ties: int
    left_out: tuple[str, ...] = ()
    undefined: Undefined | None = None
    systems: tuple[SystemStrength, ...] = ()
    pairs: tuple[StrengthPair, ...] = ()
    pair_columns: StrengthColumns | None = None
    position: Estimate | None = None

    @property
    def all_pairs(self) -> Iterable[StrengthPair]:
        """Every two systems."""
        if not self.pair_columns:
            return self.pairs
        names = [each.system for each in self.systems]
        return self.pair_columns.pairs(names, range(len(self.pair_columns.first)))


def strengths(data: StudyData, cells: Cells) -> Iterator[Strengths]:
    """Yield the strengths of the selected systems for each aspect judged output against output."""
    judged = data.judgements
    # The last place is that of outputs of no system, whose column is -1.
    place = np.full(len(data.systems) + 1, -1)
    place[cells.systems] = np.arange(len(cells.systems))
    columns = place[data.column_of_output]
    wanted = np.isin(data.segment_of_output, cells.segments)
    known = np.flatnonzero((judged.choice >= 0) & (judged.second >= 0))
    first, second = columns[judged.first[known]], columns[judged.second[known]]
    kept = (first >= 0) & (second >= 0) & (first != second) & wanted[judged.first[known]]
    rows, first, second = known[kept], first[kept], second[kept]
    outcomes = np.array([{"first": 1, "second": -1, "tie": 0}[name] for name in CHOICES])
    for index, aspect in enumerate(judged.aspects):
        own = judged.aspect[rows] == index
        if not own.any():
            continue
        outcome, side = outcomes[judged.choice[rows[own]]], judged.side[rows[own]]
        one, other = first[own], second[own]
        # Without the side on which each text stood no advantage of a side can be told.
        sided = bool((side >= 0).all())
        if sided:
            swapped = side == 1
            one, other = np.where(swapped, other, one), np.where(swapped, one, other)
            outcome = np.where(swapped, -outcome, outcome)
        yield _fitted(aspect, one, other, outcome, system_names(data, cells), sided)


def _fitted(
    aspect: str, one: Any, other: Any, outcome: Any, names: tuple[str, ...], sided: bool
) -> Strengths:
    """Fit the strengths of those systems that were judged against others."""
    met = np.unique(np.concatenate([one, other]))
    never = np.setdiff1d(np.arange(len(names)), met)
    fit = fit_strengths(
        np.searchsorted(met, one),
        np.searchsorted(met, other),
        outcome,
        len(met),
        position=sided,
    )
    described = partial(
        Strengths,
        aspect=aspect,
        judgements=len(one),
        ties=int((outcome == 0).sum()),
        left_out=tuple(names[column] for column in never),
    )
    if isinstance(fit, Undefined):
        return described(undefined=fit)
    order = np.argsort([-system.value for system in fit.systems], kind="stable")
    columns = _strength_pairs(*fit.differences(), order)
    many = len(met) > MOST_LISTED
    shown = neighbours(len(met)).tolist() if many else range(len(columns.first))
    listed = [names[met[i]] for i in order]
    return described(
        systems=tuple(SystemStrength(names[met[i]], fit.systems[i]) for i in order),
        pairs=tuple(columns.pairs(listed, shown)),
        pair_columns=columns if many else None,
        position=fit.position,
    )


def _strength_pairs(gaps: Floats, p_values: Floats, order: Any) -> StrengthColumns:
    first, second = np.triu_indices(len(order), 1)
    ends = order[first], order[second]
    return StrengthColumns(
        first=first.tolist(),
        second=second.tolist(),
        difference=gaps[ends].tolist(),
        p_value=p_values[ends].tolist(),
        holm=holm(p_values[ends]).tolist(),
    )
