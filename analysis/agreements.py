"""How far raters agree: ratings of persons laid out as units × raters or slots, and judged."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.agreement_resampling import Resampling, with_interval
from analysis.matrices import Floats, Integers, StudyData
from analysis.question import Question
from analysis.selection import select
from analysis.stats.arrays import slots_in_file_order, units_by_raters
from analysis.stats.coded_ratings import Weights
from analysis.stats.cohen import cohen_kappa
from analysis.stats.fleiss import fleiss_kappa
from analysis.stats.gwet import gwet_ac
from analysis.stats.intraclass import Columns, Form, intraclass_correlation
from analysis.stats.krippendorff_alpha import krippendorff_alpha
from analysis.stats.rater_pairs import (
    pearson_double_entry,
    pearson_file_order,
    pearson_of_rater_pairs,
    percent_agreement,
)
from analysis.stats.resampling import STANDARD_BOOTSTRAP
from analysis.stats.results import Result, Undefined
from analysis.stats.signature import signature

TOGETHER = "all together"
MOST_CATEGORIES = 20
"""Above this many different values a scale is continuous: nominal statistics say nothing."""


@dataclass(frozen=True)
class RatedUnits:
    """Ratings of one aspect (or of all) by persons.

    Parameters
    ----------
    slots
        Units × slots in file order; which rater filled a slot differs from unit to unit.
    raters
        Units × raters.
    slot_raters
        Position in `annotators` of who filled each slot, −1 where none.
    segment
        Segment of each unit.
    left_out
        Why there is nothing, where only means or majorities are known.
    """

    slots: Floats
    raters: Floats
    slot_raters: Integers
    segment: NDArray[np.int64]
    system: NDArray[np.int64]
    annotators: tuple[str, ...]
    left_out: str = ""


def rated_units(data: StudyData, question: Question, aspects: tuple[str, ...]) -> RatedUnits:
    """Return the ratings of the selected outputs on some aspects, one unit an output × aspect."""
    judged = data.judgements
    person = np.array([annotator.kind == "person" for annotator in judged.annotators], dtype=bool)
    chosen = np.zeros(len(judged.value), dtype=bool)
    for aspect in aspects:
        chosen |= data.aspect_mask(aspect)
    if chosen.any() and not person[judged.annotator[chosen]].any():
        kinds = sorted({judged.annotators[i].kind for i in judged.annotator[chosen]})
        reason = f"single ratings are not known, only those of kind {', '.join(kinds)}"
        return no_units(reason)
    if chosen.any():
        chosen &= person[judged.annotator]
    cells = select(data, question)
    wanted = np.zeros(data.shape, dtype=bool)
    wanted[np.ix_(cells.segments, cells.systems)] = True
    first = judged.first[chosen]
    column = data.column_of_output[first]
    inside = (column >= 0) & wanted[data.segment_of_output[first], column]
    rows = np.flatnonzero(chosen)[inside]
    if not len(rows):
        return no_units("nobody rated these outputs")
    unit_of = judged.first[rows] * len(judged.aspects) + judged.aspect[rows]
    units, index = np.unique(unit_of, return_inverse=True)
    people, rater = np.unique(judged.annotator[rows], return_inverse=True)
    values = judged.value[rows]
    return laid_out(
        index,
        rater,
        values,
        segment=data.segment_of_output[units // len(judged.aspects)],
        system=data.column_of_output[units // len(judged.aspects)],
        annotators=tuple(judged.annotators[i].pseudonym for i in people),
    )


def laid_out(
    units: Integers,
    raters: Integers,
    values: Floats,
    *,
    segment: Integers,
    system: Integers,
    annotators: tuple[str, ...],
) -> RatedUnits:
    """Lay ratings out that come one a row: which unit, by whom, and the value."""
    who = slots_in_file_order(units, raters.astype(np.float64))
    return RatedUnits(
        slots=slots_in_file_order(units, values),
        raters=units_by_raters(units, raters, values),
        slot_raters=np.nan_to_num(who, nan=-1).astype(np.int64),
        segment=segment,
        system=system,
        annotators=annotators,
    )


def no_units(reason: str) -> RatedUnits:
    """Return no ratings, and why there are none."""
    empty = np.empty((0, 0))
    nobody = np.empty((0, 0), dtype=np.int64)
    none = np.empty(0, dtype=np.int64)
    return RatedUnits(empty, empty, nobody, none, none, (), reason)


Statistic = Callable[[RatedUnits], Result]


def _icc(form: Form) -> Statistic:
    columns: Columns = "slots" if form.startswith("ICC(1") else "raters"

    def compute(units: RatedUnits) -> Result:
        ratings = units.slots if columns == "slots" else units.raters
        return intraclass_correlation(ratings, form, columns=columns)

    return compute


def _cohen(weights: Weights) -> Statistic:
    def compute(units: RatedUnits) -> Result:
        if units.raters.shape[1] != 2:
            reason = f"Cohen's kappa compares two raters, here are {units.raters.shape[1]}"
            return Undefined(reason, n=len(units.raters), unit="outputs")
        return cohen_kappa(units.raters, weights=weights)

    return compute


def _nominal(statistic: Callable[[Floats], Result]) -> Statistic:
    def compute(units: RatedUnits) -> Result:
        values = np.unique(units.slots[np.isfinite(units.slots)])
        if len(values) > MOST_CATEGORIES:
            reason = (
                f"the scale is continuous here ({len(values)} different values), so agreement "
                "on exact categories says nothing: see ICC or interval alpha"
            )
            return Undefined(reason, n=len(units.slots), unit="outputs")
        return statistic(units.slots)

    return compute


STATISTICS: Mapping[str, Statistic] = {
    "pearson": lambda units: pearson_file_order(units.slots),
    "pearson-double-entry": lambda units: pearson_double_entry(units.slots),
    "pearson-of-rater-pairs": lambda units: pearson_of_rater_pairs(units.raters),
    "icc-1-1": _icc("ICC(1,1)"),
    "icc-2-1": _icc("ICC(2,1)"),
    "icc-3-1": _icc("ICC(3,1)"),
    "icc-1-k": _icc("ICC(1,k)"),
    "icc-2-k": _icc("ICC(2,k)"),
    "icc-3-k": _icc("ICC(3,k)"),
    "alpha-interval": lambda units: krippendorff_alpha(units.slots, "interval"),
    "alpha-ordinal": _nominal(lambda slots: krippendorff_alpha(slots, "ordinal")),
    "alpha-ratio": lambda units: krippendorff_alpha(units.slots, "ratio"),
    "alpha-nominal": _nominal(lambda slots: krippendorff_alpha(slots, "nominal")),
    "fleiss-kappa": _nominal(fleiss_kappa),
    "cohen-kappa": _cohen("unweighted"),
    "cohen-kappa-linear": _cohen("linear"),
    "cohen-kappa-quadratic": _cohen("quadratic"),
    "gwet-ac1": _nominal(gwet_ac),
    "gwet-ac2-linear": _nominal(lambda slots: gwet_ac(slots, weights="linear")),
    "gwet-ac2-quadratic": _nominal(lambda slots: gwet_ac(slots, weights="quadratic")),
    "percent-agreement": _nominal(percent_agreement),
}


def agreement(units: RatedUnits, statistic: str, resampling: Resampling | None = None) -> Result:
    """Compute one statistic of agreement; undefined, with the reason, where there is none.

    Its interval is the textbook's, where there is none by drawing units; or, if asked for, by
    drawing segments, systems or annotators.
    """
    if units.left_out:
        return Undefined(units.left_out, unit="outputs", signature=signature(statistic))
    result = STATISTICS[statistic](units)
    if isinstance(result, Undefined) and not result.signature:
        return replace(result, signature=signature(statistic))
    if isinstance(result, Undefined) or (resampling is None and result.interval):
        return result
    by_rater = np.where(np.isfinite(units.raters), np.arange(units.raters.shape[1]), -1)
    return with_interval(
        result,
        statistic,
        {"slots": (units.slots, units.slot_raters), "raters": (units.raters, by_rater)},
        units.segment,
        units.system,
        resampling or Resampling("units", STANDARD_BOOTSTRAP),
    )


def batches(data: StudyData, question: Question) -> tuple[str, dict[str, Question]]:
    """Divide the segments by an attribute: the one asked for, else the one that raters follow.

    An attribute is followed where every rater met only one of its values and more than one
    value occurs. Returns its name and one question a batch; empty where there is none.
    """
    names: dict[str, None] = {}
    for attributes in data.segment_attributes:
        names.update(dict.fromkeys(attributes))
    if question.batch:
        candidates = [question.batch] if question.batch in names else []
    else:
        candidates = [name for name in names if _followed_by_raters(data, name)]
    if not candidates:
        return "", {}
    name = candidates[0]
    values = dict.fromkeys(str(a[name]) for a in data.segment_attributes if a.get(name))
    return name, {
        value: question.but(where=(*question.where, f"{name}:{value}")) for value in values
    }


def _followed_by_raters(data: StudyData, name: str) -> bool:
    values = np.array([str(a.get(name, "")) for a in data.segment_attributes])
    judged = data.judgements
    if len(set(values)) < 2 or not len(judged.first) or len(set(values)) > len(judged.annotators):
        return False
    met = values[data.segment_of_output[judged.first]]
    for annotator in range(len(judged.annotators)):
        if len(set(met[judged.annotator == annotator])) > 1:
            return False
    return True


def aspect_groups(aspects: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each aspect by itself and, where there are several, all of them together."""
    for aspect in aspects:
        yield aspect, (aspect,)
    if len(aspects) > 1:
        yield TOGETHER, tuple(aspects)
