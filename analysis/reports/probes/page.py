"""The page that says what moves judges and metrics."""

from collections.abc import Iterator
from typing import Any

from analysis.charts.chart import format_number
from analysis.estimates.evaluation import check_scale_aspect
from analysis.filter.question import SELECTED
from analysis.reports.kind import Report, ReportKind, Size, aspect_offer
from analysis.reports.metrics_listed import labelled
from analysis.reports.page_address import Address
from analysis.reports.probes.report import OF_SCORES, ProbesReport, probes_report
from analysis.reports.summaries import MOST_NAMED, Sentence, effect_sign, listed, said, some
from analysis.reports.table import Table
from analysis.tables.flat_table import METRIC_COLUMNS, PRINTED, RESULT_COLUMNS
from analysis.wording import column_labels

_WORDS = {
    "verbosity": "a sentence without content",
    "format": "bold type and a heading",
    "order-of-options": "listing the options from the highest",
}


def probes_sentences(content: ProbesReport) -> Iterator[Sentence]:
    """Say what was detected to move judges and metrics, and what was not."""
    labels = column_labels(content.rows)
    for name, favoured in (
        ("length-at-equal-human-score", "longer outputs"),
        ("own-family", "outputs of its own family"),
    ):
        found = [
            (label, row.results[name]) for label, row in zip(labels, content.rows, strict=True)
        ]
        tested = [label for label, result in found if result.interval]
        moved = [label for label, result in found if effect_sign(result) > 0]
        if 0 < len(moved) <= MOST_NAMED:
            yield said(f"At equal human scores, {listed(moved)} scores {favoured} higher.")
        elif moved:
            yield said(f"At equal human scores, {len(moved)} metrics score {favoured} higher.")
        elif tested:
            who = f"that {some(tested, 'metrics')} scores {favoured} higher"
            yield said(f"At equal human scores, it was not detected {who}.")
    for run in content.copies:
        for name, words in _WORDS.items():
            result = run.results[name]
            if sign := effect_sign(result):
                shift = format_number(abs(result.value or 0.0), 2)
                way = "raises" if sign > 0 else "lowers"
                yield said(f"{run.model}: {words} {way} its number by {shift} on average.")
    for pairs in content.pairs:
        result = pairs.results["position"]
        if result.interval and not result.interval.low <= 0.5 <= result.interval.high:
            side = "A" if (result.value or 0.0) > 0.5 else "B"
            yield said(f"{pairs.name} prefers the text on side {side}, whichever it is.")


TABLES: tuple[Table[Any], ...] = (
    Table(
        "probes-of-scores",
        "Length and own family in the scores of judges and metrics",
        "rows",
        (*METRIC_COLUMNS, "aspect", "prompts_tried", "probe", *RESULT_COLUMNS),
        printed=("metric", "aspect", "probe", *PRINTED),
    ),
    Table(
        "probes-of-copies",
        "Shifts of a judge's numbers by changed copies, and the spread of its samples",
        "copies",
        ("metric", "model", "run", "outputs", "probe", *RESULT_COLUMNS),
        printed=("model", "outputs", "probe", *PRINTED),
    ),
    Table(
        "probes-of-pairs",
        "How a judge of pairs depends on the order of the texts",
        "pairs",
        ("judge", "aspect", "judged_pairs", "probe", *RESULT_COLUMNS),
    ),
)


def present(report: Report[ProbesReport], address: Address) -> dict[str, Any]:
    """Return one row a metric, one a run of probes, and one a judge of pairs."""
    content = report.content
    return {"summary": probes_sentences(content), "rows": labelled(content.rows, OF_SCORES)}


def _cost(size: Size) -> int:
    return len(size.columns) * size.cells * 20 + size.cells * 10


KIND = ReportKind(
    key="probes",
    lays_out=lambda data: bool(data.judgements.on_scale or data.by_models),
    fields=("aspect", "candidates", *SELECTED),
    build=probes_report,
    check=check_scale_aspect,
    present=present,
    cost=_cost,
    tables=TABLES,
    offers=aspect_offer,
)
