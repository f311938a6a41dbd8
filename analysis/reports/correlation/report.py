"""The correlation report: which metric correlates with human scores, and at which level."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from analysis.data.named_metric import label_of
from analysis.data.picking import TAKEN, Relation, pick, relation, wanted_place
from analysis.data.selection import MetricColumn, default_columns, select
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import ceilings
from analysis.estimates.correlation_intervals import asked_interval
from analysis.estimates.correlations import (
    Pairing,
    align,
    correlation,
    correlation_steps,
    human_side,
    system_names,
    top_and_last,
)
from analysis.estimates.evaluation import aspects_of
from analysis.filter.question import Question
from analysis.reports.content import Asked
from analysis.reports.correlation.content import (
    MOST_SYSTEMS,
    Ceilings,
    CorrelationReport,
    Curve,
    MetricRow,
    Points,
    SystemPoint,
    SystemsOfMetric,
    by_system,
)
from analysis.reports.correlation.run_checks import beside_imported, orientation_doubts
from analysis.reports.correlation.summary import KINDS, kinds_of_aspect
from analysis.stats.correlation.calibration import binned_calibration, joint_counts
from analysis.stats.correlation.metric_correlation import system_means
from analysis.stats.correlation.score_matrix import order_of_rows
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.resampled_sums import ResampledResult, resampled_together
from analysis.stats.results import Result
from corpus.progress import ProgressCallback

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


def correlation_report(asked: Asked) -> CorrelationReport:
    """Build the report of one question: headline statistics and the one asked for.

    Each row holds oriented results and, beside them, the raw value of the same statistic; and the
    statistic asked for by each kind of human scores. Without a bootstrap there are values alone.
    """
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    cells = select(data, question)
    aspects = aspects_of(data, question.aspect)
    columns = default_columns(data, question.but(aspect=""))
    made = _Made(data, question, aspects, bootstrap)
    for result, (results, name) in zip(
        resampled_together(made.computations(columns, asked.progress), bootstrap),
        made.wanted,
        strict=True,
    ):
        results[name] = result
    rows = tuple(_completed(row, question) for row in made.rows)
    left_out = [s.name for s in data.systems if s.human and question.humans == "out"]
    found = CorrelationReport(
        systems=system_names(data, cells),
        segments=len(cells.segments),
        human_systems_left_out=() if question.systems else tuple(left_out),
        aspects=aspects,
        rows=rows,
        curves=tuple(curve for curve in made.curves if curve.subsets),
        points=tuple(sorted(made.points, key=lambda points: wanted_place(points.relation))),
        beside_imported=tuple(beside_imported(data, question, columns, aspects)),
        picked={
            aspect: pick(data, question.but(candidates="aspect"), aspect).choice
            for aspect in aspects
        },
        ceilings=tuple(
            Ceilings(aspect, ceilings(data, question, aspect, bootstrap) if bootstrap else {})
            for aspect in aspects
        ),
        orientation_doubts=tuple(orientation_doubts(rows)),
        order=like_beside_like(rows),
        by_system=tuple(made.by_system),
    )
    kinds = (kinds_of_aspect(aspect, found.own_rows(aspect)) for aspect in aspects if rows)
    return replace(found, kinds=tuple(kinds))


class _Made:
    """The parts of a report that grow with each metric, and what is yet to be resampled."""

    def __init__(
        self,
        data: StudyData,
        question: Question,
        aspects: Sequence[str],
        bootstrap: Bootstrap | None,
    ) -> None:
        self.data, self.question, self.bootstrap = data, question, bootstrap
        self.aspects = aspects
        self.segments = select(data, question).segments.tolist()
        self.rows: list[MetricRow] = []
        self.curves: list[Curve] = []
        self.points: list[Points] = []
        self.by_system: list[SystemsOfMetric] = []
        self.wanted: list[tuple[dict[str, Result], str]] = []
        """Part of a row and name of each result, in the order of the computations."""
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
        pairing = align(self.data, question, column, self.people[aspect, question.scores])
        how = relation(column.run, self.data.measure(aspect))
        results: dict[str, Result] = {}
        scores: dict[str, Result] = {}
        row = MetricRow(
            **label_of(column),
            aspect=aspect,
            own_aspect=how == "own",
            relation=how,
            orientation=pairing.orientation,
            better="higher" if column.derived else column.run.orientation,
            note=pairing.note,
            results=results,
            scores=scores,
            conditions=_conditions(question, pairing),
            raw=self._raw_values(pairing),
            unscored=int((np.isfinite(pairing.human) & ~np.isfinite(pairing.metric)).sum()),
        )
        self.rows.append(row)
        # Metrics that may measure any aspect are drawn where it is plain which one is meant.
        if len(self.aspects) == 1 or how == "own":
            if len(self.curves) < MOST_CURVES:
                self.curves.append(_curve(question, pairing, how))
            self.points.append(_points(pairing, how))
        is_listed = how in TAKEN or (question.metric and how != "description")
        if self.bootstrap and is_listed and len(pairing.systems) <= MOST_SYSTEMS:
            directions = [self.data.directions[segment] for segment in self.segments]
            self.by_system += by_system(pairing, question, directions)
        for name, variant in _distinct(question).items():
            self.wanted.append((results, name))
            yield correlation_steps(pairing, variant, self.bootstrap)
        for kind in KINDS:
            if kind != question.scores:
                people = self.people[aspect, kind]
                other = replace(pairing, human=people.scores, ratings=people.ratings)
                self.wanted.append((scores, kind))
                yield correlation_steps(other, question.but(scores=kind), self.bootstrap)

    def _raw_values(self, pairing: Pairing) -> dict[str, float | None]:
        """Return values of scores that are not turned; empty where turning changed none."""
        people = self.people[pairing.aspect, self.question.scores]
        asked = self.question.but(orientation="raw")
        unturned = align(self.data, asked, pairing.column, people)
        if np.array_equal(unturned.metric, pairing.metric, equal_nan=True):
            return {}
        return {
            name: correlation(unturned, variant, None).value
            for name, variant in _distinct(self.question).items()
        }


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


def _completed(row: MetricRow, question: Question) -> MetricRow:
    """Fill in what a row's results have in common with each other."""
    results, raw = row.results, row.raw
    first = {variant: name for name, variant in reversed(_distinct(question).items())}
    names = {name: first[variant] for name, variant in _variants(question).items()}
    return replace(
        row,
        results={name: results[same] for name, same in names.items()},
        raw={name: raw[same] if raw else results[same].value for name, same in names.items()},
        scores={kind: row.scores.get(kind, results["asked"]) for kind in KINDS},
    )


