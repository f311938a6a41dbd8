"""The answer of the comparison: which metric correlates best, and which were found to be lower."""

from collections.abc import Sequence

from analysis.charts.chart import format_number
from analysis.filter.question import Question
from analysis.reports.comparison.report import ComparisonReport
from analysis.reports.standing import answered, standing_in, standing_sentences
from analysis.reports.summaries import Contest, Sentence, aspect_words, contest_sentences
from analysis.stats.results import Result
from analysis.wording import SYMBOLS, column_labels


def metric_sentences(content: ComparisonReport, question: Question) -> list[Sentence]:
    """Say which metric correlates best, what tests detected, and between which."""
    if not content.metrics:
        return []
    names, symbol = column_labels(content.metrics), SYMBOLS[question.statistic]
    contest = Contest(names, content.pairs, "metrics", symbol)
    results = [each.result for each in content.metrics]
    on = f" on {aspect_words(content.aspect)}"
    lead, rest = correlates_best(contest, results, on, symbol=symbol.removeprefix("Δ"))
    evidence = contest_sentences(contest, question)
    return answered(lead, rest, evidence, is_told=not contest.detected and _is_shown(results[0]))


def correlates_best(
    contest: Contest,
    results: Sequence[Result],
    on: str,
    ceiling: float | None = None,
    *,
    symbol: str = "r",
) -> tuple[str, str]:
    """Return which metric correlates best, and what was detected of the others.

    Parameters
    ----------
    contest
    results
        The correlations, best first.
    on
        The aspect, with its preposition.
    ceiling
        How well any metric could do, given the ratings.
    symbol
        Of the correlation.
    """
    name, best = contest.names[0], results[0]
    value = f"{symbol}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{format_number(best.value, 2)}"
    if best.interval:
        low, high = (format_number(end, 2) for end in (best.interval.low, best.interval.high))
        value += f", {100 * best.interval.level:.0f}\N{NO-BREAK SPACE}% interval {low} to {high}"
    if ceiling is not None:
        value += f", noise ceiling {format_number(ceiling, 2)}"
    if not _is_shown(best):
        why = "its interval includes zero" if best.interval else "it has no interval"
        return (
            f"No metric was shown to correlate with human scores{on}.",
            f"The highest correlation is that of {name} ({value}); {why}.",
        )
    if len(results) == 1:
        return (
            f"{name} correlates with human scores{on} ({value}).",
            "There is no other metric to compare it with.",
        )
    lead, rest = standing_sentences(
        standing_in(contest), first="correlates best with human scores", lower="lower", on=on
    )
    if not contest.detected:
        return lead, f"The highest correlation is that of {name} ({value})."
    return f"{lead[:-1]} ({value}){lead[-1]}", rest


def _is_shown(result: Result) -> bool:
    """Whether a correlation was shown to be above zero."""
    return bool(result.interval and result.interval.low > 0)
