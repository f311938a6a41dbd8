"""Whether a conclusion depends on raw, z-scored or ranked human scores: said by rules, no more."""

import pytest
import scipy

from analysis.reports.correlation.content import MetricRow
from analysis.reports.correlation.summary import kinds_of_aspect, kinds_sentences
from analysis.stats.results import Estimate, Interval, Undefined


def row(name, *values, half_width=0.05, orientation="oriented", intervals=True):
    """A metric's correlations under raw scores, z-scores and ranks."""
    scores = {}
    for kind, value in zip(("raw", "z", "rank"), values, strict=True):
        if value is None:
            scores[kind] = Undefined("nobody varies")
            continue
        interval = Interval(value - half_width, value + half_width, 0.95, "Fisher z")
        scores[kind] = Estimate(value, n=8, interval=interval if intervals else None)
    return MetricRow(
        run=name,
        metric=name,
        metric_aspect="style",
        compared_to="",
        text_setting="",
        aspect="style",
        own_aspect=True,
        relation="own",
        orientation=orientation,
        better="higher",
        note="",
        results={},
        scores=scores,
        conditions={},
        raw={},
    )


def said(*rows):
    places = list(enumerate(rows))
    sentences = list(kinds_sentences("style", ["content", "style"], places))
    words = ["".join(p["text"] for p in s["parts"]) for s in sentences]
    return words, kinds_of_aspect("style", places)


def test_a_changed_order_alone_is_no_changed_conclusion():
    rows = [row("A", 0.5, 0.4, 0.5), row("B", 0.45, 0.45, 0.45), row("C", 0.3, 0.3, 0.3)]
    [sentence], entry = said(*rows)
    assert sentence.startswith("On style no conclusion depends")
    assert sentence.endswith(
        "τ-b between their orders is 0.333 by raw scores and z-scores and 1.000 by raw scores and "
        "ranks."
    )
    expected = scipy.stats.kendalltau([0.5, 0.45, 0.3], [0.4, 0.45, 0.3]).statistic
    assert entry.orders["z"] == pytest.approx(expected)
