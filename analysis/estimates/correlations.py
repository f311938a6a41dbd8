"""Correlation of metric columns with human scores, on the cells that a question selects."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, cast

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.named_metric import LeftOutMetric, label_of
from analysis.data.picking import Picked, pick
from analysis.data.selection import (
    DIRECTION_CORRECTED,
    HALF_L1,
    TARGET_STYLE,
    Cells,
    MetricColumn,
    human_scores,
    select,
)
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import ratings_of_persons
from analysis.estimates.correlation_intervals import asked_interval, with_asked_interval
from analysis.filter.question import Question, QuestionError
from analysis.stats.correlation.metric_correlation import segment_level_steps, system_level
from analysis.stats.correlation.orientation import Better, StyleScale, orient, style_scores
from analysis.stats.correlation.pearson import margin_of_r
from analysis.stats.correlation.tau_like import PairCounts, TauLike, count_pairs_of_subsets
from analysis.stats.correlation.top_n import (
    SystemSubset,
    pooled_pearson_of_subsets,
    system_pearson_of_subsets,
    tau_like_of_subsets,
    top_and_last_systems,
)
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.resampling.resampled_sums import ResampledResult, resampled_alone
from analysis.stats.results import Estimate, Result, Undefined

Coefficient = Literal["pearson", "spearman", "kendall-tau-b", "kendall-tau-c"]


@dataclass(frozen=True)
class Pairing:
    """One metric column beside one aspect's human scores, cut to the selected cells."""

    column: MetricColumn
    aspect: str
    metric: Floats
    human: Floats
    raw_human: Floats
    systems: tuple[str, ...]
    orientation: str
    note: str = ""
    ratings: Floats | None = None
    """Segments × systems × annotators, where annotators are to be drawn."""
    _counted: dict[float, PairCounts] = field(init=False, default_factory=dict, compare=False)

    def counted_pairs(
        self, min_gap: float, subsets: Sequence[Sequence[int]] = ()
    ) -> list[PairCounts]:
        """Count the pairs of outputs of all systems, once, or of subsets of them."""
        if subsets or min_gap not in self._counted:
            whole = range(len(self.systems))
            self._counted[min_gap], *others = count_pairs_of_subsets(
                self.metric, self.human, [whole, *subsets], min_gap=min_gap
            )
            if subsets:
                return others
        return [self._counted[min_gap]]


@dataclass(frozen=True)
class HumanSide:
    """One aspect's human scores, cut to the selected cells: the same beside every metric."""

    aspect: str
    cells: Cells
    scores: Floats
    raw: Floats
    ratings: Floats | None = None


def human_side(data: StudyData, question: Question, aspect: str) -> HumanSide:
    """Return people's side of every correlation of an aspect."""
    cells = select(data, question)
    raw = cells.of(human_scores(data, question.but(scores="raw"), aspect))
    scores = raw
    if question.scores != "raw":
        scores = cells.of(human_scores(data, question, aspect))
    drawn = "annotators" in question.resample
    drawn = drawn and not data.are_unnamed(data.aspect_mask(aspect))
    ratings = ratings_of_persons(data, question, aspect) if drawn else None
    return HumanSide(aspect, cells, scores, raw, ratings)


def raw_scores(data: StudyData, column: MetricColumn) -> Floats:
    """Return a column's scores as segments × systems, as they were stored or derived."""
    return data.matrix(scores_by_output(data, column))


def scores_by_output(data: StudyData, column: MetricColumn) -> Floats:
    """Return a column's score of every output by its ordinal, sources and references too."""
    scores = data.scores(column.run)
    if not column.derived:
        return scores[:, column.run.column]
    source = data.sources[data.segment_of_output]
    beside = np.where((source >= 0)[:, None], scores[source], np.nan)
    targets = np.array(data.target_styles, dtype=object)[data.segment_of_output]
    known = np.isin(targets.astype(str), np.array(column.run.fields))
    result = np.full(len(scores), np.nan)
    if known.any():
        derived = style_scores(
            beside[known],
            scores[known],
            column.run.fields,
            [str(target) for target in targets[known]],
            unequal_mass="mean" if column.derived == HALF_L1 else "larger",
        )
        values = {
            TARGET_STYLE: derived.target_style_score,
            DIRECTION_CORRECTED: derived.direction_corrected_emd,
            HALF_L1: derived.direction_corrected_emd,
        }[column.derived]
        result[known] = values
    return result


def oriented(data: StudyData, column: MetricColumn, scores: Floats) -> Floats | Undefined:
    """Turn scores so that higher is better, toward each segment's target style."""
    run = column.run
    if column.derived:
        return orient(scores, "higher")
    if run.orientation == "unknown":
        return Undefined(f"it is not declared whether higher or lower {run.metric} is better")
    scale = None
    if run.speaks_of and run.midpoint is not None:
        scale = StyleScale(run.speaks_of, run.midpoint - 0.5, run.midpoint + 0.5)
    return orient(
        scores,
        cast(Better, run.orientation),
        target_value=run.target,
        style_scale=scale,
        source_styles=data.source_styles,
        target_styles=data.target_styles,
    )


