"""How far raters agree: ratings of persons laid out as units × raters or slots, and judged."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.measures import NOT_IDENTIFIED, SINGLE_RATERS, TOGETHER_WORDS
from analysis.data.scales import (
    UNKNOWN,
    RatingScale,
    one_scale,
    scale_of,
    why_not_categories,
    why_not_together,
)
from analysis.data.selection import rated_values, select
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import Resampling, with_interval
from analysis.filter.question import Question
from analysis.stats.agreement.agreement_intervals import AnnotatedUnits
from analysis.stats.agreement.agreement_statistics import STATISTICS_OF_AGREEMENT
from analysis.stats.arrays import slots_in_file_order, units_by_raters
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.results import Result, Undefined, without_interval
from analysis.stats.signature import extended, signature

TOGETHER = "all together"


@dataclass(frozen=True)
class RatedUnits:
    """Ratings of one aspect (or of all) by persons.

    Parameters
    ----------
    slots
        Units × slots in file order; which rater filled a slot differs from unit to unit.
    slot_raters
        Position in `annotators` of who filled each slot, −1 where none.
    segment
        Segment of each unit.
    left_out
        Why there is nothing, where only means or majorities are known.
    scale
        On which the ratings are.
    variant
        What signatures say of scores that are not the ratings as they were given.
    unnamed
        Whether raters are places in a list, so that only slots mean something.
    """

    slots: Floats
    slot_raters: Integers
    segment: NDArray[np.int64]
    system: NDArray[np.int64]
    annotators: tuple[str, ...]
    left_out: str = ""
    scale: RatingScale = UNKNOWN
    variant: Mapping[str, str | int] = field(default_factory=dict)
    unnamed: bool = False

    @cached_property
    def raters(self) -> Floats:
        """Units × raters; laid out only when asked for: votes may have thousands of judges."""
        unit, slot = np.nonzero(self.slot_raters >= 0)
        return units_by_raters(unit, self.slot_raters[unit, slot], self.slots[unit, slot])

    @property
    def categories(self) -> Floats | None:
        """All categories of a declared categorical scale; None where those that occur are taken."""
        points = self.scale.points
        if self.scale.source != "declared" or not points.size:
            return None
        return np.union1d(points, self.slots[np.isfinite(self.slots)])


def rated_units(data: StudyData, question: Question, aspects: tuple[str, ...]) -> RatedUnits:
    """Return the ratings of the selected outputs on some aspects, one unit an output × aspect.

    z-scores and ranks are taken over everything that an annotator rated, before any filter; an
    annotator who gave one score throughout has no z-scores.
    """
    judged = data.judgements
    single = [annotator.kind in SINGLE_RATERS for annotator in judged.annotators]
    person = np.array(single, dtype=bool)
    chosen = np.zeros(len(judged.value), dtype=bool)
    for aspect in aspects:
        chosen |= data.aspect_mask(aspect)
    if chosen.any() and not person[judged.annotator[chosen]].any():
        kinds = sorted({judged.annotators[i].kind for i in judged.annotator[chosen]})
        known = " and ".join(TOGETHER_WORDS[kind] for kind in kinds)
        return no_units(f"it is not known what each rater gave, only {known}")
    scales = [scale_of(data, aspect) for aspect in aspects]
    if reason := why_not_together(data, aspects):
        return no_units(reason)
    if chosen.any():
        chosen &= person[judged.annotator]
    if (unnamed := data.are_unnamed(chosen)) and question.scores != "raw":
        return no_units(f"z-scores and ranks are those of a rater, and {NOT_IDENTIFIED}: take raw")
    cells = select(data, question)
    segments, systems = (np.zeros(size, dtype=bool) for size in data.shape)
    segments[cells.segments] = systems[cells.systems] = True
    first = judged.first[chosen]
    column = data.column_of_output[first]
    inside = (column >= 0) & segments[data.segment_of_output[first]]
    inside[inside] = systems[column[inside]]
    scores = _scores(data, question, aspects)
    rows = np.flatnonzero(chosen)[inside]
    rows = rows[np.isfinite(scores[rows])]
    if not len(rows):
        return no_units("nobody rated these outputs")
    unit_of = judged.first[rows] * len(judged.aspects) + judged.aspect[rows]
    units, index = np.unique(unit_of, return_inverse=True)
    people, rater = np.unique(judged.annotator[rows], return_inverse=True)
    units_found = laid_out(
        index,
        rater,
        scores[rows],
        segment=data.segment_of_output[units // len(judged.aspects)],
        system=data.column_of_output[units // len(judged.aspects)],
        annotators=tuple(judged.annotators[i].pseudonym for i in people),
        scale=one_scale(scales) or scales[0],
    )
    return replace(units_found, variant=_variant(question), unnamed=unnamed)


def _scores(data: StudyData, question: Question, aspects: tuple[str, ...]) -> Floats:
    """Return every rating on some aspects as it is compared: raw, as z-score or as rank."""
    scores = data.judgements.value.copy()
    for aspect in aspects if question.scores != "raw" else ():
        scores[data.aspect_mask(aspect)] = rated_values(data, question, aspect)
    return scores


def _variant(question: Question) -> dict[str, str | int]:
    if question.scores == "raw":
        return {}
    ddof = {"ddof": question.ddof} if question.scores == "z" else {}
    return {"human": question.scores, **ddof}


def laid_out(
    units: Integers,
    raters: Integers,
    values: Floats,
    *,
    segment: Integers,
    system: Integers,
    annotators: tuple[str, ...],
    scale: RatingScale = UNKNOWN,
) -> RatedUnits:
    """Lay ratings out that come one a row: which unit, by whom, and the value."""
    who = slots_in_file_order(units, raters.astype(np.float64))
    return RatedUnits(
        slots=slots_in_file_order(units, values),
        slot_raters=np.nan_to_num(who, nan=-1).astype(np.int64),
        segment=segment,
        system=system,
        annotators=annotators,
        scale=scale,
    )


def no_units(reason: str) -> RatedUnits:
    """Return no ratings, and why there are none."""
    empty = np.empty((0, 0))
    nobody = np.empty((0, 0), dtype=np.int64)
    none = np.empty(0, dtype=np.int64)
    return RatedUnits(empty, nobody, none, none, (), reason)


OF_INTERVALS = (
    *("pearson", "pearson-double-entry", "pearson-of-rater-pairs", "alpha-interval"),
    *("icc-1-1", "icc-2-1", "icc-3-1", "icc-1-k", "icc-2-k", "icc-3-k"),
)
"""Statistics of differences alone, which z-scores and ranks have too."""


def agreement(
    units: RatedUnits,
    statistic: str,
    resampling: Resampling | None = None,
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
) -> Result:
    """Compute one statistic of agreement; undefined, with the reason, where there is none.

    Its interval is the textbook's, where there is none by drawing units; or, if asked for, by
    drawing segments, systems or annotators; where nothing is drawn there may be none. Of z-scores
    and ranks there are only statistics of differences: these have no points of the scale.
    """
    if units.variant:
        return _of_scores(units, statistic, resampling, bootstrap)
    if units.left_out:
        return Undefined(units.left_out, unit="outputs", signature=signature(statistic))
    kind = STATISTICS_OF_AGREEMENT[statistic]
    if units.unnamed and kind.columns == "raters":
        return Undefined(NOT_IDENTIFIED, len(units.slots), "outputs", signature(statistic))
    if kind.categorical and (reason := why_not_categories(units.scale, units.slots)):
        return Undefined(reason, len(units.slots), "outputs", signature(statistic))
    laid, who = units.slots, units.slot_raters
    if kind.columns == "raters":
        laid = units.raters
        who = np.where(np.isfinite(laid), np.arange(laid.shape[1]), -1)
    result = kind.of(laid, units.categories, STANDARD_BOOTSTRAP if bootstrap else bootstrap)
    if isinstance(result, Undefined):
        return replace(result, signature=result.signature or signature(statistic))
    # Statistics draw units by the default of the package: another number or seed is drawn here.
    as_asked = bootstrap == STANDARD_BOOTSTRAP or "bootstrap:" not in result.signature
    if not bootstrap or (resampling is None and result.interval and as_asked):
        return result
    if units.unnamed and resampling and "annotators" in resampling.over:
        return without_interval(result, NOT_IDENTIFIED)
    return with_interval(
        result,
        statistic,
        AnnotatedUnits(laid, who, units.segment, units.system),
        resampling or Resampling("units", bootstrap),
        units.categories if statistic.startswith("gwet") else None,
    )


def _of_scores(
    units: RatedUnits, statistic: str, resampling: Resampling | None, bootstrap: Bootstrap
) -> Result:
    """Compute a statistic of z-scores or ranks, and say so in its signature."""
    if statistic in OF_INTERVALS:
        result = agreement(replace(units, variant={}), statistic, resampling, bootstrap)
    else:
        words = "z-scores" if units.variant["human"] == "z" else "ranks within annotators"
        reason = f"{words} are no points of the scale, of which this statistic speaks: take raw"
        result = Undefined(reason, len(units.slots), "outputs", signature(statistic))
    return replace(result, signature=extended(result.signature, **units.variant))


def batches(data: StudyData, question: Question) -> tuple[str, dict[str, Question]]:
    """Divide the segments by an attribute: the one asked for, else the one that raters follow.

    An attribute is followed where every rater met only one of its values and more than one
    value occurs. Returns its name and one question a batch; empty where there is none.
    """
    names = data.segment_attribute_names
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


def aspect_groups(data: StudyData, aspects: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each aspect by itself and, where several share one scale, all of them together."""
    for aspect in aspects:
        yield aspect, (aspect,)
    if len(aspects) > 1 and not why_not_together(data, aspects):
        yield TOGETHER, tuple(aspects)
