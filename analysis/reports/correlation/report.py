"""The correlation report: which metric correlates with human scores, and at which level."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.data.picking import Relation, pick, relation, wanted_place
from analysis.data.selection import MetricColumn, metric_columns, select
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import ceilings
from analysis.estimates.correlations import (
    Pairing,
    correlation,
    correlation_steps,
    human_side,
    lay_beside,
    system_names,
    top_and_last,
)
from analysis.estimates.evaluation import aspects_of
from analysis.filter.question import Question
from analysis.reports.correlation.beside_imported import beside_imported
from analysis.reports.correlation.human_score_kinds import KINDS, kinds_of_aspect
from analysis.reports.correlation.orientation_doubts import orientation_doubts
from analysis.reports.correlation.summary import own_rows
from analysis.stats.correlation.calibration import binned_calibration, joint_counts
from analysis.stats.correlation.metric_correlation import system_means
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.resampling.resampled_sums import ResampledResult, resampled_together
from corpus.progress import ProgressCallback, unreported

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
    tell: ProgressCallback = unreported,
) -> dict[str, Any]:
    """Build the report of one question: headline statistics and the one asked for.

    Each row holds oriented results and, beside them, the raw value of the same statistic; and the
    statistic asked for by each kind of human scores.
    """
    cells = select(data, question)
    aspects = list(aspects_of(data, question.aspect, preferences=True))
    columns = metric_columns(data, question.but(aspect=""))
    made = _Made(data, question, aspects, bootstrap)
    for result, (row, part, name) in zip(
        resampled_together(made.computations(columns, tell), bootstrap), made.wanted, strict=True
    ):
        row[part][name] = result.to_dict()
    for row in made.rows:
        _complete(row, question)
    content = {
        "systems": list(system_names(data, cells)),
        "segments": len(cells.segments),
        "human_systems_left_out": [
            s.name for s in data.systems if s.human and question.humans == "out"
        ]
        if not question.systems
        else [],
        "aspects": aspects,
        "rows": made.rows,
        "curves": [curve for curve in made.curves if curve["subsets"]],
        "points": sorted(made.points, key=lambda points: wanted_place(points["relation"])),
        "beside_imported": beside_imported(data, question, columns, aspects),
        "picked": {
            aspect: pick(data, question.but(candidates="aspect"), aspect).to_dict()
            for aspect in aspects
        },
        "ceilings": [_ceiling(data, question, aspect, bootstrap) for aspect in aspects],
    }
    kinds = [kinds_of_aspect(a, own_rows(content, a)) for a in aspects if made.rows]
    doubts = {"orientation_doubts": orientation_doubts(made.rows)}
    return content | {"kinds": kinds} | doubts


class _Made:
    """The parts of a report that grow with each metric, and what is yet to be resampled."""

    def __init__(
        self,
        data: StudyData,
        question: Question,
        aspects: list[str],
        bootstrap: Bootstrap | None,
    ) -> None:
        self.data, self.question, self.bootstrap = data, question, bootstrap
        self.aspects = aspects
        self.rows: list[dict[str, Any]] = []
        self.curves: list[dict[str, Any]] = []
        self.points: list[dict[str, Any]] = []
        self.wanted: list[tuple[dict[str, Any], str, str]] = []
        """Row, part and name of each result, in the order of the computations."""
        self.people = {
            (aspect, kind): human_side(data, question.but(scores=kind), aspect)
            for aspect in aspects
            for kind in KINDS
        }

    def computations(
        self, columns: Sequence[MetricColumn], tell: ProgressCallback
    ) -> Iterator[ResampledResult]:
        """Yield every computation of every metric beside every aspect."""
        for done, column in enumerate(columns):
            tell("metrics", done, len(columns))
            for aspect in self._aspects_of(column):
                yield from self._beside(column, aspect)

    def _aspects_of(self, column: MetricColumn) -> list[str]:
        """Return the measures, those that a metric measures first."""
        measures = {aspect: self.data.measure(aspect) for aspect in self.aspects}
        return sorted(measures, key=lambda aspect: relation(column.run, measures[aspect]) != "own")

    def _beside(self, column: MetricColumn, aspect: str) -> Iterator[ResampledResult]:
        question = self.question
        pairing = lay_beside(self.data, question, column, self.people[aspect, question.scores])
        row = _row(question, pairing, relation(column.run, self.data.measure(aspect)))
        row["raw"] = self._raw_values(pairing)
        self.rows.append(row)
        # Metrics that may measure any aspect are drawn where it is plain which one is meant.
        if len(self.aspects) == 1 or row["relation"] == "own":
            if len(self.curves) < MOST_CURVES:
                curve = _curve(question, pairing) | {"relation": row["relation"]}
                self.curves.append(curve)
            self.points.append(_points(pairing) | {"relation": row["relation"]})
        for name, variant in _distinct(question).items():
            self.wanted.append((row, "results", name))
            yield correlation_steps(pairing, variant, self.bootstrap)
        for kind in KINDS:
            if kind != question.scores:
                people = self.people[aspect, kind]
                other = replace(pairing, human=people.scores, ratings=people.ratings)
                self.wanted.append((row, "scores", kind))
                yield correlation_steps(other, question.but(scores=kind), self.bootstrap)

    def _raw_values(self, pairing: Pairing) -> dict[str, float | None]:
        """Return values of scores that are not turned; empty where turning changed none."""
        people = self.people[pairing.aspect, self.question.scores]
        asked = self.question.but(orientation="raw")
        unturned = lay_beside(self.data, asked, pairing.column, people)
        if np.array_equal(unturned.metric, pairing.metric, equal_nan=True):
            return {}
        results = {
            name: correlation(unturned, variant, None)
            for name, variant in _distinct(self.question).items()
        }
        return {name: result.to_dict().get("value") for name, result in results.items()}


def _variants(question: Question) -> dict[str, Question]:
    """Return the question of each result of a row: the one asked, and the headlines."""
    return {"asked": question} | {
        name: question.but(grouping="none").but(**changes)
        if changes["level"] == "system"
        else question.but(**changes)
        for name, changes in HEADLINE.items()
    }


def _distinct(question: Question) -> dict[str, Question]:
    """Return those of the questions that are not the same as one before."""
    found: dict[str, Question] = {}
    for name, variant in _variants(question).items():
        if variant not in found.values():
            found[name] = variant
    return found


def _complete(row: dict[str, Any], question: Question) -> None:
    """Fill in what a row's results have in common with each other."""
    results, raw = row["results"], row["raw"]
    first = {variant: name for name, variant in reversed(_distinct(question).items())}
    names = {name: first[variant] for name, variant in _variants(question).items()}
    row["results"] = {name: results[same] for name, same in names.items()}
    row["raw"] = {
        name: raw[same] if raw else results[same].get("value") for name, same in names.items()
    }
    row["scores"] = {kind: row["scores"].get(kind, row["results"]["asked"]) for kind in KINDS}


