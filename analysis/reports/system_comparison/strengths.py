"""Strengths of systems whose outputs were judged against each other, by aspect."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import CHOICES
from analysis.data.selection import Cells
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import bootstrap_of
from analysis.estimates.correlations import system_names
from analysis.estimates.evaluation import asked_about
from analysis.filter.question import Question
from analysis.reports.grouping import grouped
from analysis.reports.summaries import some
from analysis.reports.system_comparison.many_systems import MOST_LISTED, neighbours
from analysis.stats.resampling.permutation import holm
from analysis.stats.results import Estimate, Undefined
from analysis.stats.systems.bradley_terry import Penalty, comparable_systems, fit_strengths
from analysis.stats.systems.vote_bootstrap import (
    resampled_strengths,
    share_of_votes,
    with_resampled_intervals,
)
from corpus.progress import ProgressCallback, unreported


@dataclass(frozen=True)
class SystemStrength:
    """The log strength of a system, and the share of its votes that it won; ties are not won."""

    system: str
    result: Estimate
    won: Estimate | Undefined


@dataclass(frozen=True)
class UnboundedSystem:
    """A system that was judged and has no finite strength, with the reason."""

    system: str
    result: Undefined


@dataclass(frozen=True)
class StrengthPair:
    """Two systems by name, the stronger first, with Wald's test of their difference."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"system": "first", "other_system": "second"}
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

    Of many systems `pairs` has the neighbours, and `pair_columns` all. Votes that call both texts
    bad are counted among the ties. `resampled` says over what intervals were resampled, if any.
    `within` counts the judgements of two systems that have a strength; `unbounded` has the systems
    that were judged and have none, or that are why nobody has one.
    """

    aspect: str
    judgements: int
    ties: int
    both_bad: int = 0
    both_bad_share: Estimate | None = None
    resampled: str = ""
    penalty: str = "none"
    within: int = 0
    left_out: tuple[str, ...] = ()
    unbounded: tuple[UnboundedSystem, ...] = ()
    undefined: Undefined | None = None
    systems: tuple[SystemStrength, ...] = ()
    pairs: tuple[StrengthPair, ...] = ()
    pair_columns: StrengthColumns | None = None
    position: Estimate | None = None

    @property
    def without(self) -> list[tuple[str, list[str]]]:
        """Why systems have no finite strength, each reason once with their names."""
        reasons = grouped(self.unbounded, lambda each: each.result.reason)
        return [(reason, [each.system for each in own]) for reason, own in reasons.items()]

    @property
    def all_pairs(self) -> Iterable[StrengthPair]:
        """Every two systems."""
        if not self.pair_columns:
            return self.pairs
        names = [each.system for each in self.systems]
        return self.pair_columns.pairs(names, range(len(self.pair_columns.first)))


@dataclass(frozen=True)
class _Votes:
    """Judgements of pairs on an aspect: systems of the first and second text, and the outcome."""

    one: Integers
    other: Integers
    outcome: Integers
    both_bad: NDArray[np.bool_]
    sided: bool
    clusters: Integers | None


def judged_systems(
    data: StudyData, cells: Cells, question: Question
) -> tuple[Integers, Integers, Integers]:
    """Return the judgements of two selected systems on the aspect asked for, and their columns."""
    judged = data.judgements
    # The last place is that of outputs of no system, whose column is -1.
    place = np.full(len(data.systems) + 1, -1)
    place[cells.systems] = np.arange(len(cells.systems))
    columns = place[data.column_of_output]
    wanted = np.isin(data.segment_of_output, cells.segments)
    chosen = asked_about(data, question) & (judged.choice >= 0) & (judged.second >= 0)
    known = np.flatnonzero(chosen)
    first, second = columns[judged.first[known]], columns[judged.second[known]]
    kept = (first >= 0) & (second >= 0) & (first != second) & wanted[judged.first[known]]
    return known[kept], first[kept], second[kept]


def strengths(
    data: StudyData, cells: Cells, question: Question, tell: ProgressCallback = unreported
) -> Iterator[Strengths]:
    """Yield the strengths of the selected systems for each aspect judged output against output."""
    judged = data.judgements
    rows, first, second = judged_systems(data, cells, question)
    outcomes = np.array([{"first": 1, "second": -1}.get(name, 0) for name in CHOICES])
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
        bad = judged.choice[rows[own]] == CHOICES.index("both_bad")
        clusters = _clusters(data, question.resample, rows[own])
        votes = _Votes(one, other, outcome, bad, sided, clusters)
        yield _fitted(aspect, votes, system_names(data, cells), question, tell)


def _clusters(data: StudyData, over: str, rows: Integers) -> Integers | None:
    """Return of each judgement what is resampled, numbered from 0; None where nothing is."""
    judged = data.judgements
    members = {
        "segments": lambda: data.segment_of_output[judged.first[rows]],
        "annotators": lambda: judged.annotator[rows],
    }
    if over not in members:
        return None
    return np.asarray(np.unique(members[over](), return_inverse=True)[1], dtype=np.int64)


def _fitted(
    aspect: str, votes: _Votes, names: tuple[str, ...], question: Question, tell: ProgressCallback
) -> Strengths:
    """Fit the strengths of the systems that were judged and whose strengths are finite."""
    one, other, outcome = votes.one, votes.other, votes.outcome
    met = np.unique(np.concatenate([one, other]))
    never = np.setdiff1d(np.arange(len(names)), met)
    one, other = np.searchsorted(met, one), np.searchsorted(met, other)
    kept, reasons = np.arange(len(met)), dict[int, str]()
    if question.penalty == "none":
        finite, reasons = comparable_systems(one, other, outcome, len(met))
        kept = finite if finite.size else kept
    place = np.full(len(met), -1)
    place[kept] = np.arange(len(kept))
    inside = (place[one] >= 0) & (place[other] >= 0)
    judged = place[one][inside], place[other][inside], outcome[inside]
    penalty = cast(Penalty, question.penalty)
    fit = fit_strengths(*judged, len(kept), position=votes.sided, penalty=penalty)
    signed = fit.signature if isinstance(fit, Undefined) else fit.systems[0].signature
    share = share_of_votes(votes.both_bad) if votes.both_bad.any() else None
    described = partial(
        Strengths,
        aspect=aspect,
        judgements=len(one),
        ties=int((outcome == 0).sum()),
        both_bad=int(votes.both_bad.sum()),
        both_bad_share=share if isinstance(share, Estimate) else None,
        penalty=penalty,
        within=int(inside.sum()),
        left_out=tuple(names[column] for column in never),
        unbounded=tuple(
            UnboundedSystem(names[met[system]], Undefined(reason, 0, "judgements", signed))
            for system, reason in reasons.items()
        ),
    )
    if isinstance(fit, Undefined):
        return described(undefined=_named_groups(fit, [names[met[i]] for i in kept]))
    if votes.clusters is not None:
        bootstrap = bootstrap_of(question)
        resampled = resampled_strengths(
            *judged,
            fit,
            clusters=np.unique(votes.clusters[inside], return_inverse=True)[1],
            bootstrap=bootstrap,
            report=tell,
        )
        fit = with_resampled_intervals(fit, resampled, bootstrap, question.resample)
    order = np.argsort([-system.value for system in fit.systems], kind="stable")
    columns = _strength_pairs(*fit.differences(), order)
    many = len(kept) > MOST_LISTED
    shown = neighbours(len(kept)).tolist() if many else range(len(columns.first))
    listed = [names[met[kept[i]]] for i in order]
    return described(
        systems=tuple(
            SystemStrength(names[met[kept[i]]], fit.systems[i], _won(int(i), *judged))
            for i in order
        ),
        pairs=tuple(columns.pairs(listed, shown)),
        pair_columns=columns if many else None,
        position=fit.position,
        resampled=question.resample if votes.clusters is not None else "",
    )


def _won(system: int, one: Integers, other: Integers, outcome: Integers) -> Estimate | Undefined:
    """Return the share of a system's votes that it won."""
    won = np.concatenate([outcome[one == system] > 0, outcome[other == system] < 0])
    return share_of_votes(won)


def _named_groups(fit: Undefined, names: Sequence[str]) -> Undefined:
    """Name the systems of each group, where groups were never compared with each other."""
    groups = fit.details.get("groups", ())
    if not groups:
        return fit
    listed = "; ".join(some([names[system] for system in group], "systems") for group in groups)
    return replace(fit, reason=f"{fit.reason}: {listed}", details={})


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
