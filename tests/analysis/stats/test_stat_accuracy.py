"""Accuracy of system pairs and of outputs with ties, and concordance: against brute force."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import scipy

from analysis.stats.correlation import system_accuracy, tie_calibration
from analysis.stats.correlation.concordance import ConcordanceOrder, signed_concordance
from analysis.stats.correlation.system_accuracy import (
    SystemPairs,
    flipped_p_values,
    pairwise_system_accuracy,
    soft_pairwise_accuracy,
    system_accuracy_steps,
    system_pairs,
)
from analysis.stats.correlation.tie_calibration import accuracy_with_calibrated_ties, calibrate
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.permutation import Permutation
from analysis.stats.resampling.resampled_sums import resampled_alone
from tests.fixtures.estimates import estimate


def study(segments=40, systems=6, *, rounded=False, missing=0.0, seed=1):
    rng = np.random.default_rng(seed)
    human = np.round(rng.normal(0, 1, (segments, systems)) + np.linspace(0, 0.6, systems))
    metric = human + rng.normal(0, 1, human.shape)
    if rounded:
        metric = np.round(metric)
    for side in (human, metric):
        side[rng.random(side.shape) < missing] = np.nan
    return metric, human


def test_system_pairs_agree_where_both_order_them_alike_on_common_segments():
    metric, human = study(missing=0.3)
    agree = 0
    for i, j in itertools.combinations(range(6), 2):
        common = np.isfinite(metric[:, [i, j]] + human[:, [i, j]]).all(axis=1)
        signs = [np.sign((side[common, i] - side[common, j]).mean()) for side in (metric, human)]
        agree += signs[0] == signs[1]
    result = estimate(pairwise_system_accuracy(metric, human))
    assert result.value == agree / 15
    assert (result.n, result.pairs) == (6, 15)


def test_a_system_pair_tied_by_both_agrees_and_by_one_does_not():
    human = [[1.0, 1.0, 2.0]]
    assert estimate(pairwise_system_accuracy([[5.0, 5.0, 6.0]], human, bootstrap=None)).value == 1
    other = estimate(pairwise_system_accuracy([[4.0, 5.0, 6.0]], human, bootstrap=None))
    assert other.value == pytest.approx(2 / 3)


def test_interval_of_system_accuracy_is_that_of_resampled_segments():
    metric, human = study(missing=0.1)
    how = Bootstrap(200, seed=4)
    result = estimate(pairwise_system_accuracy(metric, human, bootstrap=how))
    rng = np.random.default_rng(77)
    values = []
    for _ in range(400):
        rows = rng.integers(0, 40, 40)
        values.append(
            estimate(pairwise_system_accuracy(metric[rows], human[rows], bootstrap=None)).value
        )
    low, high = np.quantile(values, [0.025, 0.975])
    assert result.interval.low == pytest.approx(low, abs=0.07)
    assert result.interval.high == pytest.approx(high, abs=0.07)


def test_soft_accuracy_takes_p_values_of_sign_flips_pair_by_pair():
    metric, human = study(segments=25, systems=4, missing=0.15)
    p_values = []
    for side in (metric, human):
        for i, j in itertools.combinations(range(4), 2):
            common = np.isfinite(metric[:, [i, j]] + human[:, [i, j]]).all(axis=1)
            test = scipy.stats.permutation_test(
                (side[common, i] - side[common, j],),
                np.mean,
                permutation_type="samples",
                alternative="greater",
                n_resamples=20_000,
                rng=np.random.default_rng(5),
            )
            p_values.append(test.pvalue)
    expected = 1 - np.abs(np.subtract(p_values[:6], p_values[6:])).mean()
    result = estimate(soft_pairwise_accuracy(metric, human, permutation=Permutation(20_000)))
    assert result.value == pytest.approx(expected, abs=0.005)


def pair_by_pair(pairs: SystemPairs) -> SystemPairs:
    """Differences of every two systems, where whole segments made them those of sums."""
    sides = [side[:, pairs.first] - side[:, pairs.second] for side in (pairs.metric, pairs.human)]
    return replace(
        pairs,
        present=pairs.present[:, pairs.first],
        metric=sides[0],
        human=sides[1],
        by_system=False,
    )


@pytest.mark.parametrize("scale", [1.0, 1e7])
def test_systems_without_gaps_are_summed_one_by_one_and_compared_as_their_pairs(scale, monkeypatch):
    metric, human = study(segments=300, systems=11)
    metric *= scale * np.pi
    # Equal systems stay equal, and all but equal ones are told apart only by where they differ.
    metric[:, 7] = metric[:, 2]
    human[:, 9], metric[:, 4] = human[:, 1], metric[:, 3]
    metric[5, 4] += scale
    metric[[8, 30]] = np.nan
    pairs = system_pairs(metric, human)
    assert pairs.by_system
    assert pairs.metric.shape == (300, 11)
    assert pairs.segments.tolist() == [298] * 55
    of_sums = flipped_p_values(pairs, Permutation(400))
    of_pairs = flipped_p_values(pair_by_pair(pairs), Permutation(400))
    assert [p.tolist() for p in of_sums] == [p.tolist() for p in of_pairs]
    how = Bootstrap(200)
    whole = pairwise_system_accuracy(metric, human, bootstrap=how)
    monkeypatch.setattr(system_accuracy, "system_pairs", lambda *sides: pair_by_pair(pairs))
    assert resampled_alone(system_accuracy_steps(metric, human, bootstrap=how), how) == whole


def accuracy_at(metric, human, threshold, average, human_tie=0.0):
    shares, sizes = [], []
    for scores, people in zip(metric, human, strict=True):
        both = np.flatnonzero(np.isfinite(scores + people))
        right = []
        for i, j in itertools.combinations(both, 2):
            gap = scores[i] - scores[j]
            order = 0 if abs(gap) <= threshold else np.sign(gap)
            people_gap = people[i] - people[j]
            right.append(order == np.sign(people_gap) * (abs(people_gap) > human_tie))
        if right:
            shares.append(np.mean(right))
            sizes.append(len(right))
    return np.average(shares, weights=sizes if average == "pooled" else None)


def best_of_all(metric, human, average, human_tie=0.0):
    """Return the highest accuracy, the smallest threshold that has it, and that of no threshold."""
    gaps = {abs(a - b) for row in metric for a, b in itertools.combinations(row, 2)}
    candidates = sorted({0.0} | {gap for gap in gaps if np.isfinite(gap)})
    accuracies = [accuracy_at(metric, human, gap, average, human_tie) for gap in candidates]
    best = candidates[int(np.argmax(np.array(accuracies) >= max(accuracies) - 1e-12))]
    return max(accuracies), best, accuracies[0]


@pytest.mark.parametrize("average", ["segments", "pooled"])
@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("at_once", [7, 1_000_000])
def test_the_calibrated_threshold_is_the_best_of_all(rounded, average, at_once, monkeypatch):
    monkeypatch.setattr(tie_calibration, "CROSSINGS_AT_ONCE", at_once)
    metric, human = study(segments=15, systems=5, rounded=rounded, missing=0.15)
    result = estimate(accuracy_with_calibrated_ties(metric, human, average=average, bootstrap=None))
    found = result.value, result.details["threshold"], result.details["untied_accuracy"]
    assert found == pytest.approx(best_of_all(metric, human, average))


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize(("ties", "human_tie"), [("exact", 0.0), ("rounded", 1e-9)])
def test_human_scores_are_tied_as_asked(ties, human_tie, missing):
    metric, human = study(segments=9, systems=5, rounded=True, missing=missing)
    human += np.random.default_rng(14).integers(0, 2, human.shape) * 1e-12
    found = calibrate(metric, human, ties)
    best, threshold, _ = best_of_all(metric, human, "segments", human_tie)
    assert np.nanmean(found.shares) == pytest.approx(best, abs=1e-11)
    assert found.threshold == threshold


def test_cross_fitted_thresholds_never_see_the_segments_that_they_judge():
    metric, human = study(segments=20, systems=4)
    result = estimate(accuracy_with_calibrated_ties(metric, human, folds=20, bootstrap=None))
    order = np.random.default_rng(20190604).permutation(20)
    shares = []
    for fold, segment in enumerate(order):
        others = np.delete(np.arange(20), segment)
        alone = accuracy_with_calibrated_ties(metric[others], human[others], bootstrap=None)
        threshold = estimate(alone).details["threshold"]
        assert result.details["threshold"][fold] == threshold
        shares.append(accuracy_at(metric[[segment]], human[[segment]], threshold, "segments"))
    assert result.value == pytest.approx(np.mean(shares))
    in_sample = estimate(accuracy_with_calibrated_ties(metric, human, bootstrap=None))
    assert in_sample.value >= result.value


def elements(case: str, n: int = 230) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    human = rng.normal(0, 3, n)
    values = human + rng.normal(0, 3, n)
    if case == "many ties":
        values, human = np.round(values / 3), np.round(human)
    elif case == "human ties only":
        human = np.round(human / 2)
    return values, human


CASES = ("no ties", "many ties", "human ties only")


@pytest.mark.parametrize("case", CASES)
def test_tau_of_copies_is_scipys(case):
    values, human = elements(case, 60)
    weights = np.random.default_rng(3).integers(0, 3, (60, 5))
    taus = ConcordanceOrder(values, human).tau_b(weights.astype(float))
    for tau, copies in zip(taus, weights.T, strict=True):
        theirs = scipy.stats.kendalltau(np.repeat(values, copies), np.repeat(human, copies))
        assert tau == pytest.approx(theirs.statistic)


@pytest.mark.parametrize("case", CASES)
def test_concordance_of_each_element_counts_its_own_pairs(case):
    values, human = elements(case)
    agreement = np.sign(np.subtract.outer(values, values)) * np.sign(
        np.subtract.outer(human, human)
    )
    np.testing.assert_array_equal(signed_concordance(values, human), agreement.sum(axis=1))
