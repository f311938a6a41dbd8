"""Agreement of people who chose between two texts."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import CHOICES, CampaignView
from analysis.data.measures import NOT_IDENTIFIED, SINGLE_RATERS, TOGETHER_WORDS
from analysis.data.selection import measures_of, select
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import Resampling, with_interval
from analysis.estimates.agreements import RatedUnits, laid_out, no_units
from analysis.filter.question import Question
from analysis.stats.agreement.agreement_intervals import AnnotatedUnits
from analysis.stats.agreement.choice_agreement import (
    FIRST,
    SECOND,
    TIE,
    Order,
    Statistic,
    both_ways,
    choice_agreement,
)
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.results import Result, Undefined, without_interval
from analysis.stats.signature import signature
from annotation.protocols.catalogue import protocol
from annotation.protocols.protocol import TIE as TIE_WORD
from annotation.protocols.protocol import ConfigError

_CODES = np.array([{"first": FIRST, "second": SECOND}.get(name, TIE) for name in CHOICES])
"""Both bad is a tie."""
SOURCE, OUTPUTS = "source against output", "output against output"
COMPARED = {"source": SOURCE, "outputs": OUTPUTS}


@dataclass(frozen=True)
class AskedPairs:
    """Choices on one aspect under one protocol: what is never pooled with anything else.

    Parameters
    ----------
    aspect, protocol, compared
        What was asked, and what stood against what.
    ties
        Whether a tie could be answered.
    rows
        Positions of the ratings in `Judgements`.
    """

    aspect: str
    protocol: str
    compared: str
    ties: bool
    rows: Integers

    @property
    def order(self) -> Order:
        """Whether it means anything which text is the first."""
        return "kept" if self.compared == SOURCE else "both-ways"

    @property
    def label(self) -> str:
        """Name for pages and tables."""
        return f"{self.aspect}, {self.compared}, {'ties allowed' if self.ties else 'no ties'}"


def asked_pairs(data: StudyData, question: Question) -> list[AskedPairs]:
    """Return what was asked as a choice between two texts, each by itself."""
    judged = data.judgements
    known = (judged.choice >= 0) & (judged.second >= 0)
    offers = [
        _offers_ties(campaign) or has_ties(data, known & (judged.campaign == index))
        for index, campaign in enumerate(judged.campaigns)
    ]
    found: list[AskedPairs] = []
    wanted = [measure.name for measure in measures_of(data, question.aspect)]
    for index, aspect in enumerate(judged.aspects):
        own = known & (judged.aspect == index)
        if (question.aspect and aspect not in wanted) or not own.any():
            continue
        kinds: dict[tuple[str, bool], list[int]] = {}
        for number in np.unique(judged.campaign[own]):
            kind = judged.campaigns[number].protocol, offers[number]
            kinds.setdefault(kind, []).append(int(number))
        found += [
            AskedPairs(
                aspect,
                key,
                compared_by(key),
                ties,
                np.flatnonzero(own & np.isin(judged.campaign, numbers)),
            )
            for (key, ties), numbers in kinds.items()
        ]
    return found


def compared_by(key: str) -> str:
    """Say what stands against what under a protocol."""
    return COMPARED.get(protocol(key).layout.compares, "text against text")


def has_ties(data: StudyData, rows: NDArray[Any]) -> bool:
    """Say whether some of these judgements are ties."""
    return bool((data.judgements.choice[rows] >= CHOICES.index(TIE_WORD)).any())


def _offers_ties(campaign: CampaignView) -> bool:
    rules = protocol(campaign.protocol)
    try:
        return bool(rules.setting(campaign.config, "tie", False))
    except ConfigError:
        return False


def judged_pairs(data: StudyData, question: Question | None, asked: AskedPairs) -> RatedUnits:
    """Lay single choices out, a unit for each pair of texts that a question selects."""
    judged = data.judgements
    single = single_raters(data)[judged.annotator[asked.rows]]
    if not single.any():
        kinds = sorted({judged.annotators[i].kind for i in judged.annotator[asked.rows]})
        known = " and ".join(TOGETHER_WORDS[kind] for kind in kinds)
        return no_units(f"it is not known what each rater chose, only {known}")
    rows = asked.rows[single]
    if question is not None:
        rows = rows[selected(data, question, rows)]
    if not len(rows):
        return no_units("nobody judged these pairs")
    first, second, choice = canonical(data, rows)
    units, index = np.unique(first * len(data.segment_of_output) + second, return_inverse=True)
    raters, rater = np.unique(judged.annotator[rows], return_inverse=True)
    one, other = np.divmod(units, len(data.segment_of_output))
    system = data.column_of_output[other]
    units_found = laid_out(
        index,
        rater,
        choice,
        segment=data.segment_of_output[one],
        system=np.where(system >= 0, system, data.column_of_output[one]),
        annotators=tuple(judged.annotators[i].pseudonym for i in raters),
    )
    return replace(units_found, unnamed=data.are_unnamed(rows))


def single_raters(data: StudyData) -> NDArray[np.bool_]:
    """Say which annotators are single: every choice of theirs is known."""
    return np.array([each.kind in SINGLE_RATERS for each in data.judgements.annotators], dtype=bool)


def selected(data: StudyData, question: Question, rows: Integers) -> NDArray[np.bool_]:
    """Say of which judgements every output is among the selected; sources go with their segment."""
    cells = select(data, question)
    segments, systems = (np.zeros(size, dtype=bool) for size in (data.shape[0], data.shape[1] + 1))
    segments[cells.segments] = True
    # The last one (−1) stands for sources and references.
    systems[cells.systems] = systems[-1] = True
    keep = np.ones(len(rows), dtype=bool)
    for texts in (data.judgements.first[rows], data.judgements.second[rows]):
        keep &= segments[data.segment_of_output[texts]] & systems[data.column_of_output[texts]]
    return keep


def canonical(data: StudyData, rows: Integers) -> tuple[Integers, Integers, Floats]:
    """Return both texts, the source or the lower ordinal first, and the choice between them."""
    judged = data.judgements
    first, second = judged.first[rows], judged.second[rows]
    choice = _CODES[judged.choice[rows]]
    kinds = data.kind_of_output == "source"
    exchanged = (kinds[second] & ~kinds[first]) | (
        (kinds[second] == kinds[first]) & (second < first)
    )
    return (
        np.where(exchanged, second, first),
        np.where(exchanged, first, second),
        np.where(exchanged & (choice != TIE), 1 - choice, choice),
    )


def agreement_on_pairs(
    units: RatedUnits,
    asked: AskedPairs,
    statistic: Statistic,
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    resampling: Resampling | None = None,
) -> Result:
    """Compute one statistic of agreement on choices, its interval as the question draws it."""
    if units.left_out:
        return Undefined(units.left_out, unit="pairs", signature=signature(statistic))
    found = choice_agreement(
        units.slots, statistic, ties=asked.ties, order=asked.order, bootstrap=bootstrap
    )
    found = replace(found, unit="pairs")
    if isinstance(found, Undefined) or resampling is None:
        return found
    if resampling.over == "systems" and asked.compared == OUTPUTS:
        reason = "each pair is of two systems, so systems cannot be drawn one by one"
        return without_interval(found, reason)
    if units.unnamed and "annotators" in resampling.over:
        return without_interval(found, NOT_IDENTIFIED)
    slots, who, times = units.slots, units.slot_raters, 1
    if asked.order == "both-ways":
        slots, who, times = both_ways(units.slots), np.repeat(units.slot_raters, 2, axis=0), 2
    answers = np.array([FIRST, SECOND, TIE] if asked.ties else [FIRST, SECOND])
    segments, systems = np.repeat(units.segment, times), np.repeat(units.system, times)
    laid_out = AnnotatedUnits(slots, who, segments, systems)
    return with_interval(found, statistic, laid_out, resampling, answers)
