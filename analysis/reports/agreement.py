"""The agreement report: how far raters agree, per batch and over all."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from analysis.agreements import (
    TOGETHER,
    agreement,
    aspect_groups,
    batches,
    rated_units,
)
from analysis.evaluation import naturalness_agreement, relative_judgements
from analysis.matrices import StudyData
from analysis.question import AGREEMENT_STATISTICS, Question
from analysis.selection import metric_columns, scale_aspects, select
from analysis.stats.human_scores import z_scores
from analysis.stats.naturalness import share_preferred
from analysis.stats.results import Undefined

HEADLINE = ("pearson", "pearson-double-entry", "icc-1-1", "icc-1-k", "alpha-interval")
"""Shown per batch; over all batches every statistic is shown."""
ALL = "all"


def agreement_report(data: StudyData, question: Question) -> dict[str, Any]:
    """Build the report: numbers with their conditions, raters, and relative judgements."""
    attribute, by_batch = batches(data, question)
    aspects = [a for a in scale_aspects(data) if not question.aspect or a == question.aspect]
    return {
        "batch_attribute": attribute,
        "aspects": aspects,
        "numbers": list(_numbers(data, question, aspects, by_batch)),
        "raters": _raters(data),
        "relative": list(_relative(data, question)),
    }


def _numbers(
    data: StudyData, question: Question, aspects: list[str], by_batch: dict[str, Question]
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
                        "result": agreement(units, statistic).to_dict(),
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


def _relative(data: StudyData, question: Question) -> Iterator[dict[str, Any]]:
    """Percent more natural, and naturalness classifiers beside people, per system and over all."""
    judged = relative_judgements(data)
    if np.isnan(judged).all():
        return
    cells = select(data, question)
    groups: list[tuple[str, Question]] = [("all systems", question)]
    models = dict.fromkeys(str(data.systems[i].attributes.get("model", "")) for i in cells.systems)
    groups += [
        (model, question.but(where=(*question.where, f"model:{model}")))
        for model in models
        if model
    ]
    if len(cells.systems) > 1:
        groups += [
            (data.systems[i].name, question.but(systems=(data.systems[i].name,)))
            for i in cells.systems
        ]
    columns = [
        column
        for column in metric_columns(data, Question(aspect="naturalness"))
        if column.run.aspect == "naturalness"
    ]
    for name, asked in groups:
        part = select(data, asked).of(judged)
        if np.isnan(part).all():
            continue
        yield {
            "group": name,
            "statistic": "percent more natural",
            "conditions": asked.to_query(),
            "result": share_preferred(part).to_dict(),
        }
        for column in columns:
            for protocol, ties in product(("relative", "absolute"), ("disagreement", "matched")):
                result = naturalness_agreement(data, asked, column, protocol=protocol, ties=ties)
                if isinstance(result, Undefined):
                    continue
                counted = "a disagreement" if ties == "disagreement" else "matched by a tie"
                yield {
                    "group": name,
                    "statistic": f"agreement of {column.name} with {protocol} judgements, "
                    f"human tie {counted}",
                    "conditions": asked.to_query()
                    | {"metric": [column.name], "protocol": [protocol], "ties": [ties]},
                    "result": result.to_dict(),
                }
