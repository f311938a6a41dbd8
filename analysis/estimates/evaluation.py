"""One number for one set of conditions: what replication computes and reports are made of."""

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from statistics import fmean
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats
from analysis.data.narrowing import narrowed
from analysis.data.selection import (
    MetricColumn,
    human_scores,
    measures_of,
    metric_columns,
    rated_aspects,
    scale_aspects,
    select,
)
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import resampling_of
from analysis.estimates.agreements import TOGETHER, agreement, rated_units
from analysis.estimates.choice_agreements import agreement_on_pairs, asked_pairs, judged_pairs
from analysis.estimates.correlations import correlation, margin, pair
from analysis.filter.question import Question, QuestionError
from analysis.published.values import check_conditions
from analysis.stats.agreement.choice_agreement import STATISTICS as CHOICE_STATISTICS
from analysis.stats.agreement.naturalness import absolute_judgements, classifier_agreement
from analysis.stats.correlation.top_n import top_and_last_systems
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.results import Estimate, Result, Undefined, with_details
from analysis.stats.signature import signature
from analysis.stats.systems.system_means import rank_systems
from metrics.catalogue import ABOVE_SOURCE

RELATIVE = "relative_naturalness"
ABSOLUTE = "absolute_naturalness"


def evaluate(
    data: StudyData,
    what: str,
    conditions: Mapping[str, Any],
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
) -> Result:
    """Compute the number that conditions describe.

    Raises
    ------
    analysis.published.values.ConditionsError
        If the conditions are not understood.
    analysis.filter.question.QuestionError
        If they name something that the study does not have.
    """
    question = check_conditions(what, conditions)
    data = narrowed(data, question)
    if what == "agreement":
        return _agreement(data, question, str(conditions["agreement_statistic"]), bootstrap)
    if question.aspect:
        question = question.but(aspect=_the_aspect(data, question.aspect))
    if what == "system-mean":
        return _system_mean(data, question, str(conditions["system"]))
    if what == "naturalness-agreement":
        return naturalness_agreement(
            data,
            question,
            the_column(data, question),
            protocol=str(conditions["protocol"]),
            ties=str(conditions.get("ties", "disagreement")),
            bootstrap=bootstrap,
        )
    if what == "mean-of-values":
        return _mean_of_values(data, conditions)
    column = the_column(data, question)
    if conditions.get("side"):
        result = _of_subset(data, question, column, conditions, bootstrap)
    else:
        result = correlation(pair(data, question, column, question.aspect), question, bootstrap)
    return margin(result) if what == "margin-of-r" else result


def _agreement(
    data: StudyData, question: Question, statistic: str, bootstrap: Bootstrap | None
) -> Result:
    """Compute agreement on a measure, or on choices where there are no numbers of that name."""
    resampling = resampling_of(question, bootstrap) if bootstrap else None
    measures = measures_of(data, question.aspect)
    if not measures or any(measure.answers == "scale" for measure in measures):
        units = rated_units(data, question, aspects_of(data, question.aspect))
        return agreement(units, statistic, resampling)
    asked = asked_pairs(data, question)
    if len(asked) != 1:
        names = "; ".join(each.label for each in asked) or "none"
        raise QuestionError(f"aspect={question.aspect}: say by campaign which of {names}")
    if statistic not in CHOICE_STATISTICS:
        reason = f"agreement on choices has {', '.join(CHOICE_STATISTICS)}"
        return Undefined(reason, unit="pairs", signature=signature(statistic))
    units = judged_pairs(data, question, asked[0])
    how = bootstrap or STANDARD_BOOTSTRAP
    return agreement_on_pairs(units, asked[0], cast(Any, statistic), how, resampling)


