"""The answer of the scores report: which metrics are most alike, without a test."""

from collections.abc import Iterator
from itertools import combinations

from analysis.charts.chart import counted, format_number
from analysis.reports.scores.report import ScoresReport
from analysis.reports.summaries import MOST_NAMED, Sentence, digits, listed, said
from analysis.wording import COEFFICIENTS, column_labels

ALIKE = 0.9
"""From where on two metrics are counted as saying the same: 81 % of the variance is shared."""


def score_sentences(content: ScoresReport, chosen: int) -> list[Sentence]:
    """Say which metrics go together, and how the chosen one scores what people wrote."""
    return [*_alike(content), *_medians(content, chosen)]


def _alike(content: ScoresReport) -> Iterator[Sentence]:
    labels, matrix = column_labels(content.columns), content.matrix
    if matrix is None:
        return
    known = [
        (value, f"{labels[one]} and {labels[other]}")
        for one, other in combinations(range(len(labels)), 2)
        if (value := matrix.values[one][other]) is not None
    ]
    if not known:
        return
    known.sort(key=lambda entry: -entry[0])
    alike = [f"{names} ({format_number(value, 2)})" for value, names in known if value >= ALIKE]
    coefficient, over = COEFFICIENTS[matrix.statistic], f"{matrix.level}s"
    over = "outputs" if matrix.level == "segment" else over
    many = f"{len(alike)} of {counted(len(known), 'pair')}" if alike else "No pair"
    start = (
        f"{many} of metrics {'correlate' if len(alike) > 1 else 'correlates'} at {ALIKE} or above "
        f"over {over} ({coefficient})"
    )
    if alike:
        more = len(alike) - MOST_NAMED
        yield said(
            f"{start}: {listed(alike[:MOST_NAMED])}{f', and {more} more' if more > 0 else ''}."
        )
    else:
        value, names = known[0]
        yield said(f"{start}; the most alike are {names} ({format_number(value, 2)}).")
    if len(known) > 1:
        value, names = known[-1]
        yield said(f"The least alike are {names} ({format_number(value, 2)}).")


def _medians(content: ScoresReport, chosen: int) -> Iterator[Sentence]:
    found = [
        f"{row.group} {digits(row.quantiles[3])}"
        for row in content.distributions
        if row.column == chosen
    ]
    if len(found) > 1:
        label = column_labels(content.columns)[chosen]
        yield said(f"Median score by {label}: {listed(found)}.")
