"""The agreement report: how far raters agree, per batch and over all."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis.data.scales import UNKNOWN, RatingScale, one_scale, scale_of, why_not_together
from analysis.data.selection import scale_aspects
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import Resampling, resampling_of
from analysis.estimates.agreements import (
    TOGETHER,
    agreement,
    aspect_groups,
    batches,
    rated_units,
)
from analysis.estimates.comparisons import bootstrap_of
from analysis.estimates.evaluation import aspects_of
from analysis.filter.question import AGREEMENT_STATISTICS, Question
from analysis.reports.agreement.choices import choice_rows, consistency_rows
from analysis.reports.agreement.naturalness import naturalness_rows, position_rows
from analysis.reports.agreement.protocols import protocol_rows
from analysis.stats.systems.human_scores import z_scores

HEADLINE = ("pearson", "pearson-double-entry", "icc-1-1", "icc-1-k", "alpha-interval")
"""Shown per batch; over all batches every statistic is shown."""
ALL = "all"


def agreement_report(data: StudyData, question: Question) -> dict[str, Any]:
    """Build the report: numbers with their conditions, raters, and relative judgements."""
    attribute, by_batch = batches(data, question)
    resampling = resampling_of(question, bootstrap_of(question))
    asked = aspects_of(data, question.aspect, preferences=True)
    aspects = [aspect for aspect in scale_aspects(data) if aspect in asked]
    states = list(_states(data, question, by_batch))
    # Choices and cut ratings have no z-scores: they are as they were given.
    raw = question.but(scores="raw", ddof=0)
    raw_states = list(_states(data, raw, batches(data, raw)[1]))
    return {
        "batch_attribute": attribute,
        "aspects": aspects,
        "scales": _scales(data, aspects),
        "numbers": list(_numbers(data, question, aspects, states, resampling)),
        "choices": [
            {**row, "humans": humans}
            for humans, parts in raw_states
            for row in choice_rows(data, raw, parts, resampling)
        ],
        "consistency": [
            {**row, "humans": humans}
            for humans, parts in raw_states
            for row in consistency_rows(data, parts[ALL])
        ],
        "protocols": [
            {**row, "humans": humans}
            for humans, parts in raw_states
            for row in protocol_rows(data, parts[ALL], resampling)
        ],
        "raters": _raters(data),
        "relative": [*naturalness_rows(data, raw), *position_rows(data, raw)],
    }


def _states(
    data: StudyData, question: Question, by_batch: dict[str, Question]
) -> Iterator[tuple[str, dict[str, Question]]]:
    """Yield the batches and all together, with and without human-written systems if there are."""
    has_humans = any(system.human for system in data.systems)
    for humans in ("in", "out") if has_humans and not question.systems else (question.humans,):
        parts = {batch: q.but(humans=humans) for batch, q in by_batch.items()}
        parts[ALL] = question.but(humans=humans)
        yield humans if has_humans else "", parts


def _numbers(
    data: StudyData,
    question: Question,
    aspects: list[str],
    states: list[tuple[str, dict[str, Question]]],
    resampling: Resampling | None,
) -> Iterator[dict[str, Any]]:
    bootstrap = bootstrap_of(question)
    for humans, parts in states:
        for batch, asked in parts.items():
            for name, members in aspect_groups(data, aspects):
                units = rated_units(data, asked, members)
                for statistic in AGREEMENT_STATISTICS if batch == ALL else HEADLINE:
                    found = agreement(units, statistic, resampling, bootstrap)
                    yield {
                        "humans": humans,
                        "batch": batch,
                        "aspect": name,
                        "statistic": statistic,
                        "raters": len(units.annotators),
                        "units": len(units.slots),
                        "conditions": _conditions(asked, name, statistic),
                        "result": found.to_dict(),
                    }


def _scales(data: StudyData, aspects: list[str]) -> list[dict[str, Any]]:
    """Return the scale of each aspect and of all together, with why the latter has none."""
    scales = [scale_of(data, aspect) for aspect in aspects]
    rows = [_scale(aspect, scale) for aspect, scale in zip(aspects, scales, strict=True)]
    if len(aspects) > 1:
        whole = one_scale(scales) or UNKNOWN
        rows.append(_scale(TOGETHER, whole, why_not_together(aspects, scales)))
    return rows


def _scale(aspect: str, scale: RatingScale, reason: str = "") -> dict[str, Any]:
    return {
        "aspect": aspect,
        "low": scale.low if scale.known else None,
        "high": scale.high if scale.known else None,
        "step": scale.step if scale.known else None,
        "source": scale.source,
        "categorical": bool(scale.points.size) if scale.source == "declared" else None,
        "not_pooled_because": reason,
    }


def _conditions(question: Question, aspect: str, statistic: str) -> dict[str, Any]:
    """What gives this number again, on the command line and as a published value."""
    asked = question.but(aspect="" if aspect == TOGETHER else aspect, batch="")
    return {"agreement_statistic": statistic} | asked.to_query()


def _raters(data: StudyData) -> list[dict[str, Any]]:
    """Severity and spread of every annotator on every aspect, each against the item means."""
    judged = data.judgements
    rows = []
    for aspect in scale_aspects(data):
        rated = np.flatnonzero(data.aspect_mask(aspect))
        who, values = judged.annotator[rated], judged.value[rated]
        undefined = set(z_scores(values, who).undefined_groups)
        for index, annotator in enumerate(judged.annotators):
            own = values[who == index]
            if not len(own):
                continue
            rows.append(
                {
                    "rater": annotator.pseudonym,
                    "kind": annotator.kind,
                    "raters": annotator.raters,
                    "campaign": judged.campaigns[annotator.campaign].slug,
                    "aspect": aspect,
                    "ratings": len(own),
                    "mean": float(own.mean()),
                    "sd": float(own.std()),
                    "constant": index in undefined,
                }
            )
    return rows