def aspects_of(data: StudyData, aspect: str, *, preferences: bool = False) -> tuple[str, ...]:
    """Return the measures that a name stands for, or all of them.

    Parameters
    ----------
    aspect
        Name of a measure, or of an aspect by any of its synonyms; empty for all.
    preferences
        Whether choices between two texts count too, as scores of both.

    Raises
    ------
    QuestionError
        If there are no ratings of that name.
    """
    known = rated_aspects(data) if preferences else scale_aspects(data)
    if aspect in ("", TOGETHER):
        return tuple(known)
    found = tuple(m.name for m in measures_of(data, aspect) if m.name in known)
    if not found:
        raise QuestionError(f"aspect={aspect}: this study has {', '.join(known) or 'none'}")
    return found


def _the_aspect(data: StudyData, aspect: str) -> str:
    """Return the one measure that a name stands for: of several, the one on a scale."""
    found = aspects_of(data, aspect, preferences=True)
    on_scale = [name for name in found if name in scale_aspects(data)]
    if len(on_scale or found) > 1:
        raise QuestionError(f"aspect={aspect}: say which of {', '.join(on_scale or found)}")
    return (on_scale or found)[0]


def absolute_naturalness(data: StudyData) -> str:
    """Return the measure of naturalness on a scale, one text at a time where there are several."""
    found = [m for m in data.judgements.measures if m.aspect == "naturalness"]
    on_scale = [m for m in found if m.name in scale_aspects(data)]
    ordered = sorted(on_scale, key=lambda m: m.protocol != ABSOLUTE)
    return ordered[0].name if ordered else ""


def aspect_asked(data: StudyData, question: Question) -> str:
    """Return the one measure that a report of one aspect is about: the first that fits.

    Raises
    ------
    QuestionError
        If there are no ratings of that name.
    """
    return next(iter(aspects_of(data, question.aspect, preferences=True)), "")


def the_column(data: StudyData, question: Question) -> MetricColumn:
    """Return the one metric column that a question means."""
    columns = metric_columns(data, question)
    if len(columns) != 1:
        names = "; ".join(column.label for column in columns) or "none"
        raise QuestionError(f"metric: one metric and setting is needed, these fit: {names}")
    return columns[0]


def naturalness_agreement(
    data: StudyData,
    question: Question,
    column: MetricColumn,
    *,
    protocol: str,
    ties: str = "disagreement",
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
) -> Result:
    """Share of outputs on which a classifier and people prefer the same of source and output."""
    scores = data.scores(column.run)[:, column.run.column]
    cells = select(data, question)
    if column.run.fields[column.run.column] == ABOVE_SOURCE:
        # Each output's source was scored by the classifier of the output's own model.
        of_sources = np.zeros(len(cells.segments))
    else:
        of_sources = np.where(data.sources >= 0, scores[data.sources], np.nan)[cells.segments]
    if np.isnan(of_sources).all():
        return Undefined(
            f"{column.label} has no scores of sources",
            unit="outputs",
            signature=signature("naturalness-agreement", protocol=protocol),
        )
    if protocol == "relative":
        judged = relative_judgements(data)
    elif protocol == "absolute":
        judged = _absolute(data, question)
    else:
        raise QuestionError(f"protocol={protocol}: expected relative or absolute")
    result = classifier_agreement(
        cells.of(data.matrix(scores)),
        of_sources,
        cells.of(judged),
        ties=cast(Any, ties),
        bootstrap=bootstrap,
    )
    return with_details(result, protocol=protocol)


def has_relative_judgements(data: StudyData) -> bool:
    """Whether an output of a system was judged against its source."""
    rows = _relative_rows(data)
    return bool(data.system_outputs[data.judgements.second[rows]].any())


def _relative_rows(data: StudyData) -> NDArray[np.bool_]:
    judged = data.judgements
    followed = np.array([c.protocol == RELATIVE for c in judged.campaigns], dtype=bool)
    rows: NDArray[np.bool_] = judged.choice >= 0
    return rows & followed[judged.campaign] if rows.any() else rows


