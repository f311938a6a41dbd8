"""Agreement within one campaign while it runs, with and without what was withdrawn."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis import matrices
from analysis.agreements import RatedUnits, agreement, laid_out, no_units
from analysis.matrices import StudyData
from analysis.stats.results import Result
from annotation.models import Campaign
from annotation.protocols.questions import Question, Scale

NUMBERS = ("alpha-interval", "icc-1-1", "percent-agreement")
CHOICES = ("alpha-nominal", "percent-agreement")
RANKS = ("alpha-ordinal", "percent-agreement")
LOW_CODE = 1.0
"""Choices are coded from here on; nominal statistics do not care."""


@dataclass(frozen=True)
class AspectAgreement:
    """How far annotators agree on one aspect so far."""

    aspect: str
    units: int
    twice: int
    results: dict[str, Result] = field(default_factory=dict)


def statistics_of(campaign: Campaign) -> tuple[str, ...]:
    """Return the statistics that suit what a campaign asks."""
    rules = campaign.rules
    if rules.choices:
        return CHOICES
    return RANKS if rules.layout == "order" else NUMBERS


def agreement_so_far(campaign: Campaign, *, withdrawn: bool = False) -> list[AspectAgreement]:
    """Compute agreement between the persons of a campaign on each aspect that is asked."""
    data = matrices.load(campaign.study, withdrawn=withdrawn)
    statistics = statistics_of(campaign)
    rows = []
    for question in campaign.rules.questions(campaign.config):
        units = _units(data, campaign, question)
        twice = int((np.isfinite(units.slots).sum(axis=1) > 1).sum()) if units.slots.size else 0
        results = {name: agreement(units, name) for name in statistics}
        rows.append(AspectAgreement(question.aspect, len(units.slots), twice, results))
    return rows


def _units(data: StudyData, campaign: Campaign, question: Question) -> RatedUnits:
    """Lay the answers to one question out, a unit for each text or pair of texts."""
    judged = data.judgements
    where = {view.pk: index for index, view in enumerate(judged.campaigns)}
    aspects = {name: index for index, name in enumerate(judged.aspects)}
    rows: Any = np.flatnonzero(
        (judged.campaign == where.get(campaign.pk, -1))
        & (judged.aspect == aspects.get(question.aspect, -1))
    )
    if not len(rows):
        return no_units("nobody has answered yet")
    values = judged.value[rows] if isinstance(question, Scale) else judged.choice[rows] + LOW_CODE
    outputs = len(data.segment_of_output)
    keys = judged.first[rows] * (outputs + 1) + judged.second[rows] + 1
    units, index = np.unique(keys, return_inverse=True)
    people, rater = np.unique(judged.annotator[rows], return_inverse=True)
    return laid_out(
        index,
        rater,
        values,
        segment=data.segment_of_output[units // (outputs + 1)],
        system=data.column_of_output[units // (outputs + 1)],
        annotators=tuple(judged.annotators[i].pseudonym for i in people),
    )
