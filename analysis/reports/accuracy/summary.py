"""The answer of the accuracy report: how often metrics are right, of systems and of outputs."""

from collections.abc import Iterator

from analysis.charts.chart import counted, format_number
from analysis.reports.accuracy.report import AccuracyReport
from analysis.reports.summaries import Sentence, aspect_words, pointing, said
from analysis.stats.results import Result
from analysis.wording import column_labels

PAIRS = {"system_pairs": "systems", "ties_cross_fitted": "outputs"}


def accuracy_sentences(content: AccuracyReport) -> list[Sentence]:
    """Say how many pairs metrics put in the order of human raters, and where metrics are tested."""
    return list(_sentences(content))


def _sentences(content: AccuracyReport) -> Iterator[Sentence]:
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
            "Comparison",
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