def _ceiling(
    data: StudyData, question: Question, aspect: str, bootstrap: Bootstrap | None
) -> dict[str, Any]:
    found = ceilings(data, question, aspect, bootstrap or STANDARD_BOOTSTRAP)
    return {"aspect": aspect, "results": {name: r.to_dict() for name, r in found.items()}}


def label_of(column: MetricColumn) -> dict[str, Any]:
    """Return what names a metric column in a report, and the style models behind its scores."""
    trained = [behind._asdict() for behind in column.run.trained]
    return {
        "metric": column.name,
        "name": column.label,
        "metric_aspect": column.run.aspect,
        "metric_family": "description" if column.run.describes else column.run.family,
        "compared_to": column.run.compared_to,
        "text_setting": column.run.text_setting,
        "run": column.run.signature,
        "origin": column.run.origin,
    } | ({"trained": trained} if trained else {})


def _row(question: Question, pairing: Pairing, related: Relation) -> dict[str, Any]:
    """Return a row whose results are yet to be filled in."""
    return label_of(pairing.column) | {
        "aspect": pairing.aspect,
        "own_aspect": related == "own",
        "relation": related,
        "orientation": pairing.orientation,
        "better": pairing.column.run.orientation if not pairing.column.derived else "higher",
        "note": pairing.note,
        "results": {},
        "scores": {},
        "conditions": _conditions(question, pairing),
    }


def _conditions(question: Question, pairing: Pairing) -> dict[str, list[str]]:
    run = pairing.column.run
    return question.but(
        aspect=pairing.aspect,
        metric=(pairing.column.label,),
        compared_to=run.compared_to or "none",
        text_setting=run.text_setting or "none",
    ).to_query()


def _curve(question: Question, pairing: Pairing) -> dict[str, Any]:
    """Top-N and last-N results of the headline statistics; without bootstrap, they are many."""
    subsets: list[dict[str, Any]] = []
    if len(pairing.systems) <= MOST_SYSTEMS_FOR_CURVES:
        subsets = [
            {
                "side": subset.side,
                "size": subset.size,
                "systems": list(subset.systems),
                "results": {name: result.to_dict() for name, result in subset.results.items()},
            }
            for subset in top_and_last(pairing, question)
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
