"""The raters report: each rater beside the others, and what is left without each of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.selection import select
from analysis.data.study_data import StudyData
from analysis.estimates.agreements import rated_units
from analysis.estimates.evaluation import aspects_of, scale_aspects_asked
from analysis.filter.question import Question
from analysis.reports.agreement.choices import on_side_a, sided
from analysis.reports.content import Asked, Content
from analysis.reports.pair_matrix import PairMatrix
from analysis.reports.raters.labels import (
    AsLabels,
    Divided,
    Fitted,
    answers_of,
    as_labels,
    divided,
    fitted_labels,
)
from analysis.stats.agreement.intraclass import intraclass_correlation
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.agreement.naturalness import position_bias
from analysis.stats.agreement.rater_quality import (
    answer_runs,
    compared_with_others,
    order_without,
    output_means,
)
from analysis.stats.correlation.score_matrix import score_matrix
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, Undefined
from analysis.stats.signature import signature
from analysis.stats.systems.human_scores import mean_per_output

MOST_IN_MATRIX = 60
PERSONS_ONLY = "this is no single rater but the mean, median or majority of several"


@dataclass(frozen=True)
class Rater:
    """How a rater rates an aspect; `results` by statistic."""

    aspect: str
    rater: str
    kind: str
    campaign: str
    ratings: int
    longest_run: int
    commonest_share: float
    median_seconds: float | None
    results: Mapping[str, Result]


@dataclass(frozen=True)
class AllRaters:
    """How far all raters of an aspect agree."""

    aspect: str
    raters: int
    icc: Result
    alpha: Result


@dataclass(frozen=True)
class Side:
    """A rater's share of preferences for side A."""

    rater: str
    result: Result


@dataclass(frozen=True, kw_only=True)
class RaterMatrix(PairMatrix):
    """Pearson's r of every two raters of an aspect, and over how many outputs."""

    aspect: str
    raters: tuple[str, ...]


@dataclass(frozen=True)
class RatersReport(Content):
    """Each rater compared with the others; `unnamed` counts ratings of raters who have no name."""

    aspects: tuple[str, ...]
    rows: tuple[Rater, ...]
    overall: tuple[AllRaters, ...]
    sides: tuple[Side, ...]
    matrices: tuple[RaterMatrix, ...]
    unnamed: int = 0
    labels: tuple[AsLabels, ...] = ()
    divided: tuple[Divided, ...] = ()


def raters_report(asked: Asked) -> RatersReport:
    """Build the report: per aspect one row a rater, and what agreement is without each.

    Where nothing is drawn, what is left without each rater is missing: it takes most of the time.
    """
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    question = question.but(humans="in")
    aspects = scale_aspects_asked(data, question)
    rows = [row for aspect in aspects for row in _rows_of_aspect(data, question, aspect, bootstrap)]
    fitted = {
        aspect: fitted_labels(data, answers_of(data, question, aspect, identified=True))
        for aspect in aspects_of(data, question.aspect)
    }
    return RatersReport(
        aspects=aspects,
        rows=tuple(rows),
        overall=tuple(_overall(data, question, aspect) for aspect in aspects),
        sides=tuple(_sides(data, question)),
        matrices=tuple(_matrix(data, question, aspect) for aspect in aspects),
        unnamed=sum(_unnamed(data, aspect) for aspect in aspects),
        labels=tuple(
            as_labels(aspect, found, bootstrap) for aspect, found in fitted.items() if found
        ),
        divided=tuple(_divided(data, question, fitted, bootstrap)),
    )


def _divided(
    data: StudyData, question: Question, fitted: Mapping[str, Fitted | None], bootstrap: Bootstrap
) -> Iterator[Divided]:
    """Yield how divided raters are over each aspect whose answers are categories."""
    for aspect, model in fitted.items():
        if answers := answers_of(data, question, aspect):
            yield divided(data, aspect, answers, model, bootstrap)


def _unnamed(data: StudyData, aspect: str) -> int:
    """Count the ratings of an aspect by raters who are places in a list: no row is theirs."""
    return int(data.unnamed_raters[data.judgements.annotator[data.aspect_mask(aspect)]].sum())


def _matrix(data: StudyData, question: Question, aspect: str) -> RaterMatrix:
    """Return Pearson's r of every two persons over the outputs that both rated, if they are few."""
    judged = data.judgements
    rated = np.flatnonzero(data.aspect_mask(aspect))
    people = [
        i for i in np.unique(judged.annotator[rated]) if judged.annotators[i].kind == "person"
    ]
    if len(people) > MOST_IN_MATRIX:
        people = []
    cube = _cube(data, question, rated, people)
    table = cube.reshape(len(people), cube.shape[1] * cube.shape[2]).T
    found = score_matrix(table, "pearson")
    return RaterMatrix(
        aspect=aspect,
        raters=tuple(judged.annotators[index].pseudonym for index in people),
        signature=signature("pearson", between="two raters", cells="both"),
        **PairMatrix.parts(found),
    )


