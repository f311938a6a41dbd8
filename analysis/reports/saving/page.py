"""The page that says how many ratings a metric saves."""

from collections.abc import Iterator
from typing import Any

from django.urls import reverse

from analysis.charts.chart import format_interval, format_number
from analysis.charts.dots import metric_dots
from analysis.estimates.evaluation import check_scale_aspect
from analysis.filter.question import SELECTED, Question
from analysis.reports.figure import Figure, figure
from analysis.reports.grouping import crossed, grouped
from analysis.reports.kind import Report, ReportKind, Size, aspect_offer
from analysis.reports.metrics_listed import drawn_rows, labelled
from analysis.reports.page_address import Address, Choices
from analysis.reports.saving.report import CHANCE, RESULTS, Helper, SavingReport, saving_report
from analysis.reports.summaries import Sentence, aspect_words, said
from analysis.reports.table import Table
from analysis.stats.saving.segment_choice import DRAWS
from analysis.tables.flat_table import METRIC_COLUMNS, PRINTED, RESULT_COLUMNS
from analysis.verdicts.metrics import share
from analysis.wording import column_labels

DIFFERENCES, MEANS = RESULTS
SURELY = 1.005
"""Lower limit from which on a worth, shown with two digits, is more than 1."""


def best(content: SavingReport) -> Helper | None:
    """Return the metric beside which a rating is worth most where systems are compared."""
    known = [row for row in content.rows if row.results[DIFFERENCES].value is not None]
    return max(known, key=lambda row: row.results[DIFFERENCES].value or 0.0, default=None)


def saving_sentences(content: SavingReport) -> Iterator[Sentence]:
    """Say how much the best helper saves, and what a choice of segments by it would tell."""
    row = best(content)
    if row is None:
        return
    labels = dict(zip(map(id, content.rows), column_labels(content.rows), strict=True))
    found, of_means = row.results[DIFFERENCES], row.results[MEANS]
    limits = found.interval
    interval = f" {format_interval(limits.low, limits.high, 2)}" if limits else ""
    means = (
        f", and {format_number(of_means.value, 2)} for the mean of a system"
        if of_means.value is not None
        else ""
    )
    unsure = limits is not None and limits.low < SURELY
    doubt = "; that it saves any ratings is not shown" if unsure else ""
    yield said(
        f"Beside scores of unlimited outputs by {labels[id(row)]}, a rating of "
        f"{aspect_words(content.aspect)} is worth {format_number(found.value, 2)} ratings where "
        f"systems are compared{interval}{means}{doubt}."
    )
    chosen = [each for each in content.chosen if not each.judged_by]
    fewest = min((each.segments for each in chosen), default=0)
    told = {each.by: each for each in chosen if each.segments == fewest}
    if row.name not in told:
        return
    chance, by_row = told[CHANCE], told[row.name]
    yield said(
        f"The {fewest:,} segments on which its scores of the systems differ most tell "
        f"{share(by_row.told_apart)} of the pairs of systems apart, as many at random "
        f"{share(chance.told_apart)}, and all {content.rated:,} rated ones "
        f"{share(content.all_told_apart)}."
    )


NAME = "saving"


def saving_figures(content: SavingReport, question: Question, choices: Choices) -> Iterator[Figure]:
    """Yield the worth of a rating beside each metric."""
    if best(content) is not None:
        yield figure(
            NAME,
            metric_dots,
            lambda: drawn_rows(content.rows, lambda row: row.results[DIFFERENCES]),
            "thin line: a metric that saves nothing",
            title=f"What a rating of {content.aspect} is worth where systems are compared",
            statistic="ratings",
            guess=1.0,
        )


TABLES: tuple[Table[Any], ...] = (
    Table(
        "worth-of-ratings",
        "What a rating is worth with each metric",
        "rows",
        (*METRIC_COLUMNS, "aspect", "statistic", *RESULT_COLUMNS),
        printed=("metric", "aspect", "statistic", *PRINTED),
    ),
    Table(
        "chosen-segments",
        "Pairs of systems that the ratings of chosen segments tell apart",
        "chosen",
        (
            *("chosen_by", "aspect", "segments", "rated", "pairs"),
            *("told_apart", "in_full_order", "judged_by"),
        ),
        lambda content: (
            (each, {"judged_by": each.judged_by or "all ratings"}) for each in content.chosen
        ),
    ),
    Table(
        "powered-means",
        "Means of systems with the scores of unrated outputs",
        "means",
        (*("metric", "aspect", "system", "unrated", "weight", "worth"), *("mean", *RESULT_COLUMNS)),
        printed=("metric", "system", "worth", "mean", *PRINTED),
    ),
    Table(
        "weighted-means",
        "Means of systems weighted by how segments were chosen",
        "weighted",
        ("system", "aspect", "mean_of_chosen", "estimator", *RESULT_COLUMNS),
        printed=("system", "mean_of_chosen", "estimator", *PRINTED),
    ),
)


WORDS_OF_TEXT = 20
"""In the mean, about; by them the work of comparing texts is estimated."""


def present(report: Report[SavingReport], address: Address) -> dict[str, Any]:
    """Return one row a metric, one a choice of segments, and one a mean of a system."""
    content = report.content
    counts = sorted({each.segments for each in content.chosen})
    return {
        "summary": saving_sentences(content),
        "everything": share(content.all_told_apart),
        "rows": labelled(content.rows, RESULTS),
        "counts_of_segments": counts,
        "columns_of_chosen": 1 + 2 * len(counts),
        "chosen": [
            (judged_by, crossed(group, lambda each: each.by, lambda each: each.segments, counts))
            for judged_by, group in grouped(content.chosen, lambda each: each.judged_by).items()
        ],
    }


def _cost(size: Size) -> int:
    of_metrics = len(size.columns) * size.cells * size.systems * 8
    return of_metrics + (DRAWS * size.systems + WORDS_OF_TEXT * 8) * size.cells


KIND = ReportKind(
    key="saving",
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=("aspect", "candidates", *SELECTED, "seed"),
    build=saving_report,
    check=check_scale_aspect,
    present=present,
    cost=_cost,
    reads_texts=True,
    tables=TABLES,
    figures=saving_figures,
    picture=(NAME,),
    sections={NAME: "What a rating is worth"},
    offers=aspect_offer,
    for_owners=lambda study: {"choose_at": reverse("study-choose-segments", args=[study.slug])},
)
