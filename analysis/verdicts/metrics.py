"""Which judges and metrics may take the place of a rater, and which correlate best."""

from collections.abc import Iterator, Sequence

from analysis.charts.chart import counted, format_number
from analysis.filter.question import Question
from analysis.reports.comparison.report import ComparisonReport
from analysis.reports.stand_in.content import Candidate, StandInReport
from analysis.reports.summaries import MOST_NAMED, Sentence, aspect_words, listed, said
from analysis.stats.agreement.alternative_annotator import Verdict
from analysis.stats.results import Result
from analysis.verdicts.contest import (
    Contest,
    answered,
    contest_sentences,
    verdict_of,
    verdict_words,
)
from analysis.wording import SYMBOLS, column_labels


def stand_in_sentences(content: StandInReport) -> list[Sentence]:
    """Say who may, who may not, and how many outputs would tell of the others."""
    return [said(words) for words in (*stand_in_answers(content), *_yardsticks(content))]


def stand_in_answers(content: StandInReport) -> list[str]:
    """Say who may take the place of a rater, of whom these data cannot tell, and who may not."""
    tested, labels = _tested(content)

    def of(verdict: Verdict) -> str:
        return _named([labels[id(row)] for row in tested if row.verdict == verdict], "metric")

    place = f"the place of a rater of {aspect_words(content.aspect)}"
    found = []
    if may := of("may"):
        found.append(f"{may} may take {place}.")
    if unknown := of("cannot tell"):
        start = f"Whether {unknown} may take {place}, these data cannot tell"
        found.append(f"{start}{_would_tell(tested, content)}.")
    if may_not := of("may not"):
        found.append(f"{may_not} may not take {place}.")
    return found


def _tested(content: StandInReport) -> tuple[list[Candidate], dict[int, str]]:
    """Return the candidates that were tested, and the label of each by its identity."""
    labels = dict(zip(map(id, content.rows), column_labels(content.rows), strict=True))
    return [row for row in content.rows if row.beside], labels


def _yardsticks(content: StandInReport) -> Iterator[str]:
    """Say how raters fare by the same test, and who was chosen by the ratings that test it."""
    tested, labels = _tested(content)
    known = [each for each in content.people if each.results["winning-rate"].value is not None]
    if tested and known:
        passing = sum(rater.verdict == "may" for rater in known)
        yield (
            f"By the same test {passing} of {counted(len(known), 'rater')} may take the place of "
            "the others."
        )
    several = [row for row in tested if row.prompts > 1]
    if several:
        most = max(row.prompts for row in several)
        yield (
            f"{_named([labels[id(row)] for row in several], 'judge')}: up to {most} prompts were "
            "tried on these ratings, and the best of several looks better than it is; test it on "
            "ratings that did not choose it."
        )


def _would_tell(rows: Sequence[Candidate], content: StandInReport) -> str:
    needed = [
        row.outputs_needed
        for row in rows
        if row.verdict == "cannot tell" and row.outputs_needed is not None
    ]
    if not needed:
        return ""
    low, high = min(needed), max(needed)
    many = f"{_rounded(low)}" if low == high else f"{_rounded(low)} to {_rounded(high)}"
    had = max(row.results["winning-rate"].n for row in rows)
    items = "pairs" if content.answered_by == "choices" else "rated outputs"
    return f"; about {many} {items} in place of {had:,} would"


def _rounded(count: int) -> str:
    """Return a count with two digits: it rests on variances that are estimated themselves."""
    size = 10 ** max(0, len(str(count)) - 2)
    return f"{-(-count // size) * size:,}"


def _named(names: Sequence[str], thing: str) -> str:
    if len(names) <= MOST_NAMED:
        return listed(names) if names else ""
    return counted(len(names), thing)


def share(value: float | None) -> str:
    """Return a share as whole per cents."""
    return "" if value is None else f"{format_number(100 * value, 0)} %"


def metric_sentences(content: ComparisonReport, question: Question) -> list[Sentence]:
    """Say which metric correlates best, what tests detected, and between which."""
    if not content.metrics:
        return []
    names, symbol = column_labels(content.metrics), SYMBOLS[question.statistic]
    contest = Contest(names, content.pairs, "metrics", symbol, question)
    results = [each.result for each in content.metrics]
    on = f" on {aspect_words(content.aspect)}"
    lead, rest = correlates_best(contest, results, on, symbol=symbol.removeprefix("Δ"))
    evidence = contest_sentences(contest)
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
    lead, rest = verdict_words(
        verdict_of(contest), first="correlates best with human scores", lower="lower", on=on
    )
    if not contest.detected:
        return lead, f"The highest correlation is that of {name} ({value})."
    return f"{lead[:-1]} ({value}){lead[-1]}", rest


def _is_shown(result: Result) -> bool:
    """Whether a correlation was shown to be above zero."""
    return bool(result.interval and result.interval.low > 0)
