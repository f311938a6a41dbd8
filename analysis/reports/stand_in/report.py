"""The stand-in report: each judge and metric by the alternative annotator test, beside raters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats
from analysis.data.measures import NOT_IDENTIFIED, SINGLE_RATERS, Measure
from analysis.data.named_metric import label_of
from analysis.data.narrowing import ORIGIN, prompts_tried
from analysis.data.scales import scale_of
from analysis.data.selection import Cells, MetricColumn, measures_of, scale_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import NO_PERSONS, ratings_of_persons
from analysis.estimates.correlations import metrics_of_aspect, system_names
from analysis.filter.question import Question, QuestionError
from analysis.reports.content import Asked, facts_of
from analysis.reports.stand_in.answered import Judge, answered
from analysis.reports.stand_in.content import (
    RESULTS,
    AnswerShare,
    BesideRater,
    Candidate,
    ErrorOfJudge,
    JudgedAndRated,
    Part,
    Person,
    StandInReport,
    ToldByJudge,
    answer_shares,
    cut_of,
)
from analysis.stats.agreement.alternative_annotator import (
    Scoring,
    StandIn,
    alternative_annotator_test,
    annotators_as_judges,
)
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.agreement.rater_quality import compared_with_others
from analysis.stats.correlation.calibration import cross_fitted_line
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, with_details


@dataclass(frozen=True)
class _Asked:
    """What every test of the report shares: ratings are raters × items, an item is an output."""

    ratings: Floats
    units: NDArray[np.int64]
    epsilon: float
    scoring: Scoring = "squared error"

    @property
    def level(self) -> Literal["interval", "nominal"]:
        """The level of measurement of Krippendorff's alpha."""
        return "interval" if self.scoring == "squared error" else "nominal"

    def test(self, judged: Floats, bootstrap: Bootstrap, among: Any = slice(None)) -> StandIn:
        """Test a candidate's values of the items, or of some of them."""
        return alternative_annotator_test(
            self.ratings[:, among],
            judged[among],
            scoring=self.scoring,
            epsilon=self.epsilon,
            units=self.units[among],
            bootstrap=bootstrap,
        )


def stand_in_report(asked: Asked) -> StandInReport:
    """Build the report of one aspect, the first on a scale where none is asked for."""
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    aspects, aspect = tested_aspects(data), tested_aspect(data, question)
    measure = data.measure(aspect)
    if measure is not None and measure.answers != "scale":
        return _of_answers(data, question, aspects, measure, bootstrap)
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
    shared = _Asked(ratings[:, rated], units[rated], question.epsilon)
    metrics = metrics_of_aspect(data, question)
    pairings = () if reason else metrics.pairings
    rows = []
    parts: list[Part] = []
    errors: list[ErrorOfJudge] = []
    told: list[ToldByJudge] = []
    answers: list[AnswerShare] = []
    prompts = prompts_tried(data.runs)
    cut = cut_of(data, question, aspect, metrics.people.scores)
    names = _names(data, aspect)
    of_item = _parts_of_items(data, cells, rated)
    for done, pairing in enumerate(pairings):
        asked.progress("metrics", done, len(pairings))
        column = pairing.column
        as_given = _is_on_scale(data, aspect, column, pairing.metric, shared.ratings)
        on_scale = pairing.metric
        if not as_given:
            on_scale = cross_fitted_line(pairing.metric, pairing.human, seed=question.seed)
        judged = on_scale.ravel()[rated]
        candidate = _candidate(label_of(column), shared, judged, names, bootstrap)
        row = replace(candidate, prompts=prompts.get(column.run.signature, 1))
        rows.append(row if as_given else _fitted(row))
        parts += _parts(of_item, column.label, shared, judged)
        if cut is not None:
            beside = JudgedAndRated(column.label, pairing.systems, pairing.human, on_scale, cut)
            errors.append(beside.error())
            told += beside.told(errors[-1])
        if as_given:
            points = scale_of(data, aspect).points.tolist()
            answers += answer_shares(column.label, pairing.systems, cube, on_scale, points)
    return StandInReport(
        **facts_of(data, metrics) | ({"left_out": ()} if reason else {}),
        aspects=tuple(aspects),
        epsilon=question.epsilon,
        raters=raters,
        alpha=krippendorff_alpha(shared.ratings.T, shared.level, bootstrap=None),
        rows=tuple(rows),
        people=() if reason else tuple(_people(shared, names, bootstrap)),
        parts=tuple(parts),
        reason=reason,
        cut=cut,
        errors=tuple(errors),
        told=tuple(told),
        answers=tuple(answers),
    )


def tested_aspects(data: StudyData) -> list[str]:
    """Return the measures that can be tested: on scales, then choices, then categories."""
    judged = data.judgements
    return list(dict.fromkeys([*scale_aspects(data), *judged.by_choice, *judged.by_category]))


def tested_aspect(data: StudyData, question: Question) -> str:
    """Return the measure that is asked for, the first where none is.

    Raises
    ------
    QuestionError
        If there are no ratings of that name.
    """
    known = tested_aspects(data)
    if not question.aspect:
        return next(iter(known), "")
    found = [m.name for m in measures_of(data, question.aspect) if m.name in known]
    if not found:
        has = ", ".join(known) or "no ratings"
        raise QuestionError(f"aspect={question.aspect}: this study has {has}")
    return found[0]


