"""One number for one set of conditions: what replication computes and reports are made of."""

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from statistics import fmean
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from analysis.data.narrowing import narrowed
from analysis.data.selection import (
    MetricColumn,
    bounds_of_scores,
    default_columns,
    human_scores,
    measures_of,
    rated_aspects,
    scale_aspects,
)
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import resampling_of
from analysis.estimates.agreements import TOGETHER, agreement, rated_units
from analysis.estimates.choice_agreements import agreement_on_pairs, asked_pairs, judged_pairs
from analysis.estimates.correlations import align, correlation, human_side, margin
from analysis.estimates.naturalness import naturalness_agreement
from analysis.filter.question import Question, QuestionError
from analysis.published.values import check_conditions
from analysis.stats.agreement.choice_agreement import STATISTICS as CHOICE_STATISTICS
from analysis.stats.correlation.top_n import top_and_last_systems
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.results import Estimate, Result, Undefined, with_details
from analysis.stats.signature import signature
from analysis.stats.systems.rank_ranges import rank_systems

_NO_RATINGS = "no ratings of this kind yet"


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
        result = correlation(
            align(data, question, column, human_side(data, question, question.aspect)),
            question,
            bootstrap,
        )
    return margin(result) if what == "margin-of-r" else result


def _agreement(
    data: StudyData, question: Question, statistic: str, bootstrap: Bootstrap | None
) -> Result:
    """Compute agreement on a measure, or on choices where there are no numbers of that name."""
    resampling = resampling_of(question, bootstrap) if bootstrap else None
    measures = measures_of(data, question.aspect)
    if not measures or any(measure.answers == "scale" for measure in measures):
        units = rated_units(data, question, scale_aspects_asked(data, question))
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


def aspects_of(data: StudyData, aspect: str) -> tuple[str, ...]:
    """Return the measures that a name stands for, or all of them: on scales and by choices.

    Parameters
    ----------
    aspect
        Name of a measure, or of an aspect by any of its synonyms; empty for all.

    Raises
    ------
    QuestionError
        If there are no ratings of that name.
    """
    known = rated_aspects(data)
    if aspect in ("", TOGETHER):
        return tuple(known)
    found = tuple(m.name for m in measures_of(data, aspect) if m.name in known)
    if not found:
        raise QuestionError(f"aspect={aspect}: this study has {', '.join(known) or _NO_RATINGS}")
    return found


def scale_aspects_asked(data: StudyData, question: Question) -> tuple[str, ...]:
    """Return those of the measures asked for that were rated on a scale.

    There are none where the aspect was rated by choices alone.

    Raises
    ------
    QuestionError
        If there are no ratings of that name.
    """
    asked = aspects_of(data, question.aspect)
    return tuple(name for name in scale_aspects(data) if name in asked)


def asked_about(data: StudyData, question: Question) -> NDArray[np.bool_]:
    """Return of each rating whether it is of the aspect that a question asks for.

    Raises
    ------
    QuestionError
        If there are no ratings of that name.
    """
    judged, asked = data.judgements, aspects_of(data, question.aspect)
    wanted = np.array([name in asked for name in judged.aspects], dtype=bool)
    return np.asarray(wanted[judged.aspect])


def _the_aspect(data: StudyData, aspect: str) -> str:
    """Return the one measure that a name stands for: of several, the one on a scale."""
    found = aspects_of(data, aspect)
    on_scale = [name for name in found if name in scale_aspects(data)]
    if len(on_scale or found) > 1:
        raise QuestionError(f"aspect={aspect}: say which of {', '.join(on_scale or found)}")
    return (on_scale or found)[0]


def aspect_asked(data: StudyData, question: Question) -> str:
    """Return the one measure that a report of one aspect is about: the first that fits.

    Raises
    ------
    QuestionError
        If there are no ratings of that name.
    """
    return next(iter(aspects_of(data, question.aspect)), "")


def scale_aspect_asked(data: StudyData, question: Question) -> str:
    """Return the one measure that a report of scales is about: the first on a scale by default.

    Raises
    ------
    QuestionError
        If there are no ratings of that name.
    """
    on_scale = scale_aspects(data)
    return aspect_asked(data, question) if question.aspect or not on_scale else on_scale[0]


def check_scale_aspect(data: StudyData, question: Question) -> None:
    """Refuse an aspect that was not rated on a scale.

    Raises
    ------
    QuestionError
    """
    on_scale = scale_aspects(data)
    if on_scale and scale_aspect_asked(data, question) not in on_scale:
        known = ", ".join(on_scale)
        raise QuestionError(
            f"aspect={question.aspect}: it was rated by choices, and this report compares ratings "
            f"on a scale: {known}"
        )


def the_column(data: StudyData, question: Question) -> MetricColumn:
    """Return the one metric column that a question means."""
    columns = default_columns(data, question)
    if len(columns) != 1:
        names = "; ".join(column.label for column in columns) or "none"
        raise QuestionError(f"metric: one metric and setting is needed, these fit: {names}")
    return columns[0]


def _system_mean(data: StudyData, question: Question, system: str) -> Result:
    names = [column.name for column in data.systems]
    if system not in names:
        raise QuestionError(f"system={system}: this study has {', '.join(names)}")
    scores = human_scores(data, question, question.aspect)
    bounds = bounds_of_scores(data, question, question.aspect)
    ranked = rank_systems(scores, names, kind=cast(Any, question.scores), bounds=bounds)
    return next(entry.score for entry in ranked if entry.system == system)


def _of_subset(
    data: StudyData,
    question: Question,
    column: MetricColumn,
    conditions: Mapping[str, Any],
    bootstrap: Bootstrap | None,
) -> Result:
    pairing = align(data, question, column, human_side(data, question, question.aspect))
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
    result = correlation(
        align(data, chosen, column, human_side(data, chosen, question.aspect)), question, bootstrap
    )
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
    return Estimate(fmean(rounded), len(rounded), "values", variant, details={"values": rounded})


def round_half_up(value: float, decimals: int) -> Decimal:
    """Round as printed tables do, ties away from zero."""
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def rounds_to(value: float, printed: float, decimals: int) -> bool:
    """Whether a value rounds to what is printed, by either common rule for ties."""
    step = Decimal(1).scaleb(-decimals)
    wanted = Decimal(repr(printed)).quantize(step)
    exact = Decimal(repr(value))
    return wanted in (exact.quantize(step, ROUND_HALF_UP), exact.quantize(step, ROUND_HALF_EVEN))
