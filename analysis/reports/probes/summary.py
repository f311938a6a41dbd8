"""The answer of the probes report: which effects are there, as far as their intervals say."""

from collections.abc import Iterator

from analysis.charts.chart import format_number
from analysis.reports.probes.report import ProbesReport
from analysis.reports.summaries import MOST_NAMED, Sentence, listed, said
from analysis.stats.results import Result
from analysis.wording import column_labels

_WORDS = {
    "verbosity": "a sentence without content",
    "format": "bold type and a heading",
    "order-of-options": "listing the options from the highest",
}


def probes_sentences(content: ProbesReport) -> list[Sentence]:
    """Say what moves judges whose intervals leave no effect out."""
    return list(_sentences(content))


def _sentences(content: ProbesReport) -> Iterator[Sentence]:
    labels = column_labels(content.rows)
    for name, does in (
        ("length-at-equal-human-score", "longer outputs higher"),
        ("own-family", "outputs of its own family higher"),
    ):
        moved = [
            label
            for label, row in zip(labels, content.rows, strict=True)
            if _sign(row.results[name]) > 0
        ]
        if 0 < len(moved) <= MOST_NAMED:
            yield said(f"At equal human scores, {listed(moved)} scores {does}.")
        elif moved:
            yield said(f"At equal human scores, {len(moved)} metrics score {does}.")
    for run in content.copies:
        for name, words in _WORDS.items():
            result = run.results[name]
            if sign := _sign(result):
                shift = format_number(abs(result.value or 0.0), 2)
                way = "raises" if sign > 0 else "lowers"
                yield said(f"{run.model}: {words} {way} its number by {shift} on average.")
    for pairs in content.pairs:
        result = pairs.results["position"]
        if result.interval and not result.interval.low <= 0.5 <= result.interval.high:
            side = "A" if (result.value or 0.0) > 0.5 else "B"
            yield said(f"{pairs.name} prefers the text on side {side}, whichever it is.")


def _sign(result: Result) -> int:
    """Return the sign of an effect whose interval leaves 0 out; else 0."""
    if result.interval is None:
        return 0
    return (result.interval.low > 0) - (result.interval.high < 0)
