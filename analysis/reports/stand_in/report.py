"""The stand-in report: each judge and metric by the alternative annotator test, beside raters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats
from analysis.data.measures import NOT_IDENTIFIED, SINGLE_RATERS
from analysis.data.named_metric import LeftOutMetric, NamedMetric, label_of
from analysis.data.picking import MetricChoice, pick
from analysis.data.prompts_tried import prompts_tried
from analysis.data.scales import scale_of
from analysis.data.selection import MetricColumn, scale_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import NO_PERSONS, ratings_of_persons
from analysis.estimates.correlations import human_side, lay_beside, system_names
from analysis.estimates.evaluation import scale_aspect_asked
from analysis.filter.question import Question
from analysis.reports.content import Content
from analysis.reports.stand_in.categories import AnswerShare, answer_shares
from analysis.reports.stand_in.known_errors import (
    ErrorOfJudge,
    JudgedAndRated,
    ToldByJudge,
    cut_of,
)
from analysis.stats.agreement.alternative_annotator import (
    alternative_annotator_test,
    annotators_as_judges,
)
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.agreement.rater_quality import beside_others
from analysis.stats.agreement.standing_in import StandIn, Verdict
from analysis.stats.correlation.cross_fitted_line import cross_fitted_line
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, with_details
from corpus.progress import ProgressCallback

RESULTS = ("winning-rate", "advantage", "severity", "spread", "agreement", "alpha-with")


@dataclass(frozen=True)
class BesideRater:
    """A candidate beside one rater; see `analysis.stats.agreement.standing_in`."""

    rater: str
    items: int
    judge_as_good: float
    rater_as_good: float
    p_value: float | None
    holds: bool
    falls_short: bool


@dataclass(frozen=True, kw_only=True)
class Candidate(NamedMetric):
    """A judge or metric with the results of `RESULTS`.

    `fitted` says that a line gave its scale, `prompts` how many a judge was asked with.
    """

    fitted: bool
    verdict: Verdict
    outputs_needed: int | None
    results: Mapping[str, Result]
    beside: tuple[BesideRater, ...]
    prompts: int = 1


@dataclass(frozen=True)
class Person:
    """A rater tested in the same way among the other raters."""

    rater: str
    verdict: Verdict
    results: Mapping[str, Result]


@dataclass(frozen=True)
class Part:
    """A candidate in one system or direction."""

    of: str
    part: str
    name: str
    verdict: Verdict
    results: Mapping[str, Result]


@dataclass(frozen=True, kw_only=True)
class StandInReport(Content):
    """Candidates of an aspect, the raters as their yardstick, and candidates in parts."""

    aspect: str
    aspects: tuple[str, ...]
    picked: MetricChoice | None = None
    epsilon: float
    systems: tuple[str, ...]
    segments: int
    raters: int
    alpha: Result
    rows: tuple[Candidate, ...]
    people: tuple[Person, ...]
    parts: tuple[Part, ...]
    left_out: tuple[LeftOutMetric, ...]
    reason: str = ""
    cut: float | None = None
    errors: tuple[ErrorOfJudge, ...] = ()
    told: tuple[ToldByJudge, ...] = ()
    answers: tuple[AnswerShare, ...] = ()


@dataclass(frozen=True)
class _Asked:
    """What every test of the report shares: ratings are raters × items, an item is an output."""

    ratings: Floats
    units: NDArray[np.int64]
    epsilon: float

    def test(self, judged: Floats, bootstrap: Bootstrap, among: Any = slice(None)) -> StandIn:
        """Test a candidate's values of the items, or of some of them."""
        return alternative_annotator_test(
            self.ratings[:, among],
            judged[among],
            scoring="squared error",
            epsilon=self.epsilon,
            units=self.units[among],
            bootstrap=bootstrap,
        )


def stand_in_report(
    data: StudyData, question: Question, bootstrap: Bootstrap, tell: ProgressCallback
) -> StandInReport:
    """Build the report of one aspect, the first on a scale where none is asked for."""
    aspects, aspect = scale_aspects(data), scale_aspect_asked(data, question)
    question = question.but(aspect=aspect, level="segment", orientation="oriented", scores="raw")
    cells = select(data, question)
    cube = ratings_of_persons(data, question, aspect)
    raters = cube.shape[2]
    ratings = cube.transpose(2, 0, 1).reshape(raters, cube.shape[0] * cube.shape[1])
    rated = np.asarray(np.isfinite(ratings).any(axis=0))
    units = np.repeat(np.arange(len(cells.segments)), len(cells.systems))
    reason = "" if rated.any() else NO_PERSONS
    if rated.any() and data.are_unnamed(data.aspect_mask(aspect)):
        reason = NOT_IDENTIFIED
    asked = _Asked(ratings[:, rated], units[rated], question.epsilon)
    picked = pick(data, question, aspect)
    rows, left_out = [], []
    parts: list[Part] = []
    errors: list[ErrorOfJudge] = []
    told: list[ToldByJudge] = []
    answers: list[AnswerShare] = []
    people = human_side(data, question, aspect)
    prompts = prompts_tried(data.runs)
    cut = cut_of(data, question, aspect, people.scores)
    names = _names(data, aspect)
    for done, column in enumerate(() if reason else picked.taken):
        tell("metrics", done, len(picked.taken))
        pairing = lay_beside(data, question, column, people)
        if pairing.note:
            left_out.append(LeftOutMetric(**label_of(column), reason=pairing.note))
            continue
        as_given = _is_on_scale(data, aspect, column, pairing.metric, asked.ratings)
        on_scale = pairing.metric
        if not as_given:
            on_scale = cross_fitted_line(pairing.metric, pairing.human, seed=question.seed)
        judged = on_scale.ravel()[rated]
        candidate = _candidate(column, asked, judged, names, bootstrap, fitted=not as_given)
        rows.append(replace(candidate, prompts=prompts.get(column.run.signature, 1)))
        parts += _parts(data, question, column, asked, judged, rated)
        if cut is not None:
            beside = JudgedAndRated(column.label, pairing.systems, pairing.human, on_scale, cut)
            errors.append(beside.error())
            told += beside.told(errors[-1])
        if as_given:
            points = scale_of(data, aspect).points.tolist()
            answers += answer_shares(column.label, pairing.systems, cube, on_scale, points)
    return StandInReport(
        aspect=aspect,
        aspects=tuple(aspects),
        picked=picked.choice,
        epsilon=question.epsilon,
        systems=system_names(data, cells),
        segments=len(cells.segments),
        raters=raters,
        alpha=krippendorff_alpha(asked.ratings.T, "interval", bootstrap=None),
        rows=tuple(rows),
        people=() if reason else tuple(_people(asked, names, bootstrap)),
        parts=tuple(parts),
        left_out=tuple(left_out),
        reason=reason,
        cut=cut,
        errors=tuple(errors),
        told=tuple(told),
        answers=tuple(answers),
    )


