"""The system comparison report: every system against every other, by human judgements."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from typing import Any, cast

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.measures import NOT_IDENTIFIED
from analysis.data.selection import Cells, human_scores, rated_aspects, scale_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import (
    Compared,
    LeftOutSystem,
    PairTests,
    family,
    permutation_of,
)
from analysis.estimates.correlations import system_names
from analysis.estimates.evaluation import scale_aspects_asked
from analysis.filter.question import DRAWS, Question, QuestionError
from analysis.reports.content import Asked, Content
from analysis.reports.system_comparison.many_systems import (
    MOST_LISTED,
    PairColumns,
    compare_many,
    neighbours,
)
from analysis.reports.system_comparison.mixed_models import MixedComparison, mixed_comparison
from analysis.reports.system_comparison.strengths import Strengths, judged_systems, strengths
from analysis.reports.system_groups import ComparedGroups, compared_groups
from analysis.stats.pieces import InPieces, Piece, put_together, values_of
from analysis.stats.resampling.permutation import Permutation
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import Variant
from analysis.stats.systems.paired_tests import (
    paired_mean_difference,
    sign_flip_test,
    wilcoxon_signed_rank,
)
from analysis.stats.systems.rank_ranges import RankRange, rank_systems

MOST_SYSTEMS = 500
"""Rated or judged systems that are compared at once: 124,750 pairs."""
FEWEST_RATERS = 6
"""Of fewer raters no bootstrap says how much they differ."""
WORK_OF_PAIR = 500
"""Cells that a pair of many systems counts for, beside its segments: p-values, rows, storage."""


@dataclass(frozen=True, kw_only=True)
class SystemMean:
    """A system with its mean human score, and the mean of another kind of scores."""

    system: str
    human: bool
    result: Estimate
    other: Result


@dataclass(frozen=True)
class RankedSystem(RankRange, SystemMean):
    """A system with its means and its place by tests."""


@dataclass(frozen=True, kw_only=True)
class SystemComparisonReport(Content):
    """The systems by an aspect, best first, and the tests of every two.

    Of many systems `pairs` has the neighbours in the ranking, and `pair_columns` all. `mixed` is
    the model of single ratings, where it was asked for.
    """

    aspect: str
    aspects: tuple[str, ...]
    segments: int
    scores: str = "raw"
    systems: tuple[RankedSystem, ...]
    left_out: tuple[LeftOutSystem, ...]
    pairs: tuple[PairTests, ...]
    pair_columns: PairColumns | None = None
    strengths: tuple[Strengths, ...]
    mixed: MixedComparison | None = None
    groups: tuple[ComparedGroups, ...] = ()

    @property
    def all_pairs(self) -> Iterable[PairTests]:
        """Tests of every two systems."""
        return self.pair_columns.tests() if self.pair_columns else self.pairs


def system_comparison_report(asked: Asked) -> SystemComparisonReport:
    """Build the report of one aspect: systems with rank ranges, and the test of every two.

    Where nothing is drawn there are means of human scores, without tests.

    Raises
    ------
    QuestionError
        If the question asks for another test, or too many systems fit.
    """
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    check_system_comparison(data, question)
    aspect = next(iter(scale_aspects_asked(data, question)), "")
    cells = select(data, question)
    means, left_out = _systems(data, question, cells, aspect) if aspect else ({}, [])
    scores = np.empty((len(cells.segments), 0))
    if means:
        scores = cells.of(human_scores(data, question, aspect))[:, list(means)]
    values = [mean.result.value for mean in means.values()]
    columns = None
    many = len(means) > MOST_LISTED
    variant = _variant(question)
    tests = _tests(scores, question, variant) if bootstrap and not many else []
    models = [partial(mixed_comparison, data, question, cells, aspect, list(means))]
    steps: list[InPieces[Any]] = [values_of(tests), values_of(models if bootstrap else [])]
    tested, mixed = put_together(steps, asked.divide, asked.progress)
    if bootstrap and many:
        asked.progress("comparing systems", 0, 0)
        columns, ranges = compare_many(scores, values, question)
        pairs = tuple(columns.tests(neighbours(len(means)).tolist()))
    else:
        pairs, ranges = family(tested, values, question)
    return SystemComparisonReport(
        aspect=aspect,
        aspects=tuple(dict.fromkeys([*scale_aspects(data), *rated_aspects(data)])),
        segments=len(cells.segments),
        scores=question.scores,
        systems=tuple(
            RankedSystem(**vars(mean), **asdict(place))
            for mean, place in zip(means.values(), ranges, strict=True)
        ),
        left_out=tuple(left_out),
        pairs=pairs,
        pair_columns=columns,
        strengths=tuple(strengths(data, cells, question, asked.progress)) if bootstrap else (),
        mixed=mixed[0] if mixed else None,
        groups=compared_groups(
            [data.systems[cells.systems[column]] for column in means], scores, bootstrap, variant
        )
        if bootstrap
        else (),
    )


def check_system_comparison(data: StudyData, question: Question) -> None:
    """Refuse what cannot be compared.

    Raises
    ------
    QuestionError
        If too many systems were rated or judged.
    """
    judged = data.judgements
    outputs = np.concatenate([judged.first, judged.second[judged.second >= 0]])
    met = np.intersect1d(data.column_of_output[outputs], select(data, question).systems)
    if met.size > MOST_SYSTEMS:
        raise QuestionError(
            f"systems: {met.size} systems with ratings fit, at most {MOST_SYSTEMS} are compared at "
            "once; choose some of them by systems or leave_out"
        )


def check_draws(data: StudyData, question: Question) -> None:
    """Refuse a number of draws or a seed where so many systems are compared that none is drawn.

    Raises
    ------
    QuestionError
    """
    if question.resample != "standard":
        return
    asked = [f"{name}={value[0]}" for name, value in question.to_query().items() if name in DRAWS]
    if not asked:
        return
    aspect = next(iter(scale_aspects_asked(data, question)), "")
    if not aspect:
        return
    scores = select(data, question).of(human_scores(data, question, aspect))
    compared = int(np.isfinite(scores).any(axis=0).sum())
    if compared > MOST_LISTED:
        raise QuestionError(
            f"{asked[0]}: {compared} systems are compared, and more than {MOST_LISTED} by tests "
            "that draw nothing; remove it, or choose fewer systems by systems or leave_out"
        )


def check_strengths(data: StudyData, question: Question) -> None:
    """Refuse to resample or penalise votes where there are none, or to resample too few raters.

    Raises
    ------
    QuestionError
    """
    asked = [
        (name, verb)
        for name, verb in (("resample", "resample"), ("penalty", "penalise"))
        if getattr(question, name) != getattr(Question(), name)
    ]
    if not asked:
        return
    rows, *_ = judged_systems(data, select(data, question), question)
    if not rows.size:
        name, verb = asked[0]
        raise QuestionError(
            f"{name}={getattr(question, name)}: no two outputs of these systems were judged "
            f"against each other, so there are no strengths to {verb}; remove it"
        )
    found = np.unique(data.judgements.annotator[rows])
    if question.resample == "annotators" and data.unnamed_raters[found].any():
        raise QuestionError(f"resample=annotators: {NOT_IDENTIFIED}; resample segments")
    raters = found.size
    if question.resample == "annotators" and raters < FEWEST_RATERS:
        raise QuestionError(
            f"resample=annotators: {raters} raters judged these systems, at least {FEWEST_RATERS} "
            "are needed; resample segments"
        )


def system_comparison_cost(question: Question, segments: int, systems: int, ratings: int) -> int:
    """Estimate the work in cells: tests by draws of few systems, sums over segments of many."""
    if question.resample != "standard":
        ratings += question.resamples * (4 * systems**2 + ratings)
    pairs = systems * (systems - 1) // 2
    if systems > MOST_LISTED:
        return ratings + pairs * (WORK_OF_PAIR + segments)
    return ratings + pairs * segments * permutation_of(question, pairs).draws // 30


def _systems(
    data: StudyData, question: Question, cells: Cells, aspect: str
) -> tuple[dict[int, SystemMean], list[LeftOutSystem]]:
    """Return the systems by column, best first by the means asked for, and the unrated."""
    names = system_names(data, cells)
    ranked: dict[str, list[Any]] = {}
    for kind in dict.fromkeys(("raw", "z", question.scores)):
        scores = cells.of(human_scores(data, question.but(scores=kind), aspect))
        ranked[kind] = rank_systems(scores, names, kind=cast(Any, kind))
    other_kind = "z" if question.scores == "raw" else "raw"
    others = {entry.system: entry.score for entry in ranked[other_kind]}
    place = {name: column for column, name in enumerate(names)}
    rated, left_out = {}, []
    for entry in ranked[question.scores]:
        column = place[entry.system]
        if isinstance(entry.score, Undefined):
            left_out.append(LeftOutSystem(entry.system, entry.score.reason))
        else:
            rated[column] = SystemMean(
                system=entry.system,
                human=data.systems[cells.systems[column]].human,
                result=entry.score,
                other=others[entry.system],
            )
    # Where nobody rated on a scale, judgements of two outputs alone say who was left out.
    return rated, left_out if rated else []


def _variant(question: Question) -> dict[str, str]:
    """Return what signatures say of human scores."""
    variant = {"human": question.scores}
    return variant | ({"ddof": str(question.ddof)} if question.scores == "z" else {})


def _tests(scores: Floats, question: Question, variant: Variant) -> list[Piece[Compared]]:
    """Return the tests of every two systems."""
    pairs = list(combinations(range(scores.shape[1]), 2))
    permutation = permutation_of(question, len(pairs))
    return [partial(_tests_of, scores, *pair, permutation, variant) for pair in pairs]


def _tests_of(
    scores: Floats, first: int, second: int, permutation: Permutation, variant: Variant
) -> Compared:
    sides = scores[:, first], scores[:, second]
    tests: dict[str, Result] = {
        "permutation": sign_flip_test(*sides, permutation=permutation, variant=variant),
        "wilcoxon": wilcoxon_signed_rank(*sides, variant=variant),
        "mean": paired_mean_difference(*sides, variant=variant),
    }
    return Compared(first, second, tests)
