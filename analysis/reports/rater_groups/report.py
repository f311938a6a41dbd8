"""Metrics compared with each group of raters, judges with the distribution of their answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.measures import NOT_IDENTIFIED, SINGLE_RATERS, Measure
from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.selection import MetricColumn, scale_aspects
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import NO_PERSONS, ratings_of_persons
from analysis.estimates.correlations import metrics_of_aspect, scores_by_output
from analysis.estimates.evaluation import scale_aspect_asked
from analysis.filter.question import Question, QuestionError
from analysis.reports.content import Asked, OfMetrics, facts_of
from analysis.reports.raters.labels import Answers, answers_of
from analysis.stats.rater_models.distributions import mass_of_numbers, represented, scored_against
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result

EACH = "raters"
"""Asks for groups of one rater each."""
MOST_GROUPS = 12
MOST_RATERS = 60
"""Raters who are shown one by one."""
OTHERS, ALL_MODELS, UNIFORM, MARGINAL = "other raters", "all models", "uniform", "overall"


@dataclass(frozen=True)
class Group:
    """A group of raters by their answer; `name` is the rater where each is a group."""

    name: str
    raters: int


@dataclass(frozen=True)
class BesideGroup:
    """r with the raters of a group, and how far it exceeds r with all others."""

    group: str
    correlation: Result
    difference: Result


@dataclass(frozen=True, kw_only=True)
class RepresentingMetric(NamedMetric):
    """A metric beside each group."""

    groups: tuple[BesideGroup, ...]


@dataclass(frozen=True)
class Judged:
    """Distributions of a judge or metric, or of a yardstick, scored against those of raters."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"judge": "name"}
    name: str
    yardstick: bool
    results: Mapping[str, Result]


@dataclass(frozen=True, kw_only=True)
class RaterGroupsReport(OfMetrics):
    """Metrics beside groups of raters of one aspect, and judges beside their distribution."""

    questions: tuple[str, ...]
    grouped_by: str
    groups: tuple[Group, ...]
    ungrouped: int
    rows: tuple[RepresentingMetric, ...]
    others: tuple[BesideGroup, ...]
    judged: tuple[Judged, ...]
    items: int
    reason: str = ""


def questions_of(data: StudyData) -> tuple[str, ...]:
    """Return what raters answered about themselves, where their answers make groups."""
    met: dict[str, set[str]] = {}
    for annotator in data.judgements.annotators:
        for name, answer in annotator.about.items():
            met.setdefault(name, set()).add(str(answer))
    return tuple(name for name, answers in met.items() if 1 < len(answers) <= MOST_GROUPS)


def check_groups(data: StudyData, question: Question) -> None:
    """Refuse groups that this study does not have.

    Raises
    ------
    QuestionError
    """
    known = (*questions_of(data), EACH)
    if question.rater_groups and question.rater_groups not in known:
        raise QuestionError(
            f"rater_groups={question.rater_groups}: expected one of {', '.join(known)}"
        )


def rater_groups_report(asked: Asked) -> RaterGroupsReport:
    """Build the report of one aspect, the first on a scale where none is asked for."""
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    aspects, aspect = scale_aspects(data), scale_aspect_asked(data, question)
    question = question.but(aspect=aspect, level="segment", orientation="oriented", scores="raw")
    metrics = metrics_of_aspect(data, question)
    ratings = ratings_of_persons(data, question, aspect).transpose(2, 0, 1)
    reason = "" if len(ratings) else NO_PERSONS
    if len(ratings) and data.are_unnamed(data.aspect_mask(aspect)):
        reason = NOT_IDENTIFIED
    grouped_by, groups, ungrouped = _grouped(data, question, aspect)
    if not reason and len(groups) < 2:
        reason = "there are no two groups of raters"
    measure = data.measure(aspect)
    answers = answers_of(data, question, aspect)
    if measure is None or measure.lower_is_better or (answers and not len(answers.points)):
        # Ranks run the other way than scores, and choices have no order.
        answers = None
    taken = [pairing.column for pairing in metrics.pairings]
    own = [column for column in taken if column.run.pk >= 0 or _is_of(column, measure)]
    return RaterGroupsReport(
        **facts_of(data, metrics),
        aspects=tuple(aspects),
        questions=questions_of(data),
        grouped_by=grouped_by,
        groups=tuple(Group(name, len(places)) for name, places in groups.items()),
        ungrouped=ungrouped,
        rows=tuple(
            RepresentingMetric(
                **label_of(each.column),
                groups=tuple(_beside(each.metric, ratings, groups, bootstrap)),
            )
            for each in (() if reason else metrics.pairings)
        ),
        others=() if reason else tuple(_beside(_others(ratings), ratings, groups, bootstrap)),
        judged=tuple(_judged(data, answers, own, bootstrap)) if answers else (),
        items=len(answers.first) if answers else 0,
        reason=reason,
    )


