"""Agreement within one campaign while it runs, with and without what was withdrawn."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analysis.data import matrices
from analysis.data.scales import RatingScale
from analysis.data.study_data import StudyData
from analysis.estimates.agreements import RatedUnits, agreement, laid_out, no_units
from analysis.estimates.choice_agreements import (
    AskedPairs,
    agreement_on_pairs,
    compared_by,
    has_ties,
    judged_pairs,
)
from analysis.stats.agreement.choice_agreement import Statistic
from analysis.stats.results import Result
from annotation.launch.planning import answers_of
from annotation.models import Campaign
from annotation.protocols.questions import Choice, Question

NUMBERS = ("alpha-interval", "icc-1-1", "percent-agreement")
CHOICES: tuple[Statistic, ...] = ("alpha-nominal", "percent-agreement")
RANKS = ("alpha-ordinal", "percent-agreement")
_NOBODY = no_units("nobody has answered yet")


@dataclass(frozen=True)
class AspectAgreement:
    """How far annotators agree on one aspect so far."""

    aspect: str
    units: int
    twice: int
    results: dict[str, Result] = field(default_factory=dict)


def statistics_of(campaign: Campaign) -> tuple[str, ...]:
    """Return the statistics that suit what a campaign asks."""
    return {"choices": CHOICES, "ranks": RANKS}.get(answers_of(campaign), NUMBERS)


def agreement_so_far(campaign: Campaign, *, withdrawn: bool = False) -> list[AspectAgreement]:
    """Compute agreement between the persons of a campaign on each aspect that is asked."""
    data = matrices.load(campaign.study, withdrawn=withdrawn)
    statistics = statistics_of(campaign)
    found = []
    results: dict[str, Result]
    for question in campaign.rules.questions(campaign.config):
        rows = _rows(data, campaign, question)
        if isinstance(question, Choice):
            asked = AskedPairs(
                question.aspect,
                campaign.protocol,
                compared_by(campaign.protocol),
                question.tie or has_ties(data, rows),
                rows,
            )
            units = judged_pairs(data, None, asked) if len(rows) else _NOBODY
            results = {name: agreement_on_pairs(units, asked, name) for name in CHOICES}
        else:
            units = _units(data, rows, _scale(campaign)) if len(rows) else _NOBODY
            results = {name: agreement(units, name) for name in statistics}
        twice = int((np.isfinite(units.slots).sum(axis=1) > 1).sum()) if units.slots.size else 0
        found.append(AspectAgreement(question.aspect, len(units.slots), twice, results))
    return found


def _rows(data: StudyData, campaign: Campaign, question: Question) -> NDArray[np.int64]:
    """Return the places of the answers to one question among the judgements."""
    judged = data.judgements
    where = {view.pk: index for index, view in enumerate(judged.campaigns)}
    asked = [m.asked_as == question.aspect for m in judged.measures]
    return np.flatnonzero(
        (judged.campaign == where.get(campaign.pk, -1))
        & np.isin(judged.aspect, np.flatnonzero(asked))
    )


def _scale(campaign: Campaign) -> RatingScale:
    """Return the scale of a campaign's numbers, which its protocol fixes."""
    rules = campaign.rules
    assert rules.scale is not None  # noqa: S101  (who asks for numbers says from where to where)
    return RatingScale(*rules.scale, rules.setting(campaign.config, "step", 1.0), "declared")


def _units(data: StudyData, rows: NDArray[np.int64], scale: RatingScale) -> RatedUnits:
    """Lay the ratings of one question out, a unit for each text."""
    judged = data.judgements
    units, index = np.unique(judged.first[rows], return_inverse=True)
    people, rater = np.unique(judged.annotator[rows], return_inverse=True)
    return laid_out(
        index,
        rater,
        judged.value[rows],
        segment=data.segment_of_output[units],
        system=data.column_of_output[units],
        annotators=tuple(judged.annotators[i].pseudonym for i in people),
        scale=scale,
    )
