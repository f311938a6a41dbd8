"""Sentences of the correlation report: what was detected, and how the kind of scores matters.

Metrics are listed by their correlation, highest first; which of two is better is for the comparison
report to test. Raw, z-scored and ranked human scores are compared for each metric.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import stdtrit

from analysis.charts.chart import counted, format_number, sentence
from analysis.estimates.comparisons import LEVEL
from analysis.filter.question import CHOICES
from analysis.reports.correlation.content import CorrelationReport, MetricRow, ScoreKinds
from analysis.reports.metrics_listed import by_comparison, named
from analysis.reports.summaries import MOST_NAMED, Sentence, joined, list_of, said
from analysis.result_values import interval_words
from analysis.stats.correlation.pearson import rowwise_coefficients
from analysis.stats.resampling.permutation import holm
from analysis.stats.results import Result
from analysis.wording import HUMAN_SCORES, aspect_heading, column_labels, p_said

KINDS = CHOICES["scores"]


def kind_anchor(aspects: Sequence[str], aspect: str, place: int) -> str:
    """Return the element id of a metric's row in the table of an aspect's kinds of scores."""
    return f"scores-{aspects.index(aspect)}-{place}"


def kinds_of_aspect(aspect: str, rows: Sequence[tuple[int, MetricRow]]) -> ScoreKinds:
    """Return an aspect's part of the report, from rows with their places in it."""
    return ScoreKinds(aspect, tuple(place for place, _ in rows), _orders([row for _, row in rows]))


def _orders(rows: Sequence[MetricRow]) -> dict[str, float | None]:
    """Return Kendall's tau-b between the metrics' order by raw scores and by each other kind."""
    values = {kind: [_value(row, kind) for row in rows] for kind in KINDS}
    first = np.array([values[KINDS[0]]] * (len(KINDS) - 1))
    others = np.array([values[kind] for kind in KINDS[1:]])
    taus, _ = rowwise_coefficients(first, others, "kendall-tau-b")
    return {
        kind: float(tau) if np.isfinite(tau) else None
        for kind, tau in zip(KINDS[1:], taus, strict=True)
    }


def _value(row: MetricRow, kind: str) -> float:
    value = row.scores[kind].value
    return np.nan if value is None else value


def kinds_sentences(
    aspect: str, aspects: Sequence[str], rows: Sequence[tuple[int, MetricRow]]
) -> Iterator[Sentence]:
    """Say which conclusions on an aspect depend on the kind of scores."""
    compared = [(p, r) for p, r in rows if r.orientation == "oriented"] or rows
    known = [(p, r) for p, r in compared if all(np.isfinite(_value(r, kind)) for kind in KINDS)]
    if known:
        names = column_labels([row for _, row in known])
        anchors = [kind_anchor(aspects, aspect, place) for place, _ in known]
        yield from _conclusions(aspect, [row for _, row in known], names, anchors)
    unknown = len(compared) - len(known)
    if unknown:
        words = counted(unknown, "metric")
        yield said(f"For {words} the correlation on {aspect} is undefined by one kind or more.")


def _conclusions(
    aspect: str, rows: Sequence[MetricRow], names: Sequence[str], anchors: Sequence[str]
) -> Iterator[Sentence]:
    turned = [
        (f"{name} ({_listed(row, _signed)})", anchor)
        for row, name, anchor in zip(rows, names, anchors, strict=True)
        if len({_value(row, kind) > 0 for kind in KINDS}) > 1
    ]
    lost = [
        (f"{name} ({_listed(row, _detected_words)})", anchor)
        for row, name, anchor in zip(rows, names, anchors, strict=True)
        if len({_detected(row, kind) for kind in KINDS}) > 1
    ]
    order = _order_words(rows)
    if not turned and not lost:
        yield said(_unchanged(aspect, rows, names) + order + ".")
        return
    start = f"On {aspect} conclusions depend on how human scores are taken: "
    if turned:
        yield said(f"{start}the sign changes for ", *_some(turned), ".")
        start = "Besides, "
    if lost:
        yield said(f"{start}whether the 95 % interval holds zero changes for ", *_some(lost), ".")
    if order:
        yield said(f"All metrics: {order.removeprefix('; ')}.")


