"""Correlation of metric columns with people, on the cells that a question selects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from analysis.matrices import Floats, StudyData
from analysis.question import Question
from analysis.selection import (
    DIRECTION_CORRECTED,
    HALF_L1,
    TARGET_STYLE,
    Cells,
    MetricColumn,
    human_scores,
    select,
)
from analysis.stats.bivariate import margin_of_r
from analysis.stats.metric_correlation import segment_level, system_level
from analysis.stats.orientation import Better, OrientedScores, StyleScale, orient
from analysis.stats.resampling import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.style_distributions import style_scores
from analysis.stats.tau_like import tau_like
from analysis.stats.top_n import SystemSubset, top_and_last_systems

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


def oriented(data: StudyData, column: MetricColumn, scores: Floats) -> OrientedScores:
    """Turn scores so that higher is better, toward each segment's target style."""
    run = column.run
    if column.derived:
        return orient(scores, "higher")
    if run.orientation == "unknown":
        reason = f"it is not declared whether higher or lower {run.metric} is better"
        return OrientedScores(scores, Undefined(reason), 0, 0)
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


def pair(data: StudyData, question: Question, column: MetricColumn, aspect: str) -> Pairing:
    """Lay a metric beside people; where orientation is unknown or none, raw scores are used."""
    cells = select(data, question)
    scores = raw_scores(data, column)
    orientation, note = question.orientation, ""
    if orientation == "oriented":
        turned = oriented(data, column, scores)
        if isinstance(turned.oriented, Undefined):
            orientation, note = "raw", turned.oriented.reason
        else:
            scores = turned.oriented
    return Pairing(
        column=column,
        aspect=aspect,
        metric=cells.of(scores),
        human=cells.of(human_scores(data, question, aspect)),
        raw_human=cells.of(human_scores(data, question.but(scores="raw"), aspect)),
        systems=system_names(data, cells),
        orientation=orientation,
        note=note,
    )


def system_names(data: StudyData, cells: Cells) -> tuple[str, ...]:
    """Names of the selected systems."""
    return tuple(data.systems[index].name for index in cells.systems)


def correlation(
    pairing: Pairing, question: Question, bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP
) -> Result:
    """Compute the statistic that a question asks for; no bootstrap, no bootstrap interval."""
    variant = correlation_variant(pairing, question)
    if question.statistic == "tau-like":
        del variant["human"]
        return tau_like(
            pairing.metric,
            pairing.human,
            min_gap=question.min_gap,
            metric_ties=cast(Any, question.metric_ties),
            average=cast(Any, question.average),
            human_scores=question.scores,
            bootstrap=bootstrap,
            variant=variant,
        )
    coefficient = cast(Coefficient, question.statistic)
    if question.level == "system":
        return system_level(pairing.metric, pairing.human, coefficient, variant=variant)
    return segment_level(
        pairing.metric,
        pairing.human,
        coefficient,
        grouping=cast(Any, question.grouping),
        bootstrap=bootstrap,
        variant=variant,
    )


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


def top_and_last(
    pairing: Pairing,
    questions: Mapping[str, Question],
    bootstrap: Bootstrap | None = None,
    sizes: Sequence[int] | None = None,
) -> list[SystemSubset]:
    """Compute statistics over the top N and last N systems; `questions` name them."""

    def statistic(asked: Question) -> Any:
        def compute(metric: Floats, human: Floats) -> Result:
            cut = Pairing(
                pairing.column,
                pairing.aspect,
                metric,
                human,
                human,
                pairing.systems,
                pairing.orientation,
            )
            return correlation(cut, asked, bootstrap)

        return compute

    return top_and_last_systems(
        pairing.metric,
        pairing.human,
        pairing.systems,
        raw_human=pairing.raw_human,
        statistics={name: statistic(asked) for name, asked in questions.items()},
        sizes=sizes,
    )
