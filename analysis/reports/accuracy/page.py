"""The page of accuracies: what it says, draws and offers to download."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from analysis.charts.chart import counted, format_number
from analysis.charts.dots import metric_dots
from analysis.estimates.ceilings import NAMES as CEILINGS
from analysis.filter.question import DRAWS, OF_Z, SELECTED, Question
from analysis.reports.accuracy.report import NAMES, AccuracyReport, MetricAccuracy, accuracy_report
from analysis.reports.figure import Figure, figure, intervals
from analysis.reports.kind import Early, Report, ReportKind, Size, aspect_offer
from analysis.reports.metrics_listed import MOST_DRAWN, drawn_rows, labelled
from analysis.reports.page_address import Address, Choices
from analysis.reports.summaries import Sentence, aspect_words, pointing, said
from analysis.reports.table import Table
from analysis.stats.results import Result
from analysis.tables.flat_table import METRIC_COLUMNS, PRINTED, RESULT_COLUMNS
from analysis.wording import column_labels

PAIRS = {"system_pairs": "systems", "ties_cross_fitted": "outputs"}


def accuracy_sentences(content: AccuracyReport) -> Iterator[Sentence]:
    """Say how many pairs metrics put in the order of human raters, and where metrics are tested."""
    labels = column_labels(content.rows)
    most = 0
    for name, things in PAIRS.items():
        known = [
            (value, label, row.results[name])
            for label, row in zip(labels, content.rows, strict=True)
            if (value := row.results[name].value) is not None
        ]
        if known:
            best = max(known, key=lambda entry: entry[0])
            worst = min(known, key=lambda entry: entry[0])
            start = f"Of pairs of {things}, {best[1]} puts {_share(best[2])} in the order of human "
            start += f"raters on {aspect_words(content.aspect)}"
            end = f"; of {counted(len(known), 'metric')}, {worst[1]} the fewest, {_share(worst[2])}"
            yield said(f"{start}{end if len(known) > 1 else ''}.")
        most = max(most, len(known))
    if most > 1:
        yield pointing(
            "These shares are not tested against each other: whether one metric is better than "
            "another is tested in the report ",
            "Metric comparison",
            "comparison",
        )
    half = content.halves.get("system_pairs")
    if most and half and half.value is not None:
        yield said(
            f"One half of the raters puts {_share(half)} of pairs of systems in the order of the "
            "other half."
        )


def _share(result: Result) -> str:
    """Return a share in percent, with its interval."""
    words = f"{format_number(100 * (result.value or 0.0), 0)} %"
    if interval := result.interval:
        low, high = (format_number(100 * end, 0) for end in (interval.low, interval.high))
        words += f" (95 % CI {low} to {high} %)"
    return words


CHARTS = {"system_pairs": "accuracy-systems", "ties_cross_fitted": "accuracy-outputs"}
GUESSED = 0.5
"""Share of pairs of systems that a metric which guesses puts in the order of human raters."""


def accuracy_figures(
    content: AccuracyReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the shares of pairs that each metric puts in the order of human raters."""
    fitting = len(content.rows)
    for name, chart in CHARTS.items():
        if all(row.results[name].value is None for row in content.rows):
            continue
        of_systems = name == "system_pairs"
        half = content.halves.get(name)
        highest = half.value if half else None
        dashed = f"dashed: one half of the raters by the other {format_number(highest)}"
        yield figure(
            chart,
            metric_dots,
            partial(drawn_rows, content.rows, partial(_result_of, name)),
            intervals("95 % intervals"),
            "grey: guessing, 0.5" if of_systems else "",
            "" if highest is None else dashed,
            f"the best {MOST_DRAWN} of {fitting} metrics" if fitting > MOST_DRAWN else "",
            title=f"{NAMES[name]}: share in the order of human raters of {content.aspect}",
            statistic="share of pairs",
            ceiling=highest,
            guess=GUESSED if of_systems else None,
        )


def _result_of(name: str, row: MetricAccuracy) -> Result:
    return row.results[name]


TABLES: tuple[Table[Any], ...] = (
    Table(
        "accuracy",
        "Accuracy of metrics, one number a row",
        "rows",
        (*METRIC_COLUMNS, "aspect", "number", *RESULT_COLUMNS),
        printed=("metric", "compared_to", "number", *PRINTED),
    ),
)


HALVES = {
    "tau-like": "One half of the raters compared with the other, τ-like",
    "system_pairs": "One half of the raters compared with the other, pairs of systems",
}


def present(report: Report[AccuracyReport], address: Address) -> dict[str, Any]:
    """Return what noise allows, and one row a metric."""
    content = report.content
    return {
        "summary": accuracy_sentences(content),
        "headings": list(NAMES.values()),
        "noise": [
            (words, results[name])
            for results, names in ((content.ceilings, CEILINGS), (content.halves, HALVES))
            for name, words in names.items()
            if name in results
        ],
        "rows": labelled(content.rows, NAMES),
    }


def _cost(size: Size) -> int:
    squared = size.systems * size.systems
    per_metric = size.segments * (3000 + squared * 100) * size.question.resamples // 1000
    return len(size.columns) * per_metric + 100 * size.segments * squared * 20


KIND = ReportKind(
    key="accuracy",
    fields=("aspect", "candidates", *SELECTED, "scores", "ddof", *DRAWS),
    needs={"ddof": OF_Z},
    build=accuracy_report,
    present=present,
    early=Early(cost=lambda size: len(size.columns) * size.segments * (60 + size.systems**2)),
    cost=_cost,
    tables=TABLES,
    figures=accuracy_figures,
    picture=tuple(CHARTS.values()),
    sections={"accuracy-systems": "Pairs of systems", "accuracy-outputs": "Pairs of outputs"},
    offers=aspect_offer,
)
