"""The answer of the report of a learned metric: whether learning weights pays."""

from collections.abc import Iterator, Sequence

from analysis.reports.learned_metric.report import ContenderRow, LearnedReport
from analysis.reports.summaries import Sentence, aspect_words, digits, listed, said

CONTENDER_WORDS = {
    "learned": "Learned weights",
    "single": "Best single metric",
    "equal": "Equal weights",
}
IN_SENTENCE = {
    "single": "the metric that correlates best in the training data",
    "equal": "the mean of all metrics with equal weights",
}


def learned_sentences(content: LearnedReport) -> list[Sentence]:
    """Say how well learned weights correlate on unseen outputs, and whether simpler ones do."""
    return list(_sentences(content))


def _sentences(content: LearnedReport) -> Iterator[Sentence]:
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
    above = [row for row in competitors if (low := _low(row)) is not None and low > 0]
    below = [row for row in competitors if (high := _high(row)) is not None and high < 0]
    if above:
        yield said(f"That is more than {_named(above)}.")
    if below:
        yield said(f"It is less than {_named(below)}: take the simpler one.")
    if unclear := [row for row in competitors if row not in (*above, *below)]:
        yield said(f"No difference from {_named(unclear)} was detected.")


def _named(rows: Sequence[ContenderRow]) -> str:
    return listed(
        [
            f"{IN_SENTENCE[row.contender]} (Δ = {digits(row.better.value)})"
            for row in rows
            if row.better is not None and row.better.value is not None
        ]
    )


def _low(row: ContenderRow) -> float | None:
    return row.better.interval.low if row.better and row.better.interval else None


def _high(row: ContenderRow) -> float | None:
    return row.better.interval.high if row.better and row.better.interval else None
