"""The agreement report: how far raters agree, per batch and over all."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis.agreement_resampling import Resampling, resampling_of
from analysis.agreements import (
    TOGETHER,
    agreement,
    aspect_groups,
    batches,
    rated_units,
)
from analysis.comparisons import bootstrap_of
from analysis.evaluation import aspects_of
from analysis.matrices import StudyData
from analysis.question import AGREEMENT_STATISTICS, Question
from analysis.reports.naturalness import naturalness_rows, position_rows
from analysis.selection import scale_aspects
from analysis.stats.human_scores import z_scores

HEADLINE = ("pearson", "pearson-double-entry", "icc-1-1", "icc-1-k", "alpha-interval")
"""Shown per batch; over all batches every statistic is shown."""
ALL = "all"


def agreement_report(data: StudyData, question: Question) -> dict[str, Any]:
    """Build the report: numbers with their conditions, raters, and relative judgements."""
    attribute, by_batch = batches(data, question)
    resampling = resampling_of(question, bootstrap_of(question))
    aspects = list(aspects_of(data, question.aspect))
    return {
        "batch_attribute": attribute,
        "aspects": aspects,
        "numbers": list(_numbers(data, question, aspects, by_batch, resampling)),
        "raters": _raters(data),
        "relative": [*naturalness_rows(data, question), *position_rows(data, question)],
    }


def _numbers(
    data: StudyData,
    question: Question,
    aspects: list[str],
    by_batch: dict[str, Question],
    resampling: Resampling | None,
) -> Iterator[dict[str, Any]]:
    has_humans = any(system.human for system in data.systems)
    for humans in ("in", "out") if has_humans and not question.systems else (question.humans,):
        parts = {batch: q.but(humans=humans) for batch, q in by_batch.items()}
        parts[ALL] = question.but(humans=humans)
        for batch, asked in parts.items():
            for name, members in aspect_groups(aspects):
                units = rated_units(data, asked, members)
                for statistic in AGREEMENT_STATISTICS if batch == ALL else HEADLINE:
                    yield {
                        "humans": humans if has_humans else "",
                        "batch": batch,
                        "aspect": name,
                        "statistic": statistic,
                        "raters": len(units.annotators),
                        "units": len(units.slots),
                        "conditions": _conditions(asked, name, statistic),
                        "result": agreement(units, statistic, resampling).to_dict(),
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
