"""Tau-like in every variant, against a count of pairs by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from analysis.stats.correlation.tau_like import count_pairs, tau_like
from analysis.stats.results import Undefined

VARIANTS = list(
    itertools.product([0.0, 2.0], ["discordant", "half", "skip"], ["segments", "pooled"])
)


def by_hand(metric, human, min_gap, metric_ties, average):
    """Return value and number of segments with a pair, one pair at a time."""
    numerators, denominators = [], []
    for scores, people in zip(metric, human, strict=True):
        total = pairs = 0
        for i, j in itertools.combinations(range(len(scores)), 2):
            if np.isnan([scores[i], scores[j], people[i], people[j]]).any():
                continue
            gap = abs(people[i] - people[j])
            if gap <= 1e-9 or gap < min_gap - 1e-9:
                continue
            if scores[i] == scores[j]:
                if metric_ties == "skip":
                    continue
                pairs += 1
                total -= metric_ties == "discordant"
            else:
                pairs += 1
                total += 1 if (scores[i] > scores[j]) == (people[i] > people[j]) else -1
        if pairs:
            numerators.append(total)
            denominators.append(pairs)
    if not denominators:
        return None, 0
    if average == "pooled":
        return sum(numerators) / sum(denominators), len(denominators)
    ratios = [a / b for a, b in zip(numerators, denominators, strict=True)]
    return sum(ratios) / len(ratios), len(ratios)


@st.composite
def score_matrices(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    shape = (draw(st.integers(1, 6)), draw(st.integers(1, 5)))
    sides = []
    for _ in range(2):
        values = draw(hnp.arrays(np.float64, shape, elements=st.integers(0, 4).map(float)))
        values[
            draw(hnp.arrays(np.bool_, shape, elements=st.integers(0, 4).map(lambda x: x == 0)))
        ] = np.nan
        sides.append(values)
    return sides[0], sides[1]


@given(score_matrices())
@settings(max_examples=50, deadline=None)
def test_every_variant_equals_the_count_by_hand(matrices) -> None:
    metric, human = matrices
    for min_gap, metric_ties, average in VARIANTS:
        expected, segments = by_hand(metric, human, min_gap, metric_ties, average)
        result = tau_like(
            metric, human, min_gap=min_gap, metric_ties=metric_ties, average=average, bootstrap=None
        )
        if expected is None:
            assert isinstance(result, Undefined)
        else:
            assert result.value == pytest.approx(expected)
            assert result.n == result.details["segments_with_a_pair"] == segments


def test_min_gap_is_inclusive_in_spite_of_rounding() -> None:
    human = [[0.3, 0.1 + 0.2, 25.3, 50.299999999999997]]
    counted = count_pairs([[1, 2, 3, 4]], human, min_gap=25)
    assert counted.human_ties == 1
    assert counted.below_gap == 0
    assert counted.concordant.tolist() == [5]
    assert count_pairs([[1, 2]], [[0.0, 24.999]], min_gap=25).below_gap == 1


def test_p_value_of_the_mean_over_segments_is_the_t_test() -> None:
    rng = np.random.default_rng(6)
    metric, human = rng.normal(size=(2, 60, 4))
    result = tau_like(metric, human, bootstrap=None)
    per_segment = [
        by_hand(m[None], h[None], 0, "discordant", "segments")[0]
        for m, h in zip(metric, human, strict=True)
    ]
    assert result.p_value == pytest.approx(stats.ttest_1samp(per_segment, 0).pvalue)
    oracle = stats.ttest_1samp(per_segment, 0).confidence_interval()
    assert (result.interval.low, result.interval.high) == pytest.approx((oracle.low, oracle.high))


@pytest.mark.parametrize(
    ("metric", "human", "options", "reason"),
    [
        ([[1, 2]], [[3, 3]], {}, "human raters tie every pair"),
        ([[1, 2]], [[3, 4]], {"min_gap": 25}, "human gap as large"),
        ([[1, 1]], [[3, 4]], {"metric_ties": "skip"}, "metric ties every pair"),
        ([[1], [2]], [[3], [4]], {}, "two outputs"),
        (np.empty((0, 0)), np.empty((0, 0)), {}, "two outputs"),
    ],
)
def test_without_a_pair_it_is_undefined_and_says_why(metric, human, options, reason) -> None:
    result = tau_like(metric, human, **options)
    assert isinstance(result, Undefined)
    assert reason in result.reason
    assert (result.n, result.unit) == (len(metric), "segments")