def _of_answers(
    data: StudyData, question: Question, aspects: list[str], measure: Measure, bootstrap: Bootstrap
) -> StandInReport:
    """Build the report of choices or categories, of which answers are the same or are not."""
    cells = select(data, question)
    found = answered(data, question, measure)
    segments = data.segment_of_output[found.first]
    asked = _Asked(found.ratings, segments, question.epsilon, "accuracy")
    reason = "" if found.raters else NO_PERSONS
    if found.raters and data.are_unnamed(data.judgements.aspect == _place(data, measure)):
        reason = NOT_IDENTIFIED
    directions = np.array(data.directions, dtype=object)
    of_item = {"direction": directions[segments]}
    if measure.answers == "categories":
        systems = np.array([system.name for system in data.systems], dtype=object)
        of_item["system"] = systems[data.column_of_output[found.first]]
    judges: tuple[Judge, ...] = () if reason else found.judges
    return StandInReport(
        aspect=measure.name,
        aspects=tuple(aspects),
        answered_by="choices" if measure.answers == "choices" else "categories",
        epsilon=question.epsilon,
        systems=system_names(data, cells),
        segments=len(cells.segments),
        raters=len(found.raters),
        alpha=krippendorff_alpha(asked.ratings.T, asked.level, bootstrap=None),
        rows=tuple(
            replace(
                _candidate(_label(judge), asked, judge.answers, found.raters, bootstrap),
                prompts=judge.prompts,
            )
            for judge in judges
        ),
        people=() if reason else tuple(_people(asked, found.raters, bootstrap)),
        parts=tuple(
            part for judge in judges for part in _parts(of_item, judge.name, asked, judge.answers)
        ),
        reason=reason,
    )


def _place(data: StudyData, measure: Measure) -> int:
    return data.judgements.measures.index(measure)


def _label(judge: Judge) -> dict[str, Any]:
    """Return the parts of a `NamedMetric` that name a judge."""
    return {
        "metric": judge.name,
        "name": judge.name,
        "metric_aspect": judge.measure.aspect,
        "metric_family": judge.measure.family,
        "compared_to": "",
        "text_setting": "",
        "run": judge.signature,
        "origin": ORIGIN,
    }


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
    label: dict[str, Any], asked: _Asked, judged: Floats, names: list[str], bootstrap: Bootstrap
) -> Candidate:
    found = asked.test(judged, bootstrap)
    among = replace(asked, ratings=np.vstack([asked.ratings, judged]))
    results = _shared(found) | _beside(among, len(asked.ratings), bootstrap)
    results["alpha-with"] = krippendorff_alpha(among.ratings.T, asked.level, bootstrap=None)
    return Candidate(
        **label,
        fitted=False,
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


def _fitted(row: Candidate) -> Candidate:
    """Say that a line gave the scale of a candidate."""
    scaled = {
        name: with_details(row.results[name], scale="a line fitted on other segments")
        for name in RESULTS[:2]
    }
    return replace(row, fitted=True, results={**row.results, **scaled})


def _shared(found: StandIn) -> dict[str, Result]:
    return {"winning-rate": found.winning_rate, "advantage": found.advantage}


def _beside(asked: _Asked, place: int, bootstrap: Bootstrap) -> dict[str, Result]:
    """Return severity, spread and r of one row beside the others, items taken as segments.

    Choices and categories have none of them.
    """
    if asked.level == "nominal":
        return {}
    compared = compared_with_others(asked.ratings[:, :, None], place, bootstrap)
    return {
        "severity": compared.severity,
        "spread": compared.spread,
        "agreement": compared.agreement,
    }


def _people(asked: _Asked, names: list[str], bootstrap: Bootstrap) -> Iterator[Person]:
    test = partial(
        alternative_annotator_test,
        scoring=asked.scoring,
        epsilon=asked.epsilon,
        units=asked.units,
        bootstrap=bootstrap,
    )
    found = annotators_as_judges(asked.ratings, test)
    for place, (rater, own) in enumerate(zip(names, found, strict=True)):
        results = _shared(own) | _beside(asked, place, bootstrap)
        yield Person(rater, own.verdict, results)


def _parts_of_items(
    data: StudyData, cells: Cells, rated: NDArray[np.bool_]
) -> dict[str, NDArray[np.object_]]:
    """Return direction and system of each rated output."""
    systems = np.array(system_names(data, cells), dtype=object)
    directions = np.array(data.directions, dtype=object)[cells.segments]
    return {
        "direction": np.repeat(directions, len(systems))[rated],
        "system": np.tile(systems, len(directions))[rated],
    }


def _parts(
    of_item: Mapping[str, NDArray[np.object_]], name: str, asked: _Asked, judged: Floats
) -> Iterator[Part]:
    """Yield a candidate in each direction and each system; without intervals."""
    for of, parts in of_item.items():
        met = list(dict.fromkeys(parts.tolist()))
        for part in met if len(met) > 1 else ():
            found = asked.test(judged, Bootstrap(0), parts == part)
            yield Part(of, part or "unknown", name, found.verdict, _shared(found))