def _names(data: StudyData, aspect: str) -> list[str]:
    """Return the pseudonyms of the rows of `ratings_of_persons`."""
    judged = data.judgements
    everybody = np.unique(data.rated(aspect).annotator)
    return [
        judged.annotators[index].pseudonym
        for index in everybody
        if judged.annotators[index].kind in SINGLE_RATERS
    ]


def _is_on_scale(
    data: StudyData, aspect: str, column: MetricColumn, scores: Floats, ratings: Floats
) -> bool:
    """Whether scores are answers on the raters' scale: a model's ratings, or its points alone."""
    asked = column.run.request.get("parameters") or {}
    if {"lowest", "highest"} <= asked.keys():
        # A judge was told its scale, of which some points may be those of another.
        scale = scale_of(data, aspect)
        return (float(asked["lowest"]), float(asked["highest"])) == (scale.low, scale.high)
    known = scores[np.isfinite(scores)]
    points = np.union1d(scale_of(data, aspect).points, ratings[np.isfinite(ratings)])
    return column.run.pk < 0 or bool(known.size and np.isin(known, points).all())


def _candidate(
    column: MetricColumn,
    asked: _Asked,
    judged: Floats,
    names: list[str],
    bootstrap: Bootstrap,
    *,
    fitted: bool,
) -> Candidate:
    found = asked.test(judged, bootstrap)
    among = np.vstack([asked.ratings, judged])
    results = _shared(found, fitted=fitted) | _beside(among, len(among) - 1, bootstrap)
    results["alpha-with"] = krippendorff_alpha(among.T, "interval", bootstrap=None)
    return Candidate(
        **label_of(column),
        fitted=fitted,
        verdict=found.verdict,
        outputs_needed=found.items_needed,
        results=results,
        beside=tuple(
            BesideRater(
                rater=names[each.annotator],
                items=each.items,
                judge_as_good=each.judge_as_good,
                rater_as_good=each.annotator_as_good,
                p_value=each.p_value,
                holds=each.rejected,
                falls_short=each.falls_short,
            )
            for each in found.beside
        ),
    )


def _shared(found: StandIn, *, fitted: bool = False) -> dict[str, Result]:
    scale = {"scale": "a line fitted on other segments"} if fitted else {}
    return {
        "winning-rate": with_details(found.winning_rate, **scale),
        "advantage": with_details(found.advantage, **scale),
    }


def _beside(ratings: Floats, place: int, bootstrap: Bootstrap) -> dict[str, Result]:
    """Return severity, spread and r of one row beside the others, items taken as segments."""
    compared = beside_others(ratings[:, :, None], place, bootstrap)
    return {
        "severity": compared.severity,
        "spread": compared.spread,
        "agreement": compared.agreement,
    }


def _people(asked: _Asked, names: list[str], bootstrap: Bootstrap) -> Iterator[Person]:
    found = annotators_as_judges(
        asked.ratings,
        scoring="squared error",
        epsilon=asked.epsilon,
        units=asked.units,
        bootstrap=bootstrap,
    )
    for place, (rater, own) in enumerate(zip(names, found, strict=True)):
        results = _shared(own) | _beside(asked.ratings, place, bootstrap)
        yield Person(rater, own.verdict, results)


def _parts(
    data: StudyData,
    question: Question,
    column: MetricColumn,
    asked: _Asked,
    judged: Floats,
    rated: NDArray[np.bool_],
) -> Iterator[Part]:
    """Yield a candidate in each direction and each system; without intervals."""
    cells = select(data, question)
    systems = np.array(system_names(data, cells), dtype=object)
    directions = np.array(data.directions, dtype=object)[cells.segments]
    of_item = {
        "direction": np.repeat(directions, len(systems))[rated],
        "system": np.tile(systems, len(directions))[rated],
    }
    for of, parts in of_item.items():
        met = list(dict.fromkeys(parts.tolist()))
        for part in met if len(met) > 1 else ():
            found = asked.test(judged, Bootstrap(0), parts == part)
            yield Part(of, part or "unknown", column.label, found.verdict, _shared(found))