def _grouped(
    data: StudyData, question: Question, aspect: str
) -> tuple[str, dict[str, list[int]], int]:
    """Return by what raters are grouped, places of raters by group, and how many are in none."""
    annotators = data.judgements.annotators
    raters = [
        annotators[index]
        for index in np.unique(data.rated(aspect).annotator)
        if annotators[index].kind in SINGLE_RATERS
    ]
    of_raters = [
        name for name in questions_of(data) if len({r.about.get(name) for r in raters}) > 1
    ]
    by = question.rater_groups or next(iter(of_raters), EACH)
    if by == EACH:
        names = {rater.pseudonym: [place] for place, rater in enumerate(raters[:MOST_RATERS])}
        return EACH, names, len(raters) - len(names)
    groups: dict[str, list[int]] = {}
    for place, rater in enumerate(raters):
        if by in rater.about:
            groups.setdefault(str(rater.about[by]), []).append(place)
    return by, groups, len(raters) - sum(map(len, groups.values()))


def _beside(
    scores: Floats, ratings: Floats, groups: Mapping[str, list[int]], bootstrap: Bootstrap
) -> Iterator[BesideGroup]:
    for name, found in represented(scores, ratings, groups, bootstrap=bootstrap).items():
        yield BesideGroup(name, found.correlation, found.difference)


def _is_of(column: MetricColumn, measure: Measure | None) -> bool:
    """Whether a model's ratings are of the aspect of a measure."""
    return measure is not None and column.run.aspect_key == measure.aspect


def _others(ratings: Floats) -> Floats:
    """Return for each rater the mean of the others of an output; NaN where there is none."""
    known = np.isfinite(ratings)
    total = np.where(known, ratings, 0.0)
    counts = known.sum(axis=0) - known
    with np.errstate(divide="ignore", invalid="ignore"):
        means: Floats = (total.sum(axis=0) - total) / counts
    return np.where(counts > 0, means, np.nan)


def _judged(
    data: StudyData, answers: Answers, taken: list[MetricColumn], bootstrap: Bootstrap
) -> Iterator[Judged]:
    """Yield judges and metrics on the raters' scale, and what they are to be compared with."""
    points, counts = answers.points, answers.counts
    human = counts / counts.sum(axis=1, keepdims=True)
    units = data.segment_of_output[answers.first]

    def scored(name: str, judged: Floats, against: Floats, *, yardstick: bool) -> Judged:
        found = scored_against(judged, against, points, units, bootstrap=bootstrap)
        return Judged(name, yardstick, found)

    models = []
    for column in taken:
        mass = _mass(data, column, answers)
        if mass is None:
            continue
        if column.run.pk < 0:
            models.append(mass)
        yield scored(column.label, mass, human, yardstick=False)
    yield from (
        scored(run.name, shares, human, yardstick=False)
        for run in data.runs
        if run.is_distribution and set(run.fields) == set(answers.categories)
        for shares in [_shares(data.scores(run)[answers.first], run.fields, answers.categories)]
    )
    if len(models) > 1:
        yield scored(ALL_MODELS, np.mean(models, axis=0), human, yardstick=False)
    own = np.eye(counts.shape[1])[answers.label]
    without = counts[answers.item] - own
    alone = without / without.sum(axis=1, keepdims=True)
    per_answer = scored_against(
        own, alone, points, units[answers.item], bootstrap=bootstrap, variant={"others": "yes"}
    )
    yield Judged(OTHERS, True, per_answer)
    overall = np.tile(counts.sum(axis=0) / counts.sum(), (len(counts), 1))
    yield scored(MARGINAL, overall, human, yardstick=True)
    even = np.full(counts.shape, 1 / counts.shape[1])
    yield scored(UNIFORM, even, human, yardstick=True)


def _mass(data: StudyData, column: MetricColumn, answers: Answers) -> Floats | None:
    """Return what a column's numbers stand for on the raters' scale; None where they are not on it.

    They are where a model rated, and where every score is a point of the scale.
    """
    if column.derived:
        return None
    numbers = scores_by_output(data, column)[answers.first]
    known = numbers[np.isfinite(numbers)]
    if not known.size:
        return None
    if column.run.pk >= 0 and not np.isin(known, answers.points).all():
        return None
    return mass_of_numbers(numbers, answers.points)


def _shares(found: Floats, fields: tuple[str, ...], categories: tuple[str, ...]) -> Floats:
    ordered: Floats = found[:, [fields.index(name) for name in categories]]
    return ordered
