"""The answer of the raters report: how alike raters are, and what is left without one of them."""

from collections.abc import Iterator, Sequence

from analysis.charts.chart import counted, format_number
from analysis.reports.raters.report import Rater, RatersReport
from analysis.reports.summaries import Sentence, aspect_words, digits, listed, said


def rater_sentences(content: RatersReport) -> list[Sentence]:
    """Say how far each correlates with the others, who is stricter, and whose ratings cost most."""
    return [*_alike(content.rows), *_severe(content.rows), *_without(content)]


def _alike(rows: Sequence[Rater]) -> Iterator[Sentence]:
    found = _known(rows, "agreement")
    if len(found) < 2:
        return
    low, high = (end(found, key=lambda entry: entry[1]) for end in (min, max))
    yield said(
        f"Each rater’s r with the mean of the others lies between {_named(*low)} and "
        f"{_named(*high)}."
    )


def _severe(rows: Sequence[Rater]) -> Iterator[Sentence]:
    found = _known(rows, "severity")
    apart = [
        (row, value)
        for row, value in found
        if (interval := row.results["severity"].interval)
        and (interval.low > 0 or interval.high < 0)
    ]
    if not found:
        return
    if not apart:
        yield said("No rater is seen to be stricter or milder: each interval of severity holds 0.")
        return
    severe, lenient = (end(apart, key=lambda entry: entry[1]) for end in (min, max))
    ends = [f"the most severe is {_named(*severe)}"] if severe[1] < 0 else []
    ends += [f"the most lenient {_named(*lenient)}"] if lenient[1] > 0 else []
    many = f"{len(apart)} of {counted(len(found), 'interval')} of severity"
    exclude = "excludes" if len(apart) == 1 else "exclude"
    yield said(f"{many}, one for each rater and aspect, {exclude} 0: {listed(ends)}.")


def _without(content: RatersReport) -> Iterator[Sentence]:
    """Say whose absence raises alpha most."""
    all_of = {each.aspect: each.alpha.value for each in content.overall}
    rises = [
        (value - before, row, before, value)
        for row, value in _known(content.rows, "alpha-without")
        if (before := all_of.get(row.aspect)) is not None
    ]
    if not rises:
        return
    rise, row, before, value = max(rises, key=lambda entry: entry[0])
    if rise <= 0:
        yield said("Krippendorff’s α is not higher without any one of them.")
        return
    yield said(
        f"Leaving out one rater raises Krippendorff’s α most on {aspect_words(row.aspect)}: from "
        f"{format_number(before, 2)} to {format_number(value, 2)} without {row.rater}."
    )


def _known(rows: Sequence[Rater], name: str) -> list[tuple[Rater, float]]:
    return [
        (row, result.value)
        for row in rows
        if (result := row.results.get(name)) and result.value is not None
    ]


def _named(row: Rater, value: float) -> str:
    return f"{digits(value)} ({row.rater}, {aspect_words(row.aspect)})"
