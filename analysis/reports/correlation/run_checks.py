"""What speaks against a run: imported scores that differ, and a doubtful orientation."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from analysis.charts.chart import format_number
from analysis.data.arrays import Floats
from analysis.data.selection import MetricColumn, select
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import Pairing, align, correlation, human_side, raw_scores
from analysis.filter.question import Question
from analysis.reports.correlation.content import (
    BesideImported,
    ComparedScores,
    MetricRow,
    OrientationDoubt,
)
from analysis.result_values import interval_words
from analysis.stats.correlation.metric_correlation import segment_level
from analysis.stats.correlation.pearson import fisher_interval
from analysis.stats.results import Result, Undefined
from metrics.catalogue import computed_as
from metrics.models import MetricRun
from metrics.runs.names import SUFFIX

REFERENCE = "reference"


def beside_imported(
    data: StudyData, question: Question, columns: Sequence[MetricColumn], aspects: Sequence[str]
) -> Iterator[BesideImported]:
    """Compare what was computed with what was imported, on the cells that both scored.

    Yields one for each two columns of one metric, and each aspect that the imported one may
    measure: the correlation of both with human scores on the cells that all three have, their
    difference (computed less imported), and of the scores themselves, as they are: how many cells
    have both, the mean absolute difference, and Pearson's r between the two.
    """
    for imported, computed in _same_metric(columns):
        yield from _entries(data, question, imported, computed, aspects)


def _same_metric(columns: Sequence[MetricColumn]) -> Iterator[tuple[MetricColumn, MetricColumn]]:
    ours = [c for c in columns if c.run.origin == MetricRun.Origin.COMPUTED and not c.derived]
    for imported in columns:
        if imported.run.origin != MetricRun.Origin.IMPORTED or imported.derived:
            continue
        name = computed_as(imported.name)
        for computed in ours:
            plain = computed.name.removesuffix(SUFFIX).casefold()
            if plain == name and _same_setting(imported, computed):
                yield imported, computed


def _same_setting(imported: MetricColumn, computed: MetricColumn) -> bool:
    """Whether both read the same texts, as far as the import says.

    An import says ``reference`` whichever one, or all, it means, and nothing where it means one
    thing throughout.
    """
    said, known = imported.run.compared_to, computed.run.compared_to
    same = said in ("", known) or (said == REFERENCE and known.startswith(REFERENCE))
    return same and imported.run.text_setting == computed.run.text_setting


def _entries(
    data: StudyData,
    question: Question,
    imported: MetricColumn,
    computed: MetricColumn,
    aspects: Sequence[str],
) -> Iterator[BesideImported]:
    cells = select(data, question)
    theirs, ours = (cells.of(raw_scores(data, column)) for column in (imported, computed))
    scores = _scores(theirs, ours)
    for aspect in aspects:
        measure = data.measure(aspect)
        if imported.run.aspect_key not in ("", measure.aspect if measure else aspect):
            continue
        pairings = [
            align(data, question, column, human_side(data, question, aspect))
            for column in (imported, computed)
        ]
        results = _on_common_cells(pairings, question)
        yield BesideImported(
            aspect=aspect,
            metric=computed.name,
            imported_as=imported.name,
            compared_to=computed.run.compared_to,
            imported_compared_to=imported.run.compared_to,
            text_setting=computed.run.text_setting,
            run=computed.run.signature,
            imported_run=imported.run.signature,
            imported=results[0],
            computed=results[1],
            difference=_difference(*results),
            scores=scores,
        )


def _on_common_cells(pairings: Sequence[Pairing], question: Question) -> list[Result]:
    both = np.logical_and.reduce([np.isfinite(each.metric) for each in pairings])
    results = []
    for each in pairings:
        cut = replace(each, metric=np.where(both, each.metric, np.nan))
        result = correlation(cut, question, None)
        results.append(replace(result, signature=f"{result.signature}|common-cells:two-runs"))
    return results


def _difference(imported: Result, computed: Result) -> float | None:
    if isinstance(imported, Undefined) or isinstance(computed, Undefined):
        return None
    return computed.value - imported.value


def _scores(theirs: Floats, ours: Floats) -> ComparedScores:
    both = np.isfinite(theirs) & np.isfinite(ours)
    gaps = np.abs(ours[both] - theirs[both])
    between = segment_level(ours, theirs, "pearson", bootstrap=None, variant={"between": "scores"})
    return ComparedScores(int(both.sum()), float(gaps.mean()) if len(gaps) else None, between)


FEWEST_SYSTEMS = 4
STATISTIC = "system_pearson"


def orientation_doubts(rows: Iterable[MetricRow]) -> Iterator[OrientationDoubt]:
    """Yield the metrics that systems contradict: rated higher by humans, scored worse.

    A metric is doubted where its oriented correlation over systems is clearly negative on the
    aspect that it measures, or, if it may measure any, on each of them. A metric of another aspect
    may well be negative: what keeps the content often changes the style less.
    """
    by_metric: dict[tuple[str, str], list[MetricRow]] = {}
    for row in rows:
        if row.orientation == "oriented" and row.better in ("higher", "lower"):
            by_metric.setdefault((row.run, row.metric), []).append(row)
    for found in by_metric.values():
        judged = [row for row in found if row.own_aspect]
        if not judged:
            judged = [row for row in found if row.relation == "possible"]
        known = [row for row in judged if row.results[STATISTIC].interval]
        if all(is_clearly_negative(row.results[STATISTIC]) for row in known):
            yield from map(_doubt, known)


def is_clearly_negative(result: Result) -> bool:
    """Whether a correlation over systems lies below 0 with its interval and with Fisher's.

    The bootstrap of segments does not know how few the systems are; Fisher's interval does.
    """
    interval, value, systems = result.interval, result.value, result.n
    if not interval or value is None or systems < FEWEST_SYSTEMS:
        return False
    fisher = fisher_interval(value, systems)
    among_systems = value == -1 if fisher is None else fisher.high < 0
    return among_systems and interval.high < 0


def _doubt(row: MetricRow) -> OrientationDoubt:
    result = row.results[STATISTIC]
    sentence = (
        f"{row.name} is oriented as “{row.better} is better”, but over {result.n} systems "
        f"its oriented correlation with human scores of {row.aspect} is clearly negative: "
        f"r = {format_number(result.value)} {interval_words(result)}. Either the metric "
        "fails here, or its scores run the other way than stated, as those of a TER that is stored "
        "as −TER do."
    )
    return OrientationDoubt(row.run, row.metric, row.name, row.aspect, row.better, result, sentence)
