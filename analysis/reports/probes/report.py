"""The probes report: length, own family, copies, samples and order of texts as effects."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.stats import binomtest

from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import CHOICES, Judgements
from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.narrowing import ORIGIN, judge_of, prompts_tried
from analysis.data.output_texts import words_of_outputs
from analysis.data.selection import Cells, MetricColumn, scale_aspects
from analysis.data.study_data import RunView, StudyData
from analysis.estimates.correlations import metrics_of_aspect
from analysis.estimates.evaluation import aspect_asked
from analysis.reports.content import Asked, OfMetrics, facts_of
from analysis.stats.agreement.naturalness import position_bias
from analysis.stats.comparison.clustered_effects import (
    length_correlation,
    mean_shift,
    own_family_shift,
    spread_of_samples,
)
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature
from metrics.scorers.judge_probes import FORMATTED, PADDED, PLAIN, SAMPLE, TURNED

OF_SCORES = ("length", "length-at-equal-human-score", "own-family")
OF_COPIES = ("verbosity", "format", "order-of-options", "repeatability")
OF_PAIRS = ("position", "consistency")
_COPIES = {"verbosity": PADDED, "format": FORMATTED, "order-of-options": TURNED}
_PROBES = ("judge-probes", "local-judge-probes")
FAMILY, MODEL = "family", "model"
"""Attributes of a system that say from which model it comes."""


@dataclass(frozen=True, kw_only=True)
class ProbedMetric(NamedMetric):
    """A judge or metric with the results of `OF_SCORES`; `prompts` is how many were tried."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"prompts_tried": "prompts"}
    prompts: int
    results: Mapping[str, Result]


@dataclass(frozen=True)
class ProbedRun:
    """A run of probes with the results of `OF_COPIES`."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"metric": "name", "run": "signature"}
    name: str
    model: str
    signature: str
    outputs: int
    results: Mapping[str, Result]


@dataclass(frozen=True)
class ProbedPairs:
    """A model that judged pairs, on one aspect, with the results of `OF_PAIRS`."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"judge": "name", "judged_pairs": "pairs"}
    name: str
    aspect: str
    pairs: int
    results: Mapping[str, Result]


@dataclass(frozen=True, kw_only=True)
class ProbesReport(OfMetrics):
    """Effects on judges and metrics of one aspect."""

    rows: tuple[ProbedMetric, ...]
    copies: tuple[ProbedRun, ...]
    pairs: tuple[ProbedPairs, ...]


def probes_report(asked: Asked) -> ProbesReport:
    """Build the report of one aspect, the first on a scale where none is asked for."""
    data, question = asked.data, asked.question
    aspects = scale_aspects(data)
    aspect = aspect_asked(data, question) if question.aspect or not aspects else aspects[0]
    question = question.but(aspect=aspect, level="segment", orientation="oriented", scores="raw")
    metrics = metrics_of_aspect(data, question)
    cells = metrics.people.cells
    words = cells.of(words_of_outputs(data))
    prompts = prompts_tried(data.runs)
    rows = []
    for done, pairing in enumerate(metrics.pairings):
        asked.progress("metrics", done, len(metrics.pairings))
        column = pairing.column
        results = _of_scores(data, cells, column, pairing.metric, pairing.human, words)
        tried = prompts.get(column.run.signature, 1)
        rows.append(ProbedMetric(**label_of(column), prompts=tried, results=results))
    return ProbesReport(
        **facts_of(data, metrics),
        aspects=tuple(aspects),
        rows=tuple(rows),
        copies=tuple(_probed_runs(data, cells)),
        pairs=tuple(_probed_pairs(data, cells)),
    )


def _of_scores(
    data: StudyData,
    cells: Cells,
    column: MetricColumn,
    scores: Floats,
    human: Floats,
    words: Floats,
) -> dict[str, Result]:
    units = np.repeat(np.arange(len(cells.segments)), len(cells.systems))
    own = np.array([_is_own(data.systems[index].attributes, column.run) for index in cells.systems])
    is_own = np.tile(own, len(cells.segments))
    return {
        "length": length_correlation(scores.ravel(), words.ravel()),
        "length-at-equal-human-score": length_correlation(
            scores.ravel(), words.ravel(), human.ravel()
        ),
        "own-family": own_family_shift(scores.ravel(), human.ravel(), is_own, units),
    }


