"""A mixed-effects model of the ratings beside the tests of every two systems, on demand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from analysis.data.arrays import Floats, Integers
from analysis.data.measures import NOT_IDENTIFIED, SINGLE_RATERS
from analysis.data.scales import RatingScale, scale_of
from analysis.data.selection import Cells, rated_values, select
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import CORRECTIONS
from analysis.estimates.evaluation import scale_aspects_asked
from analysis.filter.question import Question, QuestionError
from analysis.reports.system_comparison.many_systems import MOST_LISTED
from analysis.stats.arrays import CELLS_IN_MEMORY
from analysis.stats.comparison.cumulative_link import cumulative_link_effects
from analysis.stats.comparison.mixed_effects import MixedModel, mixed_effects
from analysis.stats.results import Estimate, Undefined
from annotation.protocols.catalogue import protocol

MIXED = "mixed"
"""Value of the filter's `model` that asks for it."""
MOST_RATINGS = 200_000
"""An ordinal model of 100,000 ratings of ten systems takes half a minute."""
LINEAR_COST, ORDINAL_COST = 400, 1_000
"""Cells that a rating counts for; of an ordinal model, for each system."""
START = 5_000_000
"""Cells that the rest counts for: start values, and what small studies take too."""


@dataclass(frozen=True)
class MixedPair:
    """Two systems, the first less the second by the model, with p-values adjusted for all pairs."""

    first: int
    second: int
    difference: Estimate
    adjusted: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class MixedComparison:
    """The systems of a report by a mixed-effects model.

    Parameters
    ----------
    ordinal
        Whether it is a cumulative-link model.
    scale
        The scale of the ratings, on which that rests.
    points
        Of the scale; 0 where it has none, or too many to be categories.
    averaged
        Ratings that stand for several raters, or for raters who are not known.
    undefined
        Why there is no model.
    pairs
        Every two systems, in the order of the report's tests.
    variances
        Of outputs, segments, annotators and, of a linear model, the residual; None for what is
        not in the model.
    levels
        Outputs, segments and annotators.
    """

    ordinal: bool
    scale: RatingScale
    points: int
    ratings: int
    averaged: int
    undefined: Undefined | None = None
    pairs: tuple[MixedPair, ...] = ()
    variances: Mapping[str, float | None]
    levels: Mapping[str, int]
    thresholds: tuple[float, ...] = ()
    log_likelihood: float | None = None
    signature: str = ""


@dataclass(frozen=True)
class _Rated:
    """Single ratings of the compared systems."""

    value: Floats
    system: Integers
    annotator: Integers
    segment: Integers


def mixed_comparison(
    data: StudyData, question: Question, cells: Cells, aspect: str, columns: Sequence[int]
) -> MixedComparison | None:
    """Fit the model that a question asks for; None if it asks for none.

    Parameters
    ----------
    data, question, cells, aspect
    columns
        Those of `cells` that are compared, in the order of the report.
    """
    if question.model != MIXED:
        return None
    rated = _ratings(data, question, cells, aspect, columns)
    scale = scale_of(data, aspect)
    ordinal = _is_ordinal(data, question, aspect)
    fit = cumulative_link_effects if ordinal else mixed_effects
    variant = {"human": question.scores}
    if question.scores == "z":
        variant["ddof"] = str(question.ddof)
    judges = data.judgements.annotators
    single = np.array([judge.kind in SINGLE_RATERS for judge in judges], dtype=bool)
    common = MixedComparison(
        ordinal=ordinal,
        scale=scale,
        points=scale.points.size,
        ratings=len(rated.value),
        averaged=int((~single[rated.annotator]).sum()),
        variances={},
        levels={},
    )
    if _is_relative(data, aspect):
        reason = "outputs were judged relative to each other, so ratings depend on each other"
        return replace(common, undefined=Undefined(reason, len(rated.value), "ratings"))
    if data.unnamed_raters[rated.annotator].any():
        reason = f"the model has an effect of each rater, and {NOT_IDENTIFIED}"
        return replace(common, undefined=Undefined(reason, len(rated.value), "ratings"))
    found = fit(rated.value, rated.system, rated.annotator, rated.segment, variant=variant)
    if isinstance(found, Undefined):
        return replace(common, undefined=found, signature=found.signature)
    return replace(
        common,
        pairs=tuple(_pairs(found, len(columns))),
        variances=found.variances,
        levels=found.levels,
        thresholds=found.thresholds,
        log_likelihood=found.log_likelihood,
        signature=found.signature,
    )


