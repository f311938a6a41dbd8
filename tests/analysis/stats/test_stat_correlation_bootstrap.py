"""Intervals of correlations: resampled data by hand, SciPy's BCa, annotators in batches."""

import tracemalloc
import warnings

import numpy as np
import pytest
import scipy

from analysis.stats.comparison.paired_bootstrap import bootstrap_differences
from analysis.stats.correlation.annotator_bootstrap import bootstrap_over_annotators
from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.metric_correlation import segment_level, system_level
from analysis.stats.correlation.tau_like import bootstrap_tau_like, tau_like
from analysis.stats.correlation.weighted_correlation import weighted_correlation
from analysis.stats.resampling.bootstrap import Bootstrap, multiplicities
from analysis.stats.results import Estimate
from tests.fixtures.estimates import estimate

COEFFICIENTS = ("pearson", "spearman", "kendall-tau-b")


def study(segments=12, systems=5, *, missing=0.08, seed=1):
    rng = np.random.default_rng(seed)
    human = np.round(rng.normal(0, 2, (segments, systems)) + np.arange(systems))
    metric = np.round(human + rng.normal(0, 2, human.shape), 0)
    metric[rng.random(metric.shape) < missing] = np.nan
    return metric, human


def value_of(metric, human, coefficient, level, grouping) -> float:
    if level == "system":
        result = system_level(metric, human, coefficient)
    else:
        result = segment_level(metric, human, coefficient, grouping=grouping, bootstrap=None)
    return result.value if isinstance(result, Estimate) else np.nan


def limits_of(drawn, value, coefficient, centred):
    """Percentiles of draws, or those that enclose the percentiles of the draws centred."""
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    if not centred:
        return low, high
    if coefficient == "pearson":
        drawn = np.tanh(np.arctanh(drawn) + np.arctanh(value) - np.nanmedian(np.arctanh(drawn)))
    else:
        drawn = np.clip(drawn + value - np.nanmedian(drawn), -1, 1)
    moved = np.nanquantile(drawn, [0.025, 0.975])
    return min(low, moved[0]), max(high, moved[1])


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(
    ("level", "grouping"),
    [("segment", "none"), ("segment", "segment"), ("segment", "system"), ("system", "none")],
)
@pytest.mark.parametrize("over", ["segments", "systems"])
def test_count_weights_give_the_statistic_of_the_copied_data(coefficient, level, grouping, over):
    metric, human = study(systems=6)
    n_units = 12 if over == "segments" else 6
    how = Bootstrap(30, seed=3)
    drawn = []
    for weights in multiplicities(np.ones(n_units), how):
        for row in weights.astype(int):
            taken = np.repeat(np.arange(n_units), row)
            copied = [side[taken] if over == "segments" else side[:, taken]
                      for side in (metric, human)]  # fmt: skip
            drawn.append(value_of(*copied, coefficient, level, grouping))
    good = np.array(drawn)[np.isfinite(drawn)]
    result = estimate(
        bootstrap_correlation(
            metric, human, coefficient, level=level, grouping=grouping, over=over,
            method="percentile", bootstrap=how,
        )
    )  # fmt: skip
    assert result.value == pytest.approx(value_of(metric, human, coefficient, level, grouping))
    assert result.details["degenerate_draws"] == 30 - good.size
    np.testing.assert_allclose(
        [result.interval.low, result.interval.high],
        limits_of(good, result.value, coefficient, level == "system" and over == "segments"),
    )


@pytest.mark.parametrize("level", ["segment", "system"])
def test_bca_limits_are_scipys(level):
    metric, human = study(segments=30, missing=0)
    grouping = "segment"

    def statistic(rows, axis=-1):
        return np.array(
            [value_of(metric[taken], human[taken], "pearson", level, grouping) for taken in rows]
        )

    theirs = scipy.stats.bootstrap(
        (np.arange(30),),
        lambda rows, axis=-1: (
            statistic(np.atleast_2d(rows)) if rows.ndim > 1 else statistic(rows[None])[0]
        ),
        n_resamples=2000,
        method="BCa",
        vectorized=True,
        rng=np.random.default_rng(1),
    )
    ours = estimate(
        bootstrap_correlation(
            metric, human, level=level, grouping=grouping, method="bca", bootstrap=Bootstrap(2000)
        )
    )
    low, high = theirs.confidence_interval
    spread = high - low
    if level == "segment":
        assert ours.interval.low == pytest.approx(low, abs=0.06 * spread)
        assert ours.interval.high == pytest.approx(high, abs=0.06 * spread)
    else:
        # It encloses the interval of the centred draws as well.
        assert ours.interval.low <= low + 0.06 * spread
        assert ours.interval.high >= high - 0.06 * spread