def _is_own(attributes: Mapping[str, object], run: RunView) -> bool:
    """Whether a system comes from the judge's model or family: its attributes name it."""
    judge = str((run.request.get("parameters") or {}).get("model") or "")
    if not judge and run.origin == ORIGIN:
        judge = run.metric.partition(" on ")[0]
    judge = judge.casefold()
    names = [str(attributes.get(name) or "").casefold() for name in (FAMILY, MODEL)]
    return bool(judge) and any(name and (name in judge or judge in name) for name in names)


def _probed_runs(data: StudyData, cells: Cells) -> Iterator[ProbedRun]:
    """Yield what each run of probes found over the selected outputs."""
    runs: dict[str, list[RunView]] = {}
    for run in data.runs:
        if run.request.get("metric") in _PROBES:
            runs.setdefault(run.signature, []).append(run)
    units = np.repeat(np.arange(len(cells.segments)), len(cells.systems))
    for name, views in runs.items():
        run = views[0]
        scores = data.scores(run)

        def of(field: str, run: RunView = run, scores: Floats = scores) -> Floats:
            return cells.of(data.matrix(scores[:, run.fields.index(field)])).ravel()

        plain = of(PLAIN)
        results: dict[str, Result] = {
            effect: mean_shift(of(field), plain, units) for effect, field in _COPIES.items()
        }
        samples = [field for field in run.fields if field.startswith(SAMPLE)]
        results["repeatability"] = spread_of_samples(np.column_stack([*map(of, samples)]), units)
        outputs = int(np.isfinite(plain).sum())
        model = str(run.request["parameters"].get("model", ""))
        yield ProbedRun(run.metric.partition(" ")[0], model, name, outputs, results)


def _probed_pairs(data: StudyData, cells: Cells) -> Iterator[ProbedPairs]:
    """Yield how each model that judged pairs of the selected outputs depends on their order."""
    judged = data.by_models
    if judged is None:
        return
    rows = judged.second >= 0
    for place in (judged.first, judged.second):
        rows &= np.isin(data.segment_of_output[place], cells.segments)
        rows &= np.isin(data.column_of_output[place], cells.systems)
    for (campaign, name, measure), own in _by_judge(judged, np.flatnonzero(rows)).items():
        choice, side = judged.choice[own], judged.side[own]
        prefers = np.isin(choice, [0, 1]) & (side >= 0)
        # The first text stood on A unless its side says B.
        on_a = np.where(prefers, (choice == 0) == (side == 0), np.nan)
        results = {"position": position_bias(on_a), "consistency": _consistency(judged, own)}
        keys = np.unique(np.stack([judged.first[own], judged.second[own]]), axis=1)
        title = f"{name} ({judged.campaigns[campaign].slug})"
        yield ProbedPairs(title, judged.measures[measure].name, keys.shape[1], results)


def _by_judge(judged: Judgements, rows: Integers) -> dict[tuple[int, str, int], Integers]:
    """Return judgements by campaign, judge and measure; both orders are of one judge."""
    names = [judge_of(each.pseudonym) for each in judged.annotators]
    found: dict[tuple[int, str, int], list[int]] = {}
    for row in rows.tolist():
        annotator = int(judged.annotator[row])
        key = int(judged.campaign[row]), names[annotator], int(judged.aspect[row])
        found.setdefault(key, []).append(row)
    return {key: np.array(own, dtype=np.int64) for key, own in found.items()}


def _consistency(judged: Judgements, rows: Integers) -> Result:
    """Return how often both orders of a pair get the same verdict, with Wilson's interval."""
    named = signature("consistency", orders="both", interval="Wilson")
    verdicts: dict[tuple[int, int], dict[int, int]] = {}
    for row in rows.tolist():
        pair = int(judged.first[row]), int(judged.second[row])
        verdicts.setdefault(pair, {})[int(judged.side[row])] = int(judged.choice[row])
    both = [each for each in verdicts.values() if {0, 1} <= each.keys()]
    same = sum(each[0] == each[1] for each in both)
    if not both:
        return Undefined("no pair was judged in both orders", 0, "pairs", named)
    limits = binomtest(same, len(both)).proportion_ci(method="wilson")
    ties = sum(CHOICES[choice] == "tie" for each in both for choice in each.values())
    return Estimate(
        same / len(both),
        len(both),
        "pairs",
        named,
        interval=Interval(float(limits.low), float(limits.high), 0.95, "Wilson"),
        details={"ties": ties},
    )