def align(data: StudyData, question: Question, column: MetricColumn, people: HumanSide) -> Pairing:
    """Pair a metric with human scores; raw scores where orientation is unknown or none."""
    scores = raw_scores(data, column)
    orientation, note = question.orientation, ""
    if orientation == "oriented":
        turned = oriented(data, column, scores)
        if isinstance(turned, Undefined):
            orientation, note = "raw", turned.reason
        else:
            scores = turned
    return Pairing(
        column=column,
        aspect=people.aspect,
        metric=people.cells.of(scores),
        human=people.scores,
        raw_human=people.raw,
        systems=system_names(data, people.cells),
        orientation=orientation,
        note=note,
        ratings=people.ratings,
    )


@dataclass(frozen=True)
class MetricsOfAspect:
    """The metrics of a report on one aspect, each paired with its human scores, and the others."""

    people: HumanSide
    picked: Picked
    pairings: tuple[Pairing, ...]
    left_out: tuple[LeftOutMetric, ...]


def metrics_of_aspect(
    data: StudyData,
    question: Question,
    *,
    most: int = 0,
    why_not: Callable[[Pairing], str] = lambda pairing: pairing.note,
) -> MetricsOfAspect:
    """Pair the metrics that a question takes with the human scores of its aspect.

    Parameters
    ----------
    data, question
    most
        How many may fit; 0 for any number.
    why_not
        Says why a metric is left out; by default, because its scores cannot be oriented.

    Raises
    ------
    QuestionError
        If more than `most` metrics fit.
    """
    picked = pick(data, question, question.aspect)
    if most and len(picked.taken) > most:
        raise QuestionError(
            f"metric: {len(picked.taken)} metrics fit, at most {most} are compared at once; "
            "choose some of them"
        )
    people = human_side(data, question, question.aspect)
    taken: list[Pairing] = []
    left_out: list[LeftOutMetric] = []
    for column in picked.taken:
        pairing = align(data, question, column, people)
        if reason := why_not(pairing):
            left_out.append(LeftOutMetric(**label_of(column), reason=reason))
        else:
            taken.append(pairing)
    return MetricsOfAspect(people, picked, tuple(taken), tuple(left_out))


def system_names(data: StudyData, cells: Cells) -> tuple[str, ...]:
    """Names of the selected systems."""
    return tuple(data.systems[index].name for index in cells.systems)


def correlation(
    pairing: Pairing, question: Question, bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP
) -> Result:
    """Compute the statistic that a question asks for, with the interval that it asks for.

    Without a bootstrap the interval is the standard one, and there is none that draws anything.
    """
    return resampled_alone(correlation_steps(pairing, question, bootstrap), bootstrap)


def correlation_steps(
    pairing: Pairing, question: Question, bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP
) -> ResampledResult:
    """`correlation` as a computation to be resampled together with others."""
    asked = asked_interval(question)
    variant = correlation_variant(pairing, question)
    if bootstrap:
        variant |= asked.variant(bootstrap, question.level)
    # Where another interval is asked for, the standard one need not be drawn.
    result = yield from _standard(pairing, question, None if asked.method else bootstrap, variant)
    return with_asked_interval(
        result, pairing.metric, pairing.human, pairing.ratings, question, bootstrap
    )


def _standard(
    pairing: Pairing, question: Question, bootstrap: Bootstrap | None, variant: dict[str, str]
) -> ResampledResult:
    metric, human = pairing.metric, pairing.human
    if question.statistic == "tau-like":
        kind = tau_like_asked(question)
        [counted] = pairing.counted_pairs(question.min_gap)
        name = kind.signature(bootstrap, variant)
        return (yield from kind.steps(counted, name, bootstrap=bootstrap))
    coefficient = cast(Coefficient, question.statistic)
    if question.level == "system":
        return system_level(metric, human, coefficient, variant=variant)
    return (
        yield from segment_level_steps(
            metric,
            human,
            coefficient,
            grouping=cast(Any, question.grouping),
            bootstrap=bootstrap,
            variant=variant,
        )
    )


def tau_like_asked(question: Question) -> TauLike:
    """Return the tau-like statistic that a question asks for."""
    return TauLike(question.min_gap, cast(Any, question.metric_ties), cast(Any, question.average))


def correlation_variant(pairing: Pairing, question: Question) -> dict[str, str]:
    """Return what a signature says of the scores on both sides."""
    variant = {"human": question.scores, "orientation": pairing.orientation}
    if question.scores == "z":
        variant["ddof"] = str(question.ddof)
    return variant


def margin(result: Result) -> Result:
    """Turn a Pearson correlation into its 95 % margin of error as the 2019 study gives it."""
    if isinstance(result, Undefined):
        return result
    return Estimate(
        value=margin_of_r(result.value, result.n),
        n=result.n,
        unit=result.unit,
        signature=result.signature.replace("pearson", "margin-of-pearson", 1),
        details={"r": result.value, "formula": "1.96 (1 - r²) / √n"},
    )


def top_and_last(pairing: Pairing, question: Question) -> list[SystemSubset]:
    """Compute the headline statistics over the top N and last N systems, without bootstrap."""
    variant = correlation_variant(pairing, question)
    return top_and_last_systems(
        pairing.metric,
        pairing.human,
        pairing.systems,
        raw_human=pairing.raw_human,
        at_once={
            "system_pearson": partial(system_pearson_of_subsets, variant=variant),
            "segment_pearson": partial(pooled_pearson_of_subsets, variant=variant),
            "segment_tau_like": lambda metric, human, subsets: tau_like_of_subsets(
                pairing.counted_pairs(question.min_gap, subsets) if subsets else [],
                tau_like_asked(question),
                variant=variant,
            ),
        },
    )