def test_difference_of_two_metrics_is_paired_over_the_same_draws():
    metric, human = study(segments=40, missing=0.1)
    rng = np.random.default_rng(8)
    other = metric + rng.normal(0, 0.5, metric.shape)
    how = Bootstrap(300, seed=2)
    (pair,) = bootstrap_differences([metric, other], human, bootstrap=how)
    result = estimate(pair.result)
    alone = [
        estimate(bootstrap_correlation(np.where(np.isfinite(metric), side, np.nan), human))
        for side in (metric, other)
    ]
    assert result.value == pytest.approx(alone[0].value - alone[1].value)
    statistics = [
        weighted_correlation(side, human, "pearson", "pooled") for side in (metric, other)
    ]
    draws = np.concatenate(
        [statistics[0](w) - statistics[1](w) for w in multiplicities(np.ones(40), how)]
    )
    assert result.interval.low == pytest.approx(np.quantile(draws, 0.025))
    smaller = min((draws <= 0).sum(), (draws >= 0).sum())
    assert result.p_value == min(1.0, 2 * (smaller + 1) / 301)
    width = result.interval.high - result.interval.low
    assert width < 0.5 * (alone[0].interval.high - alone[0].interval.low)


def rated(annotators=8, *, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 1, (20, 4, 1))
    ratings = truth + rng.normal(0, 1, (20, 4, annotators))
    batches = np.arange(annotators) % 2
    for annotator in range(annotators):
        mine = slice(0, 10) if batches[annotator] else slice(10, 20)
        ratings[mine, :, annotator] = np.nan
    return truth[..., 0] + rng.normal(0, 1, (20, 4)), ratings, batches


@pytest.mark.parametrize("over", ["annotators", "segments and annotators"])
@pytest.mark.parametrize(("level", "grouping"), [("segment", "none"), ("system", "none")])
def test_interval_over_annotators_is_that_of_human_scores_made_anew(over, level, grouping):
    metric, ratings, batches = rated()
    result = estimate(
        bootstrap_over_annotators(
            metric, ratings, batches=batches, level=level, over=over, bootstrap=Bootstrap(400)
        )
    )
    rng = np.random.default_rng(99)
    draws = []
    for _ in range(400):
        taken = np.concatenate(
            [rng.choice(np.flatnonzero(batches == batch), 4) for batch in (0, 1)]
        )
        human = np.nanmean(ratings[:, :, taken], axis=2)
        rows = rng.integers(0, 20, 20) if "segments" in over else np.arange(20)
        draws.append(value_of(metric[rows], human[rows], "pearson", level, grouping))
    low, high = limits_of(np.array(draws), result.value, "pearson", True)
    assert result.interval.low == pytest.approx(low, abs=0.2 * (high - low))
    assert result.interval.high == pytest.approx(high, abs=0.2 * (high - low))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        without = np.nanmean(np.delete(ratings, 3, axis=2), axis=2)
    expected = value_of(metric, without, "pearson", level, grouping)
    assert result.details["leave_one_out"][3] == pytest.approx(expected)


@pytest.mark.parametrize("over", ["segments", "systems"])
@pytest.mark.parametrize(
    ("average", "metric_ties"),
    [("segments", "discordant"), ("segments", "skip"), ("pooled", "half")],
)
def test_tau_like_of_count_weights_is_that_of_the_copied_data(over, average, metric_ties):
    metric, human = study(segments=15, systems=6)
    variant = {"average": average, "metric_ties": metric_ties, "min_gap": 1.0}
    how = Bootstrap(40, seed=6)
    n_units = 15 if over == "segments" else 6
    drawn = []
    for row in np.concatenate(list(multiplicities(np.ones(n_units), how))).astype(int):
        taken = np.repeat(np.arange(n_units), row)
        copied = [side[taken] if over == "segments" else side[:, taken] for side in (metric, human)]
        drawn.append(estimate(tau_like(*copied, bootstrap=None, **variant)).value)
    result = estimate(bootstrap_tau_like(metric, human, over=over, bootstrap=how, **variant))
    assert result.n == n_units
    assert result.value == pytest.approx(
        estimate(tau_like(metric, human, bootstrap=None, **variant)).value
    )
    np.testing.assert_allclose(
        [result.interval.low, result.interval.high], np.quantile(drawn, [0.025, 0.975])
    )


@pytest.mark.parametrize("coefficient", ["pearson", "kendall-tau-b"])
def test_large_studies_are_resampled_in_small_memory(coefficient):
    rng = np.random.default_rng(4)
    human = np.round(rng.normal(60, 15, (2000, 15)))
    metric = human + rng.normal(0, 25, human.shape)
    draws = 1000 if coefficient == "pearson" else 40
    tracemalloc.start()
    bootstrap_correlation(metric, human, coefficient, bootstrap=Bootstrap(draws, seed=5))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 150e6
