"""The correlation report: which metric tracks people, at which level, among which systems."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis.beside_imported import beside_imported
from analysis.ceilings import ceilings
from analysis.correlation_summary import correlation_sentences
from analysis.correlations import Pairing, correlation, pair, system_names, top_and_last
from analysis.evaluation import aspects_of
from analysis.matrices import StudyData
from analysis.question import Question
from analysis.selection import MetricColumn, metric_columns, select
from analysis.stats.calibration import binned_calibration, joint_counts
from analysis.stats.metric_correlation import system_means
from analysis.stats.resampling import STANDARD_BOOTSTRAP, Bootstrap

HEADLINE: dict[str, dict[str, str]] = {
    "system_pearson": {"level": "system", "statistic": "pearson"},
    "segment_pearson": {"level": "segment", "statistic": "pearson", "grouping": "none"},
    "segment_tau_like": {"level": "segment", "statistic": "tau-like"},
}
TITLES = {
    "system_pearson": "System r",
    "segment_pearson": "Segment r",
    "segment_tau_like": "Tau-like",
}
MOST_SYSTEMS_FOR_CURVES = 30
MOST_CURVES = 40


def correlation_report(
    data: StudyData,
    question: Question,
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
) -> dict[str, Any]:
    """Build the report of one question: headline statistics and the one asked for.

    Each row holds oriented results and, beside them, the raw value of the same statistic.
    """
    cells = select(data, question)
    aspects = list(aspects_of(data, question.aspect))
    columns = metric_columns(data, question.but(aspect=""))
    # Metrics that were made for no aspect are drawn where it is plain which one is meant.
    one_aspect = len(aspects) == 1
    rows = []
    curves: list[dict[str, Any]] = []
    points = []
    for column in columns:
        for aspect in _aspects_of(column, aspects):
            pairing = pair(data, question, column, aspect)
            rows.append(_row(data, question, pairing, bootstrap))
            if one_aspect or column.run.aspect == aspect:
                if len(curves) < MOST_CURVES:
                    curves.append(_curve(question, pairing))
                points.append(_points(pairing))
    content = {
        "systems": list(system_names(data, cells)),
        "segments": len(cells.segments),
        "human_systems_left_out": [
            s.name for s in data.systems if s.human and question.humans == "out"
        ]
        if not question.systems
        else [],
        "aspects": aspects,
        "rows": rows,
        "curves": [curve for curve in curves if curve["subsets"]],
        "points": points,
        "beside_imported": beside_imported(data, question, columns, aspects),
        "ceilings": [_ceiling(data, question, aspect, bootstrap) for aspect in aspects],
    }
    return content | {"summary": correlation_sentences(content)}


def _ceiling(
    data: StudyData, question: Question, aspect: str, bootstrap: Bootstrap | None
) -> dict[str, Any]:
    found = ceilings(data, question, aspect, bootstrap or STANDARD_BOOTSTRAP)
    return {"aspect": aspect, "results": {name: r.to_dict() for name, r in found.items()}}


def _aspects_of(column: MetricColumn, aspects: list[str]) -> list[str]:
    """A metric that was made for one aspect is first shown beside that aspect."""
    own = [aspect for aspect in aspects if aspect == column.run.aspect]
    return own + [aspect for aspect in aspects if aspect not in own]


def label_of(column: MetricColumn) -> dict[str, Any]:
    """Return what names a metric column in a report, and the style models behind its scores."""
    trained = [behind._asdict() for behind in column.run.trained]
    return {
        "metric": column.name,
        "metric_aspect": column.run.aspect,
        "compared_to": column.run.compared_to,
        "text_setting": column.run.text_setting,
        "run": column.run.signature,
        "origin": column.run.origin,
    } | ({"trained": trained} if trained else {})


def _row(
    data: StudyData, question: Question, pairing: Pairing, bootstrap: Bootstrap | None
) -> dict[str, Any]:
    asked = {"asked": question} | {
        name: question.but(grouping="none").but(**changes)
        if changes["level"] == "system"
        else question.but(**changes)
        for name, changes in HEADLINE.items()
    }
    results = {
        name: correlation(pairing, variant, bootstrap).to_dict() for name, variant in asked.items()
    }
    raw = results
    if pairing.orientation == "oriented":
        unturned = pair(data, question.but(orientation="raw"), pairing.column, pairing.aspect)
        raw = {
            name: correlation(unturned, variant, None).to_dict() for name, variant in asked.items()
        }
    return label_of(pairing.column) | {
        "aspect": pairing.aspect,
        "own_aspect": pairing.column.run.aspect == pairing.aspect,
        "orientation": pairing.orientation,
        "better": pairing.column.run.orientation if not pairing.column.derived else "higher",
        "note": pairing.note,
        "results": results,
        "raw": {name: result.get("value") for name, result in raw.items()},
        "conditions": _conditions(question, pairing),
    }


def _conditions(question: Question, pairing: Pairing) -> dict[str, list[str]]:
    run = pairing.column.run
    return question.but(
        aspect=pairing.aspect,
        metric=(pairing.column.name,),
        compared_to=run.compared_to or "none",
        text_setting=run.text_setting or "none",
    ).to_query()


def _curve(question: Question, pairing: Pairing) -> dict[str, Any]:
    """Top-N and last-N results of the headline statistics; without bootstrap, they are many."""
    subsets: list[dict[str, Any]] = []
    if len(pairing.systems) <= MOST_SYSTEMS_FOR_CURVES:
        questions = {name: question.but(**changes) for name, changes in HEADLINE.items()}
        subsets = [
            {
                "side": subset.side,
                "size": subset.size,
                "systems": list(subset.systems),
                "results": {name: result.to_dict() for name, result in subset.results.items()},
            }
            for subset in top_and_last(pairing, questions)
        ]
    return label_of(pairing.column) | {"aspect": pairing.aspect, "subsets": subsets}


def _points(pairing: Pairing) -> dict[str, Any]:
    """Return the systems' mean scores, and their outputs by both scores, for the scatters."""
    metric, human, counts = system_means(pairing.metric, pairing.human)
    outputs = joint_counts(pairing.metric, pairing.human)
    return label_of(pairing.column) | {
        "aspect": pairing.aspect,
        "systems": [
            {"system": name, "metric": float(m), "human": float(h), "n": int(n)}
            for name, m, h, n in zip(pairing.systems, metric, human, counts, strict=True)
            if np.isfinite(m) and np.isfinite(h)
        ],
        "counts": outputs.to_dict() if outputs else None,
        "calibration": [b.to_dict() for b in binned_calibration(pairing.metric, pairing.human)],
    }


def subgroups(data: StudyData, question: Question) -> Iterator[tuple[str, Question]]:
    """Yield the questions of a full document: all, each direction, each model with settings."""
    yield "all", question
    directions = dict.fromkeys(direction for direction in data.directions if direction)
    if len(directions) > 1 and not question.direction:
        for direction in directions:
            yield f"direction {direction}", question.but(direction=direction)
    models = Counter(str(s.attributes["model"]) for s in data.systems if s.attributes.get("model"))
    settings = [model for model, systems in models.items() if systems > 1]
    if len(settings) > 1:
        for model in settings:
            yield f"model {model}", question.but(where=(*question.where, f"model:{model}"))
