"""The answer of the saving report: what a rating is worth beside the metric that helps most."""

from collections.abc import Iterator

from analysis.charts.chart import format_interval, format_number
from analysis.reports.saving.report import CHANCE, RESULTS, Helper, SavingReport
from analysis.reports.stand_in.summary import share
from analysis.reports.summaries import Sentence, aspect_words, said
from analysis.wording import column_labels

DIFFERENCES, MEANS = RESULTS
SURELY = 1.005
"""Lower limit from which on a worth, shown with two digits, is more than 1."""


def saving_sentences(content: SavingReport) -> list[Sentence]:
    """Say how much the best helper saves, and what a choice of segments by it would tell."""
    return list(_sentences(content))


def best(content: SavingReport) -> Helper | None:
    """Return the metric beside which a rating is worth most where systems are compared."""
    known = [row for row in content.rows if row.results[DIFFERENCES].value is not None]
    return max(known, key=lambda row: row.results[DIFFERENCES].value or 0.0, default=None)


def _sentences(content: SavingReport) -> Iterator[Sentence]:
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
