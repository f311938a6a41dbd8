"""The page of a metric learned from ratings."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.charts.chart import format_number
from analysis.charts.dots import metric_dots
from analysis.estimates.evaluation import check_scale_aspect
from analysis.filter.question import DRAWS, RATINGS, SETTINGS, Question
from analysis.reports.figure import Figure, figure
from analysis.reports.grouping import grouped
from analysis.reports.kind import Report, ReportKind, Size, aspect_offer
from analysis.reports.learned_metric.report import KEY, ContenderRow, LearnedReport, learned_report
from analysis.reports.metrics_listed import drawn_rows, labelled
from analysis.reports.page_address import Address, Choices
from analysis.reports.summaries import Sentence, aspect_words, digits, effect_sign, listed, said
from analysis.reports.table import Parts, Table
from analysis.stats.results import Result
from analysis.tables.flat_table import METRIC_COLUMNS, PRINTED, RESULT_COLUMNS

CONTENDER_WORDS = {
    "learned": "Learned weights",
    "single": "Best single metric",
    "equal": "Equal weights",
}
IN_SENTENCE = {
    "single": "the metric that correlates best in the training data",
    "equal": "the mean of all metrics with equal weights",
}


def learned_sentences(content: LearnedReport) -> Iterator[Sentence]:
    """Say how well learned weights correlate on unseen outputs, and whether simpler ones do."""
    rows = {row.contender: row for row in content.contenders}
    learned = rows["learned"].correlation
    if content.reason or learned.value is None:
        return
    yield said(
        f"Weights learned from ratings of {aspect_words(content.aspect)} correlate with human "
        f"scores with r = {digits(learned.value)} on segments and systems that they were not "
        "fitted to."
    )
    competitors = [rows[name] for name in IN_SENTENCE]
    by_sign = grouped(competitors, lambda row: effect_sign(row.better))
    if above := by_sign.get(1):
        yield said(f"That is more than {_named(above)}.")
    if below := by_sign.get(-1):
        yield said(f"It is less than {_named(below)}: take the simpler one.")
    if unclear := by_sign.get(0):
        yield said(f"No difference from {_named(unclear)} was detected.")


def _named(rows: Sequence[ContenderRow]) -> str:
    return listed(
        [
            f"{IN_SENTENCE[row.contender]} (Δ = {digits(row.better.value)})"
            for row in rows
            if row.better is not None and row.better.value is not None
        ]
    )


NAME = "learned-weights"


def learned_figures(
    content: LearnedReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the weights, if there are some."""
    if any(row.weight.value is not None for row in content.rows):
        yield figure(
            NAME,
            metric_dots,
            lambda: drawn_rows(content.rows, lambda row: row.weight),
            "shares of the fit to all ratings",
            title=f"What each metric weighs for {content.aspect}",
            statistic="weight",
        )


def _weights(content: LearnedReport) -> Iterator[Parts]:
    for row in content.rows:
        spread = row.weight.details
        ends = {
            f"{end}_of_folds": spread.get(f"{end} of the folds") for end in ("lowest", "highest")
        }
        yield row, ends | {"best_single_in": row.chosen}, row.weight


TABLES: tuple[Table[Any], ...] = (
    Table(
        "learned-metric",
        "The learned metric and its simplest competitors, on unseen segments and systems",
        "contenders",
        ("aspect", "contender", "statistic", *RESULT_COLUMNS),
    ),
    Table(
        "learned-weights",
        "Weights of metrics",
        "rows",
        (
            *(*METRIC_COLUMNS, "aspect", "best_single_in"),
            *("lowest_of_folds", "highest_of_folds", *RESULT_COLUMNS),
        ),
        _weights,
        ("metric", "aspect", "best_single_in", *PRINTED),
    ),
)


def present(report: Report[LearnedReport], address: Address) -> dict[str, Any]:
    """Return a row for each contender and each metric."""
    content = report.content
    rows = labelled(content.rows)
    return {
        "summary": learned_sentences(content),
        "blocks": content.segment_folds * content.system_folds,
        "contenders": [
            vars(row) | {"name": CONTENDER_WORDS[row.contender]} for row in content.contenders
        ],
        "rows": [
            row | {"spread": _spread(row["weight"])}
            for row in sorted(rows, key=lambda row: -(row["weight"].value or 0.0))
        ],
        "store_query": address.query(),
    }


def _spread(weight: Result) -> str:
    """Return the range of a weight over the folds."""
    low, high = (weight.details.get(f"{end} of the folds") for end in ("lowest", "highest"))
    return "" if low is None else f"{format_number(low, 2)} to {format_number(high, 2)}"


def _cost(size: Size) -> int:
    return len(size.columns) * size.cells * 12 + size.segments * size.question.resamples


KIND = ReportKind(
    key=KEY,
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=(
        *("aspect", "candidates", "metric", *SETTINGS, "direction", "humans", *RATINGS),
        *("systems", "leave_out", "where", *DRAWS),
    ),
    build=learned_report,
    check=check_scale_aspect,
    present=present,
    cost=_cost,
    tables=TABLES,
    figures=learned_figures,
    picture=(NAME,),
    sections={NAME: "What each metric weighs"},
    offers=aspect_offer,
)