def _unchanged(aspect: str, rows: Sequence[MetricRow], names: Sequence[str]) -> str:
    start = (
        f"On {aspect} no conclusion depends on whether human scores are raw, z per annotator or "
        "ranks within annotator: "
    )
    intervals = any(_detected(row, kind) is not None for row in rows for kind in KINDS)
    if len(rows) == 1:
        holds = ", nor whether its 95 % interval holds zero" if intervals else ""
        verb = "changes neither its sign" if intervals else "does not change its sign"
        return f"{start}the correlation of {names[0]} {verb}{holds}"
    holds = ", or whether its 95 % interval holds zero" if intervals else ""
    metrics = counted(len(rows), "metric")
    return f"{start}for none of {metrics} does the correlation change its sign{holds}"


def _detected(row: MetricRow, kind: str) -> bool | None:
    """Whether the interval lies on one side of zero; None where there is no interval."""
    interval = row.scores[kind].interval
    return None if not interval else interval.low > 0 or interval.high < 0


def _detected_words(row: MetricRow, kind: str) -> str:
    found = _detected(row, kind)
    return "no interval" if found is None else "without zero" if found else "with zero"


def _signed(row: MetricRow, kind: str) -> str:
    return format_number(_value(row, kind))


def _listed(row: MetricRow, words: Callable[[MetricRow, str], str]) -> str:
    return ", ".join(f"{HUMAN_SCORES[kind].split()[0]} {words(row, kind)}" for kind in KINDS)


def _order_words(rows: Sequence[MetricRow]) -> str:
    orders = _orders(rows)
    if any(tau is None for tau in orders.values()):
        return ""
    if all(tau == 1 for tau in orders.values()):
        return "; their order is the same by all three"
    parts = (
        f"{format_number(tau or 0.0)} by raw scores and {'z-scores' if kind == 'z' else 'ranks'}"
        for kind, tau in orders.items()
    )
    return f"; τ-b between their orders is {' and '.join(parts)}"


def _some(entries: Sequence[tuple[str, str]]) -> list[str | tuple[str, str]]:
    more = len(entries) - MOST_NAMED
    return [*joined(entries[:MOST_NAMED]), *([f", and {more} more"] if more > 0 else [])]


MOST_CAUTIONS = 6


def cautions(
    rows: Sequence[MetricRow], aspect: str, headings: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return what is to be known of the intervals in an aspect's table, by column."""
    columns: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.aspect != aspect:
            continue
        for name, heading in headings.items():
            facts = row.results[name].details
            for words in filter(None, (facts.get("caution"), _no_interval(facts))):
                columns.setdefault(words, {})[heading] = None
    found = [(", ".join(of), words) for words, of in columns.items()]
    more = len(found) - MOST_CAUTIONS
    if more > 0:
        words = f"{counted(more, 'more note')}: open the numbers to read them"
        found = [*found[:MOST_CAUTIONS], ("Others", words)]
    return found


def _no_interval(facts: Mapping[str, Any]) -> str:
    reason = facts.get("no_interval_because")
    return f"no interval, because: {reason}" if reason else ""


def kinds_table(
    content: CorrelationReport, entry: ScoreKinds, labels: Mapping[tuple[str, str], tuple[str, str]]
) -> dict[str, Any]:
    """Return an aspect's correlations by raw, z-scored and ranked human scores."""
    aspect, aspects = entry.aspect, content.aspects
    own = [(place, content.rows[place]) for place in entry.rows]
    shown = [
        vars(row)
        | named(row, labels)
        | {
            "anchor": kind_anchor(aspects, aspect, place),
            "numbers": [row.scores[kind] for kind in KINDS],
        }
        for place, row in own
    ]
    return {
        "aspect": aspect,
        "heading": aspect_heading(aspect),
        "columns": [HUMAN_SCORES[kind] for kind in KINDS],
        "groups": by_comparison(shown),
        "sentences": list(kinds_sentences(aspect, aspects, own)),
    }


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
        start = f"{sentence(on)}, metrics that put the systems in the reverse order of human raters"
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