def relative_judgements(data: StudyData) -> Floats:
    """Majority of source-against-output judgements: 1 output, −1 source, 0 tie, NaN none."""
    judged, rows = data.judgements, _relative_rows(data)
    preferred = np.array([-1.0, 1.0, 0.0, 0.0])[judged.choice[rows]]
    output = judged.second[rows]
    count = np.bincount(output, minlength=len(data.segment_of_output))
    total = np.bincount(output, preferred, minlength=len(data.segment_of_output))
    return data.matrix(np.where(count > 0, np.sign(total), np.nan))


def _absolute(data: StudyData, question: Question) -> Floats:
    aspect = absolute_naturalness(data)
    rated = data.aspect_mask(aspect)
    judged = data.judgements
    outputs = len(data.segment_of_output)
    count = np.bincount(judged.first[rated], minlength=outputs)
    total = np.bincount(judged.first[rated], judged.value[rated], minlength=outputs)
    means = np.divide(total, count, out=np.full(outputs, np.nan), where=count > 0)
    of_sources = np.where(data.sources >= 0, means[data.sources], np.nan)
    # An output and its source are compared as they were rated: a z-score of one is beside no other.
    return absolute_judgements(human_scores(data, question.but(scores="raw"), aspect), of_sources)


def _system_mean(data: StudyData, question: Question, system: str) -> Result:
    names = [column.name for column in data.systems]
    if system not in names:
        raise QuestionError(f"system={system}: this study has {', '.join(names)}")
    scores = human_scores(data, question, question.aspect)
    ranked = rank_systems(scores, names, kind=cast(Any, question.scores))
    return next(entry.score for entry in ranked if entry.system == system)


def _of_subset(
    data: StudyData,
    question: Question,
    column: MetricColumn,
    conditions: Mapping[str, Any],
    bootstrap: Bootstrap | None,
) -> Result:
    pairing = pair(data, question, column, question.aspect)
    size = int(conditions["size"])
    subsets = top_and_last_systems(
        pairing.metric,
        pairing.human,
        pairing.systems,
        raw_human=pairing.raw_human,
        statistics={},
        sizes=[size],
    )
    subset = next((s for s in subsets if s.side == conditions["side"]), None)
    if subset is None:
        return Undefined(
            f"there are not {size} rated systems",
            unit="systems",
            signature=signature(question.statistic, level=question.level),
        )
    chosen = question.but(systems=subset.systems)
    result = correlation(pair(data, chosen, column, question.aspect), question, bootstrap)
    return with_details(result, side=subset.side, systems=list(subset.systems))


def _mean_of_values(data: StudyData, conditions: Mapping[str, Any]) -> Result:
    """Mean of values that were rounded first, as papers average a table's rows."""
    what = str(conditions.get("of_what", "correlation"))
    decimals = int(conditions["of_decimals"])
    variant = signature("mean-of-values", of=what, rounded_to=decimals)
    rounded = []
    for part in conditions["of"]:
        result = evaluate(data, what, part, bootstrap=None)
        if isinstance(result, Undefined):
            reason = f"one of the values is undefined: {result.reason}"
            return Undefined(reason, unit="values", signature=variant)
        value = abs(result.value) if conditions.get("absolute") else result.value
        rounded.append(float(round_half_up(value, decimals)))
    return Estimate(
        fmean(rounded),
        n=len(rounded),
        unit="values",
        signature=variant,
        details={"values": rounded},
    )


def round_half_up(value: float, decimals: int) -> Decimal:
    """Round as printed tables do, ties away from zero."""
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def rounds_to(value: float, printed: float, decimals: int) -> bool:
    """Whether a value rounds to what is printed, by either common rule for ties."""
    step = Decimal(1).scaleb(-decimals)
    wanted = Decimal(repr(printed)).quantize(step)
    exact = Decimal(repr(value))
    return wanted in (exact.quantize(step, ROUND_HALF_UP), exact.quantize(step, ROUND_HALF_EVEN))