def check_model(data: StudyData, question: Question) -> None:
    """Refuse a model of more than it takes.

    Raises
    ------
    QuestionError
    """
    if question.model != MIXED:
        return
    cells = select(data, question)
    aspect = next(iter(scale_aspects_asked(data, question)), "")
    rated = _ratings(data, question, cells, aspect, range(len(cells.systems)))
    systems, annotators, segments = (
        np.unique(each).size for each in (rated.system, rated.annotator, rated.segment)
    )
    if systems > MOST_LISTED:
        raise QuestionError(
            f"model=mixed: {systems} systems are compared, at most {MOST_LISTED} by a model; "
            "choose some of them by systems or leave_out"
        )
    if len(rated.value) > MOST_RATINGS or annotators * (annotators + segments) > CELLS_IN_MEMORY:
        raise QuestionError(
            f"model=mixed: {len(rated.value):,} ratings of {segments:,} segments by "
            f"{annotators:,} annotators are more than a model takes; choose a part of the study, "
            "by campaign, direction or where"
        )


def mixed_cost(data: StudyData, question: Question, systems: int) -> int:
    """Estimate the work of the model in cells; 0 if none is asked for."""
    if question.model != MIXED:
        return 0
    aspect = next(iter(scale_aspects_asked(data, question)), "")
    ratings = int(data.aspect_mask(aspect).sum())
    if _is_ordinal(data, question, aspect):
        return START + ORDINAL_COST * ratings * systems
    return START + LINEAR_COST * ratings


def _ratings(
    data: StudyData, question: Question, cells: Cells, aspect: str, columns: Sequence[int]
) -> _Rated:
    # The last place is that of outputs of no system, whose column is -1.
    place = np.full(len(data.systems) + 1, -1)
    place[cells.systems[list(columns)]] = np.arange(len(columns))
    rated = data.rated(aspect)
    system = place[data.column_of_output[rated.output]]
    segment = data.segment_of_output[rated.output]
    kept = data.system_outputs[rated.output] & (system >= 0) & np.isin(segment, cells.segments)
    value = rated_values(data, question, aspect)[kept]
    return _Rated(value, system[kept], rated.annotator[kept], segment[kept])


def _is_ordinal(data: StudyData, question: Question, aspect: str) -> bool:
    """Whether ratings are categories of a declared scale."""
    scale = scale_of(data, aspect)
    if question.scores != "raw" or scale.source != "declared" or not scale.points.size:
        return False
    values = data.rated(aspect).value
    return bool(np.isclose(values[:, None], scale.points).any(axis=1).all())


def _is_relative(data: StudyData, aspect: str) -> bool:
    measure = data.measure(aspect)
    return measure is not None and (
        measure.answers == "choices" or protocol(measure.protocol).layout.is_relative
    )


def _pairs(found: MixedModel, systems: int) -> list[MixedPair]:
    p_values = [float(each.p_value or 0.0) for each in found.differences]
    adjusted = {name: correct(p_values).tolist() for name, correct in CORRECTIONS.items()}
    return [
        MixedPair(*pair, difference, {name: own[place] for name, own in adjusted.items()})
        for place, (pair, difference) in enumerate(
            zip(combinations(range(systems), 2), found.differences, strict=True)
        )
    ]