def _rows_of_aspect(
    data: StudyData, question: Question, aspect: str, bootstrap: Bootstrap
) -> Iterator[Rater]:
    judged = data.judgements
    rated = np.flatnonzero(data.aspect_mask(aspect))
    rated = rated[~data.unnamed_raters[judged.annotator[rated]]]
    people = np.unique(judged.annotator[rated])
    cube = _cube(data, question, rated, people)
    means = output_means(cube)
    without = _without_each(data, question, aspect) if bootstrap else {}
    for place, index in enumerate(people):
        annotator = judged.annotators[index]
        own = rated[judged.annotator[rated] == index]
        compared = compared_with_others(cube, place, bootstrap)
        runs = answer_runs(judged.value[own])
        results: dict[str, Result] = {
            "severity": compared.severity,
            "spread": compared.spread,
            "agreement": compared.agreement,
            **without.get(annotator.pseudonym, {}),
            "order-without": order_without(cube, place, means),
        }
        if annotator.kind != "person":
            results = {
                name: Undefined(PERSONS_ONLY, signature=result.signature)
                for name, result in results.items()
            }
        yield Rater(
            aspect=aspect,
            rater=annotator.pseudonym,
            kind=annotator.kind,
            campaign=judged.campaigns[annotator.campaign].slug,
            ratings=runs.n,
            longest_run=runs.longest,
            commonest_share=runs.commonest_share,
            median_seconds=_median_seconds(judged.seconds[own]),
            results=results,
        )


def _cube(data: StudyData, question: Question, rated: Any, people: Any) -> Floats:
    """Return raters × segments × systems of the selected cells."""
    judged, cells = data.judgements, select(data, question)
    outputs = len(data.segment_of_output)
    layers = []
    for index in people:
        own = rated[judged.annotator[rated] == index]
        means, _ = mean_per_output(judged.value[own], judged.first[own], outputs)
        layers.append(cells.of(data.matrix(means)))
    return np.array(layers).reshape(len(people), len(cells.segments), len(cells.systems))


def _without_each(data: StudyData, question: Question, aspect: str) -> dict[str, dict[str, Result]]:
    """Return ICC(1) and interval alpha of the other raters, for each rater left out."""
    units = rated_units(data, question, (aspect,))
    found = {}
    for place, pseudonym in enumerate(units.annotators):
        others = np.where(units.slot_raters == place, np.nan, units.slots)
        others = others[np.isfinite(others).any(axis=1)]
        found[pseudonym] = _agreements(others, len(units.annotators) - 1)
    return found


def _agreements(ratings: Floats, raters: int) -> dict[str, Result]:
    """Return ICC(1) and interval alpha of ratings in slots: both ask nothing of who gave them."""
    if raters < 2:
        return {
            name: Undefined("fewer than two raters are left", len(ratings), "outputs", signed)
            for name, signed in (
                ("icc-without", signature("icc", form="ICC(1,1)")),
                ("alpha-without", signature("krippendorff-alpha", scale="interval")),
            )
        }
    return {
        "icc-without": intraclass_correlation(ratings, "ICC(1,1)", columns="slots"),
        "alpha-without": krippendorff_alpha(ratings, "interval", bootstrap=None),
    }


def _overall(data: StudyData, question: Question, aspect: str) -> AllRaters:
    units = rated_units(data, question, (aspect,))
    raters = len(units.annotators)
    results = _agreements(units.slots, raters)
    return AllRaters(aspect, raters, results["icc-without"], results["alpha-without"])


def _sides(data: StudyData, question: Question) -> Iterator[Side]:
    """Yield each rater's position bias over the selected comparisons whose sides are known."""
    judged = data.judgements
    known = sided(data, question, np.ones(len(judged.choice), dtype=bool))
    known = known[np.argsort(judged.annotator[known], kind="stable")]
    raters, starts = np.unique(judged.annotator[known], return_index=True)
    for index, own in zip(raters, np.split(known, starts)[1:], strict=True):
        if data.unnamed_raters[index]:
            continue
        bias = position_bias(on_side_a(judged, own))
        yield Side(judged.annotators[index].pseudonym, bias)


def _median_seconds(seconds: Floats) -> float | None:
    known = seconds[np.isfinite(seconds)]
    return float(np.median(known)) if known.size else None