def _conditions(question: Question, pairing: Pairing) -> dict[str, list[str]]:
    run = pairing.column.run
    return question.but(
        aspect=pairing.aspect,
        metric=(pairing.column.label,),
        compared_to=run.compared_to or "none",
        text_setting=run.text_setting or "none",
    ).to_query()


def _curve(question: Question, pairing: Pairing, how: Relation) -> Curve:
    """Top-N and last-N results of the headline statistics; without bootstrap, they are many."""
    few = len(pairing.systems) <= MOST_SYSTEMS_FOR_CURVES
    return Curve(
        **label_of(pairing.column),
        aspect=pairing.aspect,
        subsets=tuple(top_and_last(pairing, question)) if few else (),
        relation=how,
    )


def _points(pairing: Pairing, how: Relation) -> Points:
    """Return the systems' mean scores, and their outputs by both scores, for the scatters."""
    means = system_means(pairing.metric, pairing.human)
    return Points(
        **label_of(pairing.column),
        aspect=pairing.aspect,
        systems=tuple(
            SystemPoint(name, float(metric), float(human), int(n))
            for name, metric, human, n in zip(pairing.systems, *means, strict=True)
            if np.isfinite(metric) and np.isfinite(human)
        ),
        counts=joint_counts(pairing.metric, pairing.human),
        calibration=tuple(binned_calibration(pairing.metric, pairing.human)),
        relation=how,
    )


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


COMPUTED = 5
"""Intervals of a metric beside an aspect: three headlines, and two more kinds of human scores."""
PER_CELL = {"spearman": 20, "kendall-tau-b": 60, "kendall-tau-c": 60}
"""What a coefficient of ranks takes beyond Pearson's, once for each kind of human scores."""
PER_DRAWN_CELL = {"pearson": 0.01, "spearman": 1.5, "kendall-tau-b": 3.5, "tau-like": 0.01}
DRAWN_BY_ANNOTATORS = 1.0
EACH_OF_SYSTEM = 1500
"""A correlation over the outputs of one system, in each of two directions or over both."""


def correlation_cost(
    question: Question, segments: int, systems: int, columns: int, aspects: int
) -> int:
    """Estimate the work of a report.

    Parameters
    ----------
    question
    segments, systems
        That are selected.
    columns, aspects
        Metrics, and aspects that each stands beside.
    """
    beside = columns * aspects
    work = values_cost(question, segments, systems, columns, aspects)
    # Sums over segments under every draw, and the draws themselves once.
    work += (beside * segments * 20 + segments * 600) * question.resamples // 1000
    if systems <= MOST_SYSTEMS:
        work += beside * systems * 3 * EACH_OF_SYSTEM
    return work + int(beside * _of_intervals(question, segments * systems, systems))


def values_cost(question: Question, segments: int, systems: int, columns: int, aspects: int) -> int:
    """Estimate the work of a report's values alone, which draw nothing."""
    cells = segments * systems
    each = 10 + systems // 4 + PER_CELL.get(question.statistic, 0)
    return columns * aspects * cells * each + columns * cells * systems * systems // 200


def _of_intervals(question: Question, cells: int, systems: int) -> float:
    asked = asked_interval(question)
    if not asked.bootstraps:
        return 0.0
    per_cell = PER_DRAWN_CELL.get(question.statistic, 0.0)
    if asked.drawn == "systems":
        # The headline of tau-like weighs every pair of systems in every segment.
        per_cell += systems / (250 * COMPUTED)
    if "annotators" in asked.drawn:
        per_cell += DRAWN_BY_ANNOTATORS
    return COMPUTED * cells * per_cell * question.resamples


def like_beside_like(rows: Sequence[MetricRow]) -> tuple[int, ...]:
    """Return places of rows so that metrics which go together with people alike are adjacent.

    Alike are metrics whose correlations are so on all aspects. Aspects keep the order in which they
    first stood.
    """
    metrics = [(row.run, row.metric, row.orientation == "raw") for row in rows]
    different = list(dict.fromkeys(metrics))
    aspects = list(dict.fromkeys(row.aspect for row in rows))
    values = np.full((len(different), len(aspects)), np.nan)
    for metric, row in zip(metrics, rows, strict=True):
        value = row.results["asked"].value
        if value is not None:
            values[different.index(metric), aspects.index(row.aspect)] = value
    place_of = {different[row]: place for place, row in enumerate(order_of_rows(values).tolist())}

    def place(number: int) -> tuple[int, int]:
        return place_of[metrics[number]], aspects.index(rows[number].aspect)

    return tuple(sorted(range(len(rows)), key=place))
