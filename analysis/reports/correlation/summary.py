"""Sentences at the top of the correlation report: for which metrics a correlation was detected.

Metrics are listed by their correlation, highest first; which of two is better is for the comparison
report to test.
"""

import math
from collections.abc import Iterator, Sequence

from scipy.special import stdtrit

from analysis.charts.chart import counted, format_number, sentence
from analysis.estimates.comparisons import LEVEL
from analysis.reports.correlation.content import CorrelationReport, MetricRow
from analysis.reports.summaries import MOST_NAMED, Sentence, joined, list_of, said
from analysis.result_values import interval_words
from analysis.stats.resampling.permutation import holm
from analysis.stats.results import Result
from analysis.wording import column_labels, p_said

SYSTEM, SEGMENT = "system_pearson", "segment_pearson"
BY_LEVEL = {"system": SYSTEM, "segment": SEGMENT}


def correlation_sentences(content: CorrelationReport, level: str = "segment") -> list[Sentence]:
    """Say for each aspect what was detected at the level asked for, at the other, at the top."""
    return [
        said_of | {"aspect": aspect}
        for aspect in content.aspects
        for said_of in _of_aspect(content, aspect, level)
    ]


def row_anchor(aspect: str, aspects: Sequence[str], place: int) -> str:
    """Return the element id of a metric's row in the table of an aspect."""
    return f"metric-{aspects.index(aspect)}-{place}"


def _of_aspect(content: CorrelationReport, aspect: str, level: str) -> Iterator[Sentence]:
    rows = [
        (place, row) for place, row in content.own_rows(aspect) if row.orientation == "oriented"
    ]
    if not rows:
        return
    names = column_labels([row for _, row in rows])
    anchors = [row_anchor(aspect, content.aspects, place) for place, _ in rows]
    on = f"on {aspect}"
    levels = [_over_outputs, _over_systems]
    for over in levels if level == "segment" else reversed(levels):
        yield from over(rows, names, anchors, on)
    yield from _among_the_best(content, aspect, len(content.systems))


def _over_systems(
    rows: Sequence[tuple[int, MetricRow]], names: Sequence[str], anchors: Sequence[str], on: str
) -> Iterator[Sentence]:
    results = [row.results[SYSTEM] for _, row in rows]
    adjusted = _holm(results)
    known = [place for place, p in enumerate(adjusted) if p is not None]
    if not known:
        return
    known.sort(key=lambda place: -(results[place].value or 0.0))
    detected = [place for place in known if (adjusted[place] or 0) <= LEVEL]
    above = [place for place in detected if (results[place].value or 0) > 0]
    below = [place for place in detected if (results[place].value or 0) < 0]
    most = max(results[place].n for place in known)
    systems = counted(most, "system")
    seen = f"{_of(len(above), len(known))} {_correlates(len(above))}"
    start = f"{sentence(on)}, {seen} with human scores over {systems} (Pearson r of means, Holm)"
    shown = [
        (f"{names[place]} (r = {format_number(results[place].value)}, "
         f"{p_said(adjusted[place] or 0.0)})", anchors[place])
        for place in above
    ]  # fmt: skip
    if not detected and (least := smallest_detectable(most, len(known))):
        start += f"; with {systems}, none below r = {format_number(least)} could be"
    yield said(start, *list_of(shown))
    if below:
        against = [
            (f"{names[place]} (r = {format_number(results[place].value)})", anchors[place])
            for place in below
        ]
        start = f"{sentence(on)}, metrics that put the systems in the reverse order of people"
        yield said(start, *list_of(against))


def _over_outputs(
    rows: Sequence[tuple[int, MetricRow]], names: Sequence[str], anchors: Sequence[str], on: str
) -> Iterator[Sentence]:
    known = [
        (name, anchor, result, interval)
        for (_, row), name, anchor in zip(rows, names, anchors, strict=True)
        if (interval := (result := row.results[SEGMENT]).interval)
    ]
    if not known:
        return
    known.sort(key=lambda entry: -(entry[2].value or 0.0))
    outputs = counted(max(result.n for _, _, result, _ in known), "output")
    others = [
        (f"{name} (r = {format_number(result.value)}, 95 % CI {interval_words(result)})", anchor)
        for name, anchor, result, interval in known
        if interval.low <= 0
    ]
    shown = others[:MOST_NAMED]
    many = _of(len(known) - len(others), len(known))
    # By default segments are drawn; another interval says something else.
    method = known[0][3].method
    made = "" if method.endswith("over segments") else f" ({method})"
    start = f"{sentence(on)}, over {outputs}, r is above zero for {many}"
    start += f", by its 95 % interval{made}"
    name, _, highest, interval = known[0]
    if interval.low > 0 and len(known) > 1:
        start += f"; it is highest for {name} (r = {format_number(highest.value)})"
    if shown:
        start += "; not for "
        more = len(others) - len(shown)
        yield said(start, *joined(shown), f", and {more} more." if more else ".")
    else:
        yield said(f"{start}.")


def smallest_detectable(systems: int, metrics: int) -> float | None:
    """Return the least r over systems that Holm's first step could have detected.

    Examples
    --------
    >>> round(smallest_detectable(5, 5), 3)
    0.959
    """
    if systems < 3:
        return None
    t = float(stdtrit(systems - 2, 1 - LEVEL / metrics / 2))
    return t / math.sqrt(systems - 2 + t * t)


def _among_the_best(content: CorrelationReport, aspect: str, systems: int) -> Iterator[Sentence]:
    """Say among how many of the best systems nothing was detected any more."""
    own = {(row.run, row.metric) for _, row in content.own_rows(aspect)}
    curves = [
        curve
        for curve in content.curves
        if curve.aspect == aspect and (curve.run, curve.metric) in own
    ]
    for size in range(systems - 1, 2, -1):
        results = [
            subset.results[SYSTEM]
            for curve in curves
            for subset in curve.subsets
            if subset.side == "top" and subset.size == size
        ]
        known = [p for p in _holm(results) if p is not None]
        if known and min(known) > LEVEL:
            yield said(
                f"Among the top {size} systems, {_of(0, len(known))} {_correlates(0)} with human "
                f"scores on {aspect} (Holm); with so few systems that says little."
            )
            return


def _of(some: int, metrics: int) -> str:
    """Return words such as ``2 of 4 metrics``."""
    if not some:
        return f"none of {counted(metrics, 'metric')}"
    if some < metrics:
        return f"{some} of {metrics} metrics"
    return "the one metric" if metrics == 1 else f"all {metrics} metrics"


def _correlates(some: int) -> str:
    return {0: "is seen to correlate", 1: "correlates"}.get(some, "correlate")


def _holm(results: Sequence[Result]) -> list[float | None]:
    raw = [result.p_value for result in results]
    adjusted = holm([float("nan") if p is None else p for p in raw])
    return [None if p is None else float(a) for p, a in zip(raw, adjusted, strict=True)]
